//! Files that people add, and stop.

use diesel::{
    ExpressionMethods, QueryDsl, QueryResult, QueryableByName,
    sql_types::{Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_crawl::sitemap::monitor::site::{MOST_FILES, SitemapFile, key};
use pharos_domain::{
    credits::{Charged, SettleError},
    identity::DomainAccess,
    ids::DomainId,
};
use pharos_persistence::{
    failure::Abort,
    hold,
    metering::charged::charged,
    missing::{Undone, found},
    moment::not_ahead,
    pool::Database,
    sql,
};
use time::OffsetDateTime;
use url::Url;
use uuid::Uuid;

use super::{archive::drop_files, reads::one};
use crate::schema::sitemap_files;

#[derive(QueryableByName)]
struct IdRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

/// Watches a file. `None`: there is no room.
pub(super) async fn add(
    database: &Database,
    domain: &Charged<DomainAccess>,
    url: &Url,
    now: OffsetDateTime,
) -> Result<Option<SitemapFile>, SettleError> {
    let added = charged(database, domain.slip(), None, async |connection| {
        put(connection, domain.id(), url, now).await
    })
    .await;
    found(added)
}

async fn put(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    url: &Url,
    now: OffsetDateTime,
) -> Result<SitemapFile, Abort<Undone<SettleError>>> {
    // Until the transaction ends nobody else adds one.
    hold::domain(connection, domain).await?;
    let now = not_ahead(connection, now).await?;
    let watched = sitemap_files::table
        .filter(sitemap_files::domain_id.eq(domain.0))
        .filter(sitemap_files::removed_at.is_null());
    let others: i64 = watched
        .filter(sitemap_files::url_key.ne(key(url.as_str())))
        .count()
        .get_result(connection)
        .await?;
    if others >= i64::from(MOST_FILES) {
        return Err(Abort::Port(Undone::Missing));
    }
    let query = sql!("add_file.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Text, _>(url.as_str())
        .bind::<SqlUuid, _>(key(url.as_str()))
        .bind::<SqlUuid, _>(Uuid::now_v7())
        .bind::<Timestamptz, _>(now);
    let IdRow { id } = query.get_result(connection).await?;
    due_now(connection, domain).await?;
    let file = one(connection, domain, id)
        .await
        .map_err(|error| Abort::Port(Undone::Other(error.into())))?;
    file.ok_or(Abort::Port(Undone::Missing))
}

/// Watches a file no longer. `false`: none of that id is watched.
pub(super) async fn stop(
    database: &Database,
    domain: &Charged<DomainAccess>,
    id: Uuid,
    now: OffsetDateTime,
) -> Result<bool, SettleError> {
    let stopped = charged(database, domain.slip(), None, async |connection| {
        take_out(connection, domain.id(), id, now).await
    })
    .await;
    found(stopped).map(|stopped| stopped.is_some())
}

async fn take_out(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    id: Uuid,
    now: OffsetDateTime,
) -> Result<(), Abort<Undone<SettleError>>> {
    let now = not_ahead(connection, now).await?;
    let query = sql!("stop_file.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<SqlUuid, _>(id)
        .bind::<Timestamptz, _>(now);
    if query.execute(connection).await? == 0 {
        return Err(Abort::Port(Undone::Missing));
    }
    drop_files(connection, domain, now).await?;
    due_now(connection, domain).await?;
    Ok(())
}

/// Makes the site due at once: the check drops what a stopped file had, and reads a new one.
async fn due_now(connection: &mut AsyncPgConnection, domain: DomainId) -> QueryResult<()> {
    let query = sql!("due_now.sql").bind::<SqlUuid, _>(domain.0);
    query.execute(connection).await.map(|_| ())
}
