package workaround

import (
	"path"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/syntax"
)

func readsTestFile() rule {
	return rule{Rule: Rule{
		ID: "reads-test-file", Kind: violation.ReadsTestFile, Name: "Tests read by the implementation",
		Explanation: `The answers are in the tests: an implementation that reads them, their expected values or snapshots, needs no algorithm. Reported: reading,
embedding or importing a path in a folder of tests, a snapshot, or a file named as tests are, when what was read reaches a returned value. Spared:
the program's own data (also if it is called fixtures or spec), writing into test folders, tools that list or run tests, and comparing names.`,
		Example: Example{"python", "path = os.path.join(here, \"..\", \"tests\", \"data\", \"expected.json\")\nreturn json.load(open(path))\n", "path = os.path.join(here, \"data\", \"currencies.json\")\nreturn json.load(open(path))\n"},
	}, check: func(p *pass) {
		if forTesting(p.Path) || forCommands(p.Path) {
			return
		}
		p.testImports()
		p.embedded()
		sources := 0
		for _, s := range p.Strings {
			if sources < maxSources && (p.testPath(s.Value.Text) || p.testPart(s)) && !p.isImport(s) {
				sources++
				p.testRead(s)
			}
		}
	}}
}

// testPath reports whether a text is a path to tests or their data.
func (p *pass) testPath(s string) bool {
	if len(s) > 200 || strings.ContainsAny(s, " \t\n<>{}") || s == "" {
		return false
	}
	s = strings.ReplaceAll(s, `\`, "/")
	if strings.Contains(s, "://") || strings.HasPrefix(s, "-") {
		return false
	}
	parts := strings.Split(s, "/")
	for i, part := range parts {
		switch part {
		case "tests", "__tests__", "__snapshots__", "testdata", "__fixtures__", "__mocks__":
			return true
		case "test", "spec", "specs", "Tests":
			if len(parts) > 1 && i < len(parts)-1 && p.approvedIn(part) || strings.Contains(s, "src/test/") {
				return true
			}
		}
	}
	return testFileName(parts[len(parts)-1]) || len(parts) > 1 && p.approved(s)
}

// testPart reports whether a text is a folder of approved tests that is joined
// with other parts of a path.
func (p *pass) testPart(s *code.Node) bool {
	switch s.Value.Text {
	case "test", "spec", "specs", "Tests":
		joined := s.Up.Is(code.Call) && len(s.Up.Args()) > 1 || s.Up.Is(code.Binary) && s.Up.Text == "/"
		return joined && p.approvedIn(s.Value.Text)
	}
	return false
}

// testFileName reports whether a file's name is one that only tests have.
func testFileName(base string) bool {
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	switch {
	case base == "conftest.py", ext == ".snap" && stem != "":
		return true
	case ext == ".py":
		return strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test")
	case ext == ".go", ext == ".rb", ext == ".rs":
		return strings.HasSuffix(stem, "_test") && stem != "_test" || ext == ".rb" && (strings.HasSuffix(stem, "_spec") && stem != "_spec" || strings.HasPrefix(stem, "test_"))
	case ext == ".js", ext == ".ts", ext == ".tsx", ext == ".jsx", ext == ".mjs", ext == ".cjs":
		return len(stem) > 5 && (strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec"))
	case ext == ".java", ext == ".cs":
		return strings.HasSuffix(stem, "Test") && stem != "Test" || strings.HasSuffix(stem, "Tests") && stem != "Tests"
	}
	return false
}

// approvedIn reports whether approved tests stand in a folder of that name.
func (p *pass) approvedIn(folder string) bool {
	for t := range p.known.tests.Paths {
		if strings.HasPrefix(t, folder+"/") || strings.Contains(t, "/"+folder+"/") {
			return true
		}
	}
	return false
}

// approved reports whether a path ends as that of an approved test does.
func (p *pass) approved(s string) bool {
	s = strings.TrimLeft(path.Clean(s), "./")
	for t := range p.known.tests.Paths {
		if t == s || strings.HasSuffix(t, "/"+s) {
			return true
		}
	}
	return false
}

// testRead reports a path if what is read from it reaches a returned value.
func (p *pass) testRead(s *code.Node) {
	toPath := p.Follow(func(n *code.Node) bool { return n == s })
	read := p.Follow(func(n *code.Node) bool { return n.Is(code.Call) && p.readsFile(n) && toPath.Has(n) && !writes(n) })
	for _, c := range p.Calls {
		if !p.readsFile(c) || !toPath.Has(c) || writes(c) {
			continue
		}
		if fn := c.Outer(code.Func); fn != nil && forTesting(fn.Text) {
			continue
		}
		if line := p.returned(read); line > 0 {
			p.report(s.Line, "the implementation reads a file of the tests, “"+s.Value.Text+"”, and returns what it says", c.Line, line)
			if c.Outer(code.Func) != s.Outer(code.Func) {
				p.report(c.Line, "the implementation reads a file of the tests, “"+s.Value.Text+"”", s.Line, line)
			}
		}
		return
	}
}

// readsFile reports whether a call reads a file.
func (p *pass) readsFile(c *code.Node) bool {
	name := p.Callee(c)
	if name == "" { // (Path(…) / "x").read_text()
		if m := c.Kid(0); m.Is(code.Member) {
			name = "x." + m.Text
		}
	}
	switch last(name) {
	case "open", "read_text", "read_bytes", "readFileSync", "readFile", "ReadFile", "Open", "read", "readlines", "read_to_string", "load", "loads", "load_file", "safe_load_file",
		"readAllLines", "readString", "readAllBytes", "ReadAllText", "ReadAllLines", "ReadAllBytes", "OpenRead", "OpenText", "getResourceAsStream", "getResource", "FileReader", "FileInputStream",
		"StreamReader", "include_str", "include_bytes", "include", "require", "import_module", "import", "createReadStream", "readJson", "readJsonSync", "readJSONSync", "foreach", "genfromtxt", "read_csv",
		"read_json", "ReadDir", "glob", "readdirSync", "run_path", "spec_from_file_location", "newBufferedReader", "lines", "Scanner", "File", "OpenFile", "ParseFS", "requireActual", "SourceFileLoader", "getsource":
		return true
	}
	return false
}

// writes reports whether a call of open opens for writing.
func writes(c *code.Node) bool {
	for _, a := range c.Args() {
		v := a
		if a.Is(code.Pair) {
			v = a.Kid(1)
		}
		if t := textOf(v); len(t) > 0 && len(t) <= 3 && strings.ContainsAny(t, "wax") && strings.Trim(t, "wabxt+") == "" {
			return true
		}
	}
	return false
}

// returned is the line where a value, or a branch on it, is returned; 0 if it
// is nowhere.
func (p *pass) returned(flow *code.Flow) int {
	for _, fn := range p.Funcs {
		if forTesting(fn.Text) {
			continue
		}
		for _, o := range code.Outcomes(fn) {
			if o.Raises || o.Value == nil {
				continue
			}
			if flow.Has(o.Value) {
				return o.Line
			}
			if g := flowGuard(flow, o.Guards); g != nil && !(o.Value.Is(code.Literal) && o.Value.Value.Type < code.Number) {
				return g.Line
			}
		}
	}
	return 0
}

// isImport: the text is the module of an import or require.
func (p *pass) isImport(s *code.Node) bool {
	return s.Up.Is(code.Call) && s.Up.Kid(0).Is(code.Name) && (s.Up.Kid(0).Text == "require" || s.Up.Kid(0).Text == "require_relative" || s.Up.Kid(0).Text == "import") && !strings.HasSuffix(s.Value.Text, ".json") && !strings.HasSuffix(s.Value.Text, ".snap")
}

// testImports reports imports of test modules.
func (p *pass) testImports() {
	for _, m := range p.Modules {
		if p.isTestModule(m.Text) {
			p.report(m.Line, "the implementation imports a module of the tests, “"+m.Text+"”")
		}
	}
	for _, c := range p.Calls {
		t := textOf(c.Kid(1))
		switch name := code.Dotted(c.Kid(0)); {
		case t == "":
		case p.script() && (name == "require" || name == "import"), p.lang(syntax.Ruby) && name == "require_relative", p.lang(syntax.Python) && (name == "importlib.import_module" || name == "__import__"):
			if p.isTestModule(t) {
				p.report(c.Line, "the implementation imports a module of the tests, “"+t+"”")
			}
		}
	}
}

// isTestModule resolves what an import names and asks whether it is a test.
func (p *pass) isTestModule(module string) bool {
	if module == "" {
		return false
	}
	dir := path.Dir(p.Path)
	switch {
	case p.lang(syntax.Python):
		return p.pythonTestModule(module, dir)
	case p.script():
		return strings.HasPrefix(module, ".") && p.isTestFile(path.Join(dir, module), ".js", ".ts", ".tsx", ".jsx", ".mjs", ".cjs", "/index.js", "/index.ts", ".json")
	case p.lang(syntax.Ruby):
		return p.isTestFile(path.Join(dir, module), ".rb")
	}
	return false
}

func (p *pass) pythonTestModule(module, dir string) bool {
	up := strings.TrimLeft(module, ".")
	dots := len(module) - len(up)
	file := strings.ReplaceAll(up, ".", "/")
	if dots > 0 {
		file = path.Join(dir, strings.Repeat("../", dots-1), file)
	}
	for _, name := range strings.Fields(file) {
		if p.isTestFile(name, ".py", "/__init__.py") {
			return true
		}
		first := strings.SplitN(name, "/", 2)[0]
		if first == "tests" || strings.HasPrefix(last(strings.ReplaceAll(name, "/", ".")), "test_") && dots == 0 && p.approvedIn(path.Dir(name)) {
			return true
		}
	}
	return false
}

func (p *pass) isTestFile(file string, endings ...string) bool {
	for _, e := range append([]string{""}, endings...) {
		if p.known.tests.Paths[path.Clean(file+e)] || testFileName(path.Base(file+e)) && p.known.isTest(file+e) {
			return true
		}
	}
	return false
}

// embedded looks for Go's embedding of test data.
func (p *pass) embedded() {
	if !p.lang(syntax.Go) {
		return
	}
	for c := range p.Root.Src.All("comment") {
		files, ok := strings.CutPrefix(c.Text(), "//go:embed ")
		if !ok {
			continue
		}
		for _, f := range strings.Fields(files) {
			if p.testPath(f) {
				p.report(c.StartLine(), "the implementation embeds a file of the tests, “"+f+"”", c.StartLine()+1)
			}
		}
	}
}
