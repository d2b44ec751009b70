package runner_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/integrity/runner"
)

// TestARunnerExchangedForAnotherIsNoLostRun: another program that runs the same tests, or the command that a script of
// the approved package.json stands for; with more than that it is another run, and nothing is one too.
func TestARunnerExchangedForAnotherIsNoLostRun(t *testing.T) {
	const pack = `{"scripts": {"test:e2e": "playwright test", "test": "jest", "pretest": "tsc", "all": "jest && mocha"}}`
	for name, c := range map[string]struct{ before, after, want string }{
		"phpunit → paratest":           {"vendor/bin/phpunit", "vendor/bin/paratest", ""},
		"in four processes":            {"vendor/bin/phpunit", "vendor/bin/paratest -p 4", ""},
		"with its flags":               {"vendor/bin/phpunit --testdox tests", "vendor/bin/paratest tests", ""},
		"a script → what it is":        {"npm run test:e2e", "npx playwright test", ""},
		"of fewer tests":               {"vendor/bin/phpunit", "vendor/bin/paratest --filter Fast", "phpunit is now given --filter"},
		"of a script's fewer tests":    {"npm run test:e2e", "npx playwright test --grep smoke", "playwright is now given --grep=smoke"},
		"a failure that is ignored":    {"npm run test:e2e", "npx playwright test || true", "Test failures are ignored"},
		"without what came before it":  {"npm test", "npx jest", "the call of npm is gone"},
		"one of two":                   {"npm run all", "npx jest", "the call of npm is gone"},
		"a runner of something else":   {"npm run test:e2e", "npx vitest run", "the call of playwright is gone"},
		"commented out":                {"npm run test:e2e", "# npm run test:e2e", "the call of playwright is gone"},
		"commented out, of two alike":  {"vendor/bin/phpunit", "# vendor/bin/paratest", "the call of phpunit is gone"},
		"the same in another language": {"vendor/bin/phpunit", "pytest", "the call of phpunit is gone"},
	} {
		tree := runner.NewTree(func(p string) []byte {
			if p == "package.json" {
				return []byte(pack)
			}
			return nil
		})
		r := runner.Compare(t.Context(), ci, []byte(run(c.before)), []byte(run(c.after)), runner.Surroundings{Read: tree})
		var got []string
		for _, v := range r.Violations {
			got = append(got, v.Description)
		}
		if all := strings.Join(got, "\n"); (c.want == "") != (all == "") || !strings.Contains(all, c.want) {
			t.Errorf("%s: %q, want %q", name, all, c.want)
		}
	}
}
