package corpustest_test

import (
	"strings"
	"unicode/utf16"
)

func utf16of(s string) string {
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(s)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return string(out)
}

func treeAttempts() []attempt {
	const aim = "the test's file"
	with := func(more files) files { return work().over(more) }
	const modes = "modes count, and links and submodules are not followed"
	const places = "a file that moved must still be collected by its runner, as the configuration on the head has it"
	const bytes = "what cannot be read as a program is compared byte by byte"
	const elsewhere = "what nobody can read here is a question, and keeps the verdict from being clean"
	const same = "provably the same program, or one more test"
	const attributes = "git attributes do not change what is compared; those that change how a test is checked out are violations"
	module := "module:" + strings.Repeat("1", 40)
	bigTest := pyTest + strings.Repeat("# padding\n", 120_000)
	bigWeak := pyWeak + strings.Repeat("# padding\n", 120_000)
	hugeTest := pyTest + strings.Repeat("# padding\n", 900_000)
	hugeWeak := pyWeak + strings.Repeat("# padding\n", 900_000)
	return []attempt{
		{
			aim: aim, tried: "a symbolic link to a weakened copy", does: with(files{pyAt: "link:weak.py", "tests/weak.py": pyWeak}),
			verdict: "breach", kinds: []string{"file_changed"}, holds: modes,
		},
		{
			aim: aim, tried: "its folder a symbolic link", does: with(files{
				"tests": "link:other", "other/test_adder.py": pyWeak,
				"other/helpers.py": "def close(a, b):\n    pass\n",
			}), verdict: "breach", kinds: []string{"helper_changed", "test_deleted"},
			holds: modes,
		},
		{
			aim: aim, tried: "its folder a submodule", does: with(files{
				"tests":       module,
				".gitmodules": "[submodule \"tests\"]\n\tpath = tests\n\turl = https://example.com/x\n",
			}), verdict: "breach",
			kinds: []string{"test_deleted"}, holds: modes,
		},
		{
			aim: aim, tried: "a submodule that tests load, set to another commit",
			in: python().over(files{"tests/shared": "module:" + strings.Repeat("2", 40)}), does: with(files{"tests/shared": module}),
			verdict: "breach", kinds: []string{"helper_changed"}, holds: modes,
		},
		{
			aim: aim, tried: "a new submodule, whose tests run with it", does: with(files{"vendored": module}),
			verdict: "unverifiable", holds: elsewhere,
		},
		{
			aim: aim, tried: "`node_modules` a link to packages of the change's own",
			does:    with(files{"node_modules": "link:src/packages", "src/packages/chai/index.js": "module.exports = {}\n"}),
			verdict: "unverifiable", holds: elsewhere,
		},
		{
			aim: aim, tried: "data that it reads, in a folder of any name",
			in: python().over(files{
				pyAt: pyTest + "\nROWS = open('cases/rows.txt').readlines()\n", "cases/rows.txt": "1 2 3\n",
			}),
			does: with(files{"cases/rows.txt": ""}), verdict: "breach", kinds: []string{"fixture_changed"},
			holds: "data that tests name and the code does not is the tests'",
		},
		{
			aim: aim, tried: "deleted, with the helper that others share", does: with(files{pyAt: gone, "tests/helpers.py": gone}),
			verdict: "breach", kinds: []string{"test_deleted"}, holds: places,
		},
		{
			aim: aim, tried: "case-only rename to `Test_adder.py`", does: with(files{pyAt: gone, "tests/Test_adder.py": pyTest}),
			verdict: "breach", kinds: []string{"test_uncollected"}, holds: places,
		},
		{
			aim: aim, tried: "renamed to `adder.py`", does: with(files{pyAt: gone, "tests/adder.py": pyTest}), verdict: "breach",
			kinds: []string{"test_uncollected"}, holds: places,
		},
		{
			aim: aim, tried: "moved to another folder than `testpaths`", does: with(files{pyAt: gone, "checks/test_adder.py": pyTest}),
			verdict: "breach", kinds: []string{"test_uncollected"}, holds: places,
		},
		{
			aim: aim, tried: "moved to `.venv/`", does: with(files{pyAt: gone, ".venv/test_adder.py": pyTest}), verdict: "breach",
			kinds: []string{"test_deleted"}, holds: places,
		},
		{
			aim: aim, tried: "moved to `node_modules/`", in: javascript(),
			does:    files{jsAt: gone, "node_modules/test/adder.test.js": jsTest},
			verdict: "breach", kinds: []string{"test_deleted"}, holds: places,
		},
		{
			aim: aim, tried: "moved to `vendor/`", in: golang(), does: files{goAt: gone, "vendor/x/" + goAt: goTest}, verdict: "breach",
			kinds: []string{"test_deleted"}, holds: places,
		},
		{
			aim: aim, tried: "moved to `testdata/`", in: golang(), does: files{goAt: gone, "testdata/" + goAt: goTest}, verdict: "breach",
			kinds: []string{"test_uncollected"}, holds: places,
		},
		{
			aim: aim, tried: "moved to `_old/`", in: golang(), does: files{goAt: gone, "_old/" + goAt: goTest}, verdict: "breach",
			kinds: []string{"test_uncollected"}, holds: places,
		},
		{
			aim: aim, tried: "renamed to `adder_plan9_test.go`", in: golang(), does: files{goAt: gone, "adder_plan9_test.go": goTest},
			verdict: "breach", kinds: []string{"test_uncollected"}, holds: places,
		},
		{
			aim: aim, tried: "renamed to look generated, `test_adder_pb2.py`",
			does: with(files{pyAt: gone, "tests/test_adder_pb2.py": pyWeak}), verdict: "breach", kinds: []string{"test_deleted"},
			holds: places,
		},
		{
			aim: aim, tried: "weakened under a marker «Code generated … DO NOT EDIT»",
			does: with(files{pyAt: "# Code generated by x. DO NOT EDIT.\n" + pyWeak}), verdict: "breach",
			kinds: []string{"assertion_weakened"}, holds: places,
		},
		{
			aim: aim, tried: "a twin that a system without letter case takes for the same file, `tests/TEST_adder.py`",
			does: with(files{"tests/TEST_adder.py": pyWeak}), verdict: "clean",
			holds: aside,
		},
		{
			aim: aim, tried: "a twin in another Unicode form", in: python().over(files{"tests/test_adder_\u00e9.py": pyTest}),
			does: with(files{"tests/test_adder_e\u0301.py": pyWeak}), verdict: "clean",
			holds: aside,
		},
		{
			aim: aim, tried: "a NUL byte, so that it looks binary", does: with(files{pyAt: pyWeak + "\x00"}), verdict: "breach",
			kinds: []string{"file_changed"}, holds: bytes,
		},
		{
			aim: aim, tried: "UTF-16", does: with(files{pyAt: utf16of(pyWeak)}), verdict: "breach", kinds: []string{"file_changed"},
			holds: bytes,
		},
		{
			aim: aim, tried: "a syntax error", does: with(files{pyAt: pyWeak + "def (\n"}), verdict: "breach",
			kinds: []string{"assertion_weakened", "test_modified"}, holds: bytes,
		},
		{aim: aim, tried: "a zero-width space within a name", does: with(files{pyAt: strings.Replace(pyWeak, "def test_add",
			"def test\u200b_add", 1)}), verdict: "breach", kinds: []string{"test_deleted", "test_modified"}, holds: bytes},
		{aim: aim, tried: "100,000 brackets within each other", does: with(files{pyAt: pyWeak + "x = " + strings.Repeat("[", 100_000) +
			strings.Repeat("]", 100_000) + "\n"}), verdict: "breach", kinds: []string{"file_changed"}, holds: bytes},
		{
			aim: aim, tried: "one line of 7 MB", does: with(files{pyAt: pyWeak + "x = \"" + strings.Repeat("x", 7_000_000) + "\"\n"}),
			verdict: "breach", kinds: []string{"file_changed"}, holds: bytes,
		},
		{
			aim: aim, tried: "more than 8 MiB, then weakened", in: python().over(files{pyAt: hugeTest}), does: with(files{pyAt: hugeWeak}),
			verdict: "breach", kinds: []string{"file_changed"}, holds: bytes,
		},
		{
			aim: aim, tried: "more than 1 MiB, then weakened", in: python().over(files{pyAt: bigTest}), does: with(files{pyAt: bigWeak}),
			verdict: "breach", kinds: []string{"file_changed"}, holds: bytes,
		},
		{aim: aim, tried: "a byte order mark", does: with(files{pyAt: "\ufeff" + pyTest}), verdict: "clean", holds: same},
		{
			aim: aim, tried: "other line ends", does: with(files{pyAt: strings.ReplaceAll(pyTest, "\n", "\r\n")}), verdict: "clean",
			holds: same,
		},
		{aim: aim, tried: "permission to execute", does: with(files{pyAt: "exec:" + pyTest}), verdict: "clean", holds: same},
		{
			aim: aim, tried: "`.gitattributes`: `linguist-generated`, `-diff`, `binary`, `merge=ours`",
			does: with(files{pyAt: pyWeak, ".gitattributes": "tests/** linguist-generated -diff binary merge=ours\n"}), verdict: "breach",
			kinds: []string{"assertion_weakened"}, holds: attributes,
		},
		{
			aim: aim, tried: "`.gitattributes`: `working-tree-encoding`",
			does: with(files{".gitattributes": "tests/*.py working-tree-encoding=UTF-16\n"}), verdict: "breach",
			kinds: []string{"config_narrowed"}, holds: attributes,
		},
		{
			aim: aim, tried: "`.gitattributes`: `filter`", does: with(files{"tests/.gitattributes": "*.py filter=strip\n"}),
			verdict: "breach",
			kinds:   []string{"config_narrowed"}, holds: attributes,
		},
		{
			aim: aim, tried: "`.gitattributes`: `export-ignore`, `eol`",
			does: with(files{".gitattributes": "tests export-ignore\n* text=auto eol=crlf\n"}), verdict: "clean",
			holds: "nothing of it reaches a checkout's programs; do not test what `git archive` makes",
		},
	}
}
