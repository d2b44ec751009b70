package rules_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/workflow"
)

// TestTwentySixth: what the samples 22 to 25 showed to be no problem passes, and what is
// near it is still found.
func TestTwentySixth(t *testing.T) {
	const key = "const key = `-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----`;\n"
	const fallback = "def f(raw):\n    if raw:\n        try:\n" +
		"            return json.loads(raw)\n        except Exception:\n            pass\n"
	const zipkin = "import org.junit.*;\npublic class AT extends BaseT {\n  @Override @Test @Ignore(\"unsupported here\")" +
		" public void tags() {\n  }\n}\n"
	for name, c := range map[string]struct {
		kind             workflow.Type
		rule, file, text string
		want             int
	}{
		"a breakpoint": {
			workflow.Implementation, "code/debug-leftover", "src/a.ts",
			"export function f() {\n  debugger;\n}\n", 1,
		},
		"a key called debugger": {
			workflow.Implementation, "code/debug-leftover", "src/a.ts",
			"export const m = {\n  debugger: { f },\n}\n", 0,
		},
		"a script's result": {
			workflow.Implementation, "code/debug-leftover", "a.py",
			"r = f()\nprint(r)\n", 0,
		},
		"a function that prints": {
			workflow.Implementation, "code/debug-leftover", "a.py",
			"def g():\n    r = f()\n    print(r)\n", 1,
		},
		"a Go command": {
			workflow.Implementation, "code/debug-leftover", "g.go",
			"package main\n\nfunc f(x int) {\n\tfmt.Println(x)\n}\n", 0,
		},
		"a Go library": {
			workflow.Implementation, "code/debug-leftover", "g.go",
			"package g\n\nfunc f(x int) {\n\tfmt.Println(x)\n}\n", 1,
		},
		"a private key": {
			workflow.Implementation, "code/secret", "src/a.ts",
			key, 1,
		},
		"a private key for a test": {
			workflow.Tests, "code/secret", "src/a.test.ts",
			key, 0,
		},
		"a weakness by its number": {
			workflow.Implementation, "code/secret", "src/a.ts", "export const of = { password: 'CWE-521', secrets: 'CWE-798' };\n", 0,
		},
		"the result of a program": {
			workflow.Implementation, "code/debug-leftover", "a.py", "def main():\n    text = f()\n    print(text)\n", 0,
		},
		"a password twice": {
			workflow.Implementation, "code/secret", "a.sh",
			"PASSWORD='kX9#v2Lq'\nPASSWORD_DEFAULT='kX9#v2Lq'\n", 1,
		},
		"two passwords": {
			workflow.Implementation, "code/secret", "a.sh",
			"PASSWORD='kX9#v2Lq'\nADMIN_PASSWORD='8vN!wQz3'\n", 2,
		},
		"a next attempt below": {
			workflow.Implementation, "code/swallowed-error", "a.py",
			fallback + "    return other(raw)\n", 0,
		},
		"no next attempt": {
			workflow.Implementation, "code/swallowed-error", "a.py",
			fallback, 1,
		},
		"an ignored test, empty": {
			workflow.Tests, "tests/empty", "src/test/java/AT.java",
			zipkin, 0,
		},
		"a secret of inline tests": {
			workflow.Implementation, "code/secret", "src/a.rs",
			"fn f() {}\n#[cfg(test)]\nmod tests {\n    const SECRET: &str = \"kX9#v2Lq8vN!\";\n}\n", 0,
		},
		"a secret above such tests": {
			workflow.Implementation, "code/secret", "src/a.rs",
			"const SECRET: &str = \"kX9#v2Lq8vN!\";\n#[cfg(test)]\nmod tests {\n}\n", 1,
		},
		"a stub that a framework makes": {
			workflow.Tests, "tests/none", "app/tests.py",
			"from django.test import TestCase\n\n# Create your tests here.\n", 0,
		},
		"a helper where tests should be": {
			workflow.Tests, "tests/none", "tests/test_app.py", "def make_app():\n    return 1\n", 1,
		},
		"a roadmap of tasks": {workflow.Roadmap, "roadmap/no-outcome", "ROADMAP.md", "# Roadmap\n\n## Features\n\n- Cart\n- Sign-in\n", 1},
		"a roadmap of needs": {
			workflow.Roadmap, "roadmap/no-outcome", "ROADMAP.md",
			"# Roadmap\n\n## Features\n\n- Cart: needed for orders\n- Sign-in\n", 0,
		},
		"a script called test": {workflow.Tests, "tests/none", "test.ts", "function f() {\n  return 1;\n}\n", 0},
		"a fixture of a runner": {
			workflow.Tests, "tests/empty", "test/fixtures/skip.test.js",
			"describe('a', () => {\n  it('b', () => {\n  });\n});\n", 0,
		},
		"a call, then its name": {
			workflow.Tests, "tests/tautology", "src/test/java/AT.java",
			"class AT {\n  @Test\n  void a() {\n    assertThat(pool.wait(60))\n      .as(\"all end\")\n      .isTrue();\n" +
				"  }\n}\n", 0,
		},
		"a constant, then its name": {
			workflow.Tests, "tests/tautology", "src/test/java/AT.java",
			"class AT {\n  @Test\n  void a() {\n    assertThat(true).as(\"all end\").isTrue();\n  }\n}\n", 1,
		},
		"a mapping of tables": {
			workflow.Implementation, "code/sql-concatenation", "a.cs",
			"class M {\n  int F(string tableName, string keyName) {\n" +
				"    return Execute($\"DELETE FROM {tableName} WHERE {keyName} = @0\");\n  }\n}\n", 0,
		},
		"a value": {
			workflow.Implementation, "code/sql-concatenation", "a.cs",
			"class M {\n  int F(string tableName, string id) {\n" +
				"    return Execute($\"DELETE FROM {tableName} WHERE id = '{id}'\");\n  }\n}\n", 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := found(t, input(c.kind, nil, one(c.file, c.text), c.file), c.rule); len(got) != c.want {
				t.Errorf("want %d: %+v", c.want, got)
			}
		})
	}
}

