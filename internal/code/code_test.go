package code_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/syntax"
)

func read(t *testing.T, path, source string) *code.File {
	t.Helper()
	lang, ok := syntax.LanguageOf(path)
	if !ok {
		t.Fatalf("no language for %s", path)
	}
	tree, err := syntax.Parse(t.Context(), lang, []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	if tree.HasError() {
		t.Fatalf("syntax error in %q", source)
	}
	f, err := code.Read(path, tree)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestAlike checks that the same code in all languages becomes the same nodes.
func TestAlike(t *testing.T) {
	want := `(func f [n] (if (binary == (name n) (literal "1994")) (block (return (literal "x")))) ` +
		`(return (call (member g (name self)) (name n))))`
	for path, source := range map[string]string{
		"a.py":   "class C:\n    def f(self, n):\n        if n == 1_994:\n            return 'x'  # why\n        return self.g(n)\n",
		"a.go":   "package a\n\nfunc (c *C) f(n int) string {\n\tif n == 1994 {\n\t\treturn \"x\"\n\t}\n\treturn c.g(n)\n}\n",
		"a.ts":   "class C { f(n: number): string { if (n === 1994) return \"x\"; return this.g(n)!; } }\n",
		"a.js":   "class C { f(n) { if ((n) === 1994) { return `x`; } return this.g(n); } }\n",
		"a.java": "class C { String f(int n) { if (n == 1994) { return \"x\"; } return this.g(n); } }\n",
		"a.rs":   "impl C { fn f(&self, n: i32) -> &str { if n == 1994i32 { return \"x\"; } self.g(&n) } }\n",
		"a.rb":   "class C\n  def f(n)\n    return \"x\" if n == 1994\n    self.g(n)\n  end\nend\n",
		"a.cs":   "class C { string f(int n) { if (n == 1994) return \"x\"; return this.g(n); } }\n",
	} {
		f := read(t, path, source)
		if len(f.Funcs) != 1 {
			t.Errorf("%s: %d functions", path, len(f.Funcs))
			continue
		}
		if d := cmp.Diff(want, show(f.Funcs[0])); d != "" {
			t.Errorf("%s (-want +got):\n%s", path, d)
		}
	}
}

func TestSwitches(t *testing.T) {
	want := `(switch (name n) (case (literal "1") (literal "2") (block (return (literal "a")))) ` +
		`(case (block (return (literal "b")))))`
	for path, source := range map[string]string{
		"a.py": "def f(n):\n    match n:\n        case 1 | 2:\n            return 'a'\n        case _:\n            return 'b'\n",
		"a.go": "package a\n\nfunc f(n int) string {\n\tswitch n {\n\tcase 1, 2:\n\t\treturn \"a\"\n" +
			"\tdefault:\n\t\treturn \"b\"\n\t}\n}\n",
		"a.js":   "function f(n) { switch (n) { case 1: case 2: return 'a'; default: return 'b'; } }\n",
		"a.java": "class C { String f(int n) { switch (n) { case 1: case 2: return \"a\"; default: return \"b\"; } } }\n",
		"a.rs":   "fn f(n: i32) -> &str { match n { 1 | 2 => \"a\", _ => \"b\" } }\n",
		"a.rb":   "def f(n)\n  case n\n  when 1, 2 then \"a\"\n  else \"b\"\n  end\nend\n",
		"a.cs":   "class C { string f(int n) { switch (n) { case 1: case 2: return \"a\"; default: return \"b\"; } } }\n",
	} {
		f := read(t, path, source)
		if d := cmp.Diff(want, show(f.Funcs[0].Kids[0])); d != "" {
			t.Errorf("%s (-want +got):\n%s", path, d)
		}
	}
}

func TestFullName(t *testing.T) {
	for _, tt := range []struct{ path, source, want string }{
		{"a.py", "import os as o\no.environ.get('x')\n", "os.environ.get"},
		{"a.py", "from os import environ as e\ne['HOME']()\n", "os.environ.HOME"},
		{"a.py", "import importlib\nr = importlib.import_module('_pytest.runner')\nr.go()\n", "_pytest.runner.go"},
		{"a.go", "package a\n\nimport r \"runtime\"\n\nvar x = r.Caller(1)\n", "runtime.Caller"},
		{"a.js", "const { readFileSync: read } = require('node:fs');\nread('x');\n", "fs.readFileSync"},
		{"a.ts", "import * as p from 'node:path';\np.join('x');\n", "path.join"},
		{"a.js", "const { exit } = process;\nexit(0);\n", "process.exit"},
		{"a.js", "require('assert').equal(1);\n", "assert.equal"},
		{"a.rs", "use std::{process::exit as leave, fs};\nfn f() { leave(0) }\n", "std.process.exit"},
		{"a.rb", "RSpec::Core.run(1)\n", "RSpec.Core.run"},
		{"a.java", "class A { int x = a.B.c(1); }\n", "a.B.c"},
		{"a.cs", "class A { int x = a?.B.c(1); }\n", "a.B.c"},
	} {
		f := read(t, tt.path, tt.source)
		last := f.Calls[len(f.Calls)-1]
		for _, c := range f.Calls {
			if last.Within(c) {
				last = c
				break
			}
		}
		if got := f.Callee(last); got != tt.want {
			t.Errorf("Callee in %q = %q, want %q", tt.source, got, tt.want)
		}
	}
}

func TestLiterals(t *testing.T) {
	for _, tt := range []struct{ path, expression, want string }{
		{"a.py", `'a' "b" r'\n'`, `ab\n`},
		{"a.py", `"\u00e9\t" + "x"`, "é\tx"},
		{"a.py", `"""a"b"""`, `a"b`},
		{"a.py", "0x1F", "31"},
		{"a.py", "-1_000", "-1000"},
		{"a.py", "1.50", "1.5"},
		{"a.py", "2.0", "2"},
		{"a.js", "`x`", "x"},
		{"a.js", `"\u{e9}"`, "é"},
		{"a.js", "10n", "10"},
		{"a.js", "null", ""},
		{"a.rb", ":sym", "sym"},
		{"a.rb", "false", "false"},
	} {
		f := read(t, tt.path, "x = "+tt.expression+"\n")
		v := f.Assigns[0].Kids[1]
		if !v.Is(code.Literal) || v.Value.Text != tt.want {
			t.Errorf("%s = %s, want %q", tt.expression, show(v), tt.want)
		}
	}
	if v, ok := code.ParseNumber("-3.10"); !ok || v.Text != "-3.1" {
		t.Errorf("ParseNumber = %v, %v", v, ok)
	}
	if _, ok := code.ParseNumber("IV"); ok {
		t.Error("ParseNumber takes a word")
	}
}

func TestOutcomes(t *testing.T) {
	f := read(t, "a.py", `def f(n, m):
    if n < 0:
        raise ValueError
    out = 1 if m else 2
    if n == 3:
        out = 9
    for x in m:
        if x:
            return x
    if n:
        return
    return out
`)
	var got []string
	for _, o := range code.Outcomes(f.Funcs[0]) {
		var guards []string
		for _, g := range o.Guards {
			s := show(g.Cond)
			if g.Negated {
				s = "not " + s
			}
			guards = append(guards, s)
		}
		kind := "returns"
		if o.Raises {
			kind = "raises"
		}
		got = append(got, kind+" "+show(o.Value)+" if "+strings.Join(guards, " and "))
	}
	want := []string{
		`raises (name ValueError) if (binary < (name n) (literal "0"))`,
		`returns (name x) if (name x)`,
		`returns () if (name n)`,
		`returns (literal "1") if (name m)`,
		`returns (literal "2") if not (name m)`,
		`returns (literal "9") if (binary == (name n) (literal "3"))`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Outcomes (-want +got):\n%s", d)
	}
}

func TestFollow(t *testing.T) {
	f := read(t, "a.py", `import os

mode = os.environ.get("MODE")


class C:
    def __init__(self):
        self.fast = mode == "fast"

    def slow(self):
        return not self.fast

    def other(self):
        mode = 3
        return mode


def wrapped():
    return show(mode)


a = C().slow()
b = wrapped()
`)
	source := func(n *code.Node) bool { return n.Is(code.Call) && f.Callee(n) == "os.environ.get" }
	for _, tt := range []struct {
		flow *code.Flow
		want string
	}{
		{f.Follow(source), "C().slow a b mode self.fast wrapped"},
		{f.FollowAnswers(source), "C().slow a mode self.fast"},
	} {
		var names []string
		f.Root.Walk(func(n *code.Node) bool {
			if n.Is(code.Name, code.Member) && !source(n.Up) && tt.flow.Is(n) {
				if names = append(names, code.Dotted(n)); n.Outer(code.Func) != nil && n.Outer(code.Func).Text == "other" {
					t.Errorf("the local of line %d carries the value", n.Line)
				}
			}
			return true
		})
		slices.Sort(names)
		if got := strings.Join(slices.Compact(names), " "); got != tt.want {
			t.Errorf("names %q, want %q", got, tt.want)
		}
	}
}

func TestDeep(t *testing.T) {
	source := "x = " + strings.Repeat("not ", 3500) + "y\n"
	tree, err := syntax.Parse(t.Context(), syntax.Python, []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := code.Read("a.py", tree); !errors.Is(err, code.ErrDepth) {
		t.Errorf("Read = %v, want %v", err, code.ErrDepth)
	}
}

// TestChain checks that long chains of branches take time in proportion.
func TestChain(t *testing.T) {
	source := "function f(n) {\n  " + strings.Repeat("if (n === 1) { return 2; } else ", 800) + "{ return 3; }\n}\n"
	f := read(t, "a.js", source)
	if n := len(code.Outcomes(f.Funcs[0])); n != 801 {
		t.Errorf("%d outcomes", n)
	}
}

// show is a node as an expression in parentheses.
func show(n *code.Node) string {
	if n == nil {
		return "()"
	}
	var b strings.Builder
	b.WriteString("(" + kindNames[n.Kind])
	if n.Text != "" {
		b.WriteString(" " + n.Text)
	}
	if n.Kind == code.Literal {
		fmt.Fprintf(&b, " %q", n.Value.Text)
	}
	if n.Kind == code.Func {
		b.WriteString(" [" + strings.Join(n.Def.Params, " ") + "]")
	}
	for _, k := range n.Kids {
		b.WriteString(" " + show(k))
	}
	return b.String() + ")"
}

// kindNames are in the order of code.Kind.
var kindNames = [...]string{
	"other", "name", "literal", "template", "member", "index", "call", "binary", "unary", "ternary", "list", "dict", "pair",
	"func", "class", "return", "raise", "if", "switch", "case", "assign", "loop", "block", "try", "handler", "import",
}
