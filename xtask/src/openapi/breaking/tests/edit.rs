//! Small edits of a document, and what they look for.

use serde_json::{Value, json};

use crate::openapi::mutation::{In, operation, schema, take};

pub(super) fn set(node: &mut Value, name: &str, value: Value) -> Option<()> {
    node.as_object_mut()?.insert(name.to_owned(), value);
    Some(())
}

pub(super) fn set_at(node: &mut Value, pointer: &str, value: Value) -> Option<()> {
    *node.pointer_mut(pointer)? = value;
    Some(())
}

pub(super) fn list_len(node: &Value) -> usize {
    node.as_array().map_or(0, Vec::len)
}

/// A schema of this one type, with neither format nor enum.
pub(super) fn plain(node: &Value, name: &str) -> bool {
    node["type"] == name && node.get("format").is_none() && node.get("enum").is_none()
}

pub(super) fn has_required_property(node: &Value) -> bool {
    first_required(node).is_some()
}

pub(super) fn first_required(node: &Value) -> Option<String> {
    let name = node["required"][0].as_str()?;
    node["properties"].get(name).map(|_| name.to_owned())
}

pub(super) fn optional_property(node: &Value) -> Option<String> {
    let required = &node["required"];
    let mut names = node["properties"].as_object()?.keys();
    names
        .find(|name| {
            !required
                .as_array()
                .is_some_and(|list| list.contains(&json!(name)))
        })
        .cloned()
}

pub(super) fn null_alternative(node: &Value) -> Option<usize> {
    node["oneOf"]
        .as_array()?
        .iter()
        .position(|part| part["type"] == "null")
}

/// Two variants or more, null not counted.
pub(super) fn is_union(node: &Value) -> bool {
    list_len(&node["oneOf"]) > 1 && null_alternative(node).is_none()
}

pub(super) fn remove_property(object: &mut Value, name: &str) -> Option<()> {
    if let Some(required) = object["required"].as_array_mut() {
        required.retain(|entry| entry != name);
    }
    take(&mut object["properties"], name).map(drop)
}

pub(super) fn require(object: &mut Value, name: &str) -> Option<()> {
    let mut required = object["required"].as_array().cloned().unwrap_or_default();
    required.push(json!(name));
    set(object, "required", json!(required))
}

pub(super) fn add_parameter(root: &mut Value, parameter: Value) -> Option<()> {
    let holder = operation(root, |_| true)?;
    let mut parameters = holder["parameters"].as_array().cloned().unwrap_or_default();
    parameters.push(parameter);
    set(holder, "parameters", json!(parameters))
}

/// Moves a bound by `step`.
pub(super) fn raise(root: &mut Value, place: In, bound: &str, step: i64) -> Option<()> {
    let holder = schema(root, place, |node| node[bound].is_number())?;
    let moved = holder[bound].as_i64()? + step;
    set(holder, bound, json!(moved))
}
