//! Monitoring URLs without being asked, and what the search sends to them.

use std::collections::HashSet;

use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryableByName, dsl,
    sql_types::{Array, BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::WorkspaceId, quota::QuotaResource, store::StoreError};
use pharos_persistence::{
    failure::{Abort, failure},
    hold,
    moment::not_ahead,
    pool::Database,
    quota as plan,
    schema::domains,
    sql,
};
use pharos_search::indexing::{
    pages::{GATHERED_PCT, MOST_PAGES, SearchPages},
    store::schedule::DueSite,
    target::{MOST_URLS, Source},
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::urls::{monitor, monitored, unmonitored};
use crate::schema::{indexing_removed, search_properties};

#[derive(QueryableByName)]
struct RoomRow {
    #[diesel(sql_type = Nullable<BigInt>)]
    room: Option<i64>,
}

#[derive(QueryableByName)]
struct PageRow {
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = BigInt)]
    clicks: i64,
}

/// The pages that the search shows of a site.
pub(super) async fn pages(database: &Database, site: &DueSite) -> Result<SearchPages, StoreError> {
    let mut connection = database.connection().await?;
    let rows: Vec<PageRow> = sql!("pages.sql")
        .bind::<SqlUuid, _>(site.domain.0)
        .bind::<BigInt, _>(i64::from(MOST_PAGES))
        .load(&mut connection)
        .await
        .map_err(failure)?;
    let rows = rows.into_iter().map(|row| (row.url, row.clicks));
    Ok(SearchPages::below(&site.site_url, rows))
}

/// Monitors URLs without being asked, as far as there is room: a part of a plan's is left for those that somebody adds.
pub(super) async fn gather(
    connection: &mut AsyncPgConnection,
    site: &DueSite,
    source: Source,
    urls: &[String],
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let Some(workspace) = held(connection, site).await? else {
        return Ok(());
    };
    let domain = site.domain;
    let now = not_ahead(connection, now).await?;
    // Once a week is enough for what is let go after five.
    let query = sql!(text "UPDATE indexing_urls SET listed_at = $3
        WHERE domain_id = $1 AND url = ANY ($2) AND listed_at < $3 - interval '7 days'")
    .bind::<SqlUuid, _>(domain.0)
    .bind::<Array<Text>, _>(urls)
    .bind::<Timestamptz, _>(now);
    query.execute(connection).await?;
    let removed: Vec<String> = indexing_removed::table
        .filter(indexing_removed::domain_id.eq(domain.0))
        .filter(indexing_removed::url.eq_any(urls))
        .select(indexing_removed::url)
        .load(connection)
        .await?;
    let removed: HashSet<String> = removed.into_iter().collect();
    let mut new = unmonitored(connection, domain, urls).await?;
    new.retain(|url| !removed.contains(url));
    let room = i64::from(MOST_URLS) - monitored(connection, domain).await?;
    let resource = QuotaResource::MonitoredUrlsIndexing;
    let of_plan: Option<RoomRow> = sql!("room.sql")
        .bind::<SqlUuid, _>(workspace.0)
        .bind::<Text, _>(resource.as_str())
        .bind::<BigInt, _>(i64::from(GATHERED_PCT))
        .get_result(connection)
        .await
        .optional()?;
    let of_plan = of_plan.and_then(|row| row.room).unwrap_or(i64::MAX);
    new.truncate(usize::try_from(room.min(of_plan)).unwrap_or(0));
    let wanted = u32::try_from(new.len()).unwrap_or(u32::MAX);
    // Another domain of the workspace may have taken the room meanwhile; then it is tried again tomorrow.
    if wanted == 0
        || plan::take(connection, workspace, resource, wanted, now)
            .await?
            .is_err()
    {
        return Ok(());
    }
    monitor(connection, domain, source, &new, now).await?;
    Ok(())
}

/// Notes the clicks that the search sends to pages, and which of them are valuable.
pub(super) async fn value(
    connection: &mut AsyncPgConnection,
    site: &DueSite,
    pages: &SearchPages,
) -> Result<(), Abort<StoreError>> {
    if held(connection, site).await?.is_none() {
        return Ok(());
    }
    let valuable = pages.valuable();
    let query = sql!("value.sql")
        .bind::<SqlUuid, _>(site.domain.0)
        .bind::<Array<Text>, _>(&pages.urls)
        .bind::<Array<BigInt>, _>(&pages.clicks)
        .bind::<Array<Text>, _>(&valuable);
    query.execute(connection).await?;
    Ok(())
}

/// The workspace of a domain that is live and still linked to the property that a round is of. The domain is locked: a new link
/// waits for it, too.
pub(super) async fn held(
    connection: &mut AsyncPgConnection,
    site: &DueSite,
) -> Result<Option<WorkspaceId>, Abort<StoreError>> {
    hold::domain(connection, site.domain).await?;
    let linked = search_properties::table
        .find(site.domain.0)
        .filter(search_properties::site_url.eq(&site.site_url));
    let is_linked: bool = diesel::select(dsl::exists(linked)).get_result(connection).await?;
    if !is_linked {
        return Ok(None);
    }
    let workspace: Option<Uuid> = domains::table
        .find(site.domain.0)
        .filter(domains::deleted_at.is_null())
        .select(domains::workspace_id)
        .first(connection)
        .await
        .optional()?;
    Ok(workspace.map(WorkspaceId))
}
