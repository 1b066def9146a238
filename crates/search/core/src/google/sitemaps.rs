//! `sitemaps.list`: the sitemaps that were submitted for a property.

use pharos_domain::{page_facts::SubmittedSitemap, timestamp::in_utc};
use serde::Deserialize;
use serde_json::Value;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use super::{account::Account, client::GoogleClient, error::GoogleError};

/// How many sitemaps are read. A property has 500.
const MOST_SITEMAPS: usize = 1_000;
/// How many kinds of entries of a sitemap are read.
const MOST_CONTENTS: usize = 20;
/// The most bytes of a URL; a sitemap whose URL is longer is left out.
const MOST_PATH_BYTES: usize = 2_600;
/// The most bytes of a word of Google's; what is longer is none.
const MOST_WORD_BYTES: usize = 100;

/// The answer (`SitemapsListResponse`).
#[derive(Deserialize)]
struct Response {
    /// Each is read by itself, so that one that can't be read spoils no other.
    #[serde(default)]
    sitemap: Vec<Value>,
}

/// A sitemap (`WmxSitemap`), beside its URL.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    r#type: Option<String>,
    #[serde(default)]
    is_sitemaps_index: bool,
    #[serde(default)]
    is_pending: bool,
    last_submitted: Option<String>,
    last_downloaded: Option<String>,
    errors: Option<Count>,
    warnings: Option<Count>,
    #[serde(default)]
    contents: Vec<Content>,
}

/// Entries of a kind (`WmxSitemapContent`).
#[derive(Deserialize)]
struct Content {
    r#type: Option<String>,
    submitted: Option<Count>,
}

/// A count. The discovery document has whole numbers of 64 bits, which JSON of Google writes as texts.
#[derive(Deserialize)]
#[serde(untagged)]
enum Count {
    Text(String),
    Number(u64),
}

/// The sitemaps that were submitted for a property, as far as they can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SitemapList {
    /// Those that can, each URL once.
    pub read: Vec<SubmittedSitemap>,
    /// The URLs of those of which something can't: they are submitted, and what was known of them before still is.
    pub unread: Vec<String>,
}

impl GoogleClient {
    /// The sitemaps that were submitted for a property.
    ///
    /// # Errors
    /// Why there is no answer.
    pub async fn sitemaps(
        &self,
        account: &Account,
        site_url: &str,
        now: OffsetDateTime,
    ) -> Result<SitemapList, GoogleError> {
        let path = ["webmasters", "v3", "sites", site_url, "sitemaps"];
        let response: Response = self.get(account, &path, now).await?;
        Ok(read(response))
    }
}

fn read(response: Response) -> SitemapList {
    let mut list = SitemapList::default();
    for entry in response.sitemap.into_iter().take(MOST_SITEMAPS) {
        // One without a URL, or with one that is too long, is none.
        let path = entry["path"].as_str().map(storable);
        let Some(path) = path.filter(|path| path.len() <= MOST_PATH_BYTES) else {
            continue;
        };
        match submitted(path.clone(), entry) {
            Ok(sitemap) => list.read.push(sitemap),
            Err(error) => {
                tracing::warn!(%error, "a sitemap of Search Console can't be read; what was known of it stays");
                list.unread.push(path);
            }
        }
    }
    // The store takes each URL once.
    list.read.sort_by(|one, other| one.path.cmp(&other.path));
    list.read.dedup_by(|one, other| one.path == other.path);
    list
}

