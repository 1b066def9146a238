//! The reads of callers.

use async_trait::async_trait;
use diesel::{BoolExpressionMethods, sql_types::Integer};
use diesel::{
    ExpressionMethods, NullableExpressionMethods, OptionalExtension, QueryDsl, QueryableByName,
    SelectableHelper,
    sql_types::{Binary, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_crawl::robots::{
    monitor::{
        fetch::SitemapAnswer,
        site::{
            CurrentVersion, GoodFetch, IssueCounts, RobotsCheck, RobotsSite, RobotsVersion,
            StoredAccessChange, TestUrl, VersionDetail,
        },
        store::RobotsStore,
    },
    outcome::RobotsState,
};
use pharos_domain::{
    credits::{Charged, SettleError},
    identity::DomainAccess,
    ids::RunId,
    page::{Page, PageRequest, Position},
    store::StoreError,
};
use pharos_persistence::{failure::failure, json::Json, names, pool::Database, set_aside::Kind, sql};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    row::{CheckRow, ISSUES, VersionRow, issues, known, seen_issues},
    test_urls,
};
use crate::schema::{robots_checks, robots_versions};

/// The store of robots.txt files in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgRobotsStore {
    database: Database,
}

impl PgRobotsStore {
    /// The store in `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct SiteRow {
    #[diesel(sql_type = Text)]
    robots_url: String,
    #[diesel(sql_type = Text)]
    state: String,
    #[diesel(sql_type = Nullable<Integer>)]
    status_code: Option<i32>,
    #[diesel(sql_type = Timestamptz)]
    last_checked_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_changed_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    good_fetch: Option<Json<GoodFetch>>,
    #[diesel(sql_type = Jsonb)]
    issues: Json<Vec<Value>>,
    #[diesel(sql_type = Jsonb)]
    issue_counts: Json<IssueCounts>,
    #[diesel(sql_type = Jsonb)]
    sitemaps: Json<Vec<SitemapAnswer>>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    version_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<Binary>)]
    content: Option<Vec<u8>>,
    #[diesel(sql_type = Nullable<Text>)]
    sha256: Option<String>,
}

impl TryFrom<SiteRow> for RobotsSite {
    type Error = StoreError;

    fn try_from(row: SiteRow) -> Result<Self, StoreError> {
        let fetch = row
            .good_fetch
            .map(|fetch| fetch.read("the fetch of a robots.txt"));
        let version = row.version_id.zip(row.sha256).zip(fetch.transpose()?);
        Ok(Self {
            robots_url: row.robots_url,
            state: known(
                RobotsState::named(&row.state),
                "state of a robots.txt",
                &row.state,
            )?,
            status_code: row.status_code.map(names::count).transpose()?,
            last_checked_at: row.last_checked_at,
            last_changed_at: row.last_changed_at,
            current: version.map(|((id, sha256), fetch)| CurrentVersion {
                id,
                content: row.content,
                sha256,
                fetch,
            }),
            issues: seen_issues(row.issues)?,
            issue_counts: row.issue_counts.read(ISSUES)?,
            sitemaps: row.sitemaps.read("the sitemaps of a robots.txt")?,
        })
    }
}

#[derive(QueryableByName)]
struct DetailRow {
    #[diesel(sql_type = Nullable<Binary>)]
    previous_content: Option<Vec<u8>>,
}

#[async_trait]
impl RobotsStore for PgRobotsStore {
    async fn site(&self, domain: &DomainAccess) -> Result<Option<RobotsSite>, StoreError> {
        let reader = self.database.reader().await?;
        let query = sql!("site.sql").bind::<SqlUuid, _>(domain.id().0);
        let row: Option<SiteRow> = query
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        row.map(RobotsSite::try_from).transpose()
    }

