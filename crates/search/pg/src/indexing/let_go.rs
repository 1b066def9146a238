//! URLs that are monitored no longer: those that nothing lists any more, and those that lie outside the property.

use diesel::{
    ExpressionMethods, QueryDsl, QueryResult,
    sql_types::{Array, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    ids::{DomainId, WorkspaceId},
    quota::QuotaResource,
};
use pharos_persistence::{quota as plan, sql};
use pharos_search::indexing::target;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::indexing_urls;

/// Lets URLs go that were gathered, and whose last listing was noted five weeks ago. It is noted once a week, so nothing has listed them for four weeks at least.
/// None is let go before a new link had a week for its imports.
pub(super) async fn unlisted(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    workspace: WorkspaceId,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let query = sql!("let_go.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(now);
    let gone = query.execute(connection).await?;
    give_back(connection, workspace, gone, now).await
}

/// Lets URLs go that do not lie below a property.
pub(super) async fn outside(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    workspace: WorkspaceId,
    site_url: &str,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let known: Vec<(Uuid, String)> = indexing_urls::table
        .filter(indexing_urls::domain_id.eq(domain.0))
        .filter(indexing_urls::next_inspection_at.is_not_null())
        .select((indexing_urls::id, indexing_urls::url))
        .load(connection)
        .await?;
    let outside = known
        .into_iter()
        .filter(|(_, url)| target::normal(url, site_url).is_none());
    let outside: Vec<Uuid> = outside.map(|(id, _)| id).collect();
    if outside.is_empty() {
        return Ok(());
    }
    let query = sql!(text "UPDATE indexing_urls SET next_inspection_at = NULL
        WHERE id = ANY ($1) AND next_inspection_at IS NOT NULL")
    .bind::<Array<SqlUuid>, _>(&outside);
    let gone = query.execute(connection).await?;
    give_back(connection, workspace, gone, now).await
}

/// A domain is linked to a property, in the transaction that locks it: URLs outside it are let go, and its own are gathered at
/// once.
pub(crate) async fn linked(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    workspace: WorkspaceId,
    site_url: &str,
    now: OffsetDateTime,
) -> QueryResult<()> {
    outside(connection, domain, workspace, site_url, now).await?;
    let query = sql!(text "UPDATE indexing_sites
        SET gathered_at = NULL, failures = 0, last_failure = NULL, next_round_at = least(next_round_at, $2, now())
        WHERE domain_id = $1")
    .bind::<SqlUuid, _>(domain.0)
    .bind::<Timestamptz, _>(now);
    query.execute(connection).await.map(|_| ())
}

async fn give_back(
    connection: &mut AsyncPgConnection,
    workspace: WorkspaceId,
    gone: usize,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let gone = u32::try_from(gone).unwrap_or(u32::MAX);
    if gone == 0 {
        return Ok(());
    }
    let resource = QuotaResource::MonitoredUrlsIndexing;
    plan::give_back(connection, workspace, resource, gone, now).await
}
