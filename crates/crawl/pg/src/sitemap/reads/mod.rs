//! The reads of callers.

mod changes;
mod pages;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryableByName,
    sql_types::{
        Array, BigInt, Bool, Date as SqlDate, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid,
    },
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_crawl::{
    robots::{issue::IssueSeverity, monitor::site::IssueCounts},
    sitemap::{
        issue::SitemapIssue,
        monitor::{
            pages::{ChangeFilter, PageChange, PageFilter, SitemapPage},
            site::{
                ConflictState, Figures, FileCheck, FileDetail, FileIssue, FileSource, IssueFilter,
                MOST_FILES, SHOWN_CHECKS, SitemapDay, SitemapFile, SitemapSite,
            },
            store::SitemapStore,
        },
    },
};
use pharos_domain::{
    credits::{Charged, SettleError},
    identity::DomainAccess,
    ids::{DomainId, RunId},
    page::{Page, PageRequest},
    store::StoreError,
    window::DateRange,
};
use pharos_persistence::{
    failure::{failure, read_failure},
    json::Json,
    names,
    pool::Database,
    set_aside::Kind,
    sql,
};
use time::{Date, OffsetDateTime};
use url::Url;
use uuid::Uuid;

use super::{
    files,
    row::{CheckRow, FileRow},
};
use crate::{
    robots::row::known,
    schema::{sitemap_files, sitemap_urls},
};

#[cfg(feature = "testing")]
pub use self::pages::STATEMENTS;

/// The name of totals in the error when they can't be read.
pub(super) const FIGURES: &str = "the totals of sitemaps";

/// The store of sitemaps in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgSitemapStore {
    database: Database,
}

impl PgSitemapStore {
    /// The store in `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

/// The kinds of findings that matter so much.
fn codes(severity: IssueSeverity) -> Vec<&'static str> {
    let filter = IssueFilter {
        severity: Some(severity),
        code: None,
    };
    filter.codes().into_iter().map(|code| code.name()).collect()
}

#[derive(QueryableByName)]
struct SiteRow {
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_checked_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_changed_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Bool)]
    robots_declared: bool,
    #[diesel(sql_type = Jsonb)]
    figures: Json<Figures>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    conflicts: Option<Json<ConflictState>>,
    #[diesel(sql_type = Bool)]
    is_stale: bool,
    #[diesel(sql_type = BigInt)]
    files: i64,
    #[diesel(sql_type = BigInt)]
    indexes: i64,
    #[diesel(sql_type = Bool)]
    in_robots: bool,
    #[diesel(sql_type = Bool)]
    is_default: bool,
    #[diesel(sql_type = Bool)]
    is_manual: bool,
    #[diesel(sql_type = BigInt)]
    errors: i64,
    #[diesel(sql_type = BigInt)]
    warnings: i64,
    #[diesel(sql_type = BigInt)]
    infos: i64,
    #[diesel(sql_type = BigInt)]
    added: i64,
    #[diesel(sql_type = BigInt)]
    removed: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    non_200: Option<i64>,
}

impl TryFrom<SiteRow> for SitemapSite {
    type Error = StoreError;

    fn try_from(row: SiteRow) -> Result<Self, StoreError> {
        let via = [
            (row.in_robots, FileSource::RobotsTxt),
            (row.is_default, FileSource::DefaultPath),
            (row.is_manual, FileSource::Manual),
        ];
        let conflicts = row
            .conflicts
            .map(|state| state.read("what robots.txt blocks of a sitemap"));
        Ok(Self {
            files: names::count(row.files)?,
            indexes: names::count(row.indexes)?,
            discovered_via: via
                .into_iter()
                .filter_map(|(is_so, source)| is_so.then_some(source))
                .collect(),
            figures: row.figures.read(FIGURES)?,
            last_checked_at: row.last_checked_at,
            last_changed_at: row.last_changed_at,
            is_declared: row.robots_declared,
            issue_counts: IssueCounts {
                error: names::count(row.errors)?,
                warning: names::count(row.warnings)?,
                info: names::count(row.infos)?,
            },
            added_7d: names::count(row.added)?,
            removed_7d: names::count(row.removed)?,
            non_200: row.non_200.map(names::count).transpose()?,
            conflicts: conflicts.transpose()?,
            are_conflicts_stale: row.is_stale,
        })
    }
}

