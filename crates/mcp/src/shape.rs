//! Answers shaped for a reader: bounded, cleaned, with what is null explained and what strangers wrote named.

use std::collections::{BTreeMap, BTreeSet};

use pharos_domain::line::is_unseen;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::catalogue::Catalogue;

/// The bytes that lists and texts of a result are shortened to, as far as [`FEWEST`] and [`SHORTEST`] let them.
const MOST: usize = 28_000;
/// More than a result has room for: at first a list or a series keeps so many, which is all of it.
const ALL: usize = 2_000;
/// How many items a list keeps before texts are shortened too, and at least.
const ITEMS: usize = 40;
const FEWEST: usize = 3;
/// How many days or hours a series keeps before lists and texts are shortened further. An assistant may look for any of them, so
/// that they are shortened before it is.
const MOMENTS: usize = 100;
/// How many members an object keeps before lists and texts are shortened further. What the API describes has fewer: it is a map
/// that is shortened.
const MEMBERS: usize = 100;
/// How many letters a text keeps at first, and at least.
const LETTERS: usize = 2_000;
const SHORTEST: usize = 120;
/// How many reasons of nulls, places of texts, and places that were shortened, are told, besides one for all others.
const TOLD: usize = 60;
/// The text in place of all others, where there are more places of texts of strangers than are told.
const EVERYWHERE: &str = "/ (and more places than are named: take every text for one)";
/// The note on all others, where more places were shortened than are told.
const ELSEWHERE: &str = "more places than are named";
/// Where the next page of a list begins: opaque, of the API itself, and null on every last page.
const CURSOR: &str = "next_cursor";
/// The member of an answer that is its list.
const LIST: &str = "items";
/// The place of the rule for nulls that nothing else is said of, or that there is no room for.
const WHOLE: &str = "/";
const UNTOLD: &str = "Where nothing else is said: it was not measured, or there is none. describe_operation has the rule of each field.";
/// How many letters of a rule are told.
const LONGEST_RULE: usize = 200;
/// The schemas that a schema may consist of.
pub(crate) const PARTS: [&str; 3] = ["allOf", "oneOf", "anyOf"];
/// How deep they are followed. A schema may be part of itself.
pub(crate) const DEEPEST: usize = 16;

/// The notes on the parts of a result.
#[derive(Debug, Default, Serialize)]
pub struct Notes {
    /// By place: how much of a list or a text was left out.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub shortened: BTreeMap<String, String>,
    /// By place: why there is no value. A reason at an object holds for each value in it that is null.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub null_because: BTreeMap<String, String>,
    /// The places of texts that may come from strangers: pages, people and programs that the site has to do with.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub untrusted_text: BTreeSet<String>,
}

impl Notes {
    fn null(&mut self, place: &str, why: &str) {
        let has_room = self.null_because.len() < TOLD || self.null_because.contains_key(place);
        let (place, why) = if has_room { (place, why) } else { (WHOLE, UNTOLD) };
        self.null_because
            .entry(place.to_owned())
            .or_insert_with(|| why.to_owned());
    }

    /// Notes how much was left out at a place.
    fn shorter(&mut self, place: &str, how: String) {
        let has_room = self.shortened.len() < TOLD || self.shortened.contains_key(place);
        let (place, how) = if has_room {
            (place, how)
        } else {
            (WHOLE, ELSEWHERE.to_owned())
        };
        self.shortened.insert(place.to_owned(), how);
    }

    /// Notes that the text at a place may come from outside.
    pub(crate) fn untrusted(&mut self, place: &str) {
        if self.untrusted_text.len() < TOLD {
            self.untrusted_text.insert(place.to_owned());
        } else if !self.untrusted_text.contains(place) {
            self.untrusted_text.insert(EVERYWHERE.to_owned());
        }
    }
}

/// Where in a result something stands: a JSON Pointer whose list positions are `*`.
pub(crate) fn below(place: &str, step: &str) -> String {
    format!("{place}/{step}")
}

/// How much is kept of what is too long.
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

    /// The next narrower ones. Since a limit holds for all lists, or all series, the longest are the first that it shortens.
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
    // What narrower limits leave is part of what wider ones leave, so that the first that fit are found by halves.
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

/// Takes letters that nobody sees out of all texts and names.
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
        _ => {}
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

/// The rule by which values of a result are null.
#[derive(Debug)]
pub enum NullRule {
    /// That of an operation's answer, at a place of it.
    Of(String, String),
    /// One of this server.
    Own(&'static str),
}

/// Notes why what is null at a place of a result, or below it, is so.
pub fn explain_nulls(catalogue: &Catalogue, result: &Value, place: &str, rule: &NullRule, notes: &mut Notes) {
    let (schema, why) = match rule {
        NullRule::Of(operation, at) => {
            let answer = catalogue.answer(operation);
            answer.map_or((None, None), |answer| schema_at(catalogue, answer, at))
        }
        NullRule::Own(why) => (None, Some((*why).to_owned())),
    };
    let untold = Enclosing {
        place: WHOLE,
        why: UNTOLD,
    };
    let enclosing = why.as_deref().map_or(untold, |why| Enclosing { place, why });
    for value in values_at(result, place) {
        explain(catalogue, schema, value, place, enclosing, notes);
    }
}

/// The values at a place.
fn values_at<'a>(result: &'a Value, place: &str) -> Vec<&'a Value> {
    place.split('/').skip(1).fold(vec![result], |values, step| {
        let mut found: Vec<&'a Value> = Vec::new();
        for value in values {
            match value {
                Value::Array(items) if step == "*" => found.extend(items),
                Value::Object(members) => found.extend(members.get(step)),
                _ => {}
            }
        }
        found
    })
}

