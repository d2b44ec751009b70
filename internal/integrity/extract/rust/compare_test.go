package rust_test

import (
	"testing"

	"workflow-reviewer/internal/integrity/extract/extracttest"
)

func TestHonestChanges(t *testing.T) {
	t.Parallel()
	extracttest.Changes(t, "testdata/compare/rle.rs", []extracttest.Change{
		{Name: "comment", Old: "    check(\"a\"", New: "    // alone\n    check(\"a\""},
		{Name: "layout", Old: "assert_eq!(encode(\"aab\"), vec![Run::new('a', 2), Run::new('b', 1)]);", New: "assert_eq!(\n        encode(\"aab\"),\n        vec![Run::new('a', 2), Run::new('b', 1)],\n    );"},
		{Name: "message", Old: "assert_eq!(err, Error::Empty);", New: "assert_eq!(err, Error::Empty, \"nothing to decode\");"},
		{Name: "test added", Old: "#[test]\nfn round_trip()", New: "#[test]\nfn is_new() {\n    assert_eq!(encode(\"\"), vec![]);\n}\n\n#[test]\nfn round_trip()"},
		{Name: "assertion added", Old: "    check(\"a\"", New: "    assert!(encode(\"\").is_empty());\n    check(\"a\""},
		{Name: "row added", Old: "    (\"abc\", 3),", New: "    (\"abc\", 3),\n    (\"aabb\", 2),"},
		{Name: "case added", Old: "#[case(\"ab\", 2)]", New: "#[case(\"ab\", 2)]\n#[case(\"\", 0)]"},
		{Name: "stricter tolerance", Old: "< 0.001", New: "< 0.000_1"},
		{Name: "lint attribute", Old: "#[test]\nfn round_trip()", New: "#[test]\n#[allow(clippy::all)]\nfn round_trip()"},
		{Name: "imports in another order", Old: "{decode, encode, Error, Run}", New: "{Run, Error, encode, decode}"},
		{Name: "renamed", Old: "fn round_trip()", New: "fn decodes_what_it_encodes()"},
		{Name: "expect", Old: "decode(&encode(\"x\")).unwrap();", New: "decode(&encode(\"x\")).expect(\"decodes\");"},
		{Name: "helper added", Old: "fn check(", New: "fn runs(n: usize) -> Vec<Run> {\n    vec![Run::new('a', n)]\n}\n\nfn check("},
	})
}

