//! Requests that lead to no operation: they stand at no gate, and their caller may be known all the same.

use actix_web::HttpRequest;

use super::{credential::CredentialGate, limits, visibility::Subject};
use crate::{kit::Kit, metering::LimitRequest, request_context::RequestContext, spec::OperationSpec};

/// Learns who calls a path or method that is not there, so that a caller who is known gets the same headers as ever. A
/// credential that is refused changes nothing: there is no operation at whose gates one could stand.
pub(crate) async fn recognise(
    kit: &Kit,
    path: &[(&'static str, String)],
    request: &HttpRequest,
    context: &mut RequestContext,
) {
    let source = kit.source(request);
    let credential = CredentialGate {
        authenticator: &*kit.authenticator,
        source,
    };
    let Ok(identity) = credential.pass(request, context).await else {
        return;
    };
    let (subject, credential) = (Subject::of_path(path), identity.credential_id);
    context.identify(identity, subject.workspace, subject.domain);
    let limits = LimitRequest {
        spec: &OperationSpec::GET,
        credential,
        workspace: context.workspace,
        source,
        now: kit.clock.now(),
    };
    limits::look(kit, &limits, context).await;
}
