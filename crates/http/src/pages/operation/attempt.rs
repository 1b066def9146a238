//! The form that makes the call of an operation's page, with the reader's own key. Without scripts the page says what else does it.

use maud::{Markup, html};
use serde_json::Value;

use super::{about, pretty, without_null};
use crate::pages::{prose, script};

/// The form, where a key opens the operation.
pub(super) fn form(document: &Value, path: &str, method: &str, operation: &Value) -> Markup {
    let takes_key = operation["security"]
        .as_array()
        .is_some_and(|ways| !ways.is_empty());
    if !takes_key {
        return html! {};
    }
    let parameters: Vec<&Value> = operation["parameters"].as_array().into_iter().flatten().collect();
    let body = &operation["requestBody"]["content"]["application/json"];
    html! {
        h2 id="try" { "Try it" }
        p id="try-without" { "Scripts are off here, and this page makes no call without one. The curl line above makes it." }
        form id="try-form" hidden method="post" autocomplete="off" data-method=(method) data-path=(path) {
            p {
                "The call goes to this Pharos. It is a real one"
                @if method != "GET" { ": it does what it says" }
                ", and counts for the limits and credits of the key. The key stays in this page, and is gone with it."
            }
            p {
                label for="try-key" { "API key" } br;
                input id="try-key" type="password" required autocomplete="off" spellcheck="false";
            }
            @for (at, parameter) in parameters.iter().enumerate() { (field(document, at, parameter)) }
            @if !body.is_null() {
                p {
                    label for="try-body" { "Body" } br;
                    textarea id="try-body" rows="12" spellcheck="false" { "\n" @if let Some(example) = body.get("example") { (pretty(example)) } }
                }
            }
            p { button id="try-send" { "Send" } }
        }
        div id="try-answer" hidden {
            p id="try-status" role="status" {}
            pre tabindex="0" { code id="try-text" {} }
        }
        script src=(script::PATH.as_str()) defer {}
    }
}

/// The field of a parameter: a choice where its values are few, a text of lines where it is repeated, else a line.
fn field(document: &Value, at: usize, parameter: &Value) -> Markup {
    let text = |member: &str| parameter[member].as_str().unwrap_or_default();
    let (name, place) = (text("name"), text("in"));
    let required = parameter["required"] == true;
    let (schema, _) = without_null(document, &parameter["schema"]);
    let choices: Vec<String> = match (&schema["enum"], schema["type"].as_str()) {
        (Value::Array(values), _) => values
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        (_, Some("boolean")) => vec!["true".to_owned(), "false".to_owned()],
        _ => Vec::new(),
    };
    let id = format!("try-{at}");
    let hint = format!("{id}-about");
    html! {
        p {
            label for=(id) { code { (name) } " (" (place) @if required { ", required" } ")" } br;
            @if !choices.is_empty() {
                select id=(id) data-in=(place) data-name=(name) required[required] aria-describedby=(hint) {
                    option value="" { "–" }
                    @for choice in &choices { option { (choice) } }
                }
            } @else if schema["type"] == "array" {
                textarea id=(id) data-in=(place) data-name=(name) data-each required[required] rows="3" spellcheck="false" aria-describedby=(hint) {}
            } @else {
                input id=(id) data-in=(place) data-name=(name) required[required] spellcheck="false" aria-describedby=(hint);
            }
            br;
            small id=(hint) { (prose(&about(document, parameter))) @if schema["type"] == "array" { " One a line." } }
        }
    }
}
