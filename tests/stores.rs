//! The ports that tests use, by name.

use std::sync::Arc;

use pharos_account::{
    admin::{
        domains::DomainAdmin, members::MemberAdmin, plans::PlanAdmin, users::UserAdmin,
        workspaces::WorkspaceAdmin,
    },
    credits::CreditStore,
    domains::DomainStore,
    quotas::QuotaStore,
    workspaces::WorkspaceStore,
};
use pharos_auth::{
    keys::manage::KeyStore,
    oauth::store::{ClientStore, GrantStore, SigningKeyStore},
    sign_in::store::SignInStore,
    store::CredentialStore,
};
use pharos_domain::{
    jobs::{JobAdmin, JobQueue},
    ledger::LedgerStore,
    ports::Ports,
    replays::ReplayStore,
    runs::RunStore,
    switches::SwitchStore,
};
use pharos_persistence::pool::Database;
use pharos_server::groups;
use pharos_uptime::{
    certificate::store::CertificateStore,
    history::HistoryStore,
    registration::store::RegistrationStore,
    schedule::ScheduleStore,
    store::{CheckStore, IncidentStore, MonitorAdmin, MonitorStore},
};

/// The ports that many tests use, each behind its trait. Others are taken from `ports` by their types.
#[derive(Clone)]
#[expect(missing_docs, reason = "each field is called after its port")]
pub struct Stores {
    pub ports: Ports,
    pub credentials: Arc<dyn CredentialStore>,
    pub keys: Arc<dyn KeyStore>,
    pub oauth_clients: Arc<dyn ClientStore>,
    pub oauth_grants: Arc<dyn GrantStore>,
    pub oauth_signing_keys: Arc<dyn SigningKeyStore>,
    pub sign_in: Arc<dyn SignInStore>,
    pub workspaces: Arc<dyn WorkspaceStore>,
    pub domains: Arc<dyn DomainStore>,
    pub credits: Arc<dyn CreditStore>,
    pub quotas: Arc<dyn QuotaStore>,
    pub users: Arc<dyn UserAdmin>,
    pub workspace_admin: Arc<dyn WorkspaceAdmin>,
    pub members: Arc<dyn MemberAdmin>,
    pub plans: Arc<dyn PlanAdmin>,
    pub domain_admin: Arc<dyn DomainAdmin>,
    pub switches: Arc<dyn SwitchStore>,
    pub monitors: Arc<dyn MonitorStore>,
    pub monitor_admin: Arc<dyn MonitorAdmin>,
    pub checks: Arc<dyn CheckStore>,
    pub incidents: Arc<dyn IncidentStore>,
    pub history: Arc<dyn HistoryStore>,
    pub certificates: Arc<dyn CertificateStore>,
    pub runs: Arc<dyn RunStore>,
    pub schedule: Arc<dyn ScheduleStore>,
    pub registrations: Arc<dyn RegistrationStore>,
    pub jobs: Arc<dyn JobQueue>,
    pub job_admin: Arc<dyn JobAdmin>,
    pub ledger: Arc<dyn LedgerStore>,
    pub replays: Arc<dyn ReplayStore>,
}

impl std::fmt::Debug for Stores {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stores").finish_non_exhaustive()
    }
}

impl Stores {
    /// The stores on a database.
    ///
    /// # Panics
    /// One of them is missing.
    #[must_use]
    pub fn new(database: &Database) -> Self {
        Self::of(&groups::ports(database))
    }

    /// The stores among these ports.
    ///
    /// # Panics
    /// One of them is missing.
    #[must_use]
    pub fn of(ports: &Ports) -> Self {
        Self {
            ports: ports.clone(),
            credentials: ports.get().unwrap(),
            keys: ports.get().unwrap(),
            oauth_clients: ports.get().unwrap(),
            oauth_grants: ports.get().unwrap(),
            oauth_signing_keys: ports.get().unwrap(),
            sign_in: ports.get().unwrap(),
            workspaces: ports.get().unwrap(),
            domains: ports.get().unwrap(),
            credits: ports.get().unwrap(),
            quotas: ports.get().unwrap(),
            users: ports.get().unwrap(),
            workspace_admin: ports.get().unwrap(),
            members: ports.get().unwrap(),
            plans: ports.get().unwrap(),
            domain_admin: ports.get().unwrap(),
            switches: ports.get().unwrap(),
            monitors: ports.get().unwrap(),
            monitor_admin: ports.get().unwrap(),
            checks: ports.get().unwrap(),
            incidents: ports.get().unwrap(),
            history: ports.get().unwrap(),
            certificates: ports.get().unwrap(),
            runs: ports.get().unwrap(),
            schedule: ports.get().unwrap(),
            registrations: ports.get().unwrap(),
            jobs: ports.get().unwrap(),
            job_admin: ports.get().unwrap(),
            ledger: ports.get().unwrap(),
            replays: ports.get().unwrap(),
        }
    }
}
