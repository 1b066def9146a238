//! The document's schemas of a body, or of an operation's own query parameters, checked against a request. So the service
//! takes what is documented, and all that is at fault is told at once.

use std::collections::{BTreeMap, HashSet};

use jsonschema::{ValidationError, Validator, error::ValidationErrorKind};
use pharos_domain::{
    country::{self, Country},
    day::Day,
    ids::parse_hyphenated,
    timestamp::Timestamp,
};
use serde_json::{Map, Value, json};

use super::{
    read_only::ReadOnly,
    words::{Misfit, Words},
};
use crate::shapes::{Shapes, query::query_parameter};

/// The schemas of an operation, compiled.
pub(crate) struct Schemas {
    body: Option<Schema>,
    query: Schema,
    /// The kinds of the query's parameters that are no text.
    kinds: BTreeMap<String, Kind>,
}

/// The JSON type that the text of a query parameter stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Whole,
    Boolean,
    /// A list of texts: the parameter is repeated, once for each.
    List,
}

struct Schema {
    validator: Validator,
    words: Words,
}

impl Schemas {
    /// # Errors
    /// A schema that is none.
    pub(crate) fn compile(shapes: &Shapes) -> Result<Self, String> {
        let (mut properties, mut required, mut kinds) = (Map::new(), Vec::new(), BTreeMap::new());
        let mut patterns = BTreeMap::new();
        for parameter in &shapes.parameters {
            let described = query_parameter(parameter);
            let name = &parameter.name;
            if described["required"] == true {
                required.push(name.clone());
            }
            let kind = match described["schema"]["type"].as_str() {
                Some("integer") => Some(Kind::Whole),
                Some("boolean") => Some(Kind::Boolean),
                Some("array") => Some(Kind::List),
                _ => None,
            };
            kinds.extend(kind.map(|kind| (name.clone(), kind)));
            // The words of a parameter stand beside its schema.
            let pattern = described["schema"]["pattern"].as_str();
            let worded = pattern.zip(described["description"].as_str());
            patterns.extend(worded.map(|(pattern, words)| (pattern.to_owned(), words.to_owned())));
            properties.insert(name.clone(), described["schema"].clone());
        }
        let query = json!({ "type": "object", "properties": properties, "required": required });
        let body = shapes.body.as_ref().map(|body| {
            let schema = json!(body.schema);
            let components = named(&schema, shapes);
            let mut words = Words {
                read_only: ReadOnly::between(&schema, &json!(shapes.answer.schema), shapes),
                ..Words::default()
            };
            words.gather(&schema);
            words.gather(&components);
            Ok::<_, String>(Schema {
                validator: compile(&schema, &components)?,
                words,
            })
        });
        let mut words = Words {
            patterns,
            ..Words::default()
        };
        let components = named(&query, shapes);
        words.gather(&query);
        words.gather(&components);
        Ok(Self {
            body: body.transpose()?,
            query: Schema {
                validator: compile(&query, &components)?,
                words,
            },
            kinds,
        })
    }

    /// Every misfit of a body.
    pub(super) fn of_body(&self, body: &Value) -> Vec<Misfit> {
        self.body
            .as_ref()
            .map_or_else(Vec::new, |schema| schema.misfits(body))
    }

    /// Whether the query's parameter of this name is a list, which is given by repeating it.
    pub(super) fn is_list(&self, name: &str) -> bool {
        self.kinds.get(name) == Some(&Kind::List)
    }

    /// A query's parameters, which are decoded, as the JSON that they stand for. One that is no list stands once.
    pub(super) fn values(&self, pairs: &[(String, String)]) -> Map<String, Value> {
        let mut values = Map::new();
        for (name, text) in pairs {
            let value = match self.kinds.get(name) {
                Some(Kind::Whole) => whole(text),
                Some(Kind::Boolean) => text.parse::<bool>().ok().map(Value::from),
                Some(Kind::List) => {
                    let list = values.entry(name.as_str()).or_insert_with(|| json!([]));
                    list.as_array_mut()
                        .into_iter()
                        .for_each(|list| list.push(text.as_str().into()));
                    continue;
                }
                None => None,
            };
            values.insert(name.clone(), value.unwrap_or_else(|| text.as_str().into()));
        }
        values
    }

    /// Every misfit of a query's parameters.
    pub(super) fn of_query(&self, values: &Map<String, Value>) -> Vec<Misfit> {
        self.query.misfits(&values.clone().into())
    }
}

impl std::fmt::Debug for Schemas {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Schemas").finish_non_exhaustive()
    }
}

/// Digits alone. A number beyond 64 bits is above every bound.
fn whole(text: &str) -> Option<Value> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse::<u64>().unwrap_or(u64::MAX).into())
}

impl Schema {
    fn misfits(&self, value: &Value) -> Vec<Misfit> {
        let mut errors: Vec<ValidationError<'_>> = self.validator.iter_errors(value).collect();
        // Errors of type come first: of each place only the first is told, and a value of the wrong type fits no bound. A
        // format says more than the pattern beside it. A name that the caller chose is a place of its own.
        errors.sort_by_key(|error| match error.kind() {
            ValidationErrorKind::Type { .. } => 0,
            ValidationErrorKind::Format { .. } => 1,
            _ => 2,
        });
        let mut found = Vec::new();
        for error in errors {
            let at = error.instance_path().as_str();
            match (error.kind(), value.pointer(at)) {
                (ValidationErrorKind::FalseSchema, Some(Value::Object(members))) => {
                    self.words.tell_members(at, members, &mut found);
                }
                _ => self.words.tell(&error, &mut found),
            }
        }
        let mut told = HashSet::new();
        found.retain(|misfit| told.insert((misfit.path.clone(), misfit.is_of_name)));
        found
    }
}

/// The name of the component that a schema refers to.
pub(super) fn component(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str().and_then(|path| path.rsplit('/').next())
}

/// The components that a schema refers to, and those that these refer to: an operation's answers have many more, which nothing of
/// a request is checked against.
fn named(schema: &Value, shapes: &Shapes) -> Value {
    let mut found = Map::new();
    let mut read = vec![schema.clone()];
    while let Some(value) = read.pop() {
        let name = component(&value).filter(|name| !found.contains_key(*name));
        if let Some((name, known)) = name.and_then(|name| shapes.components.get_key_value(name)) {
            let known = json!(known);
            found.insert(name.clone(), known.clone());
            read.push(known);
        }
        match value {
            Value::Object(members) => read.extend(members.into_iter().map(|(_, member)| member)),
            Value::Array(items) => read.extend(items),
            _ => {}
        }
    }
    Value::Object(found)
}

/// `schema` refers to `components` as in the document. A format is what this service reads as one.
fn compile(schema: &Value, components: &Value) -> Result<Validator, String> {
    let mut schema = schema.clone();
    schema["components"] = json!({ "schemas": components });
    jsonschema::draft202012::options()
        .should_validate_formats(true)
        .with_format("date", |text: &str| text.parse::<Day>().is_ok())
        .with_format("date-time", |text: &str| text.parse::<Timestamp>().is_ok())
        .with_format("uuid", |text: &str| parse_hyphenated(text).is_some())
        .with_format(country::FORMAT, |text: &str| text.parse::<Country>().is_ok())
        .build(&schema)
        .map_err(|error| error.to_string())
}
