//! What leads to no operation: it stands at no gate, and its caller may be known all the same.

use actix_web::HttpRequest;

use super::{credential::CredentialGate, limits, visibility::Subject};
use crate::{kit::Kit, metering::LimitRequest, passage::Passage, spec::OperationSpec};

/// Learns who calls what is not there, so that a caller who is known is told the same as ever. Nobody is refused for it
/// in another way: there is no operation at whose gates one could stand.
pub(crate) async fn recognise(
    kit: &Kit,
    path: &[(&'static str, String)],
    request: &HttpRequest,
    passage: &mut Passage,
) {
    let source = kit.hops.source(request);
    let credential = CredentialGate {
        authenticator: &*kit.authenticator,
        source,
    };
    let Ok(identity) = credential.pass(request).await else {
        return;
    };
    let (subject, credential) = (Subject::of_path(path), identity.credential_id);
    passage.identify(identity, subject.workspace, subject.domain);
    let limits = LimitRequest {
        spec: &OperationSpec::GET,
        credential,
        workspace: passage.workspace,
        source,
        now: kit.clock.now(),
    };
    limits::look(kit, &limits, passage).await;
}
