use rle::{decode, encode, Error, Run};

const CASES: &[(&str, usize)] = &[
    ("aaab", 2),
    ("abc", 3),
    ("", 0),
];

fn check(input: &str, expected: &[Run]) {
    assert_eq!(encode(input), expected);
}

#[test]
fn encodes_runs() {
    assert_eq!(encode("aab"), vec![Run::new('a', 2), Run::new('b', 1)]);
    check("a", &[Run::new('a', 1)]);
}

#[test]
fn counts_runs() {
    for (input, count) in CASES {
        assert_eq!(encode(input).len(), *count);
    }
}

#[test]
fn round_trip() {
    for s in ["hello", "zzz", "abcabc"] {
        assert_eq!(decode(&encode(s)).unwrap(), s);
    }
}

#[test]
#[should_panic(expected = "zero count")]
fn refuses_zero() {
    Run::new('a', 0);
}

#[test]
fn reports_errors() {
    let err = decode(&[]).unwrap_err();
    assert_eq!(err, Error::Empty);
    assert!(matches!(decode(&[Run::new('?', 1)]), Err(Error::Symbol('?'))));
    let ratio = rle::ratio("aab");
    assert!((ratio - 1.5).abs() < 0.001);
    assert_ne!(Run::new('a', 1), Run::new('b', 1));
    decode(&encode("x")).unwrap();
}

#[rstest]
#[case("aa", 1)]
#[case("ab", 2)]
fn cases(#[case] input: &str, #[case] count: usize) {
    assert_eq!(encode(input).len(), count);
}

#[cfg(test)]
mod more {
    use super::*;

    #[tokio::test]
    async fn streams() {
        assert_eq!(rle::stream("aa").await, vec![Run::new('a', 2)]);
    }
}
