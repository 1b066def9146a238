//! The rule over problem responses: whatever an operation can refuse with, it declares.

use super::{Fault, Operation, Rule};

const PROBLEM: &str = "application/problem+json";

/// The media type in which an operation without a credential refuses: the JSON of its own RFC.
const OPEN: &str = "application/json";

/// Reports each problem response that is not declared, or not as a problem with a schema.
pub(super) fn missing(operation: &Operation<'_>, faults: &mut Vec<Fault>) {
    let responses = operation.responses();
    let media = if operation.is_open() { OPEN } else { PROBLEM };
    for (status, reason) in expected(operation) {
        let content = responses
            .get(status)
            .map(|response| &response["content"][media]["schema"]);
        if content.is_none_or(|schema| !schema.is_object()) {
            let detail = format!("it needs a {status} response of {media} with a schema: {reason}");
            faults.push(Fault::new(Rule::ProblemMissing, operation.name(), detail));
        }
    }
}

/// The statuses that an operation must declare, and why.
fn expected(operation: &Operation<'_>) -> Vec<(&'static str, &'static str)> {
    let parameters = operation.parameters();
    let takes_input = !parameters.is_empty() || operation.body().is_some();
    let in_path = parameters.keys().any(|(place, _)| *place == "path") || operation.path.contains('{');
    let costs = operation
        .extension("x-credits")
        .as_f64()
        .is_some_and(|credits| credits != 0.0);
    let keyed = operation.extension("x-idempotency-key") == "required";
    let scoped = !operation.extension("x-scope").is_null();
    [
        (!operation.is_open(), "401", "every operation needs a credential"),
        (true, "429", "every operation takes from a bucket"),
        (takes_input, "400", "it takes parameters or a body"),
        (costs, "402", "it costs credits"),
        (scoped, "403", "it needs a scope"),
        (in_path, "404", "its path names something that may not be there"),
        (keyed, "409", "its idempotency key may be in use"),
    ]
    .into_iter()
    .filter_map(|(wanted, status, reason)| wanted.then_some((status, reason)))
    .collect()
}
