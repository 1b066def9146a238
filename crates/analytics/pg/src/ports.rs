//! The ports that are implemented here.

use std::sync::Arc;

use pharos_analytics::{
    alert_metrics::VisitMetricStore,
    experiments::ExperimentStore,
    reports::AnalyticsReports,
    store::{ActionStore, CommerceStore, PathStore, SiteStore, VisitStore},
};
use pharos_domain::{
    collect::{BeaconStore, event::Events, site::CollectionSwitch},
    conversions::Conversions,
    experiments::BegunExperiments,
    page_facts::{PageTitles, PageVisits},
    ports::Ports,
    wide_pull::WidePullStore,
};
use pharos_persistence::pool::Database;

use crate::{
    collect::PgEventStore, experiments::PgExperimentStore, reads::PgVisitStore, reports, sites::PgSiteStore,
};

pub(crate) fn ports(ports: Ports, database: &Database) -> Ports {
    ports
        .with::<dyn BeaconStore<Events>>(Arc::new(PgEventStore::new(database.clone())))
        .with::<dyn CollectionSwitch<Events>>(Arc::new(PgSiteStore::new(database.clone())))
        .with::<dyn ExperimentStore>(Arc::new(PgExperimentStore::new(database.clone())))
        .with::<dyn WidePullStore<AnalyticsReports>>(Arc::new(reports::store(database.clone())))
        .with::<dyn SiteStore>(Arc::new(PgSiteStore::new(database.clone())))
        .with::<dyn ActionStore>(Arc::new(PgVisitStore::new(database.clone())))
        .with::<dyn CommerceStore>(Arc::new(PgVisitStore::new(database.clone())))
        .with::<dyn PathStore>(Arc::new(PgVisitStore::new(database.clone())))
        .with::<dyn VisitMetricStore>(Arc::new(PgVisitStore::new(database.clone())))
        .with::<dyn PageTitles>(Arc::new(PgVisitStore::new(database.clone())))
        .with::<dyn PageVisits>(Arc::new(PgVisitStore::new(database.clone())))
        .with::<dyn Conversions>(Arc::new(PgVisitStore::new(database.clone())))
        .with::<dyn BegunExperiments>(Arc::new(PgExperimentStore::new(database.clone())))
        .with::<dyn VisitStore>(Arc::new(PgVisitStore::new(database.clone())))
}
