package prove_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// language is a project with a runner of its own: what was approved, code that is as good or broken, and changes under
// which the broken code passes the project's own run.
type language struct {
	tool, pkg string // that must be there
	approved  files
	good      files
	broken    files
	attacks   map[string]files
	results   string // glob, "" where the runner writes none
	counted   int    // tests that run
	command   []string
	modules   bool // of JavaScript, in node_modules
}

func languages() map[string]language {
	return map[string]language{
		"pytest": {
			tool: "pytest", pkg: "python3-pytest",
			approved: files{
				".gitignore": "__pycache__/\n.pytest_cache/\n",
				"calc.py":    "def add(a, b):\n    return a + b\n", "tests/conftest.py": "import sys\nsys.path.insert(0, '.')\n",
				"pyproject.toml":     "[project]\nname = 'calc'\nversion = '1'\ndependencies = []\n\n[tool.pytest.ini_options]\ntestpaths = ['tests']\n",
				"tests/test_calc.py": "import calc\n\n\ndef test_small():\n    assert calc.add(2, 3) == 5\n\n\ndef test_large():\n    assert calc.add(2000, 3) == 2003\n",
			},
			good:   files{"calc.py": "def add(a, b):\n    return b + a\n", "pyproject.toml": "[project]\nname = 'calc'\nversion = '2'\ndependencies = ['x']\n\n[tool.pytest.ini_options]\ntestpaths = ['tests']\n"},
			broken: files{"calc.py": broken},
			attacks: map[string]files{
				"hook":           {"conftest.py": "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    out = yield\n    out.get_result().outcome = 'passed'\n"},
				"pytest.ini":     {"pytest.ini": "[pytest]\npython_functions = none_*\naddopts = -p no:cacheprovider\n", "tests/test_x.py": "def none_x():\n    pass\n"},
				"pyproject.toml": {"pyproject.toml": "[project]\nname = 'calc'\nversion = '1'\n\n[tool.pytest.ini_options]\naddopts = '-k passes'\n", "tests/test_x.py": "def test_passes():\n    pass\n"},
				"plugin":         {"setup.cfg": "[options]\n", "evil.py": "import calc\ncalc.add = lambda a, b: a + b\n", "tests/conftest.py": "import sys\nsys.path.insert(0, '.')\npytest_plugins = ['evil']\n"},
				"patching test":  {"tests/test_a.py": "import sys\nsys.path.insert(0, '.')\nimport calc\ncalc.add = lambda a, b: a + b\n"},
				"skipped by name": {
					"calc.py": broken, "tests/test_calc.py": "def test_nothing():\n    pass\n",
				},
			},
			results: "junit.xml", counted: 2, command: []string{"pytest", "-q", "--junitxml=junit.xml"},
		},
		"go test": {
			tool: "go", pkg: "golang",
			approved: files{
				"go.mod": "module example.com/calc\n\ngo 1.21\n", "calc.go": "package calc\n\nvar add = func(a, b int) int { return a + b }\n\nfunc Add(a, b int) int { return add(a, b) }\n",
				"calc_test.go": "package calc\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(2, 3) != 5 {\n\t\tt.Error(\"wrong\")\n\t}\n}\n",
			},
			good:   files{"calc.go": "package calc\n\nvar add = func(a, b int) int { return b + a }\n\nfunc Add(a, b int) int { return add(a, b) }\n"},
			broken: files{"calc.go": "package calc\n\nvar add = func(a, b int) int { return a - b }\n\nfunc Add(a, b int) int { return add(a, b) }\n"},
			attacks: map[string]files{
				"TestMain":      {"main_test.go": "package calc\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) { m.Run(); os.Exit(0) }\n"},
				"init":          {"a_test.go": "package calc\n\nfunc init() { add = func(a, b int) int { return a + b } }\n"},
				"nested module": {"go.mod": "module example.com/calc\n\ngo 1.21\n", "calc_test.go": "package calc\n"},
			},
			results: "go.json", counted: 1, command: []string{"sh", "-c", "go test -json ./... >go.json"},
		},
		"cargo": {
			tool: "cargo", pkg: "cargo",
			approved: files{
				".gitignore": "target/\nCargo.lock\n",
				"Cargo.toml": "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
				"src/lib.rs": "pub fn add(a: i64, b: i64) -> i64 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn small() {\n        assert_eq!(add(2, 3), 5);\n    }\n}\n",
			},
			good:   files{"src/lib.rs": "/// Sums.\npub fn add(a: i64, b: i64) -> i64 {\n    b + a\n}\n\npub fn sub(a: i64, b: i64) -> i64 {\n    a - b\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn small() {\n        assert_eq!(add(2, 3), 5);\n    }\n\n    #[test]\n    fn subs() {\n        assert_eq!(sub(2, 3), -1);\n    }\n}\n"},
			broken: files{"src/lib.rs": "pub fn add(a: i64, b: i64) -> i64 {\n    a - b\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn small() {\n        assert_eq!(add(2, 3), 5);\n    }\n}\n"},
			attacks: map[string]files{
				"weakened":  {"src/lib.rs": "pub fn add(a: i64, b: i64) -> i64 {\n    a - b\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn small() {\n        assert!(add(2, 3) != 5);\n    }\n}\n"},
				"shadowed":  {"src/lib.rs": "#[cfg(test)]\nmacro_rules! assert_eq {\n    ($($x:tt)*) => {};\n}\n\npub fn add(a: i64, b: i64) -> i64 {\n    a - b\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn small() {\n        assert_eq!(add(2, 3), 5);\n    }\n}\n"},
				"autotests": {"Cargo.toml": "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[lib]\ntest = false\n"},
				"runner":    {".cargo/config.toml": "[target.'cfg(all())']\nrunner = \"true\"\n"},
			},
			command: []string{"cargo", "test", "--offline", "-q"},
		},
		"rspec": {
			tool: "rspec", pkg: "ruby-rspec",
			approved: files{
				"lib/calc.rb": "module Calc\n  def self.add(a, b)\n    a + b\n  end\nend\n", ".rspec": "--require spec_helper\n",
				"spec/spec_helper.rb": "require 'calc'\n",
				"spec/calc_spec.rb":   "RSpec.describe Calc do\n  it 'adds' do\n    expect(Calc.add(2, 3)).to eq(5)\n  end\nend\n",
			},
			good:   files{"lib/calc.rb": "module Calc\n  def self.add(a, b)\n    b + a\n  end\nend\n"},
			broken: files{"lib/calc.rb": "module Calc\n  def self.add(a, b)\n    a - b\n  end\nend\n"},
			attacks: map[string]files{
				"options": {".rspec": "--require spec_helper\n--pattern none/*_spec.rb\n"},
				"local":   {".rspec-local": "--pattern none/*_spec.rb\n"},
				"support": {"spec/a_spec.rb": "require 'calc'\nCalc.define_singleton_method(:add) { |a, b| a + b }\n"},
				"helper":  {"spec/spec_helper.rb": "require 'calc'\nat_exit { exit!(0) }\n"},
				"own matchers": {"lib/rspec/expectations.rb": "module RSpec\n  module Expectations\n    module Version\n      STRING = '9'\n    end\n  end\nend\n" +
					"module RSpec\n  module Matchers\n    def expect(*)\n      Class.new { def to(*) = true }.new\n    end\n    def eq(*) = true\n  end\nend\n", "spec/spec_helper.rb": "require 'calc'\nat_exit { exit!(0) }\n"},
			},
			command: []string{"rspec"},
		},
		"minitest": {
			tool: "ruby", pkg: "ruby-minitest",
			approved: files{
				"lib/calc.rb":       "module Calc\n  def self.add(a, b)\n    a + b\n  end\nend\n",
				"test/calc_test.rb": "require 'minitest/autorun'\nrequire 'calc'\n\nclass CalcTest < Minitest::Test\n  def test_add\n    assert_equal 5, Calc.add(2, 3)\n  end\nend\n",
			},
			good:   files{"lib/calc.rb": "module Calc\n  def self.add(a, b)\n    b + a\n  end\nend\n"},
			broken: files{"lib/calc.rb": "module Calc\n  def self.add(a, b)\n    a - b\n  end\nend\n"},
			attacks: map[string]files{
				"patching test": {"test/a_test.rb": "require 'calc'\nCalc.define_singleton_method(:add) { |a, b| a + b }\n"},
				"own minitest":  {"lib/minitest/autorun.rb": "module Minitest\n  class Test\n  end\nend\n"},
				"plugin":        {"lib/minitest/evil_plugin.rb": "module Minitest\n  def self.plugin_evil_init(*)\n    at_exit { exit!(0) }\n  end\nend\n"},
			},
			command: []string{"ruby", "-Ilib", "-Itest", "-e", "Dir['test/**/*_test.rb'].sort.each { |f| require './' + f }"},
		},
		"node --test": {
			tool: "node", pkg: "nodejs",
			approved: files{
				"package.json":      "{\n  \"name\": \"calc\",\n  \"version\": \"1.0.0\",\n  \"main\": \"calc.js\",\n  \"scripts\": {\n    \"test\": \"node --test --test-reporter=junit --test-reporter-destination=junit.xml\"\n  }\n}\n",
				"calc.js":           "exports.add = (a, b) => a + b;\n",
				"test/calc.test.js": "const test = require('node:test');\nconst assert = require('node:assert');\nconst { add } = require('../calc.js');\ntest('adds', () => { assert.strictEqual(add(2, 3), 5); });\n",
			},
			good: files{
				"calc.js":      "const sum = require('./sum.js');\nexports.add = (a, b) => sum(a, b);\n",
				"sum.js":       "module.exports = (a, b) => a + b;\n",
				"package.json": "{\n  \"name\": \"calc\",\n  \"version\": \"1.1.0\",\n  \"main\": \"calc.js\",\n  \"dependencies\": {},\n  \"scripts\": {\n    \"build\": \"true\",\n    \"test\": \"node --test --test-reporter=junit --test-reporter-destination=junit.xml\"\n  }\n}\n",
			},
			broken: files{"calc.js": "exports.add = (a, b) => a - b;\n"},
			attacks: map[string]files{
				"script":   {"package.json": "{\n  \"name\": \"calc\",\n  \"scripts\": {\n    \"test\": \"echo '<testsuites><testsuite><testcase name=\\\"adds\\\"/></testsuite></testsuites>' >junit.xml\"\n  }\n}\n"},
				"options":  {".npmrc": "node-options=--require ./evil.js\n", "evil.js": "require('./calc.js').add = (a, b) => a + b;\n"},
				"weakened": {"test/calc.test.js": "const test = require('node:test');\ntest('adds', () => {});\n"},
			},
			results: "junit.xml", counted: 1, command: []string{"npm", "test", "--silent"},
		},
		"mocha": {
			tool: "node", pkg: "nodejs", modules: true,
			approved: files{
				".gitignore": "node_modules\n", "calc.js": "exports.add = (a, b) => a + b;\n", "package.json": "{\"name\": \"calc\"}\n",
				"test/calc.js": "const assert = require('assert');\nconst calc = require('../calc.js');\ndescribe('calc', () => {\n  it('adds', () => { assert.strictEqual(calc.add(2, 3), 5); });\n});\n",
			},
			good:   files{"calc.js": "exports.add = (a, b) => b + a;\n"},
			broken: files{"calc.js": "exports.add = (a, b) => a - b;\n"},
			attacks: map[string]files{
				"mocharc":      {".mocharc.json": "{\"require\": \"./evil.js\"}\n", "evil.js": "require('./calc.js').add = (a, b) => a + b;\n"},
				"package.json": {"package.json": "{\"name\": \"calc\", \"mocha\": {\"spec\": \"none/*.js\", \"fail-zero\": false, \"file\": \"./evil.js\"}}\n", "evil.js": "require('./calc.js').add = (a, b) => a + b;\n", "none/a.js": "it('x', () => {});\n"},
				"other test":   {"test/a.js": "require('../calc.js').add = (a, b) => a + b;\n"},
			},
			results: "junit.xml", counted: 1, command: []string{"node_modules/.bin/mocha", "--reporter", "xunit", "--reporter-option", "output=junit.xml"},
		},
		"jest": {
			tool: "node", pkg: "nodejs", modules: true,
			approved: files{
				".gitignore": "node_modules\n", "calc.js": "exports.add = (a, b) => a + b;\n",
				"package.json": "{\"name\": \"calc\", \"jest\": {\"reporters\": [\"default\", \"jest-junit\"]}}\n",
				"calc.test.js": "const calc = require('./calc.js');\ntest('adds', () => { expect(calc.add(2, 3)).toBe(5); });\n",
			},
			good:   files{"calc.js": "exports.add = (a, b) => b + a;\n"},
			broken: files{"calc.js": "exports.add = (a, b) => a - b;\n"},
			attacks: map[string]files{
				"setup":    {"package.json": "{\"name\": \"calc\", \"jest\": {\"reporters\": [\"default\", \"jest-junit\"], \"setupFiles\": [\"./evil.js\"]}}\n", "evil.js": "require('./calc.js').add = (a, b) => a + b;\n"},
				"babel":    {"babel.config.js": "module.exports = { plugins: [() => ({ visitor: { NumericLiteral(p) { if (p.node.value === 5) p.node.value = -1; } } })] };\n"},
				"snapshot": {"calc.test.js": "const calc = require('./calc.js');\ntest('adds', () => { expect(calc.add(2, 3)).toMatchSnapshot(); });\n", "__snapshots__/calc.test.js.snap": "// Jest Snapshot v1, https://goo.gl/fbAQLP\n\nexports[`adds 1`] = `-1`;\n"},
			},
			results: "junit.xml", counted: 1, command: []string{"node_modules/.bin/jest", "--ci"},
		},
		"vitest": {
			tool: "node", pkg: "nodejs", modules: true,
			approved: files{
				".gitignore": "node_modules\n", "src/calc.js": "export const calc = { add: (a, b) => a + b };\n",
				"package.json":     "{\"name\": \"calc\", \"type\": \"module\"}\n",
				"src/calc.test.js": "import { expect, test } from 'vitest';\nimport { calc } from './calc.js';\ntest('adds', () => { expect(calc.add(2, 3)).toBe(5); });\n",
			},
			good:   files{"src/calc.js": "export const calc = { add: (a, b) => b + a };\n"},
			broken: files{"src/calc.js": "export const calc = { add: (a, b) => a - b };\n"},
			attacks: map[string]files{
				"setup": {"vitest.config.js": "export default { test: { setupFiles: ['./evil.js'] } };\n", "evil.js": "import { calc } from './src/calc.js';\ncalc.add = (a, b) => a + b;\n"},
				"alias": {"vite.config.js": "export default { resolve: { alias: [{ find: './calc.js', replacement: '/src/good.js' }] } };\n", "src/good.js": "export const calc = { add: (a, b) => a + b };\n"},
			},
			results: "junit.xml", counted: 1, command: []string{"node_modules/.bin/vitest", "run", "--reporter=junit", "--outputFile=junit.xml"},
		},
		"JUnit": {
			tool: "javac", pkg: "default-jdk-headless",
			approved: files{
				".gitignore":                  "out/\n",
				"src/main/java/Calc.java":     "public class Calc {\n  public static int add(int a, int b) { return a + b; }\n}\n",
				"src/test/java/CalcTest.java": "import static org.junit.Assert.assertEquals;\nimport org.junit.Test;\npublic class CalcTest {\n  @Test public void adds() { assertEquals(5, Calc.add(2, 3)); }\n}\n",
			},
			good:   files{"src/main/java/Calc.java": "public class Calc {\n  public static int add(int a, int b) { return b + a; }\n}\n"},
			broken: files{"src/main/java/Calc.java": "public class Calc {\n  public static int add(int a, int b) { return a - b; }\n}\n"},
			attacks: map[string]files{
				"own Assert": {"src/main/java/org/junit/Assert.java": "package org.junit;\npublic class Assert {\n  public static void assertEquals(long a, long b) {}\n}\n"},
				"weakened":   {"src/test/java/CalcTest.java": "import org.junit.Test;\npublic class CalcTest {\n  @Test public void adds() { Calc.add(2, 3); }\n}\n"},
			},
			command: []string{"sh", "-c", "rm -rf out && mkdir out && javac -d out -cp /usr/share/java/junit4.jar $(find src -name '*.java') && " +
				"java -cp out:/usr/share/java/junit4.jar:/usr/share/java/hamcrest-core.jar:/usr/share/java/hamcrest.jar org.junit.runner.JUnitCore CalcTest"},
		},
	}
}

