package prove_test

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/evidence"
)

// shop is a project whose tests of one part fail already.
func shop() files {
	return files{
		".gitignore": "__pycache__/\n.pytest_cache/\n", "shop.py": "def price():\n    return 5\n\n\ndef tax():\n    return 0\n",
		"conftest.py": "", "setup.cfg": "[tool:pytest]\npythonpath = .\n",
		"tests/test_price.py": "import shop\n\n\ndef test_price():\n    assert shop.price() == 5\n",
		"tests/test_tax.py":   "import shop\n\n\ndef test_tax():\n    assert shop.tax() == 1\n",
	}
}

var pytest = []string{"--approved", "main", "--results", "junit.xml", "--", "pytest", "-q", "--junitxml=junit.xml"}

// TestFailingBefore: what fails on the merge base's sources as well is marked, and does not count.
func TestFailingBefore(t *testing.T) {
	needs(t, "pytest", "python3-pytest")
	for name, c := range map[string]struct {
		change files
		args   []string
		code   int
		before map[string]bool // of the failures, by name
	}{
		"untouched":   {files{"README.md": "x\n"}, pytest, 0, map[string]bool{"tests.test_tax.test_tax": true}},
		"implemented": {files{"shop.py": "def price():\n    return 5\n\n\ndef tax():\n    return 1\n"}, pytest, 0, nil},
		"one more": {
			files{"shop.py": "def price():\n    return 6\n\n\ndef tax():\n    return 0\n"},
			pytest, 1,
			map[string]bool{"tests.test_tax.test_tax": true, "tests.test_price.test_price": false},
		},
		"other way": {
			files{"shop.py": "def price():\n    return 6\n\n\ndef tax():\n    return 1\n"},
			pytest, 1,
			map[string]bool{"tests.test_price.test_price": false},
		},
		"not importable": {files{"shop.py": "raise SystemExit(0)\n"}, pytest, 1, nil},
		"no results":     {files{"README.md": "x\n"}, []string{"--approved", "main", "--", "pytest", "-q"}, 2, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, shop())
			p.commit("Change", c.change)
			r := p.prove(c.args...)
			r.wants(t, c.code)
			for _, f := range r.evidence.Failures {
				if want, ok := c.before[f.Name]; c.before != nil && (!ok || want != f.Before || f.File == "") {
					t.Errorf("failure %+v", f)
				}
			}
			if len(c.before) > 0 && (len(r.evidence.Failures) != len(c.before) || r.evidence.Before == nil) {
				t.Errorf("failures %+v, before %+v", r.evidence.Failures, r.evidence.Before)
			}
			if c.code == 2 && r.evidence.Schema != "" {
				t.Error("it writes evidence")
			}
		})
	}
}

// TestStarved: where what fails anyway keeps other tests from running, these are no better known, so no change of theirs is
// answered for.
func TestStarved(t *testing.T) {
	needs(t, "pytest", "python3-pytest")
	suite := shop()
	suite["tests/test_tax.py"] = "import later\n\n\ndef test_tax():\n    assert later.tax() == 1\n"
	p := newProject(t, suite)
	p.commit("Change", files{
		"shop.py":             "def price():\n    return 6\n",
		"tests/test_price.py": "import shop\n\n\ndef test_price():\n    assert shop.price()\n",
	})
	r := p.prove(pytest...)
	r.wants(t, 0, "0 pass")
	unreported := evidence.Failure{
		Name: "tests/test_price.py:4", File: "tests/test_price.py", Message: "no result tells of this test", Before: true,
	}
	if !slices.Contains(r.evidence.Failures, unreported) {
		t.Errorf("failures %+v", r.evidence.Failures)
	}
	out, _ := exec.Command(binary, "integrity", "--repo", p.dir, "--approved", "main", "--head", "change",
		"--evidence", p.at("evidence.json"), "--json").Output()
	if !strings.Contains(string(out), `"verdict": "breach"`) {
		t.Errorf("%s", out)
	}
}

