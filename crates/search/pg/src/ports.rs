//! The ports that are implemented here.

use std::sync::Arc;

use pharos_domain::{
    page_facts::{PageIndexing, PageSearchDays, PageSearches, SubmittedSitemaps},
    ports::Ports,
    ranking_updates::RankingUpdates,
    wide_pull::WidePullStore,
};
use pharos_persistence::pool::Database;
use pharos_search::{
    gsc::{
        accounts::AccountStore, analysis::AnalysisReads, annotations::GoogleUpdates, config::ConfigStore,
        consent::AskedConsents, curve::CurveReads, days::DayReads, directories::DirectoryReads,
        hours::HourStore, import::SearchImport, link::LinkStore, property::PropertyStore,
        rankings::RankingReads, reports::SearchReports, standing::StandingStore, values::ValueReads,
    },
    indexing::{
        alert_metrics::IndexingMetricStore,
        store::{
            reads::IndexingReads,
            runs::{InspectorRuns, InspectorWork},
            schedule::IndexingSchedule,
            urls::IndexingUrls,
        },
    },
};

use crate::{
    gsc::{
        accounts::PgAccountStore, analysis::PgAnalysisReads, config::PgConfigStore,
        consents::PgAskedConsents, hours::PgHourStore, import::PgSearchImport, links::PgLinkStore,
        property::PgPropertyStore, reads::PgSearchReads, reports, sitemaps::PgSubmittedSitemaps,
        standing::PgStandingStore,
    },
    indexing::PgIndexing,
};

pub(crate) fn ports(ports: Ports, database: &Database) -> Ports {
    let indexing = Arc::new(PgIndexing::new(database.clone()));
    let reads = Arc::new(PgSearchReads::new(database.clone()));
    ports
        .with::<dyn AccountStore>(Arc::new(PgAccountStore::new(database.clone())))
        .with::<dyn AskedConsents>(Arc::new(PgAskedConsents::new(database.clone())))
        .with::<dyn ConfigStore>(Arc::new(PgConfigStore::new(database.clone())))
        .with::<dyn IndexingUrls>(indexing.clone())
        .with::<dyn IndexingReads>(indexing.clone())
        .with::<dyn IndexingSchedule>(indexing.clone())
        .with::<dyn IndexingMetricStore>(indexing.clone())
        .with::<dyn PageIndexing>(indexing.clone())
        .with::<dyn PageSearches>(indexing.clone())
        .with::<dyn InspectorRuns>(indexing.clone())
        .with::<dyn InspectorWork>(indexing)
        .with::<dyn PropertyStore>(Arc::new(PgPropertyStore::new(database.clone())))
        .with::<dyn HourStore>(Arc::new(PgHourStore::new(database.clone())))
        .with::<dyn LinkStore>(Arc::new(PgLinkStore::new(database.clone())))
        .with::<dyn StandingStore>(Arc::new(PgStandingStore::new(database.clone())))
        .with::<dyn SearchImport>(Arc::new(PgSearchImport::new(database.clone())))
        .with::<dyn RankingUpdates>(Arc::new(GoogleUpdates))
        .with::<dyn SubmittedSitemaps>(Arc::new(PgSubmittedSitemaps::new(database.clone())))
        .with::<dyn DayReads>(reads.clone())
        .with::<dyn ValueReads>(reads.clone())
        .with::<dyn RankingReads>(reads.clone())
        .with::<dyn DirectoryReads>(reads.clone())
        .with::<dyn PageSearchDays>(reads.clone())
        .with::<dyn CurveReads>(reads)
        .with::<dyn AnalysisReads>(Arc::new(PgAnalysisReads::new(database.clone())))
        .with::<dyn WidePullStore<SearchReports>>(Arc::new(reports::store(database.clone())))
}
