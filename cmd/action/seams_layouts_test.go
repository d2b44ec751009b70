package main_test

import (
	"slices"
	"strings"
	"testing"
)

// TestLayoutSeams: a layout that cannot mean anything is an error of the config,
// and one that means two things reviews each document once.
func TestLayoutSeams(t *testing.T) {
	t.Parallel()
	spec := map[string]string{"specs/proposed/login.md": goodSpec}
	own := func(keys string) string { return `{"layouts":[{` + keys + `}]}` }
	for name, c := range map[string]struct {
		config   string // on the base
		pr       map[string]string
		link     string // put in the place of specs/proposed, "" for none
		code     int
		decision string
		reviews  []string
		says     string
	}{
		"a capture without a name": {own(`"spec":"specs/{}/spec.md"`), spec, "", 2, "ERROR", nil, "brace"},
		"a capture twice":          {own(`"spec":"specs/{feature}/{feature}.md"`), spec, "", 2, "ERROR", nil, "twice"},
		"a pattern above the root": {own(`"spec":"../{feature}.md"`), spec, "", 2, "ERROR", nil, ".."},
		"an absolute pattern":      {own(`"spec":"/specs/{feature}.md"`), spec, "", 2, "ERROR", nil, "/specs/"},
		"a state without folders":  {own(`"spec":"specs/{state}/{feature}.md"`), spec, "", 2, "ERROR", nil, "folders"},
		"a class of characters":    {own(`"spec":"specs/[a-z]/{feature}.md"`), spec, "", 2, "ERROR", nil, "do not know"},
		"two layouts claim one file": {
			`{"layouts":["workflow",{"spec":"specs/proposed/{feature}.md"}]}`, spec, "", 0, "APPROVED", []string{"spec login"}, "",
		},
		"the pull request's own layout": {
			`{}`, with(spec, map[string]string{".workflow/config.json": own(`"spec":"nowhere/{feature}.md"`)}), "",
			0, "APPROVED",
			[]string{"spec login"},
			"",
		},
		"names that differ in case alone": {
			`{}`, with(spec, map[string]string{"specs/proposed/Login.md": goodSpec}), "", 0, "APPROVED",
			[]string{"spec Login", "spec login"},
			"",
		},
		"a linked folder of specs": {`{}`, map[string]string{"elsewhere/login.md": goodSpec}, "elsewhere", 0, "NONE", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, map[string]string{
				"ROADMAP.md": roadmap, "SCOPE.md": "# Scope\n\n## In scope\n\nLogin.\n", ".workflow/config.json": c.config,
			}, c.pr, nil)
			if c.link != "" {
				w.push(map[string]string{"specs/README.md": "x\n"})
				w.pushLink("specs/proposed", "../"+c.link)
			}
			o := w.run(w.pull("opened"))
			o.ends(c.code, c.decision)
			if !strings.Contains(o.stdout+o.summary, c.says) {
				t.Errorf("nothing says %q:\n%s", c.says, o.summary)
			}
			if c.code == 0 {
				if got := o.reviewed(); c.reviews != nil && !slices.Equal(got, c.reviews) {
					t.Errorf("reviews %q, want %q", got, c.reviews)
				}
			}
			w.allClosed()
		})
	}
}
