package integrity_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/integrity/approval"
)

const (
	pyTests = "import pytest\nfrom shop import total\n\n\ndef test_one():\n    assert total([1]) == 1\n\n\n" +
		"@pytest.mark.parametrize(\"a,b\", [\n    (1, 1),\n    (2, 2),\n    (-1, 0),\n])\n" +
		"def test_rows(a, b):\n    assert total([a]) == b\n\n\n" +
		"def test_near():\n    assert total([0.1]) == pytest.approx(0.1, abs=0.001)\n\n\n" +
		"def test_raises():\n    with pytest.raises(ValueError):\n        total(None)\n"
	jsTests = "const { total } = require('../src/shop');\n\ntest('adds', () => {\n  expect(total([1, 2])).toBe(3);\n});\n\n" +
		"test.each([\n  [1, 1],\n  [2, 2],\n])('rows %i', (a, b) => {\n  expect(total([a])).toBe(b);\n});\n\n" +
		"test('calls', () => {\n  const f = jest.fn();\n  total([1], f);\n  expect(f).toHaveBeenCalledWith(1);\n});\n"
	goTests = "package shop\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) {\n" +
		"\tif got := Total(1); got != 1 {\n\t\tt.Fatalf(\"got %d\", got)\n\t}\n}\n\n" +
		goTwo
	goTwo = "func TestTwo(t *testing.T) {\n\tfor _, c := range []struct{ in, want int }{\n\t\t{1, 1},\n\t\t{2, 2},\n\t} {\n" +
		"\t\tif got := Total(c.in); got != c.want {\n\t\t\tt.Errorf(\"got %d\", got)\n\t\t}\n\t}\n}\n"
	rbTests = "RSpec.describe Shop do\n  it 'totals' do\n    expect(Shop.total([1])).to eq(1)\n  end\n\n" +
		"  it 'raises' do\n    expect { Shop.total(nil) }.to raise_error(ArgumentError)\n  end\nend\n"
	javaTests = "import org.junit.jupiter.api.Test;\nimport static org.junit.jupiter.api.Assertions.*;\n\nclass ShopTest {\n" +
		"  @Test\n  void one() {\n    assertEquals(1, Shop.total(1));\n  }\n\n" +
		"  @Test\n  void two() {\n    assertEquals(2, Shop.total(2));\n  }\n}\n"
	jestJSON = `{"name":"a","scripts":{"test":"jest"},"jest":{"coverageThreshold":{"global":{"lines":90}}}}`

	pyAt, jsAt, goAt, rbAt = "tests/test_shop.py", "test/shop.test.js", "shop_test.go", "spec/shop_spec.rb"
	javaAt, jestAt         = "src/test/java/ShopTest.java", "package.json"
)

// shopTests are tests that nobody approved, in several languages.
var shopTests = files{pyAt: pyTests, jsAt: jsTests, goAt: goTests, rbAt: rbTests, javaAt: javaTests, jestAt: jestJSON}

// unapprovedOutcome compares files that nobody approved with what a change makes of them.
func unapprovedOutcome(t *testing.T, base, head files) integrity.Outcome {
	t.Helper()
	var list []approval.File
	for _, p := range slices.Sorted(maps.Keys(base)) {
		role := approval.Test
		switch {
		case p == jestAt || p == "tsconfig.json":
			role = approval.Config
		case strings.HasPrefix(p, "src/shop"):
			continue
		}
		list = append(list, approval.File{Path: p, Mode: change.ModeRegular, Blob: changetest.Blob(base[p]), Role: role})
	}
	return check(t, changetest.Set(base, base, head), func(in *integrity.Input) { in.Unapproved, in.MergeBase = list, true })
}

