//! Rules over an operation's responses, successes and problems. A problem may go; a success may not.

use super::{
    Operation, OperationRule, Report, Rule,
    schema::{self, Side},
};
use crate::openapi::document::members;

pub(super) const RULES: [OperationRule; 3] =
    [success_status_changed, response_header_removed, response_schemas];

fn success_status_changed(before: &Operation<'_>, after: &Operation<'_>, report: &mut Report<'_>) {
    let statuses =
        |operation: &Operation<'_>| operation.successes().into_keys().collect::<Vec<_>>().join(", ");
    let (old, new) = (statuses(before), statuses(after));
    if old != new {
        report.add(
            Rule::SuccessStatusChanged,
            "",
            format!("answers {new} where it answered {old}"),
        );
    }
}

fn response_header_removed(before: &Operation<'_>, after: &Operation<'_>, report: &mut Report<'_>) {
    let kept = after.responses();
    for (status, old) in before.responses() {
        let Some(new) = kept.get(status) else { continue };
        for (name, _) in members(&old["headers"]) {
            if !members(&new["headers"]).any(|(kept, _)| kept.eq_ignore_ascii_case(name)) {
                report.add(
                    Rule::ResponseHeaderRemoved,
                    &format!("response {status}"),
                    format!("the header {name} is gone"),
                );
            }
        }
    }
}

/// What a response holds, for every status and media type that both documents have.
fn response_schemas(before: &Operation<'_>, after: &Operation<'_>, report: &mut Report<'_>) {
    let kept = after.responses();
    for (status, old) in before.responses() {
        let Some(new) = kept.get(status) else { continue };
        let at = format!("response {status}");
        for (media, content) in members(&old["content"]) {
            match new["content"].get(media) {
                None => report.add(
                    Rule::MediaTypeRemoved,
                    &at,
                    format!("{media} is no longer answered"),
                ),
                Some(kept) => schema::compare(
                    (before.document, &content["schema"]),
                    (after.document, &kept["schema"]),
                    Side::Response,
                    &at,
                    report,
                ),
            }
        }
    }
}
