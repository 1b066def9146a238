//! The outcome of a fetch of a file.

use time::OffsetDateTime;
use tokio::task::spawn_blocking;
use url::Url;

use super::{
    fetch::{FetchEnd, Fetched},
    site::{FileStatus, WatchedFile},
};
use crate::{
    robots::monitor::{
        checker::sha256,
        fetch::{FetchFailure, FileHeaders, Validators},
    },
    sitemap::{
        entry::{ChildEntry, Entry, SitemapKind, UrlEntry},
        issue::{Findings, SitemapIssue},
        location::Home,
        read::{MOST_BYTES, Summary, read},
    },
};

/// The outcome of a fetch of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileOutcome {
    /// How the file stands.
    pub status: FileStatus,
    /// The status; `None` without an answer.
    pub status_code: Option<u16>,
    /// Why there was no answer.
    pub error_class: Option<FetchFailure>,
    /// When the fetch began.
    pub fetched_at: OffsetDateTime,
    /// How long it took.
    pub response_ms: Option<f64>,
    /// The content, as far as the fetch tells of it.
    pub content: Content,
}

/// The content of a file after a fetch.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Nothing: what was known stands.
    Unknown,
    /// It is what it was. The same bytes come with headers by which the next fetch is conditional; an answer that nothing
    /// changed leaves those that are known.
    Same(Option<Validators>),
    /// It is no sitemap, or can't be read to its end: this is wrong with it. The pages that are stored stand.
    Broken(Findings),
    /// It was read.
    Read(Box<ReadFile>),
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadFile {
    /// Its form, size and findings.
    pub summary: Summary,
    /// Its pages, 50,000 at most.
    pub pages: Vec<UrlEntry>,
    /// The files that it names, 50,000 at most.
    pub children: Vec<ChildEntry>,
    /// How many bytes were sent.
    pub size_bytes: u64,
    /// The digest of them.
    pub sha256: String,
    /// The validators that make the next fetch conditional.
    pub validators: Validators,
}

impl ReadFile {
    /// Whether it has more entries or bytes than it may. The rest is not read, so a page that was not read may be there all the
    /// same.
    #[must_use]
    pub fn is_over_limits(&self) -> bool {
        let has = |issue| self.summary.findings.0.contains_key(&issue);
        has(SitemapIssue::TooManyUrls) || has(SitemapIssue::TooLarge)
    }
}

impl FileOutcome {
    /// Computes what the fetch says of the file. Reading takes a thread of its own kind: a file has up to 50 MB.
    pub async fn of(file: &WatchedFile, fetched: Fetched) -> Self {
        let Fetched {
            fetched_at,
            response_ms,
            end,
        } = fetched;
        let plain = |status, status_code, error_class, content| Self {
            status,
            status_code,
            error_class,
            fetched_at,
            response_ms,
            content,
        };
        match end {
            FetchEnd::Failed(failure) => {
                plain(FileStatus::Unreachable, None, Some(failure), Content::Unknown)
            }
            FetchEnd::NotModified => plain(FileStatus::NotModified, Some(304), None, Content::Same(None)),
            FetchEnd::Answer { status, .. } if matches!(status, 404 | 410) => {
                plain(FileStatus::Gone, Some(status), None, Content::Unknown)
            }
            FetchEnd::Answer { status, .. } if !(200..300).contains(&status) => {
                plain(FileStatus::Error, Some(status), None, Content::Unknown)
            }
            FetchEnd::Answer {
                status,
                final_url,
                headers,
                body,
            } => {
                let content = Self::content(file, fetched_at, Validators { final_url, headers }, body).await;
                let stands = match content {
                    Content::Broken(_) | Content::Unknown => FileStatus::Invalid,
                    Content::Same(_) | Content::Read(_) => FileStatus::Ok,
                };
                plain(stands, Some(status), None, content)
            }
        }
    }

