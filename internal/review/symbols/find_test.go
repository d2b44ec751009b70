package symbols_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/review/symbols"
)

// found is what a search returns, in short: "path:start-end name".
type found struct {
	Changed           []string
	Used, Uses, Tests []string
}

func short(f symbols.Found) found {
	list := func(places []symbols.Place) (out []string) {
		for _, p := range places {
			in := ""
			if p.In != "" {
				in = " in " + p.In
			}
			out = append(out, fmt.Sprintf("%s:%d-%d %s%s", p.Path, p.Start, p.End, p.Name, in))
		}
		return out
	}
	return found{f.Changed, list(f.Used), list(f.Uses), list(f.Tests)}
}

// find searches for what one file's change names and what names it; nothing of it is shown otherwise.
func find(t *testing.T, tree map[string]string, path, before string) symbols.Found {
	x := symbols.NewIndex(changetest.Tree("head", tree), nil)
	return x.Find(t.Context(), []symbols.File{{Path: path, Old: []byte(before), New: []byte(tree[path])}})
}

func TestFind(t *testing.T) {
	for name, c := range map[string]struct {
		path, before string
		tree         map[string]string
		want         found
	}{
		"Python": {
			path:   "app/price.py",
			before: "class Price:\n    def total(self):\n        return 1\n",
			tree: map[string]string{
				"app/price.py": "class Price:\n    def total(self):\n        return with_tax(RATE)\n",
				"app/tax.py":   "RATE = 19\n\n\n@cached\ndef with_tax(rate):\n    return rate\n",
				"app/cart.py":  "from price import total\n\n\ndef checkout(p):\n    return p.total()\n",
				"tests/test_price.py": "def test_total():\n    assert Price().total() == 1\n\n\n" +
					"def test_other():\n    assert 'total'\n",
			},
			want: found{
				Changed: []string{"total"},
				Used:    []string{"app/tax.py:1-1 RATE", "app/tax.py:4-5 with_tax"},
				Uses:    []string{"app/cart.py:5-5 total in checkout"},
				Tests:   []string{"tests/test_price.py:1-2 test_total"},
			},
		},
		"a constructor is its class": {
			path: "a.py", before: "class Price:\n    def __init__(self):\n        self.n = 1\n",
			tree: map[string]string{
				"a.py": "class Price:\n    def __init__(self):\n        self.n = 2\n", "b.py": "def new():\n    return Price()\n",
			},
			want: found{Changed: []string{"Price"}, Uses: []string{"b.py:2-2 Price in new"}},
		},
		"Go": {
			path: "p/a.go", before: "package p\n\nfunc Sum() int {\n\treturn 1\n}\n",
			tree: map[string]string{
				"p/a.go":      "package p\n\nfunc Sum() int {\n\treturn b.limit + size\n}\n",
				"p/b.go":      "package p\n\ntype B struct {\n\tlimit int\n}\n\nconst size = 3\n\nfunc f() { size := 1; _ = size }\n",
				"p/c.go":      "package p\n\nfunc C() int { return Sum() }\n",
				"p/a_test.go": "package p\n\nfunc TestSum(t *testing.T) {\n\tSum()\n}\n",
			},
			want: found{
				Changed: []string{"Sum"},
				Used:    []string{"p/b.go:4-4 limit", "p/b.go:7-7 size"},
				Uses:    []string{"p/c.go:3-3 Sum in C"}, Tests: []string{"p/a_test.go:3-5 TestSum"},
			},
		},
		"TypeScript": {
			path: "src/a.ts", before: "export const load = () => 1;\n",
			tree: map[string]string{
				"src/a.ts":     "export const load = () => read(limits.most);\n",
				"src/io.ts":    "interface Limits {\n\tmost: number;\n}\nexport const limits: Limits = {most: 1};\nexport function read(n: number) {\n\treturn n;\n}\n",
				"src/main.ts":  "import {load} from './a';\nfunction main() {\n\tload();\n}\n",
				"test/a.ts":    "test('loads', t => {\n\tt.is(load(), 1);\n});\n",
				"test/none.ts": "test('other', t => {\n\tt.pass();\n});\n",
			},
			want: found{
				Changed: []string{"load"},
				Used:    []string{"src/io.ts:2-2 most", "src/io.ts:4-4 limits", "src/io.ts:5-5 read"},
				Uses:    []string{"src/main.ts:3-3 load in main"}, Tests: []string{"test/a.ts:1-3 test"},
			},
		},
		"Ruby, a method that is gone": {
			path: "lib/a.rb", before: "class A\n  def gone\n  end\n  def stays\n  end\nend\n",
			tree: map[string]string{
				"lib/a.rb": "class A\n  def stays\n  end\nend\n", "lib/b.rb": "class B\n  def run\n    gone\n  end\nend\n",
			},
			want: found{Changed: []string{"gone"}, Uses: []string{"lib/b.rb:3-3 gone in run"}},
		},
		"Rust": {
			path: "src/a.rs", before: "fn sum() -> u8 { 1 }\n",
			tree: map[string]string{
				"src/a.rs": "fn sum() -> u8 { Rates::new().tax }\n", "src/b.rs": "struct Rates {\n    tax: u8,\n}\n",
				"src/c.rs": "#[test]\nfn sums() {\n    sum();\n}\n",
			},
			want: found{
				Changed: []string{"sum"}, Used: []string{"src/b.rs:1-1 Rates", "src/b.rs:2-2 tax"},
				Tests: []string{"src/c.rs:2-4 sums"},
			},
		},
		"Java": {
			path: "src/main/A.java", before: "class Alpha {\n  int sum() { return 1; }\n}\n",
			tree: map[string]string{
				"src/main/A.java": "class Alpha {\n  int sum() { return Rates.tax(1); }\n}\n",
				"src/main/B.java": "class Rates {\n  static int tax(int n) {\n    return n;\n  }\n}\n",
				"src/main/C.java": "class Cart {\n  int all() { return new Alpha().sum(); }\n}\n",
			},
			want: found{
				Changed: []string{"sum"},
				Used:    []string{"src/main/B.java:1-1 Rates", "src/main/B.java:2-2 tax"},
				Uses:    []string{"src/main/C.java:2-2 sum in all"},
			},
		},
		"C#": {
			path: "A.cs", before: "class Alpha { int Sum() { return 1; } }\n",
			tree: map[string]string{
				"A.cs": "class Alpha { int Sum() { return Rates.Tax; } }\n",
				"B.cs": "class Rates\n{\n    public static int Tax { get; }\n}\n",
			},
			want: found{Changed: []string{"Sum"}, Used: []string{"B.cs:1-1 Rates", "B.cs:3-3 Tax"}},
		},
		"no language": {path: "a.txt", before: "x\n", tree: map[string]string{"a.txt": "y\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := short(find(t, c.tree, c.path, c.before))
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// Of a name that many define the nearest counts, and what is shown anyway is not repeated.
func TestFindTakesTheNearest(t *testing.T) {
	tree := map[string]string{
		"a/x.py": "def run():\n    return helper()\n\n\ndef helper():\n    pass\n", "b/y.py": "def helper():\n    pass\n",
	}
	x := symbols.NewIndex(changetest.Tree("head", tree), nil)
	file := symbols.File{Path: "a/x.py", Old: []byte("def run():\n    pass\n\n\ndef helper():\n    pass\n"), New: []byte(tree["a/x.py"])}
	if got := short(x.Find(t.Context(), []symbols.File{file})).Used; !cmp.Equal(got, []string{"a/x.py:5-5 helper"}) {
		t.Errorf("used %q", got)
	}
	file.Shown = map[int]bool{1: true, 2: true, 5: true, 6: true}
	if got := short(x.Find(t.Context(), []symbols.File{file})); len(got.Used) > 0 || len(got.Uses) > 0 {
		t.Errorf("what is shown anyway is repeated: %+v", got)
	}
}

// A repository of more sources than are searched is searched from the change outwards, and that is said.
func TestFindIsBounded(t *testing.T) {
	tree := map[string]string{"a/x.py": "def run():\n    return helper()\n", "a/y.py": "def helper():\n    pass\n"}
	for i := range 400 {
		tree[fmt.Sprintf("z%d/far.py", i)] = "def far():\n    return run()\n"
	}
	got := find(t, tree, "a/x.py", "def run():\n    pass\n")
	if !got.Partial || len(got.Uses) != 4 || got.More == 0 || len(got.Used) != 1 || got.Used[0].Path != "a/y.py" {
		t.Errorf("partial %v, %d uses and %d more, used %+v", got.Partial, len(got.Uses), got.More, got.Used)
	}
}

func TestUnits(t *testing.T) {
	got := symbols.Units(t.Context(), "a.py", []byte("class A:\n    def f(self):\n        pass\n"))
	if d := cmp.Diff([]symbols.Unit{{1, 1, 3}, {2, 2, 3}}, got); d != "" {
		t.Error(d)
	}
	if got := symbols.Units(t.Context(), "a.txt", []byte(strings.Repeat("x\n", 9))); got != nil {
		t.Errorf("%v", got)
	}
}

// Of many changes in one tree, the later ones parse no source anew that an earlier one was told about: what each costs is
// far less than a parse of all.
func TestIndexIsBuiltOnce(t *testing.T) {
	tree := map[string]string{"a/x.py": "def run():\n    return helper()\n", "a/y.py": "def helper():\n    pass\n"}
	for i := range 200 {
		tree[fmt.Sprintf("z%d/far.py", i)] = strings.Repeat("def far(a):\n    return run(a) + 1\n", 20)
	}
	x := symbols.NewIndex(changetest.Tree("head", tree), nil)
	files := []symbols.File{{Path: "a/x.py", Old: []byte("def run():\n    pass\n"), New: []byte(tree["a/x.py"])}}
	first := x.Find(t.Context(), files)
	var again symbols.Found
	if n := testing.AllocsPerRun(1, func() { again = x.Find(t.Context(), files) }); n > 200*20 {
		t.Errorf("the second search allocates %.0f times: its sources were parsed again", n)
	}
	if d := cmp.Diff(first, again); d != "" {
		t.Errorf("the second search finds something else: %s", d)
	}
}
