//! The findings of a tool: its parts, those that could not be had, and the cost.

use std::sync::Arc;

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};

use super::{DATA, Outcome, ToolContext, refused};
use crate::{
    api::{Answer, CallError},
    catalogue::Catalogue,
    outside,
    shape::{self, NullRule},
};

/// The page that shows what is of no domain alone.
const CONSOLE: &str = "/console";
/// The most bytes of answers whose result is shaped beside other requests.
const SHAPED_AT_ONCE: usize = 8 * 1024;

/// The findings of a tool so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    parts: Map<String, Value>,
    /// The parts that were written here and are bounded already.
    own: Map<String, Value>,
    /// By place: how much of what was worked out here was left out.
    left_out: Vec<(String, String)>,
    /// By which rule values are null at a place, or below it.
    null_rules: Vec<(String, NullRule)>,
    unavailable: Vec<Value>,
    first_refusal: Option<CallError>,
    /// The bytes of all answers.
    length: usize,
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
                self.made_of(&format!("/{name}"), operation, "");
                self.parts.insert(name.to_owned(), answer.body);
            }
            Err(error) => {
                if let CallError::TooLarge { cost, remaining } = error {
                    self.count(cost, remaining);
                }
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

    /// Adds what was computed from answers. Its places are said to be [`made_of`](Self::made_of) them.
    pub(super) fn add_value(&mut self, name: &str, value: Value) {
        self.parts.insert(name.to_owned(), value);
    }

    /// Says that what is at a place is that of an operation's answer, so that its nulls have the same reasons.
    pub(super) fn made_of(&mut self, place: &str, operation: &str, at: &str) {
        let rule = NullRule::Of(operation.to_owned(), at.to_owned());
        self.null_rules.push((place.to_owned(), rule));
    }

    /// Says that of so many at a place no more than the first `most` are told, if there are more.
    pub(super) fn left_out(&mut self, place: &str, most: usize, all: usize) {
        if all > most {
            self.left_out
                .push((place.to_owned(), format!("the first {most} of {all}")));
        }
    }

    /// Says why what was worked out here is null at a place.
    pub(super) fn null_where(&mut self, place: &str, why: &'static str) {
        self.null_rules.push((place.to_owned(), NullRule::Own(why)));
    }

    /// Counts what an answer cost that is no part itself.
    pub(super) fn spent(&mut self, answer: &Answer) {
        self.count(answer.cost, answer.remaining);
        self.length += answer.length;
    }

    /// Whatever was asked at once was paid for in some order, so that the least is what is left.
    fn count(&mut self, cost: u64, remaining: Option<u64>) {
        self.cost += cost;
        self.remaining = self.remaining.into_iter().chain(remaining).min();
    }

    /// Says where people see the same.
    pub(super) fn at(&mut self, path: &str) {
        self.console = Some(path.to_owned());
    }

    /// Says at which page below the one that was said.
    pub(super) fn at_page(&mut self, page: &str) {
        if let Some(path) = &mut self.console {
            path.push('/');
            path.push_str(page);
        }
    }

    /// A part that was added.
    pub(super) fn part_mut(&mut self, part: &str) -> Option<&mut Value> {
        self.parts.get_mut(part)
    }

    /// A text of a part.
    pub(super) fn text(&self, part: &str, name: &str) -> Option<&str> {
        self.parts.get(part)?.get(name)?.as_str()
    }

    /// The parts that could not be had, and why: one reason of several parts once.
    fn unavailable(&mut self) -> Vec<Value> {
        let mut told: Vec<Value> = Vec::new();
        for mut missing in std::mem::take(&mut self.unavailable) {
            match told.iter_mut().find(|told| is_same(told, &missing)) {
                Some(told) => {
                    let parts = [told["part"].take(), missing["part"].take()];
                    let parts: Vec<&str> = parts.iter().filter_map(Value::as_str).collect();
                    told["part"] = json!(parts.join(", "));
                }
                None => told.push(missing),
            }
        }
        told
    }

    /// The result: of a tool whose parts were all refused, the first refusal.
    pub(super) async fn outcome(mut self, context: &ToolContext<'_>) -> Outcome {
        if self.parts.is_empty()
            && let Some(error) = self.first_refusal.take()
        {
            let unavailable = self.unavailable();
            let told = match unavailable.len() {
                1 => error.told(),
                _ => json!({ "problem": "nothing-available", "unavailable": unavailable }),
            };
            return Outcome::Refused(error, refused(told));
        }
        let credits = self.credits();
        let catalogue = Arc::clone(context.catalogue);
        let link = format!(
            "{}{}",
            context.console,
            self.console.as_deref().unwrap_or(CONSOLE)
        );
        // A small result takes less time to shape than to hand to another thread.
        if self.length <= SHAPED_AT_ONCE {
            return Outcome::Done(self.shaped(&catalogue, link));
        }
        let shaping = &context.api.shaping;
        let shaped = shaping.during(context.caller, move || self.shaped(&catalogue, link));
        let shaped = context.progress.while_there(shaped).await.flatten();
        Outcome::Done(shaped.unwrap_or_else(|| {
            refused(json!({
                "problem": "too-much-at-once",
                "detail": "Too many results of this credential are put together at the moment.",
                "what_to_do": "Call again when some have been answered, and fewer at once.",
                "credits": credits,
            }))
        }))
    }

    fn credits(&self) -> Value {
        json!({ "cost": self.cost, "remaining": self.remaining })
    }

    /// The result for an assistant.
    fn shaped(mut self, catalogue: &Catalogue, link: String) -> CallToolResult {
        let credits = self.credits();
        let unavailable = self.unavailable();
        let Self {
            parts,
            own,
            left_out,
            null_rules,
            ..
        } = self;
        let (bounded, mut notes) = shape::bounded(Value::Object(parts));
        for (place, how) in left_out {
            notes.shorter_before(&place, how);
        }
        for (place, rule) in &null_rules {
            shape::explain_nulls(catalogue, &bounded, place, rule, &mut notes);
        }
        shape::fold_reasons(&bounded, &mut notes);
        outside::name_texts(catalogue, &bounded, &null_rules, &mut notes);
        let mut result = match bounded {
            Value::Object(members) => members,
            _ => Map::new(),
        };
        result.extend(own);
        if !unavailable.is_empty() {
            let (unavailable, _) = shape::bounded(json!({ "unavailable": unavailable }));
            outside::name_texts(catalogue, &unavailable, &[], &mut notes);
            if let Value::Object(members) = unavailable {
                result.extend(members);
            }
        }
        result.insert("notes".to_owned(), json!(notes));
        result.insert("credits".to_owned(), credits);
        result.insert("console".to_owned(), Value::from(link));
        let result = Value::Object(result);
        let text = format!("{DATA}\n{result}");
        let mut told = CallToolResult::success(vec![ContentBlock::text(text)]);
        told.structured_content = Some(result);
        told
    }
}

