//! The rows of files, and what is read of them.

use diesel::{
    QueryableByName,
    sql_types::{BigInt, Bool, Double, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use pharos_crawl::{
    robots::{
        monitor::{fetch::FetchFailure, site::IssueCounts},
        outcome::RobotsState,
    },
    sitemap::{
        entry::SitemapKind,
        monitor::site::{FileCheck, FileStatus, SiteRobots, SitemapFile, Sources},
    },
};
use pharos_domain::store::StoreError;
use pharos_persistence::names;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::robots::row::known;

/// A file, with how many findings of each severity it has.
#[derive(Debug, QueryableByName)]
pub(super) struct FileRow {
    #[diesel(sql_type = SqlUuid)]
    pub(super) id: Uuid,
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = Bool)]
    in_robots: bool,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    parent_id: Option<Uuid>,
    #[diesel(sql_type = Bool)]
    is_manual: bool,
    #[diesel(sql_type = Bool)]
    is_default: bool,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Text)]
    status: String,
    #[diesel(sql_type = Nullable<Integer>)]
    status_code: Option<i32>,
    #[diesel(sql_type = Nullable<BigInt>)]
    entries: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    size_bytes: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    uncompressed_bytes: Option<i64>,
    #[diesel(sql_type = Nullable<Bool>)]
    is_gzip: Option<bool>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    index_lastmod: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    newest_lastmod: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    fetched_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    changed_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Double>)]
    response_ms: Option<f64>,
    #[diesel(sql_type = Bool)]
    over_limits: bool,
    #[diesel(sql_type = BigInt)]
    errors: i64,
    #[diesel(sql_type = BigInt)]
    warnings: i64,
    #[diesel(sql_type = BigInt)]
    infos: i64,
}

impl TryFrom<FileRow> for SitemapFile {
    type Error = StoreError;

    fn try_from(row: FileRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.id,
            url: row.url,
            sources: Sources {
                in_robots: row.in_robots,
                parent: row.parent_id,
                is_manual: row.is_manual,
                is_default: row.is_default,
            },
            kind: known(SitemapKind::named(&row.kind), "form of a sitemap", &row.kind)?,
            status: known(FileStatus::named(&row.status), "status of a sitemap", &row.status)?,
            status_code: row.status_code.map(names::count).transpose()?,
            entries: row.entries.map(names::count).transpose()?,
            size_bytes: row.size_bytes.map(names::count).transpose()?,
            uncompressed_bytes: row.uncompressed_bytes.map(names::count).transpose()?,
            is_gzip: row.is_gzip,
            index_lastmod: row.index_lastmod,
            newest_lastmod: row.newest_lastmod,
            fetched_at: row.fetched_at,
            changed_at: row.changed_at,
            response_ms: row.response_ms,
            issue_counts: IssueCounts {
                error: names::count(row.errors)?,
                warning: names::count(row.warnings)?,
                info: names::count(row.infos)?,
            },
            is_over_limits: row.over_limits,
        })
    }
}

#[derive(QueryableByName)]
pub(super) struct CheckRow {
    #[diesel(sql_type = Timestamptz)]
    checked_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Integer>)]
    status_code: Option<i32>,
    #[diesel(sql_type = Nullable<BigInt>)]
    entries: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    urls_added: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    urls_removed: Option<i64>,
    #[diesel(sql_type = Nullable<Double>)]
    response_ms: Option<f64>,
    #[diesel(sql_type = Nullable<Text>)]
    error_class: Option<String>,
}

impl TryFrom<CheckRow> for FileCheck {
    type Error = StoreError;

    fn try_from(row: CheckRow) -> Result<Self, StoreError> {
        Ok(Self {
            checked_at: row.checked_at,
            status_code: row.status_code.map(names::count).transpose()?,
            entries: row.entries.map(names::count).transpose()?,
            added: row.urls_added.map(names::count).transpose()?,
            removed: row.urls_removed.map(names::count).transpose()?,
            response_ms: row.response_ms,
            // One that only a later version knows is as good as none.
            error_class: row.error_class.as_deref().and_then(FetchFailure::named),
        })
    }
}

#[derive(QueryableByName)]
pub(super) struct RobotsRow {
    #[diesel(sql_type = Text)]
    robots_url: String,
    #[diesel(sql_type = SqlUuid)]
    version_id: Uuid,
    #[diesel(sql_type = Text)]
    state: String,
    #[diesel(sql_type = Nullable<diesel::sql_types::Binary>)]
    content: Option<Vec<u8>>,
    #[diesel(sql_type = Nullable<Bool>)]
    is_out_of_reach: Option<bool>,
}

impl TryFrom<RobotsRow> for SiteRobots {
    type Error = StoreError;

    fn try_from(row: RobotsRow) -> Result<Self, StoreError> {
        Ok(Self {
            robots_url: row.robots_url,
            version_id: row.version_id,
            state: known(
                RobotsState::named(&row.state),
                "state of a robots.txt",
                &row.state,
            )?,
            content: row.content,
            is_out_of_reach: row.is_out_of_reach == Some(true),
        })
    }
}
