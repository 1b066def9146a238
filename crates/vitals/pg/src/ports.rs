//! The ports that are implemented here.

use std::sync::Arc;

use pharos_domain::{
    collect::{BeaconStore, site::CollectionSwitch, view::View},
    page_facts::{PageSpeed, PageSpeedDays},
    ports::Ports,
    releases::SiteReleases,
};
use pharos_persistence::pool::Database;
use pharos_vitals::{
    alert_metrics::ViewMetricStore,
    behaviour::BehaviourReads,
    causes::VitalsCauses,
    crux::{
        alert_metrics::CruxMetricStore,
        store::{CruxCollection, CruxStore},
        turns::CruxTurns,
    },
    errors::VitalsErrors,
    impact::ImpactReads,
    loads::VitalsLoads,
    pages::PageReads,
    releases::ReleaseStore,
    slices::SliceReads,
    source_maps::SourceMapStore,
    store::{VitalsReads, VitalsSites},
    trends::TrendReads,
};

use crate::{
    collect::PgViewStore, crux::PgCruxStore, reads::PgVitalsReads, releases::PgReleases,
    sites::PgVitalsSites, source_maps::PgSourceMaps,
};

pub(crate) fn ports(ports: Ports, database: &Database) -> Ports {
    ports
        .with::<dyn BeaconStore<View>>(Arc::new(PgViewStore::new(database.clone())))
        .with::<dyn ViewMetricStore>(Arc::new(PgVitalsReads::new(database.clone())))
        .with::<dyn VitalsReads>(Arc::new(PgVitalsReads::new(database.clone())))
        .with::<dyn VitalsCauses>(Arc::new(PgVitalsReads::new(database.clone())))
        .with::<dyn VitalsErrors>(Arc::new(PgVitalsReads::new(database.clone())))
        .with::<dyn VitalsLoads>(Arc::new(PgVitalsReads::new(database.clone())))
        .with::<dyn CollectionSwitch<View>>(Arc::new(PgVitalsSites::new(database.clone())))
        .with::<dyn CruxStore>(Arc::new(PgCruxStore::new(database.clone())))
        .with::<dyn CruxMetricStore>(Arc::new(PgCruxStore::new(database.clone())))
        .with::<dyn CruxTurns>(Arc::new(PgCruxStore::new(database.clone())))
        .with::<dyn CruxCollection>(Arc::new(PgCruxStore::new(database.clone())))
        .with::<dyn ReleaseStore>(Arc::new(PgReleases::new(database.clone())))
        .with::<dyn SiteReleases>(Arc::new(PgReleases::new(database.clone())))
        .with::<dyn SourceMapStore>(Arc::new(PgSourceMaps::new(database.clone())))
        .with::<dyn VitalsSites>(Arc::new(PgVitalsSites::new(database.clone())))
        .with::<dyn TrendReads>(Arc::new(PgVitalsReads::new(database.clone())))
        .with::<dyn SliceReads>(Arc::new(PgVitalsReads::new(database.clone())))
        .with::<dyn PageSpeed>(Arc::new(PgVitalsReads::new(database.clone())))
        .with::<dyn PageSpeedDays>(Arc::new(PgVitalsReads::new(database.clone())))
        .with::<dyn PageReads>(Arc::new(PgVitalsReads::new(database.clone())))
        .with::<dyn BehaviourReads>(Arc::new(PgVitalsReads::new(database.clone())))
        .with::<dyn ImpactReads>(Arc::new(PgVitalsReads::new(database.clone())))
}
