//! Results cut until they fit, and cleaned of what nobody sees.

use pharos_domain::line::is_unseen;
use serde_json::{Number, Value};

use super::{Notes, below};

/// The size in bytes that lists and texts of a result are shortened to, as far as [`FEWEST`] and [`SHORTEST`] allow.
const MOST: usize = 28_000;
/// More items than a result has room for, which is how many a list or a series keeps at first: all of them.
const ALL: usize = 2_000;
/// How many items a list keeps before texts are shortened too, and at least.
const ITEMS: usize = 40;
const FEWEST: usize = 3;
/// How many days or hours a series keeps before lists and texts are shortened further. An assistant may look for any of them,
/// so lists and texts go first.
const MOMENTS: usize = 100;
/// How many members an object keeps before lists and texts are shortened further. Objects that the API describes have fewer, so
/// only maps are shortened.
const MEMBERS: usize = 100;
/// How many letters a text keeps at first, and at least.
const LETTERS: usize = 2_000;
const SHORTEST: usize = 120;
/// Figures that are smaller keep their first digits, wherever these begin.
const SMALL: f64 = 0.1;

/// How much is kept of values that are too long.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Limits {
    items: usize,
    letters: usize,
    moments: usize,
    members: usize,
}

impl Limits {
    const WIDEST: Self = Self {
        items: ALL,
        letters: LETTERS,
        moments: ALL,
        members: ALL,
    };
    const NARROWEST: Self = Self {
        items: FEWEST,
        letters: SHORTEST,
        moments: FEWEST,
        members: FEWEST,
    };

    /// All of them, the widest first.
    fn all() -> Vec<Self> {
        let narrower = |limits: &Self| (*limits != Self::NARROWEST).then(|| limits.narrower());
        std::iter::successors(Some(Self::WIDEST), narrower).collect()
    }

    /// The next narrower limits. A limit holds for all lists, or all series, so it shortens the longest ones first.
    fn narrower(self) -> Self {
        let fewer = |most: usize| most * 3 / 4;
        if self.moments > MOMENTS && self.moments >= self.items {
            return Self {
                moments: fewer(self.moments).max(MOMENTS),
                ..self
            };
        }
        if self.items > ITEMS {
            return Self {
                items: fewer(self.items).max(ITEMS),
                ..self
            };
        }
        if self.members > MEMBERS {
            return Self {
                members: fewer(self.members).max(MEMBERS),
                ..self
            };
        }
        if (self.items, self.letters) != (FEWEST, SHORTEST) {
            return Self {
                items: (self.items / 2).max(FEWEST),
                letters: (self.letters / 2).max(SHORTEST),
                ..self
            };
        }
        if self.moments > FEWEST {
            return Self {
                moments: (self.moments / 2).max(FEWEST),
                ..self
            };
        }
        Self {
            members: (self.members / 2).max(FEWEST),
            ..self
        }
    }

    /// Which items of a list are kept, from and how many.
    fn kept(self, items: &[Value]) -> (usize, usize) {
        if is_series(items) {
            // The newest of a series are its last.
            (items.len().saturating_sub(self.moments), self.moments)
        } else {
            (0, self.items)
        }
    }
}

/// Cuts the parts of a result until they fit, and notes what is to be known of them. The parts themselves all stay.
#[must_use]
pub fn bounded(mut parts: Value) -> (Value, Notes) {
    clean(&mut parts);
    let all = Limits::all();
    // Narrower limits leave a part of what wider ones leave, so a binary search finds the first that fit.
    let first = all.partition_point(|limits| !fits(&parts, *limits));
    let limits = all.get(first).copied().unwrap_or(Limits::NARROWEST);
    let mut notes = Notes::default();
    let cut = cut(parts, "", limits, &mut notes);
    (cut, notes)
}

fn fits(parts: &Value, limits: Limits) -> bool {
    let mut room = Room(MOST);
    room.takes(parts, limits, usize::MAX).is_some()
}

/// The bytes that are left for a value as JSON. It is not read on when there are none, however much of it there is.
struct Room(usize);

