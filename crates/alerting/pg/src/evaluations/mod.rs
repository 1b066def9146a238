//! Rules that are due, and what they came to.

mod row;

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Bool, Double, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_alerting::store::{DueRule, Evaluated, EvaluationStore, PendingEvents, Settled};
use pharos_domain::{
    ids::{AlertId, NotificationId},
    store::StoreError,
};
use pharos_due::work::DueClaim;
use pharos_persistence::{
    due::{self, DueTable, Turns},
    due_table,
    failure::{Abort, failure},
    json::Json,
    pool::Database,
    sql,
};
use serde_json::{Map, Value};
use time::OffsetDateTime;
use uuid::Uuid;

use self::row::{DueRow, NewAlerts};

/// The statements of rules that are due. A rule that is disabled, or whose domain is deleted, has no time.
pub const RULES: DueTable = due_table!(
    table: "alert_evaluations",
    key: "rule_id",
    due: "next_evaluation_at",
    from: "alert_evaluations AS s",
    lane: "$1 = ''",
    live: "s.next_evaluation_at IS NOT NULL",
    columns: "claimed.rule_id, claimed.domain_id, claimed.workspace_id, d.hostname, claimed.state, claimed.last_value,
        claimed.last_fired_at, claimed.is_open, r.updated_at, r.name, r.module, r.metric, r.operator, r.threshold,
        r.comparison_window, r.evaluation_window, r.min_sample, r.url, r.form_factor, r.search_type, r.severity, r.enabled,
        r.cooldown_minutes",
    joins: "JOIN alert_rules AS r ON r.id = claimed.rule_id
        JOIN domains AS d ON d.id = claimed.domain_id"
);
/// Rules have one lane.
const LANE: &str = "";

/// Evaluations in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgEvaluationStore {
    database: Database,
    turns: Turns,
}

impl PgEvaluationStore {
    /// The evaluations of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self {
            database,
            turns: Turns::default(),
        }
    }
}

#[derive(QueryableByName)]
struct PendingRow {
    #[diesel(sql_type = SqlUuid)]
    rule_id: Uuid,
    #[diesel(sql_type = BigInt)]
    events: i64,
    #[diesel(sql_type = BigInt)]
    through: i64,
    #[diesel(sql_type = Jsonb)]
    context: Json<Map<String, Value>>,
}

#[derive(QueryableByName)]
struct SettledRow {
    #[diesel(sql_type = SqlUuid)]
    rule_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    workspace_id: Uuid,
}

#[derive(QueryableByName)]
struct IdRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

#[async_trait]
impl EvaluationStore for PgEvaluationStore {
    async fn bring_back(&self) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        let strays = sql!("bring_back.sql")
            .execute(&mut connection)
            .await
            .map_err(failure)?;
        if strays > 0 {
            tracing::warn!(strays, "rules lay too far ahead; they are due now");
        }
        Ok(())
    }

    async fn not_ahead(&self, now: OffsetDateTime) -> Result<OffsetDateTime, StoreError> {
        self.database.not_ahead(now).await
    }

    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueRule>, StoreError> {
        let mut connection = self.database.connection().await?;
        let woken = sql!("wake.sql");
        woken.execute(&mut connection).await.map_err(failure)?;
        let rows: Vec<DueRow> = due::claim(&mut connection, sql!(text RULES.claim), LANE, claim, &self.turns)
            .await
            .map_err(failure)?;
        let mut rules = Vec::with_capacity(rows.len());
        for row in rows {
            let id = row.rule_id;
            match DueRule::try_from(row) {
                Ok(rule) => rules.push(rule),
                // A newer node can read it. It stays claimed until then, and keeps no other waiting.
                Err(error) => {
                    tracing::warn!(rule = %id, %error, "a rule can't be read; it waits until its lease ends")
                }
            }
        }
        add_pending(&mut connection, &mut rules).await.map_err(failure)?;
        Ok(rules)
    }

    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        let mut connection = self.database.connection().await?;
        due::next_due(&mut connection, sql!(text RULES.next_due), LANE, now)
            .await
            .map_err(failure)
    }

    async fn settle(&self, evaluated: &[Evaluated], now: OffsetDateTime) -> Result<Settled, StoreError> {
        if evaluated.is_empty() {
            return Ok(Settled::default());
        }
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                settle(connection, evaluated, now).await
            })
            .await
            .map_err(Abort::answer)
    }

    async fn release(&self, rules: &[&DueRule]) -> Result<(), StoreError> {
        let (ids, leases): (Vec<Uuid>, Vec<OffsetDateTime>) =
            rules.iter().map(|rule| (rule.id.0, rule.leased_until)).unzip();
        let mut connection = self.database.connection().await?;
        let query = sql!(text RULES.release)
            .bind::<Text, _>(LANE)
            .bind::<Array<SqlUuid>, _>(ids)
            .bind::<Array<Timestamptz>, _>(leases);
        query.execute(&mut connection).await.map(|_| ()).map_err(failure)
    }
}

