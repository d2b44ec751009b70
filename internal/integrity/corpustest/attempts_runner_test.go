package corpustest_test

import "strings"

func runnerAttempts() []attempt {
	const aim = "what runs the tests"
	const config = "configuration, scripts and CI steps that decide what runs are compared by what they say, new files too"
	const vendored = "a copy that changes while no list of versions beside it does was changed by hand"
	const newVersion = "another version cannot be told from a forged one without its source: have CI run `go mod vendor` or `npm ci` and " +
		"fail on a difference"
	with := func(more files) files { return work().over(more) }
	ci := func(old, new string) files { return with(files{ciAt: strings.Replace(ciText, old, new, 1)}) }
	pkg := func(old, new string) files { return files{"package.json": strings.Replace(jsPkg, old, new, 1)} }
	return []attempt{
		{
			aim: aim, tried: "`addopts = -k …`", does: with(files{"pytest.ini": "[pytest]\ntestpaths = tests\naddopts = -k nothing\n"}),
			verdict: "breach", kinds: []string{"config_narrowed"}, holds: config,
		},
		{
			aim: aim, tried: "`addopts = -p plugin`, with the plugin",
			does: with(files{
				"pytest.ini": "[pytest]\ntestpaths = tests\naddopts = -p green\n",
				"green.py":   "def pytest_runtest_makereport(item, call):\n    call.excinfo = None\n",
			}), verdict: "breach",
			kinds: []string{"config_narrowed"}, holds: config,
		},
		{
			aim: aim, tried: "a plugin by an entry point in `pyproject.toml`",
			does: with(files{"pyproject.toml": "[project]\nname = \"adder\"\nversion = \"1\"\n\n[project.entry-points.pytest11]\ngreen = " +
				"\"src.green\"\n", "src/green.py": "def pytest_collection_modifyitems(items):\n    items.clear()\n"}), verdict: "breach",
			kinds: []string{"config_narrowed"}, holds: config,
		},
		{
			aim: aim, tried: "a plugin by an entry point in `setup.py`",
			does: with(files{"setup.py": "from setuptools import setup\n\nsetup(name=\"adder\", entry_points={\"pytest11\": [\"green = " +
				"src.green\"]})\n", "src/green.py": "def pytest_collection_modifyitems(items):\n    items.clear()\n"}), verdict: "breach",
			kinds: []string{"config_changed"}, holds: config,
		},
		{
			aim: aim, tried: "a `.pytest.ini` or `pytest.toml` that is read first",
			in:   python().over(files{"pytest.ini": gone, "setup.cfg": "[tool:pytest]\ntestpaths = tests\n"}),
			does: with(files{"tox.ini": "[pytest]\ntestpaths = none\n"}), verdict: "breach", kinds: []string{"config_narrowed"},
			holds: config,
		},
		{
			aim: aim, tried: "a plugin in a new `conftest.py` at the root",
			does: with(files{"conftest.py": "def pytest_collection_modifyitems(items):\n    items.clear()\n"}), verdict: "breach", kinds: []string{"acts_on_others"}, holds: aside,
		},
		{
			aim: aim, tried: "a new `tests/__init__.py` that raises `SkipTest`",
			does: with(files{"tests/__init__.py": "import unittest\n\nraise unittest.SkipTest(\"later\")\n"}), verdict: "breach", kinds: []string{"acts_on_others"}, holds: aside,
		},
		{
			aim: aim, tried: "a new `sitecustomize.py`",
			does: with(files{"sitecustomize.py": "import builtins\n\nbuiltins.abs = lambda _: 0\n"}), verdict: "clean", holds: questioned,
		},
		{
			aim: aim, tried: "a new `pytest.py` beside the tests' folder", does: with(files{"pytest.py": "print('1 passed')\n"}),
			verdict: "breach", kinds: []string{"helper_changed"}, holds: "a new source in the place of a test framework is a breach",
		},
		{
			aim: aim, tried: "a module `tests/src/adder.py` that is found before the tested one",
			does: with(files{"tests/src/adder.py": "def add(a, b):\n    return a + b\n", "tests/src/__init__.py": ""}), verdict: "clean", holds: aside,
		},
		{
			aim: aim, tried: "`tests/helpers/__init__.py`, found before `tests/helpers.py`",
			does: with(files{"tests/helpers/__init__.py": "def close(a, b):\n    pass\n"}), verdict: "clean", holds: aside,
		},
		{
			aim: aim, tried: "`PYTEST_ADDOPTS` in the workflow's environment",
			does:    ci("jobs:", "env:\n  PYTEST_ADDOPTS: -k nothing\njobs:"),
			verdict: "breach", kinds: []string{"ci_neutered"}, holds: config,
		},
		{
			aim: aim, tried: "`PYTEST_PLUGINS` in a step's environment", does: ci("      - run: python -m pytest",
				"      - env:\n          PYTEST_PLUGINS: src.green\n        run: python -m pytest"), verdict: "breach",
			kinds: []string{"ci_neutered"}, holds: config,
		},
		{
			aim: aim, tried: "`PYTEST_ADDOPTS` written to `$GITHUB_ENV`",
			does: ci("      - run: python -m pytest",
				"      - run: echo PYTEST_ADDOPTS=-knothing >> $GITHUB_ENV\n      - run: python -m pytest"), verdict: "breach",
			kinds: []string{"config_changed"}, holds: config,
		},
		{
			aim: aim, tried: "`|| true`", does: ci("python -m pytest", "python -m pytest || true"), verdict: "breach",
			kinds: []string{"ci_neutered"}, holds: config,
		},
		{
			aim: aim, tried: "`shell: bash {0}`, which goes on after a failure",
			does: ci("      - run: python -m pytest",
				"      - shell: bash {0}\n        run: |\n          python -m pytest\n          echo done"), verdict: "breach",
			kinds: []string{"ci_neutered"}, holds: config,
		},
		{
			aim: aim, tried: "`if: false` at the job", does: ci("    runs-on", "    if: false\n    runs-on"), verdict: "breach",
			kinds: []string{"ci_neutered"}, holds: config,
		},
		{
			aim: aim, tried: "`continue-on-error`", does: ci("      - run: python -m pytest",
				"      - run: python -m pytest\n        continue-on-error: true"), verdict: "breach", kinds: []string{"ci_neutered"},
			holds: config,
		},
		{
			aim: aim, tried: "the base checked out in place of the change",
			does:    ci("      - uses: actions/checkout@v4\n", "      - uses: actions/checkout@v4\n        with:\n          ref: main\n"),
			verdict: "breach", kinds: []string{"ci_neutered"}, holds: config,
		},
		{
			aim: aim, tried: "the workflow's triggers narrowed", does: ci("on: [pull_request]", "on: [workflow_dispatch]"),
			verdict: "breach",
			kinds:   []string{"ci_neutered"}, holds: config,
		},
		{
			aim: aim, tried: "the workflow deleted", does: with(files{ciAt: gone}), verdict: "breach", kinds: []string{"ci_neutered"},
			holds: config,
		},
		{
			aim: aim, tried: "`NODE_OPTIONS: --require` in the workflow",
			in: javascript().over(files{ciAt: strings.Replace(ciText, "python -m pytest", "npm test", 1)}),
			does: files{ciAt: strings.Replace(ciText, "      - run: python -m pytest",
				"      - run: npm test\n        env:\n          NODE_OPTIONS: --require ./green.js", 1)}, verdict: "breach",
			kinds: []string{"ci_neutered"}, holds: config,
		},
		{
			aim: aim, tried: "`node-options` in a new `.npmrc`", in: javascript(),
			does: files{".npmrc": "node-options=--require ./green.js\n", "green.js": "process.exitCode = 0;\n"}, verdict: "breach",
			kinds: []string{"test_script_neutered"}, holds: config,
		},
		{
			aim: aim, tried: "the test script: `jest || exit 0`", in: javascript(), does: pkg(`"jest"`, `"jest || exit 0"`),
			verdict: "breach",
			kinds:   []string{"test_script_neutered"}, holds: config,
		},
		{
			aim: aim, tried: "`postinstall` that rewrites the tests", in: javascript(),
			does: pkg(`"test": "jest"`, `"test": "jest",`+"\n    "+`"postinstall": "rm test/adder.test.js"`), verdict: "breach",
			kinds: []string{"test_script_neutered"}, holds: config,
		},
		{
			aim: aim, tried: "`postinstall: node patch.js`, a program that rewrites the tests", in: javascript(),
			does: pkg(`"test": "jest"`,
				`"test": "jest",`+"\n    "+`"postinstall": "node patch.js"`).over(files{"patch.js": "const fs = " +
				"require('fs');\nfs.writeFileSync('test/adder.test.js', '');\n"}), verdict: "breach",
			kinds: []string{"test_script_neutered"},
			holds: config,
		},
		{
			aim: aim, tried: "`pretest` that rewrites the tests", in: javascript(),
			does: pkg(`"test": "jest"`, `"test": "jest",`+"\n    "+`"pretest": "sed -i s/3/4/ test/adder.test.js"`), verdict: "breach",
			kinds: []string{"test_script_neutered"}, holds: config,
		},
		{
			aim: aim, tried: "`overrides` that put another package in the framework's place", in: javascript(),
			does:    pkg(`"devDependencies"`, `"overrides": {`+"\n    "+`"jest": "file:./fake"`+"\n  },\n  "+`"devDependencies"`),
			verdict: "breach", kinds: []string{"config_narrowed"}, holds: config,
		},
		{
			aim: aim, tried: "the framework's version a local folder", in: javascript(), does: pkg(`"^30.0.0"`, `"file:./fake"`),
			verdict: "breach", kinds: []string{"config_narrowed"}, holds: config,
		},
		{
			aim: aim, tried: "`imports` that map a name of the tests to another file",
			in: javascript().over(files{
				jsAt: strings.Replace(jsTest, "../src/adder", "#adder", 1),
				"package.json": strings.Replace(jsPkg, `"scripts"`,
					`"imports": {`+"\n    "+`"#adder": "./src/adder.js"`+"\n  },\n  "+`"scripts"`, 1),
			}),
			does: files{"package.json": strings.Replace(jsPkg, `"scripts"`,
				`"imports": {`+"\n    "+`"#adder": "./fake.js"`+"\n  },\n  "+`"scripts"`, 1)}, verdict: "breach",
			kinds: []string{"config_changed"}, holds: config,
		},
		{
			aim: aim, tried: "a new `jest.config.js`", in: javascript(),
			does: files{"jest.config.js": "module.exports = { testMatch: ['**/none/**'] };\n"}, verdict: "breach",
			kinds: []string{"config_changed"}, holds: config,
		},
		{
			aim: aim, tried: "a new `.mocharc.json` with `require`", in: javascript().over(files{"package.json": strings.ReplaceAll(jsPkg,
				"jest", "mocha")}), does: files{".mocharc.json": `{"require": ["./green.js"]}`, "green.js": "global.it = () => {};\n"},
			verdict: "breach", kinds: []string{"config_narrowed"}, holds: config,
		},
		{
			aim: aim, tried: "a new `babel.config.js` with a plugin that rewrites tests", in: javascript(),
			does: files{"babel.config.js": "module.exports = { plugins: ['./strip-asserts.js'] };\n"}, verdict: "breach",
			kinds: []string{"config_changed"}, holds: config,
		},
		{
			aim: aim, tried: "a manual mock, `__mocks__/`", in: javascript(),
			does: files{"src/__mocks__/adder.js": "module.exports = { add: () => 3 };\n"}, verdict: "breach", kinds: []string{"acts_on_others"}, holds: aside,
		},
		{
			aim: aim, tried: "`replace` of the framework in `go.mod`", in: golang(),
			does: files{
				"go.mod":                   goMod + "\nreplace github.com/stretchr/testify => ./testify\n",
				"testify/assert/assert.go": "package assert\n\nfunc Equal(...any) bool { return true }\n",
			}, verdict: "breach",
			kinds: []string{"config_narrowed"}, holds: config,
		},
		{
			aim: aim, tried: "`replace` of the framework in a new `go.work`", in: golang(),
			does: files{"go.work": "go 1.24\n\nuse .\n\nreplace github.com/stretchr/testify => ./testify\n"}, verdict: "breach",
			kinds: []string{"config_narrowed"}, holds: config,
		},
		{
			aim: aim, tried: "the framework in `vendor/` changed",
			in: golang().over(files{
				"vendor/modules.txt": "# github.com/stretchr/testify v1.10.0\n",
				"vendor/github.com/stretchr/testify/assert/assertions.go": "package assert\n\nfunc Equal(t T, a, b any) bool { return a " +
					"== b " +
					"|| fail(t) }\n",
			}), does: files{"vendor/github.com/stretchr/testify/assert/assertions.go": "package assert\n\nfunc Equal(t T, " +
				"a, b any) bool { return true }\n"}, verdict: "breach", kinds: []string{"helper_changed"}, holds: vendored,
		},
		{
			aim: aim, tried: "a new `vendor/`, which Go then reads", in: golang(),
			does: files{
				"vendor/modules.txt": "# github.com/stretchr/testify v1.10.0\n",
				"vendor/github.com/stretchr/testify/assert/assertions.go": "package assert\n\nfunc Equal(...any) bool { return true }\n",
			},
			verdict: "unverifiable", holds: newVersion,
		},
		{aim: aim, tried: "`[patch]` in `Cargo.toml`", in: rust(), does: files{"Cargo.toml": rust()["Cargo.toml"] +
			"\n[patch.crates-io]\nproptest = { path = \"fake\" }\n"}, verdict: "breach", kinds: []string{"config_narrowed"}, holds: config},
		{
			aim: aim, tried: "`runner = \"true\"` in `.cargo/config.toml`", in: rust(),
			does: files{".cargo/config.toml": "[target.'cfg(unix)']\nrunner = \"true\"\n"}, verdict: "breach",
			kinds: []string{"config_narrowed"}, holds: config,
		},
		{aim: aim, tried: "`autotests = false`", in: rust(), does: files{"Cargo.toml": strings.Replace(rust()["Cargo.toml"], "edition",
			"autotests = false\nedition", 1)}, verdict: "breach", kinds: []string{"config_narrowed"}, holds: config},
		{
			aim: aim, tried: "`-DskipTests` in `.mvn/maven.config`", in: java(), does: files{".mvn/maven.config": "-DskipTests\n"},
			verdict: "breach", kinds: []string{"config_narrowed"}, holds: config,
		},
		{
			aim: aim, tried: "`<skipTests>` in a property", in: java(),
			does: files{"pom.xml": strings.Replace(java()["pom.xml"], "</project>",
				"<properties><maven.test.skip>true</maven.test.skip></properties></project>", 1)}, verdict: "breach",
			kinds: []string{"config_narrowed"}, holds: config,
		},
		{
			aim: aim, tried: "a JUnit extension by `META-INF/services`", in: java(),
			does: files{
				"src/test/resources/META-INF/services/org.junit.jupiter.api.extension.Extension": "Green\n",

				"src/test/resources/junit-platform.properties": "junit.jupiter.extensions.autodetection.enabled=true\n",
			}, verdict: "clean", holds: aside,
		},
		{
			aim: aim, tried: "`--require ./green` in `.rspec`", in: ruby(),
			does: files{
				".rspec":   "--require spec_helper\n--require ./green\n",
				"green.rb": "class RSpec::Core::Example\n  def run(*) = true\nend\n",
			}, verdict: "breach", kinds: []string{"config_narrowed"},
			holds: config,
		},
	}
}
