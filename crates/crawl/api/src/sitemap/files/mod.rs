//! Sitemap files.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod detail;
pub(crate) mod list;

use pharos_crawl::{
    robots::monitor::site::IssueCounts,
    sitemap::{
        entry::SitemapKind,
        monitor::site::{FileSource, FileStatus, SitemapFile, Sources},
    },
};
use pharos_domain::{ids::SitemapFileId, timestamp::Timestamp};
use pharos_http::payload::Example;
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::{Uuid, uuid};

use super::IssueCountsPublic;

/// A sitemap file, or an index of some.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SitemapFile)]
pub(crate) struct SitemapFilePublic {
    /// The id of the file, for paths of the API.
    file_id: SitemapFileId,
    /// The index that names it; null where none does.
    #[schema(required)]
    parent_id: Option<SitemapFileId>,
    /// Its URL.
    url: String,
    /// Its form, as of the last time that it was read.
    r#type: SitemapKind,
    /// By what it is known; of several the first of robots.txt, an index, people, the usual path.
    source: FileSource,
    /// How it stood at the last fetch.
    status: FileStatus,
    /// The status of that; null without an answer.
    #[schema(required, minimum = 100, maximum = 599)]
    status_code: Option<u16>,
    /// How many pages it names, those beyond 50,000 included; null of an index, and where it was never read.
    #[schema(required, minimum = 0)]
    urls_count: Option<u64>,
    /// How many files it names; null of anything but an index.
    #[schema(required, minimum = 0)]
    children_count: Option<u64>,
    /// How many bytes it has as a file, 52,428,801 at most; null where it was never read.
    #[schema(required, minimum = 0)]
    size_bytes: Option<u64>,
    /// The same uncompressed; null where it was never read.
    #[schema(required, minimum = 0)]
    uncompressed_bytes: Option<u64>,
    /// Whether it is a compressed file; null where it was never read.
    #[schema(required)]
    is_gzip: Option<bool>,
    /// The date that its index gives it; null where it gives none.
    #[schema(required)]
    lastmod: Option<Timestamp>,
    /// The newest date that it gives; null where it gives none.
    #[schema(required)]
    newest_url_lastmod: Option<Timestamp>,
    /// When the last fetch began; null before the first.
    #[schema(required)]
    fetched_at: Option<Timestamp>,
    /// When other pages, or other words about them, were last found in it; null where they never were.
    #[schema(required)]
    changed_at: Option<Timestamp>,
    /// How long the last fetch took in milliseconds, redirects included; null without an answer.
    #[schema(required)]
    response_ms: Option<f64>,
    /// How many findings the file has, by severity.
    issues: IssueCountsPublic,
    /// Whether it has more than 50,000 entries or 52,428,800 bytes. The rest of such a file is not read.
    over_limits: bool,
}

impl From<SitemapFile> for SitemapFilePublic {
    fn from(file: SitemapFile) -> Self {
        let SitemapFile {
            id,
            url,
            sources,
            kind,
            status,
            status_code,
            entries,
            size_bytes,
            uncompressed_bytes,
            is_gzip,
            index_lastmod,
            newest_lastmod,
            fetched_at,
            changed_at,
            response_ms,
            issue_counts,
            is_over_limits,
        } = file;
        let is_index = kind == SitemapKind::Index;
        Self {
            file_id: SitemapFileId(id),
            parent_id: sources.parent.map(SitemapFileId),
            url,
            r#type: kind,
            source: sources.shown(),
            status,
            status_code,
            urls_count: entries.filter(|_| !is_index),
            children_count: entries.filter(|_| is_index),
            size_bytes,
            uncompressed_bytes,
            is_gzip,
            lastmod: index_lastmod.map(Timestamp::from),
            newest_url_lastmod: newest_lastmod.map(Timestamp::from),
            fetched_at: fetched_at.map(Timestamp::from),
            changed_at: changed_at.map(Timestamp::from),
            response_ms,
            issues: issue_counts.into(),
            over_limits: is_over_limits,
        }
    }
}

/// The id of the example.
const EXAMPLE: Uuid = uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e31");

impl Example for SitemapFilePublic {
    fn example() -> Self {
        Self::from(SitemapFile {
            id: EXAMPLE,
            url: "https://shop.example/sitemap.xml".to_owned(),
            sources: Sources {
                in_robots: true,
                ..Sources::default()
            },
            kind: SitemapKind::UrlSet,
            status: FileStatus::Ok,
            status_code: Some(200),
            entries: Some(2_000),
            size_bytes: Some(24_310),
            uncompressed_bytes: Some(318_204),
            is_gzip: Some(true),
            index_lastmod: None,
            newest_lastmod: Some(datetime!(2026-03-30 00:00 UTC)),
            fetched_at: Some(datetime!(2026-03-31 09:14:30 UTC)),
            changed_at: Some(datetime!(2026-03-30 21:14:30 UTC)),
            response_ms: Some(84.2),
            issue_counts: IssueCounts {
                error: 0,
                warning: 1,
                info: 0,
            },
            is_over_limits: false,
        })
    }
}
