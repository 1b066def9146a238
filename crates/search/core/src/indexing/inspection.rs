//! The result of an inspection of a URL, and how the upstream says it.
//!
//! The answer of `urlInspection.index.inspect` is that of `InspectUrlIndexResponse` in `searchconsole.v1.json`. It is read
//! tolerantly: members that are new are passed over, and one of another type is as if it were missing. It is read boundedly:
//! longer texts are cut, longer lists end early.

use pharos_domain::{page_facts::IndexVerdict, timestamp::in_utc};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use super::{
    canonical,
    coverage::CoverageReason,
    states::{AmpIndexingState, CrawledAs, FetchState, IndexingState, OfUpstream, RobotsState, Severity},
};

/// How long a URL may be, in bytes.
pub const MOST_URL_BYTES: usize = 2_048;
/// How long another text may be, in bytes.
pub const MOST_TEXT_BYTES: usize = 500;
/// How many sitemaps are kept.
pub const MOST_SITEMAPS: usize = 20;
/// How many pages that link to one are kept.
pub const MOST_REFERRERS: usize = 50;
/// How many types of rich results are kept.
pub const MOST_TYPES: usize = 50;
/// How many items of a type are kept.
pub const MOST_ITEMS: usize = 100;
/// How many issues of an item, or of an AMP page, are kept.
pub const MOST_ISSUES: usize = 50;

/// Google's record of a URL: the version in its index, not the live page.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Inspection {
    /// Whether it is in the index, in one word.
    pub verdict: IndexVerdict,
    /// Why, as the upstream says it.
    pub coverage_state: Option<String>,
    /// The reason of that sentence; `None` without one.
    #[serde(default, deserialize_with = "known_reason")]
    pub coverage_reason: Option<CoverageReason>,
    /// Whether robots.txt lets Google fetch it.
    pub robots_txt_state: RobotsState,
    /// Whether it lets itself be indexed.
    pub indexing_state: IndexingState,
    /// Whether Google could fetch it.
    pub page_fetch_state: FetchState,
    /// When it was last fetched; `None`: never with success.
    #[serde(with = "time::serde::rfc3339::option")]
    pub last_crawl_at: Option<OffsetDateTime>,
    /// The crawler that fetched it.
    pub crawled_as: CrawledAs,
    /// The page that Google chose as canonical; `None`: it is not indexed.
    pub google_canonical: Option<String>,
    /// The page that it declares as canonical; `None`: it declares none.
    pub user_canonical: Option<String>,
    /// Sitemaps that list it, as far as Google knows.
    pub sitemaps: Vec<String>,
    /// Pages that link to it.
    #[serde(default)]
    pub referring_urls: Vec<String>,
    /// Its rich results, in one word; `None`: it has none.
    pub rich_results_verdict: Option<IndexVerdict>,
    /// Its rich results by type.
    #[serde(default)]
    pub rich_results: Vec<RichResults>,
    /// Its AMP page; `None`: it has none.
    #[serde(default)]
    pub amp: Option<Amp>,
    /// Where Search Console shows it.
    pub inspection_link: Option<String>,
}

fn known_reason<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<CoverageReason>, D::Error> {
    let name: Option<String> = Option::deserialize(deserializer)?;
    Ok(name.as_deref().map(CoverageReason::named))
}

/// The rich results of one type on a page.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct RichResults {
    /// The type, as the upstream calls it, such as `Breadcrumbs`.
    pub kind: String,
    /// The results.
    pub items: Vec<RichItem>,
}

impl RichResults {
    /// The gravest issue of its items; `None`: they have none.
    #[must_use]
    pub fn severity(&self) -> Option<Severity> {
        let issues = self.items.iter().flat_map(|item| &item.issues);
        issues.map(|issue| issue.severity).max()
    }
}

/// A rich result.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct RichItem {
    /// Its name on the page.
    pub name: Option<String>,
    /// The faults that Google found in it.
    pub issues: Vec<Issue>,
}

/// An issue of a rich result or of an AMP page.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Issue {
    /// The issue, as the upstream says it.
    pub message: String,
    /// How grave it is.
    pub severity: Severity,
}

/// The AMP page of a page.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Amp {
    /// Its gravest issue, in one word.
    pub verdict: IndexVerdict,
    /// Its URL.
    pub amp_url: Option<String>,
    /// Whether it is in the index.
    pub amp_index_verdict: IndexVerdict,
    /// Whether it lets itself be indexed.
    pub indexing_state: AmpIndexingState,
    /// Whether robots.txt lets Google fetch it.
    pub robots_txt_state: RobotsState,
    /// Whether Google could fetch it.
    pub page_fetch_state: FetchState,
    /// When it was last fetched.
    #[serde(with = "time::serde::rfc3339::option")]
    pub last_crawl_at: Option<OffsetDateTime>,
    /// The faults that Google found in it.
    pub issues: Vec<Issue>,
}