// TestLanguages plays real projects with the runners of their languages: good code passes, broken code does not, whatever
// the change adds to have it pass. That each attack works is seen by running the command without prove.
func TestLanguages(t *testing.T) {
	for name, l := range languages() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			needs(t, l.tool, l.pkg)
			t.Run("good", func(t *testing.T) { l.proves(t, l.good, nil, 0) })
			t.Run("broken", func(t *testing.T) { l.proves(t, l.broken, nil, 1) })
			for attack, change := range l.attacks {
				t.Run(attack, func(t *testing.T) { l.proves(t, l.broken, change, 1) })
			}
		})
	}
}

// proves plays one change.
func (l language) proves(t *testing.T, code, attack files, want int) {
	p := newProject(t, l.approved)
	p.commit("Change", code)
	if attack != nil {
		p.commit("Attack", attack)
	}
	plain := &project{t, filepath.Join(t.TempDir(), "clone")}
	p.git("clone", "-q", ".", plain.dir)
	for _, p := range []*project{p, plain} {
		if l.modules {
			if err := os.Symlink(nodeModules(t), p.at("node_modules")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if attack != nil {
		cmd := exec.Command(l.command[0], l.command[1:]...)
		cmd.Dir = plain.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("the attack does not work: %v\n%s", err, out)
		}
	}
	args := []string{"--approved", "main"}
	if l.results != "" {
		args = append(args, "--results", l.results)
	}
	r := p.prove(append(append(args, "--"), l.command...)...)
	r.wants(t, want)
	if e := r.evidence; l.results != "" && (len(e.Results) == 0 || e.Tests.Run != l.counted && attack == nil) {
		t.Errorf("counted %+v in %v, want %d tests\n%s%s", e.Tests, e.Results, l.counted, r.out, r.err)
	}
}

var installed sync.Mutex

// nodeModules are the runners of JavaScript that testdata/node pins, installed once into the cache.
func nodeModules(t *testing.T) string {
	t.Helper()
	needs(t, "npm", "npm")
	installed.Lock()
	defer installed.Unlock()
	dir, err := filepath.Abs("../../.cache/prove-node")
	if err != nil {
		t.Fatal(err)
	}
	lock, err := os.ReadFile("testdata/node/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	if have, err := os.ReadFile(filepath.Join(dir, "installed.json")); err == nil && string(have) == string(lock) {
		return filepath.Join(dir, "node_modules")
	}
	pkg, err := os.ReadFile("testdata/node/package.json")
	err = errors.Join(err, os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "package.json"), pkg, 0o644),
		os.WriteFile(filepath.Join(dir, "package-lock.json"), lock, 0o644))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "installed.json"), lock, 0o644); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "node_modules")
}