// TestLinksOfTheChange: a link on a line that the change leaves alone is no news.
func TestLinksOfTheChange(t *testing.T) {
	const file = "specs/doing/a.md"
	was := "# A\n\nSee [b](../b.md).\n"
	for now, want := range map[string]int{
		was + "\nMore.\n": 0, was + "\nSee [c](../c.md).\n": 1,
		strings.Replace(was, "See", "Look at", 1): 0,
		was + "\nSee [d](src/d.ts:52).\n":         0, // from the root, with a line
		was + "\nSee [d](../d.ts).\n":             1,
	} {
		in := input(workflow.Spec, one(file, was), with(one(file, now), "src/d.ts", "1", "d.ts", "1"), file)
		if got := found(t, in, "document/broken-link"); len(got) != want {
			t.Errorf("%q: %+v", now, got)
		}
	}
}

// TestTestsOfTheGoPackage: a test of the same package needs no import to reach the code.
func TestTestsOfTheGoPackage(t *testing.T) {
	code := "package netbackup\n\nfunc FetchJobs(n int) int {\n\tif n > 9 {\n\t\treturn 9\n\t}\n" +
		strings.Repeat("\tn++\n", 40) + "\treturn n\n}\n"
	for test, want := range map[string]int{
		"package netbackup\n\nimport \"testing\"\n\nfunc TestAll(t *testing.T) {\n\tif FetchJobs(1) != 2 {\n\t\tt.Fail()\n\t}\n}\n": 0,
		"package netbackup\n\nimport \"testing\"\n\nfunc TestAll(t *testing.T) {\n\tif Other(1) != 2 {\n\t\tt.Fail()\n\t}\n}\n":     1,
	} {
		in := input(workflow.Implementation, nil, with(one("specs/doing/fetch.md", criteria), "nb/fetch.go", code, "nb/all_test.go", test),
			"nb/fetch.go")
		in.Artifact.SpecPath, in.Artifact.Feature = "specs/doing/fetch.md", "fetch"
		if got := found(t, in, "implementation/no-tests"); len(got) != want {
			t.Errorf("want %d: %+v", want, got)
		}
	}
}

// TestEmptiedFunctions: code that a change takes out of a function is told; stubs of
// before, and functions that are gone, are not.
func TestEmptiedFunctions(t *testing.T) {
	const was = "def allowed(user, doc):\n    if user.blocked:\n        raise PermissionError(user)\n    return doc.owner == user.id\n" +
		"\n\ndef later():\n    pass\n\n\nclass A:\n    def run(self):\n        return go(self)\n\n\n" +
		"class B:\n    def run(self):\n        pass\n"
	for now, want := range map[string]int{
		strings.Replace(was, was[24:strings.Index(was, "\n\n\ndef later")], "    pass", 1):         1,
		strings.Replace(was, "return go(self)", "return None", 1):                                  1,
		strings.Replace(was, "        pass", "        return go(1)", 1):                            0,
		strings.Replace(was, "    pass", "    return 2", 1):                                        0,
		strings.Replace(was, "class A:\n    def run(self):\n        return go(self)\n\n\n", "", 1): 0,
	} {
		got := found(t, input(workflow.Skeleton, one("a.py", was), one("a.py", now), "a.py"), "skeleton/emptied")
		if len(got) != want {
			t.Errorf("%+v, want %d of\n%s", got, want, now)
		}
	}
}
