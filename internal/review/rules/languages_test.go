package rules_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/review/rules"
	"workflow-reviewer/internal/workflow"
)

// Lines that end in "want" are those that the rule must find, and no others.
func TestRulesByLanguage(t *testing.T) {
	for _, tc := range []struct {
		rule, file string
		typ        workflow.Type
		lines      []string
	}{
		{"code/swallowed-error", "a.go", workflow.Implementation, []string{
			"package a", "func f() {", "\terr := g()", "\t_ = err", "\tif err != nil { // want", "\t}", "\t_ = other", "}",
		}},
		{"code/swallowed-error", "b.go", workflow.Implementation, []string{
			"package a", "func f() {", "\terr := g()", "\t_ = err", "\tif err != nil {", "\t}", "\tif err != nil " +
				"{", "\t\treturn", "\t}", "}",
		}},
		{"code/swallowed-error", "B.java", workflow.Implementation, []string{
			"class B { void f() {",
			"try { g(); } catch (Exception e) { }", "} }",
		}},
		{"code/swallowed-error", "b.ts", workflow.Implementation, []string{
			"g().catch(() => {});", "page.waitForLoad().catch(() => {});",
			"g().catch(() => null);",
		}},
		{"code/swallowed-error", "A.java", workflow.Implementation, []string{
			"class A { void f() {", "try { g(); } catch (Exception e) { } //want", "try { g(); } catch (Exception e) { log(e); }",
			"try { g(); } catch (NumberFormatException ignored) { }", "} }",
		}},
		{"code/swallowed-error", "a.ts", workflow.Implementation, []string{
			"try { f(); await g(); } catch { }", "try { x = JSON.parse(y); } catch { }",
			"g().catch(() => {}); // explained",
			"g().catch((e) => { log(e); });",
		}},
		{"code/swallowed-error", "a.rb", workflow.Implementation, []string{
			"begin", "  f", "rescue", "end", "begin", "  f",
			"rescue KeyError", "end",
		}},
		{"code/stub-left", "b.ts", workflow.Implementation, []string{
			"export class A {", "  f(): void {",
			"    throw new NotImplementedError('A.f'); // want", "  }", "}",
		}},
		{"code/stub-left", "A.java", workflow.Implementation, []string{
			"class A { void f() {",
			"throw new NotImplementedException(); // want", "} }",
		}},
		{"code/stub-left", "a.rs", workflow.Implementation, []string{
			"fn f() -> u8 {", "    todo!() // want", "}",
			"fn g() -> u8 { 1 } // todo!()",
		}},
		{"code/stub-left", "a.go", workflow.Implementation, []string{
			"package a", "func F() {", "\tpanic(\"not implemented\") // want",
			"}", "func G() {", "\tpanic(\"bad input\")", "}",
		}},
		{"code/stub-left", "a.ts", workflow.Implementation, []string{
			"export function f(): void {",
			"  throw new Error('Not implemented yet'); // want", "}",
		}},
		{"code/stub-left", "A.cs", workflow.Implementation, []string{
			"class A { void F() {",
			"throw new NotImplementedException(); // want", "} }",
		}},
		{"code/debug-leftover", "src/a.js", workflow.Implementation, []string{
			"debugger; // want", "console.log(x); // want",
			"console.error(x);", "log('console.log(x)');", "console.log('saved to disk', x);", "console.log('保存しました');",
		}},
		{"code/debug-leftover", "cli/a.js", workflow.Implementation, []string{"console.log(x);", "debugger; // want"}},
		{"code/debug-leftover", "a.rb", workflow.Implementation, []string{"binding.pry # want", "puts 'binding.pry'"}},
		{"code/debug-leftover", "lib.rs", workflow.Implementation, []string{
			"fn f() {", "    dbg!(1); // want",
			"    println!(\"x: {}\", x);", "    println!(\"x\");", "}",
		}},
		{"code/debug-leftover", "A.java", workflow.Implementation, []string{
			"class A { void f() {", "System.out.println(1); // want",
			"System.out.println(\"Press a key\");", "e.printStackTrace();", "} }",
		}},
		{"code/dynamic-code", "a.js", workflow.Implementation, []string{
			"eval(x); // want", "model.eval();",
			"new Function('a', b); // want", "// eval(x)",
		}},
		{"code/dynamic-code", "a.py", workflow.Implementation, []string{
			"yaml.load(f)  # want", "yaml.safe_load(f)",
			"yaml.load(f, Loader=yaml.SafeLoader)", "model.eval()",
		}},
		{"code/shell-injection", "a.go", workflow.Implementation, []string{
			"package a",
			"var a = exec.Command(\"sh\", \"-c\", r.query) // want", "var b = exec.Command(\"ls\", dir)",
		}},
		{"code/shell-injection", "a.ts", workflow.Implementation, []string{
			"exec(`ls ${dir}`);", "exec(`ls ${req.dir}`); // want",
			"execFile('ls', [dir]);", "exec('ls ' + params.dir); // want", "db.exec(`PRAGMA x(${t})`);",
		}},
		{"code/shell-injection", "a.rb", workflow.Implementation, []string{"system(\"ls #{params[:dir]}\") # want", "system('ls', dir)"}},
		{"code/sql-concatenation", "a.go", workflow.Implementation, []string{
			"package a",
			"var q = fmt.Sprintf(\"SELECT id FROM t WHERE n = '%s'\", n) // want", "var r = \"SELECT id FROM t WHERE n = ?\"",
			"var s = \"please select one from \" + n",
		}},
		{"code/sql-concatenation", "A.java", workflow.Implementation, []string{
			"class A {",
			"String q = \"DELETE FROM t WHERE n = \" + n; // want", "String r = \"DELETE FROM t WHERE n = ?\";", "}",
		}},
		{"code/sql-concatenation", "a.js", workflow.Implementation, []string{
			"const q = `SELECT id FROM t WHERE n = ${n}`; // want",
			"const r = `update ${n}`;",
		}},
		{"code/unsafe-html", "a.jsx", workflow.Implementation, []string{
			"el.innerHTML = text; // want", "el.innerHTML = '';",
			"if (el.innerHTML === text) {}", "el.innerHTML = DOMPurify.sanitize(text);", "el.innerHTML = other.innerHTML;",
			"const old = { was: el.innerHTML }; el.innerHTML = old.was;",
		}},
		{"code/sql-concatenation", "b.py", workflow.Implementation, []string{
			"db.execute(f\"SELECT * FROM t WHERE id = {uid}\")  # want",
			"db.execute('''SELECT a", "  FROM t WHERE b = ?''', (b,))", "db.execute(\"DELETE FROM t WHERE id = %s\" % uid)  # want",
			"db.execute(\"DELETE FROM t WHERE id = %s\", (uid,))", "q = \"INSERT INTO t VALUES ('\" + name + \"')\"  # want",
			"q = 'SELECT a FROM {}'.format(request.args)  # want", "q = f'DELETE FROM t WHERE id IN ({placeholders})'",
			"f'select one from {menu}'", "print(f'Update: {name}')",
		}},
		{"code/sql-concatenation", "a.rb", workflow.Implementation, []string{
			"db.execute(\"SELECT * FROM t WHERE id = #{id}\") # want",
			"db.execute('SELECT * FROM t WHERE id = ?', id)",
		}},
		{"code/sql-concatenation", "A.cs", workflow.Implementation, []string{
			"class A { string F(string n) {",
			"var q = $\"SELECT a FROM t WHERE n = '{n}'\"; // want", "return \"SELECT a FROM t\" + \" WHERE n = 1\"; } }",
		}},
		{"code/sql-concatenation", "a.rs", workflow.Implementation, []string{
			"fn f(n: &str) -> String {",
			"    format!(\"SELECT a FROM t WHERE n = {}\", n) // want", "}",
		}},
		{"code/dynamic-code", "b.py", workflow.Implementation, []string{
			"eval(\"1 + 1\")", "exec(code)  # want", "ast.literal_eval(x)",
			"pattern.exec(x)", "eval(CODE)",
		}},
		{
			"code/unsafe-html", "b.tsx", workflow.Implementation,
			[]string{
				"const a = <div dangerouslySetInnerHTML={{ __html: html }} />; // want",
				"const b = <div dangerouslySetInnerHTML={{ __html: '<b>x</b>' }} />;", "el.outerHTML = `<b>${name}</b>`; // want",
				"let list = '<ul>'; list += '</ul>'; el.innerHTML = list;",
				"let rows = ''; rows += name; el.innerHTML = rows; // want", "el.innerHTML = `<b>x</b>`;",
			},
		},
		{"code/unsafe-html", "a.py", workflow.Implementation, []string{"mark_safe('<b>')", "mark_safe(text)  # want"}},
		{"code/unsafe-html", "a.rb", workflow.Implementation, []string{"text.html_safe # want", "'<br>'.html_safe"}},
		{"code/conflict-marker", "a.css", workflow.Implementation, []string{"<<<<<<< HEAD", "=======", "a {}"}},
		{"code/todo-added", "a.java", workflow.Implementation, []string{"// FIXME want", "class A { String todo = \"TODO\"; }"}},

		{"tests/empty", "b.test.ts", workflow.Tests, []string{
			"it('a', () => { // want", "  config = { ISSUER: 'x' };", "});",
			"it('b', () => {", "  store.value;", "});", "it('c', () => {", "  const x: string = f;", "  x satisfies string;", "});",
		}},
		{"tests/empty", "a.test.js", workflow.Tests, []string{
			"it('a', () => {}); // want", "it('b', () => { expect(1).toBe(f()); });",
			"it.todo('c');",
		}},
		{"tests/empty", "a_test.go", workflow.Tests, []string{
			"package a", "func TestA(t *testing.T) {} // want",
			"func TestMain(m *testing.M) {}", "func Testify(t *testing.T) {}",
		}},
		{"tests/focused", "a_spec.rb", workflow.Tests, []string{"fit 'a' do # want", "end", "it 'b', :focus do # want", "end"}},
		{"tests/skipped", "a.test.ts", workflow.Tests, []string{
			"it.skip('a', () => {}); // want", "xit('b', () => {}); // want",
			"test.skip(!process.env.READY, 'not ready');", "it('skip', () => {});",
		}},
		{"tests/skipped", "a_test.go", workflow.Tests, []string{
			"package a", "func TestA(t *testing.T) {", "\tt.Skip(\"later\") // want",
			"}", "func TestB(t *testing.T) {", "\tif testing.Short() {", "\t\tt.Skip(\"slow\")", "\t}", "}",
		}},
		{"tests/skipped", "ATest.java", workflow.Tests, []string{
			"class ATest {", "@Disabled // want", "@Test void a() { fail(); }",
			"@DisabledOnOs(WINDOWS)", "@Test void b() { fail(); }", "}",
		}},
		{"tests/skipped", "a.rs", workflow.Tests, []string{"#[test]", "#[ignore] // want", "fn a() { panic!() }"}},
		{"tests/skipped", "A.cs", workflow.Tests, []string{
			"class A {", "[Fact(Skip = \"later\")] // want",
			"public void B() { Assert.Fail(); }", "}",
		}},
		{"tests/tautology", "test_a.py", workflow.Tests, []string{
			"class TestA(unittest.TestCase):", "  def test_a(self):",
			"    assert True # want", "    assert True is f()", "    self.assertTrue(True) # want", "    assert False",
			"    assert not False, 'always' # want", "    self.assertEqual(1, 1) # want", "    self.assertEqual(1, 2)",
		}},
		{"tests/tautology", "test_a.rb", workflow.Tests, []string{
			"class A < Minitest::Test", "  def test_a", "    begin", "      mock = make", "      assert true # want", "    end",
			"    assert f", "  end", "end",
		}},
		{"tests/tautology", "a.test.ts", workflow.Tests, []string{
			"if (!there) {", "  describe.skip('a', () => {", "    it('b', () => {", "      expect(true).toBe(true);", "    });",
			"  });", "} else {", "  describe('a', () => {", "    it('b', () => {", "      expect(true).toBe(true); // want",
			"    });", "  });", "}",
		}},
		{"tests/empty", "ATest.java", workflow.Tests, []string{
			"@SpringBootTest(classes = A.class)", "class ATest {", "  @Test", "  void shouldLoadTheContext() {", "  }",
			"  @Test // want", "  void refusesAWrongPassword() {", "  }", "}",
		}},
		{"tests/shadowed", "test_a.rb", workflow.Tests, []string{
			"class A < Minitest::Test", "  def test_a # want", "    assert f",
			"  end", "  def test_a", "    assert g", "  end", "end",
		}},
		{"tests/shadowed", "test_long.py", workflow.Tests, []string{
			"def test_" + strings.Repeat("long_", 20) + "name():", "    assert f()",
			"def test_" + strings.Repeat("long_", 20) + "other_name():", "    assert g()",
		}},
	} {
		t.Run(tc.rule+" "+tc.file, func(t *testing.T) {
			src := strings.Join(tc.lines, "\n") + "\n"
			c := find(t, rules.Check(t.Context(), input(tc.typ, nil, map[string]string{tc.file: src}, tc.file)), tc.rule)
			var got []string
			for _, l := range places(t, c, tc.file) {
				got = append(got, fmt.Sprintf("%d %s", l, tc.lines[l-1]))
			}
			var want []string
			for i, l := range tc.lines {
				if wanted(tc.rule, tc.file, i, l) {
					want = append(want, fmt.Sprintf("%d %s", i+1, l))
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// places are the lines of a file that a check names: in its issues, in what they say
// of others, or in its summary where it only counts.
func places(t *testing.T, c workflow.Check, file string) []int {
	t.Helper()
	text := ""
	for _, i := range c.Issues {
		text += fmt.Sprintf("%s:%d %s ", i.File, i.Line, i.Description)
	}
	if len(c.Issues) == 0 {
		text = c.Summary
	}
	var out []int
	for _, m := range regexp.MustCompile(regexp.QuoteMeta(file)+`:(\d+)`).FindAllStringSubmatch(text, -1) {
		l, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, l)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// wanted names the lines that must be found where a mark in the line itself
// would change what the rule sees.
func wanted(rule, file string, i int, line string) bool {
	unmarked := map[string][]int{
		"code/swallowed-error a.go":   {},
		"code/swallowed-error b.go":   {4},
		"code/swallowed-error B.java": {1},
		"code/swallowed-error b.ts":   {},
		"code/swallowed-error a.rb":   {2},
		"code/swallowed-error a.ts":   {0},
		"code/swallowed-error A.java": {},
		"code/conflict-marker a.css":  {0},
	}
	if lines, ok := unmarked[rule+" "+file]; ok {
		for _, l := range lines {
			if l == i {
				return true
			}
		}
		return false
	}
	return strings.Contains(line, "want")
}
