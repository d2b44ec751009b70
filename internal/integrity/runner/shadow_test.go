package runner_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/integrity/runner"
)

func TestCompareNew(t *testing.T) {
	approved := map[string]string{
		"pyproject.toml": "[project]\nname = \"a\"\n\n[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\naddopts = " +
			"\"--strict-markers\"\nxfail_strict = true\n",
		"Makefile":             "test:\n\tpytest tests\n",
		"Rakefile":             "task :test\n",
		"taskfile.yml":         "tasks: {}\n",
		"package.json":         `{"scripts":{"test":"jest"},"jest":{"coverageThreshold":{"global":{"lines":90}}}}`,
		"web/.mocharc.json":    `{"spec":"test/**/*.js","forbid-only":true}`,
		"vite.config.ts":       "export default { test: { include: [\"src/**/*.test.ts\"] } };\n",
		"both/setup.cfg":       "[tool:pytest]\ntestpaths = tests\n",
		"both/pyproject.toml":  "[tool.coverage.report]\nfail_under = 90\n",
		"other/pyproject.toml": "[project]\nname = \"b\"\n",
	}
	for _, tt := range []struct{ name, path, after, want string }{
		{"an empty pytest.ini turns strictness off", "pytest.ini", "[pytest]\n", "pytest.ini:1/after config_narrowed"},
		{
			"asks: a pytest.ini with the same settings", "pytest.ini", "[pytest]\naddopts = --strict-markers\n",
			"pytest.ini:1/after config_narrowed",
		},
		{"a setup.cfg is hidden itself", "setup.cfg", "[metadata]\nname = a\n", ""},
		{"a pytest.ini that hides nothing", "other/pytest.ini", "[pytest]\nxfail_strict = true\n", ""},
		{"a tox.ini that hides another", "both/tox.ini", "[pytest]\ntestpaths = tests\n", "both/tox.ini:1/after config_narrowed"},
		{
			"a tox.ini that hides thresholds", "both/tox.ini", "[coverage:report]\nshow_missing = true\n",
			"both/tox.ini:1/after config_narrowed",
		},
		{"a tox.ini for something else", "both/tox.ini", "[flake8]\nmax-line-length = 99\n", ""},
		{"another makefile comes first", "GNUmakefile", "test:\n\t@echo ok\n", "GNUmakefile:1/after config_narrowed"},
		{"another rakefile comes first", "rakefile", "task :test\n", "rakefile:1/after config_narrowed"},
		{"another rakefile comes last", "Rakefile.rb", "task :test\n", ""},
		{"another taskfile comes first", "Taskfile.yml", "tasks: {}\n", "Taskfile.yml:1/after config_narrowed"},
		{"tasks that rake loads", "rakelib/x.rake", "Rake::Task[\"test\"].clear\n", "rakelib/x.rake:1/after config_changed"},
		{"other tasks that rake loads", "rakelib/x.rake", "task(:docs) { sh \"rdoc\" }\n", ""},
		{"more tests that rake loads", "lib/tasks/x.rake", "Rake::TestTask.new { |t| t.pattern = \"none\" }\n", "lib/tasks/x.rake:1/after config_changed"},
		{"tasks that only seem to be of tests", "lib/tasks/x.rake", "desc \"Inspect the latest\"\ntask(:db) { }\n", ""},
		{"a project's own user file", "tests/a.csproj.user", "<Project><PropertyGroup><IsTestProject>false</IsTestProject></PropertyGroup></Project>\n", "tests/a.csproj.user:1/after config_narrowed"},
		{"a pytest.toml with an empty table", "both/pytest.toml", "[pytest]\n", "both/pytest.toml:1/after config_narrowed"},
		{"a jest.config.js", "jest.config.js", "module.exports = { verbose: true };\n", "jest.config.js:1/after config_narrowed"},
		{"asks: a jest.config.js where there is none", "web/jest.config.js", "module.exports = {};\n", "web/jest.config.js:1/after config_changed"},
		{"a .mocharc.js", "web/.mocharc.js", "module.exports = {\n  spec: \"test/a.js\",\n};\n", "web/.mocharc.js:1/after config_narrowed"},
		{"a vitest.config.ts", "vitest.config.ts", "export default {};\n", "vitest.config.ts:1/after config_narrowed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := runner.Compare(tt.path, nil, []byte(tt.after), runner.Surroundings{Read: runner.NewTree(func(p string) []byte {
				if text, ok := approved[p]; ok {
					return []byte(text)
				}
				return nil
			})})
			var got []string
			for _, v := range r.Violations {
				got = append(got, place(v.File, v.Line, v.Side, v.Kind))
			}
			if tt.want == "" && len(got) > 0 || tt.want != "" && !strings.Contains(strings.Join(got, "\n"), tt.want) {
				t.Errorf("found %q, want %q; %+v", got, tt.want, r)
			}
		})
	}
}

// TestScriptsThatCallEachOther: scripts that call each other a thousand times are
// asked once each.
func TestScriptsThatCallEachOther(t *testing.T) {
	body := []byte("#!/bin/sh\n" + strings.Repeat("./a.sh\n./b.sh\n", 1000))
	tree := runner.NewTree(func(p string) []byte {
		if p == "a.sh" || p == "b.sh" {
			return body
		}
		return nil
	})
	if runner.RunsTests("a.sh", body, tree) {
		t.Error("a script that only calls itself runs tests")
	}
}
