//! Rules over a schema before and after, and the walk that applies them all the way down.
//!
//! A caller reads what a response says and writes what a request takes, so the two sides have rules of
//! their own: an answer may not become wider, a request may not become narrower. An enum in an answer is
//! open: it may gain values, as the documentation tells its readers.

use std::collections::{HashSet, VecDeque};

use serde_json::Value;

use super::{Report, Rule};
use crate::openapi::{
    document::Document,
    view::{LOWER_BOUNDS, UPPER_BOUNDS, View},
};

/// Who writes what the schema describes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Request,
    Response,
}

/// A rule over one schema at `at`.
type SchemaRule = fn(&View<'_>, &View<'_>, &str, &mut Report<'_>);

const REQUEST_RULES: [SchemaRule; 7] = [
    request_retyped,
    request_null_refused,
    request_enum_narrowed,
    request_bounds_narrowed,
    request_pattern_changed,
    request_member_removed,
    request_member_required,
];

const RESPONSE_RULES: [SchemaRule; 4] = [
    response_field_retyped,
    response_field_nullable,
    response_field_removed,
    response_field_optional,
];

/// Applies the rules of `side` to both schemas and to all that they hold, breadth first: a component that
/// is reached in several ways is reported at the shortest of them.
pub(super) fn compare(
    (old, before): (&Document, &Value),
    (new, after): (&Document, &Value),
    side: Side,
    at: &str,
    report: &mut Report<'_>,
) {
    let rules: &[SchemaRule] = match side {
        Side::Request => &REQUEST_RULES,
        Side::Response => &RESPONSE_RULES,
    };
    let mut seen = HashSet::new();
    let mut waiting = VecDeque::from([(before, after, at.to_owned())]);
    while let Some((before, after, at)) = waiting.pop_front() {
        // Schemas refer back to themselves, by way of the same nodes: each pair is looked at once.
        if !seen.insert((std::ptr::from_ref(before), std::ptr::from_ref(after))) {
            continue;
        }
        let (before, after) = (View::of(old, before), View::of(new, after));
        for rule in rules {
            rule(&before, &after, &at, report);
        }
        waiting.extend(inner_pairs(&before, &after, &at));
    }
}

/// The schemas that both hold at the same place, with that place.
fn inner_pairs<'o, 'n>(old: &View<'o>, new: &View<'n>, at: &str) -> Vec<(&'o Value, &'n Value, String)> {
    let properties = old
        .properties
        .iter()
        .filter_map(|(name, before)| Some((*before, *new.properties.get(name)?, format!("{at}.{name}"))));
    let variants = old
        .variants
        .iter()
        .filter_map(|(name, before)| Some((*before, *new.variants.get(name)?, format!("{at}<{name}>"))));
    let items = old
        .items
        .zip(new.items)
        .map(|(before, after)| (before, after, format!("{at}[]")));
    let free = old
        .additional
        .zip(new.additional)
        .map(|(before, after)| (before, after, format!("{at}.*")));
    properties.chain(variants).chain(items).chain(free).collect()
}

fn response_field_retyped(old: &View<'_>, new: &View<'_>, at: &str, report: &mut Report<'_>) {
    if let Some(detail) = retyped(old, new) {
        report.add(Rule::ResponseFieldRetyped, at, detail);
    }
    for added in new
        .variants
        .keys()
        .filter(|name| !old.variants.contains_key(*name))
    {
        report.add(Rule::ResponseFieldRetyped, at, format!("it may now be {added}"));
    }
}

fn response_field_nullable(old: &View<'_>, new: &View<'_>, at: &str, report: &mut Report<'_>) {
    if new.nullable && !old.nullable {
        report.add(Rule::ResponseFieldNullable, at, "it may now be null");
    }
}

fn response_field_removed(old: &View<'_>, new: &View<'_>, at: &str, report: &mut Report<'_>) {
    for gone in gone(old, new) {
        report.add(Rule::ResponseFieldRemoved, at, format!("{gone} is gone"));
    }
}

fn response_field_optional(old: &View<'_>, new: &View<'_>, at: &str, report: &mut Report<'_>) {
    for name in old.required.difference(&new.required) {
        if new.properties.contains_key(name) {
            report.add(
                Rule::ResponseFieldOptional,
                at,
                format!("{name} was always present and may now be absent"),
            );
        }
    }
}

fn request_retyped(old: &View<'_>, new: &View<'_>, at: &str, report: &mut Report<'_>) {
    if let Some(detail) = retyped(old, new) {
        report.add(Rule::RequestRetyped, at, detail);
    }
}

fn request_null_refused(old: &View<'_>, new: &View<'_>, at: &str, report: &mut Report<'_>) {
    if old.nullable && !new.nullable {
        report.add(Rule::RequestNullRefused, at, "null is no longer accepted");
    }
}

fn request_enum_narrowed(old: &View<'_>, new: &View<'_>, at: &str, report: &mut Report<'_>) {
    let Some(accepted) = &new.values else { return };
    match &old.values {
        None => report.add(
            Rule::RequestEnumNarrowed,
            at,
            "only the values of an enum are accepted now",
        ),
        Some(values) => {
            for value in values.difference(accepted) {
                report.add(
                    Rule::RequestEnumNarrowed,
                    at,
                    format!("{value} is no longer accepted"),
                );
            }
        }
    }
}

fn request_bounds_narrowed(old: &View<'_>, new: &View<'_>, at: &str, report: &mut Report<'_>) {
    let narrowed = |bound, tighter: fn(f64, f64) -> bool| {
        let new = new.bounds.get(bound)?;
        let old = old.bounds.get(bound);
        let narrower = old.is_none_or(|old| tighter(*new, *old));
        let was = old.map_or_else(|| "nothing".to_owned(), ToString::to_string);
        narrower.then(|| format!("{bound} went from {was} to {new}"))
    };
    let lower = LOWER_BOUNDS
        .iter()
        .filter_map(|bound| narrowed(bound, |new, old| new > old));
    let upper = UPPER_BOUNDS
        .iter()
        .filter_map(|bound| narrowed(bound, |new, old| new < old));
    for detail in lower.chain(upper) {
        report.add(Rule::RequestBoundsNarrowed, at, detail);
    }
}

fn request_pattern_changed(old: &View<'_>, new: &View<'_>, at: &str, report: &mut Report<'_>) {
    if let Some(pattern) = new.pattern.filter(|pattern| old.pattern != Some(pattern)) {
        let was = old.pattern.unwrap_or("nothing");
        report.add(
            Rule::RequestPatternChanged,
            at,
            format!("pattern went from {was} to {pattern}"),
        );
    }
}

/// Unknown members are refused, so one taken away breaks its senders.
fn request_member_removed(old: &View<'_>, new: &View<'_>, at: &str, report: &mut Report<'_>) {
    for gone in gone(old, new) {
        report.add(
            Rule::RequestMemberRemoved,
            at,
            format!("{gone} is no longer accepted"),
        );
    }
}

fn request_member_required(old: &View<'_>, new: &View<'_>, at: &str, report: &mut Report<'_>) {
    for name in new.required.difference(&old.required) {
        report.add(Rule::RequestMemberRequired, at, format!("{name} became required"));
    }
}

/// How the types, the format or the presence of a type for a list's items differ. Null has rules of its own.
fn retyped(old: &View<'_>, new: &View<'_>) -> Option<String> {
    let (was, is) = (type_of(old), type_of(new));
    (was != is).then(|| format!("{was} became {is}"))
}

fn type_of(view: &View<'_>) -> String {
    let mut name = view.types.iter().copied().collect::<Vec<_>>().join(" or ");
    if name.is_empty() {
        name.push_str("anything");
    }
    if let Some(format) = view.format {
        name.push_str(&format!(" ({format})"));
    }
    if view.types.contains("array") && view.items.is_none() {
        name.push_str(" of anything");
    }
    name
}

/// What the old schema names and the new one does not: properties, free members, variants. Where the type
/// itself changed, that is the fault, and its members are not counted one by one.
fn gone(old: &View<'_>, new: &View<'_>) -> Vec<String> {
    if old.types != new.types {
        return Vec::new();
    }
    let properties = old
        .properties
        .keys()
        .filter(|name| !new.properties.contains_key(*name));
    let free =
        (old.additional.is_some() && new.additional.is_none()).then(|| "a member of any name".to_owned());
    let variants = old
        .variants
        .keys()
        .filter(|name| !new.variants.contains_key(*name));
    properties
        .map(ToString::to_string)
        .chain(free)
        .chain(variants.map(|name| format!("the variant {name}")))
        .collect()
}