/// Whether two parts are missing for the same reason. Each refusal has an id of its own.
fn is_same(one: &Value, other: &Value) -> bool {
    let reason = |told: &Value| {
        let members = told.as_object().into_iter().flatten();
        let members = members.filter(|(name, _)| !matches!(name.as_str(), "part" | "request_id"));
        members
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect::<Map<String, Value>>()
    };
    reason(one) == reason(other)
}

#[cfg(test)]
mod tests {
    use pharos_domain::problem::Suffix;

    use super::*;

    #[test]
    fn one_reason_of_several_parts_is_told_once() {
        let mut findings = Findings::default();
        for (part, id) in [("a", "1"), ("b", "2"), ("c", "3")] {
            let mut error = CallError::refused(Suffix::DomainNotFound, "No.");
            if let CallError::Refused(refused) = &mut error {
                refused.extras.insert("request_id".to_owned(), json!(id));
            }
            findings.add(part, "getMe", Err(error));
        }
        let other = CallError::refused(Suffix::RateLimited, "No.");
        findings.add("d", "getMe", Err(other));
        let told = findings.unavailable();
        let parts: Vec<&Value> = told.iter().map(|told| &told["part"]).collect();
        assert_eq!(parts, [&json!("a, b, c"), &json!("d")]);
        assert_eq!(told[0]["problem"], "domain-not-found");
    }

    #[test]
    fn the_least_is_what_remains_in_whatever_order_parts_were_paid_for() {
        let mut findings = Findings::default();
        for remaining in [Some(90), Some(85), None, Some(95)] {
            let answer = Answer {
                body: json!({}),
                length: 2,
                cost: 5,
                remaining,
            };
            findings.add("part", "getMe", Ok(answer));
        }
        let too_large = CallError::TooLarge {
            cost: 1,
            remaining: Some(84),
        };
        findings.add("large", "getMe", Err(too_large));
        assert_eq!(findings.credits(), json!({ "cost": 21, "remaining": 84 }));
    }
}
