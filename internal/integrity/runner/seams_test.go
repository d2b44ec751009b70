package runner_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/integrity/runner"
)

// seam is a weakening at a seam of the closed list, with a look-alike that
// stays harmless; "" for none.
type seam struct{ path, before, cheat, honest string }

const (
	rustText    = "[package]\nname = \"a\"\n\n[[bin]]\nname = \"a\"\npath = \"src/main.rs\"\n"
	kotlinLimit = "tasks.jacocoTestCoverageVerification {\n  violationRules {\n    rule {\n      limit {\n" +
		"        minimum = \"0.85\".toBigDecimal()\n      }\n    }\n  }\n}\n"
	gradleText = "jar {\n  archiveBaseName = 'a'\n}\ntest {\n  useJUnitPlatform()\n}\n"
	gitlabText = "test:\n  image: python:3.12\n  script:\n    - pytest tests\n"
	circleText = "version: 2.1\njobs:\n  test:\n    docker:\n      - image: cimg/python\n    steps:\n      - checkout\n      - run: " +
		"pytest tests\n"
	pomText = "<project><build><plugins><plugin><artifactId>maven-jar-plugin</artifactId><version>1</version>" +
		"</plugin></plugins></build></project>"
	vitestText = "export default { test: { include: ['src/**'], typecheck: { enabled: true } } };\n"
)

// beside puts a command in front of the tests.
func beside(cmd string) string { return run(cmd, "pytest tests") }

func put(text, old, now string) string { return strings.Replace(text, old, now, 1) }

func command(c string) string { return in("pytest tests", c) }

// jobs is a pipeline whose matrix includes jobs besides those with a stable rack.
func jobs(entries ...string) string {
	return in("    steps", "    strategy:\n      matrix:\n        rack: [stable]\n        include:\n          - "+strings.Join(entries,
		"\n          - ")+"\n    steps")
}

