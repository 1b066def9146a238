//! The three tools that reach every operation.

use rmcp::model::JsonObject;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    Effect, Findings, Kind, ToolContext, ToolSpec,
    arguments::{Arguments, MOST_FAULTS},
};
use crate::{
    api::{Call, CallError},
    catalogue::{Operation, Place},
};

pub(super) static TOOLS: &[ToolSpec] = &[
    ToolSpec {
        name: "find_operation",
        title: "Find an operation",
        description: "Finds operations of the whole API by words, for what no other tool answers.",
        takes: &["words!"],
        effect: Effect::Reads,
        kind: Kind::Find,
    },
    ToolSpec {
        name: "describe_operation",
        title: "Describe an operation",
        description: "Parameters, body, answer, scope and price of an operation, with the unit and the null rule of each field.",
        takes: &["operation_id!"],
        effect: Effect::Reads,
        kind: Kind::Describe,
    },
    ToolSpec {
        name: "call_operation",
        title: "Call an operation",
        description: "Calls any operation, also ones that change settings or delete: describe it first, and ask the user before a change.",
        takes: &["operation_id!", "parameters", "body", "idempotency_key"],
        effect: Effect::Changes,
        kind: Kind::Call,
    },
];

/// Finds operations, and says which of them the caller's scopes allow.
pub(super) async fn find(context: &ToolContext<'_>, arguments: &Arguments) -> Result<Findings, CallError> {
    let mut findings = Findings::default();
    let me = identity(context, &mut findings).await?;
    let scopes = effective_scopes(&me);
    let found: Vec<Value> = context
        .catalogue
        .find(arguments.text("words").unwrap_or_default())
        .into_iter()
        .map(|operation| in_short(operation, &scopes))
        .collect();
    findings.add_own("operations", Value::from(found));
    Ok(findings)
}

fn in_short(operation: &Operation, scopes: &[&str]) -> Value {
    let named = |required| -> Vec<&str> {
        operation
            .settable()
            .filter(|parameter| parameter.required == required)
            .map(|parameter| parameter.name.as_str())
            .collect()
    };
    let scope = operation.scope.as_deref();
    json!({
        "operation_id": operation.id,
        "summary": operation.summary,
        "method": operation.method.as_str(),
        "scope": scope,
        "allowed": scope.is_none_or(|scope| scopes.contains(&scope)),
        "credits": operation.credits,
        "required": named(true),
        "optional": named(false),
        "takes_body": operation.takes_body(),
    })
}

/// Describes an operation. The caller is judged all the same.
pub(super) async fn describe(
    context: &ToolContext<'_>,
    arguments: &Arguments,
) -> Result<Findings, CallError> {
    let mut findings = Findings::default();
    identity(context, &mut findings).await?;
    let operation = context.operation(arguments.text("operation_id").unwrap_or_default())?;
    findings.add_own("operation", context.catalogue.describe(operation));
    Ok(findings)
}

/// Calls an operation with what was given, and with an idempotency key of its own where one is needed.
pub(super) async fn call(context: &ToolContext<'_>, arguments: &Arguments) -> Result<Findings, CallError> {
    let mut findings = Findings::default();
    let operation = context.operation(arguments.text("operation_id").unwrap_or_default())?;
    let none = JsonObject::new();
    let parameters = arguments.object("parameters").unwrap_or(&none);
    let mut call = Call::of(operation);
    let mut faults = Vec::new();
    for (name, value) in parameters {
        match (operation.parameter(name), written(value)) {
            // A path has room for one, and another than was meant might be changed.
            (Some(parameter), _) if parameter.place == Place::Path && value.is_array() => {
                faults.push(format!("{name}: one value, and no list."));
            }
            (Some(_), Some(values)) => {
                for value in values {
                    call = call.with(name, value);
                }
            }
            (Some(_), None) => {
                faults.push(format!("{name}: a text, a number, a boolean, or a list of them."))
            }
            (None, _) => faults.push(format!("{name}: the operation has no such parameter.")),
        }
    }
    for parameter in operation.settable() {
        if parameter.required && parameter.place == Place::Path && !parameters.contains_key(&parameter.name) {
            faults.push(format!("{}: it is required.", parameter.name));
        }
    }
    let body = arguments.object("body");
    if body.is_some() && !operation.takes_body() {
        faults.push("body: the operation takes none.".to_owned());
    }
    if !faults.is_empty() {
        faults.truncate(MOST_FAULTS);
        return Err(CallError::invalid(&faults));
    }
    if let Some(body) = body {
        call = call.body(Value::Object(body.clone()));
    }
    let key = arguments.text("idempotency_key").map(str::to_owned);
    let key = key.or_else(|| operation.needs_key().then(|| Uuid::new_v4().to_string()));
    if let Some(key) = key {
        findings.add_own("idempotency_key", json!(key));
        call = call.key(key);
    }
    if let Some(domain) = parameters.get("domain_id").and_then(Value::as_str) {
        findings.at(&format!("/console/domains/{domain}"));
    }
    findings.add(
        "answer",
        &operation.id,
        context.api.call(context.caller, call).await,
    );
    Ok(findings)
}

/// The values of a parameter as they stand in a query: a list is the parameter once for each.
fn written(value: &Value) -> Option<Vec<String>> {
    let one = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    };
    match value {
        Value::Array(values) => values.iter().map(one).collect(),
        value => Some(vec![one(value)?]),
    }
}

/// Who the caller is, which costs nothing.
async fn identity(context: &ToolContext<'_>, findings: &mut Findings) -> Result<Value, CallError> {
    let answer = context.api.identity(context.caller).await?;
    findings.spent(&answer);
    Ok(answer.body)
}

/// The scopes that an identity has at present.
pub(crate) fn effective_scopes(identity: &Value) -> Vec<&str> {
    let scopes = identity["effective_scopes"].as_array();
    scopes.into_iter().flatten().filter_map(Value::as_str).collect()
}
