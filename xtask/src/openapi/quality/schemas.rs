//! Rules over the document's schemas and references.

use serde_json::Value;

use super::{Document, Fault, Rule, operation::blank};
use crate::openapi::document::{elements, members};

/// Every `$ref` that leads nowhere.
pub(super) fn broken_references(document: &Document) -> Vec<Fault> {
    let mut faults = Vec::new();
    visit(&document.root, "", &mut |pointer, node| {
        if let Some(reference) = node.get("$ref").and_then(Value::as_str)
            && document.resolve(node).is_none()
        {
            faults.push(Fault::new(
                Rule::ReferenceBroken,
                pointer,
                format!("{reference} leads nowhere"),
            ));
        }
    });
    faults
}

/// Every property of a component that says nothing of its meaning.
pub(super) fn property_undescribed(document: &Document, faults: &mut Vec<Fault>) {
    each_property(document, &mut |place, property, _| {
        if !described(document, property) {
            let detail = "say its meaning, its unit and when it is null";
            faults.push(Fault::new(Rule::PropertyUndescribed, place, detail));
        }
    });
}

/// Ends of sentences on null that give the reason only together with the sentence before. Assistants are told that sentence alone.
const CUT: [&str; 5] = [
    "likewise",
    "without any",
    "without one",
    "other forms",
    "fewer than two",
];

/// Every property of a component that may be null, where neither it nor the schema that it is in says when, or the sentence that
/// does gives no reason of its own.
pub(super) fn null_unexplained(document: &Document, faults: &mut Vec<Fault>) {
    each_property(document, &mut |place, property, is_told| {
        let tells = || {
            let mut schemas = std::iter::once(property).chain(alternatives(property));
            schemas.any(tells_of_null)
        };
        // One that says nothing at all is a fault of its own.
        if may_be_null(property) && described(document, property) && !is_told && !tells() {
            let detail = "say when it is null, or say it of all of them where the schema is described";
            faults.push(Fault::new(Rule::NullUnexplained, place, detail));
        }
        if std::iter::once(property)
            .chain(alternatives(property))
            .any(is_cut)
        {
            let detail = "say in the sentence on null itself why: it is told without the one before";
            faults.push(Fault::new(Rule::NullUnexplained, place, detail));
        }
    });
}

/// Calls `each` on every property of the components, with its place, and whether the schema that it is in tells of null.
fn each_property(document: &Document, each: &mut impl FnMut(&str, &Value, bool)) {
    for (component, schema) in members(&document.root["components"]["schemas"]) {
        properties(schema, component, false, each);
    }
}

/// Looks at a schema's properties and at those of the schemas written out within it.
fn properties(schema: &Value, place: &str, is_told: bool, each: &mut impl FnMut(&str, &Value, bool)) {
    if !schema.is_object() {
        return;
    }
    let is_told = is_told || tells_of_null(schema);
    for (name, property) in members(&schema["properties"]) {
        let place = format!("{place}.{name}");
        each(&place, property, is_told);
        properties(property, &place, false, each);
    }
    let inner = ["allOf", "oneOf", "anyOf"]
        .into_iter()
        .flat_map(|keyword| elements(&schema[keyword]));
    for part in inner {
        properties(part, place, is_told, each);
    }
    for keyword in ["items", "additionalProperties"] {
        properties(&schema[keyword], &format!("{place}[]"), false, each);
    }
}

/// A property that is only a reference may leave its description to what it refers to. One that may be null
/// says itself what that means, if need be in the alternative that is not null.
fn described(document: &Document, property: &Value) -> bool {
    let says = |schema: &Value| !blank(&schema["description"]);
    let refers = || property.get("$ref").is_some() && document.resolve(property).is_some_and(says);
    let wraps = || {
        let mut others = alternatives(property).filter(|schema| schema["type"] != "null");
        others.next().is_some_and(says) && others.next().is_none()
    };
    says(property) || refers() || wraps()
}

/// Whether null is a value of a property.
fn may_be_null(property: &Value) -> bool {
    let kind = &property["type"];
    *kind == "null" || elements(kind).any(|kind| *kind == "null") || alternatives(property).any(may_be_null)
}

/// Whether a schema's description tells of null.
fn tells_of_null(schema: &Value) -> bool {
    let description = schema["description"].as_str().unwrap_or_default();
    description.to_lowercase().contains("null")
}

/// Whether a schema has a sentence on null alone that gives no reason of its own.
fn is_cut(schema: &Value) -> bool {
    let description = schema["description"].as_str().unwrap_or_default();
    let words: Vec<&str> = description.split_whitespace().collect();
    words.join(" ").to_lowercase().split(". ").any(|sentence| {
        let sentence = sentence.trim_end_matches('.');
        sentence.starts_with("null") && CUT.iter().any(|end| sentence.ends_with(end))
    })
}

/// The alternatives that a property consists of.
fn alternatives(property: &Value) -> impl Iterator<Item = &Value> {
    elements(&property["oneOf"]).chain(elements(&property["anyOf"]))
}

/// Calls `each` on every object of `node`, with its JSON pointer. Examples are data, not references.
pub(super) fn visit(node: &Value, pointer: &str, each: &mut impl FnMut(&str, &Value)) {
    if node.is_object() {
        each(pointer, node);
    }
    for (key, child) in members(node) {
        if key != "example" && key != "examples" {
            visit(
                child,
                &format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")),
                each,
            );
        }
    }
    for (index, child) in elements(node).enumerate() {
        visit(child, &format!("{pointer}/{index}"), each);
    }
}
