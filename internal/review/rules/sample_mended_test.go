package rules_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/review/rules"
	"workflow-reviewer/internal/workflow"
)

// TestNarrowed: what a judged sample showed to be no problem passes, and what is
// near it is still found.
func TestNarrowed(t *testing.T) {
	const ts, js = "src/a.ts", "src/a.js"
	for name, c := range map[string]struct {
		rule, file, bad, good string
	}{
		"HTML of a table of texts": {
			"code/unsafe-html", js, "const labels = {a: {t: name}};\nconst m = labels[v];\nel.innerHTML = `<b>${m.t}</b>`;\n",
			"const labels = {a: {t: 'A'}, b: {t: 'B'}};\nconst m = labels[v] || labels.a;\nel.innerHTML = `<b>${m.t}</b>`;\n",
		},
		"HTML of a translation": {
			"code/unsafe-html", js, "el.innerHTML = `<b>${t(key)}</b>`;\n",
			"el.innerHTML = `<b>${t('offline', 'You are offline')}</b>`;\n",
		},
		"HTML of a number": {
			"code/unsafe-html", js, "el.innerHTML = `<b>${closest.v}</b>`;\n",
			"el.innerHTML = `<b>${closest.v.toFixed(2)} USD</b>`;\n",
		},
		"HTML of a time": {
			"code/unsafe-html", js, "const s = `${d.name}`;\nel.innerHTML = s;\n",
			"const s = `${d.getHours().toString().padStart(2, '0')}`;\nel.innerHTML = s;\n",
		},
		"HTML that is restored": {"code/unsafe-html", ts, "el.innerHTML = content;\n", "el.innerHTML = originalContent;\n"},
		"HTML added step by step": {
			"code/unsafe-html", js, "let html = '';\nhtml += `<i>${user}</i>`;\nel.innerHTML = html;\n",
			"let html = '';\nhtml += '<i></i>';\nel.innerHTML = html;\n",
		},
		"HTML of a parameter": {
			"code/unsafe-html", js, "function f(text) { el.innerHTML = text; }\n",
			"function f(count) { el.innerHTML = `<b>${count}</b>`; }\n",
		},
		"SQL of fixed parts": {
			"code/sql-concatenation", ts, "let cond = '';\nif (a) cond = req.query.a;\nconst q = `SELECT b FROM t WHERE c = $1 ${cond}`;\n",
			"let cond = '';\nif (a) cond = 'AND d > $2';\nconst q = `SELECT b FROM t WHERE c = $1 ${cond}`;\n",
		},
		"SQL of fixed parts, twice": {
			"code/sql-concatenation", ts, "function f(c) { const q = `SELECT b FROM t WHERE c = $1 ${req.body.c}`; }\n",
			"function f() {\n  let c = '';\n  c = 'AND d';\n  const q = `SELECT b FROM t WHERE c = $1 ${c}`;\n}\nfunction g() {\n" +
				"  let c = 'x';\n  const q = `SELECT b FROM t WHERE c = $1 ${c}`;\n}\n",
		},
		"a shell for the project's own names": {
			"code/shell-injection", "src/a.py", "def f(names):\n    for n in names:\n" +
				"        subprocess.run(['sc', request.name], shell=True)\n",
			"def f():\n    names = ['a', 'b']\n    for n in names:\n        subprocess.run(['sc', n], shell=True)\n",
		},
		"SQL made a number": {
			"code/sql-concatenation", js, "let f = '';\nif (d) f = `AND e > '${d}'`;\nconst q = `SELECT b FROM t WHERE c = $1 ${f}`;\n",
			"let f = '';\nconst n = parseInt(d);\nif (!isNaN(n)) f = `AND e > '${n}'`;\nconst q = `SELECT b FROM t WHERE c = $1 ${f}`;\n",
		},
		"SQL of what is listed": {
			"code/sql-concatenation", js, "let f = '';\nif (d && (d === 'x' || e)) f = `AND e = '${d}'`;\n" +
				"const q = `SELECT b FROM t WHERE c = $1 ${f}`;\n",
			"let f = '';\nif (d && (d === 'x' || d === 'y')) {\n  f = `AND e = '${d}'`;\n}\n" +
				"const q = `SELECT b FROM t WHERE c = $1 ${f}`;\n",
		},
		"SQL of what was looked up": {
			"code/sql-concatenation", "src/a.py", "def f(d):\n    if d not in ALLOWED:\n        log(d)\n" +
				"    return f\"SELECT b FROM t WHERE c = '{d}'\"\n",
			"def f(d):\n    if d not in ALLOWED:\n        raise ValueError(d)\n    return f\"SELECT b FROM t WHERE c = '{d}'\"\n",
		},
		"SQL of added conditions": {
			"code/sql-concatenation", ts, "const c = ['a = $1'];\nif (d) c.push(`e = '${d}'`);\n" +
				"const q = `SELECT b FROM t WHERE ${c.join(' AND ')}`;\n",
			"const c = ['a = $1'];\nlet i = 2;\nif (d) c.push(`e = $${i++}`);\nconst q = `SELECT b FROM t WHERE ${c.join(' AND ')}`;\n",
		},
		"SQL of conditions handed on": {
			"code/sql-concatenation", ts, "const c = ['a = $1'];\nc.push(`b = '${v}'`);\n" +
				"const q = `SELECT b FROM t WHERE ${c.join(' AND ')}`;\n",
			"const c = ['a = $1'];\nfill(c);\nconst q = `SELECT b FROM t WHERE ${c.join(' AND ')}`;\n",
		},
		"SQL of marks": {
			"code/sql-concatenation", ts, "const q = `SELECT b FROM t WHERE c IN (${ids.map((x) => `'${x}'`).join(',')})`;\n",
			"const q = `SELECT b FROM t WHERE c IN (${ids.map((x, i) => `$${i + 1}`).join(',')})`;\n",
		},
		"SQL of a table": {
			"code/sql-concatenation", "src/a.py", "q = f\"SELECT a FROM t WHERE name = '{table_name}'\"\n",
			"q = f\"SELECT count(*) FROM {table_name}\"\n",
		},
		"a table of texts": {
			"code/sql-concatenation", ts,
			"const o = {a: 'x'};\no[k] = req.body.v;\nconst q = `SELECT b FROM t WHERE ${o[k]}`;\n",
			"const o = {a: 'x'};\nconst q = `SELECT b FROM t WHERE ${o[k]}`;\n",
		},
		"HTML sanitised before": {
			"code/unsafe-html", ts, "const safe = render(text);\nel.innerHTML = safe;\n",
			"const safe = DOMPurify.sanitize(text);\nel.innerHTML = safe;\n",
		},
		"HTML of a function that escapes": {
			"code/unsafe-html", js, "function show(s) { return s.trim(); }\nconst a = show(text);\nel.innerHTML = a;\n",
			"function show(s) { return escapeHtml(s).trim(); }\nconst a = show(text);\nel.innerHTML = a;\n",
		},
		"a key of Firebase": {
			"code/secret", js, "const c = {\n  key: 'AIzaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q',\n};\n",
			"const c = {\n  key: 'AIzaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q',\n  authDomain: 'a.firebaseapp.com',\n  projectId: 'a',\n};\n",
		},
		"a key of a manual": {
			"code/secret", js, "const k = 'sk-q8Wz3kLm9TxV2bNc7RfJ5hGd4YsP1uEa0';\n",
			"const k = 'sk-1234567890abcdefghijklmnopqrstuvwx';\n",
		},
		"a field in a template": {
			"code/secret", "src/a.py", "c = \"'PASSWORD': 'q7Gv2xR9bLw4'\"\n",
			"c = f\"\"\"'PASSWORD': '{values[\"pass-word1\"]}',\"\"\"\n",
		},
		"an attempt to read": {
			"code/swallowed-error", "src/a.py", "try:\n    n = read()\n    save(n)\nexcept Exception:\n    pass\nf(n)\n", "n = 0\ntry:\n" +
				"    n = read()\nexcept Exception:\n    pass\nf(n)\n",
		},
		"a file of its own": {
			"code/dynamic-code", "src/a.py", "x = pickle.load(f)\n",
			"with open(path, 'rb') as f:\n    x = pickle.load(f)\n",
		},
		"any in a cast": {
			"code/untyped", ts, "let a: any;\nlet b: any;\nfunction f(c: any) {}\nlet d4: any;\n",
			"let a = x as any;\nlet b = y as any;\nlet c = z as any;\nlet d = z as any;\n",
		},
		"any in other types": {
			"code/untyped", ts, "let a: any[];\nlet b: any;\nfunction f(): any {}\nlet d4: any;\n",
			"let a: Map<string, any>;\nfunction f(...b: any[]) {}\nfunction g(_: any) {}\n" +
				"type T<X extends any = any> = X;\nlet c: Map<any, any>;\n",
		},

		"SQL of an option": {
			"code/sql-concatenation", ts, "q = `INSERT INTO ${req.table} (a) SELECT a FROM b`;\n",
			"q = `INSERT INTO ${opts.table} (a) SELECT a FROM ${opts.backupTable}`;\n",
		},
		"SQL of a format for numbers": {
			"code/sql-concatenation", "a.go", "package a\n\nvar q = fmt.Sprintf(\"SELECT b FROM t LIMIT %v\", rows)\n", "package a\n\n" +
				"var q = fmt.Sprintf(\"SELECT b FROM t LIMIT %d\", rows)\n",
		},
		"SQL of a typed number": {
			"code/sql-concatenation", ts, "function f(days: string) { return `SELECT b FROM t WHERE d > '${days} days'`; }\n",
			"function f(days: number) { return `SELECT b FROM t WHERE d > '${days} days'`; }\n",
		},
		"a shell of the environment": {
			"code/shell-injection", ts, "execSync(`${req.shell} -c 'ls'`);\n",
			"const shell = process.env.SHELL || '/bin/sh';\nexecSync(`${shell} -c 'ls'`);\n",
		},
		"HTML of coloured code": {
			"code/unsafe-html", "src/a.tsx", "const a = <pre dangerouslySetInnerHTML={{ __html: highlightedHtml }} />;\n",
			"import { codeToHtml } from 'shiki';\nconst a = <pre dangerouslySetInnerHTML={{ __html: highlightedHtml }} />;\n",
		},
		"a variable of a template": {
			"code/secret", js, "const c = { ANTHROPIC_API_KEY: 'q7Gv2xR9bLw4' };\n",
			"const c = { ANTHROPIC_API_KEY: '%ANTHROPIC_API_KEY2%' };\n",
		},
		"HTML of a long sum": {
			"code/unsafe-html", js, "el.innerHTML = " + strings.Repeat("'<b>' + ", 40) + "name;\n",
			"el.innerHTML = " + strings.Repeat("'<b>' + ", 40) + "t('name');\n",
		},
		"HTML of a table of translations": {
			"code/unsafe-html", js, "el.innerHTML = `<b>${window.data['In stock']}</b>`;\n",
			"el.innerHTML = `<b>${window.__t['In stock']} (${v.stock})</b>`;\n",
		},
		"SQL of a dialect": {
			"code/sql-concatenation", ts, "q = `UPDATE t SET a = $1, b = ${user.now()}`;\n",
			"q = `UPDATE t SET a = $1, b = ${dialect.now()}`;\n",
		},
		"a note that is spoken of": {"code/todo-added", ts, "f(); // TODO: load the items\n", "f(); // Look for any TODO items\n"},
		"SQL of fragments": {
			"code/sql-concatenation", ts, "q = `SELECT a FROM t ${req.filterQuery}`;\n",
			"q = `SELECT ${getDateSQL('a', unit)} FROM t ${filterQuery}`;\n",
		},
		"SQL of a tagged template": {
			"code/sql-concatenation", ts, "q = String.raw`SELECT a FROM t WHERE b = ${c}`;\n",
			"q = await sql`SELECT a FROM t WHERE b = ${c}`;\n",
		},
		"SQL of a table's name": {
			"code/sql-concatenation", ts, "q = `SELECT a FROM ${req.query.name}`;\n",
			"q = `SELECT a FROM ${table.name}`;\n",
		},
		"SQL of a date": {
			"code/sql-concatenation", ts, "q = `SELECT a FROM t WHERE b < '${d.text()}'`;\n",
			"q = `SELECT a FROM t WHERE b < '${d.toISOString()}'`;\n",
		},
		"any command": {
			"code/shell-injection", "src/a.py", "subprocess.run('ls ' + request.folder, shell=True)\n",
			"subprocess.run(command, shell=True)\n",
		},
		"a function that prints": {
			"code/debug-leftover", "a.go", "package a\n\nfunc f() {\n\tfmt.Println(1)\n}\n",
			"package a\n\nfunc colorPrint() {\n\tfmt.Println(1)\n}\n",
		},
		"something is not found": {
			"code/stub-left", ts, "throw new Error('TODO: find it');\n",
			"throw new Error('Todo 1 not found');\n",
		},
		"a cut secret": {
			"code/secret", ts, "const accessKey = 'q7Gv2xR9bLw4';\n",
			"const accessKey = 'q7Gv2xR9bLw4...';\n",
		},
		"a route": {
			"code/secret", "a.rb", "x = { :secret => 'web9requests#Handle' }\n",
			"post '/a/:secret' => 'web_requests#handle_request'\n",
		},
		"a secret in a text": {
			"code/secret", ts, "const c = { accessKey: 'q7Gv2xR9bLw4' };\n",
			"const c = { snippet: 'const accessKey = \"q7Gv2xR9bLw4\"' };\n",
		},
		"words for a reader": {
			"code/debug-leftover", ts, "export const b = 1;\nconsole.log('rows', b);\n",
			"export const b = 1;\nconsole.log('Changes:');\nconsole.log(format(b));\nconsole.log('b ' + b + '.');\n",
		},
		"told on demand": {
			"code/debug-leftover", "src/a.py", "def f(rows):\n    if rows:\n        print(rows)\n",
			"def f(rows):\n    if verbose:\n        print(rows)\n",
		},
		"a sample's password": {"code/secret", ts, "login.password = 'q7Gv2xR9bLw4';\n", "login.password = 'password123';\n"},
		"a program": {
			"code/debug-leftover", js, "import a from 'a';\nexport const b = a;\nconsole.log(b);\n",
			"import a from 'a';\nconsole.log(a.join(' '));\n",
		},
		"a logger with a name": {
			"code/debug-leftover", ts, "export const b = 1;\nconsole.log('b', b);\n",
			"export const log = (...a: unknown[]) => console.log('[b]', ...a);\n",
		},
		"SQL of a number": {
			"code/sql-concatenation", ts, "const q = `SELECT b FROM t WHERE c = ${userId}`;\n",
			"const q = `SELECT b FROM t WHERE c = ${1}`;\n",
		},
		"a logger":       {"code/debug-leftover", js, "console.debug(prefix);\n", "console.debug(prefix, ...args);\n"},
		"a caught error": {"code/debug-leftover", js, "console.log(savings);\n", "console.log(error);\n"},
		"clearing away": {
			"code/swallowed-error", js, "try { load(a); save(a); } catch {}\nf();\n",
			"try { x.clearAll(a); a.destroy(b); } catch {}\nf();\n",
		},
		"a note on the type": {
			"code/untyped", ts, "const a: any = f();\nconst b: any = f();\nconst c: any = f();\nlet d4: any;\n",
			"// any: the driver has no types\nconst a: any = f(); // any\n" +
				"const b: any = f(); // any\nconst c: any = f();\nconst d: any = f(); // any row\n",
		},
		"run as a program": {
			"code/debug-leftover", "a.py", "def f(x):\n    print(x)\n",
			"x = 1\nprint(x)\nif __name__ == \"__main__\":\n    print(x)\n",
		},
		"any of a library's type": {
			"code/untyped", ts, "const a: any = f();\nconst b: any = f();\nconst c: any = f();\nlet d4: any;\n",
			"let a: H<any, any>;\nlet b: H<any, any>;\nlet c: H<any, any, any>;\nlet d: H<any>;\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := found(t, input(workflow.Implementation, nil, one(c.file, c.bad), c.file), c.rule); len(got) != 1 {
				t.Errorf("bad: %+v", got)
			}
			if got := found(t, input(workflow.Implementation, nil, one(c.file, c.good), c.file), c.rule); len(got) != 0 {
				t.Errorf("good: %+v", got)
			}
		})
	}
}

