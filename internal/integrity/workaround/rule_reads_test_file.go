package workaround

import (
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/syntax"
)

// readsTestFile looks for what docs/integrity-rules.md says under reads-test-file. The answers are in the
// tests: an implementation that reads them, their expected values or snapshots, needs no algorithm.
func readsTestFile(p *pass) {
	if forTesting(p.Path) || commands.MatchString(p.Path) {
		return
	}
	p.testImports()
	sources := 0
	for _, s := range p.Strings {
		if sources < maxSources && p.isTestPath(s.Value.Text) && !s.Up.Is(code.Import) {
			sources++
			p.testRead(s)
		}
	}
}

// isTestPath reports whether a text is a path to tests or their data: by the
// conventions of languages and runners, or by where approved tests stand.
func (p *pass) isTestPath(s string) bool {
	if s == "" || len(s) > 200 || strings.ContainsAny(s, " \t\n<>{}*:") || s[0] == '-' {
		return false
	}
	s = strings.TrimLeft(path.Clean(strings.ReplaceAll(s, `\`, "/")), "./")
	if s == "" || p.Tests.Paths[s] || strings.Index(s, ".") != 1 && p.isTest(s) { // X.T is a type
		return s != ""
	}
	dirs := strings.Split(s, "/")
	own := dirs[0] == "spec" || dirs[0] == "specs" || dirs[0] == "test"
	word := !strings.ContainsAny(s, "./") // the name of a folder of sources that have tests beside them, or of anything
	for t := range p.Tests.Paths {        // spec/ and test/ may be the program's own, but not where tests stand
		ownFolder := own && !strings.Contains(path.Base(s), ".") && slices.Contains(strings.Split(path.Dir(t), "/"), dirs[0])
		if ownFolder || !word && strings.HasSuffix(t, "/"+s) {
			return true
		}
	}
	return !own && (strings.Index(s, ".") != 1 && conventions.IsTest(s) || path.Ext(s) == ".snap" || conventions.TestFolder(dirs, "") != "")
}

// reading are functions that read a file.
var reading = whole("reading")

func isReading(c *code.Node) bool {
	writes := slices.ContainsFunc(c.Args(), func(a *code.Node) bool {
		mode := a.Is(code.Literal) && len(a.Value.Text) < 4 && strings.Trim(a.Value.Text, "wabxt+") == ""
		return mode && strings.ContainsAny(a.Value.Text, "wax")
	})
	return c.Is(code.Call) && reading.MatchString(code.Method(c)) && !writes
}

// testRead reports a path if what is read from it reaches a returned value.
func (p *pass) testRead(s *code.Node) {
	toPath := p.Follow(func(n *code.Node) bool { return n == s })
	isRead := func(n *code.Node) bool { return isReading(n) && toPath.Has(n) }
	at := slices.IndexFunc(p.Calls, isRead)
	if at < 0 {
		return
	}
	read := p.Follow(isRead)
	for _, fn := range p.Funcs {
		if line := decides(read, fn); line > 0 && !testWord.MatchString(fn.Text) {
			why := "the implementation reads a file of the tests, “" + s.Value.Text + "”, and returns what it says"
			p.report(s.Line, why, p.Calls[at].Line, line)
			return
		}
	}
}

// testImports reports imports of test modules, and tests that Go embeds.
func (p *pass) testImports() {
	dir := path.Dir(p.Path)
	for _, m := range p.Modules {
		for _, name := range strings.Fields(m.Text) {
			up := strings.TrimLeft(name, ".")
			switch {
			case p.lang(syntax.Python) && len(up) < len(name):
				name = path.Join(dir, strings.Repeat("../", len(name)-len(up)-1), strings.ReplaceAll(up, ".", "/"))
			case p.lang(syntax.Python):
				name = strings.ReplaceAll(name, ".", "/")
			case strings.HasPrefix(name, "."):
				name = path.Join(dir, name)
			default:
				continue
			}
			if p.isModule(name) {
				p.report(m.Line, "the implementation imports a module of the tests, “"+m.Text+"”")
			}
		}
	}
	for c := range p.Root.Src.All("comment") {
		for _, f := range strings.Fields(strings.TrimPrefix(c.Text(), "//go:embed ")) {
			if p.lang(syntax.Go) && strings.HasPrefix(c.Text(), "//go:embed ") && p.isTestPath(f) {
				p.report(c.StartLine(), "the implementation embeds a file of the tests, “"+f+"”", c.StartLine()+1)
			}
		}
	}
}

// isModule reports whether a module is one of the tests.
func (p *pass) isModule(name string) bool {
	endings := []string{"", ".js", ".ts", ".tsx", ".json"}
	if p.lang(syntax.Python) {
		endings = []string{"", ".py", "/__init__.py"}
	}
	for _, ending := range endings {
		file, tested := name+ending, strings.HasSuffix(name, "under_test") // device_under_test
		inFolder := conventions.TestFolder(strings.Split(file, "/"), "") != ""
		if p.Tests.Paths[file] || !tested && inFolder && p.isTest(file) && conventions.IsTest(file) {
			return true
		}
	}
	return false
}
