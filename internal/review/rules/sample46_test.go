package rules_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/workflow"
)

// TestWhatOnlyRan: a constant that is asserted after code ran blocks, but where the test says
// that the code shall not fail: then it is told.
func TestWhatOnlyRan(t *testing.T) {
	for body, want := range map[string]workflow.Severity{
		"expect(true).toBe(true);":                                               workflow.High,
		"expect(await save()).toBe(2);\n  expect(true).toBe(true);":              workflow.Low,
		"if (x) {\n    expect(await save()).toBe(2);\n  }\n  expect(1).toBe(1);": workflow.High,
		"await save();\n  expect(true).toBe(true);":                              workflow.High,
		"await save();\n  // No throw = passed\n  expect(true).toBe(true);":      workflow.Low,
		"// save does not throw\n  expect(true).toBe(true);":                     workflow.High,
		"await save();\n  expect(1).toBe(1); // if we reached here, it works":    workflow.Low,
	} {
		text := "test('saves', async () => {\n  " + body + "\n});\n"
		got := found(t, input(workflow.Tests, nil, one("a.test.ts", text), "a.test.ts"), "tests/tautology")
		if len(got) != 1 || got[0].Severity != want {
			t.Errorf("%q: %+v, want %s", body, got, want)
		}
	}
}

// TestValueInOtherTests: what another test of the head mentions is mentioned.
func TestValueInOtherTests(t *testing.T) {
	spec := "# A\n\nThe kind is `paper` | `glass` | `metal` | `wood`.\n"
	for name, c := range map[string]struct {
		other string
		want  int
	}{
		"nowhere":       {"test('b', () => { expect(f()).toBe(1); });\n", 1},
		"in another":    {"test('b', () => { expect(f('wood')).toBe(1); });\n", 0},
		"as part of it": {"test('b', () => { expect(f('woodland')).toBe(1); });\n", 1},
	} {
		in := input(workflow.Tests, nil, map[string]string{
			"specs/doing/a.md": spec, "b.test.ts": c.other,
			"a.test.ts": "test('a', () => { expect(f('paper', 'glass', 'metal')).toBe(1); });\n",
		}, "a.test.ts")
		in.Artifact.SpecPath = "specs/doing/a.md"
		if got := found(t, in, "tests/value-uncovered"); len(got) != c.want {
			t.Errorf("%s: %+v, want %d", name, got, c.want)
		}
	}
}

// TestDamagedComments: text that comes in another encoding than before in comments alone is read.
func TestDamagedComments(t *testing.T) {
	const was = "int f() {\n    return 1; // one\n}\n"
	for now, want := range map[string]workflow.Severity{
		"int f() {\n    return 2; // \xe4\n}\n":      "counted",
		"int f() {\n    return g(\"\xe4\"); //\n}\n": workflow.High,
	} {
		got := found(t, input(workflow.Implementation, one("src/A.java", was), one("src/A.java", now), "src/A.java"), "artifact/unreadable")
		if len(got) != 1 || got[0].Severity != want {
			t.Errorf("%q: %+v, want %s", now, got, want)
		}
	}
}

// TestSample46: what the people who judged samples 46 and 47 were right about.
func TestSample46(t *testing.T) {
	anys := strings.Repeat("const one: any = load();\n", 4)
	entity := func(other string) string {
		return "import { " + other + " } from './" + other + "';\n@Entity()\nexport class E {\n  @OneToOne(() => " + other + ") x: " +
			other + ";\n}\n"
	}
	long := strings.Repeat("def shop():\n    return compute(1, 2)\n\n\n", 520)
	for name, c := range map[string]struct {
		rule, bad, good string // files
		texts           map[string]string
	}{
		"any that a linter lets be": {"code/untyped", "src/a.ts", "src/b.ts", map[string]string{
			"src/a.ts": anys,
			"src/b.ts": strings.ReplaceAll(anys, "const", "// biome-ignore lint/suspicious/noExplicitAny: loose\nconst"),
		}},
		"entities": {"code/import-cycle", "src/parts/User.ts", "src/entity/User.ts", map[string]string{
			"src/parts/User.ts": entity("Card"), "src/parts/Card.ts": entity("User"),
			"src/entity/User.ts": entity("Card"), "src/entity/Card.ts": entity("User"),
		}},
		"what is kept": {"code/oversized-file", "src/a.py", "legacy/a.py", map[string]string{"src/a.py": long, "legacy/a.py": long}},
		"what a command prints": {"code/debug-leftover", "src/marks/table.py", "src/markscli/table.py", map[string]string{
			"src/marks/table.py": "def head(row):\n    print(row)\n", "src/markscli/table.py": "def head(row):\n    print(row)\n",
		}},
		"an error that is told": {"code/debug-leftover", "src/a.js", "src/b.js", map[string]string{
			"src/a.js": "export function f(rows) {\n  console.log(rows);\n}\n",
			"src/b.js": "export function f(errors) {\n  console.log(errors);\n}\n",
		}},
		"a mock server": {"code/untyped", "src/server.ts", "src/mock-server.ts", map[string]string{
			"src/server.ts":      anys,
			"src/mock-server.ts": anys,
		}},
	} {
		for file, want := range map[string]int{c.bad: 1, c.good: 0} {
			if got := found(t, input(workflow.Implementation, nil, c.texts, file), c.rule); len(got) != want {
				t.Errorf("%s: %s: %+v, want %d", name, file, got, want)
			}
		}
	}
}