/// The schema at a place of a schema, and what those on the way to it say of nulls in them.
fn schema_at<'a>(
    catalogue: &'a Catalogue,
    schema: &'a Value,
    at: &str,
) -> (Option<&'a Value>, Option<String>) {
    let mut why = None;
    let mut schema = Some(schema);
    for step in at.split('/').skip(1) {
        why = schema.and_then(|schema| why_in(catalogue, schema)).or(why);
        schema = schema.and_then(|schema| match step {
            "*" => item(catalogue, schema),
            name => member(catalogue, schema, name),
        });
    }
    (schema, why)
}

/// The rule for nulls in an object that have none of their own, and where that object stands.
#[derive(Clone, Copy)]
struct Enclosing<'a> {
    place: &'a str,
    why: &'a str,
}

fn explain(
    catalogue: &Catalogue,
    schema: Option<&Value>,
    value: &Value,
    place: &str,
    enclosing: Enclosing<'_>,
    notes: &mut Notes,
) {
    match value {
        Value::Null if place.ends_with(CURSOR) => {}
        Value::Null => match schema.and_then(|schema| why_null(catalogue, schema)) {
            Some(why) => notes.null(place, &why),
            None => notes.null(enclosing.place, enclosing.why),
        },
        Value::Object(members) => {
            let why = schema.and_then(|schema| why_in(catalogue, schema));
            let enclosing = why.as_deref().map_or(enclosing, |why| Enclosing { place, why });
            for (name, value) in members {
                let schema = schema.and_then(|schema| member(catalogue, schema, name));
                explain(catalogue, schema, value, &below(place, name), enclosing, notes);
            }
        }
        Value::Array(items) => {
            let schema = schema.and_then(|schema| item(catalogue, schema));
            let place = below(place, "*");
            for value in items {
                explain(catalogue, schema, value, &place, enclosing, notes);
            }
        }
        _ => {}
    }
}

/// The words of a field, or of the schema of its values, on when it is null.
fn why_null(catalogue: &Catalogue, schema: &Value) -> Option<String> {
    // A reference has a description of the field beside it.
    let of_parts = PARTS.iter().filter_map(|name| schema.get(*name)?.as_array());
    std::iter::once(schema)
        .chain(of_parts.flatten())
        .find_map(of_null)
        .or_else(|| why_in(catalogue, schema))
}

/// The words of the schema of an object on when its members are null.
fn why_in(catalogue: &Catalogue, schema: &Value) -> Option<String> {
    alternatives(catalogue, schema).into_iter().find_map(of_null)
}

/// The sentence of a description that tells of null.
fn of_null(schema: &Value) -> Option<String> {
    let description = schema.get("description")?.as_str()?;
    let words: Vec<&str> = description.split_whitespace().collect();
    let description = words.join(" ");
    description
        .split(". ")
        .find(|sentence| sentence.to_lowercase().contains("null"))
        .map(|sentence| {
            sentence
                .trim_end_matches('.')
                .chars()
                .take(LONGEST_RULE)
                .collect()
        })
}

/// The kinds of an operation's answer and of its list, if it has one, as a JSON Schema. An answer that is cut to fit keeps them.
#[must_use]
pub fn kind_of_answer(catalogue: &Catalogue, operation: &str) -> Value {
    let answer = catalogue.answer(operation);
    let mut kinds = Map::new();
    if let Some(kind) = answer.and_then(|answer| kind(catalogue, answer)) {
        kinds.insert("type".to_owned(), kind.clone());
    }
    let list = answer.and_then(|answer| member(catalogue, answer, LIST));
    if let Some(kind) = list.and_then(|list| kind(catalogue, list)) {
        kinds.insert("properties".to_owned(), json!({ LIST: { "type": kind } }));
    }
    Value::Object(kinds)
}

fn kind<'a>(catalogue: &'a Catalogue, schema: &'a Value) -> Option<&'a Value> {
    alternatives(catalogue, schema)
        .into_iter()
        .find_map(|schema| schema.get("type"))
}

fn alternatives<'a>(catalogue: &'a Catalogue, schema: &'a Value) -> Vec<&'a Value> {
    alternatives_within(catalogue, schema, DEEPEST)
}

fn alternatives_within<'a>(catalogue: &'a Catalogue, schema: &'a Value, depth: usize) -> Vec<&'a Value> {
    let Some(deeper) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let schema = catalogue.resolved(schema);
    let several = PARTS
        .iter()
        .filter_map(|name| schema.get(*name)?.as_array())
        .flatten()
        .flat_map(|schema| alternatives_within(catalogue, schema, deeper));
    std::iter::once(schema).chain(several).collect()
}

