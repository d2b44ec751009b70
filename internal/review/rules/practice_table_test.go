package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"workflow-reviewer/internal/review/rules"
	"workflow-reviewer/internal/workflow"
)

// row is one case of a row of the table of judged findings: how many findings a
// check makes of a change.
type row struct {
	rule, what   string
	typ          workflow.Type
	before, head map[string]string
	files        []string // under review
	spec         string
	want         int
}

func spec(text string) map[string]string { return map[string]string{"specs/doing/export.md": text} }

func one(name, text string) map[string]string { return map[string]string{name: text} }

// with is files with more of them.
func with(files map[string]string, more ...string) map[string]string {
	out := map[string]string{}
	for k, v := range files {
		out[k] = v
	}
	for i := 0; i+1 < len(more); i += 2 {
		out[more[i]] = more[i+1]
	}
	return out
}

const (
	doing    = "specs/doing/export.md"
	criteria = "# Export\n\n## Acceptance criteria\n\n"
	fn       = "def export(rows):\n    if not rows:\n        return []\n    return rows\n"
)

// logic is a function of TypeScript that decides something.
var logic = "export function load(n: number) {\n  if (n > 1) return 1;\n" + strings.Repeat("  n += 1;\n", 40) + "  return n;\n}\n"

// lengthy is fn with enough lines to need tests.
var lengthy = strings.Replace(fn, "    return rows\n", strings.Repeat("    rows = rows[1:]\n", 40)+"    return rows\n", 1)

// long is a source of n lines.
func long(n int) string { return strings.Repeat("def f():\n    x = 1\n", n/2) }