var seams = map[string]seam{
	"a shell that only reads": {
		ci, flow, put(flow, "pytest tests\n", "pytest tests\n        shell: bash -n {0}\n"),
		put(flow, "pytest tests\n", "pytest tests\n        shell: bash --noprofile --norc -eo pipefail {0}\n"),
	},
	"a shell that tells its version": {
		ci, flow, put(flow, "pytest tests\n", "pytest tests\n        shell: sh --version {0}\n"),
		put(flow, "pytest tests\n", "pytest tests\n        shell: sh -e {0}\n"),
	},
	"a branch that is taken out": {
		ci, put(flow, "[pull_request]", "\n  pull_request:\n    branches: [main]"),
		put(flow, "[pull_request]", "\n  pull_request:\n    branches: [main, '!main']"),
		put(flow, "[pull_request]", "\n  pull_request:\n    branches: [main, next]"),
	},
	"all paths but some": {
		ci, put(flow, "[pull_request]", "\n  pull_request:"),
		put(flow, "[pull_request]", "\n  pull_request:\n    paths: ['**', '!src/**']"),
		put(flow, "[pull_request]", "\n  pull_request:\n    paths: ['**']"),
	},
	"an exclusion's exception": {
		".nycrc", `{"exclude": ["lib/**", "!lib/a.js"]}`, `{"exclude": ["lib/**"]}`,
		`{"exclude": ["!lib/a.js"]}`,
	},
	"a module as an alias": {
		"tsconfig.json", `{"compilerOptions": {}}`, `{"compilerOptions": {"paths": {"chai": ["src"]}}}`,
		`{"compilerOptions": {"paths": {"~/*": ["lib/*"]}}}`,
	},
	"a missing interpreter": {
		"tox.ini", "[tox]\nenvlist = py312\n",
		"[tox]\nenvlist = py312\nskip_missing_interpreters = true\n", "[tox]\nenvlist = py312\nmin_version = 4\n",
	},
	"assertions of a package": {
		"Cargo.toml", rustText, rustText + "[profile.dev.package.a]\ndebug-assertions = false\n",
		rustText + "[profile.dev.package.a]\nopt-level = 2\n",
	},
	"a program's tests": {"Cargo.toml", rustText, rustText + "test = false\n", rustText + "doc = false\n"},
	"folders that go ignores": {
		"go.mod", "module a\n\ngo 1.25\n", "module a\n\ngo 1.25\n\nignore ./price\n",
		"module a\n\ngo 1.26\n\nrequire b.io/c v1.2.3\n",
	},
	"a brace in quotes": {"build.gradle", gradleText, put(gradleText, "()\n",
		"()\n  testLogging { x = 'a' /* ' */ }\n  enabled = false\n"), put(gradleText, "()\n", "()\n  testLogging { events 'failed' }\n")},
	"one shard thrice": {
		ci, in("    steps", "    strategy:\n      matrix:\n        shard: [1, 2, 3]\n    steps"),
		in("    steps", "    strategy:\n      matrix:\n        shard: [1, 1, 1]\n    steps"),
		in("    steps", "    strategy:\n      matrix:\n        shard: [1, 2, 3, 4]\n    steps"),
	},
	"a key for jobs that stand there": {
		ci, jobs("{ rack: head, v: 2 }", "{ rack: old, v: 2 }"),
		jobs("{ rack: head, v: 2 }", "{ rack: stable, quiet: true }", "{ rack: old, v: 2 }"),
		jobs("{ rack: head, v: 2 }", "{ rack: '3.1', v: 2 }", "{ rack: old, v: 2 }"),
	},
	"a job that takes another's place": {
		ci, jobs("{ rack: head, v: 2 }", "{ rack: old, v: 2 }"),
		jobs("{ rack: '3.1', v: 2 }", "{ rack: head, v: 2 }"), jobs("{ rack: '3.1', v: 2 }", "{ rack: head, v: 2 }",
			"{ rack: old, v: 2 }"),
	},
	"a job between that may fit": {
		ci, jobs("{ rack: head, v: 2 }", "{ rack: old, v: 2 }"),
		jobs("{ rack: head, v: 2 }", "{ rack: '${{ env.R }}', quiet: true }", "{ rack: old, v: 2 }"),
		jobs("{ rack: head, v: 2 }", "{ rack: next, quiet: true }", "{ rack: old, v: 2 }"),
	},
	"a number in another form": {
		ci, jobs("{ rack: head, v: 2 }"),
		put(jobs("{ rack: 0x10, quiet: true }", "{ rack: head, v: 2 }"), "[stable]", "[stable, 16]"),
		put(jobs("{ rack: 17, quiet: true }", "{ rack: head, v: 2 }"), "[stable]", "[stable, 16]"),
	},
	"a job that is gone": {
		ci, jobs("{ rack: head, v: 2 }", "{ rack: old, v: 2 }"), jobs("{ rack: head, v: 2 }"),
		jobs("{ rack: head, v: 2 }", "{ rack: old, v: 2 }", "{ rack: next, v: 2 }"),
	},
	"another operator": {
		ci, command("pytest ${{ env.A == '1' && 'tests' || 'a' }}"),
		command("pytest ${{ env.A != '1' && 'tests' || 'a' }}"), command("pytest -v ${{ env.A == '1' && 'tests' || 'a' }}"),
	},
	"a script that is too long": {"run-tests.sh", "pytest tests\n", "pytest tests\n" + strings.Repeat("# more\n", 40_000) +
		"true\n", "pytest tests\n" + strings.Repeat("# more\n", 400)},
	"too many commands": {"run-tests.sh", "set -e\npytest tests\n", "set -e\n" + strings.Repeat("ls\n", 3000) +
		"pytest tests || true\n", "set -e\n" + strings.Repeat("ls\n", 300) + "pytest tests\n"},
	"a second document": {".gitlab-ci.yml", "spec: {}\n---\n" + gitlabText, "spec: {}\n---\n" +
		put(gitlabText, "pytest tests", "true"), ""},
	"a shell that goes on": {
		ci, run("pytest tests", "ls"),
		put(run("pytest tests", "ls"), "      - run: |", "      - shell: pwsh\n        run: |"),
		put(run("pytest tests", "ls"), "      - run: |", "      - shell: bash\n        run: |"),
	},
	"a script that tests call": {
		"package.json", `{"scripts":{"test":"npm run -s build && jest","build":"tsc"}}`,
		`{"scripts":{"test":"npm run -s build && jest","build":"tsc && node patch.js"}}`,
		`{"scripts":{"test":"npm run -s build && jest","build":"tsc --pretty"}}`,
	},
	"a job that sums up": {
		ci, sumUp("[unit]", "test ${{ needs.unit.result }} = success"), sumUp("[unit]", "echo ok"),
		sumUp("[unit, lint]", "test ${{ needs.unit.result }} = success"),
	},
	"results that are not asked for": {
		ci, sumUp("[unit, lint]", "./all-green '${{ toJSON(needs) }}'"),
		sumUp("[lint]", "./all-green '${{ toJSON(needs) }}'"), sumUp("[unit, lint]", "echo sum; ./all-green '${{ toJSON(needs) }}'"),
	},
	"an environment of a shell's text": {
		ci, command("bash -c 'pytest tests'"), command("PYTEST_ADDOPTS=-kx bash -c 'pytest tests'"),
		command("bash -c 'pytest -v tests'"),
	},
	"a shell's text that is only read": {
		ci, command("bash -c 'pytest tests'"), command("bash -nc 'pytest tests'"),
		command("bash -c \"pytest tests\""),
	},
	"a folder that is not left": {
		ci, run("pytest tests"), run("pushd a", "pushd b", "popd", "pytest tests"),
		run("pushd a", "pushd b", "popd", "popd", "pytest tests"),
	},
	"a folder of a pipe": {
		ci, run("cd web", "pytest tests"), run("cd web | cat", "pytest tests"),
		run("cd web", "ls | cat", "pytest tests"),
	},
	"a setting that is not reached": {
		"run-tests.sh", "set -e\npytest tests\nls\n", "ls none && set -e\npytest tests\nls\n",
		"set -eu\npytest tests\nls\n",
	},
	"a setting of a pipe": {
		"run-tests.sh", "set -e\npytest tests\nls\n", "set -e | cat\npytest tests\nls\n",
		"set -e\nls | cat\npytest tests\nls\n",
	},
	"the default task of rake": {ci, command("bundle exec rake"), command("true"), command("bundle exec rake --trace")},
	"tests of Django":          {ci, command("python manage.py test"), command("python manage.py check"), ""},
	"affected tests":           {ci, command("npx nx affected -t test"), command("npx nx affected -t lint"), ""},
	"tests of a target":        {ci, command("nx run-many --target=test"), command("nx run-many --target=build"), ""},
	"tests of a work space": {
		ci, command("yarn workspace web test"), command("yarn workspace web build"),
		command("yarn workspace web test --silent"),
	},
	"tests of hatch":           {ci, command("hatch run test"), command("hatch run lint"), command("hatch run test -v")},
	"sorted into a test":       {ci, flow, beside("sort -otests/test_a.py /dev/null"), beside("sort requirements.txt")},
	"a command by env":         {ci, flow, beside("env rm -r tests/slow"), beside("env")},
	"a remembered command":     {ci, flow, beside("hash -p ./fake pytest"), beside("hash -r")},
	"a compiler's file":        {ci, flow, beside("tsc --outFile tests/a.js x.ts"), beside("tsc --noEmit")},
	"an editable folder":       {ci, flow, beside("pip install -e fake"), beside("pip install -e .")},
	"an editable folder, long": {ci, flow, beside("pip install --editable=fake"), beside("pip install --quiet --upgrade pytest")},
	"a repository of npm":      {ci, flow, beside("npm install mallory/jest"), beside("npm install @types/jest")},
	"a local gem":              {ci, flow, beside("bundle config local.rspec ./fake"), beside("bundle config path vendor/bundle")},
	"a gem of a file":          {ci, flow, beside("gem install rspec.gem"), beside("gem install bundler")},
	"a command by rustup":      {ci, flow, beside("rustup run stable rm -r tests"), beside("rustup toolchain install stable")},
	"a source of dotnet":       {ci, flow, beside("dotnet restore -s ./fake"), beside("dotnet restore Shop.sln")},
	"a registry by setup": {
		ci, flow, in("      - run: pytest",
			"      - uses: actions/setup-node@v4\n        with:\n          registry-url: https://example.com\n      - run: pytest"),
		in("      - run: pytest", "      - uses: actions/setup-node@v4\n        with:\n          node-version: 22\n      - run: pytest"),
	},
	"a reporter of one's own":   {".mocharc.json", `{}`, `{"reporter": "./green.js"}`, `{"reporter": "dot"}`},
	"an interface of one's own": {".mocharc.json", `{}`, `{"ui": "./green.js"}`, `{"ui": "bdd"}`},
	"nothing that is measured":  {".nycrc", `{"lines": 90}`, `{"lines": 90, "instrument": false}`, `{"lines": 90, "cache": false}`},
	"tests that are cleaned": {
		"pom.xml", pomText, put(pomText, "</plugins>",
			"<plugin><artifactId>maven-clean-plugin</artifactId><executions><execution><phase>validate</phase><configuration><filesets>"+
				"<fileset><directory>src/test</directory></fileset></filesets></configuration></execution></executions></plugin>"+
				"</plugins>"),
		put(pomText, "<version>1", "<version>2"),
	},
	"resources over the tests": {
		"pom.xml",
		"<project><build><resources><resource><directory>a</directory></resource></resources></build></project>",
		"<project><build><resources><resource><directory>a</directory><targetPath>../test-classes</targetPath></resource></resources>" +
			"</build></project>",
		"<project><build><resources><resource><directory>b</directory></resource></resources></build></project>",
	},
	"a limit as Kotlin writes it": {
		"build.gradle.kts", kotlinLimit, put(kotlinLimit, "0.85", "0.75"), put(kotlinLimit, "0.85", "0.9"),
	},
	"tests in the block of another": {
		"build.gradle", gradleText, put(gradleText, "'a'\n", "'a'\n  tasks.test.enabled = false\n"),
		put(gradleText, "'a'\n", "'b'\n  manifest.attributes 'Title': 'b'\n"),
	},
	"no count": {
		ci, command("go test ./..."), command("go test -count=0 ./..."),
		command("go test -count=1 ./..."),
	},
	"no count by the environment": {
		ci, command("go test ./..."), command("GOFLAGS=-count=0 go test ./..."),
		command("GOFLAGS=-count=2 go test ./..."),
	},
	"no count by make": {
		ci, command("make test"), command("make test GOFLAGS=-count=0"),
		command("make test GOFLAGS=-race"),
	},
	"arguments of a file": {ci, flow, command("pytest tests @args.txt"), command("pytest tests checks")},
	"settings after the dashes": {
		ci, command("dotnet test Shop.sln"), command("dotnet test Shop.sln -- NUnit.Where=cat==fast"),
		command("dotnet test Shop.sln --nologo"),
	},
	"tests that are listed": {
		ci, command("npx vitest run src"), command("npx vitest list src"),
		command("npx vitest run src lib"),
	},
	"no tests of tox": {ci, command("tox"), command("tox -n"), command("tox -v")},
	"a pattern of the shell": {
		ci, command("npx mocha 'test/**/*.spec.js'"), command("npx mocha test/**/*.spec.js"),
		command("npx mocha \"test/**/*.spec.js\""),
	},
	"two arguments as one": {
		ci, command("npx jest --passWithNoTests a b"), command("npx jest --passWithNoTests 'a b'"),
		command("npx jest --passWithNoTests \"a\" 'b'"),
	},
	"a temporary folder of tests": {ci, flow, command("pytest tests --basetemp=tests/data"), command("pytest tests --durations=5")},
	"overflow that wraps":         {ci, command("cargo test"), command("cargo test --release"), command("cargo test --locked")},
	"the root package alone": {
		ci, command("cargo test --workspace"), command("cargo test"),
		command("cargo test --workspace --all-targets"),
	},
	"examples that are left out": {
		ci, command("pytest --doctest-modules tests"), command("pytest tests"),
		command("pytest --doctest-modules -v tests"),
	},
	"one package alone": {
		ci, command("npm test --workspaces"), command("npm test"),
		command("npm test --workspaces --silent"),
	},
}

// sumUp is a workflow with a job that is run after the tests whatever they came to.
func sumUp(needs, command string) string {
	return flow + "  ok:\n    needs: " + needs + "\n    if: always()\n    runs-on: ubuntu-latest\n    steps:\n      - run: " + command +
		"\n  lint:\n    runs-on: ubuntu-latest\n    steps:\n      - run: ruff check\n"
}

// TestSeams: see seam.
func TestSeams(t *testing.T) {
	around := runner.Surroundings{Unused: func(string) bool { return true }}
	for name, c := range seams {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if r := runner.Compare(t.Context(), c.path, []byte(c.before), []byte(c.cheat), around); len(r.Violations) == 0 {
				t.Errorf("the weakening is harmless: %q", r.Harmless)
			}
			if r := runner.Compare(t.Context(), c.path, []byte(c.before), []byte(c.honest), around); c.honest != "" &&
				(len(r.Violations) > 0) != asks[name] {
				t.Errorf("the look-alike is a change: %+v", r.Violations)
			}
		})
	}
}
