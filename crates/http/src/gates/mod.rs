//! The gates between route and handler, in their order. Each is one small function in a file of its own, and
//! a refusal costs nothing.
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

use std::sync::Arc;

use actix_web::{HttpRequest, dev::Payload};
use pharos_domain::identity::Identity;

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
    let source = kit.hops.source(&request);
    let identity: Arc<Identity> = credential::gate(&*kit.authenticator, &request, source).await?;
    switches::gate(kit.switchboard.switches(), spec)?;
    scope::gate(&identity, spec)?;
    let (ids, ready) = parameters::gate(operation, path, request, payload).await?;
    let reach = visibility::gate(identity, &ids)?;
    if let Some(workspace) = reach.workspace.as_ref().map(|access| access.workspace()) {
        role::gate(workspace, spec)?;
        plan::gate(workspace, spec)?;
        writable::gate(workspace, spec)?;
    }
    ready(&reach).await
}