#[derive(QueryableByName)]
struct IssueRow {
    #[diesel(sql_type = Text)]
    code: String,
    #[diesel(sql_type = SqlUuid)]
    file_id: Uuid,
    #[diesel(sql_type = BigInt)]
    count: i64,
    #[diesel(sql_type = Jsonb)]
    examples: Json<Vec<String>>,
    #[diesel(sql_type = Timestamptz)]
    first_seen_at: OffsetDateTime,
}

impl TryFrom<IssueRow> for FileIssue {
    type Error = StoreError;

    fn try_from(row: IssueRow) -> Result<Self, StoreError> {
        Ok(Self {
            code: known(
                SitemapIssue::named(&row.code),
                "finding about a sitemap",
                &row.code,
            )?,
            file_id: row.file_id,
            count: names::count(row.count)?,
            examples: row.examples.read("the examples of a finding")?,
            first_seen_at: row.first_seen_at,
        })
    }
}

#[derive(QueryableByName)]
struct DayRow {
    #[diesel(sql_type = SqlDate)]
    day: Date,
    #[diesel(sql_type = BigInt)]
    urls_total: i64,
    #[diesel(sql_type = BigInt)]
    added: i64,
    #[diesel(sql_type = BigInt)]
    removed: i64,
    #[diesel(sql_type = BigInt)]
    lastmod_changed: i64,
    #[diesel(sql_type = BigInt)]
    files_failed: i64,
}

impl TryFrom<DayRow> for SitemapDay {
    type Error = StoreError;

    fn try_from(row: DayRow) -> Result<Self, StoreError> {
        Ok(Self {
            day: row.day,
            urls_total: Some(names::count(row.urls_total)?),
            added: names::count(row.added)?,
            removed: names::count(row.removed)?,
            lastmod_changed: names::count(row.lastmod_changed)?,
            files_failed: names::count(row.files_failed)?,
        })
    }
}

#[derive(QueryableByName)]
struct CountsRow {
    #[diesel(sql_type = Integer)]
    errors: i32,
    #[diesel(sql_type = Integer)]
    warnings: i32,
}