// TestPractice holds the checks to what judging their findings showed, row by
// row.
func TestPractice(t *testing.T) {
	for _, c := range []row{
		{
			"implementation/no-tests", "a feature named after a branch", workflow.Implementation, nil, one("src/a.py", lengthy),
			[]string{"src/a.py"},
			"", 0,
		},
		{
			"implementation/no-tests", "no test anywhere", workflow.Implementation, nil, with(spec(criteria), "src/a.py", lengthy),
			[]string{"src/a.py"},
			doing, 0,
		},
		{"implementation/no-tests", "tests of other code", workflow.Implementation, nil, with(spec(criteria), "src/a.py", lengthy,
			"tests/test_b.py", "import b\n\n\ndef test_b():\n    assert b.f()\n"), []string{"src/a.py"}, doing, 1},
		{
			"implementation/no-tests", "a set-up of tests", workflow.Implementation, nil, with(spec(criteria), "src/a.py", lengthy,
				"tests/bootstrap_all.py", "import b\n\nplugins = [b.Assert()]\n"), []string{"src/a.py"}, doing, 0,
		},
		{
			"implementation/no-tests", "opened by its address", workflow.Implementation, nil, with(spec(criteria),
				"src/routes/cart/rows/+page.server.ts",
				logic, "e2e/rows.test.ts",
				"test('a', async ({ page }) => {\n  await page.goto('/cart/rows');\n  expect(page).toBeTruthy();\n});\n"),
			[]string{"src/routes/cart/rows/+page.server.ts"},
			doing, 0,
		},
		{
			"implementation/no-tests", "at another address", workflow.Implementation, nil, with(spec(criteria),
				"src/routes/cart/rows/+page.server.ts",
				logic, "e2e/rows.test.ts",
				"test('a', async ({ page }) => {\n  await page.goto('/cart');\n  expect(page).toBeTruthy();\n});\n"),
			[]string{"src/routes/cart/rows/+page.server.ts"},
			doing, 1,
		},
		{"implementation/no-tests", "a script that is called test", workflow.Implementation, nil, with(spec(criteria), "src/a.py", lengthy,
			"tests/test_b.py", "import b\nprint(b.f())\n"), []string{"src/a.py"}, doing, 0},
		{
			"implementation/no-tests", "tested by hand", workflow.Implementation, nil, with(spec(criteria), "src/a.py", lengthy,
				"tests/test_b.py", "import b\n\n\ndef test_b():\n    assert b.f()\n", "specs/doing/plan.md",
				"**Tests**: Manual testing only.\n"),
			[]string{"src/a.py"},
			doing, 0,
		},
		{
			"implementation/no-tests", "code that decides nothing", workflow.Implementation, nil, with(spec(criteria), "src/a.py",
				strings.ReplaceAll(lengthy, "    if not rows:\n        return []\n", ""), "tests/test_b.py",
				"import b\n\n\ndef test_b():\n    assert b.f()\n"),
			[]string{"src/a.py"},
			doing, 0,
		},
		{"implementation/no-tests", "code that is too short for some", workflow.Implementation, nil, with(spec(criteria), "src/a.py",
			fn, "tests/test_b.py", "import b\n\n\ndef test_b():\n    assert b.f()\n"), []string{"src/a.py"}, doing, 0},
		{"implementation/no-tests", "tests in another language", workflow.Implementation, nil, with(spec(criteria), "src/a.py", lengthy,
			"web/b.test.ts", "test('b', () => expect(f()));\n"), []string{"src/a.py"}, doing, 0},
		{"implementation/no-tests", "only a set-up in this language", workflow.Implementation, nil, with(spec(criteria), "src/a.py",
			lengthy, "tests/setup.py", "import b\n\n\ndef test_b():\n    assert b.f()\n"), []string{"src/a.py"}, doing, 0},
		{"implementation/no-tests", "found by import", workflow.Implementation, nil, with(spec(criteria), "src/a.py", lengthy,
			"tests/test_all.py", "from src.a import export\n"), []string{"src/a.py"}, doing, 0},
		{"implementation/no-tests", "tests in Rust's own file", workflow.Implementation, nil, with(spec(criteria), "src/a.rs",
			"fn f(n: u8) -> u8 {\n    if n > 1 {\n        return 2;\n    }\n"+strings.Repeat("    g();\n", 40)+
				"    1\n}\n#[cfg(test)]\nmod t {}\n",
			"tests/b.rs", "use b;\n#[test]\nfn a() {\n    assert!(b::f());\n}\n"), []string{"src/a.rs"}, doing, 0},
		{
			"implementation/no-tests", "a version bump", workflow.Implementation, one("src/a.py", lengthy+"__version__ = '1'\n"),
			with(spec(criteria), "src/a.py", lengthy+"__version__ = '2'\n"),
			[]string{"src/a.py"},
			doing, 0,
		},
		{
			"implementation/no-tests", "a doc string", workflow.Implementation, one("src/a.py", lengthy), with(spec(criteria), "src/a.py",
				strings.Replace(lengthy, ":\n", ":\n    \"\"\"Rows.\"\"\"\n", 1), "tests/test_b.py", "import b\n"),
			[]string{"src/a.py"},
			doing, 0,
		},

		{
			"code/oversized-file", "crosses the limit", workflow.Implementation, one("a.py", long(600)), one("a.py", long(820)),
			[]string{"a.py"},
			"", 1,
		},
		{
			"code/oversized-file", "crosses it by little", workflow.Implementation, one("a.py", long(640)), one("a.py", long(740)),
			[]string{"a.py"},
			"", 0,
		},
		{
			"code/oversized-file", "adds 150 lines", workflow.Implementation, one("a.py", long(900)), one("a.py", long(1050)),
			[]string{"a.py"},
			"", 1,
		},
		{
			"code/oversized-file", "comments", workflow.Implementation, one("a.py", long(900)),
			one("a.py", long(900)+strings.Repeat("# x\n", 200)),
			[]string{"a.py"},
			"", 0,
		},
		{
			"code/oversized-file", "comments went, and code came", workflow.Implementation,
			one("a.py", long(900)+strings.Repeat("# x\n", 200)), one("a.py", long(1100)),
			[]string{"a.py"},
			"", 1,
		},
		{
			"code/oversized-file", "comments turned into code", workflow.Implementation,
			one("a.py", long(1000)+strings.Repeat("# a longer line than that\n", 20)), one("a.py", long(1140)),
			[]string{"a.py"},
			"", 0,
		},
		{
			"code/oversized-file", "was long before", workflow.Implementation, one("a.py", long(900)), one("a.py", long(950)),
			[]string{"a.py"},
			"", 0,
		},
		{
			"code/oversized-file", "once a run", workflow.Implementation, nil,
			map[string]string{"a.py": long(1050), "b.py": long(1100), "c.py": long(900)},
			[]string{"a.py", "b.py"},
			"", 1,
		},

		{"tests/spec-criteria-uncovered", "tests that cite no ids", workflow.Tests, nil, with(spec(criteria+"- FR-1: a\n- FR-2: b\n"),
			"test_a.py", "def test_a():\n    assert f()\n"), []string{"test_a.py"}, doing, 0},
		{
			"tests/spec-criteria-uncovered", "one id is not cited", workflow.Tests, nil,
			with(spec(criteria+"- FR-1: a\n- FR-2: b\n- FR-3: c\n"), "test_a.py", "def test_fr1():\n    assert f()  # FR-002\n"),
			[]string{"test_a.py"},
			doing, 1,
		},
		{"tests/spec-criteria-uncovered", "a range of ids", workflow.Tests, nil, with(spec(criteria+"- AC1: a\n- AC2: b\n- AC3: c\n"),
			"test_a.py", "# AC1–AC3\ndef test_a():\n    assert f()\n"), []string{"test_a.py"}, doing, 0},

		{
			"code/secret", "words", workflow.Implementation, nil,
			one("a.py", "CLIENT_SECRET = 'synthetic-transaction-value-at-least-32-characters'\n"),
			[]string{"a.py"},
			"", 0,
		},
		{
			"code/secret", "letters and digits", workflow.Implementation, nil, one("a.py", "CLIENT_SECRET = 'b7Xq-93kd-Zp0v-aa81'\n"),
			[]string{"a.py"},
			"", 1,
		},
		{
			"code/todo-added", "space around a line", workflow.Implementation, one("a.py", "x = 1  # TODO later\n"),
			one("a.py", "if y:\n    x = 1  # TODO later \n"),
			[]string{"a.py"},
			"", 0,
		},

		{
			"document/placeholder", "a ticked box", workflow.Spec, nil, one("s.md", "# S\n\n- [x] No TODO is left\n"),
			[]string{"s.md"},
			"",
			0,
		},
		{
			"document/placeholder", "an instruction of a template", workflow.Spec, nil,
			one("s.md", "# S\n\n[Add more stories as needed]\n"),
			[]string{"s.md"},
			"", 0,
		},

		{
			"document/placeholder", "a section that shows the template", workflow.Spec, nil,
			one("s.md", "# S\n\n## Task format template\n\n- {{NAME}}\n"),
			[]string{"s.md"},
			"", 0,
		},

		{"artifact/unreadable", "one finding for all files", workflow.Implementation, nil, map[string]string{
			"a.py": "x = '\xe9'\n",
			"b.py": "y = '\xe9'\n",
		}, []string{"a.py", "b.py"}, "", 1},

		{
			"spec/criterion-not-testable", "a parenthesis explains", workflow.Spec, nil,
			one("s.md", criteria+"- The list loads fast (first row before the second click)\n"),
			[]string{"s.md"},
			"", 0,
		},
		{
			"spec/criterion-not-testable", "nothing explains", workflow.Spec, nil,
			one("s.md", criteria+"- The account locks for a while\n- Errors are handled appropriately\n"),
			[]string{"s.md"},
			"", 1,
		},
		{
			"spec/criterion-not-testable", "a condition", workflow.Spec, nil,
			one("s.md", criteria+"- GIVEN the network is not reliable WHEN a page opens THEN the last list is shown\n"),
			[]string{"s.md"},
			"", 0,
		},
		{
			"spec/criterion-not-testable", "an outcome", workflow.Spec, nil,
			one("s.md", criteria+"- WHEN a query fails THEN the program SHALL exit with an appropriate code\n"),
			[]string{"s.md"},
			"", 1,
		},
		{
			"spec/criterion-not-testable", "a question", workflow.Spec, nil, one("s.md", criteria+"- Should it be fast?\n"),
			[]string{"s.md"},
			"", 0,
		},

		{"tests/no-assertion", "a fixture", workflow.Tests, nil, one("test_a.py",
			strings.Repeat("import pytest\n\n@pytest.fixture\ndef test_client():\n    return make()\n", 3)), []string{"test_a.py"}, "", 0},
		{"tests/no-assertion", "a test of types", workflow.Tests, nil, one("a.test.ts",
			strings.Repeat("test('a', () => {\n  const x = f() satisfies string;\n});\n", 3)), []string{"a.test.ts"}, "", 0},

		{
			"tests/no-assertion", "a lone one that runs the code", workflow.Tests, nil, one("test_a.py", "def test_a():\n    run()\n"),
			[]string{"test_a.py"},
			"", 0,
		},
		{"tests/no-assertion", "taken from the parameter", workflow.Tests, nil, one("a.test.js",
			strings.Repeat("test('a', ({ end, is }) => {\n  is(f(), 1)\n  end()\n})\n", 3)), []string{"a.test.js"}, "", 0},
		{"tests/no-assertion", "none of three", workflow.Tests, nil, one("test_a.py",
			"def test_a():\n    run()\n\ndef test_b():\n    run()\n\ndef test_c():\n    run()\n"), []string{"test_a.py"}, "", 1},

		{"tests/skipped", "a ternary", workflow.Tests, nil, one("a.test.ts",
			"const unix = win ? it.skip : it;\nunix('a', () => { expect(f()).toBe(1); });\n"), []string{"a.test.ts"}, "", 0},
		{
			"tests/none", "a runner of its own", workflow.Tests, nil, one("a.test.js", "check('adds', () => add(1, 2) === 3);\n"),
			[]string{"a.test.js"},
			"", 0,
		},

		{
			"skeleton/missing-name", "in another file of the feature", workflow.Skeleton, nil,
			with(spec("# E\n\n## Interface\n\n`write(rows)`\n"), "src/a.py", fn, "src/b.py", "def write(rows): ...\n"),
			[]string{"src/a.py"},
			doing, 0,
		},

		{
			"skeleton/missing-name", "a private name", workflow.Skeleton, nil,
			with(spec("# E\n\n## Interface\n\n`write(rows)` calls `_open(path)`\n"), "src/a.py", fn),
			[]string{"src/a.py"},
			doing, 1,
		},

		{
			"code/swallowed-error", "kept", workflow.Implementation, nil, one("a.py", "try:\n    f()\nexcept Exception:\n    pass\n"),
			[]string{"a.py"},
			"", 1,
		},
		{
			"code/swallowed-error", "an attempt with another below it", workflow.Implementation, nil,
			one("a.py", "def f():\n    try:\n        return g()\n    except Exception:\n        pass\n    return h()\n"),
			[]string{"a.py"},
			"", 0,
		},
		{
			"code/swallowed-error", "clears away", workflow.Implementation, nil,
			one("a.py", "try:\n    f.close()\nexcept Exception:\n    pass\n"),
			[]string{"a.py"},
			"", 0,
		},
		{
			"document/placeholder", "notes are spoken of", workflow.Spec, nil, one("s.md", "# S\n\nMarked with TODO comments.\n"),
			[]string{"s.md"},
			"", 0,
		},
		{"document/too-short", "no spaces between words", workflow.Spec, nil, one("s.md", "# 輸出\n\n"+strings.Repeat("表を書き出すとき、見出しの行がある。",
			5)+"\n"), []string{"s.md"}, "", 0},
		{
			"spec/open-question", "items of a ledger", workflow.Spec, nil, one("s.md", "# S\n\n### AP open items\n\n- An item is opened\n"),
			[]string{"s.md"},
			"", 0,
		},
		{
			"spec/open-question", "kept", workflow.Spec, nil, one("s.md", "# S\n\n## Open questions\n\n- Which format?\n"),
			[]string{"s.md"},
			"", 1,
		},
		{"code/todo-added", "kept", workflow.Implementation, nil, one("a.py", "x = 1  # TODO later\n"), []string{"a.py"}, "", 1},

		{
			"code/unsafe-html", "a literal", workflow.Implementation, nil, one("a.js", "el.innerHTML = '<b>x</b>';\n"),
			[]string{"a.js"},
			"", 0,
		},
		{
			"code/shell-injection", "a literal", workflow.Implementation, nil, one("a.py", "import os\nos.system('ls')\n"),
			[]string{"a.py"},
			"", 0,
		},
	} {
		t.Run(c.rule+"/"+c.what, func(t *testing.T) {
			in := input(c.typ, c.before, c.head, c.files...)
			in.Artifact.SpecPath = c.spec
			if c.typ == workflow.Spec {
				in.Artifact.SpecPath = c.files[0]
			}
			if got := found(t, in, c.rule); len(got) != c.want {
				t.Errorf("%+v, want %d", got, c.want)
			}
		})
	}
}

