//! The page of each operation, made of the document: parameters, fields, refusals, price, limits, a call of it, and a form that makes
//! the call.

mod attempt;
mod call;

use std::collections::HashMap;

use actix_web::web::Bytes;
use maud::{Markup, html};
use serde_json::Value;

use self::call::Call;
use super::{layout, prose};

/// How deep schemas are followed, lists and choices included. The document has the rest.
const DEEPEST: usize = 10;
/// How many fields of one schema are told.
const MOST_FIELDS: usize = 400;
/// How many values of an enumeration are told beside a field.
const MOST_VALUES: usize = 12;

/// The pages of all operations of a document, by their ids.
pub(super) fn pages(document: &Value) -> HashMap<String, Bytes> {
    let mut pages = HashMap::new();
    for (path, methods) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in methods.as_object().into_iter().flatten() {
            if let Some(id) = operation["operationId"].as_str() {
                let page = page(document, path, &method.to_uppercase(), operation);
                pages.insert(id.to_owned(), Bytes::from(page.into_string()));
            }
        }
    }
    pages
}

fn page(document: &Value, path: &str, method: &str, operation: &Value) -> Markup {
    let body = &operation["requestBody"]["content"];
    let body = body.as_object().and_then(|content| content.iter().next());
    let responses = operation["responses"].as_object();
    let answer = responses
        .into_iter()
        .flatten()
        .find(|(status, _)| status.starts_with('2'));
    let parameters = operation["parameters"].as_array();
    let content = html! {
        p { code { (method) " " (path) } }
        @for paragraph in operation["description"].as_str().unwrap_or_default().split("\n\n") {
            p { (prose(paragraph)) }
        }
        (facts(operation))
        @if let Some(parameters) = parameters.filter(|parameters| !parameters.is_empty()) {
            h2 { "Parameters" }
            (table(&parameters.iter().map(|parameter| Field::of_parameter(document, parameter)).collect::<Vec<_>>()))
        }
        @if let Some((form, body)) = body {
            h2 { "Body" }
            p { code { (form) } }
            (table(&fields(document, &body["schema"])))
        }
        @if let Some((status, answer)) = answer {
            h2 { "Answer" }
            p { "Status " (status) ". " (prose(answer["description"].as_str().unwrap_or_default())) }
            @let answer = &answer["content"]["application/json"];
            (table(&fields(document, &answer["schema"])))
            @if let Some(example) = answer.get("example") {
                pre tabindex="0" { code { (pretty(example)) } }
            }
        }
        h2 { "Refusals" }
        (refusals(operation))
        h2 { "A call" }
        p { "What stands in capital letters is yours to fill in. The SDKs for TypeScript and Python have a method for it." }
        @let call = Call::of(path, method, operation);
        @for (language, code) in [
            ("curl", call.curl()),
            ("TypeScript", call.typescript()),
            ("Python", call.python()),
            ("Rust", call.rust()),
        ] {
            h3 { (language) }
            pre tabindex="0" { code { (code) } }
        }
        (attempt::form(document, path, method, operation))
    };
    layout(
        &operation["summary"].as_str().unwrap_or_default().replace('`', ""),
        &content,
    )
}

/// Who may call it, what it costs, and what bounds it.
fn facts(operation: &Value) -> Markup {
    let facts = [
        ("Scope", "x-scope"),
        ("Role", "x-min-role"),
        ("Credits", "x-credits"),
        ("Limits", "x-rate-limit"),
        ("Cached, in seconds", "x-cache-seconds"),
        ("Idempotency-Key", "x-idempotency-key"),
        ("Pages", "x-paging"),
        ("Window", "x-window"),
    ];
    html! {
        div.wide tabindex="0" { table { tbody {
            @for (name, member) in facts {
                @let told = told(&operation[member]);
                @if !told.is_empty() { tr { th { (name) } td { (told) } } }
            }
        } } }
    }
}

fn refusals(operation: &Value) -> Markup {
    let responses = operation["responses"].as_object().into_iter().flatten();
    html! {
        div.wide tabindex="0" { table {
            thead { tr { th { "Status" } th { "Problems" } th { "When" } } }
            tbody {
                @for (status, response) in responses.filter(|(status, _)| !status.starts_with('2')) {
                    tr {
                        td { (status) }
                        td {
                            @for problem in response["x-problems"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                                a href={ "/docs/api/errors/" (problem) } { code { (problem) } } " "
                            }
                        }
                        td { (prose(response["description"].as_str().unwrap_or_default())) }
                    }
                }
            }
        } }
    }
}

/// A field of a body or an answer, or a parameter.
struct Field {
    name: String,
    kind: String,
    is_required: bool,
    about: String,
}

impl Field {
    fn of_parameter(document: &Value, parameter: &Value) -> Self {
        let place = parameter["in"].as_str().unwrap_or_default();
        Self {
            name: format!("{} ({place})", parameter["name"].as_str().unwrap_or_default()),
            kind: kind(document, &parameter["schema"], 0),
            is_required: parameter["required"] == true,
            about: about(document, parameter),
        }
    }
}

