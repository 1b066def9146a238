//! Rules that are due, and what they came to.

mod row;

use std::collections::{BTreeSet, HashMap};

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{
        Array, BigInt, Bool, Date as SqlDate, Double, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid,
    },
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_alerting::{
    shares::{FIRINGS_WITHIN, MOST_FIRINGS},
    store::{DueRule, Evaluated, EvaluationStore, PendingEvents, Settled},
};
use pharos_domain::{
    ids::{AlertId, AlertRuleId, NotificationId},
    store::StoreError,
};
use pharos_due::work::DueClaim;
use pharos_persistence::{
    due::{self, DueTable, Turns},
    due_table,
    failure::{Abort, failure},
    jobs::backlog::Backlog,
    json::Json,
    pool::Database,
    set_aside::{self, Batch, Fault, Kind, SetAside},
    sql,
};
use serde_json::{Map, Value};
use time::OffsetDateTime;
use uuid::Uuid;

use self::row::{DueRow, NewAlerts};
use crate::resolve::resolve;

/// The statements of rules that are due. A rule that is disabled, or whose domain is deleted, has no time.
pub const RULES: DueTable = due_table!(
    table: "alert_evaluations",
    key: "rule_id",
    due: "next_evaluation_at",
    from: "alert_evaluations AS s",
    lane: "$1 = ''",
    live: "s.next_evaluation_at IS NOT NULL",
    columns: "claimed.rule_id, claimed.domain_id, claimed.workspace_id, d.hostname, claimed.state, claimed.last_value,
        claimed.last_fired_at, claimed.last_evaluated_at, claimed.put_off_until, claimed.told_through, claimed.is_open, r.updated_at,
        r.name, r.module, r.metric, r.operator, r.threshold, r.comparison_window, r.evaluation_window, r.min_sample, r.url,
        r.form_factor, r.search_type, r.severity, r.enabled, r.cooldown_minutes, r.module = ANY (p.modules) AND 'alerts' = ANY (p.modules) AS is_in_plan",
    joins: "JOIN alert_rules AS r ON r.id = claimed.rule_id
        JOIN domains AS d ON d.id = claimed.domain_id
        JOIN workspaces AS w ON w.id = claimed.workspace_id
        JOIN plans AS p ON p.key = w.plan_key"
);
/// Rules have one lane.
const NO_LANE: &str = "";
/// Where the events of a rule lie in more rows than this, its claim merges them. They are kept while nobody is told of them.
const MOST_PENDING: i64 = 100;

/// Counts the rules that could be claimed.
pub(crate) async fn backlog(database: &Database) -> Result<Backlog, StoreError> {
    due::backlog(database, sql!(text RULES.backlog), NO_LANE).await
}

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
    lines: i64,
    #[diesel(sql_type = BigInt)]
    through: i64,
    #[diesel(sql_type = Jsonb)]
    context: Json<Map<String, Value>>,
}

#[derive(QueryableByName)]
struct FiringsRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = BigInt)]
    firings: i64,
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

#[async_trait]
impl EvaluationStore for PgEvaluationStore {
    async fn bring_back(&self) -> Result<(), StoreError> {
        let mut connection = self.database.claiming().await?;
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
        let mut connection = self.database.claiming().await?;
        let woken = sql!("wake.sql");
        woken.execute(&mut connection).await.map_err(failure)?;
        let rows: Vec<DueRow> = due::claim(
            &mut connection,
            sql!(text RULES.claim),
            NO_LANE,
            claim,
            &self.turns,
        )
        .await
        .map_err(failure)?;
        let (mut rules, mut unread) = (Vec::with_capacity(rows.len()), Vec::new());
        for row in rows {
            let id = row.rule_id;
            match DueRule::try_from(row) {
                Ok(rule) => rules.push(rule),
                // A newer node may read it. It keeps no other waiting.
                Err(error) => {
                    let note = SetAside::unread(Kind::AlertRule, &id, &error);
                    unread.push((AlertRuleId(id), note));
                }
            }
        }
        add_pending(&mut connection, &mut rules).await.map_err(failure)?;
        add_firings(&mut connection, &mut rules).await.map_err(failure)?;
        drop(connection);
        for (rule, note) in unread {
            put_off(&self.database, rule, note).await?;
        }
        Ok(rules)
    }

    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        let mut connection = self.database.claiming().await?;
        due::next_due(&mut connection, sql!(text RULES.next_due), NO_LANE, now)
            .await
            .map_err(failure)
    }

    async fn settle(&self, evaluated: &[Evaluated]) -> Result<Settled, StoreError> {
        if evaluated.is_empty() {
            return Ok(Settled::default());
        }
        let parts = set_aside::write(&mut Settling(&self.database), evaluated).await?;
        Ok(parts.into_iter().fold(Settled::default(), |mut all, part| {
            all.fired.extend(part.fired);
            all.resolved.extend(part.resolved);
            all
        }))
    }

    async fn release(&self, rules: &[&DueRule]) -> Result<(), StoreError> {
        let claimed = rules.iter().map(|due| (due.id.0, due.leased_until));
        let mut connection = self.database.claiming().await?;
        due::release(&mut connection, sql!(text RULES.release), NO_LANE, claimed)
            .await
            .map_err(failure)
    }

    fn lies_in_a_rule(&self, why: &StoreError) -> bool {
        why.lies_in_a_row()
    }

    async fn set_aside(&self, rule: &DueRule, why: &StoreError) -> Result<(), StoreError> {
        let note = SetAside::unstored(Kind::AlertRule, &rule.id, why, &rule.settings);
        put_off(&self.database, rule.id, note).await
    }
}

