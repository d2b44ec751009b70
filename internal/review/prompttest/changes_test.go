// Package prompttest measures what a model is sent for recorded changes of public projects.
package prompttest_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/programtest"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/textdiff"
)

var (
	changes = flag.String("changes", "", "file of changes: lines of project, repository, base, head")
	prompts = flag.String("prompts", "", "folder that the prompts are written to, if any")
)

// recorded is one change of a project.
type recorded struct {
	project, repo, base, head string
	definitions               map[string]definition
}

// definition is what the project defines under a name.
type definition struct {
	heads   []string // the first lines
	outside bool     // one of them is not within a function
}

// TestChanges prints what is sent for each recorded change (make prompts).
func TestChanges(t *testing.T) {
	if *changes == "" {
		t.Skip("run by make prompts")
	}
	list, err := os.ReadFile(*changes)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "workflow-reviewer")
	if err := programtest.Link("workflow-reviewer/cmd/action", program); err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(list)) {
		f := strings.Fields(l)
		if len(f) != 4 {
			t.Fatalf("%s: %q", *changes, l)
		}
		c := &recorded{project: f[0], repo: f[1], base: f[2], head: f[3]}
		for _, r := range c.requests(t, program) {
			c.check(t, r)
		}
	}
}

// requests are what a model is asked about the change.
func (c *recorded) requests(t *testing.T, program string) []codextest.Request {
	t.Helper()
	model := codextest.New(t, codextest.Always(codextest.Review(map[string]any{
		"decision": "APPROVED", "summary": "Fine.", "issues": []any{}, "previous_findings": []any{},
		"criteria": []any{map[string]any{"name": "any", "grade": "PASS", "reason": "It does."}},
	})))
	cmd := exec.Command(program, "local", "--repo", c.repo, "--base", c.base, "--head", c.head,
		"--codex-path", codextest.Binary(t), "--endpoint", model.Endpoint())
	cmd.Env = append(os.Environ(), "OPENAI_API_KEY=sk-none", "TMPDIR="+t.TempDir())
	out, _ := cmd.CombinedOutput() // whatever the verdict
	asked := map[string]bool{}
	var first []codextest.Request // what asks for a better answer repeats it
	for _, r := range model.Requests() {
		if name := subject.FindString(r.Prompt); !asked[name] {
			asked[name] = true
			first = append(first, r)
		}
	}
	if len(first) == 0 {
		t.Errorf("%s %.8s: no model was asked:\n%s", c.project, c.head, out)
	}
	return first
}

var (
	subject = regexp.MustCompile(`\nType: ([a-z -]+)\. Feature: ("[^\n]*?")\. `)
	heading = regexp.MustCompile(`(?m)^#{2,3} (.+)$`)
	file    = regexp.MustCompile(`(?m)^### (\S+)\n`)
)

