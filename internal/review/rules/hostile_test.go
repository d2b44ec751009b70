package rules_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/review/rules"
	"workflow-reviewer/internal/workflow"
)

// What cannot be read is said, and blocks.
func TestUnreadable(t *testing.T) {
	for name, tc := range map[string]struct{ content, want string }{
		"binary":       {"# Export\x00\x01", "is not text"},
		"latin1":       {"# Exporti\xe9ren\n", "is not valid UTF-8 text"},
		"empty":        {" \n\t\n", "is empty"},
		"symlink":      {changetest.Symlink("/etc/passwd"), "is a symbolic link"},
		"too long":     {strings.Repeat("word ", 60_000), "larger than 256 KiB"},
		"over the cap": {strings.Repeat("a", change.MaxFile+1), "larger than 8 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, typ := range []workflow.Type{workflow.Vision, workflow.Spec, workflow.BugFix} {
				in := input(typ, nil, map[string]string{"doc.md": tc.content}, "doc.md")
				checks := rules.Check(t.Context(), in)
				c := find(t, checks, "artifact/unreadable")
				if c.Outcome != workflow.Failed || !strings.Contains(c.Summary, tc.want) {
					t.Errorf("%s: got %s", typ, render(c))
				}
				if d := rules.Decide(in.Artifact, checks).Decision; d != workflow.NeedsChanges {
					t.Errorf("%s: decision %s", typ, d)
				}
			}
		})
	}
}

func TestMissingFileAndNoFile(t *testing.T) {
	for _, files := range [][]string{nil, {"gone.md"}} {
		in := input(workflow.Spec, nil, map[string]string{}, files...)
		checks := rules.Check(t.Context(), in)
		if c := find(t, checks, "artifact/unreadable"); c.Outcome != workflow.Failed {
			t.Errorf("%q: got %s", files, render(c))
		}
	}
}

// A fixture that is no text does not block the tests it belongs to.
func TestBinaryFixture(t *testing.T) {
	in := input(workflow.Tests, nil, map[string]string{
		"tests/data.bin": "\xff\x00", "tests/empty.txt": "", "tests/test_a.py": "def test_a():\n    assert f()\n",
	}, "tests/data.bin", "tests/empty.txt", "tests/test_a.py")
	checks := rules.Check(t.Context(), in)
	if c := find(t, checks, "artifact/unreadable"); len(c.Issues) != 0 || !strings.Contains(c.Summary, "tests/data.bin is not text") {
		t.Errorf("got %s", render(c))
	}
}

// Source that is too large to parse is said to be.
func TestUnparsedSource(t *testing.T) {
	in := input(workflow.Implementation, nil, map[string]string{"a.py": strings.Repeat("x = ["+strings.Repeat("1, ", 300)+"]\n", 1200)},
		"a.py")
	c := find(t, rules.Check(t.Context(), in), "artifact/unreadable")
	if c.Outcome != workflow.Noted || !strings.Contains(c.Summary, "too large or too complex") {
		t.Errorf("got %s", render(c))
	}
}

// Documents made to be costly end with a verdict like any other.
func TestHostileDocuments(t *testing.T) {
	const n = 16 << 10
	fill := func(unit string) string { return strings.Repeat(unit, n/len(unit)-1) }
	for name, text := range map[string]string{
		"quotes in a line":   fill(">"),
		"quotes with spaces": fill("> "),
		"nested quotes":      nest("> ", 120),
		"lists in a line":    fill("- "),
		"numbers in a line":  fill("1. "),
		"nested lists":       nest("  - ", 90),
		"nested numbers":     nest("   1. ", 75),
		"brackets":           fill("["),
		"links":              fill("[a](b "),
		"open links":         fill("](x"),
		"emphasis":           fill("*a_"),
		"backticks":          fill("`"),
		"backticks by line":  fill("``\n`\n"),
		"headings":           fill("# a\n"),
		"empty headings":     fill("#\n"),
		"deep headings":      fill("# a\n## a\n### a\n"),
		"tables":             fill("|a|b|\n|-|-|\n"),
		"one line":           fill("must be fast "),
		"comments":           fill("<!-- "),
		"fences":             fill("```markdown\n"),
		"scenarios":          fill("Then a\n"),
		"criteria":           "# Acceptance criteria\n" + fill("- is fast\n"),
		"nested criteria":    fill("# Acceptance criteria\n## Scenario\n"),
		"labels":             fill("**a a**:\n\n"),
		"open questions":     "# Open questions\n" + fill("- why?\n"),
		"scope lists":        "# In scope\n" + fill("- a thing\n") + "\n# Out of scope\n- a thing\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := input(workflow.Spec, nil, map[string]string{"doc.md": text, "ROADMAP.md": text}, "doc.md")
			checks := rules.Check(t.Context(), in)
			if v := rules.Decide(in.Artifact, checks); v.Decision == workflow.Error || v.Summary == "" {
				t.Errorf("got %+v", v)
			}
		})
	}
}

// nest is a text in which each line nests deeper than the one above.
func nest(mark string, depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(mark, i) + "a\n")
	}
	return b.String()
}

func FuzzDocument(f *testing.F) {
	for _, seed := range []string{
		"# A\n\n## Acceptance criteria\n\n- fast\n", "---\na: b\n---\n> - 1. x\n", "```markdown\n```go\n```\n```\n", "|a|\n|-|\n" +
			"|b|\n", "**a:** b\n\na:\n- c", "a\n===\n<!-- TBD\n", "\ufeff#\r\n#\r\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, typ := range []workflow.Type{workflow.Vision, workflow.Scope, workflow.Roadmap, workflow.Spec, workflow.BugFix} {
			in := input(typ, nil, map[string]string{"doc.md": text, "SCOPE.md": text, "ROADMAP.md": text}, "doc.md")
			holds(t, in, strings.Count(text, "\n")+1)
		}
	})
}

func FuzzSource(f *testing.F) {
	for _, seed := range []string{
		"def test_a():\n    pass\n", "func TestA(t *testing.T) { eval(x) }", "it('a', () => {})", "#[test]\n" +
			"fn a() { todo!() }", "try { } catch { }\n\"", "/* \r\n TODO */", "f\"SELECT a FROM b {c}\"",
	} {
		for _, ext := range []string{"py", "go", "ts", "rs", "java", "rb", "cs", "txt"} {
			f.Add("a."+ext, seed)
		}
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		if name == "" || strings.ContainsAny(name, "/\x00") || name == "." || name == ".." {
			return
		}
		for _, typ := range []workflow.Type{workflow.Skeleton, workflow.Tests, workflow.Implementation, workflow.BugFix} {
			in := input(typ, map[string]string{name: "a\n"}, map[string]string{name: text, "spec.md": text, "tests/a_test.cs": text}, name)
			in.Artifact.SpecPath = "spec.md"
			holds(t, in, strings.Count(text, "\n")+1)
		}
	})
}

// holds checks what must be true of any run.
func holds(t *testing.T, in rules.Input, lines int) {
	t.Helper()
	checks := rules.Check(t.Context(), in)
	for _, c := range checks {
		for _, i := range c.Issues {
			if i.Line < 0 || i.Line > lines || i.EndLine != 0 && i.EndLine < i.Line || i.Title == "" || i.Severity == "" {
				t.Errorf("%s of %d lines: %+v", c.ID, lines, i)
			}
		}
	}
	if v := rules.Decide(in.Artifact, checks); v.Decision != workflow.Approved && v.Decision != workflow.NeedsChanges {
		t.Errorf("decision %s", v.Decision)
	}
}