// TestCompileOnly: a constant in a test of Rust that the compiler makes is told, and does not block.
func TestCompileOnly(t *testing.T) {
	for name, want := range map[string]workflow.Severity{"crate_compiles": workflow.Low, "crate_adds": workflow.High} {
		text := "use shop::Cart;\n\n#[test]\nfn " + name + "() {\n    assert!(true);\n}\n"
		file := "crates/compiler/tests/a.rs" // a crate that compiles says nothing of its tests
		got := found(t, input(workflow.Tests, nil, one(file, text), file), "tests/tautology")
		if len(got) != 1 || got[0].Severity != want {
			t.Errorf("%s: %+v, want %s", name, got, want)
		}
	}
}

// TestTape: what tape hands to a test asserts, but for what ends it.
func TestTape(t *testing.T) {
	for call, want := range map[string]int{"t.is(f(1), 1);": 0, "f(1);": 1, "t.comment(f(1));": 1} {
		text := "const test = require('tape');\n"
		for _, name := range []string{"a", "b", "c"} {
			text += "\ntest('" + name + "', t => {\n  " + call + "\n  t.end();\n});\n"
		}
		if got := found(t, input(workflow.Tests, nil, one("test/a.js", text), "test/a.js"), "tests/no-assertion"); len(got) != want {
			t.Errorf("%s: %+v, want %d", call, got, want)
		}
	}
}

// TestOnlyInRuby: a field of that name focuses no test of RSpec.
func TestOnlyInRuby(t *testing.T) {
	for line, want := range map[string]int{"expect(callback.only).to eq(1)": 0, "fit('b') { expect(1).to eq(f) }": 1} {
		text := "describe A do\n  it 'a' do\n    expect(f).to eq(2)\n  end\n  " + line + "\nend\n"
		if want == 0 {
			text = strings.Replace(text, "eq(2)", "eq(2)\n    "+line, 1)
		}
		if got := found(t, input(workflow.Tests, nil, one("spec/a_spec.rb", text), "spec/a_spec.rb"), "tests/focused"); len(got) != want {
			t.Errorf("%s: %+v, want %d", line, got, want)
		}
	}
}

// TestAssertionsOfOne: an object of testify's assertions gets no t, and what it is told is no value.
func TestAssertionsOfOne(t *testing.T) {
	for call, want := range map[string]int{
		"assert.True(loaded, \"loaded\")": 0, "assert.True(true)": 1, "assert.Equal(loaded, loaded())": 0, "assert.Equal(1, 1)": 1,
	} {
		text := "package a\n\nimport (\n\t\"testing\"\n\n\t\"github.com/stretchr/testify/assert\"\n)\n\nfunc TestA(t *testing.T) {\n" +
			"\tassert := assert.New(t)\n\tloaded := load()\n\t" + call + "\n}\n"
		if got := found(t, input(workflow.Tests, nil, one("a_test.go", text), "a_test.go"), "tests/tautology"); len(got) != want {
			t.Errorf("%s: %+v, want %d", call, got, want)
		}
	}
}

// TestLackedBefore: what a roadmap lacked before is counted, and no news.
func TestLackedBefore(t *testing.T) {
	const file, text = "ROADMAP.md", "# Roadmap\n\n## Features\n\n" +
		"- Selector of the effort for the chosen model\n- Locally installed skills of agents\n" +
		"- Creation of agents from their selector\n- Colouring of rendered Markdown and of its sources\n" +
		"- A list of the agents that run, with what each of them does at the moment and how long it has been at it\n"
	for name, c := range map[string]struct {
		before map[string]string
		want   workflow.Severity
	}{"new": {nil, workflow.Low}, "before": {one(file, strings.Replace(text, "Selector", "Choice", 1)), "counted"}} {
		got := found(t, input(workflow.Roadmap, c.before, one(file, text), file), "roadmap/no-order")
		if len(got) != 1 || got[0].Severity != c.want {
			t.Errorf("%s: %+v, want %s", name, got, c.want)
		}
	}
}

// TestSeedStatements: a statement in what fills a store for developers is told, and does not block.
func TestSeedStatements(t *testing.T) {
	text := "def add(cur, name):\n    cur.execute(f\"INSERT INTO users (name) VALUES ('{name}')\")\n"
	for file, want := range map[string]workflow.Severity{
		"seed_users.py": workflow.Low, "scripts/load.py": workflow.Low, "shop/sandbox/seed.py": workflow.Low,
		"shop/seedling.py": workflow.High, "shop/users.py": workflow.High,
	} {
		got := found(t, input(workflow.Implementation, nil, one(file, text), file), "code/sql-concatenation")
		if len(got) != 1 || got[0].Severity != want {
			t.Errorf("%s: %+v, want %s", file, got, want)
		}
	}
}
