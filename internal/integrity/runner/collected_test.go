package runner_test

import (
	"testing"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/integrity/runner"
)

// TestMovedAway: a test that moves from a path that the runner finds to one that it
// does not find is never taken for one that is found.
func TestMovedAway(t *testing.T) {
	for _, tt := range []struct {
		name     string
		tree     map[string]string
		yes, not []string
	}{
		{
			"pytest by default", nil,
			[]string{"tests/test_a.py", "a_test.py", "src/pkg/test_b.py"},
			[]string{
				"tests/a.py", "tests/conftest.py", "build/test_a.py", ".hidden/test_a.py", "node_modules/x/test_a.py",
				"tests/checks.py", "tests/Test_a.py",
			},
		},
		{
			"pytest by pytest.ini",
			map[string]string{"pytest.ini": "[pytest]\ntestpaths = tests integration\npython_files = check_*.py\naddopts = " +
				"--ignore=tests/slow --ignore-glob=**/*_old.py\nnorecursedirs = data\n"},
			[]string{"tests/check_a.py", "integration/x/check_b.py", "tests/build/check_c.py"},
			[]string{"tests/test_a.py", "check_a.py", "tests/slow/check_a.py", "tests/check_old.py", "tests/data/check_a.py"},
		},
		{
			"pytest by pyproject.toml",
			map[string]string{
				"pyproject.toml": "[tool.pytest.ini_options]\npython_files = [\"*_spec.py\"]\n",
				"setup.cfg":      "[tool:pytest]\npython_files = no.py\n",
			},
			[]string{"tests/a_spec.py"},
			[]string{"tests/test_a.py"},
		},
		{
			"an empty pytest.ini hides pyproject.toml",
			map[string]string{"pyproject.toml": "[tool.pytest.ini_options]\npython_files = [\"*_spec.py\"]\n", "pytest.ini": ""},
			[]string{"tests/test_a.py"},
			[]string{"tests/a_spec.py"},
		},
		{"Django", map[string]string{"manage.py": ""}, []string{"shop/tests.py"}, []string{"shop/views.py"}},
		{
			"jest by default",
			map[string]string{"package.json": `{"jest": {}}`},
			[]string{"src/__tests__/price.ts", "src/price.test.tsx", "price.spec.js", "test.js"},
			[]string{"src/price.ts", "node_modules/a/b.test.js", "src/price.tests.ts"},
		},
		{
			"jest by its configuration",
			map[string]string{"jest.config.js": `module.exports = { roots: ["<rootDir>/src"], testMatch: ["**/__tests__/**/*.test.ts"],` +
				` testPathIgnorePatterns: ["/node_modules/", "old"] };`},
			[]string{"src/__tests__/price.test.ts"},
			[]string{"__tests__/a.test.ts", "src/__tests__/old.test.ts", "src/price.test.ts"},
		},
		{
			"jest by a regular expression",
			map[string]string{"package.json": `{"jest": {"testRegex": "/specs/.*\\.[jt]s$"}}`},
			[]string{"a/specs/b.ts"},
			[]string{"a/b.test.ts"},
		},
		{
			"jest by one that is not understood",
			map[string]string{"package.json": `{"jest": {"testRegex": "^(?!x).*$"}}`},
			[]string{"a/b.test.ts"},
			[]string{"a/b.ts"},
		},
		{
			"jest in a package",
			map[string]string{
				"packages/web/jest.config.ts": `export default { testMatch: ["<rootDir>/test/*.ts"] };`,
				"package.json":                `{"scripts":{"test":"mocha"}}`,
			},
			[]string{"packages/web/test/a.ts", "test/b.js"},
			[]string{"packages/web/src/a.test.ts", "other/test.js"},
		},
		{
			"vitest",
			map[string]string{"vitest.config.ts": "import { defineConfig } from \"vitest/config\";\n" +
				`export default defineConfig({ test: { include: ["tests/**/*.spec.ts"], exclude: ["**/slow/**"] } });`},
			[]string{"tests/a/queue.spec.ts"},
			[]string{"tests/queue.test.ts", "tests/slow/a.spec.ts"},
		},
		{"vitest by default", map[string]string{
			"package.json":   `{"scripts":{"test":"vitest run"}}`,
			"vite.config.ts": `export default { test: {} };`,
		}, []string{"src/a.test.mts"}, []string{"src/__tests__/a.ts"}},
		{
			"mocha",
			map[string]string{".mocharc.json": `{"spec": "test/**/*.spec.js"}`},
			[]string{"test/a/b.spec.js"},
			[]string{"test/b.js", "test/b.spec.jsx"},
		},
		{
			"mocha by default",
			map[string]string{"package.json": `{"scripts":{"test":"mocha"}}`},
			[]string{"test/a.js"},
			[]string{"test/sub/a.js", "src/a.spec.js"},
		},
		{
			"mocha with arguments",
			map[string]string{"package.json": `{"scripts":{"test":"mocha --recursive 'specs/**/*.js'"}}`},
			[]string{"specs/a/b.js"},
			[]string{"test/a.js"},
		},
		{
			"node --test",
			map[string]string{"package.json": `{"scripts":{"test":"node --test"}}`},
			[]string{"test/a.js", "src/a.test.mjs", "src/a-test.cjs", "test-a.js"},
			[]string{"src/a.js"},
		},
		{"no JavaScript runner", nil, []string{"test/a.js", "src/a.test.ts"}, []string{"src/a.ts"}},
		{
			"go test", nil,
			[]string{"a/b_test.go", "a/b_linux_test.go", "linux_test.go", "windows_test.go"},
			[]string{
				"a/b.go", "a/b_windows_test.go", "a/b_arm64_test.go", "testdata/b_test.go", "vendor/x/b_test.go", "_old/b_test.go",
				"_b_test.go", ".b_test.go", "a/btest.go",
			},
		},
		{
			"Maven",
			map[string]string{"pom.xml": "<project/>"},
			[]string{
				"src/test/java/a/PriceTest.java", "src/test/java/TestPrice.java",
				"src/test/java/a/PriceIT.java", "src/test/java/a/PriceTests.java",
			},
			[]string{"src/test/java/a/PriceChecks.java", "src/main/java/a/PriceTest.java", "checks/PriceTest.java"},
		},
		{
			"Maven with patterns",
			map[string]string{"pom.xml": "<project><build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><configuration>" +
				"<includes><include>**/*Check.java</include></includes><excludes><exclude>**/Old*.java</exclude></excludes>" +
				"</configuration></plugin></plugins></build></project>"},
			[]string{"src/test/java/a/PriceCheck.java"},
			[]string{"src/test/java/a/PriceTest.java", "src/test/java/OldCheck.java"},
		},
		{
			"Gradle",
			map[string]string{"build.gradle": ""},
			[]string{"src/test/kotlin/Anything.kt", "src/integrationTest/java/A.java"},
			[]string{"src/main/java/A.java"},
		},
		{
			"RSpec",
			map[string]string{".rspec": "--require spec_helper\n"},
			[]string{"spec/a_spec.rb"},
			[]string{"spec/a.rb", "spec/spec_helper.rb", "spec/a_test.rb"},
		},
		{
			"RSpec with a pattern",
			map[string]string{".rspec": "--pattern spec/**/*_check.rb\n"},
			[]string{"spec/a/b_check.rb"},
			[]string{"spec/a_spec.rb"},
		},
		{
			"Minitest",
			map[string]string{"Rakefile": "Rake::TestTask.new { |t| t.pattern = \"test/**/*_test.rb\" }\n"},
			[]string{"test/a/b_test.rb"},
			[]string{"test/test_b.rb"},
		},
		{"Minitest by default", nil, []string{"test/b_test.rb", "test/test_b.rb"}, []string{"test/b.rb"}},
		{
			"Cargo",
			map[string]string{"Cargo.toml": "[package]\nname = \"a\"\n", "tests/rle.rs": "mod common;\n"},
			[]string{"tests/rle.rs", "src/lib.rs", "tests/big/main.rs", "tests/common/mod.rs"},
			[]string{"tests/sub/a.rs", "checks/a.rs"},
		},
		{
			"Cargo without automatic tests",
			map[string]string{"Cargo.toml": "[package]\nname = \"a\"\nautotests = false\n[[test]]\nname = \"b\"\npath = \"tests/b.rs\"\n"},
			[]string{"tests/b.rs"},
			[]string{"tests/a.rs"},
		},
		{
			".NET",
			map[string]string{"tests/T.csproj": `<Project><ItemGroup><Compile Remove="Old\**" /></ItemGroup></Project>`},
			[]string{"tests/RangeTests.cs"},
			[]string{"tests/Old/RangeTests.cs", "tests/obj/X.cs"},
		},
		{"another language", nil, []string{"tests/a_test.php"}, []string{"tests/data.json"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tree := changetest.Tree("c0ffee", tt.tree)
			c := runner.NewCollection(tree, tree)
			for _, from := range tt.yes {
				for _, to := range tt.not {
					if c.Moved(t.Context(), from, to) {
						t.Errorf("%s is found as %s was", to, from)
					}
				}
			}
		})
	}
}

