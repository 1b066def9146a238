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
use pharos_synthetic::store::OldFiles;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::synthetic_runs;

#[derive(QueryableByName)]
struct RunRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Timestamptz)]
    files_until: OffsetDateTime,
}

pub(crate) async fn old(
    database: &Database,
    now: OffsetDateTime,
    after: Option<OldFiles>,
    most: u32,
) -> Result<Vec<OldFiles>, StoreError> {
    let (until, run) = after.map_or((OffsetDateTime::UNIX_EPOCH, Uuid::nil()), |after| {
        (after.until, after.run.0)
    });
    let mut connection = database.connection().await?;
    let query = sql!(text "SELECT domain_id, id, files_until
        FROM synthetic_runs
        -- A clock that is ahead deletes nothing early.
        WHERE files_until <= least($1, now()) AND (files_until, id) > ($2, $3)
        ORDER BY files_until, id
        LIMIT $4")
    .bind::<Timestamptz, _>(now)
    .bind::<Timestamptz, _>(until)
    .bind::<SqlUuid, _>(run)
    .bind::<BigInt, _>(i64::from(most));
    let rows: Vec<RunRow> = query.load(&mut connection).await.map_err(failure)?;
    Ok(rows
        .into_iter()
        .map(|row| OldFiles {
            domain: DomainId(row.domain_id),
            run: RunId(row.id),
            until: row.files_until,
        })
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
