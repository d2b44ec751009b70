package main_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/github/githubtest"
)

// TestCommandSeams: what only looks like a command is none, nobody decides whom
// GitHub does not vouch for, and no decision falls on a head that was not
// reviewed.
func TestCommandSeams(t *testing.T) {
	t.Parallel()
	w, _ := refusedWorld(t)
	const rest = "spec:login it is meant to be like that"
	for name, body := range map[string]string{
		"a full-width slash":            "／override " + rest,
		"a division slash":              "∕override " + rest,
		"a Greek omicron":               "/\u03bfverride " + rest,
		"a zero-width space":            "/over\u200bride " + rest,
		"a byte order mark before it":   "\ufeff/override " + rest,
		"a fence of tildes":             "~~~\n/override " + rest + "\n~~~",
		"a fence that does not end":     "```\n/override " + rest,
		"a fence within a quote":        "> ```\n> /override " + rest + "\n> ```",
		"an entry of a list":            "- /override " + rest,
		"preformatted":                  "<pre>\n/override " + rest + "\n</pre>",
		"a comment that does not end":   "<!--\n/override " + rest,
		"inline code":                   "`/override " + rest + "`",
		"a right-to-left override mark": "\u202e/override " + rest,
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			n, head := len(w.gh.Requests()), w.head()
			o := w.run(w.comment("octocat", body))
			o.ends(0, "NONE")
			if got := w.sent(n); len(got) > 0 || w.head() != head {
				t.Errorf("GitHub was sent %q", got)
			}
		})
	}
	for name, c := range map[string]struct {
		fault    githubtest.Fault
		code     int
		decision string
	}{
		"5xx for who may write":                  {githubtest.Fault{Status: 503, Body: `{"message":"Service unavailable"}`}, 2, "ERROR"},
		"the collaborator was removed meanwhile": {githubtest.Fault{Status: 404, Body: `{"message":"Not Found"}`}, 0, "NONE"},
		"who may write may not be asked":         {githubtest.Forbidden(), 2, "ERROR"},
		"nonsense for who may write":             {githubtest.Fault{Status: 200, Body: `[]`}, 2, "ERROR"},
		"no answer about who may write":          {githubtest.Fault{Reset: true}, 2, "ERROR"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it is asked again for 15 seconds
			w, _ := refusedWorld(t)
			head := w.head()
			w.gh.Fail(always("GET", "/permission", c.fault))
			o := w.run(w.comment("octocat", "/override "+rest))
			o.ends(c.code, c.decision)
			if w.head() != head {
				t.Error("something was committed")
			}
			if gate := w.check(head, "workflow-reviewer"); gate.Conclusion == "success" {
				t.Errorf("gate %+v", gate)
			}
		})
	}
	t.Run("a push after the comment", func(t *testing.T) {
		w.t = t
		ev := w.comment("octocat", "/override "+rest)
		w.push(map[string]string{"specs/proposed/login.md": strings.ReplaceAll(goodSpec, "Session", "Token")})
		o := w.run(ev)
		o.ends(0, "NONE")
		for _, c := range w.gh.Checks() {
			if c.HeadSHA == w.head() && c.Conclusion == "success" {
				t.Errorf("%+v", c)
			}
		}
	})
}
