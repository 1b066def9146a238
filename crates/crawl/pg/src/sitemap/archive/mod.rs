//! The reads and writes of a check.

mod conclude;
mod figures;
mod findings;
mod import;
mod sweep;

pub(super) use self::sweep::drop_files;

use async_trait::async_trait;
use diesel::{ExpressionMethods, QueryDsl};
use diesel::{
    OptionalExtension, QueryableByName,
    dsl::exists,
    sql_types::{Array, BigInt, Bool, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_crawl::{
    robots::monitor::fetch::Validators,
    sitemap::{
        entry::SitemapKind,
        monitor::{
            outcome::FileOutcome,
            site::{AskedBy, CheckCounts, MOST_FILES, SiteRobots, WatchedFile, key},
            store::{Concluded, SitemapArchive},
        },
    },
};
use pharos_domain::{
    ids::{DomainId, WorkspaceId},
    store::StoreError,
};
use pharos_persistence::{
    failure::{Abort, failure, is_timeout},
    json::Json,
    moment::not_ahead,
    names,
    pool::Database,
    schema::domains,
    set_aside::{Fault, Kind, SetAside},
    sql,
};
use time::OffsetDateTime;
use url::Url;
use uuid::Uuid;

use super::row::RobotsRow;
use crate::{robots::row::known, schema::sitemap_files};

/// The findings of checks, in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgSitemapArchive {
    database: Database,
}

impl PgSitemapArchive {
    /// The findings in `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }

    async fn store(
        &self,
        domain: DomainId,
        run: AskedBy,
        file: &WatchedFile,
        outcome: &FileOutcome,
    ) -> Result<CheckCounts, StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                import::import(connection, domain, run, file, outcome).await
            })
            .await
            .map_err(|abort| match abort {
                // One that takes too long is no sign of a database that is away.
                Abort::Database(error) if is_timeout(&error) => StoreError::Failed(Box::new(error)),
                abort => abort.answer(),
            })
    }
}

#[derive(QueryableByName)]
struct WatchedRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = Bool)]
    is_child: bool,
    #[diesel(sql_type = Integer)]
    depth: i32,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Nullable<Jsonb>)]
    validators: Option<Json<Validators>>,
    #[diesel(sql_type = Nullable<Text>)]
    sha256: Option<String>,
    #[diesel(sql_type = Bool)]
    is_done: bool,
}

impl TryFrom<WatchedRow> for WatchedFile {
    type Error = StoreError;

    /// Headers that this version can't read are as good as none: the file is asked for whole.
    fn try_from(row: WatchedRow) -> Result<Self, StoreError> {
        let validators = row.validators.and_then(|validators| {
            let read = validators.read("the headers of a sitemap");
            let file = row.id;
            read.inspect_err(|error| tracing::error!(%file, %error, "the last fetch can't be read"))
                .ok()
        });
        Ok(Self {
            id: row.id,
            url: row.url,
            is_child: row.is_child,
            depth: names::count(row.depth)?,
            kind: known(SitemapKind::named(&row.kind), "form of a sitemap", &row.kind)?,
            validators: validators.filter(|_| row.sha256.is_some()),
            sha256: row.sha256,
            is_done: row.is_done,
        })
    }
}

#[derive(QueryableByName)]
struct IdRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

#[async_trait]
impl SitemapArchive for PgSitemapArchive {
    async fn begin(&self, domain: DomainId) -> Result<Option<WorkspaceId>, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql!("begin.sql").bind::<SqlUuid, _>(domain.0);
        query.execute(&mut connection).await.map_err(failure)?;
        let workspace: Option<Uuid> = domains::table
            .find(domain.0)
            .filter(domains::deleted_at.is_null())
            .select(domains::workspace_id)
            .first(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        Ok(workspace.map(WorkspaceId))
    }

