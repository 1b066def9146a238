//! How a domain stands: worked out of all its URLs, so once for rounds that follow each other at once.

use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryResult,
    sql_types::{Date as SqlDate, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{failure::Abort, sql};
use pharos_search::indexing::store::schedule::Round;
use time::{Date, OffsetDateTime, UtcOffset};

use super::settle::settle;
use crate::schema::indexing_sites;

/// Stores what a round found. Another round counts what it leaves uncounted, before it stores anything of another day. Whether
/// anything was counted is returned.
pub(super) async fn count(
    connection: &mut AsyncPgConnection,
    round: &Round,
) -> Result<bool, Abort<StoreError>> {
    let domain = round.domain;
    let before = uncounted(connection, domain).await?;
    let mut since = before;
    let mut is_counted = false;
    if let Some(over) = since.take_if(|since| day_of(*since) < day_of(round.at)) {
        stand(connection, domain, over).await?;
        is_counted = true;
    }
    // A day on which nothing was found is a day without an inspection.
    let newest = settle(connection, domain, &round.attempts).await?;
    since = since.or(newest);
    if let Some(since) = since.take_if(|since| round.is_counted(*since)) {
        stand(connection, domain, newest.unwrap_or(since)).await?;
        is_counted = true;
    }
    if since != before {
        diesel::update(indexing_sites::table.find(domain.0))
            .set(indexing_sites::uncounted_since.eq(since))
            .execute(connection)
            .await?;
    }
    Ok(is_counted)
}

/// Works out how a domain stands by now, at the end so far of the UTC day of its newest inspection.
pub(super) async fn stand(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    newest: OffsetDateTime,
) -> QueryResult<()> {
    let query = sql!("stand.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<SqlDate, _>(day_of(newest))
        .bind::<Timestamptz, _>(newest);
    query.execute(connection).await.map(|_| ())
}

async fn uncounted(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
) -> QueryResult<Option<OffsetDateTime>> {
    let since = indexing_sites::table
        .find(domain.0)
        .select(indexing_sites::uncounted_since)
        .first::<Option<OffsetDateTime>>(connection)
        .await
        .optional()?;
    Ok(since.flatten())
}

fn day_of(moment: OffsetDateTime) -> Date {
    moment.to_offset(UtcOffset::UTC).date()
}
