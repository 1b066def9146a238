//! GET /domains/{domain_id}/indexing/crawl-stats

use pharos_domain::{
    day::Day,
    identity::DomainAccess,
    module::Module,
    problem::Suffix,
    scope::Scope,
    window::{DataThrough, DateRange, Meta},
    wire_enum,
};
use pharos_http::{
    extract::{port::Port, window::Days},
    operation::{ApiResult, Example},
    spec::{Bucket, Credits, OperationSpec, Window},
};
use pharos_search::indexing::{
    states::{CrawledAs, FetchState},
    store::{
        reads::{AgeCounts, CrawlStats, IndexingReads},
        urls::IndexingUrls,
    },
};
use serde::Serialize;
use time::macros::date;
use utoipa::ToSchema;

use super::{
    figures::{CrawlerCount, FetchStateCount, rounded},
    monitored_alone, site,
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getIndexingCrawlStats",
    path: "/domains/{domain_id}/indexing/crawl-stats",
    module: Module::Indexing,
    summary: "When and how Google fetched the monitored URLs",
    description: concat!(
        "Google tells of each URL when it last fetched it, as of its inspection. So the counts of days are lower bounds: earlier \
         fetches are known only where an inspection lay between. Ages count from now. Percentiles are interpolated linearly. ",
        monitored_alone!()
    ),
    scope: Some(Scope::ReadIndexing),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 3_600,
    window: Window::Days,
    problems: &[Suffix::IndexingNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    Days(asked): Days,
    urls: Port<dyn IndexingUrls>,
    reads: Port<dyn IndexingReads>,
) -> ApiResult<IndexingCrawlStatsPublic> {
    let _ = site(&*urls, &access).await?;
    let stats = reads
        .crawl_stats(&access, asked.window, asked.horizon.now)
        .await?;
    let through = stats.newest_inspection_at.map(DataThrough::from);
    let meta = asked.meta(None, through);
    Ok(IndexingCrawlStatsPublic::new(stats, asked.window, meta))
}

wire_enum! {
    /// How old a last fetch is.
    AgeLabel as "IndexingCrawlAge" {
        /// A day at most.
        UpTo1d = "up_to_1d",
        /// More than a day, seven at most.
        UpTo7d = "up_to_7d",
        /// More than seven days, 30 at most.
        UpTo30d = "up_to_30d",
        /// More than 30 days, 90 at most.
        UpTo90d = "up_to_90d",
        /// More than 90 days.
        Older = "older",
        /// Never fetched with success.
        Never = "never",
    }
}

/// When and how Google fetched the monitored URLs.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingCrawlStats)]
pub(crate) struct IndexingCrawlStatsPublic {
    /// URLs whose last fetch lies within the window.
    #[schema(minimum = 0)]
    urls_crawled: u64,
    /// The median age of the last fetch in days; null where none was fetched.
    #[schema(required, minimum = 0)]
    median_crawl_age_days: Option<f64>,
    /// The 90th percentile of it; null where none was fetched.
    #[schema(required, minimum = 0)]
    p90_crawl_age_days: Option<f64>,
    /// How old last fetches are. A URL that was never inspected is in none of them.
    age_buckets: Vec<AgeBucketPublic>,
    /// The crawlers that fetched them, of all that were inspected.
    by_crawler: Vec<CrawlerCount>,
    /// How Google could fetch them, of all that were inspected.
    by_fetch_state: Vec<FetchStateCount>,
    /// URLs that were inspected, and never fetched with success.
    #[schema(minimum = 0)]
    never_crawled: u64,
    /// A row a day of the window, the oldest first.
    items: Vec<CrawlDayPublic>,
    /// The window in force, which the figures are of.
    meta: Meta,
}

/// How many last fetches are so old.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingCrawlAgeBucket)]
pub(crate) struct AgeBucketPublic {
    /// The age.
    label: AgeLabel,
    /// How many URLs.
    #[schema(minimum = 0)]
    urls: u64,
}

/// How many URLs were fetched on a day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingCrawlDay)]
pub(crate) struct CrawlDayPublic {
    /// The day, UTC.
    date: Day,
    /// How many URLs are known to have been fetched on it: a lower bound.
    #[schema(minimum = 0)]
    urls_crawled: u64,
}

impl IndexingCrawlStatsPublic {
    fn new(stats: CrawlStats, window: DateRange, meta: Meta) -> Self {
        let CrawlStats {
            crawled,
            median_age_days,
            p90_age_days,
            ages,
            by_crawler,
            by_fetch_state,
            by_day,
            newest_inspection_at: _,
        } = stats;
        let AgeCounts {
            up_to_1d,
            up_to_7d,
            up_to_30d,
            up_to_90d,
            older,
            never,
        } = ages;
        let counts = [up_to_1d, up_to_7d, up_to_30d, up_to_90d, older, never];
        let buckets = AgeLabel::ALL.iter().zip(counts);
        Self {
            urls_crawled: crawled,
            median_crawl_age_days: median_age_days.map(rounded),
            p90_crawl_age_days: p90_age_days.map(rounded),
            age_buckets: buckets
                .map(|(label, urls)| AgeBucketPublic { label: *label, urls })
                .collect(),
            by_crawler: by_crawler.into_iter().map(Into::into).collect(),
            by_fetch_state: by_fetch_state.into_iter().map(Into::into).collect(),
            never_crawled: never,
            items: window
                .dates()
                .map(|day| CrawlDayPublic {
                    date: Day(day),
                    urls_crawled: by_day.get(&day).copied().unwrap_or(0),
                })
                .collect(),
            meta,
        }
    }
}

impl Example for IndexingCrawlStatsPublic {
    fn example() -> Self {
        let stats = CrawlStats {
            crawled: 640,
            median_age_days: Some(4.5),
            p90_age_days: Some(31.2),
            ages: AgeCounts {
                up_to_1d: 120,
                up_to_7d: 520,
                up_to_30d: 250,
                up_to_90d: 80,
                older: 20,
                never: 10,
            },
            by_crawler: vec![(CrawledAs::Mobile, 990), (CrawledAs::Unknown, 10)],
            by_fetch_state: vec![(FetchState::Successful, 970), (FetchState::NotFound, 30)],
            by_day: [(date!(2026 - 03 - 31), 120)].into_iter().collect(),
            newest_inspection_at: None,
        };
        let day = date!(2026 - 03 - 31);
        Self::new(stats, DateRange::ending(day, 1), Meta::example())
    }
}