    async fn robots(&self, domain: DomainId) -> Result<Option<SiteRobots>, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql!("robots.sql").bind::<SqlUuid, _>(domain.0);
        let row: Option<RobotsRow> = query
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        row.map(SiteRobots::try_from).transpose()
    }

    async fn declare(&self, domain: DomainId, named: &[Url], now: OffsetDateTime) -> Result<(), StoreError> {
        let urls: Vec<&str> = named.iter().map(Url::as_str).collect();
        let keys: Vec<Uuid> = urls.iter().map(|url| key(url)).collect();
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, diesel::result::Error, _>(async |connection| {
                let now = not_ahead(connection, now).await?;
                let query = sql!("declare.sql")
                    .bind::<SqlUuid, _>(domain.0)
                    .bind::<Array<Text>, _>(&urls)
                    .bind::<Array<SqlUuid>, _>(&keys)
                    .bind::<Timestamptz, _>(now)
                    .bind::<BigInt, _>(i64::from(MOST_FILES));
                query.execute(connection).await?;
                let query = sql!("declare_no_more.sql")
                    .bind::<SqlUuid, _>(domain.0)
                    .bind::<Array<SqlUuid>, _>(&keys)
                    .bind::<Timestamptz, _>(now);
                query.execute(connection).await
            })
            .await
            .map(|_| ())
            .map_err(failure)
    }

    async fn keep_usual(&self, domain: DomainId, paths: &[Url]) -> Result<(), StoreError> {
        let keys: Vec<Uuid> = paths.iter().map(|url| key(url.as_str())).collect();
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, diesel::result::Error, _>(async |connection| {
                let elsewhere = sitemap_files::table
                    .filter(sitemap_files::domain_id.eq(domain.0))
                    .filter(sitemap_files::is_default.eq(true))
                    .filter(sitemap_files::url_key.ne_all(&keys));
                diesel::update(elsewhere)
                    .set(sitemap_files::is_default.eq(false))
                    .execute(connection)
                    .await?;
                sweep::rehome(connection, domain).await?;
                let query = sql!("keep_at_usual.sql")
                    .bind::<SqlUuid, _>(domain.0)
                    .bind::<Array<SqlUuid>, _>(&keys);
                query.execute(connection).await
            })
            .await
            .map(|_| ())
            .map_err(failure)
    }

    async fn watched(
        &self,
        domain: DomainId,
        parent: Option<Uuid>,
        run: AskedBy,
    ) -> Result<Vec<WatchedFile>, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql!("watched.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<Nullable<SqlUuid>, _>(parent)
            .bind::<Nullable<SqlUuid>, _>(run.map(|run| run.0))
            .bind::<BigInt, _>(i64::from(MOST_FILES));
        let rows: Vec<WatchedRow> = query.load(&mut connection).await.map_err(failure)?;
        rows.into_iter().map(WatchedFile::try_from).collect()
    }

    async fn knows(&self, domain: DomainId, url: &Url) -> Result<bool, StoreError> {
        use diesel::BoolExpressionMethods;
        let mut connection = self.database.connection().await?;
        let known = sitemap_files::table
            .filter(sitemap_files::domain_id.eq(domain.0))
            .filter(sitemap_files::url_key.eq(key(url.as_str())))
            .filter(
                sitemap_files::removed_at
                    .is_null()
                    .or(sitemap_files::stopped_at.is_not_null()),
            );
        diesel::select(exists(known))
            .get_result(&mut connection)
            .await
            .map_err(failure)
    }

    async fn adopt(&self, domain: DomainId, url: &Url, now: OffsetDateTime) -> Result<Uuid, StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, diesel::result::Error, _>(async |connection| {
                let now = not_ahead(connection, now).await?;
                let query = sql!("adopt.sql")
                    .bind::<SqlUuid, _>(domain.0)
                    .bind::<Text, _>(url.as_str())
                    .bind::<SqlUuid, _>(key(url.as_str()))
                    .bind::<SqlUuid, _>(Uuid::now_v7())
                    .bind::<Timestamptz, _>(now);
                let row: IdRow = query.get_result(connection).await?;
                Ok(row.id)
            })
            .await
            .map_err(failure)
    }

    async fn import(
        &self,
        domain: DomainId,
        run: AskedBy,
        file: &WatchedFile,
        outcome: &FileOutcome,
    ) -> Result<CheckCounts, StoreError> {
        match self.store(domain, run, file, outcome).await {
            Err(why) if why.lies_in_a_row() => {
                // The other files of the site are read, and the next check reads this one again.
                let note = SetAside::unstored(Kind::SitemapFile, &domain, &why, &file.url);
                self.database.note(note).await?;
                Ok(CheckCounts {
                    files: 1,
                    failed: 1,
                    ..CheckCounts::default()
                })
            }
            told => told,
        }
    }

    async fn sweep(&self, domain: DomainId, now: OffsetDateTime) -> Result<CheckCounts, StoreError> {
        sweep::sweep(&self.database, domain, now).await
    }

    async fn conclude(
        &self,
        domain: DomainId,
        concluded: &Concluded,
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                conclude::conclude(connection, domain, concluded, now).await
            })
            .await
            .map_err(Abort::answer)
    }

    async fn weigh_samples(&self, domain: DomainId, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, diesel::result::Error, _>(async |connection| {
                conclude::weigh_samples(connection, domain, now).await
            })
            .await
            .map_err(failure)
    }
}
