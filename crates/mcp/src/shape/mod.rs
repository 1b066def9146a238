//! Answers shaped for a reader: bounded and cleaned, with reasons for nulls, and with the places of texts that strangers wrote.

mod bounds;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Map, Value, json};

pub use self::bounds::bounded;
use crate::catalogue::Catalogue;

/// How many reasons of nulls, places of texts, and places that were shortened, are listed, besides one for all others.
const TOLD: usize = 60;
/// The text in place of all others, if there are more places of texts of strangers than are listed.
const EVERYWHERE: &str = "/ (and more places than are named: take every text for one)";
/// The note on all others, if more places were shortened than are listed.
const ELSEWHERE: &str = "more places than are named";
/// Where the next page of a list begins: an opaque value of the API, which is null on every last page.
const CURSOR: &str = "next_cursor";
/// The member of an answer that is its list.
const LIST: &str = "items";
/// The place of the rule for nulls that have no other rule, or that there is no room for.
const WHOLE: &str = "/";
const UNTOLD: &str = "Where nothing else is said: it was not measured, or there is none. describe_operation has the rule of each field.";
/// From how many places on, of which the same is said, one stands for all.
const MANY: usize = 3;
/// The step of a place that stands for any.
const ANY: &str = "*";
/// How many letters of a rule are told.
const LONGEST_RULE: usize = 200;
/// The schemas that a schema may consist of.
pub(crate) const PARTS: [&str; 3] = ["allOf", "oneOf", "anyOf"];
/// How deep schemas are followed. A schema may be part of itself.
pub(crate) const DEEPEST: usize = 16;

/// The notes on the parts of a result.
#[derive(Debug, Default, Serialize)]
pub struct Notes {
    /// How much of a list or a text was left out, by place.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub shortened: BTreeMap<String, String>,
    /// By place: why there is no value. A reason at an object holds for each value in it that is null, and `*` is any step.
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

