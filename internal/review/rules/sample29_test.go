package rules_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/workflow"
)

// TestTwentyNinth: what the twenty-ninth sample was wrong in, and the same where it is right.
func TestTwentyNinth(t *testing.T) {
	const (
		delta    = "openspec/changes/a/specs/b/spec.md"
		scenario = "#### Scenario: One\n- **WHEN** it is asked\n- **THEN** it answers 3\n"
		mapping  = "## MODIFIED Requirements\n\n### Requirement: Permission flag mapping\n\nThe system SHALL map flags to permissions, " +
			"each of which is one of those in the table that the project keeps beside its settings for all the tools.\n\n"
		bare     = "# B\n\n## Requirements\n\n### Requirement: First\n\nThe system SHALL do it.\n\n"
		hole     = "- **[Attribute %]**: [What it is for in %] and [its source %]\n"
		key      = "export const k = 'sk-q8Wz3kLm9TxV2bNc7RfJ5hGd4YsP1uEa0';\n"
		anything = "export const a: any = f();\nexport const b: any = f();\nexport const c: any = f();\nexport const d: any = f();\n"
	)
	template := "# Feature Specification: [FEATURE NAME]\n\n"
	for _, n := range []string{"one", "two", "three", "four"} {
		template += strings.ReplaceAll(hole, "%", n)
	}
	for name, c := range map[string]struct {
		kind          workflow.Type
		rule          string
		before, after map[string]string
		want          int
	}{
		"a requirement called mapping": {workflow.Spec, "spec/no-acceptance-criteria", nil, one(delta, mapping+scenario), 0},
		"a scenario missed before": {
			workflow.Spec, "spec/requirement-without-scenario", one(delta, bare),
			one(delta, bare+"### Requirement: Second\n\nThe system SHALL do more.\n\n"+scenario), 0,
		},
		"a scenario taken out": {
			workflow.Spec, "spec/requirement-without-scenario", one(delta, bare+scenario), one(delta, bare), 1,
		},
		"a delta that renames": {
			workflow.Spec, "document/too-short",
			nil, one(delta, "## RENAMED Requirements\n- FROM: `### Requirement: A`\n- TO: `### Requirement: B`\n"), 0,
		},
		"a capability that is gone": {
			workflow.Spec, "spec/no-acceptance-criteria", nil, one(delta, "# A\n\n## Purpose\n\nDEPRECATED: it was removed.\n"), 0,
		},
		"in Spanish": {
			workflow.Spec, "spec/no-acceptance-criteria",
			nil, one(delta, "# Facturas\n\n"+strings.Repeat("El sistema guarda cada factura en la base.\n", 8)), 0,
		},
		"in English": {
			workflow.Spec, "spec/no-acceptance-criteria",
			nil, one(delta, "# Invoices\n\n"+strings.Repeat("The system keeps each invoice in its store.\n", 8)), 1,
		},
		"a note of nothing": {workflow.Spec, "document/too-short", nil, one(delta, "# A\n\nLater.\n"), 1},
		"a template":        {workflow.Spec, "document/placeholder", nil, one(delta, template), 1},
		"a template filled in": {
			workflow.Spec, "document/placeholder",
			nil, one(delta, strings.NewReplacer("[", "", "]", "").Replace(template)), 0,
		},
		"marks of tasks": {
			workflow.Spec, "document/placeholder",
			nil, one(delta, strings.Repeat("- [ ] T001 [Backend] [US1] Write it\n", 30)), 0,
		},
		"a key moved to another file": {
			workflow.Implementation, "code/secret",
			one("a.ts", key), with(one("a.ts", "export {};\n"), "b.ts", key), 0,
		},
		"a key": {
			workflow.Implementation, "code/secret",
			one("a.ts", "export {};\n"), with(one("a.ts", "export {};\n"), "b.ts", key), 1,
		},
		"any, as the linter has it": {
			workflow.Implementation, "code/untyped",
			nil, with(one("b.ts", anything), "biome.json", `{"linter": {"noExplicitAny": "off"}}`), 0,
		},
		"any": {
			workflow.Implementation, "code/untyped",
			nil, with(one("b.ts", anything), "biome.json", `{"linter": {}}`), 1,
		},
		"any, in a helper of tests": {workflow.Implementation, "code/untyped", nil, one("src/test-utils.ts", anything), 0},
		"a step that is not taken back": {
			workflow.Implementation, "code/stub-left", nil,
			one("alembic/versions/20260513_0010_drop.py", "def downgrade():\n    raise NotImplementedError(\"one way\")\n"), 0,
		},
		"a stream closed": {
			workflow.Implementation, "code/swallowed-error", nil, one("a.go",
				"package a\n\nfunc f() {\n\tif err := s.Flush(); err != nil {\n\t\t// we have the data\n\t\t_ = err\n\t}\n}\n"), 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			file := delta
			for f, text := range c.after {
				if c.before[f] != text && !strings.HasSuffix(f, ".json") && (f != "a.ts" || c.before == nil) {
					file = f
				}
			}
			in := input(c.kind, c.before, c.after, file)
			if c.kind == workflow.Spec {
				in.Artifact.Layout = "openspec"
			}
			if got := found(t, in, c.rule); len(got) != c.want {
				t.Errorf("want %d: %+v", c.want, got)
			}
		})
	}
}
