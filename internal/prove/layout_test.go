package prove

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/prove/swap"
)

// input is a change between two sets of files, of which some are approved as they are on the base.
func input(t testing.TB, base, head map[string]string, approved map[string]approval.Role) Input {
	t.Helper()
	set := changetest.Set(base, base, head)
	lookup, err := detect.NewLookup(set, detect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	blobs := map[string]string{}
	for _, side := range []map[string]string{base, head} {
		for _, text := range side {
			blobs[changetest.Blob(text)] = text
		}
	}
	in := Input{Set: set, Role: lookup.Role, Content: func(blob string) ([]byte, error) {
		text, ok := blobs[blob]
		if !ok {
			return nil, errors.New("no such blob")
		}
		return []byte(text), nil
	}}
	for p, role := range approved {
		e, err := set.BaseTree.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		in.Approved = append(in.Approved, approval.File{Path: p, Mode: e.Mode, Blob: e.Blob, Role: role})
	}
	return in
}

// laid is what the changes make of the head: the contents of what is written, and "gone".
func laid(l layout) map[string]string {
	out := map[string]string{}
	for _, c := range l.changes {
		out[c.Path] = "gone"
		if c.File != nil {
			out[c.Path] = string(c.File.Data)
		}
	}
	return out
}

// TestSides: what belongs to tests or steers them is as it was approved or on the merge base; the code is the head's.
func TestSides(t *testing.T) {
	const csproj = "<Project Sdk=\"Microsoft.NET.Sdk\">\n  <ItemGroup>\n" +
		"    <PackageReference Include=\"xunit\" Version=\"2.9.0\" />\n  </ItemGroup>\n</Project>\n"
	base := map[string]string{
		"src/a.py": "a\n", "tests/test_a.py": "t\n", "tests/helper.py": "h\n", "tests/test_old.py": "o\n", "conftest.py": "c\n",
		"jest.config.js": "module.exports = {}\n", ".npmrc": "x=1\n",
		"Shop/Shop.cs": "class Shop {}\n", "Shop.Tests/Shop.Tests.csproj": csproj, "Shop.Tests/ShopTests.cs": "class ShopTests {}\n",
		"src/main/java/A.java": "class A {}\n", "src/test/java/ATest.java": "class ATest {}\n", "yarn.lock": "1\n",
		"tox.ini": "[pytest]\naddopts = -q\n[flake8]\nx = 1\n", ".github/workflows/test.yml": "on: push\n",
	}
	approved := map[string]approval.Role{
		"tests/test_a.py": approval.Test, "Shop.Tests/ShopTests.cs": approval.Test, "Shop.Tests/Shop.Tests.csproj": approval.Config,
		"src/test/java/ATest.java": approval.Test, "yarn.lock": approval.Config,
	}
	for name, c := range map[string]struct {
		change map[string]string // "": gone
		want   map[string]string
	}{
		"nothing": {nil, nil},
		"code": {
			map[string]string{
				"src/a.py":     "b\n",
				"src/b.py":     "new\n",
				"yarn.lock":    "2\n",
				"Shop/Shop.cs": "class Shop { }\n",
				"docs/x.md":    "x\n",
			},
			nil,
		},
		"approved test changed": {
			map[string]string{
				"tests/test_a.py": "weak\n",
			},
			map[string]string{
				"tests/test_a.py": "t\n",
			},
		},
		"approved test gone": {
			map[string]string{
				"tests/test_a.py": "",
			},
			map[string]string{
				"tests/test_a.py": "t\n",
			},
		},
		"helper changed": {
			map[string]string{
				"tests/helper.py": "evil\n",
			},
			map[string]string{
				"tests/helper.py": "h\n",
			},
		},
		"new helper": {
			map[string]string{
				"tests/evil.py": "evil\n",
			},
			map[string]string{
				"tests/evil.py": "gone",
			},
		},
		"conftest changed": {
			map[string]string{
				"conftest.py": "evil\n",
			},
			map[string]string{
				"conftest.py": "c\n",
			},
		},
		"runner configuration": {
			map[string]string{
				"jest.config.js":   "evil\n",
				"vitest.config.ts": "evil\n",
				".mocharc.yml":     "evil\n",
				".npmrc":           "node-options=x\n",
			},
			map[string]string{
				"jest.config.js":   "module.exports = {}\n",
				"vitest.config.ts": "gone",
				".mocharc.yml":     "gone",
				".npmrc":           "x=1\n",
			},
		},
		"run settings": {
			map[string]string{
				"Shop.Tests/x.runsettings":     "<RunSettings/>\n",
				"Shop.Tests/xunit.runner.json": "{}\n",
				"Directory.Build.targets":      "<Project><ItemGroup><Compile Remove=\"**\" /></ItemGroup></Project>\n",
				"Directory.Build.rsp":          "x\n",
			},
			map[string]string{
				"Shop.Tests/x.runsettings":     "gone",
				"Shop.Tests/xunit.runner.json": "gone",
				"Directory.Build.targets":      "gone",
				"Directory.Build.rsp":          "gone",
			},
		},
		"test project": {
			map[string]string{
				"Shop.Tests/Shop.Tests.csproj": strings.Replace(csproj, "<ItemGroup>", "<ItemGroup><Compile Remove=\"**/*.cs\" />", 1),
			},
			map[string]string{
				"Shop.Tests/Shop.Tests.csproj": csproj,
			},
		},
		"new test project file": {
			map[string]string{
				"Shop.Tests/Evil.cs": "class Evil {}\n",
			},
			map[string]string{
				"Shop.Tests/Evil.cs": "gone",
			},
		},
		"JUnit's own": {
			map[string]string{
				"src/test/resources/junit-platform.properties": "x=1\n",
				"src/main/java/org/junit/Assert.java":          "class Assert {}\n",
			},
			map[string]string{
				"src/test/resources/junit-platform.properties": "gone",
				"src/main/java/org/junit/Assert.java":          "gone",
			},
		},
		"Maven's own": {
			map[string]string{
				".mvn/jvm.config":   "-javaagent:evil.jar\n",
				".mvn/maven.config": "-DskipTests\n",
			},
			map[string]string{
				".mvn/jvm.config":   "gone",
				".mvn/maven.config": "gone",
			},
		},
		"bytecode": {
			map[string]string{
				"src/__pycache__/a.cpython-312.pyc": "x",
				"node_modules/.cache/x":             "x",
				"evil.pth":                          "import evil\n",
			},
			map[string]string{
				"src/__pycache__/a.cpython-312.pyc": "gone",
				"node_modules/.cache/x":             "gone",
				"evil.pth":                          "gone",
			},
		},
		"what a runner loads, gone": {
			map[string]string{"conftest.py": "", "jest.config.js": "", "src/a.py": ""},
			map[string]string{"conftest.py": "c\n", "jest.config.js": "module.exports = {}\n"},
		},
		"configuration of parts, gone": {
			map[string]string{"tox.ini": ""},
			map[string]string{"tox.ini": "[pytest]\naddopts = -q\n"},
		},
		"steps and setups of other runners": {
			map[string]string{
				"features/support/hooks.rb": "evil\n", "features/steps/a.py": "evil\n", ".storybook/preview.js": "evil\n",
				"src/features/cart/steps/one.ts": "code\n",
			},
			map[string]string{
				"features/support/hooks.rb": "gone", "features/steps/a.py": "gone", ".storybook/preview.js": "gone",
			},
		},
		"tasks":    {map[string]string{"lib/tasks/calm.rake": "evil\n"}, map[string]string{"lib/tasks/calm.rake": "gone"}},
		"workflow": {map[string]string{".github/workflows/test.yml": "on: []\n"}, nil},
		"link among tests": {
			map[string]string{
				"tests/helper.py": changetest.Symlink("../src/a.py"),
			},
			map[string]string{
				"tests/helper.py": "h\n",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			head := map[string]string{}
			for p, text := range base {
				head[p] = text
			}
			for p, text := range c.change {
				head[p] = text
				if text == "" {
					delete(head, p)
				}
			}
			l, err := onHead(t.Context(), input(t, base, head, approved))
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]string{"tests/test_old.py": "gone"}
			for p, text := range c.want {
				want[p] = text
			}
			if diff := cmp.Diff(want, laid(l)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestModulesNamedLikeTests: what code asks for is code, wherever its name would put it.
func TestModulesNamedLikeTests(t *testing.T) {
	base := map[string]string{
		"app/main.py": "from app import test_mode\n", "app/test_mode.py": "x = 1\n", "app/test_main.py": "t\n", "tests/test_a.py": "t\n",
	}
	head := maps.Clone(base)
	head["app/test_mode.py"] = "x = 2\n"
	l, err := onHead(t.Context(), input(t, base, head, map[string]approval.Role{"tests/test_a.py": approval.Test}))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"app/test_main.py": "gone"}, laid(l)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMovedRust: approved tests follow the source that they are in; where it is gone, nothing is run.
func TestMovedRust(t *testing.T) {
	const code = "pub fn a() -> u8 {\n    let mut sum = 0;\n    for n in 0..3 {\n        sum += n;\n    }\n    sum\n}\n\n"
	const inline = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() { assert_eq!(super::a(), 3); }\n}\n"
	base := map[string]string{"src/calc.rs": code + inline, "src/lib.rs": "mod calc;\n"}
	approved := map[string]approval.Role{"src/calc.rs": approval.Test}
	head := map[string]string{"src/sums/calc.rs": code + strings.Replace(inline, "3", "4", 1), "src/lib.rs": "mod sums;\n"}
	in := input(t, base, head, approved)
	in.Set.Files = []change.File{{Path: "src/sums/calc.rs", OldPath: "src/calc.rs", Status: change.Renamed}}
	l, err := onHead(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if got := laid(l); len(got) != 1 || !strings.Contains(got["src/sums/calc.rs"], "super::a(), 3)") {
		t.Errorf("%q", got)
	}
	delete(head, "src/sums/calc.rs")
	if _, err := onHead(t.Context(), input(t, base, head, approved)); err == nil || !strings.Contains(err.Error(), "src/calc.rs") {
		t.Errorf("error %v", err)
	}
}

// TestMix: of a file that is both, the code's parts are the head's and the parts that steer tests the approved ones.
func TestMix(t *testing.T) {
	for name, c := range map[string]struct{ path, was, now, want string }{
		"package.json, code alone": {
			"package.json", `{"scripts":{"test":"jest"},"dependencies":{"a":"1"}}`,
			`{"dependencies":{"a":"2"},"exports":{"b":1,"a":2},"scripts":{"test":"jest"}}`, "",
		},
		"package.json": {
			"package.json", `{"scripts":{"test":"jest"},"dependencies":{"a":"1"}}`,
			`{"name":"x","exports":{"b":1,"a":2},"scripts":{"test":"true"},"jest":{"x":1},"dependencies":{"a":"2"}}`,
			`{"dependencies":{"a":"2"},"exports":{"b":1,"a":2},"name":"x","scripts":{"test":"jest"}}`,
		},
		"package.json, new":    {"sub/package.json", "", `{"name":"x","mocha":{"spec":"none"}}`, `{"name":"x"}`},
		"package.json, broken": {"package.json", `{"scripts":{"test":"jest"}}`, `{"scripts":`, `{"scripts":{"test":"jest"}}`},
		"pyproject.toml, code alone": {
			"pyproject.toml", "[project]\nname = 'x'\n[tool.pytest.ini_options]\naddopts = '-q'\n",
			"[tool.pytest.ini_options]\naddopts = '-q' # quiet\n[project]\nname = 'x'\ndependencies = ['a']\n", "",
		},
		"pyproject.toml": {
			"pyproject.toml", "[project]\nname = 'x'\n[tool.pytest.ini_options]\naddopts = '-q'\n",
			"[project]\nname = 'y'\n[project.entry-points.pytest11]\nevil = 'evil'\n[tool.pytest.ini_options]\naddopts = '-k no'\n",
			"[project]\nname = 'y'\n\n[tool]\n[tool.pytest]\n[tool.pytest.ini_options]\naddopts = '-q'\n",
		},
		"Cargo.toml": {
			"Cargo.toml", "[package]\nname = 'x'\n[dev-dependencies]\nproptest = '1'\n",
			"[package]\nname = 'x'\nversion = '2'\nautotests = false\n[lib]\ntest = false\n" +
				"[dependencies]\na = '1'\n[dev-dependencies]\nproptest = { path = 'evil' }\n" +
				"[target.'cfg(a.b)'.dev-dependencies]\nproptest = { path = 'evil' }\n",
			"[dependencies]\na = '1'\n\n[dev-dependencies]\nproptest = '1'\n\n[package]\nname = 'x'\nversion = '2'\n",
		},
		"setup.cfg": {
			"setup.cfg", "[metadata]\nname = x\n[tool:pytest]\naddopts = -q\n",
			"[tool:pytest]\naddopts = -k no\n[metadata]\nname = y\n[options.extras_require]\na = b\n",
			"[metadata]\nname = y\n[options.extras_require]\na = b\n[tool:pytest]\naddopts = -q\n",
		},
		"go.mod, requirements alone": {
			"go.mod", "module x\n\nrequire a.b/c v1.0.0\n", "module x\n\nrequire a.b/c v1.1.0\n\nreplace a.b/d => ../d\n", "",
		},
		"go.mod": {
			"go.mod", "module x\n\nrequire github.com/stretchr/testify v1.9.0\n",
			"module x\n\nrequire github.com/stretchr/testify v1.9.0\nreplace github.com/stretchr/testify => ./evil\n",
			"module x\n\nrequire github.com/stretchr/testify v1.9.0\n",
		},
		"pom.xml": {
			"pom.xml", "<project>\n  <artifactId>a</artifactId>\n</project>\n",
			"<project>\n  <artifactId>a</artifactId>\n  <properties><skipTests>true</skipTests></properties>\n</project>\n",
			"<project>\n  <artifactId>a</artifactId>\n</project>\n",
		},
		"pom.xml, dependencies alone": {
			"pom.xml", "<project>\n  <artifactId>a</artifactId>\n</project>\n",
			"<project>\n  <artifactId>a</artifactId>\n  <dependencies><dependency><groupId>g</groupId>" +
				"<artifactId>x</artifactId><version>1</version></dependency></dependencies>\n</project>\n", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var was []byte
			if c.was != "" {
				was = []byte(c.was)
			}
			got := mix(c.path, was, []byte(c.now))
			if c.want == "" {
				c.want = c.now
			}
			text := string(got)
			if strings.HasSuffix(c.path, ".json") {
				text = strings.Join(strings.Fields(text), "")
				c.want = strings.Join(strings.Fields(c.want), "")
			}
			if diff := cmp.Diff(c.want, text); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestGraft: the tests inside a Rust source are the approved ones, the code around them is the head's.
func TestGraft(t *testing.T) {
	const was = "pub fn a() -> u8 { 1 }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() { assert_eq!(super::a(), 1); }\n}\n"
	for name, c := range map[string]struct{ now, want string }{
		"code":     {strings.Replace(was, "{ 1 }", "{ 2 }", 1), ""},
		"layout":   {strings.Replace(was, "    #[test]\n", "\n\n  #[test]\n", 1), ""},
		"weakened": {strings.Replace(was, "super::a(), 1", "1, 1", 1), was},
		"gone":     {"pub fn a() -> u8 { 1 }\n", was},
		"file off": {"#![cfg(any())]\n" + was, was},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := graft(t.Context(), []byte(was), []byte(c.now))
			if err != nil {
				t.Fatal(err)
			}
			if c.want == "" {
				c.want = c.now
			}
			text := string(got)
			if c.want != c.now { // blank lines stay where tests were
				text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' }), "\n")
				c.want = strings.Join(strings.FieldsFunc(c.want, func(r rune) bool { return r == '\n' }), "\n")
			}
			if diff := cmp.Diff(c.want, text); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	example := func(sum string) string {
		return "/// Adds.\n///\n/// ```\n/// assert_eq!(x::a(), " + sum + ");\n/// ```\n" + was
	}
	got, err := graft(t.Context(), []byte(example("1")), []byte(example("2")))
	const appended = "\n/// ```\n/// assert_eq!(x::a(), 1);\n/// ```\n#[doc(hidden)]\nmod approved_example_0 {}\n"
	if err != nil || !strings.HasSuffix(string(got), appended) {
		t.Errorf("an example that changed: %v\n%s", err, got)
	}
	same := "// new\n" + example("1")
	if got, err = graft(t.Context(), []byte(example("1")), []byte(same)); err != nil || string(got) != same {
		t.Errorf("an example that is the same: %v\n%s", err, got)
	}
	if _, err := graft(t.Context(), []byte(was), []byte("fn (\n")); err == nil {
		t.Error("a source that cannot be parsed is taken apart")
	}
}

// TestShadows: a new source with the name of a library's module, or of a module in another folder, is named, and stays
// where code or an approved test asks for it.
func TestShadows(t *testing.T) {
	base := map[string]string{
		"tests/test_a.py": "t\n", "json.py": "old\n", "src/cart.py": "x\n", "requirements.txt": "Flask-Login==1\nrequests\n",
		"lib/x.rb": "x\n",
	}
	head := map[string]string{
		"tests/test_a.py": "t\n", "json.py": "new\n", "src/cart.py": "x\n", "cart.py": "x\n", "random.py": "x\n",
		"src/flask_login/__init__.py": "x\n",
		"src/mine.py":                 "from random import random\n", "lib/set.rb": "x\n", "lib/y.rb": "require 'set'\n", "queue.py": "x\n",
		"src/app/random.py": "x\n", "requirements.txt": "Flask-Login==1\nrequests\n", "lib/x.rb": "x\n",
	}
	l, err := onHead(t.Context(), input(t, base, head, map[string]approval.Role{"tests/test_a.py": approval.Test}))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"cart.py", "lib/set.rb", "random.py", "src/flask_login/__init__.py"}, l.shadowing); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"queue.py": "gone"}, laid(l)); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

// TestStandIns: what the command names, and a new script beside one of its name, may run in the place of what tests mean.
func TestStandIns(t *testing.T) {
	base := map[string]string{
		"test/a.js": "t\n", "tools/run.js": "old\n", "tools/same.js": "x\n", "src/calc.ts": "x\n", "src/moved.js": "x\n",
	}
	head := map[string]string{
		"test/a.js": "new\n", "tools/run.js": "new\n", "tools/same.js": "x\n", "src/calc.ts": "y\n", "src/calc.mjs": "x\n",
		"src/calc.css": "x\n", "src/moved.ts": "x\n", "src/other.js": "x\n",
	}
	in := input(t, base, head, map[string]approval.Role{"test/a.js": approval.Test})
	p := &prover{Options: Options{Tree: &swap.Tree{}, Input: in}}
	p.Command.Dir = "tools"
	in.named = p.namedBy([]string{"sh", "-c", "node 'run.js' same.js && node ../test/a.js --file=../gone.js"})
	l, err := onHead(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"src/calc.mjs", "tools/run.js"}, l.shadowing); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRedeclares: what a source declares beside tests under a name of the language's own is named.
func TestRedeclares(t *testing.T) {
	base := map[string]string{"a_test.go": "package a\n", "old.go": "package a\n\nfunc cap() {}\n"}
	head := map[string]string{
		"a_test.go": "package a\n", "old.go": "package a\n\nfunc cap() int { return 1 }\n",
		"len.go": "package a\n\nfunc len(any) int { return 1 }\n", "var.go": "package a\n\nvar (\n\tx = 1\n\tpanic = x\n)\n",
		"fine.go":                   "package a\n\nfunc f() int { var len = 1; return len }\n\nfunc (T) len() {}\n",
		"src/main/java/a/Calm.java": "package a;\nclass Calm { class Math {} }\n",
		"src/main/java/a/Math.java": "package a;\nclass Math {}\n", "t/M.cs": "namespace A;\nstatic class Math {}\n",
	}
	l, err := onHead(t.Context(), input(t, base, head, map[string]approval.Role{"a_test.go": approval.Test}))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"len.go", "src/main/java/a/Math.java", "t/M.cs", "var.go"}, l.shadowing); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTasksUnderTest: a file of tasks stays where approved tests ask for tasks.
func TestTasksUnderTest(t *testing.T) {
	base := map[string]string{"test/tasks_test.rb": "Rake::Task['calm'].invoke\n"}
	head := map[string]string{"test/tasks_test.rb": base["test/tasks_test.rb"], "lib/tasks/calm.rake": "task(:calm) {}\n"}
	l, err := onHead(t.Context(), input(t, base, head, map[string]approval.Role{"test/tasks_test.rb": approval.Test}))
	if err != nil || len(l.changes) > 0 {
		t.Errorf("%v %q", err, laid(l))
	}
}

// BenchmarkLayOut lays out and puts back the tests of a repository of 5,000 files, of which a tenth changed: what prove
// does itself, without the command.
func BenchmarkLayOut(b *testing.B) {
	base, head, approved := map[string]string{}, map[string]string{}, map[string]approval.Role{}
	for n := range 4000 {
		p := fmt.Sprintf("src/p%d/m%d.py", n%50, n)
		base[p] = fmt.Sprintf("x = %d\n", n)
		head[p] = base[p]
	}
	for n := range 1000 {
		p := fmt.Sprintf("tests/p%d/test_%d.py", n%50, n)
		base[p] = fmt.Sprintf("def test_%d():\n    assert True\n", n)
		head[p] = base[p]
		if n%2 == 0 {
			head[p] += "# changed\n"
		}
		approved[p] = approval.Test
	}
	dir := b.TempDir()
	for p, text := range head {
		name := filepath.Join(dir, p)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			b.Fatal(err)
		}
	}
	in := input(b, base, head, approved)
	var tracked []swap.Tracked
	entries, err := in.Set.HeadTree.List("")
	if err != nil {
		b.Fatal(err)
	}
	for _, e := range entries {
		tracked = append(tracked, swap.Tracked{Path: e.Path, Blob: e.Blob, Size: e.Size})
	}
	for b.Loop() {
		start := time.Now()
		tree, _, err := swap.Open(dir, filepath.Join(dir, ".git"), in.Content)
		if err != nil {
			b.Fatal(err)
		}
		l, err := onHead(b.Context(), in)
		if err == nil {
			err = tree.Apply(l.changes, tracked)
		}
		if err = errors.Join(err, tree.Undo(), tree.Close()); err != nil || len(l.restored) != 500 {
			b.Fatal(err, len(l.restored))
		}
		if took := time.Since(start); took > time.Second {
			b.Logf("took %v", took)
		}
	}
}
