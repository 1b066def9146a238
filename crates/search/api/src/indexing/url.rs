//! A URL with its newest inspection.

use pharos_domain::{ids::IndexingUrlId, page_facts::IndexVerdict, timestamp::Timestamp};
use pharos_http::operation::Example;
use pharos_search::indexing::{
    coverage::CoverageReason,
    inspection::{self, Amp, Inspection, RichItem, RichResults},
    states::{AmpIndexingState, CrawledAs, FetchState, IndexingState, RobotsState, Severity},
    store::urls::{KnownUrl, PastState},
    target::Source,
};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::uuid;

/// A URL with its newest inspection. All that comes from an inspection is null before the first one.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingUrl)]
pub(crate) struct UrlPublic {
    /// The id of the URL, for paths of the API.
    url_id: IndexingUrlId,
    /// The URL in normal form.
    url: String,
    /// How it came to be known.
    source: Source,
    /// Whether it is in Google's index, in one word. `neutral` is often on purpose: redirects, alternates, noindex.
    #[schema(required)]
    verdict: Option<IndexVerdict>,
    /// Why, as Google says it in English. It is for people: branch on `coverage_reason`.
    #[schema(required)]
    coverage_state: Option<String>,
    /// Why, as a reason to branch on. `other` where the sentence is not known yet.
    #[schema(required)]
    coverage_reason: Option<CoverageReason>,
    /// Whether it is in the index: its verdict is `pass`.
    #[schema(required)]
    is_indexed: Option<bool>,
    /// Whether robots.txt lets Google fetch it.
    #[schema(required)]
    robots_txt_state: Option<RobotsState>,
    /// Whether it lets itself be indexed.
    #[schema(required)]
    indexing_state: Option<IndexingState>,
    /// Whether Google could fetch it.
    #[schema(required)]
    page_fetch_state: Option<FetchState>,
    /// When Google last fetched it; null where it never did with success. It may be months before `inspected_at`.
    #[schema(required)]
    last_crawl_at: Option<Timestamp>,
    /// The crawler that fetched it.
    #[schema(required)]
    crawled_as: Option<CrawledAs>,
    /// The page that Google chose as canonical; null where it is not indexed.
    #[schema(required)]
    google_canonical: Option<String>,
    /// The page that it declares as canonical; null where it declares none.
    #[schema(required)]
    user_canonical: Option<String>,
    /// Whether both are the same; null where either is missing.
    #[schema(required)]
    canonical_matches: Option<bool>,
    /// Sitemaps that list it, as far as Google knows: not all need be there.
    sitemaps: Vec<String>,
    /// Its rich results, in one word; null where it has none.
    #[schema(required)]
    rich_results_verdict: Option<IndexVerdict>,
    /// When it was last inspected.
    #[schema(required)]
    inspected_at: Option<Timestamp>,
    /// When it is inspected next, if the day's inspections last; null where nobody monitors it.
    #[schema(required)]
    next_inspection_at: Option<Timestamp>,
    /// Why the last inspection failed, as the last segment of a problem's `type`; null where it did not.
    #[schema(required, example = "upstream-error")]
    last_error_code: Option<String>,
    /// Clicks from web search within the 28 days up to the newest final one; null where not all of them are imported.
    #[schema(required, minimum = 0)]
    clicks_28d: Option<u64>,
    /// Impressions in web search within them.
    #[schema(required, minimum = 0)]
    impressions_28d: Option<u64>,
}

impl From<&KnownUrl> for UrlPublic {
    fn from(known: &KnownUrl) -> Self {
        let found = known.newest.as_ref().map(|(_, inspection)| inspection);
        Self {
            url_id: known.id,
            url: known.url.clone(),
            source: known.source,
            verdict: found.map(|found| found.verdict),
            coverage_state: found.and_then(|found| found.coverage_state.clone()),
            coverage_reason: found.and_then(|found| found.coverage_reason),
            is_indexed: found.map(Inspection::is_indexed),
            robots_txt_state: found.map(|found| found.robots_txt_state),
            indexing_state: found.map(|found| found.indexing_state),
            page_fetch_state: found.map(|found| found.page_fetch_state),
            last_crawl_at: found.and_then(|found| found.last_crawl_at).map(Timestamp::from),
            crawled_as: found.map(|found| found.crawled_as),
            google_canonical: found.and_then(|found| found.google_canonical.clone()),
            user_canonical: found.and_then(|found| found.user_canonical.clone()),
            canonical_matches: found.and_then(Inspection::canonical_matches),
            sitemaps: found.map(|found| found.sitemaps.clone()).unwrap_or_default(),
            rich_results_verdict: found.and_then(|found| found.rich_results_verdict),
            inspected_at: known.newest.as_ref().map(|(at, _)| (*at).into()),
            next_inspection_at: known.next_inspection_at.map(Timestamp::from),
            last_error_code: known.last_error_code.clone(),
            clicks_28d: known.value.map(|value| value.clicks),
            impressions_28d: known.value.map(|value| value.impressions),
        }
    }
}

