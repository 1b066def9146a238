//! All ports on one database.

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
use pharos_account_pg::{
    admin::{
        domains::PgDomainAdmin, members::PgMemberAdmin, plans::PgPlanAdmin, users::PgUserAdmin,
        workspaces::PgWorkspaceAdmin,
    },
    credits::PgCreditStore,
    domains::PgDomainStore,
    quotas::PgQuotaStore,
    workspaces::PgWorkspaceStore,
};
use pharos_auth::{
    keys::manage::KeyStore,
    oauth::store::{ClientStore, GrantStore, SigningKeyStore},
    sign_in::store::SignInStore,
    store::CredentialStore,
};
use pharos_auth_pg::{
    credentials::PgCredentialStore,
    keys::PgKeyStore,
    oauth::{clients::PgClientStore, grants::PgGrantStore, signing_keys::PgSigningKeyStore},
    sign_in::PgSignInStore,
};
use pharos_domain::{
    jobs::{JobAdmin, JobQueue},
    ledger::LedgerStore,
    replays::ReplayStore,
    switches::SwitchStore,
};
use pharos_persistence::{
    jobs::{PgJobQueue, admin::PgJobAdmin},
    metering::{ledger::PgLedgerStore, replays::PgReplayStore},
    pool::Database,
    switches::PgSwitchStore,
};
use pharos_uptime::{
    certificate::store::CertificateStore,
    history::HistoryStore,
    registration::store::RegistrationStore,
    store::{CheckStore, IncidentStore, MonitorAdmin, MonitorStore, RunStore, ScheduleStore},
};
use pharos_uptime_pg::{
    certificates::PgCertificateStore, checks::PgCheckStore, history::PgHistoryStore,
    incidents::PgIncidentStore, monitors::PgMonitorStore, registrations::PgRegistrationStore,
    runs::PgRunStore, schedule::PgScheduleStore,
};

/// The ports, each behind its trait.
#[derive(Clone)]
#[expect(missing_docs, reason = "each field is called after its port")]
pub struct Stores {
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
    /// The ports on `database`.
    #[must_use]
    pub fn new(database: &Database) -> Self {
        let database = || database.clone();
        Self {
            credentials: Arc::new(PgCredentialStore::new(database())),
            keys: Arc::new(PgKeyStore::new(database())),
            oauth_clients: Arc::new(PgClientStore::new(database())),
            oauth_grants: Arc::new(PgGrantStore::new(database())),
            oauth_signing_keys: Arc::new(PgSigningKeyStore::new(database())),
            sign_in: Arc::new(PgSignInStore::new(database())),
            workspaces: Arc::new(PgWorkspaceStore::new(database())),
            domains: Arc::new(PgDomainStore::new(database())),
            credits: Arc::new(PgCreditStore::new(database())),
            quotas: Arc::new(PgQuotaStore::new(database())),
            users: Arc::new(PgUserAdmin::new(database())),
            workspace_admin: Arc::new(PgWorkspaceAdmin::new(database())),
            members: Arc::new(PgMemberAdmin::new(database())),
            plans: Arc::new(PgPlanAdmin::new(database())),
            domain_admin: Arc::new(PgDomainAdmin::new(database())),
            switches: Arc::new(PgSwitchStore::new(database())),
            monitors: Arc::new(PgMonitorStore::new(database())),
            monitor_admin: Arc::new(PgMonitorStore::new(database())),
            checks: Arc::new(PgCheckStore::new(database())),
            incidents: Arc::new(PgIncidentStore::new(database())),
            history: Arc::new(PgHistoryStore::new(database())),
            certificates: Arc::new(PgCertificateStore::new(database())),
            runs: Arc::new(PgRunStore::new(database())),
            schedule: Arc::new(PgScheduleStore::new(database())),
            registrations: Arc::new(PgRegistrationStore::new(database())),
            jobs: Arc::new(PgJobQueue::new(database())),
            job_admin: Arc::new(PgJobAdmin::new(database())),
            ledger: Arc::new(PgLedgerStore::new(database())),
            replays: Arc::new(PgReplayStore::new(database())),
        }
    }
}
