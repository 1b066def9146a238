//! Changes of imports when a link or its search types change.

use diesel::{
    ExpressionMethods, QueryDsl, QueryResult,
    sql_types::{Text, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::ids::DomainId;
use pharos_persistence::{due, sql};
use pharos_search::gsc::figures::SearchType;

use super::LANE;
use crate::{
    gsc::turn::alone,
    schema::{search_hours, search_imports, search_missed_days},
};

/// Deletes the notes on the imports of a link that ends: they do not count for a later one.
pub(in crate::gsc) async fn forget_imports(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
) -> QueryResult<()> {
    diesel::delete(search_imports::table.filter(search_imports::domain_id.eq(domain.0)))
        .execute(connection)
        .await?;
    diesel::delete(search_missed_days::table.filter(search_missed_days::domain_id.eq(domain.0)))
        .execute(connection)
        .await
        .map(|_| ())
}

/// Notes whether the property is another than the one that the figures of a domain are of. The days of that one are forgotten by
/// the next import then, since there may be many; its hours are few.
pub(in crate::gsc) async fn begin_source(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    site_url: &str,
) -> QueryResult<()> {
    let query = sql!("source.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Text, _>(site_url);
    if query.execute(connection).await? > 0 {
        diesel::delete(search_hours::table.filter(search_hours::domain_id.eq(domain.0)))
            .execute(connection)
            .await?;
    }
    Ok(())
}

/// Deletes the notes on imports of search types that are no longer imported: what comes in while they are not is missing if they
/// come back.
pub(in crate::gsc) async fn keep_types(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    search_types: &[SearchType],
) -> QueryResult<()> {
    // An import under way notes its day first.
    alone(connection, domain).await?;
    let codes: Vec<i16> = search_types.iter().map(|kind| kind.code()).collect();
    let imports = search_imports::table.filter(search_imports::domain_id.eq(domain.0));
    diesel::delete(imports.filter(search_imports::search_type.ne_all(&codes)))
        .execute(connection)
        .await?;
    let missed = search_missed_days::table.filter(search_missed_days::domain_id.eq(domain.0));
    diesel::delete(missed.filter(search_missed_days::search_type.ne_all(&codes)))
        .execute(connection)
        .await
        .map(|_| ())
}

/// So that a property whose types changed asks for the past of the new ones. An import that is under way has the types of before: its
/// end counts no more, since it would put the new ones off for a day.
pub(in crate::gsc) async fn wake(connection: &mut AsyncPgConnection, domain: DomainId) -> QueryResult<()> {
    let query = sql!(text "UPDATE search_properties
        SET next_sync_at = least(next_sync_at, now()), newest_due_at = least(newest_due_at, now()), leased_until = NULL
        WHERE domain_id = $1")
    .bind::<SqlUuid, _>(domain.0);
    query.execute(connection).await?;
    due::announce(connection, &[LANE.to_owned()], "").await
}
