//! A workspace in reach, as the statements that read credentials give it.

use pharos_domain::{
    identity::{ReachableDomain, ReachableWorkspace},
    ids::{DomainId, WorkspaceId},
    store::StoreError,
};
use pharos_persistence::names;
use uuid::Uuid;

/// The columns of a workspace in reach.
pub(super) struct Reach {
    pub(super) workspace_id: Uuid,
    pub(super) role: String,
    pub(super) subscription_status: String,
    pub(super) modules: Vec<String>,
    /// In the order of the ids.
    pub(super) domain_ids: Vec<Uuid>,
    pub(super) domain_hostnames: Vec<String>,
}

/// The workspace in its columns.
pub(super) fn workspace(reach: Reach) -> Result<ReachableWorkspace, StoreError> {
    let Reach {
        workspace_id,
        role,
        subscription_status,
        modules,
        domain_ids,
        domain_hostnames,
    } = reach;
    let domains = domain_ids
        .into_iter()
        .zip(domain_hostnames)
        .map(|(id, hostname)| {
            Ok(ReachableDomain {
                id: DomainId(id),
                hostname: names::hostname(&hostname)?,
            })
        });
    Ok(ReachableWorkspace {
        id: WorkspaceId(workspace_id),
        role: role.parse()?,
        subscription: subscription_status.parse()?,
        // One that only a later version knows has no operation here.
        plan_modules: names::known(&modules),
        domains: domains.collect::<Result<Vec<_>, StoreError>>()?.into(),
    })
}
