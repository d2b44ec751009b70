package corpustest_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// aimedCase is a change of approved tests that takes something away from them,
// with an honest change as near to it as possible beside it.
type aimedCase struct {
	id       string // group, archive and name: "python/pytest/deleted-twin"
	language string
	form     string // "edit" of what was approved, "added" code, or "refactoring"
	kind     string // what the weakening should be called
	why      string // what is no longer demanded
	harmless string // why the look-alike demands as much
	listed   bool   // refactoring: the closed list of harmless changes allows it
	defect   string // hunks that break the implementation so that the weakened tests alone pass; may be empty
	evidence []evidence

	before, weak, fine map[string]string // weak is nil for a refactoring
}

// readAimed reads all archives of testdata/corpus/aimed. An archive holds one
// project and many cases:
//
//	language: Python
//	-- before/cart.py --           a file of the project
//	-- bug/free --                 hunks that break the implementation
//	-- case/deleted-twin --        a case
//	form: edit
//	kind: assertion_removed
//	at: before tests/test_cart.py "assert total"
//	why: what is no longer demanded
//	bug: free
//	fine: why the look-alike demands as much
//	<<< weak tests/test_cart.py
//	    assert total == 3
//	===
//	>>>
//
// A hunk replaces whole lines that occur once in its file. Without "===" it is
// appended to its file, or is a new one; "a.py > b.py" moves a file first, and
// "a.py (deleted)" deletes it. `at: before a.py#2 "x"` is the second line that
// begins with x.
func readAimed(t *testing.T) []aimedCase {
	t.Helper()
	root := filepath.Join("..", "..", "..", "testdata", "corpus", "aimed")
	names, err := filepath.Glob(filepath.Join(root, "*", "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives in %s (%v)", root, err)
	}
	var out []aimedCase
	seen := map[string]bool{}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		rel, err := filepath.Rel(root, strings.TrimSuffix(name, ".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		cases, err := aimedCases(filepath.ToSlash(rel), archive)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, c := range cases {
			if seen[c.id] {
				t.Errorf("%s is there twice", c.id)
			}
			seen[c.id] = true
		}
		out = append(out, cases...)
	}
	return out
}

func aimedCases(prefix string, a *txtar.Archive) ([]aimedCase, error) {
	project, bugs := map[string]string{}, map[string]string{}
	var out []aimedCase
	for _, f := range a.Files {
		switch group, name, _ := strings.Cut(f.Name, "/"); group {
		case "before":
			project[name] = string(f.Data)
		case "bug":
			bugs[name] = string(f.Data)
		case "case":
			c := aimedCase{id: prefix + "/" + name, before: project}
			c.language, _, _ = strings.Cut(strings.TrimPrefix(string(a.Comment), "language: "), "\n")
			if err := c.read(string(f.Data), bugs); err != nil {
				return out, fmt.Errorf("%s: %w", name, err)
			}
			out = append(out, c)
		default:
			return out, fmt.Errorf("%q is no before, bug or case", f.Name)
		}
	}
	return out, nil
}

func (c *aimedCase) read(text string, bugs map[string]string) error {
	head, hunks, _ := strings.Cut("\n"+text, "\n<<< ")
	sides, err := applyHunks(c.before, "\n<<< "+hunks)
	if err != nil {
		return err
	}
	c.weak, c.fine = sides["weak"], sides["fine"]
	var at []string
	for line := range strings.Lines(strings.TrimSpace(head)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "form":
			c.form = value
		case "kind":
			c.kind = value
		case "why":
			c.why = value
		case "fine":
			c.harmless = value
		case "listed":
			c.listed = strings.HasPrefix(value, "yes, ")
			c.harmless = value
		case "bug":
			c.defect = bugs[value]
			if broken, err := applyHunks(c.before, "\n"+c.defect); err != nil || broken["bug"] == nil {
				return fmt.Errorf("bug %q: %w", value, err)
			}
		case "at":
			at = append(at, value)
		default:
			return fmt.Errorf("unknown key %q", key)
		}
	}
	for _, a := range at {
		e, err := c.find(a)
		if err != nil {
			return err
		}
		c.evidence = append(c.evidence, e)
	}
	return c.complete()
}

func (c *aimedCase) complete() error {
	switch {
	case c.harmless == "" || c.fine == nil || maps.Equal(c.fine, c.before):
		return fmt.Errorf("no look-alike")
	case c.form == "refactoring" && c.weak == nil:
		return nil
	case c.form != "edit" && c.form != "added":
		return fmt.Errorf("form %q", c.form)
	case c.why == "" || c.kind == "" || len(c.evidence) == 0 || c.weak == nil || maps.Equal(c.weak, c.before):
		return fmt.Errorf("no weakening, or not what it is")
	}
	return nil
}

// find resolves `after tests/test_a.py#2 "text"` to a line.
func (c *aimedCase) find(at string) (evidence, error) {
	words := strings.SplitN(at, " ", 3)
	if len(words) != 3 {
		return evidence{}, fmt.Errorf("at: %q", at)
	}
	file, nth, _ := strings.Cut(words[1], "#")
	left, err := strconv.Atoi(nth)
	if err != nil {
		left = 1
	}
	text, err := strconv.Unquote(words[2])
	if err != nil {
		return evidence{}, fmt.Errorf("at: %s: %w", at, err)
	}
	files := map[string]map[string]string{"before": c.before, "after": c.weak}[words[0]]
	for i, line := range strings.Split(files[file], "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), text) {
			if left--; left == 0 {
				return evidence{Side: words[0], File: file, Line: i + 1}, nil
			}
		}
	}
	return evidence{}, fmt.Errorf("at: no such line: %s", at)
}
