//! The runs whose files are kept no longer.

use diesel::{
    ExpressionMethods, QueryDsl, QueryableByName,
    sql_types::{BigInt, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    ids::{DomainId, RunId},
    store::StoreError,
};
use pharos_persistence::{failure::failure, pool::Database, sql};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::synthetic_runs;

#[derive(QueryableByName)]
struct RunRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

pub(crate) async fn old(
    database: &Database,
    now: OffsetDateTime,
    most: u32,
) -> Result<Vec<(DomainId, RunId)>, StoreError> {
    let mut connection = database.connection().await?;
    let query = sql!(text "SELECT domain_id, id
        FROM synthetic_runs
        -- A clock that is ahead deletes nothing early.
        WHERE files_until <= least($1, now())
        ORDER BY files_until
        LIMIT $2")
    .bind::<Timestamptz, _>(now)
    .bind::<BigInt, _>(i64::from(most));
    let rows: Vec<RunRow> = query.load(&mut connection).await.map_err(failure)?;
    Ok(rows
        .into_iter()
        .map(|RunRow { domain_id, id }| (DomainId(domain_id), RunId(id)))
        .collect())
}

pub(crate) async fn gone(database: &Database, runs: &[RunId]) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    let ids: Vec<Uuid> = runs.iter().map(|run| run.0).collect();
    diesel::update(synthetic_runs::table.filter(synthetic_runs::id.eq_any(ids)))
        .set(synthetic_runs::files_until.eq(None::<OffsetDateTime>))
        .execute(&mut connection)
        .await
        .map_err(failure)?;
    Ok(())
}
