//! The ports that are implemented here.

use std::sync::Arc;

use pharos_crawl::{
    hosts::HostStore,
    intervals::IntervalStore,
    robots::monitor::{
        alert_metrics::RobotsMetricStore,
        store::{RobotsSchedule, RobotsStore},
    },
    sitemap::monitor::{
        alert_metrics::SitemapMetricStore,
        figures::FigureArchive,
        languages::LanguageArchive,
        sample::SampleArchive,
        store::{ConflictArchive, ConflictStore, SitemapArchive, SitemapSchedule, SitemapStore},
    },
};
use pharos_domain::{ports::Ports, sitemap_urls::SitemapUrls};
use pharos_persistence::pool::Database;

use crate::{
    hosts::PgHosts,
    intervals::PgIntervals,
    robots::{alert_metrics::PgRobotsMetricStore, reads::PgRobotsStore, schedule::PgRobotsSchedule},
    sitemap::{
        alert_metrics::PgSitemapMetricStore, archive::PgSitemapArchive, conflicts::PgConflicts,
        languages::PgLanguages, listed::PgSitemapUrls, reads::PgSitemapStore, samples::PgSamples,
        schedule::PgSitemapSchedule,
    },
};

pub(crate) fn ports(ports: Ports, database: &Database) -> Ports {
    ports
        .with::<dyn RobotsMetricStore>(Arc::new(PgRobotsMetricStore::new(database.clone())))
        .with::<dyn RobotsSchedule>(Arc::new(PgRobotsSchedule::new(database.clone())))
        .with::<dyn RobotsStore>(Arc::new(PgRobotsStore::new(database.clone())))
        .with::<dyn HostStore>(Arc::new(PgHosts::new(database.clone())))
        .with::<dyn IntervalStore>(Arc::new(PgIntervals::new(database.clone())))
        .with::<dyn ConflictArchive>(Arc::new(PgConflicts::new(database.clone())))
        .with::<dyn ConflictStore>(Arc::new(PgConflicts::new(database.clone())))
        .with::<dyn FigureArchive>(Arc::new(PgSitemapArchive::new(database.clone())))
        .with::<dyn LanguageArchive>(Arc::new(PgLanguages::new(database.clone())))
        .with::<dyn SampleArchive>(Arc::new(PgSamples::new(database.clone())))
        .with::<dyn SitemapArchive>(Arc::new(PgSitemapArchive::new(database.clone())))
        .with::<dyn SitemapMetricStore>(Arc::new(PgSitemapMetricStore::new(database.clone())))
        .with::<dyn SitemapSchedule>(Arc::new(PgSitemapSchedule::new(database.clone())))
        .with::<dyn SitemapUrls>(Arc::new(PgSitemapUrls::new(database.clone())))
        .with::<dyn SitemapStore>(Arc::new(PgSitemapStore::new(database.clone())))
}