func TestCheats(t *testing.T) {
	t.Parallel()
	extracttest.Changes(t, "testdata/compare/rle.rs", []extracttest.Change{
		{Name: "removed", Old: "    assert_eq!(err, Error::Empty);\n", New: "", Want: []string{"assertion_removed 42 before"}},
		{Name: "is not empty", Old: "assert_eq!(encode(\"aab\"), vec![Run::new('a', 2), Run::new('b', 1)]);", New: "assert!(!encode(\"aab\").is_empty());", Want: []string{"assertion_weakened 15 after"}},
		{Name: "length", Old: "assert_eq!(encode(\"aab\"), vec![Run::new('a', 2), Run::new('b', 1)]);", New: "assert_eq!(encode(\"aab\").len(), 2);", Want: []string{"assertion_weakened 15 after"}},
		{Name: "debug", Old: "assert_eq!(err, Error::Empty);", New: "debug_assert_eq!(err, Error::Empty);", Want: []string{"assertion_weakened 42 after"}},
		{Name: "is err", Old: "matches!(decode(&[Run::new('?', 1)]), Err(Error::Symbol('?')))", New: "decode(&[Run::new('?', 1)]).is_err()", Want: []string{"assertion_weakened 43 after"}},
		{Name: "expected", Old: "assert_eq!(err, Error::Empty);", New: "assert_eq!(err, Error::Symbol('x'));", Want: []string{"expected_changed 42 after"}},
		{Name: "not equal", Old: "assert_eq!(err, Error::Empty);", New: "assert_ne!(err, Error::Symbol('x'));", Want: []string{"assertion_weakened 42 after"}},
		{Name: "tautology", Old: "assert_eq!(err, Error::Empty);", New: "assert!(true);", Want: []string{"tautology|assertion_weakened|assertion_removed 42 after"}},
		{Name: "or true", Old: "assert_eq!(err, Error::Empty);", New: "assert!(err == Error::Empty || true);", Want: []string{"tautology|assertion_weakened 42 after"}},
		{Name: "same twice", Old: "assert_eq!(err, Error::Empty);", New: "assert_eq!(err, err);", Want: []string{"tautology|assertion_weakened|expected_changed 42 after"}},
		{Name: "tolerance", Old: "< 0.001", New: "< 10.0", Want: []string{"tolerance_widened 45 after"}},
		{Name: "ignore", Old: "#[test]\nfn round_trip()", New: "#[test]\n#[ignore]\nfn round_trip()", Want: []string{"test_skipped 27 after"}},
		{Name: "cfg any", Old: "#[test]\nfn round_trip()", New: "#[test]\n#[cfg(any())]\nfn round_trip()", Want: []string{"test_skipped 27 after"}},
		{Name: "feature", Old: "#[cfg(test)]\nmod more", New: "#[cfg(all(test, feature = \"slow\"))]\nmod more", Want: []string{"test_skipped 57 after"}},
		{Name: "cfg_attr ignore", Old: "#[test]\nfn round_trip()", New: "#[test]\n#[cfg_attr(unix, ignore)]\nfn round_trip()", Want: []string{"test_skipped 27 after"}},
		{Name: "file gated", Old: "use rle::{", New: "#![cfg(feature = \"slow\")]\nuse rle::{", Want: []string{"test_skipped 1 after"}},
		{Name: "deleted", Old: "#[test]\nfn round_trip() {\n    for s in [\"hello\", \"zzz\", \"abcabc\"] {\n        assert_eq!(decode(&encode(s)).unwrap(), s);\n    }\n}\n", New: "", Want: []string{"test_deleted 27 before"}},
		{Name: "row dropped", Old: "    (\"abc\", 3),\n", New: "", Want: []string{"params_dropped 5 before"}},
		{Name: "inline row dropped", Old: "\"hello\", \"zzz\", \"abcabc\"", New: "\"hello\"", Want: []string{"params_dropped 28 before"}},
		{Name: "case dropped", Old: "#[case(\"ab\", 2)]\n", New: "", Want: []string{"params_dropped 52 before"}},
		{Name: "panic message", Old: "#[should_panic(expected = \"zero count\")]", New: "#[should_panic]", Want: []string{"assertion_weakened 34 after"}},
		{Name: "panic expected", Old: "#[test]\nfn round_trip()", New: "#[test]\n#[should_panic]\nfn round_trip()", Want: []string{"assertion_weakened 27 after"}},
		{Name: "should not panic", Old: "#[should_panic(expected = \"zero count\")]\n", New: "", Want: []string{"assertion_removed 34 before"}},
		{Name: "early return", Old: "fn counts_runs() {\n", New: "fn counts_runs() {\n    return;\n", Want: []string{"early_return 21 after"}},
		{Name: "exit", Old: "fn counts_runs() {\n", New: "fn counts_runs() {\n    std::process::exit(0);\n", Want: []string{"early_return|process_exit|test_modified|exception_swallowed 21 after"}},
		{Name: "caught", Old: "    check(\"a\", &[Run::new('a', 1)]);", New: "    let _ = std::panic::catch_unwind(|| check(\"a\", &[Run::new('a', 1)]));", Want: []string{"exception_swallowed 16 after"}},
		{Name: "unwrap gone", Old: "decode(&encode(\"x\")).unwrap();", New: "let _ = decode(&encode(\"x\"));", Want: []string{"assertion_removed|assertion_weakened 47 before"}},
		{Name: "ok", Old: "decode(&encode(\"x\")).unwrap();", New: "decode(&encode(\"x\")).ok();", Want: []string{"assertion_removed|assertion_weakened 47 before"}},
		{Name: "if let", Old: "    assert_eq!(err, Error::Empty);\n", New: "    if let Error::Empty = err { assert_eq!(err, Error::Empty); }\n", Want: []string{"assertion_weakened 42 after"}},
		{Name: "helper neutered", Old: "assert_eq!(encode(input), expected);", New: "let _ = (encode(input), expected);", Want: []string{"helper_weakened 10 before", "assertion_removed 16 before"}},
		{Name: "import replaced", Old: "use rle::{decode, encode, Error, Run};", New: "mod fake;\nuse fake::{decode, encode, Error, Run};", Want: []string{"mock_of_sut 2 after"}},
		{Name: "equality overloaded", Old: "fn check(", New: "impl PartialEq for Run {\n    fn eq(&self, _: &Run) -> bool { true }\n}\n\nfn check(", Want: []string{"test_modified|mock_of_sut 9 after"}},
		{Name: "macro shadowed", Old: "const CASES", New: "macro_rules! assert_eq { ($($t:tt)*) => {}; }\n\nconst CASES", Want: []string{"mock_of_sut|test_modified 3 after"}},
		{Name: "wildcard", Old: "Err(Error::Symbol('?'))", New: "Err(_)", Want: []string{"assertion_weakened 43 after"}},
		{Name: "or", Old: "Err(Error::Symbol('?'))", New: "Err(_) | Ok(_)", Want: []string{"assertion_weakened 43 after"}},
		{Name: "no test attribute", Old: "#[test]\nfn round_trip()", New: "#[allow(dead_code)]\nfn round_trip()", Want: []string{"test_uncollected 27 before", "test_uncollected 27 after"}},
		{Name: "other thread", Old: "    check(\"a\", &[Run::new('a', 1)]);", New: "    std::thread::spawn(|| check(\"a\", &[Run::new('a', 1)]));", Want: []string{"exception_swallowed|assertion_weakened 16 after", "test_modified 16 after"}},
	})
}
