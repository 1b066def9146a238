//! All ports on one database.

use std::sync::Arc;

use pharos_account::{
    admin::{
        domains::DomainAdmin, members::MemberAdmin, plans::PlanAdmin, switches::SwitchStore,
        users::UserAdmin, workspaces::WorkspaceAdmin,
    },
    domains::DomainStore,
    workspaces::WorkspaceStore,
};
use pharos_auth::{keys::manage::KeyStore, store::CredentialStore};
use pharos_uptime::store::{CheckStore, MonitorStore, ScheduleStore};

use crate::{
    account::{
        admin::{
            domains::PgDomainAdmin, members::PgMemberAdmin, plans::PgPlanAdmin, switches::PgSwitchStore,
            users::PgUserAdmin, workspaces::PgWorkspaceAdmin,
        },
        domains::PgDomainStore,
        workspaces::PgWorkspaceStore,
    },
    auth::{credentials::PgCredentialStore, keys::PgKeyStore},
    pool::Database,
    uptime::{checks::PgCheckStore, monitors::PgMonitorStore, schedule::PgScheduleStore},
};

/// The ports, each behind its trait.
#[derive(Clone)]
#[expect(missing_docs, reason = "each field is called after its port")]
pub struct Stores {
    pub credentials: Arc<dyn CredentialStore>,
    pub keys: Arc<dyn KeyStore>,
    pub workspaces: Arc<dyn WorkspaceStore>,
    pub domains: Arc<dyn DomainStore>,
    pub users: Arc<dyn UserAdmin>,
    pub workspace_admin: Arc<dyn WorkspaceAdmin>,
    pub members: Arc<dyn MemberAdmin>,
    pub plans: Arc<dyn PlanAdmin>,
    pub domain_admin: Arc<dyn DomainAdmin>,
    pub switches: Arc<dyn SwitchStore>,
    pub monitors: Arc<dyn MonitorStore>,
    pub checks: Arc<dyn CheckStore>,
    pub schedule: Arc<dyn ScheduleStore>,
}

impl std::fmt::Debug for Stores {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stores").finish_non_exhaustive()
    }
}

impl Stores {
    /// The ports on `database`.
    #[must_use]
    pub fn new(database: &Database) -> Self {
        let database = || database.clone();
        Self {
            credentials: Arc::new(PgCredentialStore::new(database())),
            keys: Arc::new(PgKeyStore::new(database())),
            workspaces: Arc::new(PgWorkspaceStore::new(database())),
            domains: Arc::new(PgDomainStore::new(database())),
            users: Arc::new(PgUserAdmin::new(database())),
            workspace_admin: Arc::new(PgWorkspaceAdmin::new(database())),
            members: Arc::new(PgMemberAdmin::new(database())),
            plans: Arc::new(PgPlanAdmin::new(database())),
            domain_admin: Arc::new(PgDomainAdmin::new(database())),
            switches: Arc::new(PgSwitchStore::new(database())),
            monitors: Arc::new(PgMonitorStore::new(database())),
            checks: Arc::new(PgCheckStore::new(database())),
            schedule: Arc::new(PgScheduleStore::new(database())),
        }
    }
}