// TestPracticeNoSpec: neither code nor skeletons are told that there is no spec;
// the run says so once.
func TestPracticeNoSpec(t *testing.T) {
	for _, r := range rules.Catalog() {
		if strings.HasSuffix(r.ID, "/no-spec") {
			t.Errorf("%s is a check", r.ID)
		}
	}
}

// TestPracticeScoreOnly: what a spec is for and what it leaves out count in its
// score, and nowhere else.
func TestPracticeScoreOnly(t *testing.T) {
	score := func(text string) string {
		checks := rules.Check(t.Context(), input(workflow.Spec, nil, one("s.md", text), "s.md"))
		return find(t, checks, "spec/quality-score").Summary
	}
	body := criteria + "- `f(1)` returns 2, at most 3\n- `f(0)` raises `ValueError`\n\n## Rows\n\n" +
		strings.Repeat("The rows stand in order.\n", 8)
	without := score(body)
	with := score("# Export\n\nWrites the rows of all customers into one file that spreadsheets can read.\n\n" + body +
		"\n## Out of scope\n\nExcel.\n")
	if !strings.Contains(without, "completeness 80") || !strings.Contains(with, "completeness 100") {
		t.Errorf("without: %s\nwith: %s", without, with)
	}
}

// TestPracticeConsole: console.log in library code is Medium, other printing Low.
func TestPracticeConsole(t *testing.T) {
	for file, want := range map[string]workflow.Severity{"src/a.js": workflow.Medium, "src/a.go": workflow.Low} {
		text := map[string]string{"src/a.js": "console.log(x);\n", "src/a.go": "package a\n\nfunc f() {\n\tfmt.Println(1)\n}\n"}[file]
		got := found(t, input(workflow.Implementation, nil, one(file, text), file), "code/debug-leftover")
		if len(got) != 1 || got[0].Severity != want {
			t.Errorf("%s: %+v, want one %s", file, got, want)
		}
	}
}

