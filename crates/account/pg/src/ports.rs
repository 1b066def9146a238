//! The ports that are implemented here.

use std::sync::Arc;

use pharos_account::{
    admin::{
        audit::AuditStore, domains::DomainAdmin, members::MemberAdmin, plans::PlanAdmin, users::UserAdmin,
        workspaces::WorkspaceAdmin,
    },
    credits::CreditStore,
    domains::DomainStore,
    quotas::QuotaStore,
    refusals::RefusalStore,
    workspaces::WorkspaceStore,
};
use pharos_domain::{ports::Ports, refusals::RefusalWriter};
use pharos_persistence::pool::Database;

use crate::{
    admin::{
        audit::PgAuditStore, domains::PgDomainAdmin, members::PgMemberAdmin, plans::PgPlanAdmin,
        users::PgUserAdmin, workspaces::PgWorkspaceAdmin,
    },
    credits::PgCreditStore,
    domains::PgDomainStore,
    quotas::PgQuotaStore,
    refusals::PgRefusalStore,
    workspaces::PgWorkspaceStore,
};

pub(crate) fn ports(ports: Ports, database: &Database) -> Ports {
    ports
        .with::<dyn AuditStore>(Arc::new(PgAuditStore::new(database.clone())))
        .with::<dyn CreditStore>(Arc::new(PgCreditStore::new(database.clone())))
        .with::<dyn DomainAdmin>(Arc::new(PgDomainAdmin::new(database.clone())))
        .with::<dyn DomainStore>(Arc::new(PgDomainStore::new(database.clone())))
        .with::<dyn MemberAdmin>(Arc::new(PgMemberAdmin::new(database.clone())))
        .with::<dyn PlanAdmin>(Arc::new(PgPlanAdmin::new(database.clone())))
        .with::<dyn QuotaStore>(Arc::new(PgQuotaStore::new(database.clone())))
        .with::<dyn RefusalStore>(Arc::new(PgRefusalStore::new(database.clone())))
        .with::<dyn RefusalWriter>(Arc::new(PgRefusalStore::new(database.clone())))
        .with::<dyn UserAdmin>(Arc::new(PgUserAdmin::new(database.clone())))
        .with::<dyn WorkspaceAdmin>(Arc::new(PgWorkspaceAdmin::new(database.clone())))
        .with::<dyn WorkspaceStore>(Arc::new(PgWorkspaceStore::new(database.clone())))
}
