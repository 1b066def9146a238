//! GET /domains/{domain_id}/sitemap/timeseries

use std::collections::HashMap;

use pharos_crawl::sitemap::monitor::{site::SitemapDay, store::SitemapStore};
use pharos_domain::{
    day::Day,
    identity::DomainAccess,
    module::Module,
    problem::Suffix,
    scope::Scope,
    window::{DataThrough, Meta},
};
use pharos_http::{
    extract::{port::Port, window::FixedWindow},
    operation::{ApiResult, Example},
    spec::{Bucket, Credits, OperationSpec, Window},
};
use serde::Serialize;
use time::{Date, Duration, macros::date};
use utoipa::ToSchema;

use super::site;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getSitemapTimeseries",
    path: "/domains/{domain_id}/sitemap/timeseries",
    module: Module::Sitemap,
    summary: "The pages of sitemaps over 90 days",
    description: "A point for each UTC day, today included. `urls_total` is null on days without a check: it says nothing of \
                  them.",
    scope: Some(Scope::ReadSitemap),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 3_600,
    window: Window::Fixed,
    problems: &[Suffix::SitemapNotFound],
    ..OperationSpec::GET
};

pub(super) async fn view(
    access: DomainAccess,
    FixedWindow(asked): FixedWindow<90>,
    store: Port<dyn SitemapStore>,
) -> ApiResult<SitemapTimeseriesPublic> {
    // First: what comes in between is in the days, and data_through does not promise it.
    let site = site(&access, &*store, asked.horizon.now).await?;
    let found = store.days(&access, asked.window).await?;
    let mut found: HashMap<Date, SitemapDay> = found.into_iter().map(|day| (day.day, day)).collect();
    let through = site.last_checked_at.map(DataThrough::from);
    Ok(SitemapTimeseriesPublic {
        points: (0..i64::from(asked.window.days()))
            .map(|after| asked.window.first().saturating_add(Duration::days(after)))
            .map(|day| SitemapPointPublic::new(day, found.remove(&day)))
            .collect(),
        meta: asked.meta(None, through),
    })
}

/// The pages of sitemaps, day by day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SitemapTimeseries)]
pub(super) struct SitemapTimeseriesPublic {
    /// The days, the oldest first.
    #[schema(max_items = 90)]
    points: Vec<SitemapPointPublic>,
    /// The window in force, which the figures are of.
    meta: Meta,
}

/// A UTC day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SitemapPoint)]
struct SitemapPointPublic {
    /// The day (UTC) that the figures are of.
    date: Day,
    /// Entries of all files, as of the last check of the day; null without a check.
    #[schema(required, minimum = 0)]
    urls_total: Option<u64>,
    /// Pages that were added.
    #[schema(minimum = 0)]
    added: u64,
    /// Pages that were removed.
    #[schema(minimum = 0)]
    removed: u64,
    /// Pages that had another date.
    #[schema(minimum = 0)]
    lastmod_changed: u64,
    /// The most files that failed in one check.
    #[schema(minimum = 0)]
    files_failed: u64,
}

impl SitemapPointPublic {
    fn new(date: Date, found: Option<SitemapDay>) -> Self {
        let SitemapDay {
            day,
            urls_total,
            added,
            removed,
            lastmod_changed,
            files_failed,
        } = found.unwrap_or(SitemapDay {
            day: date,
            urls_total: None,
            added: 0,
            removed: 0,
            lastmod_changed: 0,
            files_failed: 0,
        });
        Self {
            date: Day(day),
            urls_total,
            added,
            removed,
            lastmod_changed,
            files_failed,
        }
    }
}

impl Example for SitemapTimeseriesPublic {
    fn example() -> Self {
        Self {
            points: vec![SitemapPointPublic {
                date: Day(date!(2026 - 03 - 30)),
                urls_total: Some(2_012),
                added: 14,
                removed: 0,
                lastmod_changed: 3,
                files_failed: 0,
            }],
            meta: Meta::example(),
        }
    }
}