// TestCriticalOnesBlock: with engine rules alone the critical ones end as
// NEEDS-CHANGES, and their harmless forms are approved.
func TestCriticalOnesBlock(t *testing.T) {
	for name, c := range map[string]struct {
		file, bad, good string
	}{
		"code from strings, Python":  {"a.py", "eval(rule)", "eval('1')"},
		"code from strings, scripts": {"a.ts", "new Function(body)", "new Function('return 1')"},
		"a secret":                   {"a.py", "PASSWORD = \"q7Gv2xR9bLw4\"", "PASSWORD = os.environ['PASSWORD']"},
		"a token":                    {"a.js", "const key = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';", "const key = process.env.KEY;"},
		"SQL from strings, a template": {
			"a.ts", "db.query(`SELECT a FROM t WHERE id = ${id}`);",
			"db.query('SELECT a FROM t WHERE id = ?', [id]);",
		},
		"SQL from strings, a format": {
			"a.py", "db.execute('DELETE FROM t WHERE id = %s' % uid)",
			"db.execute('DELETE FROM t WHERE id = %s', (uid,))",
		},
		"unsafe HTML":          {"a.js", "el.innerHTML = name;", "el.textContent = name;"},
		"unsafe HTML, written": {"a.js", "document.write(name);", "document.write('<hr>');"},
	} {
		t.Run(name, func(t *testing.T) {
			for text, want := range map[string]workflow.Decision{c.bad: workflow.NeedsChanges, c.good: workflow.Approved} {
				in := input(workflow.Implementation, nil, one("src/"+c.file, text+"\n"), "src/"+c.file)
				if v := rules.Decide(in.Artifact, rules.Check(t.Context(), in)); v.Decision != want {
					t.Errorf("%s: %s, want %s: %s", text, v.Decision, want, fmt.Sprint(v.Issues))
				}
			}
		})
	}
}

// TestWordingClaimsNoMoreThanWasLookedFor: a check that found nothing does not
// say that everything is well.
func TestWordingClaimsNoMoreThanWasLookedFor(t *testing.T) {
	for _, r := range rules.Catalog() {
		if strings.HasPrefix(r.Pass, "every ") && r.ID != "artifact/unreadable" && !strings.HasPrefix(r.ID, "document/") &&
			r.ID != "spec/requirement-without-scenario" && r.ID != "skeleton/missing-name" {
			t.Errorf("%s passes with %q", r.ID, r.Pass)
		}
	}
}