fn table(fields: &[Field]) -> Markup {
    html! {
        @if !fields.is_empty() {
            div.wide tabindex="0" { table {
                thead { tr { th { "Name" } th { "Type" } th { "Meaning" } } }
                tbody {
                    @for field in fields {
                        tr {
                            td { code { (field.name) } @if field.is_required { br; "required" } }
                            td { (field.kind) }
                            td { (prose(&field.about)) }
                        }
                    }
                }
            } }
        }
    }
}

fn fields(document: &Value, schema: &Value) -> Vec<Field> {
    let mut fields = Vec::new();
    add_fields(document, schema, "", 0, &mut fields);
    fields
}

/// Adds the members of a schema, and those of theirs, each by its way from the root: `items[].name`.
fn add_fields(document: &Value, schema: &Value, way: &str, depth: usize, fields: &mut Vec<Field>) {
    if depth > DEEPEST || fields.len() >= MOST_FIELDS {
        return;
    }
    let (schema, _) = without_null(document, schema);
    for choice in ["allOf", "oneOf", "anyOf"] {
        for part in schema[choice].as_array().into_iter().flatten() {
            add_fields(document, part, way, depth + 1, fields);
        }
    }
    if let Some(items) = schema.get("items") {
        add_fields(document, items, &format!("{way}[]"), depth + 1, fields);
    }
    if let Some(values) = schema
        .get("additionalProperties")
        .filter(|values| values.is_object())
    {
        add_fields(document, values, &format!("{way}.*"), depth + 1, fields);
    }
    let required = schema["required"].as_array();
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        if fields.len() >= MOST_FIELDS {
            return;
        }
        let way = if way.is_empty() {
            name.clone()
        } else {
            format!("{way}.{name}")
        };
        fields.push(Field {
            name: way.clone(),
            kind: kind(document, member, 0),
            is_required: required.is_some_and(|required| required.iter().any(|one| one == name.as_str())),
            about: about(document, member),
        });
        add_fields(document, member, &way, depth + 1, fields);
    }
}

/// The schema itself, where it is a reference to one or a choice between one and null; and whether it may be null.
fn without_null<'a>(document: &'a Value, schema: &'a Value) -> (&'a Value, bool) {
    let schema = resolved(document, schema);
    if let Some(choices) = schema["oneOf"].as_array() {
        let others: Vec<&Value> = choices.iter().filter(|choice| choice["type"] != "null").collect();
        let may_be_null = others.len() < choices.len();
        return match others.as_slice() {
            &[one] => (resolved(document, one), may_be_null),
            _ => (schema, may_be_null),
        };
    }
    let types = schema["type"].as_array();
    (
        schema,
        types.is_some_and(|types| types.iter().any(|one| one == "null")),
    )
}

fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let name = schema["$ref"]
        .as_str()
        .and_then(|reference| reference.rsplit('/').next());
    name.map_or(schema, |name| &document["components"]["schemas"][name])
}

/// The words of a field: its own, those beside the reference in it, or those of its type.
fn about(document: &Value, schema: &Value) -> String {
    let choices = schema["oneOf"].as_array().into_iter().flatten();
    let beside = choices.filter_map(|choice| choice["description"].as_str());
    let own = schema["description"].as_str();
    let of_type = || without_null(document, schema).0["description"].as_str();
    let words = own.into_iter().chain(beside).next().or_else(of_type);
    words.unwrap_or_default().to_owned()
}

/// The type of a field, with its bounds.
fn kind(document: &Value, schema: &Value, depth: usize) -> String {
    let (schema, may_be_null) = without_null(document, schema);
    let kind = if depth > DEEPEST {
        "any".to_owned()
    } else if let Some(values) = schema["enum"].as_array() {
        one_of(values)
    } else if let Some(choices) = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array()) {
        let others = choices.iter().filter(|choice| choice["type"] != "null");
        let kinds: Vec<String> = others.map(|choice| kind_of(document, choice, depth)).collect();
        kinds.join(" or ")
    } else if let Some(items) = schema.get("items") {
        format!(
            "list of {}{}",
            kind_of(document, items, depth),
            bounds(schema, "Items", " items")
        )
    } else {
        simple(schema)
    };
    if may_be_null {
        format!("{kind}, or null")
    } else {
        kind
    }
}

fn kind_of(document: &Value, schema: &Value, depth: usize) -> String {
    kind(document, schema, depth + 1)
}

/// The type of what is neither a list nor a choice.
fn simple(schema: &Value) -> String {
    let name = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).find(|one| *one != "null"),
        one => one.as_str(),
    };
    let format = schema["format"].as_str();
    let format = format.map_or_else(String::new, |format| format!(" ({format})"));
    let range = match (schema.get("minimum"), schema.get("maximum")) {
        (Some(least), Some(most)) => format!(", {least} to {most}"),
        (Some(least), None) => format!(", {least} or more"),
        (None, Some(most)) => format!(", {most} at most"),
        (None, None) => String::new(),
    };
    let length = bounds(schema, "Length", " characters");
    format!("{}{format}{range}{length}", name.unwrap_or("object"))
}

