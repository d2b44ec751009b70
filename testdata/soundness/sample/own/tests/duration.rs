use duration::{format, parse, ParseError};
use std::time::Duration;

macro_rules! round_trips {
    ($($name:ident: $text:expr => $secs:expr,)*) => {
        $(
            #[test]
            fn $name() {
                assert_eq!(parse($text).unwrap(), Duration::from_secs($secs));
                assert_eq!(format(Duration::from_secs($secs)), $text);
            }
        )*
    };
}

round_trips! {
    seconds: "45s" => 45,
    minutes: "2m" => 120,
    mixed: "1h30m" => 5400,
    days: "3d" => 259_200,
}

mod errors {
    use super::*;

    #[test]
    fn names_the_unit() {
        assert_eq!(parse("5x"), Err(ParseError::Unit('x')));
        assert_eq!(parse("5x").unwrap_err().to_string(), "unknown unit `x`");
    }

    #[test]
    fn knows_where() {
        for (text, at) in [("", 0), ("h", 0), ("1h-2m", 2)] {
            match parse(text) {
                Err(ParseError::Number(got)) => assert_eq!(got, at, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    #[ignore = "takes a minute"]
    fn overflow() {
        let text = format!("{}d", u64::MAX);
        assert!(parse(&text).is_err());
        assert!(parse("1d").is_ok());
    }
}

#[test]
fn rounds_down() {
    let d = Duration::from_millis(1_999);
    assert_eq!(format(d), "1s");
    let half = d.as_secs_f64() / 2.0;
    assert!((half - 0.9995).abs() < 1e-9);
    assert!(!format(d).contains('.') || half > 1.0);
}
