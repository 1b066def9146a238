//! The log of what operators change.

use diesel::{
    QueryResult,
    sql_types::{BigInt, Inet, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use ipnet::IpNet;
use pharos_domain::{audit::Actor, store::StoreError};
use serde_json::Value;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::{failure::failure, pool::Database, sql};

/// How long a row is kept.
const KEPT: Duration = Duration::days(730);
/// How many rows one upkeep takes away at most. The next hour's upkeep takes the others.
const AT_ONCE: i64 = 50_000;

/// Who changes something, and when.
#[derive(Clone, Copy)]
pub struct By<'a> {
    /// Who.
    pub actor: &'a Actor,
    /// When.
    pub now: OffsetDateTime,
}

/// Writes one row, within the change's own transaction. `action` is noun and verb, such as `key.rotate`; its noun is
/// the kind of the subject.
pub async fn record(
    connection: &mut AsyncPgConnection,
    by: By<'_>,
    action: &str,
    subject: impl ToString + Send,
    details: Value,
) -> QueryResult<()> {
    let kind = action.split('.').next().unwrap_or(action);
    let subject = subject.to_string();
    let workspace = match kind {
        "workspace" | "member" => Some(subject.as_str()),
        _ => details["workspace_id"].as_str(),
    };
    let workspace: Option<Uuid> = workspace.and_then(|id| id.parse().ok());
    sql!("audit.sql")
        .bind::<SqlUuid, _>(Uuid::now_v7())
        .bind::<Timestamptz, _>(by.now)
        .bind::<Text, _>(by.actor.as_str())
        .bind::<Text, _>(action)
        .bind::<Text, _>(kind)
        .bind::<Text, _>(&subject)
        .bind::<Jsonb, _>(&details)
        .bind::<Nullable<Inet>, _>(by.actor.source().map(IpNet::from))
        .bind::<Nullable<SqlUuid>, _>(workspace)
        .execute(connection)
        .await
        .map(|_| ())
}

/// Takes away what is older than it is kept.
pub(crate) async fn forget(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    // A clock that is ahead takes nothing away early.
    let now = database.not_ahead(now).await?;
    let mut connection = database.connection().await?;
    let query = sql!("forget_audit.sql")
        .bind::<Timestamptz, _>(now.saturating_sub(KEPT))
        .bind::<BigInt, _>(AT_ONCE);
    query.execute(&mut connection).await.map(|_| ()).map_err(failure)
}