/// The bounds of a length, or of a count of items.
fn bounds(schema: &Value, of: &str, unit: &str) -> String {
    match (schema.get(format!("min{of}")), schema.get(format!("max{of}"))) {
        (Some(least), Some(most)) => format!(", {least} to {most}{unit}"),
        (Some(least), None) => format!(", {least}{unit} or more"),
        (None, Some(most)) => format!(", {most}{unit} at most"),
        (None, None) => String::new(),
    }
}

fn one_of(values: &[Value]) -> String {
    let told: Vec<String> = values.iter().take(MOST_VALUES).map(told).collect();
    let more = if values.len() > MOST_VALUES { ", …" } else { "" };
    format!("one of {}{more}", told.join(", "))
}

/// A value as it is told; nothing where there is none.
fn told(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(told).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn document() -> Value {
        json!({
            "components": { "schemas": {
                "Window": { "description": "A window.", "type": "object", "required": ["from"], "properties": {
                    "from": { "type": "string", "format": "date", "description": "The first day." },
                    "next": { "oneOf": [{ "$ref": "#/components/schemas/Window", "description": "The next; null: none." }, { "type": "null" }] },
                } },
            } },
            "paths": { "/api/things/{thing_id}": { "put": {
                "operationId": "changeThing",
                "summary": "Change a `thing`",
                "description": "One.\n\nTwo.",
                "security": [{ "bearer": [] }],
                "x-credits": 1,
                "x-rate-limit": ["general"],
                "parameters": [
                    { "name": "thing_id", "in": "path", "required": true, "description": "Its id.", "schema": { "type": "string" } },
                    { "name": "Idempotency-Key", "in": "header", "required": true, "schema": { "type": "string", "maxLength": 255 } },
                ],
                "requestBody": { "content": { "application/json": {
                    "example": { "name": "Ada's" },
                    "schema": { "properties": { "sizes": { "type": "array", "maxItems": 3, "items": { "type": "integer", "minimum": 1, "maximum": 9 } } } },
                } } },
                "responses": {
                    "200": { "description": "Success.", "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Window" } } } },
                    "404": { "description": "No such thing.", "x-problems": ["not-found"] },
                },
            } } },
        })
    }

    #[test]
    fn a_page_has_parameters_fields_refusals_and_a_call() {
        let pages = pages(&document());
        let page = String::from_utf8(pages["changeThing"].to_vec()).unwrap();
        for part in [
            "<h1>Change a thing</h1>",
            "<p>One.</p><p>Two.</p>",
            "<th>Credits</th><td>1</td>",
            "<code>thing_id (path)</code><br>required",
            "<td>string, 255 characters at most</td>",
            "<td>list of integer, 1 to 9, 3 items at most</td>",
            "<code>from</code><br>required",
            "<td>string (date)</td><td>The first day.</td>",
            "<code>next</code></td><td>object, or null</td><td>The next; null: none.</td>",
            "<code>next.from</code>",
            "<a href=\"/docs/api/errors/not-found\">",
            "<h3>curl</h3><pre tabindex=\"0\"><code>curl -s -X PUT &quot;$PHAROS_URL/api/things/$THING_ID&quot;",
            "<h3>Rust</h3>",
            "<form id=\"try-form\" hidden method=\"post\" autocomplete=\"off\" data-method=\"PUT\" data-path=\"/api/things/{thing_id}\">",
            "<input id=\"try-0\" data-in=\"path\" data-name=\"thing_id\" required",
            "<input id=\"try-1\" data-in=\"header\" data-name=\"Idempotency-Key\" required",
            "<textarea id=\"try-body\" rows=\"12\" spellcheck=\"false\">\n{\n  &quot;name&quot;: &quot;Ada's&quot;\n}</textarea>",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
    }

    /// Apps call such an operation on their way to a credential.
    #[test]
    fn an_operation_that_takes_no_key_has_no_form_for_one() {
        let mut document = document();
        document["paths"]["/api/things/{thing_id}"]["put"]["security"] = json!([]);
        let page = String::from_utf8(pages(&document)["changeThing"].to_vec()).unwrap();
        assert!(page.contains("<h2>A call</h2>"), "{page}");
        assert!(!page.contains("<form") && !page.contains("<script"), "{page}");
    }

    /// A schema that has itself within it ends somewhere.
    #[test]
    fn what_refers_to_itself_ends() {
        let document = document();
        let fields = fields(&document, &json!({ "$ref": "#/components/schemas/Window" }));
        assert!((4..=MOST_FIELDS).contains(&fields.len()), "{}", fields.len());
    }
}