// TestLossesAreTold: what a change shows to demand less is told although nobody approved
// the tests, and blocks nothing.
func TestLossesAreTold(t *testing.T) {
	const pyOne, jsOne = "    assert total([1]) == 1", "expect(total([1, 2])).toBe(3)"
	for name, c := range map[string]struct{ file, old, now string }{
		"py skip":      {pyAt, "def test_one", "@pytest.mark.skip\ndef test_one"},
		"py skip, why": {pyAt, "def test_one", "@pytest.mark.skip(\n    reason=\"flaky\",\n)\ndef test_one"},
		"py not found": {pyAt, "def test_one", "@pytest.mark.skip(reason=\"answers 404 not found\")\ndef test_one"},
		"py xfail":     {pyAt, "def test_one", "@pytest.mark.xfail\ndef test_one"},
		"py deleted":   {pyAt, "def test_one():\n" + pyOne + "\n\n\n", ""},
		"py no assert": {pyAt, pyOne, "    total([1])"},
		"py truth":     {pyAt, pyOne, "    assert total([1])"},
		"py bound":     {pyAt, pyOne, "    assert total([1]) >= 0"},
		"py type":      {pyAt, pyOne, "    assert isinstance(total([1]), int)"},
		"py comment":   {pyAt, pyOne, "    # assert total([1]) == 1\n    pass"},
		"py renamed":   {pyAt, "def test_one", "def check_one"},
		"js called":    {jsAt, ".toHaveBeenCalledWith(1)", ".toHaveBeenCalled()"},
		"js skip":      {jsAt, "test('adds'", "test.skip('adds'"},
		"js only":      {jsAt, "test('adds'", "test.only('adds'"},
		"js truthy":    {jsAt, ".toBe(3)", ".toBeTruthy()"},
		"js deleted":   {jsAt, "test('adds', () => {\n  " + jsOne + ";\n});\n\n", ""},
		"js comment":   {jsAt, "  expect(total([1, 2]))", "  // expect(total([1, 2]))"},
		"go skip, after a part": {
			goAt, "func TestOne(t *testing.T) {\n",
			"func TestOne(t *testing.T) {\n\tt.Run(\"new\", func(t *testing.T) {\n\t})\n\tt.Skip()\n",
		},
		"go skip":       {goAt, "func TestOne(t *testing.T) {\n", "func TestOne(t *testing.T) {\n\tt.Skip(\"flaky\")\n"},
		"go deleted":    {goAt, goTwo, ""},
		"rb skip":       {rbAt, "  it 'totals'", "  xit 'totals'"},
		"rb truthy":     {rbAt, "eq(1)", "be_truthy"},
		"java disabled": {javaAt, "  @Test\n  void one", "  @org.junit.jupiter.api.Disabled\n  @Test\n  void one"},
		"java exists":   {javaAt, "assertEquals(1, Shop.total(1))", "assertNotNull(Shop.total(1))"},
		"java no test":  {javaAt, "  @Test\n  void one", "  void one"},
	} {
		t.Run(name, func(t *testing.T) {
			head := maps.Clone(shopTests)
			head[c.file] = strings.Replace(head[c.file], c.old, c.now, 1)
			if head[c.file] == shopTests[c.file] {
				t.Fatalf("%q is not in %s", c.old, c.file)
			}
			out := unapprovedOutcome(t, shopTests, head)
			if len(out.Weakened) == 0 || len(out.Breaches()) != 0 {
				t.Errorf("weakened %d, suspected %d: %s", len(out.Weakened), len(out.Suspected), told(out))
			}
		})
	}
}