// TestSameName: of two tests of one name one fails before the change and the other with it.
func TestSameName(t *testing.T) {
	suite := func(first, second string) string {
		return `<testsuite><testcase name="a">` + first + `</testcase><testcase name="a">` + second + `</testcase></testsuite>`
	}
	const fails = `<failure message="x"/>`
	for name, c := range map[string]struct {
		before, now string
		code        int
	}{
		"the other": {suite(fails, ""), suite("", fails), 1},
		"both":      {suite(fails, fails), suite(fails, fails), 0},
		"one built": {suite(fails, fails), suite("", fails), 0},
		"skipped":   {suite(fails, ""), suite("<skipped/>", fails), 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, files{"tests/test_a.py": "# tests\n", "results.txt": c.before, "shop.py": "\n"})
			p.commit("Change", files{"results.txt": c.now, "shop.py": "X = 1\n"})
			p.prove("--approved", "main", "--results", "r.xml", "--", "sh", "-c", "cp results.txt r.xml; exit 1").wants(t, c.code)
		})
	}
}

// TestCounts: a run that passes with fewer tests than were approved, or more skipped ones, does not show that they pass.
func TestCounts(t *testing.T) {
	needs(t, "pytest", "python3-pytest")
	suite := files{
		".gitignore": "__pycache__/\n.pytest_cache/\n", "setup.cfg": "[tool:pytest]\npythonpath = .\n",
		"code.d": "x\n", "codebase.py": "READY = True\n",
		"tests/test_a.py": "import pytest\nimport codebase\n\n\ndef test_a():\n    assert True\n\n\n" +
			"def test_b():\n    if not codebase.READY:\n" +
			"        pytest.skip('not ready')\n\n\n@pytest.mark.skip(reason='later')\ndef test_c():\n    assert False\n",
		"tests/test_b.py": "import codebase\n\n\ndef test_d():\n    assert codebase\n",
	}
	for name, c := range map[string]struct {
		change files
		args   []string
		code   int
		want   evidence.Tests
	}{
		"all":            {files{"codebase.py": "READY = 1\n"}, pytest, 0, evidence.Tests{Run: 3, Passed: 3, Skipped: 1}},
		"skips approved": {files{"codebase.py": "READY = 0\n"}, pytest, 0, evidence.Tests{Run: 2, Passed: 2, Skipped: 2}},
		"too few": {
			files{"codebase.py": "READY = 1\n"},
			append(append([]string{}, pytest...), "tests/test_b.py"), 1,
			evidence.Tests{Run: 1, Passed: 1},
		},
		"all skipped": {
			files{"codebase.py": "import pytest\n\npytest.skip('no', allow_module_level=True)\n"},
			pytest, 1,
			evidence.Tests{Skipped: 2},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, suite)
			p.commit("Change", c.change)
			r := p.prove(c.args...)
			r.wants(t, c.code)
			if r.evidence.Tests != c.want {
				t.Errorf("counted %+v, want %+v\n%s", r.evidence.Tests, c.want, r.out)
			}
		})
	}
}

// TestOldResults: a report that was there before the run does not count, whoever wrote it.
func TestOldResults(t *testing.T) {
	const pass = `<testsuite><testcase name="a"/><testcase name="b"/></testsuite>`
	p := newProject(t, calculator())
	p.commit("Change", files{"calc.py": broken, "junit.xml": pass})
	p.write(files{"reports/more.xml": pass})
	p.prove("--approved", "main", "--results", "*.xml", "--results", "reports/*.xml", "--", "true").wants(t, 2, "no test results")
	r := p.prove("--approved", "main", "--results", "*.xml", "--", "sh", "-c", "echo '"+pass+"' >junit.xml")
	r.wants(t, 0)
	if r.evidence.Tests.Run != 2 || len(r.evidence.Results) != 1 || r.evidence.Results[0].Path != "junit.xml" {
		t.Errorf("evidence %+v", r.evidence)
	}
}

// TestRecords: the base's approval record says what was approved; the branch cannot bring another.
func TestRecordedSets(t *testing.T) {
	needs(t, "python3", "python3")
	approved := calculator()
	p := newProject(t, approved)
	p.approve("calc", "tests/test_calc.py", "tests/__init__.py")
	p.commit("Change", files{
		"calc.py": broken, "tests/test_calc.py": "# nothing\n",
		"tests/test_z.py": "import calc\ncalc.add = lambda a, b: a + b\n",
	})
	r := p.prove("--base", "main", "--", "python3", "-m", "unittest")
	r.wants(t, 1)
	if len(r.evidence.Approved) != 1 || r.evidence.Approved[0].Feature != "calc" ||
		r.evidence.Approved[0].Record != p.git("rev-parse", "main:.workflow/approvals/calc.json") {
		t.Errorf("approved %+v", r.evidence.Approved)
	}
	contains(t, "restored", r.evidence.Restored, "tests/test_calc.py")
	p.call("--base", "main", "--feature", "other", "--", "true").wants(t, 2, `unknown feature "other"`)
}

