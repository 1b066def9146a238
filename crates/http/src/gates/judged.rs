//! The gates that ask nobody: from the scope to the subscription.

use std::sync::Arc;

use actix_web::{HttpRequest, dev::Payload};
use pharos_domain::identity::Identity;
use time::OffsetDateTime;

use super::{
    cache,
    parameters::{ParameterGate, Prepared},
    plan::PlanGate,
    role::RoleGate,
    scope::ScopeGate,
    visibility::{Subject, VisibilityGate},
    writable::WritableGate,
};
use crate::{
    metering::CacheKey,
    operation::{Operation, Reach},
    problem::Problem,
    request_context::RequestContext,
    spec::OperationSpec,
};

/// A request that every gate up to the subscription's has let through; one with faults is refused with them.
pub(super) struct Judged {
    pub(super) prepared: Prepared,
    pub(super) reach: Reach,
}

impl Judged {
    pub(super) fn cache_key(&self, context: &RequestContext) -> Option<CacheKey> {
        let Prepared { call, arguments, .. } = &self.prepared;
        // A request at fault is refused, whatever is cached.
        let is_sound = call.faults.is_empty();
        is_sound.then(|| cache::key(call, arguments, &self.reach, context))?
    }
}

/// The gates that ask nobody.
pub(super) async fn judge(
    operation: &Operation,
    identity: &Arc<Identity>,
    path: Vec<(&'static str, String)>,
    request: HttpRequest,
    payload: Payload,
    context: &mut RequestContext,
    now: OffsetDateTime,
) -> Result<Judged, Problem> {
    let spec = operation.spec;
    ScopeGate(identity).pass(spec)?;
    let prepared = ParameterGate(operation)
        .pass(identity, path, request, payload, now)
        .await?;
    let_through(spec, identity, prepared, context)
}

/// The gates behind the parameters.
pub(super) fn let_through(
    spec: &OperationSpec,
    identity: &Arc<Identity>,
    prepared: Prepared,
    context: &mut RequestContext,
) -> Result<Judged, Problem> {
    match reach(spec, identity, &prepared) {
        Ok(reach) => {
            if let Some(access) = &reach.workspace {
                context.workspace = Some(access.workspace().id);
            }
            Ok(Judged { prepared, reach })
        }
        Err(_) if !prepared.call.faults.is_empty() => Err(Problem::invalid(prepared.call.faults)),
        Err(refusal) => Err(refusal),
    }
}

/// The gates between parameters and idempotency.
fn reach(spec: &OperationSpec, identity: &Arc<Identity>, prepared: &Prepared) -> Result<Reach, Problem> {
    let reach = VisibilityGate(identity).pass(Subject::of_call(&prepared.call))?;
    if let Some(workspace) = reach.workspace.as_ref().map(|access| access.workspace()) {
        RoleGate(workspace).pass(spec)?;
        PlanGate(workspace).pass(spec)?;
        WritableGate(workspace).pass(spec)?;
    }
    Ok(reach)
}
