//! Rules over an operation's request body.

use super::{
    Operation, OperationRule, Report, Rule,
    schema::{self, Side},
};
use crate::openapi::document::members;

pub(super) const RULES: [OperationRule; 3] =
    [request_body_required, request_body_removed, request_body_schemas];

fn request_body_required(before: &Operation<'_>, after: &Operation<'_>, report: &mut Report<'_>) {
    let required = |operation: &Operation<'_>| operation.body().is_some_and(|body| body["required"] == true);
    if required(after) && !required(before) {
        report.add(Rule::RequestBodyRequired, "", "the request body became required");
    }
}

fn request_body_removed(before: &Operation<'_>, after: &Operation<'_>, report: &mut Report<'_>) {
    if before.body().is_some() && after.body().is_none() {
        report.add(Rule::RequestMemberRemoved, "", "the request body is gone");
    }
}

/// What a body may be, media type by media type.
fn request_body_schemas(before: &Operation<'_>, after: &Operation<'_>, report: &mut Report<'_>) {
    let (Some(old), Some(new)) = (before.body(), after.body()) else {
        return;
    };
    for (media, content) in members(&old["content"]) {
        let Some(kept) = new["content"].get(media) else {
            report.add(
                Rule::MediaTypeRemoved,
                "request body",
                format!("{media} is no longer accepted"),
            );
            continue;
        };
        let (old, new) = (
            (before.document, &content["schema"]),
            (after.document, &kept["schema"]),
        );
        schema::compare(old, new, Side::Request, "request body", report);
    }
}
