//! Operations under /domains/{domain_id}/ssl

pub(super) mod certificate;
pub(super) mod history;
pub(super) mod registration;

use pharos_domain::{identity::DomainAccess, problem::Suffix};
use pharos_http::{operation::ApiResult, problem::Problem};
use pharos_uptime::certificate::store::{CertificateStore, LastSighting};

use crate::missing;

/// The days on which the domain's monitor warns, and what was seen last.
async fn last_seen(
    access: &DomainAccess,
    store: &dyn CertificateStore,
) -> ApiResult<(Vec<u32>, LastSighting)> {
    let known = store.view(access).await?;
    let known = known.ok_or_else(missing)?;
    let last = known
        .last
        .ok_or_else(|| Problem::new(Suffix::CheckDataNotFound, "The site has not been checked yet."))?;
    Ok((known.warn_days, last))
}