    async fn content(
        file: &WatchedFile,
        now: OffsetDateTime,
        validators: Validators,
        body: Vec<u8>,
    ) -> Content {
        let (url, known) = (file.url.clone(), file.sha256.clone());
        let is_child = file.is_child;
        let reading = spawn_blocking(move || {
            let digest = sha256(&body);
            if known.as_deref() == Some(digest.as_str()) {
                return Content::Same(Some(validators));
            }
            read_file(&url, is_child, now, validators, &body, digest)
        });
        reading.await.unwrap_or_else(|error| {
            // Whatever it was is the file's own: those of others are read.
            tracing::error!(url = %file.url, %error, "a sitemap brought about a panic as it was read");
            Content::Unknown
        })
    }
}

fn read_file(
    url: &str,
    is_child: bool,
    now: OffsetDateTime,
    validators: Validators,
    body: &[u8],
    sha256: String,
) -> Content {
    let Ok(home) = Url::parse(url) else {
        return Content::Unknown;
    };
    let (mut pages, mut children) = (Vec::new(), Vec::new());
    let mut summary = read(body, &Home { url: home }, now, &mut |entry| match entry {
        Entry::Url(page) => pages.push(page),
        Entry::Child(mut child) => {
            // A fragment is never sent: with another one it is the same file.
            if let Some(at) = child.url.find('#') {
                child.url.truncate(at);
            }
            children.push(child);
        }
    });
    if !has_right_type(summary.kind, summary.is_gzip, &validators.headers) {
        let told = validators.headers.content_type.as_deref().unwrap_or_default();
        summary.findings.add(SitemapIssue::WrongContentType, told);
    }
    if is_child && summary.kind == SitemapKind::Index {
        summary.findings.add(SitemapIssue::NestedIndex, url);
    }
    if body.len() as u64 > MOST_BYTES {
        summary.findings.0.remove(&SitemapIssue::CompressionError);
        summary
            .findings
            .0
            .entry(SitemapIssue::TooLarge)
            .or_default()
            .count = 1;
    }
    let is_readable = summary.is_complete || summary.findings.0.contains_key(&SitemapIssue::TooLarge);
    if !is_readable || summary.kind == SitemapKind::Unknown {
        return Content::Broken(summary.findings);
    }
    Content::Read(Box::new(ReadFile {
        summary,
        pages,
        children,
        size_bytes: body.len() as u64,
        sha256,
        validators,
    }))
}