    /// Notes how much was left out at a place before it was cut to fit.
    pub(crate) fn shorter_before(&mut self, place: &str, how: String) {
        let how = match self.shortened.get(place) {
            Some(since) => format!("{how}, and of these {since}"),
            None => how,
        };
        self.shorter(place, how);
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

/// The place of something in a result: a JSON Pointer whose list positions are `*`.
pub(crate) fn below(place: &str, step: &str) -> String {
    format!("{place}/{step}")
}

/// The rule by which values of a result are null.
#[derive(Debug)]
pub enum NullRule {
    /// That of an operation's answer, at a place of it.
    Of(String, String),
    /// One of this server.
    Own(&'static str),
}

/// Adds why values at a place of a result, or below it, are null.
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

/// Tells a reason of many values of a part once, at a place that stands for all of theirs, unless another null is at such a place.
pub(crate) fn fold_reasons(result: &Value, notes: &mut Notes) {
    let mut nulls = BTreeSet::new();
    find_nulls(result, "", &mut nulls);
    let mut alike: BTreeMap<(String, usize, String), Vec<String>> = BTreeMap::new();
    for (place, why) in std::mem::take(&mut notes.null_because) {
        if nulls.contains(&place) {
            let part = place.split('/').nth(1).unwrap_or_default().to_owned();
            let depth = place.split('/').count();
            alike.entry((part, depth, why)).or_default().push(place);
        } else {
            notes.null_because.insert(place, why);
        }
    }
    for ((_, _, why), places) in alike {
        if let Some(all) = one_for_all(&places, &nulls) {
            notes.null_because.insert(all, why);
            continue;
        }
        let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for place in places {
            let name = place.rsplit('/').next().unwrap_or_default().to_owned();
            by_name.entry(name).or_default().push(place);
        }
        for places in by_name.into_values() {
            let told = one_for_all(&places, &nulls).map_or(places, |all| vec![all]);
            let told = told.into_iter().map(|place| (place, why.clone()));
            notes.null_because.extend(told);
        }
    }
}

/// The place that stands for all of these, and for no other null.
fn one_for_all(places: &[String], nulls: &BTreeSet<String>) -> Option<String> {
    let (first, others) = places.split_first()?;
    if places.len() < MANY {
        return None;
    }
    let mut steps: Vec<&str> = first.split('/').collect();
    for place in others {
        for (step, other) in steps.iter_mut().zip(place.split('/')) {
            if *step != other {
                *step = ANY;
            }
        }
    }
    let stands_for = |place: &str| {
        let of_place: Vec<&str> = place.split('/').collect();
        let mut pairs = steps.iter().zip(&of_place);
        steps.len() == of_place.len() && pairs.all(|(step, other)| *step == ANY || step == other)
    };
    let mut meant = nulls.iter().filter(|place| stands_for(place));
    meant.all(|place| places.contains(place)).then(|| steps.join("/"))
}

/// The places of all nulls.
fn find_nulls(value: &Value, place: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Null => {
            found.insert(place.to_owned());
        }
        Value::Object(members) => {
            for (name, value) in members {
                find_nulls(value, &below(place, name), found);
            }
        }
        Value::Array(items) => {
            let place = below(place, ANY);
            for value in items {
                find_nulls(value, &place, found);
            }
        }
        _ => {}
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

/// The schema at a place of a schema, and what the schemas on the way say of nulls in them.
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

/// The rule for nulls in an object that have none of their own, and the place of that object.
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

/// The sentences of a field, or of the schema of its values, on when it is null.
fn why_null(catalogue: &Catalogue, schema: &Value) -> Option<String> {
    // A reference has a description of the field beside it.
    let of_parts = PARTS.iter().filter_map(|name| schema.get(*name)?.as_array());
    std::iter::once(schema)
        .chain(of_parts.flatten())
        .find_map(of_null)
        .or_else(|| why_in(catalogue, schema))
}

/// The sentences of the schema of an object on when its members are null.
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

/// The kinds of an operation's answer and of its list, if it has one, as a JSON Schema. An answer that is cut to fit keeps
/// them.
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
    use super::*;

    fn catalogue() -> Catalogue {
        Catalogue::read(include_bytes!("../../../../docs/openapi.json")).unwrap()
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

    /// The places of reasons once they are folded.
    fn folded(result: &Value, reasons: &[(&str, &str)]) -> Vec<String> {
        let mut notes = Notes::default();
        for (place, why) in reasons {
            notes.null(place, why);
        }
        fold_reasons(result, &mut notes);
        notes.null_because.into_keys().collect()
    }

    #[test]
    fn a_reason_of_many_places_is_told_once() {
        let vitals = json!({ "lcp": { "change": null, "p75": null }, "inp": { "change": null, "p75": 1 }, "cls": { "change": null } });
        let result = json!({ "field": vitals, "lab": { "lcp": { "change": null } } });
        let alike = "Null without a window before";
        let reasons = [
            ("/field/lcp/change", alike),
            ("/field/inp/change", alike),
            ("/field/cls/change", alike),
            ("/field/lcp/p75", "Null without a view"),
            ("/lab/lcp/change", alike),
        ];
        let told = ["/field/*/change", "/field/lcp/p75", "/lab/lcp/change"];
        assert_eq!(folded(&result, &reasons), told);
        // Where the last step differs too, one stands for all that are called alike, as far as they are many.
        let mut more = reasons.to_vec();
        more.push(("/field/inp/p75", alike));
        let told = [
            "/field/*/change",
            "/field/inp/p75",
            "/field/lcp/p75",
            "/lab/lcp/change",
        ];
        let result = json!({
            "field": { "lcp": { "change": null, "p75": null }, "inp": { "change": null, "p75": null }, "cls": { "change": null } },
            "lab": { "lcp": { "change": null } },
        });
        assert_eq!(folded(&result, &more), told);
    }

    /// It has the reason of what it is in, which is farther than a place that stands for it would be.
    #[test]
    fn a_reason_is_not_told_at_a_place_of_another_null() {
        let result = json!({ "a": { "x": { "n": null }, "y": { "n": null }, "z": { "n": null }, "w": { "n": null } } });
        let alike = "Null where there is none";
        let reasons = [
            ("/a/x/n", alike),
            ("/a/y/n", alike),
            ("/a/z/n", alike),
            ("/", UNTOLD),
        ];
        assert_eq!(folded(&result, &reasons), ["/", "/a/x/n", "/a/y/n", "/a/z/n"]);
    }

    #[test]
    fn what_is_left_out_twice_says_so() {
        let mut notes = Notes::default();
        notes.shorter("/a", "the first 10 of 20".to_owned());
        for place in ["/a", "/b"] {
            notes.shorter_before(place, "the first 20 of 57".to_owned());
        }
        let twice = "the first 20 of 57, and of these the first 10 of 20";
        assert_eq!(notes.shortened["/a"], twice);
        assert_eq!(notes.shortened["/b"], "the first 20 of 57");
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
