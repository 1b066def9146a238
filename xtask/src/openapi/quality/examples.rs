//! Rules over examples: bodies and answers have one, and every one fits its schema.

use anyhow::{Context, Result};
use jsonschema::{Draft, Registry};
use serde_json::{Value, json};

use super::{Document, Fault, Operation, Rule};
use crate::openapi::document::{elements, members};

/// The name under which schemas find the document that they stand in.
const DOCUMENT: &str = "urn:openapi";

/// Holds every example of the document to its schema.
pub(super) fn check(document: &Document, faults: &mut Vec<Fault>) -> Result<()> {
    let registry = Registry::new()
        .draft(Draft::Draft202012)
        .add(DOCUMENT, &document.root)
        .and_then(jsonschema::RegistryBuilder::prepare)
        .context("the document's schemas can't be read")?;
    let mut checker = Checker {
        document,
        registry: &registry,
        faults,
    };
    for operation in document.operations() {
        checker.operation(&operation);
    }
    for (component, schema) in members(&document.root["components"]["schemas"]) {
        checker.schema(schema, component);
    }
    Ok(())
}

struct Checker<'a> {
    document: &'a Document,
    registry: &'a Registry<'a>,
    faults: &'a mut Vec<Fault>,
}

impl Checker<'_> {
    fn operation(&mut self, operation: &Operation<'_>) {
        for ((place, name), parameter) in operation.parameters() {
            let at = format!("{}, {place} parameter {name}", operation.name());
            self.all_fit(&parameter["schema"], &written(parameter), &at);
            self.schema(&parameter["schema"], &at);
        }
        if let Some(body) = operation.body() {
            self.content(body, &format!("{}, request body", operation.name()), true);
        }
        for (status, response) in operation.responses() {
            let at = format!("{}, response {status}", operation.name());
            self.content(response, &at, status.starts_with('2'));
        }
    }

    /// The examples of a body or an answer; JSON that an operation takes or answers needs one.
    fn content(&mut self, node: &Value, at: &str, needed: bool) {
        for (media, content) in members(&node["content"]) {
            let schema = &content["schema"];
            let mut examples = written(content);
            // An example of the schema itself serves as well; the component's own check holds it.
            let of_schema = self.document.resolve(schema).map(written).unwrap_or_default();
            if needed
                && schema.is_object()
                && media.ends_with("json")
                && examples.is_empty()
                && of_schema.is_empty()
            {
                let detail = format!("{media} needs `example` or `examples`");
                self.faults.push(Fault::new(Rule::ExampleMissing, at, detail));
            }
            if schema.get("$ref").is_none() {
                examples.extend(of_schema);
            }
            self.all_fit(schema, &examples, at);
        }
    }

    /// The examples that stand in a schema, its own and those of what is written out within it.
    fn schema(&mut self, schema: &Value, at: &str) {
        if !schema.is_object() {
            return;
        }
        if schema.get("$ref").is_none() {
            self.all_fit(schema, &written(schema), at);
        }
        for (name, property) in members(&schema["properties"]) {
            self.schema(property, &format!("{at}.{name}"));
        }
        let parts = ["allOf", "oneOf", "anyOf"]
            .into_iter()
            .flat_map(|keyword| elements(&schema[keyword]));
        for part in parts {
            self.schema(part, at);
        }
        for keyword in ["items", "additionalProperties"] {
            self.schema(&schema[keyword], &format!("{at}[]"));
        }
    }

    fn all_fit(&mut self, schema: &Value, examples: &[&Value], at: &str) {
        if examples.is_empty() {
            return;
        }
        let validator = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .with_registry(self.registry)
            .should_validate_formats(true)
            .should_ignore_unknown_formats(true)
            .build(&anchored(schema));
        let validator = match validator {
            Ok(validator) => validator,
            Err(error) => {
                let detail = format!("its schema is not a valid one: {error}");
                self.faults.push(Fault::new(Rule::ExampleMisfits, at, detail));
                return;
            }
        };
        for example in examples {
            for error in validator.iter_errors(example) {
                let pointer = error.instance_path().to_string();
                let detail = format!("{} {error}", if pointer.is_empty() { "/" } else { &pointer });
                self.faults.push(Fault::new(Rule::ExampleMisfits, at, detail));
            }
        }
    }
}

/// The examples written beside a schema or in one: `example`, and `examples` as a list or by name.
fn written(node: &Value) -> Vec<&Value> {
    let by_name = members(&node["examples"]).filter_map(|(_, example)| example.get("value"));
    node.get("example")
        .into_iter()
        .chain(elements(&node["examples"]))
        .chain(by_name)
        .collect()
}

/// A schema whose references find the document from outside of it.
fn anchored(schema: &Value) -> Value {
    match schema {
        Value::Object(keywords) => keywords
            .iter()
            .map(|(key, value)| match value.as_str() {
                Some(reference) if key == "$ref" && reference.starts_with('#') => {
                    (key.clone(), json!(format!("{DOCUMENT}{reference}")))
                }
                _ => (key.clone(), anchored(value)),
            })
            .collect(),
        Value::Array(values) => values.iter().map(anchored).collect(),
        other => other.clone(),
    }
}