impl Room {
    fn take(&mut self, bytes: usize) -> Option<()> {
        self.0 = self.0.checked_sub(bytes)?;
        Some(())
    }

    /// Takes what these limits leave of a value. `None`: it does not fit.
    fn takes(&mut self, value: &Value, limits: Limits, members: usize) -> Option<()> {
        #[cfg(test)]
        tests::LOOKED_AT.with(|count| count.set(count.get() + 1));
        match value {
            Value::Null | Value::Bool(true) => self.take("null".len()),
            Value::Bool(false) => self.take("false".len()),
            Value::Number(number) => self.take(number.to_string().len()),
            Value::String(text) => self.takes_text(text, limits.letters),
            Value::Array(all) => {
                let (from, most) = limits.kept(all);
                self.take("[]".len())?;
                for (at, item) in all.iter().skip(from).take(most).enumerate() {
                    self.take(usize::from(at > 0))?;
                    self.takes(item, limits, limits.members)?;
                }
                Some(())
            }
            Value::Object(all) => {
                self.take("{}".len())?;
                for (at, (name, value)) in all.iter().take(members).enumerate() {
                    self.take(":".len() + usize::from(at > 0))?;
                    self.takes_text(name, SHORTEST)?;
                    self.takes(value, limits, limits.members)?;
                }
                Some(())
            }
        }
    }

    fn takes_text(&mut self, text: &str, letters: usize) -> Option<()> {
        self.take("\"\"".len())?;
        for letter in text.chars().take(letters) {
            self.take(match letter {
                '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
                '\0'..='\u{1f}' => 6,
                other => other.len_utf8(),
            })?;
        }
        Some(())
    }
}

/// Takes letters that nobody sees out of all texts and names, and digits that nobody measured out of all figures.
fn clean(value: &mut Value) {
    match value {
        Value::String(text) => text.retain(is_visible),
        Value::Array(items) => items.iter_mut().for_each(clean),
        Value::Object(members) => {
            if !members.keys().all(|name| name.chars().all(is_visible)) {
                *members = std::mem::take(members)
                    .into_iter()
                    .map(|(name, value)| (name.chars().filter(|letter| is_visible(*letter)).collect(), value))
                    .collect();
            }
            members.values_mut().for_each(clean);
        }
        Value::Number(number) if number.is_f64() => {
            if let Some(figure) = number.as_f64().map(rounded).and_then(Number::from_f64) {
                *number = figure;
            }
        }
        _ => {}
    }
}

/// A figure to four decimals, or four digits: what is divided has more.
fn rounded(figure: f64) -> f64 {
    if figure.abs() < SMALL {
        format!("{figure:.3e}").parse().unwrap_or(figure)
    } else {
        (figure * 10_000.0).round() / 10_000.0
    }
}

/// A program reads also what nobody sees: control characters, marks of direction, tags. Spaces stay.
fn is_visible(letter: char) -> bool {
    letter.is_whitespace() || !is_unseen(letter)
}

/// Where a text ends that has so many letters at most; `None`: it is no longer.
fn end(text: &str, letters: usize) -> Option<usize> {
    text.char_indices().nth(letters).map(|(at, _)| at)
}

fn cut(value: Value, place: &str, limits: Limits, notes: &mut Notes) -> Value {
    match value {
        Value::Object(all) => {
            let members = if place.is_empty() {
                usize::MAX
            } else {
                limits.members
            };
            if all.len() > members {
                notes.shorter(place, format!("the first {members} of {} members", all.len()));
            }
            all.into_iter()
                .take(members)
                .map(|(mut name, value)| {
                    if let Some(at) = end(&name, SHORTEST) {
                        name.truncate(at);
                        notes.shorter(&below(place, &name), "a name that is longer".to_owned());
                    }
                    let cut = cut(value, &below(place, &name), limits, notes);
                    (name, cut)
                })
                .collect()
        }
        Value::Array(all) => {
            let (from, most) = limits.kept(&all);
            if all.len() > most {
                let end = if from > 0 { "last" } else { "first" };
                notes.shorter(place, format!("the {end} {most} of {}", all.len()));
            }
            let place = below(place, "*");
            all.into_iter()
                .skip(from)
                .take(most)
                .map(|item| cut(item, &place, limits, notes))
                .collect()
        }
        Value::String(mut text) => {
            if let Some(at) = end(&text, limits.letters) {
                let (letters, all) = (limits.letters, text.chars().count());
                notes.shorter(place, format!("the first {letters} of {all} letters"));
                text.truncate(at);
            }
            Value::String(text)
        }
        other => other,
    }
}

