//! The refusals of an operation: the suffixes of its problems, status by status.

use pharos_domain::{problem::Suffix, role::Role};
use serde_json::{Value, json};

use crate::{operation::Operation, spec::Idempotency};

/// A status that an operation refuses with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// Its meaning, for people.
    pub description: &'static str,
    /// The suffixes of the problems that have this status.
    pub problems: Vec<Suffix>,
}

/// All refusals of an operation, by status.
#[must_use]
pub fn refusals(operation: &Operation) -> Vec<Refusal> {
    let mut refusals: Vec<Refusal> = Vec::new();
    let possible = possible(operation);
    // The catalogue is in the order of status.
    for suffix in Suffix::ALL.iter().filter(|suffix| possible.contains(suffix)) {
        let status = suffix.status();
        match refusals.last_mut() {
            Some(last) if last.status == status => last.problems.push(*suffix),
            _ => refusals.push(Refusal {
                status,
                description: meaning(status),
                problems: vec![*suffix],
            }),
        }
    }
    refusals
}

/// The refusals of the gates, as far as the operation can meet them, and its own.
fn possible(operation: &Operation) -> Vec<Suffix> {
    let spec = operation.spec;
    let names = |id: &str| {
        let mut path = spec.path_parameters();
        path.any(|known| known == id) || operation.query_names.iter().any(|known| known == id)
    };
    let (of_domain, of_workspace) = (names("domain_id"), names("workspace_id"));
    let (costs, changes) = (spec.credits.price() != 0, spec.changes_something());
    let in_workspace = of_domain || of_workspace;
    let mut possible = vec![
        // Unknown query parameters are refused, so any operation can answer 400.
        Suffix::InvalidRequest,
        Suffix::MissingCredential,
        Suffix::InvalidCredential,
        Suffix::InvalidAudience,
        Suffix::GrantRevoked,
        Suffix::RateLimited,
        Suffix::InternalError,
        Suffix::ApiDisabled,
        Suffix::CreditBalanceUnavailable,
    ];
    let gates: [(bool, &[Suffix]); 10] = [
        (spec.scope.is_some(), &[Suffix::InsufficientScope]),
        (changes, &[Suffix::ReadOnlyMode]),
        (of_domain, &[Suffix::DomainNotFound]),
        // Nobody pays for a grant that has lost all its workspaces.
        (of_workspace || costs && !of_domain, &[Suffix::WorkspaceNotFound]),
        (
            in_workspace && spec.min_role > Role::Viewer,
            &[Suffix::InsufficientRole],
        ),
        (
            in_workspace && !spec.module.is_in_every_plan(),
            &[Suffix::PlanRestriction],
        ),
        (in_workspace && changes, &[Suffix::WorkspaceNotWritable]),
        (costs, &[Suffix::QuotaExhausted]),
        (
            spec.idempotency == Idempotency::Required,
            &[Suffix::IdempotencyKeyReuse, Suffix::IdempotencyInProgress],
        ),
        (
            operation.shapes.body.is_some(),
            &[Suffix::PayloadTooLarge, Suffix::UnsupportedMediaType],
        ),
    ];
    for (is_met, refusals) in gates {
        if is_met {
            possible.extend(refusals);
        }
    }
    possible.extend(spec.problems);
    possible
}

fn meaning(status: u16) -> &'static str {
    match status {
        400 => "The request is malformed; errors names each fault.",
        401 => "No credential, or none that is valid.",
        402 => "The credits are spent, or the workspace's subscription does not allow changes.",
        403 => "The scope, the role or the plan does not allow it.",
        404 => "No such resource, or not visible to the credential.",
        409 => "The Idempotency-Key was used with another request, or its request still runs.",
        410 => "The result is no longer kept.",
        413 => "The body is too large.",
        415 => "The body is not application/json.",
        429 => "A rate limit is reached.",
        503 => "The API, or its store, is not available at the moment.",
        _ => "Pharos failed.",
    }
}

/// The schema of a suffix.
pub(super) fn suffix() -> Value {
    let suffixes: Vec<_> = Suffix::ALL.iter().map(|suffix| suffix.as_str()).collect();
    json!({
        "type": "string",
        "description": "The last segment of a problem's type, on which clients branch. On a problem response, \
                        x-problems lists those that the operation answers with that status.",
        "enum": suffixes,
    })
}