// TestTypesMakeNoCycle: an import of which only types are used is dropped when
// the program is compiled.
func TestTypesMakeNoCycle(t *testing.T) {
	index := "import { run } from './run';\nexport interface Row { id: number }\nexport enum State { On }\n" +
		"export default class Table {}\nexport const first = run();\n"
	for use, want := range map[string]int{
		"let r: Row | undefined": 0, "let r = State.On": 1, "let r: Table | undefined": 0, "new Table()": 1,
	} {
		head := map[string]string{
			"src/state.ts": index,
			"src/run.ts":   "import Table, { Row, State } from './state';\nexport function run() { " + use + "; return 1 }\n",
		}
		for _, lines := range []string{"{ Row, State }", "{\n  Row,\n  State,\n}"} {
			head["src/run.ts"] = strings.Replace(head["src/run.ts"], "{ Row, State }", lines, 1)
			got := found(t, input(workflow.Implementation, nil, head, "src/state.ts", "src/run.ts"), "code/import-cycle")
			if len(got) != want {
				t.Errorf("%s: %+v", use, got)
			}
		}
	}
}

// TestOnceAReview: files that do the same are one finding.
func TestOnceAReview(t *testing.T) {
	head := map[string]string{}
	var files []string
	for _, f := range []string{"a", "b", "c"} {
		name := "src/x/y/" + f + ".ts"
		files = append(files, name)
		head[name] = "let x: any;\nlet y: any;\nlet z: any;\nlet d4: any;\n"
	}
	if got := found(t, input(workflow.Implementation, nil, head, files...), "code/untyped"); len(got) != 1 ||
		!strings.Contains(got[0].Description, "Also src/x/y/b.ts:1, src/x/y/c.ts:1.") {
		t.Errorf("%+v", got)
	}
}