// check prints one request, and fails on what the change needs and the prompt lacks.
func (c *recorded) check(t *testing.T, r codextest.Request) {
	t.Helper()
	m := subject.FindStringSubmatch(r.Prompt)
	if m == nil {
		t.Errorf("%s: no artifact in %.300s", c.project, r.Prompt)
		return
	}
	fmt.Printf("\n== %s %.8s %s %s\n", c.project, c.head, m[1], m[2])
	fmt.Printf("bytes: %d instructions, %d tools, %d schema, %d variable; tokens: %d fixed, %d variable\n",
		len(r.Instructions), len(r.Tools), len(r.Schema), len(r.Prompt),
		(len(r.Instructions)+len(r.Tools)+len(r.Schema))/4, len(r.Prompt)/4)
	if *prompts != "" {
		name := fmt.Sprintf("%s-%.8s-%s.md", strings.ReplaceAll(c.project, "/", "+"), c.head, m[1])
		if err := os.WriteFile(filepath.Join(*prompts, name), []byte(r.Prompt), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	printSections(r.Prompt)
	_, artifact, _ := strings.Cut(r.Prompt, "\n## Artifact under review\n")
	for _, f := range file.FindAllStringSubmatch(artifact, -1) {
		c.checkFile(t, r.Prompt, f[1])
	}
}

// printSections prints each heading that stands outside of fences with its size and note.
func printSections(prompt string) {
	fence, size := "", 0
	last := ""
	flush := func() {
		if last != "" {
			fmt.Printf("%7d  %s\n", size, last)
		}
	}
	for l := range strings.Lines(prompt) {
		text := strings.TrimRight(l, "\n")
		switch {
		case fence == "" && strings.HasPrefix(text, "```"):
			fence = text[:len(text)-len(strings.TrimLeft(text, "`"))]
		case fence != "" && text == fence:
			fence = ""
		case fence == "" && heading.MatchString(text):
			flush()
			last, size = text, 0
		case fence == "" && text != "" && last != "" && !strings.Contains(last, " – "):
			last += " – " + text
		}
		size += len(l)
	}
	flush()
}

// checkFile fails on changed lines of a file, and on symbols of the project that these name, that the prompt lacks.
func (c *recorded) checkFile(t *testing.T, prompt, path string) {
	t.Helper()
	before, after := c.show(c.base, path), c.show(c.head, path)
	hunks := textdiff.Hunks([]byte(before), []byte(after), 0)
	changed := textdiff.AddedLines(hunks)
	for _, h := range hunks {
		for _, l := range h.Lines {
			if want := "-      " + strings.TrimRight(l.Text, "\r") + "\n"; l.Op == '-' && !strings.Contains(prompt, want) {
				t.Errorf("%s %.8s: %s: a removed line is not shown: %q", c.project, c.head, path, want)
			}
		}
	}
	lines := strings.Split(after, "\n")
	for n := range changed {
		if want := fmt.Sprintf("%5d %s\n", n, strings.TrimRight(lines[n-1], "\r")); len(want) < 1_900 && !strings.Contains(prompt, want) {
			t.Errorf("%s %.8s: %s:%d is changed and not shown: %q", c.project, c.head, path, n, want)
		}
	}
	lang, ok := syntax.LanguageOf(path)
	if !ok {
		return
	}
	tree, err := syntax.Parse(context.Background(), lang, []byte(after))
	if err != nil {
		return
	}
	missing := map[string]bool{}
	for n := range tree.All() {
		if !changed[n.StartLine()] || len(n.Named()) > 0 || !isName(n) {
			continue
		}
		d := c.defined(t)[n.Text()]
		if d.outside && !slices.ContainsFunc(d.heads, func(head string) bool { return strings.Contains(prompt, head) }) {
			missing[n.Text()+" ("+d.heads[0]+")"] = true
		}
	}
	for name := range missing {
		t.Errorf("%s %.8s: %s uses %s, whose definition is not shown", c.project, c.head, path, name)
	}
}

func isName(n syntax.Node) bool {
	return n.Kind() == "constant" || strings.HasSuffix(n.Kind(), "identifier")
}

// defined are the project's definitions by name: nodes that have it in a field "name". The package under test has queries of its own for that.
func (c *recorded) defined(t *testing.T) map[string]definition {
	t.Helper()
	if c.definitions != nil {
		return c.definitions
	}
	c.definitions = map[string]definition{}
	for path := range strings.Lines(c.git("ls-tree", "-r", "--name-only", c.head)) {
		path = strings.TrimSpace(path)
		lang, ok := syntax.LanguageOf(path)
		if !ok {
			continue
		}
		src := c.show(c.head, path)
		tree, err := syntax.Parse(t.Context(), lang, []byte(src))
		if err != nil {
			continue
		}
		lines := strings.Split(src, "\n")
		for n := range tree.All() {
			if n.FieldName() == "name" && isName(n) && len(n.Text()) > 1 && defines(n.Parent()) {
				d := c.definitions[n.Text()]
				d.heads = append(d.heads, strings.TrimSpace(lines[n.StartLine()-1]))
				d.outside = d.outside || !withinFunction(n.Parent())
				c.definitions[n.Text()] = d
			}
		}
	}
	return c.definitions
}

func defines(n syntax.Node) bool {
	return kindHas(n, "definition", "declaration", "declarator", "_item", "_spec", "signature") && !kindHas(n, "import", "use_")
}

func withinFunction(n syntax.Node) bool {
	for p := n.Parent(); !p.IsZero(); p = p.Parent() {
		if kindHas(p, "function", "method", "lambda", "closure", "parameters") {
			return true
		}
	}
	return false
}

func kindHas(n syntax.Node, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(n.Kind(), part) })
}

func (c *recorded) show(rev, path string) string { return c.git("show", rev+":"+path) }

// git is what a command prints, "" if it fails: a file that is not in a revision is empty there.
func (c *recorded) git(args ...string) string {
	out, err := exec.Command("git", append([]string{"-C", c.repo}, args...)...).Output()
	if err != nil {
		return ""
	}
	return string(out)
}
