//! The inspection of URLs, played: `urlInspection.index.inspect` of the discovery document `searchconsole.v1`.

use pharos_search::indexing::{
    inspection::{Inspection, read},
    target::is_below,
};
use serde::Deserialize;
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339};
use url::{Position, Url};

use super::lamps;
use crate::demo::sitemaps;

/// The request (`InspectUrlIndexRequest`).
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Request {
    inspection_url: String,
    pub(super) site_url: String,
    #[serde(rename = "languageCode")]
    _language_code: Option<String>,
}

/// The reasons of three pages in ten that are not indexed; the other seven are.
const OTHERS: [(&str, &str, &str); 3] = [
    ("NEUTRAL", "Crawled - currently not indexed", "SUCCESSFUL"),
    (
        "NEUTRAL",
        "Duplicate, Google chose different canonical than user",
        "SUCCESSFUL",
    ),
    ("FAIL", "Soft 404", "SOFT_404"),
];

/// One in so many of the pages that are indexed comes and goes.
const RESTLESS: u64 = 8;
/// How many days such a page takes to leave and come back.
const TURN: i64 = 40;
/// How many of these days it is out of the index.
const OUT: i64 = 12;

/// The request that a body holds.
pub(super) fn request(body: &[u8]) -> Option<Request> {
    serde_json::from_slice(body).ok()
}

/// The inspection of a URL below a property at that moment.
pub(super) fn known(url: &str, site_url: &str, now: OffsetDateTime) -> Option<Inspection> {
    let request = Request {
        inspection_url: url.to_owned(),
        site_url: site_url.to_owned(),
        _language_code: None,
    };
    read(&inspection(&request, now)?).ok()
}

/// The answer for the URL at that moment: always the same of most, but when they were fetched last; some leave the index and come
/// back. It agrees with what the shop's sitemaps list, and with where its searches lead. `None`: it does not lie below the property.
pub(super) fn inspection(request: &Request, now: OffsetDateTime) -> Option<Value> {
    let url = Url::parse(&request.inspection_url).ok()?;
    if !is_below(&url, &request.site_url) {
        return None;
    }
    let known = hash(&url[Position::BeforePath..]);
    // Every page is fetched again after one to nine days, each at an hour of its own.
    let every = i64::try_from(known % 9 + 1).unwrap_or(1) * 86_400;
    let phase = i64::try_from(known % 86_400).unwrap_or(0);
    let ago = (now.unix_timestamp() - phase).rem_euclid(every);
    let fetched = (now - Duration::seconds(ago))
        .replace_nanosecond(0)
        .unwrap_or(now);
    let mut home = url.clone();
    home.set_path("/");
    home.set_query(None);
    let (page, today) = (&url[Position::BeforePath..Position::AfterQuery], now.date());
    let is_listed = sitemaps::lists(page.trim_start_matches('/'), today);
    // The front page is indexed, and so are the pages that people come from; three in ten of the others are not.
    let is_found = url.path() == "/" || lamps::is_found(page, today);
    let other = usize::try_from(known % 10).unwrap_or(9);
    let (verdict, coverage, fetch) = match OTHERS.get(other) {
        Some(other) if !is_found => *other,
        None if !is_found && is_out(known, now) => OTHERS[0],
        _ if is_listed => ("PASS", "Submitted and indexed", "SUCCESSFUL"),
        _ => ("PASS", "Indexed, not submitted in sitemap", "SUCCESSFUL"),
    };
    let chosen = match (verdict, coverage) {
        ("PASS", _) => Some(url.as_str()),
        (_, "Duplicate, Google chose different canonical than user") => Some(home.as_str()),
        _ => None,
    };
    let mut index = json!({
        "verdict": verdict, "coverageState": coverage, "robotsTxtState": "ALLOWED", "indexingState": "INDEXING_ALLOWED",
        "lastCrawlTime": fetched.format(&Rfc3339).ok()?, "pageFetchState": fetch, "userCanonical": url.as_str(),
        "crawledAs": "MOBILE", "referringUrls": [home.as_str()],
    });
    if is_listed {
        index["sitemap"] = json!([format!("{home}sitemap.xml")]);
    }
    if let Some(chosen) = chosen {
        index["googleCanonical"] = json!(chosen);
    }
    let mut result = json!({
        "inspectionResultLink": "https://search.google.com/search-console/inspect", "indexStatusResult": index,
    });
    if url.path().starts_with("/product/") {
        let issue = json!({ "issueMessage": "Missing field \"review\"", "severity": "WARNING" });
        result["richResultsResult"] = json!({
            "verdict": "PASS",
            "detectedItems": [{ "richResultType": "Product snippets", "items": [{ "name": url.path(), "issues": [issue] }] }],
        });
    }
    Some(json!({ "inspectionResult": result }))
}

