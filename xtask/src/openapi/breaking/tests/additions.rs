//! What may change without breaking anybody, each as a change of a document.

use serde_json::{Value, json};

use super::edit::{add_parameter, has_required_property, is_union, list_len, raise, require, set, set_at};
use crate::openapi::mutation::{Change, In, operation, parameter, response, schema, take};

/// What may change without breaking anybody.
pub(super) const ADDITIONS: &[(&str, Change)] = &[
    ("an operation is added", |root| {
        let copy = operation(root, |_| true)?.clone();
        set(&mut root["paths"], "/added", json!({"get": copy}))
    }),
    ("an optional parameter is added", |root| {
        add_parameter(
            root,
            json!({"name": "added", "in": "query", "schema": {"type": "string", "enum": ["a"]}}),
        )
    }),
    ("a response field is added", |root| {
        let object = schema(root, In::Success, has_required_property)?;
        set(
            &mut object["properties"],
            "added",
            json!({"type": ["string", "null"]}),
        )?;
        require(object, "added")
    }),
    ("a response's enum gains a value", |root| {
        schema(root, In::Success, |node| node["enum"].is_array())?["enum"]
            .as_array_mut()?
            .push(json!("added"));
        Some(())
    }),
    ("a response field may no longer be null", |root| {
        let leaf = schema(root, In::Success, |node| {
            node["type"] == json!(["number", "null"])
        })?;
        set(leaf, "type", json!("number"))
    }),
    ("a problem may no longer occur", |root| {
        let responses = &mut operation(root, |node| node["responses"]["429"].is_object())?["responses"];
        take(responses, "429").map(drop)
    }),
    ("a problem may occur", |root| {
        let responses = &mut operation(root, |node| node["responses"]["429"].is_object())?["responses"];
        let problem = responses["429"].clone();
        set(responses, "418", problem)
    }),
    ("a header is added", |root| {
        let answer = response(root, |status, node| {
            status == "200" && node["headers"].is_object()
        })?;
        set(
            &mut answer["headers"],
            "X-Added",
            json!({"schema": {"type": "string"}}),
        )
    }),
    ("an optional body is added", |root| {
        let body =
            json!({"content": {"application/json": {"schema": {"type": "object", "required": ["a"]}}}});
        set(
            operation(root, |node| node.get("requestBody").is_none())?,
            "requestBody",
            body,
        )
    }),
    ("a parameter is no longer required", |root| {
        set(
            parameter(root, |node| node["in"] == "header" && node["required"] == true)?,
            "required",
            json!(false),
        )
    }),
    ("a parameter's enum gains a value", |root| {
        schema(root, In::Parameter, |node| node["enum"].is_array())?["enum"]
            .as_array_mut()?
            .push(json!("added"));
        Some(())
    }),
    ("a parameter's enum becomes free", |root| {
        take(
            schema(root, In::Parameter, |node| node["enum"].is_array())?,
            "enum",
        )
        .map(drop)
    }),
    ("a member's enum gains a value", |root| {
        schema(root, In::Body, |node| node["enum"].is_array())?["enum"]
            .as_array_mut()?
            .push(json!("added"));
        Some(())
    }),
    ("an optional member is added", |root| {
        let object = schema(root, In::Body, |node| node["properties"].is_object())?;
        let added = json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}});
        set(&mut object["properties"], "added", added)
    }),
    ("a member is no longer required", |root| {
        schema(root, In::Body, |node| list_len(&node["required"]) > 0)?["required"]
            .as_array_mut()?
            .remove(0);
        Some(())
    }),
    ("a member may be null", |root| {
        set(
            schema(root, In::Body, |node| node["type"] == "boolean")?,
            "type",
            json!(["boolean", "null"]),
        )
    }),
    ("a minimum falls", |root| raise(root, In::Body, "minimum", -1)),
    ("a maximum rises", |root| raise(root, In::Body, "maximum", 1)),
    ("a bound goes", |root| {
        take(
            schema(root, In::Body, |node| node["maxLength"].is_number())?,
            "maxLength",
        )
        .map(drop)
    }),
    ("a pattern goes", |root| {
        take(
            schema(root, In::Parameter, |node| node["pattern"].is_string())?,
            "pattern",
        )
        .map(drop)
    }),
    ("the price falls", |root| {
        set(
            operation(root, |node| node["x-credits"].as_u64() > Some(0))?,
            "x-credits",
            json!(0),
        )
    }),
    ("no scope is needed any more", |root| {
        set(
            operation(root, |node| node["x-scope"].is_string())?,
            "x-scope",
            Value::Null,
        )
    }),
    ("a weaker role suffices", |root| {
        set(
            operation(root, |node| node["x-min-role"] == "member")?,
            "x-min-role",
            json!("viewer"),
        )
    }),
    ("a bucket is no longer taken from", |root| {
        operation(root, |node| list_len(&node["x-rate-limit"]) > 1)?["x-rate-limit"]
            .as_array_mut()?
            .pop()
            .map(drop)
    }),
    ("a bucket's own limit rises", |root| {
        let numbered = |node: &Value| node["x-rate-limit"][1] == "rum-read:20";
        set_at(
            operation(root, numbered)?,
            "/x-rate-limit/1",
            json!("rum-read:30"),
        )
    }),
    ("an idempotency key is no longer required", |root| {
        set(
            operation(root, |node| node["x-idempotency-key"] == "required")?,
            "x-idempotency-key",
            json!("no"),
        )
    }),
    ("another way to authenticate is added", |root| {
        let mut ways = root["security"].clone();
        ways.as_array_mut()?.push(json!({"oauth": []}));
        set(root, "security", ways)
    }),
    ("a summary is reworded", |root| {
        set(operation(root, |_| true)?, "summary", json!("In other words"))
    }),
    ("a nullable field is written another way", |root| {
        let leaf = schema(root, In::Success, |node| {
            node["type"] == json!(["number", "null"])
        })?;
        let format = take(leaf, "format")?;
        *leaf = json!({"anyOf": [{"type": "number", "format": format}, {"type": "null"}]});
        Some(())
    }),
    ("variants change their order", |root| {
        schema(root, In::Success, is_union)?["oneOf"]
            .as_array_mut()?
            .reverse();
        Some(())
    }),
];