impl Inspection {
    /// Whether the page is in the index.
    #[must_use]
    pub const fn is_indexed(&self) -> bool {
        matches!(self.verdict, IndexVerdict::Pass)
    }

    /// Whether Google chose the page that is declared as canonical; `None` where either is missing.
    #[must_use]
    pub fn canonical_matches(&self) -> Option<bool> {
        canonical::matches(self.user_canonical.as_deref(), self.google_canonical.as_deref())
    }

    /// Whether a rich result has an error.
    #[must_use]
    pub fn has_rich_errors(&self) -> bool {
        self.rich_results
            .iter()
            .any(|results| results.severity() == Some(Severity::Error))
    }
}

/// The answer is not one of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// It is no JSON.
    #[error("the answer is no JSON")]
    NoJson,
    /// It lacks what every answer has.
    #[error("the answer has no indexStatusResult")]
    NoResult,
}

/// Reads an answer of the API.
///
/// # Errors
/// It is something else.
pub fn parse(body: &[u8]) -> Result<Inspection, Malformed> {
    read(&serde_json::from_slice(body).map_err(|_| Malformed::NoJson)?)
}

/// Reads an answer of the API that is JSON.
///
/// # Errors
/// It is something else.
pub fn read(answer: &Value) -> Result<Inspection, Malformed> {
    let result = &answer["inspectionResult"];
    let index = &result["indexStatusResult"];
    if !index.is_object() {
        return Err(Malformed::NoResult);
    }
    let rich = &result["richResultsResult"];
    let coverage_state = text(&index["coverageState"]);
    Ok(Inspection {
        verdict: IndexVerdict::of_upstream(name(&index["verdict"])),
        coverage_reason: coverage_state.as_deref().map(CoverageReason::of_sentence),
        coverage_state,
        robots_txt_state: RobotsState::of_upstream(name(&index["robotsTxtState"])),
        indexing_state: IndexingState::of_upstream(name(&index["indexingState"])),
        page_fetch_state: FetchState::of_upstream(name(&index["pageFetchState"])),
        last_crawl_at: moment(&index["lastCrawlTime"]),
        crawled_as: CrawledAs::of_upstream(name(&index["crawledAs"])),
        google_canonical: url(&index["googleCanonical"]),
        user_canonical: url(&index["userCanonical"]),
        sitemaps: list(&index["sitemap"], MOST_SITEMAPS, url),
        referring_urls: list(&index["referringUrls"], MOST_REFERRERS, url),
        rich_results_verdict: rich
            .is_object()
            .then(|| IndexVerdict::of_upstream(name(&rich["verdict"]))),
        rich_results: list(&rich["detectedItems"], MOST_TYPES, rich_results),
        amp: amp(&result["ampResult"]),
        inspection_link: url(&result["inspectionResultLink"]),
    })
}

fn rich_results(detected: &Value) -> Option<RichResults> {
    Some(RichResults {
        kind: text(&detected["richResultType"])?,
        items: list(&detected["items"], MOST_ITEMS, |item| {
            item.is_object().then(|| RichItem {
                name: text(&item["name"]),
                issues: list(&item["issues"], MOST_ISSUES, issue),
            })
        }),
    })
}

fn issue(issue: &Value) -> Option<Issue> {
    Some(Issue {
        message: text(&issue["issueMessage"])?,
        severity: Severity::of_upstream(name(&issue["severity"])),
    })
}

fn amp(amp: &Value) -> Option<Amp> {
    amp.is_object().then(|| Amp {
        verdict: IndexVerdict::of_upstream(name(&amp["verdict"])),
        amp_url: url(&amp["ampUrl"]),
        amp_index_verdict: IndexVerdict::of_upstream(name(&amp["ampIndexStatusVerdict"])),
        indexing_state: AmpIndexingState::of_upstream(name(&amp["indexingState"])),
        robots_txt_state: RobotsState::of_upstream(name(&amp["robotsTxtState"])),
        page_fetch_state: FetchState::of_upstream(name(&amp["pageFetchState"])),
        last_crawl_at: moment(&amp["lastCrawlTime"]),
        issues: list(&amp["issues"], MOST_ISSUES, issue),
    })
}

