package rules_test

import (
	"strings"
	"testing"

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
		"HTML of a translation":   {"code/unsafe-html", js, "el.innerHTML = `<b>${t(key)}</b>`;\n", "el.innerHTML = `<b>${t('offline', 'You are offline')}</b>`;\n"},
		"HTML of a number":        {"code/unsafe-html", js, "el.innerHTML = `<b>${closest.v}</b>`;\n", "el.innerHTML = `<b>${closest.v.toFixed(2)} USD</b>`;\n"},
		"HTML of a time":          {"code/unsafe-html", js, "const s = `${d.name}`;\nel.innerHTML = s;\n", "const s = `${d.getHours().toString().padStart(2, '0')}`;\nel.innerHTML = s;\n"},
		"HTML that is restored":   {"code/unsafe-html", ts, "el.innerHTML = content;\n", "el.innerHTML = originalContent;\n"},
		"HTML added step by step": {"code/unsafe-html", js, "let html = '';\nhtml += `<i>${user}</i>`;\nel.innerHTML = html;\n", "let html = '';\nhtml += '<i></i>';\nel.innerHTML = html;\n"},
		"HTML of a parameter":     {"code/unsafe-html", js, "function f(text) { el.innerHTML = text; }\n", "function f(count) { el.innerHTML = `<b>${count}</b>`; }\n"},
		"SQL of fixed parts": {
			"code/sql-concatenation", ts, "let cond = '';\nif (a) cond = a;\nconst q = `SELECT b FROM t WHERE c = $1 ${cond}`;\n",
			"let cond = '';\nif (a) cond = 'AND d > $2';\nconst q = `SELECT b FROM t WHERE c = $1 ${cond}`;\n",
		},
		"SQL of fixed parts, twice": {
			"code/sql-concatenation", ts, "function f(c) { const q = `SELECT b FROM t WHERE c = $1 ${c}`; }\n",
			"function f() {\n  let c = '';\n  c = 'AND d';\n  const q = `SELECT b FROM t WHERE c = $1 ${c}`;\n}\nfunction g() {\n  let c = 'x';\n  const q = `SELECT b FROM t WHERE c = $1 ${c}`;\n}\n",
		},
		"a shell for the project's own names": {
			"code/shell-injection", "src/a.py", "def f(names):\n    for n in names:\n        subprocess.run(['sc', n], shell=True)\n",
			"def f():\n    names = ['a', 'b']\n    for n in names:\n        subprocess.run(['sc', n], shell=True)\n",
		},
		"a note that is tracked":  {"code/todo-added", ts, "f(); // TODO(me): later\n", "f(); // TODO(Phase 3 / T3-001): later\n"},
		"SQL of a number":         {"code/sql-concatenation", ts, "const q = `SELECT b FROM t WHERE c = ${userId}`;\n", "const q = `SELECT b FROM t WHERE c = ${1}`;\n"},
		"a logger":                {"code/debug-leftover", js, "console.debug(prefix);\n", "console.debug(prefix, ...args);\n"},
		"a caught error":          {"code/debug-leftover", js, "console.log(savings);\n", "console.log(error);\n"},
		"clearing away":           {"code/swallowed-error", js, "try { load(a); save(a); } catch {}\nf();\n", "try { x.clearAll(a); a.destroy(b); } catch {}\nf();\n"},
		"a note on the type":      {"code/untyped", ts, "const a: any = f();\nconst b: any = f();\nconst c: any = f();\n", "// any: the driver has no types\nconst a: any = f();\nconst b: any = f(); // any row\n"},
		"run as a program":        {"code/debug-leftover", "a.py", "x = 1\nprint(x)\n", "x = 1\nif __name__ == \"__main__\":\n    print(x)\n"},
		"a note beside a stub":    {"code/todo-added", ts, "f(); // TODO: later\n", "function f() {\n  // TODO: write it\n  throw new Error('not implemented');\n}\n"},
		"any of a library's type": {"code/untyped", ts, "const a: any = f();\nconst b: any = f();\nconst c: any = f();\n", "let a: H<any, any>;\nlet b: H<any, any>;\nlet c: H<any, any, any>;\n"},
		"waits for Go":            {"code/todo-added", "a.go", "package a\n\n// TODO: later\n", "package a\n\n// TODO: go1.7\n"},
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
	index := "import { run } from './run';\nexport interface Row { id: number }\nexport enum State { On }\nexport const first = run();\n"
	for use, want := range map[string]int{"let r: Row | undefined": 0, "let r = State.On": 1} {
		head := map[string]string{"src/index.ts": index, "src/run.ts": "import { Row, State } from './index';\nexport function run() { " + use + "; return 1 }\n"}
		if got := found(t, input(workflow.Implementation, nil, head, "src/index.ts", "src/run.ts"), "code/import-cycle"); len(got) != want {
			t.Errorf("%s: %+v", use, got)
		}
	}
}

// TestOnceAReview: of files that do the same one is named.
func TestOnceAReview(t *testing.T) {
	head := map[string]string{}
	var files []string
	for _, f := range []string{"a", "b", "c"} {
		name := "src/x/y/" + f + ".ts"
		files = append(files, name)
		head[name] = "export const z: any = p(q, r);\n"
	}
	if got := found(t, input(workflow.Implementation, nil, head, files...), "code/untyped"); len(got) != 1 || !strings.Contains(got[0].Description, "2 other files") {
		t.Errorf("%+v", got)
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
	} {
		text := "it('is', () => { expect(f()).toBe(1) })\n" + line + "\n"
		if got := found(t, input(workflow.Tests, nil, one(file, text), file), "tests/skipped"); len(got) != want {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

// TestFoldedWords: criteria that rest on one word are one finding, and all count
// in the score; a word beside an outcome is none.
func TestFoldedWords(t *testing.T) {
	text := criteria + "- It shows appropriate charts\n- It shows an appropriate message\n- It handles them gracefully\n- It rejects others with appropriate messages\n- Users need to see it quickly\n"
	in := input(workflow.Spec, nil, one("s.md", text), "s.md")
	got := found(t, in, "spec/criterion-not-testable")
	if len(got) != 3 || !strings.Contains(got[0].Description, "The same word is in s.md:") {
		t.Errorf("%+v", got)
	}
}

// TestUntestedLogic: what draws a page needs no test of its own.
func TestUntestedLogic(t *testing.T) {
	body := strings.Repeat("  n += 1;\n", 24)
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"logic":  {"export function f(n: number) {\n" + body + "  return n;\n}\n", 1},
		"a page": {"export function F() {\n  let n = 0;\n" + body + "  return <b>{n}</b>;\n}\n", 0},
	} {
		head := map[string]string{"specs/doing/a.md": "# A\n", "src/page.tsx": c.text}
		in := input(workflow.Implementation, nil, head, "src/page.tsx")
		in.Artifact.SpecPath = "specs/doing/a.md"
		if got := found(t, in, "implementation/no-tests"); len(got) != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestInterfaceAssertion: a test that only compiles where a type fits demands that.
func TestInterfaceAssertion(t *testing.T) {
	for body, want := range map[string]int{"var _ Phase = prompt{}": 0, "_ = prompt{}": 1} {
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
		in.Set.Files[i].Blob, in.Set.Files[i].OldBlob = map[string]string{"a.ts": "2", "a-old.ts": "1"}[f.Path], map[string]string{"a.ts": "1"}[f.Path]
	}
	if got := found(t, in, "code/todo-added"); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}
