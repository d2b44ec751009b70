package rules_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/workflow"
)

// TestBundleAmongTests: a bundle below test/ is one expression of many thousand nodes,
// each within the others, and is read in no more than a moment (it took five minutes).
func TestBundleAmongTests(t *testing.T) {
	const deep = 150
	bundle := strings.Repeat("(function(a){a(", deep) + strings.Repeat("b.c(1).d(2),", 3000) + "0" + strings.Repeat(")})(e)", deep) + "\n"
	if got := found(t, input(workflow.Tests, nil, one("test/dist/index.js", bundle), "test/dist/index.js"), "tests/empty"); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// TestSampleThirtySeven: what reads like a gap and is none.
func TestSampleThirtySeven(t *testing.T) {
	const (
		steps = "from pytest_bdd import scenario, then\n\n\n@scenario('cart.feature', 'Two pens')\ndef test_two_pens():\n    pass\n"
		idle  = "import pytest\n\n\n@pytest.mark.slow\ndef test_two_pens():\n    pass\n"
		stub  = "class A {\n  public string Line(string word) {\n    throw new NotImplementedException(%s);\n  }\n}\n"
		delta = "openspec/changes/cart/specs/cart/spec.md"
		ears  = "# Caller\n\n## Requirements\n\n- **1.1** The service shall name the tenants of who asks, each with the role.\n" +
			"- **1.2** If a tenant is not active, the service shall omit it.\n"
		typed = "test('types', () => {\n  // @ts-expect-error no such key\n  f({ a: 1 });\n  expect(true).toBe(true);\n});\n"
	)
	for name, c := range map[string]struct {
		kind             workflow.Type
		rule, file, text string
		want             workflow.Severity
	}{
		"steps of pytest-bdd":   {workflow.Tests, "tests/empty", "tests/test_cart.py", steps, ""},
		"a test without a line": {workflow.Tests, "tests/empty", "tests/test_cart.py", idle, workflow.High},
		"a reason": {
			workflow.Implementation, "code/stub-left", "A.cs",
			strings.Replace(stub, "%s", `"a binary file has no lines of words"`, 1), "counted",
		},
		"no reason": {workflow.Implementation, "code/stub-left", "A.cs", strings.Replace(stub, "%s", "", 1), workflow.Medium},
		"a name": {
			workflow.Implementation, "code/stub-left", "A.cs",
			strings.Replace(stub, "%s", `"Line"`, 1), workflow.Medium,
		},
		"not yet": {
			workflow.Implementation, "code/stub-left", "A.cs",
			strings.Replace(stub, "%s", `"words come a bit later"`, 1), workflow.Medium,
		},
		"no support": {
			workflow.Implementation, "code/stub-left", "A.cs",
			strings.Replace(stub, "%s", `"Função não suportada neste provedor"`, 1), "counted",
		},
		"a delta in the archive": {
			workflow.Spec, "spec/no-acceptance-criteria", "openspec/changes/archive/2026-01-01-cart/specs/cart/spec.md",
			"# Cart\n\nThe cart keeps the items of a visitor until the visitor leaves, and shows their sum with taxes.\n", "counted",
		},
		"a task's state": {workflow.Spec, "document/placeholder", delta, "# A\n\n## Purpose\n\nTasks are TODO/IN_PROGRESS/DONE.\n", ""},
		"a tag with a type": {
			workflow.Implementation, "code/sql-concatenation", "a.ts",
			"export async function get(id: string) {\n" +
				"  return sql<Record<string, unknown>>`select * from t where id = ${id}`.execute(db);\n}\n", "",
		},
		"a text beside a tag": {
			workflow.Implementation, "code/sql-concatenation", "a.ts",
			"export async function get(id: string) {\n  return [sql<Row>`select 1`, db.query(`select * from t where id = '${id}'`)];\n}\n",
			workflow.High,
		},
		"a text of SQL": {
			workflow.Implementation, "code/sql-concatenation", "a.ts",
			"export async function get(id: string) {\n  return db.query(`select * from t where id = '${id}'`);\n}\n", workflow.High,
		},
		"a public key": {
			workflow.Implementation, "code/secret", "a.py",
			"POSTHOG_API_KEY = 'phc_kT9vQ2mx7Z1aB3cD4eF5gH6iJ7kL8mN9'\n", "",
		},
		"a runner of Rust": {
			workflow.Tests, "tests/none", "tests/clock.rs",
			"#[madsim::test]\nasync fn drifts() {\n    assert_eq!(now(), 1);\n}\n", "",
		},
		"numbered demands": {workflow.Spec, "spec/no-acceptance-criteria", ".kiro/specs/caller/requirements.md", ears, ""},
		"rules of a form": {
			workflow.Implementation, "code/secret", "a.rb",
			"RULES = { password: 'required|string|min:8|confirmed' }\n", "",
		},
		"a hash": {
			workflow.Implementation, "code/secret", "a.rb",
			"PASSWORD_HASH = '$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'\n", "",
		},
		"a password": {workflow.Implementation, "code/secret", "a.rb", "PASSWORD = 'kT9!vQ2m#x7Z'\n", workflow.High},
		"a list of work": {
			workflow.Spec, "document/placeholder", delta,
			"# A\n\n## Purpose\n\n建立 TODO 清单与 TODO-to-task 映射\n", "",
		},
		"a link from its place": {workflow.Spec, "document/broken-link", delta, "# Cart\n\nAs [taxes](../taxes/spec.md) say.\n", ""},
		"a link to nothing": {
			workflow.Spec, "document/broken-link", delta,
			"# Cart\n\nAs [taxes](../tolls/spec.md) say.\n", workflow.Low,
		},
		"assertions of the type": {workflow.Tests, "tests/tautology", "a.test.ts", typed, ""},
		"no assertions of types": {
			workflow.Tests, "tests/tautology", "a.test.ts",
			strings.Replace(typed, "@ts-expect-error", "", 1), workflow.High,
		},
	} {
		t.Run(name, func(t *testing.T) {
			in := input(c.kind, nil, with(one(c.file, c.text), "openspec/specs/taxes/spec.md", "# Taxes\n"), c.file)
			if strings.HasPrefix(c.file, "openspec/") {
				in.Artifact.Layout = "openspec"
			}
			var got workflow.Severity
			for _, i := range found(t, in, c.rule) {
				got = i.Severity
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestEndsOfImports: many lines that end an import which never began are read at once.
func TestEndsOfImports(t *testing.T) {
	head := map[string]string{"src/a.ts": strings.Repeat("} from './b'\n", 30000), "src/b.ts": "import './a'\n"}
	if got := found(t, input(workflow.Implementation, nil, head, "src/a.ts"), "code/import-cycle"); len(got) > 1 {
		t.Errorf("%d findings", len(got))
	}
}
