package rules_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/workflow"
)

// TestSample52: what two more samples of unseen projects showed.
func TestSample52(t *testing.T) {
	const token = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI5OTg3NjU0IiwibmFtZSI6IkFkYSJ9.Qk3vZx9mWp2LrT8sYh6DfG1jB4nC7aV0eU5iO"
	const code = workflow.Implementation
	high, medium := []workflow.Severity{workflow.High}, []workflow.Severity{workflow.Medium}
	for name, c := range map[string]struct {
		typ              workflow.Type
		rule, file, text string
		want             []workflow.Severity
	}{
		"a token": {code, "code/secret", "src/a.js", "const t = '" + token + "';\n", high},
		"a token of a documentation": {
			code, "code/secret", "src/a.js",
			"/**\n *   example:\n *     t: " + token + "\n */\nf();\n", nil,
		},
		"a token of manuals": {
			code, "code/secret", "src/a.js",
			"const t = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4ifQ." +
				"SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c';\n", nil,
		},
		"a comment of SQL": {code, "code/secret", "db/admin.sql", "-- \"password\": \"Adm1n@12345\"\nSELECT 1;\n", nil},
		"Django's key of development": {
			code, "code/secret", "shop/settings.py", "SECRET_KEY = 'django-insecure-72c10ff#d^2wmf%17^3%*y!+a3jeb6mr&5'\n",
			medium,
		},
		"a value that is encrypted": {
			code, "code/secret", "src/a.js", "const apiKey = 'v1:0bc4123026372fec13213060b3de1231:815ef101318c13';\n", nil,
		},
		"a key too short to be one": {
			code, "code/secret", "src/a.js",
			"const k = '-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC=\\n-----END PRIVATE KEY-----\\n';\n", nil,
		},
		"a key": {
			code, "code/secret", "src/a.js",
			"const k = '-----BEGIN PRIVATE KEY-----\\n" + strings.Repeat("MIIEvQIBADANBgkqhkiG9w0B", 8) +
				"\\n-----END PRIVATE KEY-----\\n';\n", high,
		},
		"settings of developers": {
			code, "code/secret", "appsettings.Development.json", `{"Seed": {"Password": "S3cr3t!pass99"}}` + "\n", medium,
		},
		"placeholders that are joined": {
			code, "code/sql-concatenation", "a.go",
			"package a\n\nfunc add(ips []IP) string {\n\tvalues := []string{}\n\tfor i := range ips {\n" +
				"\t\tvalues = append(values, fmt.Sprintf(\"($1, $%d)\", i+2))\n\t}\n" +
				"\treturn \"INSERT INTO ips (pool, ip) VALUES \" + strings.Join(values, \", \")\n}\n", nil,
		},
		"values that are joined": {
			code, "code/sql-concatenation", "a.go",
			"package a\n\nfunc Add(names []string) string {\n\tvalues := []string{}\n\tfor _, n := range names {\n" +
				"\t\tvalues = append(values, fmt.Sprintf(\"('%s')\", n))\n\t}\n" +
				"\treturn \"INSERT INTO users (name) VALUES \" + strings.Join(values, \", \")\n}\n", high,
		},
		"a test that a crate compiles": {
			workflow.Tests, "tests/empty", "tests/a.rs", "#[test]\nfn crate_compiles_on_host() {}\n", nil,
		},
		"a name that is left out": {
			workflow.Spec, "document/placeholder", "specs/proposed/a.md", "# A\n\n## Purpose\n\nIt knows that I am XXX from YYY.\n", nil,
		},
		"a logger that fails": {
			code, "code/swallowed-error", "a.py",
			"class A:\n  def _log(self, m):\n    try:\n      self._logger(m)\n    except Exception:\n      pass\n    self.n += 1\n", nil,
		},
		"a test for Go's compiler": {
			workflow.Tests, "tests/empty", "a_test.go",
			"package a\n\nimport \"testing\"\n\nfunc TestAlias(t *testing.T) {\n\tvar a Out\n\tvar b Other\n\ta = b\n\t_ = a\n}\n", nil,
		},
		"one that only sets": {
			workflow.Tests, "tests/empty", "a_test.go",
			"package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tvar a *Out\n\ta = nil\n\t_ = a\n}\n", high,
		},
	} {
		got := found(t, input(c.typ, nil, one(c.file, c.text), c.file), c.rule)
		if len(got) != len(c.want) || len(got) > 0 && got[0].Severity != c.want[0] {
			t.Errorf("%s: %+v, want %v", name, got, c.want)
		}
	}
}
