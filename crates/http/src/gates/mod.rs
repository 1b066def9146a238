//! The gates between route and handler, in their order. Each is one small type in a file of its own: what it
//! judges by, and `pass`. A refusal costs nothing.
//!
//! The order is part of the contract: what a caller may learn from a refusal grows with what it has proved.
//! Rate limits come between `switches` and `scope`; idempotency, response cache and credits after `writable`.

mod credential;
mod parameters;
mod plan;
mod role;
mod scope;
mod switches;
mod visibility;
mod writable;

use actix_web::{HttpRequest, dev::Payload};

use self::{
    credential::CredentialGate, parameters::ParameterGate, plan::PlanGate, role::RoleGate, scope::ScopeGate,
    switches::SwitchGate, visibility::VisibilityGate, writable::WritableGate,
};
use crate::{
    operation::{Operation, Success},
    problem::Problem,
    service::Kit,
};

/// Leads a routed request through the gates to its handler.
///
/// # Errors
/// The refusal of the first gate that does not open, or the handler's own.
pub async fn pass(
    kit: &Kit,
    operation: &Operation,
    path: Vec<(String, String)>,
    request: HttpRequest,
    payload: Payload,
) -> Result<Success, Problem> {
    let spec = operation.spec;
    let credential = CredentialGate {
        authenticator: &*kit.authenticator,
        hops: kit.hops,
    };
    let identity = credential.pass(&request).await?;
    SwitchGate(kit.switchboard.switches()).pass(spec)?;
    ScopeGate(&identity).pass(spec)?;
    let (ids, ready) = ParameterGate(operation).pass(path, request, payload).await?;
    let reach = VisibilityGate(identity).pass(&ids)?;
    if let Some(workspace) = reach.workspace.as_ref().map(|access| access.workspace()) {
        RoleGate(workspace).pass(spec)?;
        PlanGate(workspace).pass(spec)?;
        WritableGate(workspace).pass(spec)?;
    }
    ready(&reach).await
}
