//! The end of open alerts.

use diesel::{
    QueryResult, QueryableByName,
    sql_types::{Array, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_alerting::alert::AlertEnd;
use pharos_domain::ids::AlertId;
use pharos_persistence::sql;
use time::OffsetDateTime;
use uuid::Uuid;

#[derive(QueryableByName)]
struct IdRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

/// Ends the open alerts of rules, each at the moment and for the reason beside its rule, with the notifications that tell of them.
pub(crate) async fn resolve(
    connection: &mut AsyncPgConnection,
    ended: Vec<(Uuid, OffsetDateTime, AlertEnd)>,
) -> QueryResult<Vec<AlertId>> {
    if ended.is_empty() {
        return Ok(Vec::new());
    }
    let (mut rules, mut at, mut why) = (Vec::new(), Vec::new(), Vec::new());
    for (rule, moment, end) in ended {
        rules.push(rule);
        at.push(moment);
        why.push(end.as_str());
    }
    let query = sql!("resolve.sql")
        .bind::<Array<SqlUuid>, _>(rules)
        .bind::<Array<Timestamptz>, _>(at)
        .bind::<Array<Text>, _>(why);
    let over: Vec<IdRow> = query.load(connection).await?;
    Ok(over.into_iter().map(|row| AlertId(row.id)).collect())
}