fn name(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn text(value: &Value) -> Option<String> {
    cut(value, MOST_TEXT_BYTES)
}

fn url(value: &Value) -> Option<String> {
    cut(value, MOST_URL_BYTES)
}

/// The text, so many bytes at most as it is stored; `None` where there is none.
fn cut(value: &Value, most: usize) -> Option<String> {
    let text = value.as_str()?.trim();
    // The character that replaces NUL is longer than it.
    let mut text = text[..text.floor_char_boundary(most)].replace('\0', "\u{fffd}");
    text.truncate(text.floor_char_boundary(most));
    (!text.is_empty()).then_some(text)
}

fn list<T>(value: &Value, most: usize, read: impl Fn(&Value) -> Option<T>) -> Vec<T> {
    let items = value.as_array().into_iter().flatten();
    items.filter_map(read).take(most).collect()
}

/// A moment as `google-datetime` has it: RFC 3339. For a page that was never fetched it may be the beginning of 1970.
fn moment(value: &Value) -> Option<OffsetDateTime> {
    let moment = in_utc(OffsetDateTime::parse(value.as_str()?, &Rfc3339).ok()?)?;
    (moment > OffsetDateTime::UNIX_EPOCH).then_some(moment)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use time::macros::datetime;

    use super::*;

    /// The example of Google's guide to the API, with what it leaves out.
    #[test]
    fn an_answer_is_read_whole() {
        let answer = json!({ "inspectionResult": {
            "inspectionResultLink": "https://search.google.com/search-console/inspect?resource_id=sc-domain:shop.example",
            "indexStatusResult": {
                "verdict": "PASS", "coverageState": "Submitted and indexed", "robotsTxtState": "ALLOWED",
                "indexingState": "INDEXING_ALLOWED", "lastCrawlTime": "2026-03-27T14:14:53.5Z",
                "pageFetchState": "SUCCESSFUL", "googleCanonical": "https://shop.example/",
                "userCanonical": "https://shop.example/", "crawledAs": "MOBILE",
                "sitemap": ["https://shop.example/sitemap.xml"], "referringUrls": ["https://blog.example/"],
                "colour": "green",
            },
            "richResultsResult": { "verdict": "FAIL", "detectedItems": [{
                "richResultType": "Product snippets",
                "items": [
                    { "name": "Teapot", "issues": [{ "issueMessage": "Missing field \"price\"", "severity": "ERROR" }] },
                    { "issues": [{ "issueMessage": "Missing field \"brand\"", "severity": "WARNING" }] },
                ],
            }] },
            "ampResult": { "verdict": "PASS", "ampUrl": "https://shop.example/amp", "ampIndexStatusVerdict": "NEUTRAL",
                "indexingState": "BLOCKED_DUE_TO_NOINDEX", "robotsTxtState": "ALLOWED", "pageFetchState": "SOFT_404" },
            "mobileUsabilityResult": { "verdict": "PASS" },
        } });
        let found = parse(answer.to_string().as_bytes()).unwrap();
        assert_eq!(found.verdict, IndexVerdict::Pass);
        assert!(found.is_indexed() && found.has_rich_errors());
        assert_eq!(found.coverage_reason, Some(CoverageReason::SubmittedAndIndexed));
        assert_eq!(found.last_crawl_at, Some(datetime!(2026-03-27 14:14:53.5 UTC)));
        assert_eq!(found.canonical_matches(), Some(true));
        assert_eq!(found.crawled_as, CrawledAs::Mobile);
        assert_eq!(found.sitemaps, ["https://shop.example/sitemap.xml"]);
        assert_eq!(found.rich_results_verdict, Some(IndexVerdict::Fail));
        assert_eq!(found.rich_results[0].severity(), Some(Severity::Error));
        assert_eq!(found.rich_results[0].items[1].name, None);
        let amp = found.amp.as_ref().unwrap();
        assert_eq!(
            (
                amp.amp_index_verdict,
                amp.indexing_state,
                amp.page_fetch_state,
                amp.last_crawl_at
            ),
            (
                IndexVerdict::Neutral,
                AmpIndexingState::BlockedDueToNoindex,
                FetchState::Soft404,
                None
            )
        );
        let stored = serde_json::to_value(&found).unwrap();
        assert_eq!(serde_json::from_value::<Inspection>(stored).unwrap(), found);
    }

    /// All that a page has which Google does not know.
    #[test]
    fn a_page_that_google_does_not_know_has_little() {
        let answer = json!({ "inspectionResult": { "indexStatusResult": {
            "verdict": "NEUTRAL", "coverageState": "URL is unknown to Google",
            "robotsTxtState": "ROBOTS_TXT_STATE_UNSPECIFIED", "lastCrawlTime": "1970-01-01T00:00:00Z",
        } } });
        let found = parse(answer.to_string().as_bytes()).unwrap();
        assert_eq!(found.coverage_reason, Some(CoverageReason::UnknownToGoogle));
        assert!(!found.is_indexed());
        assert_eq!(
            (found.last_crawl_at, found.google_canonical.clone()),
            (None, None)
        );
        assert_eq!(
            (found.canonical_matches(), found.rich_results_verdict, found.amp),
            (None, None, None)
        );
        assert_eq!(found.crawled_as, CrawledAs::Unknown);
    }

    #[test]
    fn what_is_no_answer_is_told_from_one_with_odd_members() {
        assert_eq!(parse(b"<html>Sorry</html>"), Err(Malformed::NoJson));
        assert_eq!(
            parse(b"{\"inspectionResult\": {\"indexSta"),
            Err(Malformed::NoJson)
        );
        assert_eq!(parse(b"[]"), Err(Malformed::NoResult));
        assert_eq!(parse(b"{\"inspectionResult\": {}}"), Err(Malformed::NoResult));
        let odd = json!({ "inspectionResult": { "indexStatusResult": {
            "verdict": 7, "coverageState": ["?"], "sitemap": "none", "lastCrawlTime": "yesterday", "googleCanonical": " ",
        }, "richResultsResult": { "detectedItems": [7, { "items": [] }, { "richResultType": "FAQ", "items": [7] }] } } });
        let found = parse(odd.to_string().as_bytes()).unwrap();
        assert_eq!(found.verdict, IndexVerdict::Unknown);
        assert_eq!((found.coverage_state, found.coverage_reason), (None, None));
        assert!(
            found.sitemaps.is_empty() && found.last_crawl_at.is_none() && found.google_canonical.is_none()
        );
        assert_eq!(found.rich_results.len(), 1);
        assert!(found.rich_results[0].items.is_empty());
    }

    #[test]
    fn nothing_of_an_answer_is_unbounded() {
        let long = "ä".repeat(5_000);
        let issues = json!({ "issues": vec![json!({ "issueMessage": "m" }); MOST_ISSUES + 1] });
        let mut items = vec![json!({}); MOST_ITEMS + 1];
        items[0] = issues;
        let mut types = vec![json!({ "richResultType": "FAQ" }); MOST_TYPES + 1];
        types[0]["items"] = json!(items);
        let answer = json!({ "inspectionResult": { "indexStatusResult": {
            "coverageState": long, "googleCanonical": long, "sitemap": vec![&long; MOST_SITEMAPS + 1],
            "referringUrls": vec!["https://a.example/"; MOST_REFERRERS + 1],
        }, "richResultsResult": { "detectedItems": types } } });
        let found = parse(answer.to_string().as_bytes()).unwrap();
        assert_eq!(found.coverage_state.map(|text| text.len()), Some(MOST_TEXT_BYTES));
        assert_eq!(
            found.google_canonical.map(|text| text.len()),
            Some(MOST_URL_BYTES)
        );
        assert_eq!(
            (found.sitemaps.len(), found.referring_urls.len()),
            (MOST_SITEMAPS, MOST_REFERRERS)
        );
        assert_eq!(found.rich_results.len(), MOST_TYPES);
        assert_eq!(found.rich_results[0].items.len(), MOST_ITEMS);
        assert_eq!(found.rich_results[0].items[0].issues.len(), MOST_ISSUES);
    }

    /// The character that replaces NUL is longer, and the store holds no longer text.
    #[test]
    fn texts_are_cut_to_what_is_stored_of_them() {
        let text = format!("{}\0", "a".repeat(MOST_TEXT_BYTES - 1));
        let url = format!("https://shop.example/{}", "\0".repeat(MOST_URL_BYTES));
        let answer = json!({ "inspectionResult": {
            "indexStatusResult": { "coverageState": text, "googleCanonical": url },
            "richResultsResult": { "detectedItems": [
                { "richResultType": text, "items": [{ "name": "\0", "issues": [{ "issueMessage": text }] }] },
            ] },
        } });
        let found = read(&answer).unwrap();
        let item = &found.rich_results[0].items[0];
        for cut in [
            found.coverage_state.as_deref().unwrap(),
            &found.rich_results[0].kind,
            &item.issues[0].message,
        ] {
            assert_eq!(cut, "a".repeat(MOST_TEXT_BYTES - 1));
        }
        assert_eq!(item.name.as_deref(), Some("\u{fffd}"));
        let canonical = found.google_canonical.unwrap();
        assert!(canonical.len() <= MOST_URL_BYTES && canonical.ends_with('\u{fffd}'));
    }
}
