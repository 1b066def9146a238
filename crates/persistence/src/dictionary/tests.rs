use diesel::{debug_query, pg::Pg};
use time::macros::date;

use super::*;

const SHOP: DomainId = DomainId(Uuid::from_u128(1));

#[derive(Clone, Copy, Debug, Default)]
struct Words;

impl DictionaryTable for Words {
    type Dimension = i16;

    const BOUNDS: DictionaryBounds = DictionaryBounds {
        longest: 5,
        most_new: 3,
        other: "(other)",
        remembered: 1_000,
    };

    fn number(dimension: i16) -> i16 {
        dimension
    }

    crate::dictionary_table!(table: "words", counts: "new_words");
}

#[derive(Clone, Copy, Debug, Default)]
struct Names;

impl DictionaryTable for Names {
    type Dimension = i16;

    const BOUNDS: DictionaryBounds = Words::BOUNDS;

    fn number(dimension: i16) -> i16 {
        dimension
    }

    crate::dictionary_table!(table: "names", counts: "new_names");
}

#[test]
fn a_text_is_wanted_once_for_the_last_of_its_days() {
    let mut wanted = Wanted::<Words>::default();
    for day in [
        date!(2026 - 03 - 02),
        date!(2026 - 03 - 09),
        date!(2026 - 03 - 05),
    ] {
        wanted.add(SHOP, 0, "ant", day);
    }
    let days: Vec<Date> = wanted.values.into_values().collect();
    assert_eq!(days, [date!(2026 - 03 - 09)]);
}

#[test]
fn texts_are_told_apart_by_what_the_tables_hold_of_them() {
    let value = |dimension, text| Value::new::<Words>(SHOP, dimension, text);
    assert_eq!(value(0, "badger"), value(0, "badge"));
    assert_eq!(value(0, "a\0"), value(0, "a\u{fffd}"));
    assert_ne!(value(0, "ant"), value(1, "ant"));
}

#[test]
fn a_text_that_nobody_wanted_has_no_number() {
    let numbers = Numbers::<Words> {
        numbers: HashMap::from([(Value::new::<Words>(SHOP, 0, "ant"), 7)]),
        table: PhantomData,
    };
    assert_eq!(numbers.of(SHOP, 0, "ant").unwrap(), 7);
    assert!(numbers.of(SHOP, 0, "bee").is_err());
    assert_eq!(numbers.of_any(SHOP, 0, None).unwrap(), None);
}

#[test]
fn a_number_serves_until_a_month_after_its_last_use() {
    let known = Known {
        id: 1,
        used_on: date!(2026 - 03 - 01),
    };
    assert!(known.serves(date!(2025 - 03 - 01)));
    assert!(known.serves(date!(2026 - 03 - 31)));
    assert!(!known.serves(date!(2026 - 04 - 01)));
}

#[test]
fn what_is_remembered_is_bounded_in_bytes() {
    let dictionary = Dictionary::<Words>::default();
    let known = Known {
        id: 1,
        used_on: date!(2026 - 03 - 01),
    };
    for dimension in 0..100 {
        let value = Value::new::<Words>(SHOP, dimension, "badger");
        dictionary.tell(&value, known, &mut HashMap::new());
    }
    dictionary.remembered.run_pending_tasks();
    // By the length of their texts alone, all hundred would be.
    assert!((1..=4).contains(&dictionary.remembered.entry_count()));
}

/// The connection would take the statement of one table for that of the other.
#[test]
fn each_table_has_statements_of_its_own() {
    use diesel::query_builder::QueryId;

    fn id<Q: QueryId>(_: &Q) -> Option<std::any::TypeId> {
        Q::query_id()
    }

    assert_ne!(id(&Words::find()), id(&Names::find()));
    assert_ne!(id(&Words::touch()), id(&Names::touch()));
    assert_ne!(id(&Words::make()), id(&Names::make()));
    let text = debug_query::<Pg, _>(&Names::make()).to_string();
    assert!(
        text.contains("INSERT INTO new_names AS") && text.contains("INSERT INTO names ("),
        "{text}"
    );
}
