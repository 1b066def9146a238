//! GET /domains/{domain_id}/indexing/overview

use pharos_domain::{
    clock::Clock, identity::DomainAccess, module::Module, page_facts::IndexVerdict, problem::Suffix,
    scope::Scope, timestamp::Timestamp,
};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Example},
    spec::{Bucket, Credits, OperationSpec},
};
use pharos_search::indexing::{
    coverage::CoverageReason,
    quota::{InspectorQuota, QuotaDay},
    states::{CrawledAs, FetchState, IndexingState, RobotsState},
    store::{
        reads::{DayStanding, IndexingReads, Overview, share_pct},
        urls::IndexingUrls,
    },
};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;

use super::{
    figures::{FetchStateCount, QuotaPublic, RobotsStateCount, StateCount, rounded},
    indexed_version, monitored_alone, site,
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getIndexingOverview",
    path: "/domains/{domain_id}/indexing/overview",
    module: Module::Indexing,
    summary: "How many monitored URLs are in Google's index, and why the others are not",
    description: concat!(
        indexed_version!(),
        " ",
        monitored_alone!(),
        " Changes are against how they stood seven days earlier, and null where nothing was inspected by then."
    ),
    scope: Some(Scope::ReadIndexing),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 3_600,
    problems: &[Suffix::IndexingNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    urls: Port<dyn IndexingUrls>,
    reads: Port<dyn IndexingReads>,
    clock: Port<dyn Clock>,
) -> ApiResult<IndexingOverviewPublic> {
    let now = clock.now();
    let site = site(&*urls, &access).await?;
    let known = reads.overview(&access, now).await?;
    let quota = match &site.site_url {
        Some(site_url) => urls.quota(&access, site_url, now).await?,
        None => InspectorQuota {
            used: 0,
            limit: 0,
            resets_on: QuotaDay::of(now).resets_on(),
        },
    };
    Ok(IndexingOverviewPublic::new(known, quota.into()))
}

/// How the monitored URLs of a domain stand.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingOverview)]
pub(crate) struct IndexingOverviewPublic {
    /// URLs that are monitored.
    #[schema(minimum = 0)]
    urls_monitored: u64,
    /// Those with one inspection at least: `indexed`, `not_indexed` and `unknown` add up to it.
    #[schema(minimum = 0)]
    urls_inspected: u64,
    /// Those in Google's index: their verdict is `pass`.
    #[schema(minimum = 0)]
    indexed: u64,
    /// Those that are not, URLs that Google does not know among them.
    #[schema(minimum = 0)]
    not_indexed: u64,
    /// Those that Google gives no verdict of.
    #[schema(minimum = 0)]
    unknown: u64,
    /// `indexed` in percent of `urls_inspected`; null where that is 0.
    #[schema(required, minimum = 0, maximum = 100)]
    indexed_pct: Option<f64>,
    /// How many more are indexed than seven days earlier; null where nothing was inspected by then.
    #[schema(required)]
    indexed_change: Option<i64>,
    /// The change of `indexed_pct` against seven days earlier in percentage points; null where nothing was inspected by
    /// then.
    #[schema(required)]
    indexed_pct_change_pp: Option<f64>,
    /// Why, the most common reason first.
    by_reason: Vec<ReasonPublic>,
    /// How Google could fetch them, the most common state first.
    by_fetch_state: Vec<FetchStateCount>,
    /// Whether robots.txt lets Google fetch them.
    by_robots_state: Vec<RobotsStateCount>,
    /// Whether they let themselves be indexed.
    by_indexing_state: Vec<StateCount>,
    /// The crawlers that fetched them.
    crawled_as: CrawledAsPublic,
    /// The oldest of their newest inspections; null before the first one.
    #[schema(required)]
    oldest_inspection_at: Option<Timestamp>,
    /// The newest inspection; null before the first one.
    #[schema(required)]
    newest_inspection_at: Option<Timestamp>,
    /// Those whose last inspection is older than 14 days.
    #[schema(minimum = 0)]
    stale_urls: u64,
    /// The inspections that are left. There are none where the domain is not linked to a property any more: all of them 0.
    inspector_quota: QuotaPublic,
    /// URLs for which Google chose another canonical page: as many as `GET …/indexing/canonicals` has.
    #[schema(minimum = 0)]
    canonical_mismatches: u64,
    /// URLs with an error in a rich result.
    #[schema(minimum = 0)]
    rich_result_errors: u64,
}

/// A reason with the URLs that have it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingReason)]
pub(crate) struct ReasonPublic {
    /// Why Google has the URLs in its index, or not.
    coverage_reason: CoverageReason,
    /// Google's sentence for it. Where several mean it: that of the URL that was inspected last; null where there is none.
    #[schema(required)]
    coverage_state: Option<String>,
    /// The verdict of that URL.
    verdict: IndexVerdict,
    /// How many URLs have it.
    #[schema(minimum = 0)]
    urls: u64,
    /// In percent of all that were inspected.
    #[schema(minimum = 0, maximum = 100)]
    share_pct: f64,
    /// How many more have it than seven days earlier; null where nothing was inspected by then.
    #[schema(required)]
    urls_change: Option<i64>,
}

/// The crawlers that fetched URLs.
#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = IndexingCrawledAs)]
pub(crate) struct CrawledAsPublic {
    /// Fetched as a phone.
    #[schema(minimum = 0)]
    mobile: u64,
    /// Fetched as a desktop.
    #[schema(minimum = 0)]
    desktop: u64,
    /// Not known, or never fetched.
    #[schema(minimum = 0)]
    unknown: u64,
}

/// How much more there is than there was.
fn change(now: u64, before: Option<u64>) -> Option<i64> {
    let before = i64::try_from(before?).ok()?;
    Some(i64::try_from(now).ok()? - before)
}

impl IndexingOverviewPublic {
    fn new(known: Overview, quota: QuotaPublic) -> Self {
        let not_indexed = known.not_indexed();
        let before = known.week_before.as_ref();
        let indexed_pct = share_pct(known.indexed, known.inspected);
        let pct_before = before.and_then(DayStanding::indexed_pct);
        let reasons = known.by_reason.iter().map(|counted| ReasonPublic {
            coverage_reason: counted.reason,
            coverage_state: counted.coverage_state.clone(),
            verdict: counted.verdict,
            urls: counted.urls,
            share_pct: share_pct(counted.urls, known.inspected).unwrap_or_default(),
            urls_change: change(
                counted.urls,
                before.map(|before| before.of_reason(counted.reason)),
            ),
        });
        let mut crawled_as = CrawledAsPublic::default();
        for (crawler, urls) in &known.by_crawler {
            match crawler {
                CrawledAs::Mobile => crawled_as.mobile = *urls,
                CrawledAs::Desktop => crawled_as.desktop = *urls,
                CrawledAs::Unknown => crawled_as.unknown = *urls,
            }
        }
        Self {
            urls_monitored: known.monitored,
            urls_inspected: known.inspected,
            indexed: known.indexed,
            not_indexed,
            unknown: known.unknown,
            indexed_pct,
            indexed_change: change(known.indexed, before.map(|before| before.indexed)),
            indexed_pct_change_pp: indexed_pct
                .zip(pct_before)
                .map(|(now, before)| rounded(now - before)),
            by_reason: reasons.collect(),
            by_fetch_state: known.by_fetch_state.into_iter().map(Into::into).collect(),
            by_robots_state: known.by_robots_state.into_iter().map(Into::into).collect(),
            by_indexing_state: known.by_indexing_state.into_iter().map(Into::into).collect(),
            crawled_as,
            oldest_inspection_at: known.oldest_inspection_at.map(Timestamp::from),
            newest_inspection_at: known.newest_inspection_at.map(Timestamp::from),
            stale_urls: known.stale,
            inspector_quota: quota,
            canonical_mismatches: known.canonical_mismatches,
            rich_result_errors: known.rich_result_errors,
        }
    }
}

impl Example for IndexingOverviewPublic {
    fn example() -> Self {
        Self {
            urls_monitored: 1_200,
            urls_inspected: 1_000,
            indexed: 800,
            not_indexed: 200,
            unknown: 0,
            indexed_pct: Some(80.0),
            indexed_change: Some(-12),
            indexed_pct_change_pp: Some(-1.2),
            by_reason: vec![
                ReasonPublic {
                    coverage_reason: CoverageReason::SubmittedAndIndexed,
                    coverage_state: Some("Submitted and indexed".to_owned()),
                    verdict: IndexVerdict::Pass,
                    urls: 800,
                    share_pct: 80.0,
                    urls_change: Some(-12),
                },
                ReasonPublic {
                    coverage_reason: CoverageReason::CrawledNotIndexed,
                    coverage_state: Some("Crawled - currently not indexed".to_owned()),
                    verdict: IndexVerdict::Neutral,
                    urls: 200,
                    share_pct: 20.0,
                    urls_change: Some(12),
                },
            ],
            by_fetch_state: vec![(FetchState::Successful, 1_000).into()],
            by_robots_state: vec![(RobotsState::Allowed, 1_000).into()],
            by_indexing_state: vec![(IndexingState::IndexingAllowed, 1_000).into()],
            crawled_as: CrawledAsPublic {
                mobile: 990,
                desktop: 10,
                unknown: 0,
            },
            oldest_inspection_at: Some(datetime!(2026-03-30 05:00:00 UTC).into()),
            newest_inspection_at: Some(datetime!(2026-03-31 09:12:40 UTC).into()),
            stale_urls: 0,
            inspector_quota: QuotaPublic::example(),
            canonical_mismatches: 7,
            rich_result_errors: 3,
        }
    }
}