// TestNoLossIsTold: what has something in its place, or went with its subject, is at most
// suspected, as honest changes of real projects are.
func TestNoLossIsTold(t *testing.T) {
	replace := func(file, old, now string) func(files) {
		return func(head files) { head[file] = strings.Replace(head[file], old, now, 1) }
	}
	const subject = "src/shop_cart.py"
	pyOne := "def test_one():\n    assert total([1]) == 1\n\n\n"
	for name, edit := range map[string]func(files){
		"test moved": func(head files) {
			replace(pyAt, pyOne, "")(head)
			head["tests/test_total.py"] = "from shop import total\n\n\n" + pyOne
		},
		"test replaced": replace(pyAt, pyOne, "def test_sum():\n    assert total([1, 2]) == 3\n\n\n"),
		"replaced in a new file": func(head files) {
			delete(head, jsAt)
			head["test/cart/new.test.js"] = "test('a', () => {\n  expect(f(1)).toBe(1);\n});\n\n" +
				"test('b', () => {\n  expect(f(2)).toBe(2);\n});\n\ntest('c', () => {\n  expect(f(3)).toBe(3);\n});\n\n" +
				"test('d', () => {\n  expect(f(4)).toBe(4);\n});\n"
		},
		"subject gone": func(head files) {
			delete(head, subject)
			delete(head, "tests/test_cart.py")
		},
		"moved to a file that is there": func(head files) {
			replace(pyAt, pyOne, "")(head)
			head["tests/test_cart.py"] += "\n\n" + pyOne
		},
		"a case of a table now": func(head files) {
			const first = "func TestTwoNegative(t *testing.T) {\n\tif Total(-7777) != -7778 {\n\t\tt.Fail()\n\t}\n}\n"
			head[goAt] = strings.Replace(head[goAt], first, "", 1)
			replace(goAt, "\t\t{2, 2},\n", "\t\t{2, 2},\n\t\t{-7777, -7778},\n")(head)
		},
		"skipped on a platform": replace(goAt, "func TestOne(t *testing.T) {\n",
			"func TestOne(t *testing.T) {\n\tif runtime.GOOS == \"windows\" {\n\t\tt.Skip(\"no sockets\")\n\t}\n"),
		"case spelled anew": replace(pyAt, "(-1000, fmt.parse(\"abcdefgh\"))", "(-1000, parse(\"abcdefgh\"))"),
		"new folder left out": func(head files) {
			head["jest.config.js"] = "module.exports = {\n  testPathIgnorePatterns: ['<rootDir>/test/terminal/'],\n};\n"
			head["test/terminal/a.test.js"] = "test('a', () => {\n  expect(f(1)).toBe(1);\n});\n"
		},
		"truth as equality": replace("tests/server.rs", "assert_eq!(f(1), true)", "assert!(f(1))"),
		"text of a command": func(head files) {
			head[".github/workflows/ci.yml"] = strings.Replace(head[".github/workflows/ci.yml"], "d (e)", "d (f)", 1)
		},
		"asserts nothing": replace(rbAt, "  it 'shows' do\n    puts Shop\n  end\n\n", ""),
		"wrapped":         replace(pyAt, "    assert total([1]) == 1", "    if total is not None:\n        assert total([1]) == 1"),
		"rewritten": replace(jsAt, "  expect(total([1, 2])).toBe(3);",
			"  const call = total([1, 2]);\n  compare(call, 3);"),
		"message added": replace(javaAt, "assertEquals(2, Shop.total(2))", "assertTrue(Shop.total(2) == 2, \"total\")"),
		"patch target":  replace(pyAt, "def test_patched", "@patch(\"shop.total\")\ndef test_patched"),
		"mock": replace(pyAt, "    assert total([1]) == 1",
			"    monkeypatch.setattr(\"shop.total\", total)\n    assert total([1]) == 1"),
		"value": replace(pyAt, "total([1]) == 1", "total([1]) == 2"),
		"new test, skipped": replace(jsAt, "test('adds'",
			"test.skipIf(process.platform === 'win32')(\n  'later',\n  () => {\n    expect(total([])).toBe(0);\n  }\n)\n\ntest('adds'"),
		"new test, skipped where it stands": replace(jsAt, "test('adds'",
			"test.skipIf(!db)('later', async () => {\n  expect(total([])).toBe(0);\n});\n\ntest('adds'"),
		"new part of a test, skipped without its service": replace(goAt, "func TestOne(t *testing.T) {\n",
			"func TestOne(t *testing.T) {\n\tt.Run(\"remote\", func(t *testing.T) {\n\t\tif os.Getenv(\"USER\") == \"\" {\n"+
				"\t\t\tt.Skip()\n\t\t}\n\t\tif Total(5) != 5 {\n\t\t\tt.Fail()\n\t\t}\n\t})\n"),
		"retries of the code": replace(pyAt, "    assert total([1]) == 1",
			"    if context.retry_attempt > 0 and context.value is None:\n        raise ValueError\n    assert total([1]) == 1"),
		"a connection that is tried again": replace(jsAt, "test('adds', () => {\n",
			"test('adds', () => {\n  let retries = 5;\n  while (retries > 0 && !connect()) {\n    retries--;\n  }\n"),
		"a flaky channel": replace(goAt, "func TestOne(t *testing.T) {\n",
			"func TestOne(t *testing.T) {\n\tstub := newFlakyChannel(t)\n\tdefer stub.close()\n"),
		"left out where it is asked for": replace("tests/server.rs", "#[test]\n",
			"#[test]\n#[cfg_attr(slow_runner, ignore = \"the runner is slow\")]\n"),
		"left out on a platform, mocha": replace(jsAt, "  expect(total([1, 2])).toBe(3);",
			"  if (addTimerReturnsObject) {\n    this.skip();\n  }\n  expect(total([1, 2])).toBe(3);"),
		"left out without a service": replace(pyAt, "    assert total([1]) == 1",
			"    if docker is None:\n        pytest.skip(\"no docker\")\n    assert total([1]) == 1"),
		"feature gate": replace("tests/server.rs", "#![feature(async_await, async_closure)]", "#![feature(async_closure)]"),
		"tsconfig":     replace("tsconfig.json", `["src"]`, `["src/app"]`),
		"script renamed": func(head files) {
			head[jestAt] = strings.Replace(head[jestAt], `"test:web":"jest web"`, `"test:prod:web":"jest web"`, 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			base := maps.Clone(shopTests)
			base[subject] = "def make_cart():\n    return []\n"
			base["tests/test_cart.py"] = "from shop_cart import make_cart\n\n\ndef test_cart():\n    assert make_cart() == []\n"
			base["tests/server.rs"] = "#![feature(async_await, async_closure)]\n\n#[test]\nfn a() {\n    assert_eq!(f(1), 1);\n" +
				"    assert_eq!(f(1), true);\n}\n"
			base["tsconfig.json"] = "{\n  \"include\": [\"src\"]\n}\n"
			base[jestAt] = "{\n  \"scripts\": {\n    \"test\":\"jest\",\n    \"test:web\":\"jest web\"\n  }\n}\n"
			base[rbAt] = strings.Replace(rbTests, "  it 'totals'", "  it 'shows' do\n    puts Shop\n  end\n\n  it 'totals'", 1)
			base[pyAt] += "\n\ndef test_patched():\n    assert total([3]) == 3\n\n\n@pytest.mark.parametrize(\"a,b\", [\n" +
				"    (-1000, fmt.parse(\"abcdefgh\")),\n])\ndef test_long(a, b):\n    assert total([a]) == b\n"
			base[goAt] += "\nfunc TestTwoNegative(t *testing.T) {\n\tif Total(-7777) != -7778 {\n\t\tt.Fail()\n\t}\n}\n"
			base[jsAt] += "\ntest('twice', () => {\n  const f = jest.fn();\n  total([1, 2], f);\n" +
				"  expect(f).toHaveBeenCalledTimes(2);\n});\n"
			base["jest.config.js"] = "module.exports = {\n};\n"
			base[".github/workflows/ci.yml"] = "on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: |\n" +
				"          sqlite3 test.db \"CREATE TABLE a (b, c);\n            CREATE TABLE d (e);\"\n          pytest\n"
			head := maps.Clone(base)
			if edit(head); maps.Equal(base, head) {
				t.Fatal("nothing is changed")
			}
			if out := unapprovedOutcome(t, base, head); len(out.Weakened) != 0 || len(out.Breaches()) != 0 {
				t.Errorf("weakened %+v, notices %+v: %s", out.Weakened, out.Notices, told(out))
			}
		})
	}
}

