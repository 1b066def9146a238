//! The end of domains that were deleted: after 30 days they are erased with all their data.

use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryResult, QueryableByName,
    sql_types::{BigInt, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_account::admin::domains::RESTORABLE_FOR;
use pharos_domain::{
    audit::Actor,
    ids::{DomainId, WorkspaceId},
    store::StoreError,
};
use pharos_persistence::{
    audit::{self, By},
    failure::{Abort, failure, is_timeout},
    pool::Database,
    schema::domains,
    sql,
};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

/// How many rows one statement erases, so that none takes long.
const ROWS_AT_ONCE: i64 = 10_000;
/// The same of a domain whose rows take longer than statements may, as where much hangs on them.
const LEAST_AT_ONCE: i64 = 10;
/// How many such statements an hour's upkeep makes, all domains together. The next hour goes on.
const MOST_STATEMENTS: u32 = 2_000;
/// How many domains an hour's upkeep erases.
const MOST_DOMAINS: i64 = 1_000;

#[derive(QueryableByName)]
struct Erased {
    #[diesel(sql_type = BigInt)]
    rows: i64,
}

/// Erases the domains that can't be restored any more. One that can't be erased keeps no other from it.
pub(crate) async fn erase_deleted(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    // A clock that is ahead erases nothing early.
    let now = database.not_ahead(now).await?;
    let mut connection = database.connection().await?;
    let due: Vec<Uuid> = domains::table
        .filter(domains::deleted_at.le(now.saturating_sub(RESTORABLE_FOR)))
        .order(domains::deleted_at)
        .limit(MOST_DOMAINS)
        .select(domains::id)
        .load(&mut connection)
        .await
        .map_err(failure)?;
    let mut left = MOST_STATEMENTS;
    let mut done = Ok(());
    for id in due.into_iter().map(DomainId) {
        if left == 0 {
            break;
        }
        if let Err(error) = erase(database, &mut connection, id, now, &mut left).await {
            tracing::warn!(%error, domain = %id, "a domain that was deleted can't be erased at the moment");
            done = Err(error);
        }
    }
    done
}

async fn erase(
    database: &Database,
    connection: &mut AsyncPgConnection,
    id: DomainId,
    now: OffsetDateTime,
    left: &mut u32,
) -> Result<(), StoreError> {
    begin(database, connection, id, now).await?;
    let mut most = ROWS_AT_ONCE;
    while *left > 0 {
        *left -= 1;
        let query = sql!(text "SELECT erase_rows_of_domain($1, $2) AS rows")
            .bind::<SqlUuid, _>(id.0)
            .bind::<BigInt, _>(most);
        let erased: QueryResult<Erased> = query.get_result(connection).await;
        match erased {
            Ok(Erased { rows: 0 }) => return end(connection, id, now).await,
            Ok(_) => {}
            // It was rolled back whole, and would be the next hour.
            Err(error) if is_timeout(&error) && most > LEAST_AT_ONCE => {
                most = (most / 2).max(LEAST_AT_ONCE);
            }
            Err(error) => return Err(failure(error)),
        }
    }
    Ok(())
}

/// Marks the domain as being erased: nothing brings it back from here on. The part of the workspace's plan that it took is given
/// back once.
async fn begin(
    database: &Database,
    connection: &mut AsyncPgConnection,
    id: DomainId,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let marked = connection.transaction::<_, Abort<StoreError>, _>(async |connection| {
        let begun = diesel::update(domains::table.find(id.0))
            .filter(domains::deleted_at.le(now.saturating_sub(RESTORABLE_FOR)))
            .filter(domains::erasing_at.is_null())
            .set(domains::erasing_at.eq(now))
            .execute(connection)
            .await?;
        if begun > 0 {
            for erasing in database.groups().iter().filter_map(|group| group.domain_erasing) {
                erasing(connection, id, now).await?;
            }
        }
        Ok(())
    });
    marked.await.map_err(Abort::answer)
}

/// The domain itself goes last, so that whatever stops its end is met again by the next upkeep.
async fn end(
    connection: &mut AsyncPgConnection,
    id: DomainId,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let gone = connection.transaction::<_, Abort<StoreError>, _>(async |connection| {
        let gone: Option<(Uuid, String)> = diesel::delete(domains::table.find(id.0))
            .filter(domains::erasing_at.is_not_null())
            .returning((domains::workspace_id, domains::hostname))
            .get_result(connection)
            .await
            .optional()?;
        if let Some((workspace, hostname)) = gone {
            let by = By {
                actor: &Actor::system(),
                now,
            };
            let details = json!({ "workspace_id": WorkspaceId(workspace), "domain": hostname });
            audit::record(connection, by, "domain.erase", id, details).await?;
        }
        Ok(())
    });
    gone.await.map_err(Abort::answer)
}