    async fn versions(
        &self,
        domain: &DomainAccess,
        page: &PageRequest,
    ) -> Result<Page<RobotsVersion>, StoreError> {
        let Position { key: at, id } = page.after.unwrap_or(Position::START);
        let reader = self.database.reader().await?;
        let rows: Vec<VersionRow> = robots_versions::table
            .filter(robots_versions::domain_id.eq(domain.id().0))
            .filter(robots_versions::detected_at.le(at))
            .filter(robots_versions::detected_at.lt(at).or(robots_versions::id.lt(id)))
            .order((robots_versions::detected_at.desc(), robots_versions::id.desc()))
            .limit(page.rows())
            .select(VersionRow::as_select())
            .load(&mut &*reader)
            .await
            .map_err(failure)?;
        drop(reader);
        let cut = Page::cut(rows, page, |row| Position {
            key: row.detected_at,
            id: row.id,
        });
        Ok(self
            .database
            .readable_page(Kind::RobotsCheck, cut, |row: &VersionRow| row.id)
            .await)
    }

    async fn version(&self, domain: &DomainAccess, id: Uuid) -> Result<Option<VersionDetail>, StoreError> {
        type Found = (
            VersionRow,
            Option<Vec<u8>>,
            Json<Vec<StoredAccessChange>>,
            Json<Vec<Value>>,
            Json<Vec<Value>>,
        );
        let reader = self.database.reader().await?;
        let found: Option<Found> = robots_versions::table
            .find(id)
            .filter(robots_versions::domain_id.eq(domain.id().0))
            .select((
                VersionRow::as_select(),
                robots_versions::content.nullable(),
                robots_versions::access_changes,
                robots_versions::issues_added,
                robots_versions::issues_resolved,
            ))
            .first(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        let Some((row, content, access_changes, issues_added, issues_resolved)) = found else {
            return Ok(None);
        };
        let version = RobotsVersion::try_from(row)?;
        let query = sql!("previous.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Timestamptz, _>(version.detected_at)
            .bind::<SqlUuid, _>(version.id);
        let previous: Option<DetailRow> = query
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        Ok(Some(VersionDetail {
            version,
            content,
            previous_content: previous.and_then(|row| row.previous_content),
            access_changes: access_changes.read("the changes of access of a robots.txt")?,
            issues_added: issues(issues_added)?,
            issues_resolved: issues(issues_resolved)?,
        }))
    }

    async fn checks(
        &self,
        domain: &DomainAccess,
        run: Option<RunId>,
        limit: u32,
    ) -> Result<Vec<RobotsCheck>, StoreError> {
        let mut query = robots_checks::table
            .filter(robots_checks::domain_id.eq(domain.id().0))
            .order((robots_checks::checked_at.desc(), robots_checks::id.desc()))
            .limit(limit.into())
            .select(CheckRow::as_select())
            .into_boxed();
        if let Some(run) = run {
            query = query.filter(robots_checks::run_id.eq(run.0));
        }
        let reader = self.database.reader().await?;
        let rows: Vec<CheckRow> = query.load(&mut &*reader).await.map_err(failure)?;
        drop(reader);
        Ok(self
            .database
            .readable(Kind::RobotsCheck, rows, |_: &CheckRow| domain.id())
            .await)
    }

    async fn test_urls(&self, domain: &DomainAccess) -> Result<Vec<TestUrl>, StoreError> {
        let reader = self.database.reader().await?;
        test_urls::list(&reader, domain.id()).await
    }

    async fn replace_test_urls(
        &self,
        domain: &Charged<DomainAccess>,
        items: &[TestUrl],
    ) -> Result<(), SettleError> {
        test_urls::replace(&self.database, domain, items).await
    }

    async fn counts_at(
        &self,
        domain: &DomainAccess,
        at: OffsetDateTime,
    ) -> Result<Option<IssueCounts>, StoreError> {
        let reader = self.database.reader().await?;
        let found: Option<Json<Vec<Value>>> = robots_versions::table
            .filter(robots_versions::domain_id.eq(domain.id().0))
            .filter(robots_versions::detected_at.lt(at))
            .order((robots_versions::detected_at.desc(), robots_versions::id.desc()))
            .select(robots_versions::issues)
            .first(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        let found = found.map(issues).transpose()?;
        Ok(found.map(|found| IssueCounts::of(&found)))
    }
}
