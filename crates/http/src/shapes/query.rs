//! A query parameter, as the document describes it.

use serde_json::Value;
use utoipa::openapi::path::Parameter;

/// utoipa writes an optional parameter as nullable. A query has no null, so that is taken out.
pub(crate) fn query_parameter(parameter: &Parameter) -> Value {
    let mut value = serde_json::to_value(parameter).unwrap_or_default();
    if let Some(schema) = value.get_mut("schema") {
        if let Some(Value::Array(kinds)) = schema.get_mut("type") {
            kinds.retain(|kind| kind != "null");
            if let [only] = kinds.as_slice() {
                schema["type"] = only.clone();
            }
        }
        if let Some(Value::Array(choices)) = schema.get("oneOf")
            && let [only] = choices
                .iter()
                .filter(|choice| choice["type"] != "null")
                .collect::<Vec<_>>()
                .as_slice()
        {
            let default = schema.get("default").cloned();
            *schema = (*only).clone();
            if let Some(default) = default {
                schema["default"] = default;
            }
        }
    }
    value
}
