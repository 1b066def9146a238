//! What breaks a caller of the released document: a rule a function, each with a name of its own.

mod operation;
mod parameters;
mod request;
mod responses;
mod schema;
#[cfg(test)]
mod tests;

use super::{
    document::{Document, Operation},
    fault::{Fault, rules},
};

rules! {
    /// Every way to break a caller.
    OperationRemoved = "operation-removed",
    OperationIdChanged = "operation-id-changed",
    SuccessStatusChanged = "success-status-changed",
    MediaTypeRemoved = "media-type-removed",
    ResponseFieldRemoved = "response-field-removed",
    ResponseFieldRetyped = "response-field-retyped",
    ResponseFieldNullable = "response-field-nullable",
    ResponseFieldOptional = "response-field-optional",
    ResponseHeaderRemoved = "response-header-removed",
    ParameterRemoved = "parameter-removed",
    ParameterRequired = "parameter-required",
    RequestBodyRequired = "request-body-required",
    RequestMemberRemoved = "request-member-removed",
    RequestMemberRequired = "request-member-required",
    RequestRetyped = "request-retyped",
    RequestNullRefused = "request-null-refused",
    RequestEnumNarrowed = "request-enum-narrowed",
    RequestBoundsNarrowed = "request-bounds-narrowed",
    RequestPatternChanged = "request-pattern-changed",
    CreditsRaised = "credits-raised",
    ScopeChanged = "scope-changed",
    RoleRaised = "role-raised",
    RateLimitNarrowed = "rate-limit-narrowed",
    IdempotencyKeyRequired = "idempotency-key-required",
    SecurityChanged = "security-changed",
}

/// The operation under comparison, and what was found wrong with it.
struct Report<'f> {
    operation: String,
    faults: &'f mut Vec<Fault<Rule>>,
}

impl Report<'_> {
    /// Records a break. `at` is a place within the operation, empty for the operation itself.
    fn add(&mut self, rule: Rule, at: &str, detail: impl Into<String>) {
        let place = if at.is_empty() {
            self.operation.clone()
        } else {
            format!("{}, {at}", self.operation)
        };
        self.faults.push(Fault::new(rule, place, detail));
    }
}

/// Everything in `new` that breaks a caller of `old`.
pub(crate) fn between(old: &Document, new: &Document) -> Vec<Fault<Rule>> {
    let mut faults = Vec::new();
    for before in old.operations() {
        let mut report = Report {
            operation: before.name(),
            faults: &mut faults,
        };
        match new.operation(before.path, before.method) {
            None => operation::removed(&mut report),
            Some(after) => compare(&before, &after, &mut report),
        }
    }
    faults
}

fn compare(before: &Operation<'_>, after: &Operation<'_>, report: &mut Report<'_>) {
    for rule in operation::RULES {
        rule(before, after, report);
    }
    for rule in parameters::RULES {
        rule(before, after, report);
    }
    for rule in request::RULES {
        rule(before, after, report);
    }
    for rule in responses::RULES {
        rule(before, after, report);
    }
}

/// A rule over an operation before and after.
type OperationRule = fn(&Operation<'_>, &Operation<'_>, &mut Report<'_>);
