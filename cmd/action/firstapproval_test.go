package main_test

import (
	"strings"
	"testing"
)

// TestFirstApproval: the first tests of a project are recorded with what configures their
// runner, and with helpers that no test loads yet.
func TestFirstApproval(t *testing.T) {
	t.Parallel()
	for name, head := range map[string]map[string]string{
		"pytest":            {"pyproject.toml": "[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\naddopts = \"-q\"\n"},
		"tox":               {"tox.ini": "[tox]\nenvlist = py3\n\n[testenv]\ncommands = pytest tests\n"},
		"an idle helper":    {"tests/helpers.py": "def user():\n    return \"ada\"\n"},
		"a program as data": {"tests/data/prog.py": "print(1)\n"},
		"a helper’s folder": {"test-utils/index.js": "exports.user = () => 'ada';\n"},
		"a runner that was configured before": {
			"playwright.config.ts": "export default { globalSetup: './tests/setup.ts', webServer: { command: 'npm run dev' } };\n",
			"tests/setup.ts":       "export default () => {};\n",
			"tests/login.spec.ts": "import { test, expect } from '@playwright/test';\n" +
				"test('greets', () => {\n  expect(greet()).toBe('hi');\n});\n",
		},
		"rspec": {
			"spec/login_spec.rb":  "RSpec.describe Login do\n  it('greets') { expect(Login.new.greet).to eq('hi') }\nend\n",
			"spec/spec_helper.rb": "RSpec.configure do |config|\n  config.order = :random\nend\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := map[string]string{
				"specs/doing/login.md": goodSpec, ".workflow/config.json": config, ".rspec": "--require spec_helper\n",
				"playwright.config.ts": "export default { webServer: { command: 'pnpm dev' } };\n",
			}
			dir := worktreeClone(t, recordingByRules(base),
				with(head, map[string]string{"app/auth.py": loginCode, "tests/test_auth.py": loginTest}))
			gitIn(t, dir, "switch", "-qc", "feature/login")
			gitIn(t, dir, "add", "-A")
			gitIn(t, dir, "commit", "-qm", "Test the sign-in")
			code, stdout, stderr := local(t, dir, "--base", "origin/main", "--engine", "rules", "--apply")
			if code != 0 {
				t.Fatalf("status %d\n%s\n%s", code, stdout, stderr)
			}
			recorded := gitIn(t, dir, "show", "HEAD:.workflow/approvals/login.json")
			for path := range head {
				if !strings.Contains(recorded, `"`+path+`"`) {
					t.Errorf("%s is not in\n%s", path, recorded)
				}
			}
		})
	}
}