fn member<'a>(catalogue: &'a Catalogue, schema: &'a Value, name: &str) -> Option<&'a Value> {
    alternatives(catalogue, schema)
        .into_iter()
        .find_map(|schema| schema.get("properties")?.get(name))
}

fn item<'a>(catalogue: &'a Catalogue, schema: &'a Value) -> Option<&'a Value> {
    alternatives(catalogue, schema)
        .into_iter()
        .find_map(|schema| schema.get("items"))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        /// How many values were measured.
        pub(super) static LOOKED_AT: Cell<usize> = const { Cell::new(0) };
    }

    fn bounded(parts: &Value) -> (Value, Notes) {
        super::bounded(parts.clone())
    }

    fn catalogue() -> Catalogue {
        Catalogue::read(include_bytes!("../../../docs/openapi.json")).unwrap()
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
    fn letters_that_nobody_sees_are_gone() {
        let hidden = "a\u{e0041}\u{200b}b\u{202e}c\u{1b}[31m\nd";
        let (cut, _) = bounded(&json!([hidden]));
        assert_eq!(cut, json!(["abc[31m\nd"]));
    }

    fn reasons(result: &Value, place: &str, rule: &NullRule) -> BTreeMap<String, String> {
        let mut notes = Notes::default();
        explain_nulls(&catalogue(), result, place, rule, &mut notes);
        notes.null_because
    }

    fn of(operation: &str, at: &str) -> NullRule {
        NullRule::Of(operation.to_owned(), at.to_owned())
    }

    #[test]
    fn a_null_is_explained_by_the_document() {
        let result = json!({ "pages": { "next_cursor": null, "items": [
            { "inp_ms": 160.0, "lcp_ms": 2_500.0 },
            { "inp_ms": null, "lcp_ms": null },
        ] } });
        let why = reasons(&result, "/pages", &of("listRumPages", ""));
        assert!(
            why["/pages/items/*/inp_ms"].contains("no view had an interaction"),
            "{why:?}"
        );
        assert!(why["/pages/items/*"].contains("not measured"), "{why:?}");
        assert_eq!(why.len(), 2);
    }

    #[test]
    fn a_null_of_a_reference_is_explained_too() {
        let result = json!({ "status": { "last_error_class": null, "open_incident_id": null } });
        let why = reasons(&result, "/status", &of("getUptimeStatus", ""));
        assert!(
            why["/status/last_error_class"].contains("where it did not"),
            "{why:?}"
        );
    }

    #[test]
    fn a_null_that_was_moved_is_explained_by_where_it_was() {
        let result = json!({ "changes": [{ "inp_ms": { "before": null, "change_pct": null } }] });
        let why = reasons(
            &result,
            "/changes/*/inp_ms/before",
            &of("listRumPages", "/items/*/inp_ms"),
        );
        assert!(
            why["/changes/*/inp_ms/before"].contains("no view had an interaction"),
            "{why:?}"
        );
        let why = reasons(
            &result,
            "/changes/*/inp_ms/change_pct",
            &NullRule::Own("It was 0."),
        );
        assert_eq!(why["/changes/*/inp_ms/change_pct"], "It was 0.");
    }

    #[test]
    fn every_null_is_explained_however_many_there_are() {
        let nulls: serde_json::Map<String, Value> = (0..100)
            .map(|at| (format!("unknown_{at}"), Value::Null))
            .collect();
        let result = json!({ "a": nulls, "b": null });
        let why = reasons(&result, "/a", &of("listRumPages", ""));
        assert_eq!(why.len(), 1);
        assert!(why["/"].contains("describe_operation"));
        let mut notes = Notes::default();
        for at in 0..100 {
            notes.null(&format!("/{at}"), "It was not measured.");
        }
        assert_eq!(notes.null_because.len(), TOLD + 1);
        assert!(notes.null_because.contains_key(WHOLE));
    }

    #[test]
    fn a_schema_that_is_part_of_itself_explains_nulls_all_the_same() {
        let document = json!({
            "paths": { "/x": { "get": { "operationId": "getX", "x-credits": 1, "responses": { "200": {
                "content": { "application/json": { "schema": { "$ref": "#/components/schemas/X" } } },
            } } } } },
            "components": { "schemas": { "X": {
                "allOf": [{ "$ref": "#/components/schemas/X" }],
                "properties": { "a": { "type": "string", "description": "Null where there is none." } },
            } } },
        });
        let catalogue = Catalogue::read(document.to_string().as_bytes()).unwrap();
        let result = json!({ "x": { "a": null, "b": "b" } });
        let rules = [("/x".to_owned(), of("getX", ""))];
        let mut notes = Notes::default();
        explain_nulls(&catalogue, &result, "/x", &rules[0].1, &mut notes);
        crate::outside::name_texts(&catalogue, &result, &rules, &mut notes);
        assert_eq!(notes.null_because["/x/a"], "Null where there is none");
    }
}
