//! The ports that are implemented here.

use std::sync::Arc;

use pharos_domain::{ports::Ports, site_address::SiteAddresses};
use pharos_persistence::pool::Database;
use pharos_uptime::{
    alert_metrics::MetricStore,
    certificate::store::CertificateStore,
    history::HistoryStore,
    registration::store::RegistrationStore,
    schedule::ScheduleStore,
    status_page::StatusPageStore,
    store::{CheckStore, IncidentStore, MonitorAdmin, MonitorStore},
};

use crate::{
    addresses::PgSiteAddresses, alert_metrics::PgMetricStore, certificates::PgCertificateStore,
    checks::PgCheckStore, history::PgHistoryStore, incidents::PgIncidentStore, monitors::PgMonitorStore,
    registrations::PgRegistrationStore, schedule::PgScheduleStore, status_pages::PgStatusPageStore,
};

pub(crate) fn ports(ports: Ports, database: &Database) -> Ports {
    ports
        .with::<dyn CertificateStore>(Arc::new(PgCertificateStore::new(database.clone())))
        .with::<dyn CheckStore>(Arc::new(PgCheckStore::new(database.clone())))
        .with::<dyn HistoryStore>(Arc::new(PgHistoryStore::new(database.clone())))
        .with::<dyn IncidentStore>(Arc::new(PgIncidentStore::new(database.clone())))
        .with::<dyn MetricStore>(Arc::new(PgMetricStore::new(database.clone())))
        .with::<dyn MonitorAdmin>(Arc::new(PgMonitorStore::new(database.clone())))
        .with::<dyn MonitorStore>(Arc::new(PgMonitorStore::new(database.clone())))
        .with::<dyn RegistrationStore>(Arc::new(PgRegistrationStore::new(database.clone())))
        .with::<dyn ScheduleStore>(Arc::new(PgScheduleStore::new(database.clone())))
        .with::<dyn SiteAddresses>(Arc::new(PgSiteAddresses::new(database.clone())))
        .with::<dyn StatusPageStore>(Arc::new(PgStatusPageStore::new(database.clone())))
}
