//! Misfits of a schema in words: one wording for each kind of fault, wherever it is.

use std::collections::{BTreeMap, HashSet};

use jsonschema::{
    JsonType, ValidationError,
    error::{TypeKind, ValidationErrorKind as Kind},
};
use pharos_domain::{
    country::{self, NoCountry},
    day::MalformedDay,
    ids::MalformedId,
    timestamp::InvalidTimestamp,
};
use serde_json::{Map, Value};

use super::read_only::ReadOnly;

/// A value that does not fit: where it is, and why.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Misfit {
    /// From the outside in.
    pub(super) path: Vec<String>,
    pub(super) why: String,
    /// Whether it lies in the name of a member, where callers choose names.
    pub(super) is_of_name: bool,
    /// Whether the value is of the right type and stands by a name that the caller chose, which can be judged still.
    pub(super) keeps_name: bool,
    /// Whether the value is of the right type, a text, a number or an empty list, and out of its bounds.
    pub(super) is_out_of_bounds: bool,
}

impl Misfit {
    pub(super) fn new(path: Vec<String>, why: impl Into<String>) -> Self {
        Self {
            path,
            why: why.into(),
            is_of_name: false,
            keeps_name: false,
            is_out_of_bounds: false,
        }
    }
}

/// The words that a schema has for its faults.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// Members that answers have and bodies have not.
    pub(super) read_only: ReadOnly,
    /// The texts that a pattern takes, as its schema describes them.
    pub(super) patterns: BTreeMap<String, String>,
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

impl Words {
    /// Records how a schema, and all within it, describe their patterns.
    pub(super) fn gather(&mut self, schema: &Value) {
        match schema {
            Value::Object(members) => {
                if let (Some(Value::String(pattern)), Some(Value::String(words))) =
                    (members.get("pattern"), members.get("description"))
                {
                    self.patterns.insert(pattern.clone(), words.clone());
                }
                members.values().for_each(|member| self.gather(member));
            }
            Value::Array(items) => items.iter().for_each(|item| self.gather(item)),
            _ => {}
        }
    }

    /// Adds what an error of the validator says.
    pub(super) fn tell(&self, error: &ValidationError<'_>, found: &mut Vec<Misfit>) {
        let at = segments(error.instance_path().as_str());
        let within = |name: &str| at.iter().cloned().chain([name.to_owned()]).collect();
        match error.kind() {
            Kind::AdditionalProperties { unexpected } => {
                found.extend(unexpected.iter().map(|name| self.unknown(within(name))));
            }
            Kind::Required { property } => {
                found.push(Misfit::new(
                    within(property.as_str().unwrap_or_default()),
                    "missing",
                ));
            }
            Kind::PropertyNames { error: of_name } => {
                let path = within(of_name.instance().as_str().unwrap_or_default());
                found.push(Misfit {
                    is_of_name: true,
                    ..Misfit::new(path, format!("its name: {}", self.why(of_name)))
                });
            }
            Kind::UniqueItems => {
                let mut seen = HashSet::new();
                let items = error.instance().as_array().into_iter().flatten().enumerate();
                let again = items.filter(|(_, item)| !seen.insert(item.to_string()));
                found.extend(
                    again.map(|(place, _)| Misfit::new(within(&place.to_string()), "given more than once")),
                );
            }
            Kind::OneOfNotValid { context } | Kind::AnyOf { context } => self.tell_of(error, context, found),
            _ => found.push(Misfit {
                keeps_name: is_of_a_map(error) && wrong_kind(error).is_none(),
                is_out_of_bounds: is_of_bounds(error),
                ..Misfit::new(at, self.why(error))
            }),
        }
    }

    /// Adds the members of an object that may have none: the validator does not say which they are.
    pub(super) fn tell_members(&self, pointer: &str, members: &Map<String, Value>, found: &mut Vec<Misfit>) {
        let at = segments(pointer);
        let path = |name: &String| at.iter().chain([name]).cloned().collect();
        found.extend(members.keys().map(|name| self.unknown(path(name))));
    }

    /// A member that the schema does not have.
    fn unknown(&self, path: Vec<String>) -> Misfit {
        let why = if self.read_only.has(&path) {
            "read-only: answers show it, and it can't be set; leave it out"
        } else {
            "unknown member"
        };
        Misfit::new(path, why)
    }

    /// A schema that takes null is written as one of null and something else.
    fn tell_of(
        &self,
        error: &ValidationError<'_>,
        context: &[Vec<ValidationError<'static>>],
        found: &mut Vec<Misfit>,
    ) {
        let at = || segments(error.instance_path().as_str());
        let is_null =
            |branch: &&Vec<ValidationError<'static>>| branch.iter().any(|error| wants(error, JsonType::Null));
        let may_be_null = context.iter().any(|branch| is_null(&branch));
        let Some(branch) = context.iter().find(|branch| !is_null(branch)) else {
            found.push(Misfit::new(at(), self.why(error)));
            return;
        };
        for fault in branch {
            let is_here = may_be_null && fault.instance_path() == error.instance_path();
            match wrong_kind(fault).filter(|_| is_here) {
                Some(kind) => {
                    let why = no_such_kind(&TypeKind::Multiple(kind | JsonType::Null));
                    found.push(Misfit::new(at(), why));
                }
                None => self.tell(fault, found),
            }
        }
    }

    fn why(&self, error: &ValidationError<'_>) -> String {
        match error.kind() {
            Kind::Pattern { pattern } => match self.patterns.get(pattern) {
                Some(words) => format!("not {}", within_a_sentence(words)),
                None => NOT_AS_DESCRIBED.to_owned(),
            },
            _ => why(error),
        }
    }
}

/// Whether it is of a value whose name the caller chose.
fn is_of_a_map(error: &ValidationError<'_>) -> bool {
    let path = segments(error.schema_path().as_str());
    path.iter()
        .rev()
        .nth(1)
        .is_some_and(|schema| schema == "additionalProperties")
}

/// Whether it is of a bound or a pattern: the value is of the right type. A list that is too long is left out, for its items have
/// faults of their own.
fn is_of_bounds(error: &ValidationError<'_>) -> bool {
    matches!(
        error.kind(),
        Kind::Minimum { .. }
            | Kind::Maximum { .. }
            | Kind::MinLength { .. }
            | Kind::MaxLength { .. }
            | Kind::Pattern { .. }
            | Kind::MinItems { limit: 1 }
    )
}

/// A description as it goes on after other words.
fn within_a_sentence(description: &str) -> String {
    let words = description.trim_end_matches('.');
    match words.split_once(' ') {
        Some((article @ ("A" | "An" | "The"), rest)) => format!("{} {rest}", article.to_ascii_lowercase()),
        _ => words.to_owned(),
    }
}

/// A fault that a schema has no words for.
const NOT_AS_DESCRIBED: &str = "not as the document describes it";

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
        Kind::Format { format } => match format.as_str() {
            "date-time" => InvalidTimestamp.to_string(),
            "date" => MalformedDay::Form.to_string(),
            "uuid" => MalformedId.to_string(),
            country::FORMAT => NoCountry.to_string(),
            other => format!("not a {other}"),
        },
        _ => NOT_AS_DESCRIBED.to_owned(),
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
        _ => NOT_AS_DESCRIBED.to_owned(),
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
