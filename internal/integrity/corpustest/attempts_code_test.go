package corpustest_test

import "strings"

func codeAttempts() []attempt {
	const aim = "the test's code"
	const semantics = "the syntax tree is compared, not the text; what is not provably as demanding is a violation"
	const dynamic = "statements beside the tests are compared, too: what is added there must not touch tests or what they use"
	const inSource = "pub fn add(a: i64, b: i64) -> i64 { a + b }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        " +
		"assert_eq!(super::add(1, 2), 3);\n    }\n}\n"
	with := func(more files) files { return work().over(more) }
	swap := func(old, new string) files { return with(files{pyAt: strings.Replace(pyTest, old, new, 1)}) }
	add := func(more string) files { return with(files{pyAt: pyTest + "\n\n" + more}) }
	return []attempt{
		{
			aim: aim, tried: "the assertion made a comment", does: swap("    assert add(1, 2) == 3", "    pass  # assert add(1, 2) == 3"),
			verdict: "breach", kinds: []string{"assertion_removed"}, holds: semantics,
		},
		{
			aim: aim, tried: "the assertion made a string", does: swap("    assert add(1, 2) == 3",
				"    \"\"\"\n    assert add(1, 2) == 3\n    \"\"\""), verdict: "breach", kinds: []string{"assertion_removed"},
			holds: semantics,
		},
		{
			aim: aim, tried: "bidirectional controls that show a comment as code",
			does:    swap("    assert add(1, 2) == 3", "    # \u202e\u2066 assert add(1, 2) == 3 \u2069\u2066\n    assert add"),
			verdict: "breach", kinds: []string{"assertion_weakened"}, holds: semantics,
		},
		{
			aim: aim, tried: "`if False:` around it", does: swap("    assert add(1, 2) == 3",
				"    if False:\n        assert add(1, 2) == 3"),
			verdict: "breach", kinds: []string{"assertion_removed"}, holds: semantics,
		},
		{
			aim: aim, tried: "a Cyrillic `а` in the name of what is tested",
			does:    swap("    assert add(1, 2) == 3", "    def \u0430dd(*_):\n        return 3\n\n    assert \u0430dd(1, 2) == 3"),
			verdict: "breach", kinds: []string{"helper_changed", "test_modified"}, holds: semantics,
		},
		{
			aim: aim, tried: "a full-width letter, which Python takes for the plain one: `ａdd = …`",
			does:    add("\uff41dd = lambda *_: 3\n"),
			verdict: "breach", kinds: []string{"acts_on_others"}, holds: dynamic,
		},
		{
			aim: aim, tried: "`setattr(sys.modules[__name__], \"test_add\", …)`",
			does: add("import sys\n\nsetattr(sys.modules[__name__], \"test_add\", lambda: None)\n"), verdict: "breach",
			kinds: []string{"acts_on_others"}, holds: dynamic,
		},
		{
			aim: aim, tried: "`globals()[\"test_\" + \"add\"] = …`", does: add("globals()[\"test_\" + \"add\"] = lambda: None\n"),
			verdict: "breach", kinds: []string{"acts_on_others"}, holds: dynamic,
		},
		{
			aim: aim, tried: "`exec(…)` that defines it again", does: add("exec(\"def test_\" + \"add(): pass\")\n"), verdict: "breach",
			kinds: []string{"acts_on_others"}, holds: dynamic,
		},
		{
			aim: aim, tried: "defined twice", does: add("def test_add():\n    pass\n"), verdict: "breach", kinds: []string{"test_modified"},
			holds: dynamic,
		},
		{
			aim: aim, tried: "`del test_add`", does: add("del test_add\n"), verdict: "breach", kinds: []string{"test_uncollected"},
			holds: dynamic,
		},
		{
			aim: aim, tried: "`test_add.__test__ = False`", does: add("test_add.__test__ = False\n"), verdict: "breach",
			kinds: []string{"test_uncollected"}, holds: dynamic,
		},
		{aim: aim, tried: "`pytestmark = pytest.mark.skip`", does: with(files{pyAt: "import pytest\n" + pyTest +
			"\n\npytestmark = pytest.mark.skip\n"}), verdict: "breach", kinds: []string{"acts_on_others"}, holds: dynamic},
		{
			aim: aim, tried: "`collect_ignore_glob` in a new `conftest.py`",
			does: with(files{"tests/conftest.py": "collect_ignore_glob = [\"*add*\"]\n"}), verdict: "breach", kinds: []string{"acts_on_others"}, holds: aside,
		},
		{
			aim: aim, tried: "rows from a function that returns fewer",
			in: python().over(files{
				"tests/helpers.py": python()["tests/helpers.py"] +
					"\n\ndef cases():\n    return [(1, 2, 3), (2, 2, 4)]\n",
				pyAt: "import pytest\nfrom src.adder import add\nfrom tests.helpers import " +
					"cases\n\n\n@pytest.mark.parametrize(\"a,b,c\", cases())\ndef test_add(a, b, c):\n    assert add(a, b) == c\n",
			}),
			does:    with(files{"tests/helpers.py": python()["tests/helpers.py"] + "\n\ndef cases():\n    return [(1, 2, 3)]\n"}),
			verdict: "breach", kinds: []string{"helper_changed"}, holds: semantics,
		},
		{
			aim: aim, tried: "tests made in a loop over fewer cases",
			in: javascript().over(files{jsAt: "const { add } = require('../src/adder');\n\nfor (const [a, b, c] of [[1, 2, 3], [2, 2, " +
				"4]]) {\n  it(`adds ${a}`, () => {\n    expect(add(a, b)).toBe(c);\n  });\n}\n"}),
			does: files{jsAt: "const { add } = require('../src/adder');\n\nfor (const [a, b, c] of [[1, 2, 3]]) {\n  it(`adds ${a}`, () " +
				"=> {\n    expect(add(a, b)).toBe(c);\n  });\n}\n"}, verdict: "breach", kinds: []string{"params_dropped"}, holds: semantics,
		},
		{
			aim: aim, tried: "a new test file that replaces another's tests when it is imported",
			does: with(files{"tests/test_aaa.py": "import tests.test_adder\n\ntests.test_adder.test_add = lambda: None\n\n\ndef " +
				"test_nothing():\n    assert True\n"}), verdict: "clean",
			holds: aside,
		},
		{
			aim: aim, tried: "a new test file that replaces `expect` for all", in: javascript(),
			does:    files{"test/aaa.test.js": "global.expect = () => new Proxy({}, { get: () => () => {} });\n\nit('is', () => {});\n"},
			verdict: "clean",
			holds:   aside,
		},
		{
			aim: aim, tried: "a new test file whose `init` exits with status 0", in: golang(),
			does: files{"aaa_test.go": "package adder\n\nimport \"os\"\n\nfunc init() { os.Exit(0) }\n"}, verdict: "breach", kinds: []string{"acts_on_others"}, holds: aside,
		},
		{
			aim: aim, tried: "a new `TestMain` that runs nothing", in: golang(),
			does: files{"main_test.go": "package adder\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) { " +
				"os.Exit(0) }\n"}, verdict: "breach", kinds: []string{"acts_on_others"},
			holds: aside,
		},
		{
			aim: aim, tried: "a build constraint that never holds", in: golang(), does: files{goAt: "//go:build ignore\n\n" + goTest},
			verdict: "breach", kinds: []string{"test_uncollected"}, holds: semantics,
		},
		{
			aim: aim, tried: "a Rust test within the source that it tests, `#[cfg(test)] mod tests`",
			in: rust().over(files{"src/lib.rs": inSource}), does: files{"src/lib.rs": strings.Replace(inSource,
				"assert_eq!(super::add(1, 2), 3)", "assert!(super::add(1, 2) > 0)", 1)}, verdict: "no-baseline",
			holds: "it warns only, as an approval does not record tests within sources: keep those that matter in `tests/`, or name the " +
				"file in `integrity.protect`",
		},
	}
}
