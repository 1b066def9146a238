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
    for (component, schema) in members(&document.root["components"]["schemas"]) {
        properties(document, schema, component, faults);
    }
}

/// Looks at a schema's properties and at those of the schemas written out within it.
fn properties(document: &Document, schema: &Value, place: &str, faults: &mut Vec<Fault>) {
    if !schema.is_object() {
        return;
    }
    for (name, property) in members(&schema["properties"]) {
        let place = format!("{place}.{name}");
        if !described(document, property) {
            let detail = "say its meaning, its unit and when it is null";
            faults.push(Fault::new(Rule::PropertyUndescribed, place.clone(), detail));
        }
        properties(document, property, &place, faults);
    }
    let inner = ["allOf", "oneOf", "anyOf"]
        .into_iter()
        .flat_map(|keyword| elements(&schema[keyword]));
    for part in inner {
        properties(document, part, place, faults);
    }
    for keyword in ["items", "additionalProperties"] {
        properties(document, &schema[keyword], &format!("{place}[]"), faults);
    }
}

/// A property that is only a reference may leave its description to what it refers to. One that may be null
/// says itself what that means, if need be in the alternative that is not null.
fn described(document: &Document, property: &Value) -> bool {
    let says = |schema: &Value| !blank(&schema["description"]);
    let refers = || property.get("$ref").is_some() && document.resolve(property).is_some_and(says);
    let wraps = || {
        let alternatives = elements(&property["oneOf"]).chain(elements(&property["anyOf"]));
        let mut others = alternatives.filter(|schema| schema["type"] != "null");
        others.next().is_some_and(says) && others.next().is_none()
    };
    says(property) || refers() || wraps()
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
