package runner_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/integrity/runner"
)

const flow = "on: [pull_request]\njobs:\n  unit:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - " +
	"run: pip install -e .\n      - run: pytest tests\n"

// in puts a text in the place of another in the workflow above.
func in(old, now string) string { return strings.Replace(flow, old, now, 1) }

// steps are the steps of a job in the place of the run of pytest.
func run(lines ...string) string {
	return in("run: pytest tests", "run: |\n          "+strings.Join(lines, "\n          "))
}

const (
	ci       = ".github/workflows/ci.yml"
	makeText = "test: deps\n\tpytest tests\n\ndeps:\n\tpip install -e .\n"
	pkgText  = `{"scripts": {"test": "jest --coverage", "lint": "eslint ."}, "devDependencies": {"jest": "^29.0.0"}}`
	jestText = "module.exports = { testMatch: ['**/*.test.js'], coverageThreshold: { global: { lines: 90 } } };\n"
	tomlText = "[project]\nname = \"a\"\ndependencies = [\"rich\"]\n\n[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\naddopts = \"-q " +
		"--strict-markers\"\n\n[tool.black]\nline-length = 88\n"
)

// asks are the look-alikes that need a new approval.
var asks = map[string]bool{"a kept status that is reset": true}

// TestAimed are weakenings that were aimed at the seams of the closed list,
// each with a change beside it that looks like it and is harmless.
func TestAimed(t *testing.T) {
	for name, c := range map[string]struct{ path, before, cheat, honest string }{
		"exit 00":            {ci, flow, run("pytest tests || exit 00"), run("pytest tests || exit 3")},
		"an arithmetic zero": {ci, flow, run("pytest tests || exit $((0))"), run("pytest tests || { echo failed; exit 1; }")},
		"exit 256":           {ci, flow, run("pytest tests || exit 256"), run("pytest tests || exit 255")},
		"a trap":             {ci, flow, run("trap 'exit $((0))' EXIT", "pytest tests"), run("echo start", "pytest tests")},
		"a colon":            {ci, flow, run("pytest tests || :"), run(":", "pytest tests")},
		"an if around": {
			ci, flow, run("if pytest tests; then echo ok; fi"),
			run("if ! pytest tests; then echo no; exit 1; fi"),
		},
		"an if that exits with a command": {
			ci, flow, run("if ! pytest tests; then exit $(echo 0); fi"),
			run("if ! pytest tests; then cat log; exit 2; fi"),
		},
		"a pipe": {ci, flow, run("pytest tests | tee x.log"), run("set -o pipefail", "pytest tests | tee x.log")},
		"a pipe into a file of the tests": {
			ci, flow, run("set -o pipefail", "pytest tests | tee tests/expected.json"),
			run("set -o pipefail", "pytest tests 2>&1 | tee test.log"),
		},
		"in the background": {ci, flow, run("pytest tests &", "wait"), run("pytest tests", "ls")},
		"set +e":            {ci, flow, run("set +e", "pytest tests", "true"), run("set -eu", "pytest tests", "true")},
		"a function of its name": {
			ci, flow, run("pytest() { command pytest \"$@\" || return 0; }", "pytest tests"),
			run("command -v pytest", "pytest tests"),
		},
		"an alias": {
			ci, flow, run("alias pytest='pytest -k a'", "pytest tests"),
			run("which pytest", "pytest tests"),
		},
		"PATH in front": {ci, flow, run("PATH=./fake:$PATH pytest tests"), run("FORCE_COLOR=1 pytest tests")},
		"PATH by export": {
			ci, flow, run("export PATH=$PWD/fake:$PATH", "pytest tests"),
			run("export CI=true", "pytest tests"),
		},
		"PATH of later steps": {
			ci, flow, in("      - run: pytest",
				"      - run: echo ./fake >> $GITHUB_PATH\n      - run: pytest"),
			in("      - run: pytest", "      - run: echo done >> $GITHUB_STEP_SUMMARY\n      - run: pytest"),
		},
		"a workflow command": {
			ci, flow, in("      - run: pytest",
				"      - run: echo ::add-path::./fake\n      - run: pytest"),
			in("      - run: pytest", "      - run: echo path\n      - run: pytest"),
		},
		"a kept status that is reset": {
			"run-tests.sh", "pytest tests\n", "pytest tests || s=$?\ns=0\nexit $s\n",
			"s=0\npytest tests || s=$?\nexit $s\n",
		},
		"a status that a loop loses": {
			"run-tests.sh", "set -e\npytest tests\n",
			"set -e\nfor i in 1; do pytest tests || break; done\n", "set -e\nls\npytest tests\n",
		},
		"a subshell's exit": {
			"run-tests.sh", "pytest tests || exit 1\necho ok\n", "(pytest tests || exit 1)\necho ok\n",
			"pytest tests || exit 2\necho fine\n",
		},
		"a package from elsewhere": {
			ci, flow, in("pip install -e .", "pip install -e . git+https://example.com/pytest"),
			in("pip install -e .", "pip install -e .[test] pytest-xdist==3.5"),
		},
		"another index": {
			ci, flow, in("pip install -e .", "pip install --index-url https://example.com -e ."),
			in("pip install -e .", "pip install --upgrade -e ."),
		},
		"npm from a folder": {
			ci, in("pytest tests", "npm test"),
			strings.Replace(in("pytest tests", "npm test"), "pip install -e .", "npm install ./fake/jest", 1),
			strings.Replace(in("pytest tests", "npm test"), "pip install -e .", "pip install -e . && npm ci", 1),
		},
		"python without assertions": {
			ci, in("pytest tests", "python -m pytest tests"),
			in("pytest tests", "python -O -m pytest tests"), in("pytest tests", "python3 -m pytest tests"),
		},
		"npx of another package": {"package.json", pkgText, strings.Replace(pkgText, "jest --coverage",
			"npx -p ./fake jest --coverage", 1), strings.Replace(pkgText, "jest --coverage", "npx jest --coverage", 1)},
		"an alias of a package": {
			"package.json", pkgText, strings.Replace(pkgText, "^29.0.0", "npm:fake-jest@1", 1),
			strings.Replace(pkgText, "^29.0.0", "^30.1.0", 1),
		},
		"a git dependency": {
			"package.json", pkgText, strings.Replace(pkgText, "^29.0.0", "mallory/jest#main", 1),
			strings.Replace(pkgText, "^29.0.0", ">=29 <31", 1),
		},
		"a pre-script": {"package.json", pkgText, strings.Replace(pkgText, `"lint"`, `"pretest": "node x.js", "lint"`,
			1), strings.Replace(pkgText, `"lint"`, `"format": "prettier .", "lint"`, 1)},
		"a key that nobody named": {"package.json", pkgText, strings.Replace(pkgText, `"scripts"`,
			`"jest": {"unheardOf": 1}, "scripts"`, 1), strings.Replace(pkgText, `"scripts"`, `"description": "x", "scripts"`, 1)},
		"a plugin of pytest": {
			"pyproject.toml", tomlText, strings.Replace(tomlText, "-q ", "-p quiet ", 1),
			strings.Replace(tomlText, "-q ", "-p no:cacheprovider -q ", 1),
		},
		"an unknown key of pytest": {
			"pyproject.toml", tomlText,
			strings.Replace(tomlText, "addopts", "python_unheard = \"x\"\naddopts", 1),
			strings.Replace(tomlText, "addopts", "minversion = \"8\"\naddopts", 1),
		},
		"an unknown tool": {"pyproject.toml", tomlText, tomlText + "\n[tool.unheard]\nx = 1\n", tomlText +
			"\n[tool.ruff]\nline-length = 1\n"},
		"a dependency by its address": {
			"pyproject.toml", tomlText,
			strings.Replace(tomlText, `"rich"`, `"rich", "pytest @ file:///fake"`, 1),
			strings.Replace(tomlText, `"rich"`, `"rich>=13", "attrs"`, 1),
		},
		"a backend of the build": {"pyproject.toml", tomlText, tomlText +
			"\n[build-system]\nbuild-backend = \"fake\"\nbackend-path = [\".\"]\n", tomlText +
			"\n[build-system]\nrequires = [\"setuptools>=70\"]\n"},
		"a second harness": {
			"Cargo.toml",
			"[package]\nname = \"a\"\n[[test]]\nname = \"a\"\n[[test]]\nname = \"b\"\nharness = false\n",
			"[package]\nname = \"a\"\n[[test]]\nname = \"a\"\nharness = false\n[[test]]\nname = \"b\"\n",
			"[package]\nname = \"a\"\n[[test]]\nname = \"a\"\n[[test]]\nname = \"b\"\nharness = true\n",
		},
		"a module of a work space": {
			"go.work", "go 1.24\n\nuse .\n", "go 1.24\n\nuse (\n\t.\n\t./testify\n)\n",
			"go 1.25\n\nuse .\n",
		},
		"a matrix of one": {
			ci, in("    steps", "    strategy:\n      matrix:\n        os: [linux, mac]\n    steps"),
			in("    steps", "    strategy:\n      matrix:\n        os: [linux, linux]\n    steps"),
			in("    steps", "    strategy:\n      matrix:\n        os: [linux, mac, win]\n    steps"),
		},
		"a default shell": {
			ci, run("pytest tests", "ls"),
			strings.Replace(run("pytest tests", "ls"), "jobs:", "defaults:\n  run:\n    shell: bash {0}\njobs:", 1),
			strings.Replace(run("pytest tests", "ls"), "jobs:", "defaults:\n  run:\n    shell: bash\njobs:", 1),
		},
		"an action nobody knows": {
			ci, flow, in("      - run: pytest", "      - uses: mallory/prepare@v1\n      - run: pytest"),
			in("      - run: pytest", "      - uses: actions/setup-node@v4\n      - run: pytest"),
		},
		"a script of actions": {
			ci, flow, in("      - run: pytest",
				"      - uses: actions/github-script@v7\n        with:\n          script: x()\n      - run: pytest"),
			in("      - run: pytest", "      - uses: actions/cache@v4\n        with:\n          path: ~/.cache\n      - run: pytest"),
		},
		"an environment": {
			ci, flow, in("    steps", "    env:\n      SKIP_SLOW: 1\n    steps"),
			in("    steps", "    env:\n      FORCE_COLOR: 1\n    steps"),
		},
		"a job that may be skipped": {ci, flow, in("    runs-on", "    needs: pre\n    runs-on") +
			"  pre:\n    if: false\n    runs-on: x\n    steps: []\n", in("    runs-on", "    needs: pre\n    runs-on") +
			"  pre:\n    runs-on: x\n    steps:\n      - run: ls\n"},
		"fewer pull requests": {
			ci, flow, in("on: [pull_request]", "on:\n  pull_request:\n    types: [labeled]"),
			in("on: [pull_request]", "on:\n  pull_request:\n    paths-ignore: ['docs/**']"),
		},
		"a shell that runs nothing": {ci, flow, in("      - run: pytest tests",
			"      - run: pytest tests\n        shell: 'true {0}'"), in("      - run: pytest tests",
			"      - run: pytest tests\n        shell: bash")},
		"a container of one's own": {
			ci, flow, in("    steps", "    container: mallory/python\n    steps"),
			in("    steps", "    container: python:3.13\n    steps"),
		},
		"a matrix that a condition asks": {
			ci, in("    steps", "    continue-on-error: ${{ matrix.x }}\n    steps"),
			in("    steps", "    continue-on-error: ${{ matrix.x }}\n    strategy:\n      matrix:\n        x: [true]\n    steps"),
			in("    steps", "    continue-on-error: ${{ matrix.x }}\n    strategy:\n      matrix:\n        python: ['3.12']\n    steps"),
		},
		"a cache of tests": {
			ci, flow, in("      - run: pytest",
				"      - uses: actions/cache@v4\n        with:\n          path: tests\n      - run: pytest"),
			in("      - run: pytest", "      - uses: actions/cache@v4\n        with:\n          path: node_modules\n      - run: pytest"),
		},
		"an index by the environment": {
			ci, flow, in("    steps", "    env:\n      PIP_INDEX_URL: https://example.com\n    steps"),
			in("    steps", "    env:\n      PIP_NO_CACHE_DIR: 1\n    steps"),
		},
		"CI turned off": {
			ci, flow, in("    steps", "    env:\n      CI: ''\n    steps"),
			in("    steps", "    env:\n      CI: true\n    steps"),
		},
		"a program named like the runner": {"pyproject.toml", tomlText, tomlText + "[project.scripts]\npytest = \"a:main\"\n", tomlText +
			"[project.scripts]\na = \"a:main\"\n"},
		"a program in setup.cfg": {
			"setup.cfg", "[options]\n",
			"[options]\n[options.entry_points]\nconsole_scripts =\n  pytest = a:b\n",
			"[options]\n[options.entry_points]\nconsole_scripts =\n  a = a:b\n",
		},
		"a binary of npm": {"package.json", pkgText, strings.Replace(pkgText, `"scripts"`,
			`"bin": {"jest": "x.js"}, "scripts"`, 1), strings.Replace(pkgText, `"scripts"`, `"bin": {"a": "x.js"}, "scripts"`, 1)},
		"a work space named like jest": {"package.json", pkgText, strings.Replace(pkgText, `"scripts"`,
			`"workspaces": ["jest"], "scripts"`, 1), strings.Replace(pkgText, `"scripts"`, `"keywords": ["jest"], "scripts"`, 1)},
		"another registry": {
			".npmrc", "fund=false\n", "registry=https://example.com\n",
			"registry=https://registry.npmjs.org/\nfund=false\n",
		},
		"an alias of a path": {
			"tsconfig.json", `{"compilerOptions": {}}`,
			`{"compilerOptions": {"paths": {"@/price": ["alt/price.ts"]}}}`, `{"compilerOptions": {"paths": {"@/*": ["src/*"]}}}`,
		},
		"another base of paths": {
			"tsconfig.json", `{"compilerOptions": {}}`, `{"compilerOptions": {"baseUrl": "alt"}}`,
			`{"compilerOptions": {"strict": true}}`,
		},
		"a packaging without tests": {
			"pom.xml", "<project><packaging>jar</packaging></project>",
			"<project><packaging>pom</packaging></project>", "<project><packaging>jar</packaging><name>a</name></project>",
		},
		"another parent": {
			"pom.xml", "<project><parent><artifactId>a</artifactId><version>1</version></parent></project>",
			"<project><parent><artifactId>b</artifactId><version>1</version></parent></project>",
			"<project><parent><artifactId>a</artifactId><version>2</version></parent></project>",
		},
		"a new version of what measures": {
			"pom.xml", "<project><properties><jacoco.min>0.9</jacoco.min><jacoco.version>1.4</jacoco.version></properties></project>",
			"<project><properties><jacoco.min>0.8</jacoco.min><jacoco.version>1.5</jacoco.version></properties></project>",
			"<project><properties><jacoco.min>0.9</jacoco.min><jacoco.version>1.5</jacoco.version></properties></project>",
		},
		"a repository of packages": {
			"pom.xml", "<project></project>",
			"<project><repositories><repository><url>http://x</url></repository></repositories></project>",
			"<project><url>http://x</url></project>",
		},
		"an alias of Assert": {
			"tests/A.Tests.csproj", "<Project><ItemGroup></ItemGroup></Project>",
			`<Project><ItemGroup><Using Include="Fake" Alias="Assert"/></ItemGroup></Project>`,
			`<Project><ItemGroup><PackageReference Include="xunit" Version="3.0"/></ItemGroup></Project>`,
		},
		"a feature that is no longer on": {
			"Cargo.toml", "[features]\ndefault = [\"slow\"]\nslow = []\n",
			"[features]\ndefault = []\nslow = []\n", "[features]\ndefault = [\"slow\", \"b\"]\nslow = []\nb = []\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if r := runner.Compare(t.Context(), c.path, []byte(c.before), []byte(c.cheat)); len(r.Violations) == 0 {
				t.Errorf("the weakening is harmless: %q", r.Harmless)
			}
			if r := runner.Compare(t.Context(), c.path, []byte(c.before), []byte(c.honest)); (len(r.Violations) > 0) != asks[name] {
				t.Errorf("the look-alike is a change: %+v", r.Violations)
			}
		})
	}
}
