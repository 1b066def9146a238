//! Rules over what an operation declares of itself: its id, its price, its gates.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{Operation, OperationRule, Report, Rule};
use crate::openapi::document::{elements, members, strings};

pub(super) const RULES: [OperationRule; 7] = [
    operation_id_changed,
    credits_raised,
    scope_changed,
    role_raised,
    rate_limit_narrowed,
    idempotency_key_required,
    security_changed,
];

/// Roles from the weakest up.
const ROLES: [&str; 4] = ["viewer", "member", "admin", "owner"];

pub(super) fn removed(report: &mut Report<'_>) {
    report.add(Rule::OperationRemoved, "", "the operation is gone");
}

fn operation_id_changed(before: &Operation<'_>, after: &Operation<'_>, report: &mut Report<'_>) {
    if before.id() != after.id() {
        let (old, new) = (before.id().unwrap_or("none"), after.id().unwrap_or("none"));
        report.add(
            Rule::OperationIdChanged,
            "",
            format!("operationId {old} became {new}"),
        );
    }
}

fn credits_raised(before: &Operation<'_>, after: &Operation<'_>, report: &mut Report<'_>) {
    let credits = |operation: &Operation<'_>| operation.extension("x-credits").as_f64().unwrap_or(0.0);
    let (old, new) = (credits(before), credits(after));
    if new > old {
        report.add(
            Rule::CreditsRaised,
            "",
            format!("x-credits rose from {old} to {new}"),
        );
    }
}

/// Another scope, or one where none was needed: a credential that sufficed no longer does.
fn scope_changed(before: &Operation<'_>, after: &Operation<'_>, report: &mut Report<'_>) {
    let (old, new) = (before.extension("x-scope"), after.extension("x-scope"));
    if old != new && !new.is_null() {
        report.add(Rule::ScopeChanged, "", format!("x-scope {old} became {new}"));
    }
}

fn role_raised(before: &Operation<'_>, after: &Operation<'_>, report: &mut Report<'_>) {
    let (old, new) = (before.extension("x-min-role"), after.extension("x-min-role"));
    let rank = |role: &Value| ROLES.iter().position(|known| role == known);
    let lowered = new.is_null() || rank(new).zip(rank(old)).is_some_and(|(new, old)| new <= old);
    if old != new && !lowered {
        report.add(Rule::RoleRaised, "", format!("x-min-role {old} became {new}"));
    }
}

/// A bucket that was not taken from before, or one whose own limit (`rum-read:20`) went down.
fn rate_limit_narrowed(before: &Operation<'_>, after: &Operation<'_>, report: &mut Report<'_>) {
    let (old, new) = (buckets(before), buckets(after));
    for (name, limit) in new {
        match old.get(name) {
            None => report.add(
                Rule::RateLimitNarrowed,
                "",
                format!("x-rate-limit gained the bucket {name}"),
            ),
            Some(was) if limit < *was => {
                report.add(
                    Rule::RateLimitNarrowed,
                    "",
                    format!("x-rate-limit lowered {name} to {limit}"),
                );
            }
            Some(_) => {}
        }
    }
}

/// Buckets by name, each with the limit that stands behind its colon.
fn buckets<'a>(operation: &Operation<'a>) -> BTreeMap<&'a str, u64> {
    let split = |bucket: &'a str| match bucket.split_once(':') {
        Some((name, limit)) => (name, limit.parse().unwrap_or(u64::MAX)),
        None => (bucket, u64::MAX),
    };
    strings(operation.extension("x-rate-limit")).map(split).collect()
}

fn idempotency_key_required(before: &Operation<'_>, after: &Operation<'_>, report: &mut Report<'_>) {
    let required = |operation: &Operation<'_>| operation.extension("x-idempotency-key") == "required";
    if required(after) && !required(before) {
        report.add(
            Rule::IdempotencyKeyRequired,
            "",
            "x-idempotency-key became required",
        );
    }
}

/// One of the ways to authenticate is gone, or one of its schemes is no longer what it was.
fn security_changed(before: &Operation<'_>, after: &Operation<'_>, report: &mut Report<'_>) {
    let offered = alternatives(after);
    for needed in alternatives(before) {
        let shown = if needed.is_empty() {
            "no credential".to_owned()
        } else {
            needed.join(" and ")
        };
        // None needed at all is the one alternative that lets every other through.
        if !offered.contains(&needed) && !offered.contains(&Vec::new()) {
            report.add(
                Rule::SecurityChanged,
                "",
                format!("security no longer accepts {shown}"),
            );
        }
        for name in needed {
            if scheme(before, name) != scheme(after, name) {
                report.add(
                    Rule::SecurityChanged,
                    "",
                    format!("the security scheme {name} changed"),
                );
            }
        }
    }
}

/// Each way to authenticate, as the schemes that it takes together. Without security: one, of none.
fn alternatives<'a>(operation: &Operation<'a>) -> BTreeSet<Vec<&'a str>> {
    let listed = elements(operation.security()).map(|alternative| {
        members(alternative)
            .map(|(name, _)| name.as_str())
            .collect::<Vec<_>>()
    });
    let mut found: BTreeSet<_> = listed.collect();
    if found.is_empty() {
        found.insert(Vec::new());
    }
    found
}

/// What a scheme asks for; its description may change.
fn scheme<'a>(operation: &Operation<'a>, name: &str) -> [&'a Value; 4] {
    let node = &operation.document.root["components"]["securitySchemes"][name];
    ["type", "scheme", "in", "name"].map(|key| &node[key])
}