/// Whether a list is a series: figures by day or hour, the oldest first.
fn is_series(items: &[Value]) -> bool {
    let moment = |item: &Value| {
        ["date", "bucket_start", "hour"]
            .iter()
            .find_map(|name| item.get(*name)?.as_str().map(str::to_owned))
    };
    let ends = items.first().and_then(moment).zip(items.last().and_then(moment));
    ends.is_some_and(|(first, last)| first < last)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use serde_json::{Map, json};

    use super::super::{ELSEWHERE, TOLD, WHOLE};
    use super::*;

    thread_local! {
        /// How many values were measured.
        pub(super) static LOOKED_AT: Cell<usize> = const { Cell::new(0) };
    }

    fn bounded(parts: &Value) -> (Value, Notes) {
        super::bounded(parts.clone())
    }

    #[test]
    fn the_room_that_a_value_takes_is_that_of_its_json() {
        for value in [
            json!({ "a": [1, null, 2.5, -7], "b": "\"\u{fc}\n\\\u{b}\t", "c": {}, "d": [], "e\"": true, "f": false }),
            json!({ "days": [{ "date": "2026-01-01" }, { "date": "2026-01-02" }], "deep": [[[], [1]]] }),
        ] {
            let mut room = Room(MOST);
            room.takes(&value, Limits::WIDEST, usize::MAX).unwrap();
            assert_eq!(MOST - room.0, value.to_string().len(), "{value}");
            let mut less = Room(value.to_string().len() - 1);
            assert!(less.takes(&value, Limits::WIDEST, usize::MAX).is_none());
        }
    }

    /// The work that is left once a result is known not to fit.
    #[test]
    fn however_large_a_result_is_little_of_it_is_measured() {
        let lists = json!(vec![vec![vec![json!([]); 40]; 100]; 200]);
        let urls: Vec<Value> = (0..2_000)
            .map(|at| json!({ "url": format!("https://shop.example/{at}"), "at": at, "state": "indexed" }))
            .collect();
        for parts in [json!({ "answer": lists }), json!({ "answer": { "items": urls } })] {
            LOOKED_AT.set(0);
            let (cut, _) = bounded(&parts);
            assert!(cut.to_string().len() <= MOST);
            assert!(LOOKED_AT.get() <= 7 * MOST / 2, "{}", LOOKED_AT.get());
        }
    }

    #[test]
    fn many_members_and_long_names_are_shortened_too() {
        let map: Map<String, Value> = (0..5_000)
            .map(|at| (format!("name {at}"), json!("some words")))
            .collect();
        let maps = json!(vec![map.clone(); 3]);
        let long = "n".repeat(100_000);
        let (cut, notes) = bounded(&json!({ "answer": map, "maps": maps, "long": { long: 1 } }));
        assert!(cut.to_string().len() <= MOST);
        assert!(
            notes.shortened["/answer"].ends_with(" of 5000 members"),
            "{:?}",
            notes.shortened
        );
        let name = "n".repeat(SHORTEST);
        assert_eq!(cut["long"], json!({ name.as_str(): 1 }));
        assert!(notes.shortened.contains_key(&format!("/long/{name}")));
        let (cut, notes) = bounded(&json!({ "answer": { "lists": vec![0; 3_000] } }));
        assert_eq!(cut["answer"]["lists"].as_array().unwrap().len(), ALL);
        assert_eq!(notes.shortened["/answer/lists"], "the first 2000 of 3000");
        let lists: Map<String, Value> = (0..90)
            .map(|at| (format!("l{at}"), json!(vec![0; 2_500])))
            .collect();
        let (_, notes) = bounded(&json!({ "answer": lists }));
        assert_eq!(notes.shortened.len(), TOLD + 1);
        assert_eq!(notes.shortened[WHOLE], ELSEWHERE);
    }

    #[test]
    fn however_much_there_is_a_result_is_bounded() {
        let items: Vec<Value> = (0..1_000)
            .map(|at| json!({ "title": "words ".repeat(500), "at": at }))
            .collect();
        let (cut, notes) = bounded(&json!({ "pages": { "items": items } }));
        assert!(cut.to_string().len() <= MOST);
        assert!(notes.shortened["/pages/items"].ends_with("of 1000"));
        assert!(notes.shortened.contains_key("/pages/items/*/title"));
        assert!(cut["pages"]["items"].as_array().unwrap().len() >= FEWEST);
    }

    #[test]
    fn a_series_is_shortened_after_all_else_and_from_its_beginning() {
        let days = |count: u32| -> Vec<Value> {
            let day = |at| json!({ "date": format!("2026-{:02}-{:02}", 1 + at / 28, 1 + at % 28), "lcp_ms": 2_500 });
            (0..count).map(day).collect()
        };
        let items: Vec<Value> = (0..1_000)
            .map(|at| json!({ "title": "words ".repeat(500), "at": at }))
            .collect();
        let (cut, notes) = bounded(&json!({ "pages": items, "days": days(28) }));
        assert_eq!(cut["days"], json!(days(28)));
        assert!(!notes.shortened.contains_key("/days"));
        let (cut, notes) = bounded(&json!({ "pages": items, "days": days(120) }));
        assert_eq!(notes.shortened["/days"], "the last 100 of 120");
        assert_eq!(cut["days"][99], days(120)[119]);
        let ends_first: Vec<Value> = days(120).into_iter().rev().collect();
        let (cut, notes) = bounded(&json!({ "pages": items, "days": ends_first }));
        assert!(notes.shortened["/days"].starts_with("the first "));
        assert_eq!(cut["days"][0], days(120)[119]);
    }

    #[test]
    fn a_list_is_whole_where_there_is_room_and_the_longest_is_shortened_first() {
        let items =
            |count: usize| -> Vec<Value> { (0..count).map(|at| json!({ "at": at, "is": "up" })).collect() };
        let (cut, notes) = bounded(&json!({ "short": items(60), "long": items(500) }));
        assert_eq!(cut["long"].as_array().unwrap().len(), 500);
        assert!(notes.shortened.is_empty());
        let (cut, notes) = bounded(&json!({ "short": items(60), "long": items(1_900) }));
        assert_eq!(cut["short"].as_array().unwrap().len(), 60);
        assert!(cut["long"].as_array().unwrap().len() > 500);
        assert!(notes.shortened["/long"].ends_with(" of 1900"));
        assert!(!notes.shortened.contains_key("/short"));
    }

    #[test]
    fn a_series_by_hour_keeps_its_newest() {
        let hours: Vec<Value> = (0..240)
            .map(|at| json!({ "hour": format!("2026-03-{:02}T{:02}:00:00Z", 1 + at / 24, at % 24), "note": "n".repeat(400) }))
            .collect();
        let (cut, notes) = bounded(&json!({ "hours": hours }));
        assert!(notes.shortened["/hours"].starts_with("the last "));
        assert_eq!(
            cut["hours"].as_array().unwrap().last().unwrap()["hour"],
            hours[239]["hour"]
        );
    }

    #[test]
    fn digits_that_nobody_measured_are_gone() {
        let figures = json!([
            54.2608695652174,
            -8.149999999999999,
            0.002130611472258126,
            2.5,
            0.0,
            20_260_331
        ]);
        let (cut, _) = bounded(&figures);
        assert_eq!(cut, json!([54.2609, -8.15, 0.002131, 2.5, 0.0, 20_260_331]));
    }

    #[test]
    fn letters_that_nobody_sees_are_gone() {
        let hidden = "a\u{e0041}\u{200b}b\u{202e}c\u{1b}[31m\nd";
        let (cut, _) = bounded(&json!([hidden]));
        assert_eq!(cut, json!(["abc[31m\nd"]));
    }
}