/// Adds the events that rules have not counted yet.
async fn add_pending(connection: &mut AsyncPgConnection, rules: &mut [DueRule]) -> diesel::QueryResult<()> {
    let ids: Vec<Uuid> = rules.iter().map(|rule| rule.id.0).collect();
    let query = sql!("pending.sql").bind::<Array<SqlUuid>, _>(ids);
    let rows: Vec<PendingRow> = query.load(connection).await?;
    let mut pending: HashMap<Uuid, PendingRow> = rows.into_iter().map(|row| (row.rule_id, row)).collect();
    for rule in rules {
        if let Some(row) = pending.remove(&rule.id.0) {
            rule.pending = PendingEvents {
                count: u32::try_from(row.events).unwrap_or(u32::MAX),
                through: Some(row.through),
                context: row.context.read("the context of an event").unwrap_or_default(),
            };
        }
    }
    Ok(())
}

async fn settle(
    connection: &mut AsyncPgConnection,
    evaluated: &[Evaluated],
    now: OffsetDateTime,
) -> Result<Settled, Abort<StoreError>> {
    let column = |figure: fn(&Evaluated) -> OffsetDateTime| evaluated.iter().map(figure).collect::<Vec<_>>();
    let query = sql!("settle.sql")
        .bind::<Array<SqlUuid>, _>(evaluated.iter().map(|done| done.rule.0).collect::<Vec<_>>())
        .bind::<Array<Timestamptz>, _>(column(|done| done.updated_at))
        .bind::<Array<Timestamptz>, _>(column(|done| done.leased_until))
        .bind::<Array<Text>, _>(
            evaluated
                .iter()
                .map(|done| done.standing.state.as_str())
                .collect::<Vec<_>>(),
        )
        .bind::<Array<Nullable<Double>>, _>(
            evaluated
                .iter()
                .map(|done| done.standing.last_value)
                .collect::<Vec<_>>(),
        )
        .bind::<Array<Nullable<Timestamptz>>, _>(
            evaluated
                .iter()
                .map(|done| done.standing.last_fired_at)
                .collect::<Vec<_>>(),
        )
        .bind::<Array<Bool>, _>(
            evaluated
                .iter()
                .map(|done| done.standing.is_open)
                .collect::<Vec<_>>(),
        )
        .bind::<Array<Timestamptz>, _>(column(|done| done.next_evaluation_at))
        .bind::<Array<Timestamptz>, _>(vec![now; evaluated.len()]);
    let rows: Vec<SettledRow> = query.load(connection).await?;
    let held: HashMap<Uuid, SettledRow> = rows.into_iter().map(|row| (row.rule_id, row)).collect();
    let mut settled = Settled::default();
    let mut alerts = NewAlerts::default();
    let (mut counted, mut through, mut resolved) = (Vec::new(), Vec::new(), Vec::new());
    for done in evaluated {
        let Some(row) = held.get(&done.rule.0) else {
            continue;
        };
        if let Some(number) = done.counted_through {
            counted.push(done.rule.0);
            through.push(number);
        }
        if done.is_resolved {
            resolved.push(done.rule.0);
        }
        if let Some(alert) = &done.alert {
            let id = AlertId::generate();
            alerts.add(
                id,
                NotificationId::generate(),
                done.rule,
                (row.domain_id, row.workspace_id),
                alert,
            );
            settled.fired.push(id);
        }
    }
    if !counted.is_empty() {
        let query =
            sql!(text "DELETE FROM alert_pending_events AS p USING unnest($1, $2) AS c (rule_id, through)
            WHERE p.rule_id = c.rule_id AND p.number <= c.through")
            .bind::<Array<SqlUuid>, _>(counted)
            .bind::<Array<BigInt>, _>(through);
        query.execute(connection).await?;
    }
    if !resolved.is_empty() {
        let query = sql!("resolve.sql")
            .bind::<Array<SqlUuid>, _>(resolved)
            .bind::<Timestamptz, _>(now);
        let over: Vec<IdRow> = query.load(connection).await?;
        settled.resolved = over.into_iter().map(|row| AlertId(row.id)).collect();
    }
    alerts.store(connection).await?;
    Ok(settled)
}
