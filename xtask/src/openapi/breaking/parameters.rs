//! Rules over an operation's parameters. Unknown ones are refused, so one taken away breaks its senders.

use super::{
    Operation, OperationRule, Report, Rule,
    schema::{self, Side},
};

pub(super) const RULES: [OperationRule; 3] = [parameter_removed, parameter_required, parameter_schemas];

fn parameter_removed(before: &Operation<'_>, after: &Operation<'_>, report: &mut Report<'_>) {
    let kept = after.parameters();
    for (place, name) in before.parameters().into_keys() {
        if !kept.contains_key(&(place, name.clone())) {
            report.add(
                Rule::ParameterRemoved,
                "",
                format!("the {place} parameter {name} is gone"),
            );
        }
    }
}

fn parameter_required(before: &Operation<'_>, after: &Operation<'_>, report: &mut Report<'_>) {
    let known = before.parameters();
    for (key, parameter) in after.parameters() {
        let was_required = known.get(&key).is_some_and(|old| old["required"] == true);
        if parameter["required"] == true && !was_required {
            let (place, name) = key;
            report.add(
                Rule::ParameterRequired,
                "",
                format!("the {place} parameter {name} became required"),
            );
        }
    }
}

/// What a parameter accepts, by the rules of a request's schemas.
fn parameter_schemas(before: &Operation<'_>, after: &Operation<'_>, report: &mut Report<'_>) {
    let known = before.parameters();
    for (key, parameter) in after.parameters() {
        let Some(old) = known.get(&key) else { continue };
        let (place, name) = key;
        let at = format!("{place} parameter {name}");
        schema::compare(
            (before.document, &old["schema"]),
            (after.document, &parameter["schema"]),
            Side::Request,
            &at,
            report,
        );
    }
}