// TestTitleOfAScenario: what a scenario is called is no outcome.
func TestTitleOfAScenario(t *testing.T) {
	for title, want := range map[string]int{"#### Scenario: Responsive guardrails": 0, "#### Scenario: Guardrails": 1} {
		then := map[int]string{0: "panels keep 8px", 1: "panels are responsive"}[want]
		text := "# S\n\n## Requirements\n\n### Requirement: Panels\nPanels SHALL fit.\n\n" + title +
			"\n- **WHEN** the viewport changes\n- **THEN** " + then + "\n"
		if got := found(t, input(workflow.Spec, nil, one("s.md", text), "s.md"), "spec/criterion-not-testable"); len(got) != want {
			t.Errorf("%s: %+v", title, got)
		}
	}
}

// TestSkippedWithAReason: a plan is no test, and a reason in the title is one.
func TestSkippedWithAReason(t *testing.T) {
	const file = "tests/a.test.ts"
	for line, want := range map[string]int{
		"it.skip('sings', () => { expect(1).toBe(2) })":                 1,
		"it.skip('sings (twice)', () => { expect(1).toBe(2) })":         1,
		"it.skip('sings (browser only)', () => { expect(1).toBe(2) })":  0,
		"it.skip('sings (pending a fix)', () => { expect(1).toBe(2) })": 0,
		"it.todo('sings')": 0,
		"// the browser reports it otherwise\nit.skip('sings', () => { expect(1).toBe(2) })": 0,
	} {
		text := "it('is', () => { expect(f()).toBe(1) })\n" + line + "\n"
		if got := found(t, input(workflow.Tests, nil, one(file, text), file), "tests/skipped"); len(got) != want {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

// TestFoldedWords: criteria that rest on vague words are one finding, and all count
// in the score; a word beside an outcome is none.
func TestFoldedWords(t *testing.T) {
	text := criteria + "- It shows appropriate charts\n- It shows an appropriate message\n- It handles them gracefully\n" +
		"- It rejects others with appropriate messages\n- Users need to see it quickly\n"
	in := input(workflow.Spec, nil, one("s.md", text), "s.md")
	got := found(t, in, "spec/criterion-not-testable")
	if len(got) != 1 || !strings.Contains(got[0].Title, "s.md:6, ") || !strings.Contains(got[0].Title, "s.md:9") {
		t.Errorf("%+v", got)
	}
}

// TestUntestedLogic: what draws a page needs no test of its own.
func TestUntestedLogic(t *testing.T) {
	body := strings.Repeat("  n += 1;\n", 40)
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"logic":  {"export function f(n: number) {\n  if (n > 1) return 1;\n" + body + "  return n;\n}\n", 1},
		"a page": {"export function F(n: number) {\n  if (n > 1) return null;\n" + body + "  return <b>{n}</b>;\n}\n", 0},
	} {
		head := map[string]string{"specs/doing/a.md": "# A\n", "src/page.tsx": c.text, "src/b.test.ts": "test('b', () => expect(f()));\n"}
		in := input(workflow.Implementation, nil, head, "src/page.tsx")
		in.Artifact.SpecPath = "specs/doing/a.md"
		if got := found(t, in, "implementation/no-tests"); len(got) != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestInterfaceAssertion: a test that only compiles where a type fits demands that.
func TestInterfaceAssertion(t *testing.T) {
	for body, want := range map[string]int{
		"var _ Phase = prompt{}": 0, "var _ Cache[int, *Row] = &prompt[int, *Row]{}": 0,
		"_ = prompt{}": 1,
	} {
		text := "package a\n\nimport \"testing\"\n\nfunc TestPhase(t *testing.T) {\n\t" + body + "\n}\n"
		if got := found(t, input(workflow.Tests, nil, one("a_test.go", text), "a_test.go"), "tests/empty"); len(got) != want {
			t.Errorf("%s: %+v", body, got)
		}
	}
}

// TestLineEndings: lines that only end otherwise are not added.
func TestLineEndings(t *testing.T) {
	const text = "f(); // TODO: later\n"
	in := input(workflow.Implementation, one("a.ts", text), one("a.ts", strings.ReplaceAll(text, "\n", "\r\n")+"g();\r\n"), "a.ts")
	if got := found(t, in, "code/todo-added"); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestCopyOfBefore: what is kept of a file beside its new version is not added.
func TestCopyOfBefore(t *testing.T) {
	const old = "f(); // TODO: later\n"
	in := input(workflow.Implementation, one("a.ts", old), map[string]string{"a.ts": "g();\n", "a-old.ts": old}, "a.ts", "a-old.ts")
	for i, f := range in.Set.Files {
		in.Set.Files[i].Blob, in.Set.Files[i].OldBlob = map[string]string{
			"a.ts":     "2",
			"a-old.ts": "1",
		}[f.Path], map[string]string{"a.ts": "1"}[f.Path]
	}
	if got := found(t, in, "code/todo-added"); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestElsewhere: what another file says of the code counts.
func TestElsewhere(t *testing.T) {
	const html, log = "el.innerHTML = render(text);\n", "export const b = 1;\nconsole.log('b:', b);\n"
	for name, c := range map[string]struct {
		rule, text string
		other      map[string]string
		want       int
	}{
		"no function": {"code/unsafe-html", html, nil, 1},
		"a function":  {"code/unsafe-html", html, one("src/b.js", "export function render(s) { return `<b>${s}</b>`; }\n"), 1},
		"a function that escapes": {"code/unsafe-html", html, one("src/b.js",
			"export function render(s) { return `<b>${escapeHtml(s)}</b>`; }\n"), 0},
		"a library": {"code/debug-leftover", log, one("package.json", "{\"main\": \"src/a.js\"}\n"), 1},
		"a command": {"code/debug-leftover", log, one("package.json", "{\"bin\": \"src/a.js\"}\n"), 0},
		"a command of another": {"code/debug-leftover", log, map[string]string{
			"package.json":     "{\"bin\": \"b.js\"}\n",
			"src/package.json": "{}\n",
		}, 1},
	} {
		if got := found(t, input(workflow.Implementation, nil, with(c.other, "src/a.js", c.text), "src/a.js"), c.rule); len(got) != c.want {
			t.Errorf("%s: %+v, want %d", name, got, c.want)
		}
	}
}

// TestMovedLines: what the change takes from a file that it deletes is not added.
func TestMovedLines(t *testing.T) {
	const note = "f(); // TODO: load the items of this page\n"
	for before, want := range map[string]int{note: 0, "g(); // another line, of the same length\n": 1} {
		in := input(workflow.Implementation, one("a.ts", before), one("b.ts", "import b from 'b';\n"+note), "b.ts")
		if got := found(t, in, "code/todo-added"); len(got) != want {
			t.Errorf("%s: %+v", before, got)
		}
	}
}

// TestMinified: what tools have made of a script is said not to be looked into, once.
func TestMinified(t *testing.T) {
	text := "q(`SELECT a FROM t WHERE b = '${" + strings.Repeat("c", 600) + "}'`);\n"
	head := map[string]string{"src/a.js": text, "src/b.ts": "q(`SELECT a FROM t WHERE b = '${c}'`);\n"}
	in := input(workflow.Implementation, nil, head, "src/a.js", "src/b.ts")
	if got := found(t, in, "code/sql-concatenation"); len(got) != 1 || got[0].File != "src/b.ts" {
		t.Errorf("%+v", got)
	}
	if got := found(t, in, "artifact/unreadable"); len(got) != 1 || !strings.Contains(got[0].Title, "minified") ||
		got[0].Severity != "counted" {
		t.Errorf("%+v", got)
	}
	if got := found(t, input(workflow.Implementation, one("src/a.js", "x"+text), head, "src/a.js"), "artifact/unreadable"); len(got) != 0 {
		t.Errorf("as before: %+v", got)
	}
}

// TestPadded: a long line hides nothing that stands on another, nor code from a string.
func TestPadded(t *testing.T) {
	pad := strings.Repeat("x", 4000)
	for _, text := range []string{"// " + pad + "\neval(a);\n", "eval(a); // " + pad + pad + "\n"} {
		in := input(workflow.Implementation, nil, one("src/a.js", text), "src/a.js")
		if got := found(t, in, "code/dynamic-code"); len(got) != 1 {
			t.Errorf("%.20q: %+v", text, got)
		}
	}
	in := input(workflow.Implementation, nil, one("src/a.js", "// "+pad+"\nq(`SELECT a FROM t WHERE b = '${c}'`);\n"), "src/a.js")
	if got := found(t, in, "code/sql-concatenation"); len(got) != 1 {
		t.Errorf("SQL: %+v", got)
	}
}

// TestSampleSecrets: what stands for a secret in a fixture is none, a provider's token is one anywhere.
func TestSampleSecrets(t *testing.T) {
	const named, token = "password = \"q7Gv2xR9bLw4\"\n", "key = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'\n"
	for _, c := range []struct {
		file, text string
		want       int
	}{
		{"src/login.py", named, 1},
		{"src/fixtures/login.py", named, 0},
		{"src/demo_users.py", named, 0},
		{"src/fixtures/login.py", token, 1},
	} {
		if got := found(t, input(workflow.Implementation, nil, one(c.file, c.text), c.file), "code/secret"); len(got) != c.want {
			t.Errorf("%s: %+v, want %d", c.file, got, c.want)
		}
	}
}

// TestToldOnce: what does not block is told once a check, and each that blocks by itself.
func TestToldOnce(t *testing.T) {
	head := map[string]string{"src/a.js": "export const a = eval(b);\ndebugger;\n", "src/b.js": "export const b = eval(a);\ndebugger;\n"}
	in := input(workflow.Implementation, nil, head, "src/a.js", "src/b.js")
	if got := found(t, in, "code/debug-leftover"); len(got) != 1 || !strings.Contains(got[0].Description, "Also src/b.js:2.") {
		t.Errorf("%+v", got)
	}
	if got := found(t, in, "code/dynamic-code"); len(got) != 2 {
		t.Errorf("%+v", got)
	}
}

// TestScoreTellsNoCauseTwice: a score that fails is a finding where nothing else of the document blocks.
func TestScoreTellsNoCauseTwice(t *testing.T) {
	demands := "# Login\n\nIt MUST be fast. It MUST be easy for everybody who comes along. It MUST be nice. TODO: the rest, which " +
		"somebody else has to write one day when there is time for it.\n"
	for text, want := range map[string]int{demands: 1, "# Login\n\n" + strings.Repeat("It is nice. ", 20) + "\n": 0} {
		in := input(workflow.Spec, nil, one("s.md", text), "s.md")
		checks := rules.Check(t.Context(), in)
		c := find(t, checks, "spec/quality-score")
		if v := rules.Decide(in.Artifact, checks); c.Outcome != workflow.Failed || len(c.Issues) != want ||
			v.Decision != workflow.NeedsChanges ||
			!strings.Contains(v.Summary, "quality score") {
			t.Errorf("%+v, want %d findings: %s", c, want, v.Summary)
		}
	}
}

// TestOwnAssertion: a function of the file that is called ok is no assertion.
func TestOwnAssertion(t *testing.T) {
	const file, use = "tests/a.test.js", "test('a', () => {\n  expect(f()).toBe(1);\n  ok('done');\n});\n"
	for text, want := range map[string]int{"import { ok } from 'node:assert';\n" + use: 1, "const ok = (m) => { console.log(m); };\n" +
		use: 0} {
		if got := found(t, input(workflow.Tests, nil, one(file, text), file), "tests/tautology"); len(got) != want {
			t.Errorf("%s: %+v", text, got)
		}
	}
}