// TestLinesThatAskForNoLess: a weak form that asks for all that a weak one asked for, another reason and a call under
// another name are no loss.
func TestLinesThatAskForNoLess(t *testing.T) {
	const at, skipAt = "test/cart.test.js", "src/test/java/SlowTest.java"
	const js = "test('patches', () => {\n  expect(api).toHaveBeenCalledWith(expect.objectContaining({ a: 1 }));\n" +
		"  expect(list.code).toContain('stream');\n  expect(size).toBeGreaterThan(5);\n  expect(buf.raw()).toEqual(buf.raw());\n});\n"
	for name, c := range map[string]struct {
		file, old, now string
		told           bool
	}{
		"one key more":          {at, "{ a: 1 }", "{ a: 1, b: 2 }", false},
		"another reason":        {skipAt, "(\"slow\")", "(\"slower\")", false},
		"a reason, and more":    {pyAt, "def test_one", "@pytest.mark.skip\ndef test_one", true},
		"a package":             {pyAt, "def test_one", "@pytest.mark.skipif(not HAS_UNRAR, reason=\"unrar\")\ndef test_one", false},
		"contained, at the end": {at, "expect(list.code).toContain('stream')", "expect(list.code).toMatch(/stream$/)", false},
		"contained, or there":   {at, "toContain('stream')", "toBeDefined()", true},
		"a bound, or there":     {at, "toBeGreaterThan(5)", "toBeTruthy()", true},
		"a looser bound":        {at, "toBeGreaterThan(5)", "toBeGreaterThanOrEqual(5)", true},
		"a call under another":  {at, "expect(buf.raw()).toEqual(buf.raw())", "expect(buf.bytes()).toEqual(buf.bytes())", false},
	} {
		t.Run(name, func(t *testing.T) {
			base := maps.Clone(shopTests)
			base[at] = js
			base[skipAt] = "class SlowTest {\n  @Test\n  @Ignore(\"slow\")\n  void slow() {\n    assertEquals(1, Shop.total(1));\n  }\n}\n"
			head := maps.Clone(base)
			if head[c.file] = strings.Replace(head[c.file], c.old, c.now, 1); head[c.file] == base[c.file] {
				t.Fatal("nothing is edited")
			}
			if out := unapprovedOutcome(t, base, head); (len(out.Weakened) > 0) != c.told {
				t.Errorf("weakened %d, suspected %d: %s", len(out.Weakened), len(out.Suspected), told(out))
			}
		})
	}
}