/// A URL with its whole newest inspection and its past states.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingUrlDetail)]
pub(crate) struct UrlDetail {
    #[serde(flatten)]
    url: UrlPublic,
    /// Pages that link to it, directly or indirectly, as far as Google tells: 50 at most.
    referring_urls: Vec<String>,
    /// Its rich results by type.
    rich_results: Vec<RichResultsPublic>,
    /// Its AMP page; null where it has none.
    #[schema(required)]
    amp: Option<AmpPublic>,
    /// Where Search Console shows it, to those who may see the property; null where Google gives none.
    #[schema(required)]
    inspection_link: Option<String>,
    /// Its past states, the newest first, 50 at most. They are kept for 12 months.
    history: Vec<PastStatePublic>,
}

impl UrlDetail {
    pub(super) fn new(known: KnownUrl, history: Vec<PastState>) -> Self {
        let url = UrlPublic::from(&known);
        let found = known.newest.map(|(_, inspection)| inspection);
        let (referring_urls, rich_results, amp, inspection_link) = match found {
            Some(found) => (
                found.referring_urls,
                found.rich_results,
                found.amp,
                found.inspection_link,
            ),
            None => Default::default(),
        };
        Self {
            url,
            referring_urls,
            rich_results: rich_results.into_iter().map(RichResultsPublic::from).collect(),
            amp: amp.map(AmpPublic::from),
            inspection_link,
            history: history.into_iter().map(PastStatePublic::from).collect(),
        }
    }
}

/// The rich results of one type on a page.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingRichResults)]
struct RichResultsPublic {
    /// The type, as Google calls it.
    #[schema(example = "Product snippets")]
    r#type: String,
    /// The results, 100 at most.
    items: Vec<RichItemPublic>,
}

impl From<RichResults> for RichResultsPublic {
    fn from(results: RichResults) -> Self {
        Self {
            r#type: results.kind,
            items: results.items.into_iter().map(RichItemPublic::from).collect(),
        }
    }
}

/// A rich result.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingRichItem)]
struct RichItemPublic {
    /// Its name on the page; null where it has none.
    #[schema(required)]
    name: Option<String>,
    /// The faults that Google found in the item.
    issues: Vec<IssuePublic>,
}

impl From<RichItem> for RichItemPublic {
    fn from(item: RichItem) -> Self {
        Self {
            name: item.name,
            issues: item.issues.into_iter().map(IssuePublic::from).collect(),
        }
    }
}

/// An issue of a rich result or of an AMP page.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingIssue)]
struct IssuePublic {
    /// The issue, as Google says it in English.
    message: String,
    /// How grave it is.
    severity: Severity,
}

impl From<inspection::Issue> for IssuePublic {
    fn from(issue: inspection::Issue) -> Self {
        Self {
            message: issue.message,
            severity: issue.severity,
        }
    }
}

/// The AMP page of a page.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingAmp)]
struct AmpPublic {
    /// Its gravest issue, in one word.
    verdict: IndexVerdict,
    /// Its URL; null where Google tells none.
    #[schema(required)]
    amp_url: Option<String>,
    /// Whether it is in the index, in one word.
    amp_index_verdict: IndexVerdict,
    /// Whether it lets itself be indexed.
    indexing_state: AmpIndexingState,
    /// Whether robots.txt lets Google fetch it.
    robots_txt_state: RobotsState,
    /// Whether Google could fetch it.
    page_fetch_state: FetchState,
    /// When Google last fetched it; null where it never did with success.
    #[schema(required)]
    last_crawl_at: Option<Timestamp>,
    /// The faults that Google found in the AMP page.
    issues: Vec<IssuePublic>,
}

