#![allow(dead_code)]
use rle::{decode, encode as enc, Run};
use std::{fmt, collections::{self, HashMap as M}};

mod common;

const CASES: &[(&str, u32)] = &[("a", 1), ("b", 2)];

macro_rules! check {
    ($a:expr, $b:expr) => { assert_eq!($a, $b) };
}

roman_tests! {
    one: (1, "I"),
    four: (4, "IV"),
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]
    #[test]
    fn round_trips(x in 0..10u32) {
        let y = enc(x);
        prop_assert_eq!(decode(y), x);
        if y == 1 { return Ok(()); }
        prop_assert!(x < 10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[fixture]
    fn run() -> Run { Run::new('a', 1) }

    #[test]
    #[ignore = "slow"]
    #[should_panic(expected = "boom")]
    #[cfg(feature = "slow")]
    #[allow(clippy::all)]
    fn marked() {
        enc("");
    }

    #[test]
    fn asserts() -> Result<(), Box<dyn Error>> {
        assert_eq!(enc("aa"), vec![Run::new('a', 3),], "msg {}", x);
        assert!(a == b && c, "m");
        assert!(matches!(x, Ok(1) | Err(_)));
        assert!(x.is_ok());
        assert!(!x.is_empty());
        assert!((a - b).abs() < 1e-6);
        assert!(foo::<u32, u8>() >= 3);
        assert!([1, 2].contains(&x));
        assert!(true);
        assert_ne!(a, b);
        debug_assert_eq!(a, b);
        assert_eq!(x.len(), 3);
        assert_relative_eq!(a, b, epsilon = 1e-3);
        assert_matches!(x, Some(n) if n > 1);
        insta::assert_snapshot!(x);
        check!(a, b);
        common::assert_same(a, b);
        foo().unwrap();
        foo()?;
        foo().unwrap_err();
        if a != b { panic!("differ {a}"); }
        Ok(())
    }

    #[test]
    fn flows() {
        let x: Vec<u32> = foo::<u32>()?;
        let _ = foo();
        for (s, n) in [("a", 1), ("b", 2)] { assert_eq!(decode(s), n); }
        for &(s, n) in CASES.iter() { if s.is_empty() { continue; } assert_eq!(enc(s), n); }
        [1, 2].iter().for_each(|x| { assert!(ok(x)); });
        if cfg!(windows) { return; }
        match x { Ok(v) => assert_eq!(v, 1), Err(e) => panic!("x {e}"), }
        let r = std::panic::catch_unwind(|| { assert_eq!(a, b); });
        let s = std::panic::catch_unwind(AssertUnwindSafe(|| { assert_eq!(a, b); }));
        assert!(s.is_err());
        let _ = std::panic::catch_unwind(|| assert_eq!(a, b));
        std::thread::spawn(|| { assert_eq!(a, b); });
        std::thread::spawn(|| { assert_eq!(a, b); }).join().unwrap();
        let Ok(v) = x else { return };
        if let Some(x) = y { assert!(x); } else if z { unreachable!() } else { foo() }
        while x { y += 1; }
        unsafe { z() }
        let f = |a| assert_eq!(a, 1);
        #[cfg(unix)]
        assert_eq!(a, b);
        std::process::exit(0);
    }

    #[rstest]
    #[case(1, "a")]
    #[case::named(2, "b")]
    fn cases(#[case] n: u32, #[values(1, 2)] s: &str) { assert_eq!(enc(s), n); }

    #[test_case(1, 2 ; "x")]
    #[test_case(3, 4)]
    fn more_cases(x: u32, y: u32) { assert_eq!(x, y); }

    #[tokio::test(flavor = "multi_thread")]
    async fn waits() { assert_eq!(foo().await, 1); }

    struct Fake { a: u32 }
    impl Fake { fn new() -> Self { Fake { a: 1_000 } } }
    impl PartialEq<Run> for Fake { fn eq(&self, _: &Run) -> bool { true } }
}
