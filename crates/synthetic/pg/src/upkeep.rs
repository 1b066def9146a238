//! Retention, and what becomes of lab tests with their domain.

use diesel::{
    ExpressionMethods, QueryDsl, QueryResult,
    sql_types::{Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::FutureExt;
use pharos_domain::{ids::DomainId, module::Module, quota::QuotaResource, store::StoreError};
use pharos_persistence::{
    failure::{Abort, failure},
    group::{DomainHooks, DueKind, PgGroup, UpkeepStep},
    jobs,
    pool::Database,
    quota,
    seal::SealedColumn,
    sql,
};
use pharos_synthetic::erasure;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{KEPT, ports::ports, schedule, schema::synthetic_urls};

/// How many rows one statement forgets, so that none takes long.
const FORGOTTEN_AT_ONCE: usize = 2_000;

/// The lab, as the kit and the other groups know it. Claims look at domains, so that nothing is due for one that is deleted.
pub const GROUP: PgGroup = PgGroup {
    ports,
    due: &[DueKind {
        name: "lab tests",
        backlog: |database| schedule::backlog(database).boxed(),
    }],
    upkeep: &[UpkeepStep {
        name: "lab tests",
        run: |database, now| forget(database, now).boxed(),
    }],
    sealed_by_installation: &[SealedColumn {
        table: "synthetic_urls",
        column: "secrets",
    }],
    domain: Some(DomainHooks {
        deleted: |connection, domain, now| deleted(connection, domain, now).boxed(),
        restored: |_, _, _| async { Ok(()) }.boxed(),
        active: |connection, domains| active(connection, domains).boxed(),
    }),
    domain_erasing: Some(|connection, domain, now| erasing(connection, domain, now).boxed()),
    ..PgGroup::of(pharos_persistence::schema!("synthetic"))
};

/// Runs that wait are called off with their domain; one that a browser has is told when it ends.
async fn deleted(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let query = sql!(text "UPDATE synthetic_runs
        SET status = 'canceled', finished_at = greatest(least($2, now()), requested_at, started_at)
        WHERE domain_id = $1 AND status IN ('queued', 'running')")
    .bind::<SqlUuid, _>(domain.0)
    .bind::<Timestamptz, _>(now);
    query.execute(connection).await?;
    Ok(())
}

/// Its pages are tracked no longer, and its files go as its rows do.
async fn erasing(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let tracked = synthetic_urls::table
        .filter(synthetic_urls::domain_id.eq(domain.0))
        .filter(synthetic_urls::deleted_at.is_null())
        .count()
        .get_result(connection)
        .await?;
    let resource = QuotaResource::TrackedUrlsSynthetic;
    quota::give_back_of_domain(connection, domain, resource, tracked, now).await?;
    jobs::enqueue(connection, &[erasure::job(domain)]).await?;
    Ok(())
}

/// Forgets old runs with their lists, then pages that are tracked no longer and have none left.
async fn forget(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    loop {
        let query = sql!(text "DELETE FROM synthetic_runs WHERE id = ANY (ARRAY(
                SELECT id FROM synthetic_runs
                WHERE requested_at < day_before($1, $2) ORDER BY requested_at LIMIT 2000))")
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT);
        if query.execute(&mut connection).await.map_err(failure)? < FORGOTTEN_AT_ONCE {
            break;
        }
    }
    let query = sql!(text "DELETE FROM synthetic_urls AS u
        WHERE u.deleted_at IS NOT NULL
            AND NOT EXISTS (SELECT FROM synthetic_runs AS r WHERE r.url_id = u.id)
            AND NOT EXISTS (SELECT FROM synthetic_budgets AS b WHERE b.url_id = u.id)");
    query.execute(&mut connection).await.map_err(failure)?;
    Ok(())
}

/// The domains that have a page which is tracked.
async fn active(mut connection: &AsyncPgConnection, domains: &[Uuid]) -> QueryResult<Vec<(Uuid, Module)>> {
    let tracked: Vec<Uuid> = synthetic_urls::table
        .filter(synthetic_urls::domain_id.eq_any(domains))
        .filter(synthetic_urls::deleted_at.is_null())
        .select(synthetic_urls::domain_id)
        .distinct()
        .load(&mut connection)
        .await?;
    Ok(tracked
        .into_iter()
        .map(|domain| (domain, Module::Synthetic))
        .collect())
}