/// Whether a file of this form may be sent as this media type. Nothing is held against a server that names none.
fn has_right_type(kind: SitemapKind, is_gzip: bool, headers: &FileHeaders) -> bool {
    let Some(content_type) = &headers.content_type else {
        return true;
    };
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    let media_type = media_type.to_ascii_lowercase();
    let is_of_archive = matches!(
        media_type.as_str(),
        "application/gzip" | "application/x-gzip" | "application/octet-stream"
    );
    let is_xml =
        matches!(media_type.as_str(), "application/xml" | "text/xml") || media_type.ends_with("+xml");
    match kind {
        _ if is_gzip && is_of_archive => true,
        SitemapKind::Text => media_type == "text/plain",
        SitemapKind::Unknown => true,
        _ => is_xml,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, write::GzEncoder};
    use time::macros::datetime;
    use uuid::Uuid;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-24 12:00 UTC);
    const PAGE: &str = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://shop.example/a</loc></url></urlset>"#;
    const INDEX: &str = r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://shop.example/b.xml</loc></sitemap></sitemapindex>"#;

    fn file() -> WatchedFile {
        WatchedFile {
            id: Uuid::nil(),
            url: "https://shop.example/sitemap.xml".to_owned(),
            is_child: false,
            depth: 1,
            kind: SitemapKind::Unknown,
            validators: None,
            sha256: None,
            is_done: false,
        }
    }

    async fn outcome(file: &WatchedFile, status: u16, content_type: &str, body: &[u8]) -> FileOutcome {
        let fetched = Fetched {
            fetched_at: NOW,
            response_ms: Some(1.0),
            end: FetchEnd::Answer {
                status,
                final_url: file.url.clone(),
                headers: FileHeaders {
                    content_type: Some(content_type.to_owned()),
                    ..FileHeaders::default()
                },
                body: body.to_vec(),
            },
        };
        FileOutcome::of(file, fetched).await
    }

    fn issues(outcome: &FileOutcome) -> Vec<&'static str> {
        let findings = match &outcome.content {
            Content::Read(read) => &read.summary.findings,
            Content::Broken(findings) => findings,
            Content::Unknown | Content::Same(_) => return Vec::new(),
        };
        findings.0.keys().map(|issue| issue.name()).collect()
    }

    #[tokio::test]
    async fn a_status_says_how_a_file_stands() {
        for (status, stands) in [
            (404, FileStatus::Gone),
            (410, FileStatus::Gone),
            (403, FileStatus::Error),
            (500, FileStatus::Error),
            (200, FileStatus::Ok),
        ] {
            let outcome = outcome(&file(), status, "application/xml", PAGE.as_bytes()).await;
            assert_eq!((outcome.status, outcome.status_code), (stands, Some(status)));
            assert_eq!(outcome.content == Content::Unknown, status != 200);
        }
    }

    #[tokio::test]
    async fn the_media_type_goes_with_the_form() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(PAGE.as_bytes()).unwrap();
        let gzip = encoder.finish().unwrap();
        for (content_type, body, is_right) in [
            ("application/xml; charset=utf-8", PAGE.as_bytes(), true),
            ("Text/XML", PAGE.as_bytes(), true),
            ("application/rss+xml", PAGE.as_bytes(), true),
            ("text/html", PAGE.as_bytes(), false),
            ("application/gzip", PAGE.as_bytes(), false),
            ("application/gzip", &gzip, true),
            ("application/octet-stream", &gzip, true),
            ("text/html", &gzip, false),
            ("text/plain", b"https://shop.example/a\n", true),
            ("application/xml", b"https://shop.example/a\n", false),
        ] {
            let outcome = outcome(&file(), 200, content_type, body).await;
            let expected: &[&str] = if is_right { &[] } else { &["wrong_content_type"] };
            assert_eq!(issues(&outcome), expected, "{content_type}");
        }
    }

    #[tokio::test]
    async fn an_index_in_an_index_is_told_and_read() {
        let child = WatchedFile {
            is_child: true,
            depth: 2,
            ..file()
        };
        let of_index = outcome(&child, 200, "application/xml", INDEX.as_bytes()).await;
        assert_eq!(issues(&of_index), ["nested_index"]);
        assert!(matches!(of_index.content, Content::Read(read) if read.children.len() == 1));
        let of_pages = outcome(&child, 200, "application/xml", PAGE.as_bytes()).await;
        assert_eq!(issues(&of_pages), Vec::<&str>::new());
    }

    #[tokio::test]
    async fn what_is_no_sitemap_is_broken_and_what_is_known_is_the_same() {
        let of_page = outcome(&file(), 200, "text/html", b"<html></html>").await;
        assert_eq!(of_page.status, FileStatus::Invalid);
        assert_eq!(issues(&of_page), ["invalid_xml"]);
        let of_nothing = outcome(&file(), 200, "application/xml", b"").await;
        assert_eq!(of_nothing.status, FileStatus::Invalid);
        let known = WatchedFile {
            sha256: Some(sha256(PAGE.as_bytes())),
            ..file()
        };
        let again = outcome(&known, 200, "application/xml", PAGE.as_bytes()).await;
        assert_eq!(again.status, FileStatus::Ok);
        let Content::Same(Some(validators)) = &again.content else {
            panic!("{again:?}");
        };
        assert_eq!(validators.final_url, known.url);
    }
}
