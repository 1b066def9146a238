//! GET /domains/{domain_id}/sitemap/overview

use pharos_crawl::{
    robots::monitor::site::IssueCounts,
    sitemap::monitor::{
        site::{Figures, FileSource, SitemapSite},
        store::SitemapStore,
    },
};
use pharos_domain::{
    clock::Clock, identity::DomainAccess, module::Module, page_facts::PageIndexing, problem::Suffix,
    scope::Scope, timestamp::Timestamp,
};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec},
};
use serde::Serialize;
use time::{Duration, OffsetDateTime, macros::datetime};
use utoipa::ToSchema;

use super::{IssueCountsPublic, site};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getSitemapOverview",
    path: "/domains/{domain_id}/sitemap/overview",
    module: Module::Sitemap,
    summary: "The sitemaps of a site at a glance",
    description: "All files together: those that robots.txt names, the one at the usual path `/sitemap.xml`, those that \
                  people named, and whatever an index among them names. Totals are of what files said when they were last \
                  good. A site without a sitemap is in order: `files_total` is 0. `changefreq` and `priority` are reported \
                  and never judged; search engines pass them over.",
    scope: Some(Scope::ReadSitemap),
    credits: Credits::Cheap,
    problems: &[Suffix::SitemapNotFound],
    ..OperationSpec::GET
};

pub(super) async fn view(
    access: DomainAccess,
    store: Port<dyn SitemapStore>,
    indexing: Port<dyn PageIndexing>,
    clock: Port<dyn Clock>,
) -> ApiResult<SitemapOverviewPublic> {
    let now = clock.now();
    let site = site(&access, &*store, now).await?;
    let indexed_pct = indexing.indexed_pct(&access).await?;
    Ok(SitemapOverviewPublic::new(site, indexed_pct, now))
}

/// The sitemaps of a site at a glance.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SitemapOverview)]
pub(super) struct SitemapOverviewPublic {
    /// Files that are watched.
    #[schema(minimum = 0)]
    files_total: u32,
    /// Those of them that are indexes.
    #[schema(minimum = 0)]
    index_files: u32,
    /// Entries of all files but indexes, 50,000 of a file at most. A page that stands twice counts twice.
    #[schema(minimum = 0)]
    urls_total: u64,
    /// Pages, each counted once.
    #[schema(minimum = 0)]
    urls_unique: u64,
    /// By how much the entries are more than the pages.
    #[schema(minimum = 0)]
    duplicate_urls: u64,
    /// Pages that were added in the last seven UTC days, today included.
    #[schema(minimum = 0)]
    urls_added_7d: u64,
    /// Pages that were removed in the last seven UTC days, today included.
    #[schema(minimum = 0)]
    urls_removed_7d: u64,
    /// When the last check ended; null before the first.
    #[schema(required)]
    last_checked_at: Option<Timestamp>,
    /// When a check last found other files or pages, or other words about them, the first time included; null where there
    /// is no file.
    #[schema(required)]
    last_changed_at: Option<Timestamp>,
    /// Findings of all files.
    issues: IssueCountsPublic,
    /// Whether the robots.txt in force names a sitemap.
    robots_declared: bool,
    /// How the files came to be known, but for those that an index names.
    discovered_via: Vec<FileSource>,
    /// The share of pages that have a date, in percent; null without a page.
    #[schema(required, minimum = 0, maximum = 100)]
    lastmod_coverage_pct: Option<f64>,
    /// How many days ago the date in the middle was; null where no page has one.
    #[schema(required)]
    lastmod_age_median_days: Option<f64>,
    /// Images that are named with pages.
    #[schema(minimum = 0)]
    image_entries: u64,
    /// Videos that are named with pages.
    #[schema(minimum = 0)]
    video_entries: u64,
    /// Pages that are news.
    #[schema(minimum = 0)]
    news_entries: u64,
    /// Pages that name others in other languages.
    #[schema(minimum = 0)]
    hreflang_entries: u64,
    /// The share of the site's pages that were inspected which are in Google's index, in percent; null where none was.
    #[schema(required, minimum = 0, maximum = 100)]
    indexed_pct: Option<f64>,
    /// Pages that answered with an error when they were last asked, within 30 days; null where none was asked.
    #[schema(required, minimum = 0)]
    non_200_urls: Option<u64>,
}

impl SitemapOverviewPublic {
    fn new(site: SitemapSite, indexed_pct: Option<f64>, now: OffsetDateTime) -> Self {
        let SitemapSite {
            files,
            indexes,
            discovered_via,
            figures,
            last_checked_at,
            last_changed_at,
            is_declared,
            issue_counts,
            added_7d,
            removed_7d,
            non_200,
            conflicts: _,
            are_conflicts_stale: _,
        } = site;
        let Figures {
            urls_total,
            urls_unique,
            dated,
            median_lastmod,
            images,
            videos,
            news,
            alternates,
        } = figures;
        Self {
            files_total: files,
            index_files: indexes,
            urls_total,
            urls_unique,
            duplicate_urls: urls_total.saturating_sub(urls_unique),
            urls_added_7d: added_7d,
            urls_removed_7d: removed_7d,
            last_checked_at: last_checked_at.map(Timestamp::from),
            last_changed_at: last_changed_at.map(Timestamp::from),
            issues: issue_counts.into(),
            robots_declared: is_declared,
            discovered_via,
            lastmod_coverage_pct: share_pct(dated, urls_unique),
            lastmod_age_median_days: median_lastmod.map(|date| tenths((now - date) / Duration::DAY)),
            image_entries: images,
            video_entries: videos,
            news_entries: news,
            hreflang_entries: alternates,
            indexed_pct: indexed_pct.map(tenths),
            non_200_urls: non_200,
        }
    }
}

/// A share in percent with one decimal; `None` of nothing.
fn share_pct(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| tenths(part as f64 / whole as f64 * 100.0))
}

fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

impl Example for SitemapOverviewPublic {
    fn example() -> Self {
        Self::new(
            SitemapSite {
                files: 3,
                indexes: 1,
                discovered_via: vec![FileSource::RobotsTxt],
                figures: Figures {
                    urls_total: 2_012,
                    urls_unique: 2_000,
                    dated: 1_900,
                    median_lastmod: Some(datetime!(2026-03-01 00:00 UTC)),
                    images: 640,
                    videos: 0,
                    news: 0,
                    alternates: 120,
                },
                last_checked_at: Some(datetime!(2026-03-31 09:14:30 UTC)),
                last_changed_at: Some(datetime!(2026-03-30 21:14:30 UTC)),
                is_declared: true,
                issue_counts: IssueCounts {
                    error: 1,
                    warning: 2,
                    info: 1,
                },
                added_7d: 14,
                removed_7d: 3,
                non_200: Some(2),
                conflicts: None,
                are_conflicts_stale: false,
            },
            Some(91.5),
            datetime!(2026-03-31 09:15:00 UTC),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 1 of 3 is 33.3…; nothing of nothing is no share.
    #[test]
    fn shares_have_one_decimal() {
        assert_eq!(share_pct(1, 3), Some(33.3));
        assert_eq!(share_pct(0, 5), Some(0.0));
        assert_eq!(share_pct(0, 0), None);
    }
}
