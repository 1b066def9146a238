//! Rules over an operation itself and its parameters.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Document, Fault, Operation, OperationRule, Rule};
use crate::openapi::document::{elements, members};

pub(super) const RULES: [OperationRule; 7] = [
    summary_missing,
    tag_not_one,
    parameter_undescribed,
    parameter_without_schema,
    parameter_enum_inline,
    extension_missing,
    success_without_schema,
];

/// The extensions by which an operation says more of itself than OpenAPI can.
const EXTENSIONS: [&str; 8] = [
    "x-scope",
    "x-min-role",
    "x-rate-limit",
    "x-credits",
    "x-cache-seconds",
    "x-paging",
    "x-window",
    "x-idempotency-key",
];

fn summary_missing(operation: &Operation<'_>, faults: &mut Vec<Fault>) {
    if blank(&operation.node["summary"]) {
        faults.push(Fault::new(
            Rule::SummaryMissing,
            operation.name(),
            "say in a line what it answers",
        ));
    }
}

fn tag_not_one(operation: &Operation<'_>, faults: &mut Vec<Fault>) {
    let tags = elements(&operation.node["tags"]).count();
    if tags != 1 {
        faults.push(Fault::new(
            Rule::TagNotOne,
            operation.name(),
            format!("it has {tags} tags, and needs one"),
        ));
    }
}

fn parameter_undescribed(operation: &Operation<'_>, faults: &mut Vec<Fault>) {
    for ((place, name), parameter) in operation.parameters() {
        if blank(&parameter["description"]) {
            let detail = format!("the {place} parameter {name} has no description");
            faults.push(Fault::new(Rule::ParameterUndescribed, operation.name(), detail));
        }
    }
}

fn parameter_without_schema(operation: &Operation<'_>, faults: &mut Vec<Fault>) {
    for ((place, name), parameter) in operation.parameters() {
        if !parameter["schema"].is_object() {
            let detail = format!("the {place} parameter {name} has no schema");
            faults.push(Fault::new(Rule::ParameterWithoutSchema, operation.name(), detail));
        }
    }
}

/// Generated clients give an enum without a name one of their own, and another at each place.
fn parameter_enum_inline(operation: &Operation<'_>, faults: &mut Vec<Fault>) {
    for ((place, name), parameter) in operation.parameters() {
        if place == "query" && writes_out_an_enum(&parameter["schema"]) {
            let detail =
                format!("the query parameter {name} writes an enum out; refer to a schema with a name");
            faults.push(Fault::new(Rule::ParameterEnumInline, operation.name(), detail));
        }
    }
}

/// Whether an enum stands in a schema itself, rather than in one that it refers to.
fn writes_out_an_enum(schema: &Value) -> bool {
    let parts = ["allOf", "oneOf", "anyOf"]
        .into_iter()
        .flat_map(|keyword| elements(&schema[keyword]));
    let properties = members(&schema["properties"]).map(|(_, property)| property);
    schema["enum"].is_array()
        || parts
            .chain(properties)
            .chain(schema.get("items"))
            .any(writes_out_an_enum)
}

fn extension_missing(operation: &Operation<'_>, faults: &mut Vec<Fault>) {
    let needed: &[&str] = if operation.is_open() {
        &["x-rate-limit"]
    } else {
        &EXTENSIONS
    };
    for name in needed.iter().copied() {
        if operation.node.get(name).is_none() {
            faults.push(Fault::new(
                Rule::ExtensionMissing,
                operation.name(),
                format!("it lacks {name}"),
            ));
        }
    }
}

fn success_without_schema(operation: &Operation<'_>, faults: &mut Vec<Fault>) {
    let successes = operation.successes();
    // An answer that sends a browser elsewhere has no body.
    let redirects = operation.responses().iter().any(|(status, response)| {
        status.starts_with('3') && response["headers"]["Location"]["schema"].is_object()
    });
    if redirects && operation.is_open() {
        return;
    }
    if successes.is_empty() {
        faults.push(Fault::new(
            Rule::SuccessWithoutSchema,
            operation.name(),
            "it declares no 2xx response",
        ));
    }
    for (status, response) in successes {
        if !response["content"]["application/json"]["schema"].is_object() {
            let detail = format!("response {status} has no schema of application/json");
            faults.push(Fault::new(Rule::SuccessWithoutSchema, operation.name(), detail));
        }
    }
}

pub(super) fn operation_id_not_unique(document: &Document, faults: &mut Vec<Fault>) {
    let mut holders: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for operation in document.operations() {
        match operation.id().filter(|id| !id.trim().is_empty()) {
            Some(id) => holders.entry(id).or_default().push(operation.name()),
            None => faults.push(Fault::new(
                Rule::OperationIdNotUnique,
                operation.name(),
                "it has no operationId",
            )),
        }
    }
    for (id, names) in holders.into_iter().filter(|(_, names)| names.len() > 1) {
        faults.push(Fault::new(
            Rule::OperationIdNotUnique,
            id,
            format!("it belongs to {}", names.join(" and ")),
        ));
    }
}

/// Whether a text is absent or empty.
pub(super) fn blank(text: &Value) -> bool {
    text.as_str().is_none_or(|text| text.trim().is_empty())
}
