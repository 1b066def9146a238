//! Pages that robots.txt blocks.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryResult, QueryableByName,
    sql_types::{Array, BigInt, Bool, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_crawl::sitemap::monitor::{
    site::{BlockingRule, Conflict, ConflictState, ListedPage, SiteRobots},
    store::{ConflictArchive, ConflictStore, FoundConflicts, OfCrawler},
};
use pharos_domain::{
    identity::DomainAccess,
    ids::DomainId,
    page::{Page, PageRequest, Position},
    store::StoreError,
};
use pharos_persistence::{
    failure::failure,
    json::Json,
    moment::{not_ahead, to_micros},
    names,
    pool::Database,
    sql,
    text::without_nul,
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::row::RobotsRow;
use crate::schema::{sitemap_conflicts, sitemap_sites};

/// How many conflicts are stored by one statement.
const AT_ONCE: usize = 5_000;

/// Conflicts in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgConflicts {
    database: Database,
}

impl PgConflicts {
    /// The conflicts of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct ListedRow {
    #[diesel(sql_type = SqlUuid)]
    url_key: Uuid,
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = SqlUuid)]
    file_id: Uuid,
}

#[derive(QueryableByName)]
struct StaleRow {
    #[diesel(sql_type = Nullable<Bool>)]
    is_stale: Option<bool>,
}

#[derive(QueryableByName)]
struct ConflictRow {
    #[diesel(embed)]
    page: ListedRow,
    #[diesel(sql_type = Text)]
    file_url: String,
    #[diesel(sql_type = Integer)]
    line: i32,
    #[diesel(sql_type = Text)]
    path: String,
    #[diesel(sql_type = Timestamptz)]
    first_seen_at: OffsetDateTime,
}

impl TryFrom<ConflictRow> for Conflict {
    type Error = StoreError;

    fn try_from(row: ConflictRow) -> Result<Self, StoreError> {
        Ok(Self {
            key: row.page.url_key,
            url: row.page.url,
            file_id: row.page.file_id,
            file_url: row.file_url,
            rule: BlockingRule {
                line: names::count(row.line)?,
                path: row.path,
            },
            first_seen_at: row.first_seen_at,
        })
    }
}

#[async_trait]
impl ConflictArchive for PgConflicts {
    async fn is_stale(&self, domain: DomainId) -> Result<bool, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql!("stale.sql").bind::<SqlUuid, _>(domain.0);
        let row: Option<StaleRow> = query
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        Ok(row.is_some_and(|row| row.is_stale == Some(true)))
    }

    async fn listed(
        &self,
        domain: DomainId,
        after: Uuid,
        limit: usize,
    ) -> Result<Vec<ListedPage>, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql!("listed.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<SqlUuid, _>(after)
            .bind::<BigInt, _>(i64::try_from(limit).unwrap_or(i64::MAX));
        let rows: Vec<ListedRow> = query.load(&mut connection).await.map_err(failure)?;
        let page = |row: ListedRow| ListedPage {
            key: row.url_key,
            url: row.url,
            file_id: row.file_id,
        };
        Ok(rows.into_iter().map(page).collect())
    }

    async fn put(&self, domain: DomainId, found: &FoundConflicts) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, diesel::result::Error, _>(async |connection| {
                let now = to_micros(not_ahead(connection, found.computed_at).await?);
                // One at a time: those of two would be mixed otherwise.
                let _: Option<OffsetDateTime> = sitemap_sites::table
                    .find(domain.0)
                    .for_update()
                    .select(sitemap_sites::last_checked_at)
                    .first(connection)
                    .await?;
                let mut totals = std::collections::BTreeMap::new();
                for (crawler, of) in &found.of_crawlers {
                    totals.insert(crawler.clone(), of.total);
                    put(connection, domain, crawler, of, now).await?;
                }
                let names: Vec<&String> = totals.keys().collect();
                diesel::delete(
                    sitemap_conflicts::table
                        .filter(sitemap_conflicts::domain_id.eq(domain.0))
                        .filter(sitemap_conflicts::crawler.ne_all(names)),
                )
                .execute(connection)
                .await?;
                let state = ConflictState {
                    computed_at: now,
                    version_id: found.version_id,
                    urls_checked: found.urls_checked,
                    googlebot: found.googlebot.clone(),
                    googlebot_files: found.googlebot_files.clone(),
                    totals,
                };
                diesel::update(sitemap_sites::table.find(domain.0))
                    .set(sitemap_sites::conflicts.eq(Json::of(state)))
                    .execute(connection)
                    .await
            })
            .await
            .map(|_| ())
            .map_err(failure)
    }
}

/// Puts the conflicts of a crawler in the place of those that are known. One that is known keeps its first moment.
async fn put(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    crawler: &str,
    of: &OfCrawler,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let keys: Vec<Uuid> = of.first.iter().map(|(page, ..)| page.key).collect();
    diesel::delete(
        sitemap_conflicts::table
            .filter(sitemap_conflicts::domain_id.eq(domain.0))
            .filter(sitemap_conflicts::crawler.eq(crawler))
            .filter(sitemap_conflicts::url_key.ne_all(&keys)),
    )
    .execute(connection)
    .await?;
    for some in of.first.chunks(AT_ONCE) {
        let query = sql!("put.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<Text, _>(crawler)
            .bind::<Timestamptz, _>(now)
            .bind::<Array<SqlUuid>, _>(some.iter().map(|(page, ..)| page.key).collect::<Vec<_>>())
            .bind::<Array<Text>, _>(
                some.iter()
                    .map(|(page, ..)| page.url.as_str())
                    .collect::<Vec<_>>(),
            )
            .bind::<Array<SqlUuid>, _>(some.iter().map(|(page, ..)| page.file_id).collect::<Vec<_>>())
            .bind::<Array<Integer>, _>(
                some.iter()
                    .map(|(_, line, _)| i32::try_from(*line).unwrap_or(i32::MAX))
                    .collect::<Vec<_>>(),
            )
            .bind::<Array<Text>, _>(
                some.iter()
                    .map(|(.., path)| without_nul(path.clone()))
                    .collect::<Vec<_>>(),
            );
        query.execute(connection).await?;
    }
    Ok(())
}

#[async_trait]
impl ConflictStore for PgConflicts {
    async fn judged_by(&self, domain: &DomainAccess) -> Result<Option<SiteRobots>, StoreError> {
        let reader = self.database.reader().await?;
        let query = sql!("judged_by.sql").bind::<SqlUuid, _>(domain.id().0);
        let row: Option<RobotsRow> = query
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        row.map(SiteRobots::try_from).transpose()
    }

    async fn conflicts(
        &self,
        domain: &DomainAccess,
        crawler: &str,
        page: &PageRequest,
    ) -> Result<Page<Conflict>, StoreError> {
        let Position { key: at, id } = page.after.unwrap_or(Position::START);
        let reader = self.database.reader().await?;
        let query = sql!("page.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Text, _>(crawler)
            .bind::<Timestamptz, _>(at)
            .bind::<SqlUuid, _>(id)
            .bind::<BigInt, _>(page.rows());
        let rows: Vec<ConflictRow> = query.load(&mut &*reader).await.map_err(failure)?;
        let found = rows
            .into_iter()
            .map(Conflict::try_from)
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Page::cut(found, page, |conflict| Position {
            key: conflict.first_seen_at,
            id: conflict.key,
        }))
    }
}