// TestImpliedFiles: what approved tests load is as on the merge base, although an old record does not list it.
func TestImpliedFiles(t *testing.T) {
	needs(t, "python3", "python3")
	const helper = "import unittest\n\ndef equal(a, b):\n    unittest.TestCase().assertEqual(a, b)\n"
	approved := calculator()
	approved["tests/test_calc.py"] += "\n    def test_equal(self):\n        import checks\n        checks.equal(add(1, 1), 2)\n"
	approved["checks.py"] = helper
	p := newProject(t, approved)
	p.approve("calc", "tests/test_calc.py", "tests/__init__.py")
	p.commit("Change", files{"checks.py": strings.Replace(helper, "unittest.TestCase().assertEqual(a, b)", "pass", 1)})
	r := p.prove("--base", "main", "--", "python3", "-m", "unittest")
	r.wants(t, 0)
	contains(t, "restored", r.evidence.Restored, "checks.py")
}

// TestFailuresAreFoundByTitle: whatever a runner's report calls a test that fails anyway, its file is found, and tests of
// other files and what runs tests may change: the run answers for them. A name that several files may mean answers for none.
func TestFailuresAreFoundByTitle(t *testing.T) {
	const mocha = "describe('%s', function () {\n  it('adds', function () { assert(x) })\n  it('%s', function () { assert(x) })\n})\n"
	suite := files{
		".gitignore": "*.xml\n", "lib/cart.js": "exports.x = 1\n", "package.json": `{"scripts": {"test": "mocha"}}`,
		"test/cart.test.js":  fmt.Sprintf(mocha, "cart", "keeps"),
		"test/order.test.js": fmt.Sprintf(mocha, "order", "keeps"),
		"spec/cart_spec.rb":  "RSpec.describe Cart do\n  describe '#add' do\n    it('grows') { expect(1).to eq 1 }\n  end\nend\n",
	}
	for name, c := range map[string]struct{ suites, fails, file string }{
		"mocha":          {"", `classname="cart" name="adds" file="'"$PWD"'/test/cart.test.js"`, "test/cart.test.js"},
		"titles":         {"", `classname="cart" name="adds"`, "test/cart.test.js"},
		"node":           {`<testsuite name="cart">`, `classname="test" name="adds"`, "test/cart.test.js"},
		"jest":           {"", `classname="cart adds" name="cart adds"`, "test/cart.test.js"},
		"vitest":         {"", `classname="test/cart.test.js" name="cart &gt; adds"`, "test/cart.test.js"},
		"rspec":          {"", `classname="spec.cart_spec" name="Cart#add grows" file="./spec/cart_spec.rb"`, "spec/cart_spec.rb"},
		"by title alone": {"", `classname="spec.cart_spec" name="Cart#add grows"`, "spec/cart_spec.rb"},
		"of several":     {"", `name="keeps"`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, suite)
			p.commit("Change", files{
				"lib/cart.js": "exports.x = 2\n", "test/order.test.js": fmt.Sprintf(mocha, "order", "holds"),
				"package.json": `{"scripts": {"test": "mocha --grep order"}}`,
			})
			r := p.prove("--approved", "main", "--results", "r.xml", "--", "sh", "-c", "echo '<testsuites>"+c.suites+"<testsuite>"+
				strings.Repeat("<testcase name=\"passes\"/>", 5)+"<testcase "+c.fails+"><failure message=\"x\"/></testcase></testsuite>"+
				strings.Repeat("</testsuite>", strings.Count(c.suites, "<"))+"</testsuites>' >r.xml; exit 1")
			r.wants(t, 0)
			if len(r.evidence.Failures) != 1 || r.evidence.Failures[0].File != c.file {
				t.Errorf("failures %+v, want them in %q", r.evidence.Failures, c.file)
			}
			out, _ := exec.Command(binary, "integrity", "--repo", p.dir, "--approved", "main", "--head", "change",
				"--evidence", p.at("evidence.json"), "--json").Output()
			if breach := strings.Contains(string(out), `"verdict": "breach"`); breach != (c.file == "") {
				t.Errorf("%s", out)
			}
		})
	}
}
