//! The keys of the limits in Redis.

use pharos_domain::{
    hourly_limit::HourlyLimit,
    ids::{CredentialId, WorkspaceId},
};
use pharos_http::metering::LimitRequest;
use ring::hmac;

use super::policy::{Ceilings, Extra};

/// The beginning of all keys of this layout. Another layout needs another number.
const PREFIX: &str = "pharos:limits:1";

/// The key of what every request of a credential reads and writes.
pub(super) fn of_credential(credential: CredentialId) -> String {
    format!("{PREFIX}:credential:{credential}")
}

/// The key of the permits that a workspace's heavy queries hold.
pub(super) fn of_permits(workspace: WorkspaceId) -> String {
    format!("{PREFIX}:workspace:{workspace}:permits")
}

/// The key of an hourly limit of a subject.
pub(super) fn of_hour(limit: &HourlyLimit, subject: &[u8], networks: &hmac::Key) -> String {
    format!("{PREFIX}:hour:{}:{:032x}", limit.name, hashed(networks, subject))
}

/// The keys of a request, in the order that the script takes them.
pub(super) struct Keys {
    header: String,
    slices: String,
    rum_read: Option<(String, String)>,
    permits: Option<String>,
    workspace: Option<String>,
}

impl Keys {
    pub(super) fn of(request: &LimitRequest, ceilings: Ceilings, networks: &hmac::Key) -> Self {
        Self {
            header: of_credential(request.credential),
            slices: format!("{PREFIX}:credential:{}:slices", request.credential),
            rum_read: ceilings.rum_read.map(|_| {
                let client = hashed(networks, request.source.network().as_bytes());
                let header = format!("{PREFIX}:rum-read:{}:{client:032x}", request.spec.id);
                let slices = format!("{header}:slices");
                (header, slices)
            }),
            permits: ceilings
                .extra
                .and_then(Extra::at_once)
                .and(request.workspace)
                .map(of_permits),
            workspace: request
                .workspace
                .map(|workspace| format!("{PREFIX}:workspace:{workspace}")),
        }
    }

    pub(super) fn list(&self) -> Vec<&str> {
        let rum_read = self.rum_read.iter().flat_map(|(header, slices)| [header, slices]);
        [&self.header, &self.slices]
            .into_iter()
            .chain(rum_read)
            .chain(&self.permits)
            .chain(&self.workspace)
            .map(String::as_str)
            .collect()
    }
}

/// Half of the hash: it tells clients apart as well as the whole.
fn hashed(key: &hmac::Key, subject: &[u8]) -> u128 {
    let digest = hmac::sign(key, subject);
    let half = digest.as_ref().iter().take(16);
    half.fold(0, |all, byte| all << 8 | u128::from(*byte))
}