// TestMoves are moves that change nothing of what is found.
func TestMoves(t *testing.T) {
	pytest := func(folder string) map[string]string {
		return map[string]string{"pytest.ini": "[pytest]\ntestpaths = " + folder + "\naddopts = -ra --ignore=" + folder + "/slow\n"}
	}
	pkg := map[string]string{"package.json": `{"name":"unit","scripts":{"test":"jest --coverage"},"jest":{"roots":["<rootDir>/src",` +
		`"<rootDir>/test"]}}`}
	for _, tt := range []struct {
		name     string
		was, is  map[string]string
		from, to string
	}{
		{"a folder below", pytest("tests"), pytest("tests"), "tests/test_a.py", "tests/unit/test_a.py"},
		{"another name", pytest("tests"), pytest("tests"), "tests/test_a.py", "tests/b_test.py"},
		{"with the configuration", pytest("tests"), pytest("checks"), "tests/test_a.py", "checks/test_a.py"},
		{"a folder of sources", pkg, pkg, "src/a.test.ts", "src/a/b.test.ts"},
		{"a spec", nil, nil, "src/a.test.js", "src/b/a.spec.js"},
		{"a package of Go", nil, nil, "a/b_test.go", "c/b_test.go"},
		{
			"a package of Java",
			map[string]string{"pom.xml": "<project/>"},
			map[string]string{"pom.xml": "<project/>"},
			"src/test/java/a/ATest.java", "src/test/java/b/BTest.java",
		},
		{
			"a folder of specs",
			map[string]string{".rspec": "--require spec_helper\n"},
			map[string]string{".rspec": "--require spec_helper\n"},
			"spec/a_spec.rb", "spec/models/a_spec.rb",
		},
		{
			"a crate's test",
			map[string]string{"Cargo.toml": "[package]\nname = \"a\"\n"},
			map[string]string{"Cargo.toml": "[package]\nname = \"a\"\n"},
			"tests/a.rs", "tests/b.rs",
		},
		{"a project's test", map[string]string{"T.csproj": "<Project/>"}, map[string]string{"T.csproj": "<Project/>"}, "A.cs", "Sub/B.cs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := runner.NewCollection(changetest.Tree("c0ffee", tt.was), changetest.Tree("beef", tt.is))
			if !c.Moved(t.Context(), tt.from, tt.to) {
				t.Errorf("%s is not found as %s was", tt.to, tt.from)
			}
		})
	}
}