impl From<Amp> for AmpPublic {
    fn from(amp: Amp) -> Self {
        let Amp {
            verdict,
            amp_url,
            amp_index_verdict,
            indexing_state,
            robots_txt_state,
            page_fetch_state,
            last_crawl_at,
            issues,
        } = amp;
        Self {
            verdict,
            amp_url,
            amp_index_verdict,
            indexing_state,
            robots_txt_state,
            page_fetch_state,
            last_crawl_at: last_crawl_at.map(Timestamp::from),
            issues: issues.into_iter().map(IssuePublic::from).collect(),
        }
    }
}

/// A past state of a URL.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingPastState)]
struct PastStatePublic {
    /// When it was inspected.
    inspected_at: Timestamp,
    /// Whether it was in the index, in one word.
    verdict: IndexVerdict,
    /// Why; null where Google did not say.
    #[schema(required)]
    coverage_reason: Option<CoverageReason>,
    /// Whether Google could fetch it.
    page_fetch_state: FetchState,
    /// When Google had last fetched it by then; null where it never had with success.
    #[schema(required)]
    last_crawl_at: Option<Timestamp>,
}

impl From<PastState> for PastStatePublic {
    fn from(state: PastState) -> Self {
        let PastState {
            inspected_at,
            verdict,
            coverage_reason,
            page_fetch_state,
            last_crawl_at,
        } = state;
        Self {
            inspected_at: inspected_at.into(),
            verdict,
            coverage_reason,
            page_fetch_state,
            last_crawl_at: last_crawl_at.map(Timestamp::from),
        }
    }
}

impl Example for UrlPublic {
    fn example() -> Self {
        Self {
            url_id: IndexingUrlId(uuid!("0195e7a1-7a4e-7c31-9d52-3f1f0b6a8e61")),
            url: "https://shop.example/shoes".to_owned(),
            source: Source::GscPages,
            verdict: Some(IndexVerdict::Pass),
            coverage_state: Some("Submitted and indexed".to_owned()),
            coverage_reason: Some(CoverageReason::SubmittedAndIndexed),
            is_indexed: Some(true),
            robots_txt_state: Some(RobotsState::Allowed),
            indexing_state: Some(IndexingState::IndexingAllowed),
            page_fetch_state: Some(FetchState::Successful),
            last_crawl_at: Some(datetime!(2026-03-27 14:14:53 UTC).into()),
            crawled_as: Some(CrawledAs::Mobile),
            google_canonical: Some("https://shop.example/shoes".to_owned()),
            user_canonical: Some("https://shop.example/shoes".to_owned()),
            canonical_matches: Some(true),
            sitemaps: vec!["https://shop.example/sitemap.xml".to_owned()],
            rich_results_verdict: Some(IndexVerdict::Pass),
            inspected_at: Some(datetime!(2026-03-31 04:12:08 UTC).into()),
            next_inspection_at: Some(datetime!(2026-04-01 04:12:08 UTC).into()),
            last_error_code: None,
            clicks_28d: Some(412),
            impressions_28d: Some(9_816),
        }
    }
}

impl Example for UrlDetail {
    fn example() -> Self {
        Self {
            url: UrlPublic::example(),
            referring_urls: vec!["https://shop.example/".to_owned()],
            rich_results: vec![RichResultsPublic {
                r#type: "Product snippets".to_owned(),
                items: vec![RichItemPublic {
                    name: Some("Blue shoes".to_owned()),
                    issues: vec![IssuePublic {
                        message: "Missing field \"review\"".to_owned(),
                        severity: Severity::Warning,
                    }],
                }],
            }],
            amp: None,
            inspection_link: Some(
                "https://search.google.com/search-console/inspect?resource_id=sc-domain:shop.example"
                    .to_owned(),
            ),
            history: vec![PastStatePublic {
                inspected_at: datetime!(2026-03-31 04:12:08 UTC).into(),
                verdict: IndexVerdict::Pass,
                coverage_reason: Some(CoverageReason::SubmittedAndIndexed),
                page_fetch_state: FetchState::Successful,
                last_crawl_at: Some(datetime!(2026-03-27 14:14:53 UTC).into()),
            }],
        }
    }
}