/// Adds the events that rules have not counted yet.
async fn add_pending(connection: &mut AsyncPgConnection, rules: &mut [DueRule]) -> diesel::QueryResult<()> {
    let ids: Vec<Uuid> = rules.iter().map(|rule| rule.id.0).collect();
    let query = sql!("pending.sql").bind::<Array<SqlUuid>, _>(ids);
    let rows: Vec<PendingRow> = query.load(connection).await?;
    let many = rows.iter().filter(|row| row.lines > MOST_PENDING);
    let (merged, through): (Vec<Uuid>, Vec<i64>) = many.map(|row| (row.rule_id, row.through)).unzip();
    if !merged.is_empty() {
        let query = sql!("merge_pending.sql")
            .bind::<Array<SqlUuid>, _>(merged)
            .bind::<Array<BigInt>, _>(through);
        query.execute(connection).await?;
    }
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

/// Adds how often their domains fired within the last hour.
async fn add_firings(connection: &mut AsyncPgConnection, rules: &mut [DueRule]) -> diesel::QueryResult<()> {
    // The first firing of a rule never waits.
    let fired = rules.iter().filter(|rule| rule.standing.last_fired_at.is_some());
    let domains: BTreeSet<Uuid> = fired.map(|rule| rule.domain_id.0).collect();
    if domains.is_empty() {
        return Ok(());
    }
    let query = sql!("firings.sql")
        .bind::<Array<SqlUuid>, _>(domains.into_iter().collect::<Vec<_>>())
        .bind::<Double, _>(FIRINGS_WITHIN.as_seconds_f64())
        .bind::<BigInt, _>(i64::from(MOST_FIRINGS));
    let rows: Vec<FiringsRow> = query.load(connection).await?;
    let firings: HashMap<Uuid, i64> = rows.into_iter().map(|row| (row.domain_id, row.firings)).collect();
    for rule in rules {
        let found = firings.get(&rule.domain_id.0).copied().unwrap_or_default();
        rule.domain_firings = u32::try_from(found).unwrap_or(u32::MAX);
    }
    Ok(())
}

/// Outcomes of rules on their way to the database.
struct Settling<'a>(&'a Database);

#[async_trait]
impl Batch<Evaluated> for Settling<'_> {
    type Said = Settled;
    type Error = StoreError;

    async fn write(&mut self, evaluated: &[Evaluated]) -> Result<Vec<Settled>, StoreError> {
        let mut connection = self.0.claiming().await?;
        let settled = connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| settle(connection, evaluated).await)
            .await
            .map_err(Abort::answer)?;
        Ok(vec![settled])
    }

    async fn set_aside(
        &mut self,
        evaluated: &Evaluated,
        why: StoreError,
    ) -> Result<Vec<Settled>, StoreError> {
        let note = SetAside::unstored(Kind::AlertRule, &evaluated.rule, &why, evaluated);
        put_off(self.0, evaluated.rule, note).await?;
        Ok(Vec::new())
    }
}

/// Puts a rule off for a day if it or its metric can't be read, or its outcome can't be stored, so that the others go on.
async fn put_off(database: &Database, rule: AlertRuleId, note: SetAside) -> Result<(), StoreError> {
    let mut connection = database.claiming().await?;
    connection
        .transaction::<_, diesel::result::Error, _>(async |connection| {
            let query = sql!(text "UPDATE alert_evaluations
                SET next_evaluation_at = now() + interval '1 day', put_off_until = now() + interval '1 day', leased_until = NULL
                WHERE rule_id = $1 AND next_evaluation_at IS NOT NULL")
            .bind::<SqlUuid, _>(rule.0);
            query.execute(connection).await?;
            set_aside::note_all(connection, [note]).await
        })
        .await
        .map_err(failure)
}

async fn settle(
    connection: &mut AsyncPgConnection,
    evaluated: &[Evaluated],
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
        .bind::<Array<Timestamptz>, _>(column(|done| done.evaluated_at))
        .bind::<Array<Timestamptz>, _>(column(|done| done.due_at))
        .bind::<Array<Bool>, _>(evaluated.iter().map(|done| done.is_put_off).collect::<Vec<_>>())
        .bind::<Array<Nullable<SqlDate>>, _>(
            evaluated
                .iter()
                .map(|done| done.standing.told_through)
                .collect::<Vec<_>>(),
        );
    let rows: Vec<SettledRow> = query.load(connection).await?;
    let held: HashMap<Uuid, SettledRow> = rows.into_iter().map(|row| (row.rule_id, row)).collect();
    let mut settled = Settled::default();
    let mut alerts = NewAlerts::default();
    let (mut counted, mut through) = (Vec::new(), Vec::new());
    let mut ended = Vec::new();
    for done in evaluated {
        let Some(row) = held.get(&done.rule.0) else {
            continue;
        };
        if let Some(number) = done.counted_through {
            counted.push(done.rule.0);
            through.push(number);
        }
        if let Some(end) = done.end {
            ended.push((done.rule.0, done.evaluated_at, end));
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
    settled.resolved = resolve(connection, ended).await?;
    alerts.store(connection).await?;
    Ok(settled)
}
