//! The findings of a tool: its parts, those that could not be had, and the cost.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};

use super::{DATA, Outcome, ToolContext, refused};
use crate::{
    api::{Answer, CallError},
    shape,
};

/// The members of a refusal that Pharos alone wrote. The others may quote what somebody sent or stored.
const OWN: [&str; 3] = [
    "/unavailable/*/problem",
    "/unavailable/*/what_to_do",
    "/unavailable/*/part",
];

/// The findings of a tool so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    parts: Map<String, Value>,
    /// The parts that were written here and are bounded already.
    own: Map<String, Value>,
    /// The operation that a part is the answer of.
    sources: Vec<(String, String)>,
    unavailable: Vec<Value>,
    first_refusal: Option<CallError>,
    cost: u64,
    remaining: Option<u64>,
    console: Option<String>,
}

impl Findings {
    /// Adds what an operation answered, or why it did not.
    pub(super) fn add(&mut self, name: &str, operation: &str, answered: Result<Answer, CallError>) {
        match answered {
            Ok(answer) => {
                self.spent(&answer);
                self.sources.push((name.to_owned(), operation.to_owned()));
                self.parts.insert(name.to_owned(), answer.body);
            }
            Err(error) => {
                let mut told = error.told();
                if let Some(told) = told.as_object_mut() {
                    told.insert("part".to_owned(), Value::from(name));
                }
                self.unavailable.push(told);
                self.first_refusal.get_or_insert(error);
            }
        }
    }

    /// Adds words of this server.
    pub(super) fn add_own(&mut self, name: &str, value: Value) {
        self.own.insert(name.to_owned(), value);
    }

    /// Adds what was worked out from answers.
    pub(super) fn add_value(&mut self, name: &str, value: Value) {
        self.parts.insert(name.to_owned(), value);
    }

    /// Counts what an answer cost that is no part itself.
    pub(super) fn spent(&mut self, answer: &Answer) {
        self.cost += answer.cost;
        self.remaining = answer.remaining.or(self.remaining);
    }

    /// Says where people see the same.
    pub(super) fn at(&mut self, path: &str) {
        self.console = Some(path.to_owned());
    }

    /// The result: of a tool whose parts were all refused, the first refusal.
    pub(super) fn outcome(self, context: &ToolContext<'_>) -> Outcome {
        let Self {
            parts,
            own,
            sources,
            unavailable,
            first_refusal,
            cost,
            remaining,
            console,
        } = self;
        if let (true, Some(error)) = (parts.is_empty(), first_refusal) {
            let told = match unavailable.len() {
                1 => error.told(),
                _ => json!({ "problem": "nothing-available", "unavailable": unavailable }),
            };
            return Outcome::Refused(error, refused(&told));
        }
        let (bounded, mut notes) = shape::bounded(&Value::Object(parts));
        for (name, operation) in &sources {
            if let Some(part) = bounded.get(name) {
                shape::explain_nulls(
                    context.catalogue,
                    operation,
                    part,
                    &format!("/{name}"),
                    &mut notes,
                );
            }
        }
        let mut result = match bounded {
            Value::Object(members) => members,
            _ => Map::new(),
        };
        result.extend(own);
        if !unavailable.is_empty() {
            let (unavailable, of_refusals) = shape::bounded(&json!({ "unavailable": unavailable }));
            let places = of_refusals.untrusted_text.into_iter();
            let quoting = places.filter(|place| !OWN.contains(&place.as_str()));
            notes.untrusted_text.extend(quoting);
            if let Value::Object(members) = unavailable {
                result.extend(members);
            }
        }
        result.insert("notes".to_owned(), json!(notes));
        let credits = json!({ "cost": cost, "remaining": remaining });
        result.insert("credits".to_owned(), credits);
        if let Some(path) = console {
            let link = format!("{}{path}", context.console);
            result.insert("console".to_owned(), Value::from(link));
        }
        let result = Value::Object(result);
        let text = format!("{DATA}\n{result}");
        let mut told = CallToolResult::success(vec![ContentBlock::text(text)]);
        told.structured_content = Some(result);
        Outcome::Done(told)
    }
}
