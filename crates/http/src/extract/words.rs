//! Misfits of a schema in words: one wording for each kind of fault, wherever it is.

use std::collections::HashSet;

use jsonschema::{
    JsonType, ValidationError,
    error::{TypeKind, ValidationErrorKind as Kind},
};
use pharos_domain::{day::MalformedDay, ids::MalformedId, timestamp::InvalidTimestamp};
use serde_json::Value;

/// A value that does not fit: where it is, and why.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Misfit {
    /// From the outside in.
    pub(super) path: Vec<String>,
    pub(super) why: String,
}

/// A value that is none of those that there are.
pub(crate) fn none_of<T: std::fmt::Display>(known: impl IntoIterator<Item = T>) -> String {
    let known: Vec<String> = known.into_iter().map(|value| value.to_string()).collect();
    match known.as_slice() {
        [only] => format!("not {only}"),
        _ => format!("not one of {}", known.join(", ")),
    }
}

/// The fault of a flag that is no boolean.
pub(crate) const NO_BOOLEAN: &str = "neither true nor false";

/// Adds what an error of the validator says. `read_only` are members that answers alone have.
pub(super) fn tell(error: &ValidationError<'_>, read_only: &[String], found: &mut Vec<Misfit>) {
    let at = segments(error.instance_path().as_str());
    let within = |name: &str| at.iter().cloned().chain([name.to_owned()]).collect();
    match error.kind() {
        Kind::AdditionalProperties { unexpected } => {
            for name in unexpected {
                let is_shown = at.is_empty() && read_only.contains(name);
                found.push(Misfit {
                    path: within(name),
                    why: if is_shown {
                        "read-only: answers show it, and it can't be set; leave it out".to_owned()
                    } else {
                        "unknown member".to_owned()
                    },
                });
            }
        }
        Kind::Required { property } => found.push(Misfit {
            path: within(property.as_str().unwrap_or_default()),
            why: "missing".to_owned(),
        }),
        Kind::PropertyNames { error: of_name } => found.push(Misfit {
            path: within(of_name.instance().as_str().unwrap_or_default()),
            why: format!("its name: {}", why(of_name)),
        }),
        Kind::UniqueItems => {
            let mut seen = HashSet::new();
            let items = error.instance().as_array().into_iter().flatten().enumerate();
            let again = items.filter(|(_, item)| !seen.insert(item.to_string()));
            found.extend(again.map(|(place, _)| Misfit {
                path: within(&place.to_string()),
                why: "given more than once".to_owned(),
            }));
        }
        // A schema that takes null is written as one of null and something else.
        Kind::OneOfNotValid { context } | Kind::AnyOf { context } => {
            let is_null = |branch: &&Vec<ValidationError<'static>>| {
                branch.iter().any(|error| wants(error, JsonType::Null))
            };
            let may_be_null = context.iter().any(|branch| is_null(&branch));
            match context.iter().find(|branch| !is_null(branch)) {
                Some(branch) => {
                    for fault in branch {
                        match wrong_kind(fault)
                            .filter(|_| may_be_null && fault.instance_path() == error.instance_path())
                        {
                            Some(kind) => found.push(Misfit {
                                path: at.clone(),
                                why: no_such_kind(&TypeKind::Multiple(kind | JsonType::Null)),
                            }),
                            None => tell(fault, read_only, found),
                        }
                    }
                }
                None => found.push(Misfit {
                    path: at,
                    why: why(error),
                }),
            }
        }
        _ => found.push(Misfit {
            path: at,
            why: why(error),
        }),
    }
}

/// The kind that a value should be of, and is not.
fn wrong_kind(error: &ValidationError<'_>) -> Option<JsonType> {
    match error.kind() {
        Kind::Type {
            kind: TypeKind::Single(kind),
        } => Some(*kind),
        _ => None,
    }
}

fn wants(error: &ValidationError<'_>, wanted: JsonType) -> bool {
    wrong_kind(error) == Some(wanted)
}

fn why(error: &ValidationError<'_>) -> String {
    match error.kind() {
        Kind::Type { kind } => no_such_kind(kind),
        Kind::Enum { options } => none_of(options.as_array().into_iter().flatten().map(plain)),
        Kind::Constant { expected_value } => none_of([plain(expected_value)]),
        Kind::Minimum { limit } => format!("less than {limit}"),
        Kind::Maximum { limit } => format!("more than {limit}"),
        Kind::MinLength { limit: 1 } => "empty".to_owned(),
        Kind::MinLength { limit } => format!("shorter than {limit} characters"),
        Kind::MaxLength { limit } => format!("longer than {limit} characters"),
        Kind::MinItems { limit: 1 } => "empty; at least one is needed".to_owned(),
        Kind::MinItems { limit } => format!("fewer than {limit}"),
        Kind::MaxItems { limit } => format!("more than {limit} items"),
        Kind::MaxProperties { limit } => format!("more than {limit} members"),
        Kind::Pattern { pattern } => format!("does not match {pattern}"),
        Kind::Format { format } => match format.as_str() {
            "date-time" => InvalidTimestamp.to_string(),
            "date" => MalformedDay::Form.to_string(),
            "uuid" => MalformedId.to_string(),
            other => format!("not a {other}"),
        },
        _ => "not as the document describes it".to_owned(),
    }
}

fn no_such_kind(kind: &TypeKind) -> String {
    let mut kinds: Vec<JsonType> = match kind {
        TypeKind::Single(kind) => vec![*kind],
        TypeKind::Multiple(kinds) => kinds.iter().collect(),
    };
    kinds.sort_by_key(|kind| *kind == JsonType::Null);
    match kinds.as_slice() {
        [JsonType::Boolean] => NO_BOOLEAN.to_owned(),
        [only] => format!("not {}", article(*only)),
        [one, other] => format!("neither {} nor {}", article(*one), article(*other)),
        _ => "not as the document describes it".to_owned(),
    }
}

const fn article(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Null => "null",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "a whole number",
        JsonType::Number => "a number",
        JsonType::String => "a text",
        JsonType::Array => "a list",
        JsonType::Object => "an object",
    }
}

/// A text without quotation marks.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The names and places that a JSON Pointer consists of, decoded.
fn segments(pointer: &str) -> Vec<String> {
    let encoded = pointer.split('/').skip(1);
    encoded
        .map(|segment| segment.replace("~1", "/").replace("~0", "~"))
        .collect()
}
