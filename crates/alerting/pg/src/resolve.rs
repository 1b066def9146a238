//! The end of open alerts.

use diesel::{
    QueryResult, QueryableByName,
    sql_types::{Array, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::ids::AlertId;
use pharos_persistence::sql;
use time::OffsetDateTime;
use uuid::Uuid;

#[derive(QueryableByName)]
struct IdRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

/// Ends the open alerts of rules, each at the moment beside its rule, with the notifications that tell of them.
pub(crate) async fn resolve(
    connection: &mut AsyncPgConnection,
    rules: Vec<Uuid>,
    at: Vec<OffsetDateTime>,
) -> QueryResult<Vec<AlertId>> {
    if rules.is_empty() {
        return Ok(Vec::new());
    }
    let query = sql!("resolve.sql")
        .bind::<Array<SqlUuid>, _>(rules)
        .bind::<Array<Timestamptz>, _>(at);
    let over: Vec<IdRow> = query.load(connection).await?;
    Ok(over.into_iter().map(|row| AlertId(row.id)).collect())
}