async fn file_rows(
    mut connection: &AsyncPgConnection,
    domain: DomainId,
    file: Option<Uuid>,
    run: Option<RunId>,
) -> Result<Vec<FileRow>, StoreError> {
    let query = sql!("files.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Nullable<SqlUuid>, _>(file)
        .bind::<Nullable<SqlUuid>, _>(run.map(|run| run.0))
        .bind::<Array<Text>, _>(codes(IssueSeverity::Error))
        .bind::<Array<Text>, _>(codes(IssueSeverity::Warning))
        .bind::<BigInt, _>(i64::from(MOST_FILES));
    query.load(&mut connection).await.map_err(failure)
}

/// A file that is watched.
pub(super) async fn one(
    connection: &AsyncPgConnection,
    domain: DomainId,
    id: Uuid,
) -> Result<Option<SitemapFile>, StoreError> {
    let mut rows = file_rows(connection, domain, Some(id), None).await?;
    rows.pop().map(SitemapFile::try_from).transpose()
}

#[async_trait]
impl SitemapStore for PgSitemapStore {
    async fn site(
        &self,
        domain: &DomainAccess,
        now: OffsetDateTime,
    ) -> Result<Option<SitemapSite>, StoreError> {
        let reader = self.database.reader().await?;
        let query = sql!("site.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Timestamptz, _>(now)
            .bind::<Array<Text>, _>(codes(IssueSeverity::Error))
            .bind::<Array<Text>, _>(codes(IssueSeverity::Warning));
        let row: Option<SiteRow> = query
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        row.map(SitemapSite::try_from).transpose()
    }

    async fn files(&self, domain: &DomainAccess, run: Option<RunId>) -> Result<Vec<SitemapFile>, StoreError> {
        let reader = self.database.reader().await?;
        let rows = file_rows(&reader, domain.id(), None, run).await?;
        drop(reader);
        Ok(self
            .database
            .readable(Kind::SitemapFile, rows, |row: &FileRow| row.id)
            .await)
    }

    async fn file(&self, domain: &DomainAccess, id: Uuid) -> Result<Option<FileDetail>, StoreError> {
        let reader = self.database.reader().await?;
        let Some(file) = one(&reader, domain.id(), id).await? else {
            return Ok(None);
        };
        let query = sql!("checks.sql")
            .bind::<SqlUuid, _>(id)
            .bind::<BigInt, _>(i64::from(SHOWN_CHECKS));
        let checks: Vec<CheckRow> = query.load(&mut &*reader).await.map_err(failure)?;
        let children = sitemap_files::table
            .filter(sitemap_files::parent_id.eq(id))
            .filter(sitemap_files::removed_at.is_null())
            .order(sitemap_files::url.asc())
            .limit(i64::from(MOST_FILES))
            .select(sitemap_files::id)
            .load(&mut &*reader)
            .await
            .map_err(failure)?;
        Ok(Some(FileDetail {
            file,
            checks: checks
                .into_iter()
                .map(FileCheck::try_from)
                .collect::<Result<_, _>>()?,
            children,
        }))
    }

    async fn add(
        &self,
        domain: &Charged<DomainAccess>,
        url: &Url,
        now: OffsetDateTime,
    ) -> Result<Option<SitemapFile>, SettleError> {
        files::add(&self.database, domain, url, now).await
    }

    async fn stop(
        &self,
        domain: &Charged<DomainAccess>,
        id: Uuid,
        now: OffsetDateTime,
    ) -> Result<bool, SettleError> {
        files::stop(&self.database, domain, id, now).await
    }

    async fn pages(
        &self,
        domain: &DomainAccess,
        filter: &PageFilter,
        page: &PageRequest,
    ) -> Result<Page<SitemapPage>, StoreError> {
        pages::pages(&self.database, domain, filter, page).await
    }

    async fn sample(
        &self,
        domain: &DomainAccess,
        origin: &str,
        limit: u32,
    ) -> Result<Vec<String>, StoreError> {
        // Pages of the origin may be rare among those of other hosts.
        let mut connection = self.database.long_read().await?;
        // By their digests, which have no order that means anything. A page that several files name counts once.
        sitemap_urls::table
            .filter(sitemap_urls::domain_id.eq(domain.id().0))
            .filter(sitemap_urls::missing_since.is_null())
            .filter(
                diesel::dsl::sql::<Bool>("starts_with(url, ")
                    .bind::<Text, _>(format!("{origin}/"))
                    .sql(")"),
            )
            .distinct_on(sitemap_urls::url_key)
            .order(sitemap_urls::url_key.asc())
            .limit(limit.into())
            .select(sitemap_urls::url)
            .load(&mut connection)
            .await
            .map_err(read_failure)
    }

    async fn changes(
        &self,
        domain: &DomainAccess,
        filter: &ChangeFilter,
        page: &PageRequest,
    ) -> Result<Page<PageChange>, StoreError> {
        changes::changes(&self.database, domain.id(), filter, page).await
    }

    async fn issues(&self, domain: &DomainAccess, filter: IssueFilter) -> Result<Vec<FileIssue>, StoreError> {
        let mut wanted = filter.codes();
        wanted.sort_by_key(|code| std::cmp::Reverse(code.severity()));
        let wanted: Vec<&str> = wanted.into_iter().map(|code| code.name()).collect();
        let reader = self.database.reader().await?;
        let query = sql!("issues.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Array<Text>, _>(wanted);
        let rows: Vec<IssueRow> = query.load(&mut &*reader).await.map_err(failure)?;
        rows.into_iter().map(FileIssue::try_from).collect()
    }

    async fn days(&self, domain: &DomainAccess, range: DateRange) -> Result<Vec<SitemapDay>, StoreError> {
        let range = range.time_range();
        let mut connection = self.database.long_read().await?;
        let query = sql!("days.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Timestamptz, _>(range.from)
            .bind::<Timestamptz, _>(range.until);
        let rows: Vec<DayRow> = query.load(&mut connection).await.map_err(read_failure)?;
        rows.into_iter().map(SitemapDay::try_from).collect()
    }

    async fn counts_before(
        &self,
        domain: &DomainAccess,
        at: OffsetDateTime,
    ) -> Result<Option<IssueCounts>, StoreError> {
        let reader = self.database.reader().await?;
        let query = sql!("counts_before.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Timestamptz, _>(at);
        let row: Option<CountsRow> = query
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        row.map(|row| {
            Ok(IssueCounts {
                error: names::count(row.errors)?,
                warning: names::count(row.warnings)?,
                info: 0,
            })
        })
        .transpose()
    }
}