fn submitted(path: String, entry: Value) -> Result<SubmittedSitemap, GoogleError> {
    let entry: Entry = serde_json::from_value(entry)
        .map_err(|_| GoogleError::Malformed("a member of a sitemap is of another type"))?;
    let mut contents = Vec::new();
    for content in entry.contents.into_iter().take(MOST_CONTENTS) {
        if let Some(kind) = word(content.r#type) {
            contents.push((kind, count(content.submitted)?));
        }
    }
    Ok(SubmittedSitemap {
        path,
        form: word(entry.r#type),
        is_index: entry.is_sitemaps_index,
        is_pending: entry.is_pending,
        last_submitted_at: moment(entry.last_submitted)?,
        last_downloaded_at: moment(entry.last_downloaded)?,
        errors: count(entry.errors)?,
        warnings: count(entry.warnings)?,
        contents,
    })
}

fn word(word: Option<String>) -> Option<String> {
    word.map(|word| storable(&word))
        .filter(|word| word.len() <= MOST_WORD_BYTES)
}

/// The text as the store takes it, which may be longer.
fn storable(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

/// A count that is left out is 0.
fn count(count: Option<Count>) -> Result<u64, GoogleError> {
    match count {
        None => Ok(0),
        Some(Count::Number(count)) => Ok(count),
        Some(Count::Text(text)) => text
            .parse()
            .map_err(|_| GoogleError::Malformed("a count of a sitemap is none")),
    }
}

fn moment(text: Option<String>) -> Result<Option<OffsetDateTime>, GoogleError> {
    let Some(text) = text else { return Ok(None) };
    let at = OffsetDateTime::parse(&text, &Rfc3339).ok().and_then(in_utc);
    at.map(Some)
        .ok_or(GoogleError::Malformed("a time of a sitemap is none"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use time::macros::datetime;

    use super::*;

    fn told(answer: Value) -> SitemapList {
        read(serde_json::from_value(answer).unwrap())
    }

    #[test]
    fn sitemaps_are_read_as_the_discovery_document_has_them() {
        let sitemap = json!({
            "path": "https://shop.example/sitemap.xml", "lastSubmitted": "2026-03-01T10:00:00.000Z", "isPending": false,
            "isSitemapsIndex": true, "type": "SITEMAP", "lastDownloaded": "2026-03-30T02:00:00.123Z", "warnings": "1",
            "errors": "0", "contents": [{ "type": "WEB", "submitted": "2000", "indexed": "0" }],
        });
        let answer = json!({ "sitemap": [sitemap, { "path": "https://shop.example/new.xml", "isPending": true }, {}] });
        let sitemaps = told(answer);
        let new = SubmittedSitemap {
            path: "https://shop.example/new.xml".to_owned(),
            form: None,
            is_index: false,
            is_pending: true,
            last_submitted_at: None,
            last_downloaded_at: None,
            errors: 0,
            warnings: 0,
            contents: Vec::new(),
        };
        let index = SubmittedSitemap {
            path: "https://shop.example/sitemap.xml".to_owned(),
            form: Some("SITEMAP".to_owned()),
            is_index: true,
            is_pending: false,
            last_submitted_at: Some(datetime!(2026-03-01 10:00 UTC)),
            last_downloaded_at: Some(datetime!(2026-03-30 02:00:00.123 UTC)),
            warnings: 1,
            contents: vec![("WEB".to_owned(), 2_000)],
            ..new
        };
        assert_eq!(sitemaps.read, [new, index]);
        assert_eq!(told(json!({})), SitemapList::default());
    }

    #[test]
    fn a_sitemap_with_what_is_no_count_or_no_time_is_unread() {
        for wrong in [
            json!({ "path": "/", "errors": "-1" }),
            json!({ "path": "/", "errors": -1 }),
            json!({ "path": "/", "warnings": 1.5 }),
            json!({ "path": "/", "isPending": "no" }),
            json!({ "path": "/", "contents": 7 }),
            json!({ "path": "/", "warnings": "many" }),
            json!({ "path": "/", "lastSubmitted": "yesterday" }),
            json!({ "path": "/", "lastDownloaded": "9999-12-31T23:59:59-01:00" }),
            json!({ "path": "/", "contents": [{ "type": "WEB", "submitted": "1.5" }] }),
        ] {
            let told = told(json!({ "sitemap": [wrong, { "path": "/good" }] }));
            assert_eq!(
                told.read.iter().map(|one| &one.path).collect::<Vec<_>>(),
                ["/good"]
            );
            assert_eq!(told.unread, ["/"]);
        }
    }

    #[test]
    fn texts_are_as_long_as_the_store_has_them() {
        let [path, form] =
            [MOST_PATH_BYTES, MOST_WORD_BYTES].map(|most| format!("{}\0", "a".repeat(most - 1)));
        let sitemaps = json!([null, { "path": path }, { "path": "/good", "type": form }, { "path": "/\0" }]);
        let told = told(json!({ "sitemap": sitemaps }));
        let read: Vec<_> = told
            .read
            .iter()
            .map(|one| (one.path.as_str(), one.form.as_deref()))
            .collect();
        assert_eq!(read, [("/good", None), ("/\u{fffd}", None)]);
        assert!(told.unread.is_empty());
    }
}
