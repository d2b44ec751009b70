package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
)

// TestFormatsThatAreNotRead: who hands over a tool's own data is told the one command that exports it.
func TestFormatsThatAreNotRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ input, pattern, file, data, says string }{
		"coverage.py": {
			"coverage-report", ".coverage", ".coverage", "SQLite format 3\x00\x10\x00", "export it: coverage xml",
		},
		"JaCoCo": {
			"coverage-report", "build/*.exec", "build/test.exec", "\x01\xc0\xc0\x10\x07",
			"report build/test.exec --classfiles",
		},
		"Xcode": {
			"coverage-report", "*.xcresult", "Test.xcresult/Info.plist", "<plist/>", "cobertura Test.xcresult &gt;",
		},
		"a folder": {"coverage-report", "coverage", "coverage/lcov.info", "TN:\n", "name the files in it"},
		"TRX":      {"test-results", "*.trx", "a.trx", "\ufeff<TestRun/>", "dotnet test --logger junit"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, map[string]string{"ROADMAP.md": roadmap, "specs/doing/login.md": goodSpec},
				map[string]string{"tests/test_login.py": signInTest}, codextest.Always(answer("APPROVED")))
			file := filepath.Join(w.workspace, filepath.FromSlash(c.file))
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(c.data), 0o600); err != nil {
				t.Fatal(err)
			}
			w.inputs[c.input] = c.pattern
			o := w.run(w.pull("opened"))
			o.ends(2, "ERROR")
			says := strings.ReplaceAll(c.says, "&gt;", ">")
			if !strings.Contains(o.stdout+o.stderr, says) || w.model.Count() > 0 {
				t.Errorf("it does not say %q, or asked a model\n%s%s", says, o.stdout, o.stderr)
			}
		})
	}
}