/// Whether a page that is indexed at other times is out of the index.
fn is_out(known: u64, now: OffsetDateTime) -> bool {
    let known = known / 10;
    let phase = i64::try_from(known / RESTLESS % 1_000).unwrap_or(0);
    known.is_multiple_of(RESTLESS) && (now.unix_timestamp() / 86_400 + phase).rem_euclid(TURN) < OUT
}

/// FNV-1a: the same of a path at every start.
fn hash(path: &str) -> u64 {
    path.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    }) >> 11
}

#[cfg(test)]
mod tests {
    use pharos_search::indexing::{coverage::CoverageReason, target::normal};
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-03-31 09:15 UTC);

    fn asked(url: &str) -> Option<Value> {
        let body = json!({
            "inspectionUrl": url, "siteUrl": "sc-domain:demo.example", "languageCode": "en-US",
        });
        inspection(&request(body.to_string().as_bytes())?, NOW)
    }

    #[test]
    fn pages_of_the_property_are_known_and_others_are_not() {
        let front = read(&asked("https://demo.example/").unwrap()).unwrap();
        assert!(front.is_indexed());
        assert!(
            front
                .last_crawl_at
                .is_some_and(|at| at <= NOW && NOW - at < Duration::days(9))
        );
        assert_eq!(asked("https://other.example/"), None);
        assert_eq!(normal("https://other.example/", "sc-domain:demo.example"), None);
        let states =
            (0..200).map(|page| read(&asked(&format!("https://demo.example/{page}")).unwrap()).unwrap());
        let indexed = states.filter(|found| found.is_indexed()).count();
        assert!((100..=170).contains(&indexed), "{indexed} of 200");
    }

    #[test]
    fn pages_that_searches_lead_to_are_in_the_index_and_in_a_sitemap_only_if_one_lists_them() {
        for (page, reason, sitemaps) in [
            ("", CoverageReason::SubmittedAndIndexed, 1),
            ("product/arc", CoverageReason::SubmittedAndIndexed, 1),
            ("product/buoy", CoverageReason::IndexedNotSubmitted, 0),
            ("product/drift", CoverageReason::IndexedNotSubmitted, 0),
            ("files/price-list.pdf", CoverageReason::SubmittedAndIndexed, 1),
        ] {
            let found = read(&asked(&format!("https://demo.example/{page}")).unwrap()).unwrap();
            assert_eq!(
                (found.is_indexed(), found.coverage_reason, found.sitemaps.len()),
                (true, Some(reason), sitemaps),
                "{page}"
            );
        }
    }

    #[test]
    fn some_pages_leave_the_index_and_come_back() {
        let is_indexed = |page: u32, days: i64| {
            let url = format!("https://demo.example/product/arc?shade={page}");
            known(&url, "sc-domain:demo.example", NOW + Duration::days(days)).map(|found| found.is_indexed())
        };
        let changes = |page: &u32| (0..40).any(|days| is_indexed(*page, days) != is_indexed(*page, days + 1));
        let restless = (0..200).filter(changes).count();
        assert!((5..=35).contains(&restless), "{restless} of 200");
        assert!((0..40).all(|days| {
            known(
                "https://demo.example/",
                "sc-domain:demo.example",
                NOW + Duration::days(days),
            )
            .is_some_and(|found| found.is_indexed())
        }));
    }
}
