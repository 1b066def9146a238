//! Cursors come back as they were, and nothing else is read.

use proptest::prelude::*;
use time::macros::datetime;

use super::*;

fn list() -> ListKey {
    ListKey::new("listUptimeChecks", Uuid::from_u128(7))
}

/// The key as a cursor of its own has it.
fn there_and_back<K: CursorPart>(key: K) -> Option<K> {
    let id = "https://shop.example/".to_owned();
    let position = Position { key, id };
    let opened: Position<K, String> = Position::open(&position.seal(&list()), &list())?;
    assert_eq!(opened.id, position.id);
    Some(opened.key)
}

#[test]
fn a_cursor_opens_only_on_the_list_that_it_was_made_for() {
    let position = Position {
        key: datetime!(2026-03-31 09:15:00.123456 UTC),
        id: Uuid::from_u128(42),
    };
    let list = list().by("class", "dns").by("order", "asc");
    let cursor = position.seal(&list);
    assert_eq!(Position::open(&cursor, &list), Some(position));
    for other in [
        ListKey::new("listUptimeChecks", Uuid::from_u128(7)),
        ListKey::new("listUptimeChecks", Uuid::from_u128(8))
            .by("class", "dns")
            .by("order", "asc"),
        ListKey::new("listUptimeIncidents", Uuid::from_u128(7))
            .by("class", "dns")
            .by("order", "asc"),
        self::list().by("class", "dns").by("order", "desc"),
        self::list().by("class", "dns"),
        self::list().by("classd", "ns").by("order", "asc"),
        self::list().by("order", "asc").by("class", "dns"),
    ] {
        assert_eq!(Position::<OffsetDateTime>::open(&cursor, &other), None);
    }
    for bad in [
        "",
        "x",
        "====",
        &cursor[1..],
        &cursor[..20],
        &format!("{cursor}A"),
    ] {
        assert_eq!(Position::<OffsetDateTime>::open(bad, &list), None, "{bad}");
    }
}

#[test]
fn a_cursor_of_another_kind_of_key_is_refused() {
    let cursor = Position {
        key: 7_i64,
        id: Uuid::nil(),
    }
    .seal(&list());
    assert!(Position::<i64>::open(&cursor, &list()).is_some());
    assert_eq!(Position::<f64>::open(&cursor, &list()), None);
    assert_eq!(Position::<OffsetDateTime>::open(&cursor, &list()), None);
    assert_eq!(Position::<Option<i64>>::open(&cursor, &list()), None);
    assert_eq!(Position::<i64, String>::open(&cursor, &list()), None);
}

#[test]
fn what_cannot_be_stored_is_refused() {
    assert_eq!(there_and_back(datetime!(-0001-12-31 23:59:59 UTC)), None);
    assert_eq!(there_and_back(datetime!(-9999-01-01 00:00 UTC)), None);
    assert!(there_and_back(datetime!(0000-01-01 00:00 UTC)).is_some());
    assert!(there_and_back(datetime!(9999-12-31 23:59:59 UTC)).is_some());
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(there_and_back(number), None);
    }
    assert_eq!(there_and_back("a\0b".to_owned()), None);
    assert_eq!(
        there_and_back("x".repeat(7_000)),
        None,
        "longer than a cursor may be"
    );
    assert_eq!(there_and_back("x".repeat(70_000)), None);
    assert!(there_and_back("x".repeat(6_000)).is_some());
}

proptest! {
    #[test]
    fn keys_come_back_as_they_were(
        whole in any::<i64>(),
        number in proptest::option::of(proptest::num::f64::NORMAL | proptest::num::f64::ZERO),
        text in "[^\0]{0,200}",
    ) {
        prop_assert_eq!(there_and_back(whole), Some(whole));
        prop_assert_eq!(there_and_back(number), Some(number));
        prop_assert_eq!(there_and_back(text.clone()), Some(text));
    }

    #[test]
    fn no_text_is_read_with_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64), kind in "[tifus]") {
        let mut sealed = vec![VERSION];
        sealed.extend(list().0.to_be_bytes());
        sealed.extend(kind.bytes());
        sealed.extend(bytes);
        let cursor = URL_SAFE_NO_PAD.encode(sealed);
        let _ = Position::<OffsetDateTime, Uuid>::open(&cursor, &list());
        let _ = Position::<Option<f64>, String>::open(&cursor, &list());
        let _ = Position::<String, String>::open(&cursor, &list());
    }
}
