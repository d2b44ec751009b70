use ledger::{Account, Entry, Error, Ledger, Money};
use std::collections::BTreeMap;

const OPENING: i64 = 10_000;

fn ledger() -> Ledger {
    let mut ledger = Ledger::new("EUR");
    ledger.open("cash", OPENING);
    ledger.open("rent", 0);
    ledger
}

fn assert_balance(ledger: &Ledger, name: &str, want: i64) {
    let got = ledger.account(name).expect("account exists").balance();
    assert_eq!(got, Money::cents(want), "balance of {name}");
}

#[test]
fn transfers_move_money_once() {
    let mut ledger = ledger();
    ledger.transfer("cash", "rent", 2_500).unwrap();
    assert_balance(&ledger, "cash", 7_500);
    assert_balance(&ledger, "rent", 2_500);
    assert_eq!(ledger.entries().len(), 2);
    assert!(ledger.entries()[0].amount < Money::cents(0));
    assert!(ledger.is_balanced() && !ledger.is_empty());
}

#[test]
fn refuses_what_is_not_there() {
    let mut ledger = ledger();
    let err = ledger.transfer("cash", "rent", OPENING + 1).unwrap_err();
    assert_eq!(err, Error::Insufficient { missing: 1 });
    assert!(matches!(ledger.transfer("cash", "nowhere", 1), Err(Error::Unknown(name)) if name == "nowhere"));
    assert_balance(&ledger, "cash", OPENING);
}

#[test]
#[should_panic(expected = "negative amount")]
fn negative_amounts_panic() {
    ledger().transfer("cash", "rent", -5).ok();
}

#[test]
fn parses_each_line() {
    let cases = [
        ("cash 10.00", Some(("cash", 1000))),
        ("rent -2.5", Some(("rent", -250))),
        ("rent", None),
        ("", None),
    ];
    for (line, want) in cases {
        let got = Entry::parse(line).ok().map(|e| (e.account, e.amount.cents()));
        assert_eq!(got.as_ref().map(|(a, c)| (a.as_str(), *c)), want, "{line:?}");
    }
}

#[test]
fn sums_by_account() -> Result<(), Error> {
    let mut ledger = ledger();
    ledger.transfer("cash", "rent", 100)?;
    ledger.transfer("rent", "cash", 40)?;
    let sums: BTreeMap<_, _> = ledger.sums();
    assert_eq!(sums["cash"], Money::cents(9_940));
    assert_ne!(sums["rent"], Money::cents(0));
    assert!(sums.values().all(|m| *m >= Money::cents(0)));
    if let Some(last) = ledger.entries().last() {
        assert!(last.note.is_none());
    } else {
        panic!("no entry was kept");
    }
    Ok(())
}

#[tokio::test]
async fn saves_and_loads() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("ledger.json");
    ledger().save(&path).await.unwrap();
    let again = Ledger::load(&path).await.unwrap();
    assert_eq!(again, ledger());
    assert_eq!(again.account("cash").map(Account::name), Some("cash"));
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("{\"currency\":\"EUR\""), "{text}");
    assert!(Ledger::load(&dir.path().join("none")).await.is_err());
}
