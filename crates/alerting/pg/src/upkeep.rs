//! Retention, and what becomes of rules with a domain.

use diesel::{
    ExpressionMethods, QueryDsl, QueryResult,
    pg::Pg,
    query_builder::{QueryFragment, QueryId},
    sql_types::{Array, BigInt, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::FutureExt;
use pharos_alerting::{alert::AlertEnd, evaluator::LANE};
use pharos_domain::{
    ids::DomainId, incident_alerts::IncidentAlerts, module::Module, ports::Ports, store::StoreError,
};
use pharos_persistence::{
    due,
    failure::{Abort, failure},
    group::{DomainHooks, DueKind, PgGroup, UpkeepStep},
    migrate::Schema,
    moment::not_ahead,
    pool::Database,
    sql,
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    KEPT,
    alerts::PgAlertStore,
    announcements::PgAnnouncer,
    channels::{
        PgChannelStore,
        secrets::{SEALED, seal_all},
    },
    deliveries::PgDeliveryStore,
    evaluations::{self, PgEvaluationStore},
    notifications::{PgNotificationStore, kinds},
    resolve::resolve,
    rules::PgRuleStore,
    schema::alert_rules,
};

/// How many rows one statement forgets, so that none takes long: deliveries and who has read it go with a notification.
const FORGOTTEN_AT_ONCE: u16 = 2_000;

/// Alerting, as the kit and the other groups know it.
pub const GROUP: PgGroup = PgGroup {
    ports,
    due: &[DueKind {
        name: "alert rules",
        backlog: |database| evaluations::backlog(database).boxed(),
    }],
    upkeep: &[
        UpkeepStep {
            name: "alerts",
            run: |database, now| forget_alerts(database, now).boxed(),
        },
        UpkeepStep {
            name: "notifications",
            run: |database, now| forget_notifications(database, now).boxed(),
        },
        UpkeepStep {
            name: "secrets of channels",
            run: |database, _| seal_all(database).boxed(),
        },
        UpkeepStep {
            name: "tests of channels",
            run: |database, now| forget_tests(database, now).boxed(),
        },
        UpkeepStep {
            name: "deliveries without a job",
            run: |database, _| end_deliveries(database).boxed(),
        },
        UpkeepStep {
            name: "events of rules",
            run: |database, _| forget_events(database).boxed(),
        },
    ],
    sealed: &[SEALED],
    domain: Some(DomainHooks {
        deleted: |connection, domain, now| stop(connection, domain, now).boxed(),
        restored: |connection, domain, now| resume(connection, domain, now).boxed(),
        active: |_, _| async { QueryResult::<Vec<(Uuid, Module)>>::Ok(Vec::new()) }.boxed(),
    }),
    ..PgGroup::of(Schema {
        ..pharos_persistence::schema!("alerting")
    })
};

fn ports(ports: Ports, database: &Database) -> Ports {
    use std::sync::Arc;

    use pharos_alerting::{
        announcement::Announcer,
        delivery::{channel::ChannelStore, store::DeliveryStore},
        store::{AlertStore, EvaluationStore, NotificationStore, RuleAdmin, RuleStore},
    };
    use pharos_domain::unsubscribe::Unsubscribe;

    ports
        .with::<dyn AlertStore>(Arc::new(PgAlertStore::new(database.clone())))
        .with::<dyn Announcer>(Arc::new(PgAnnouncer::new(database.clone())))
        .with::<dyn IncidentAlerts>(Arc::new(PgAlertStore::new(database.clone())))
        .with::<dyn ChannelStore>(Arc::new(PgChannelStore::new(database.clone())))
        .with::<dyn Unsubscribe>(Arc::new(PgChannelStore::new(database.clone())))
        .with::<dyn DeliveryStore>(Arc::new(PgDeliveryStore::new(database.clone())))
        .with::<dyn EvaluationStore>(Arc::new(PgEvaluationStore::new(database.clone())))
        .with::<dyn NotificationStore>(Arc::new(PgNotificationStore::new(database.clone())))
        .with::<dyn RuleAdmin>(Arc::new(PgRuleStore::new(database.clone())))
        .with::<dyn RuleStore>(Arc::new(PgRuleStore::new(database.clone())))
}

async fn forget_alerts(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    in_parts(database, |most| {
        sql!(text "DELETE FROM alert_history WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM alert_history
            WHERE fired_at <= day_before($1, $2) AND resolved_at IS NOT NULL LIMIT $3 FOR UPDATE SKIP LOCKED))")
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT)
        .bind::<BigInt, _>(most)
    })
    .await
}

/// Deletes old notifications. Marks stay as long as the notifications that they mark.
async fn forget_notifications(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    in_parts(database, |most| {
        sql!("notifications/forget.sql")
            .bind::<Timestamptz, _>(now)
            .bind::<Text, _>(KEPT)
            .bind::<BigInt, _>(most)
            .bind::<Array<Text>, _>(kinds(None))
    })
    .await?;
    in_parts(database, |most| {
        sql!(text "DELETE FROM notification_read_marks WHERE ctid = ANY (ARRAY(
            SELECT m.ctid
            FROM notification_read_marks AS m
            WHERE m.read_before <= day_before($1, $2)
                AND m.read_before <= coalesce(
                    (SELECT min(n.created_at) FROM notifications AS n WHERE n.domain_id = m.domain_id AND n.kind = m.kind),
                    'infinity'
                )
            LIMIT $3 FOR UPDATE OF m SKIP LOCKED))")
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT)
        .bind::<BigInt, _>(most)
    })
    .await
}

/// Other deliveries go with their notifications.
async fn forget_tests(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    in_parts(database, |most| {
        sql!(text "DELETE FROM alert_deliveries WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM alert_deliveries
            WHERE notification_id IS NULL AND created_at <= day_before($1, '90 days') LIMIT $2 FOR UPDATE SKIP LOCKED))")
        .bind::<Timestamptz, _>(now)
        .bind::<BigInt, _>(most)
    })
    .await
}

/// Deletes rows in batches of that size, until there are no more.
async fn in_parts<Q>(database: &Database, part: impl Fn(i64) -> Q + Send + Sync) -> Result<(), StoreError>
where
    Q: QueryFragment<Pg> + QueryId + Send,
{
    let mut connection = database.connection().await?;
    loop {
        let query = part(i64::from(FORGOTTEN_AT_ONCE));
        let forgotten = query.execute(&mut *connection).await.map_err(failure)?;
        if forgotten < usize::from(FORGOTTEN_AT_ONCE) {
            return Ok(());
        }
    }
}

/// A delivery whose job is dead is not sent by itself any more, whoever buried the job.
async fn end_deliveries(database: &Database) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    let query = sql!(text "UPDATE alert_deliveries AS d
        SET state = 'failed', taken_until = NULL, ended_at = now(),
            last_error = coalesce(d.last_error, (SELECT j.last_error FROM jobs AS j WHERE j.id = d.id), 'its job is gone')
        WHERE d.state = 'queued'
            AND NOT EXISTS (SELECT FROM jobs AS j WHERE j.id = d.id AND j.state IN ('queued', 'running'))");
    query.execute(&mut connection).await.map(|_| ()).map_err(failure)
}

/// Nobody will count the events of rules that are gone.
async fn forget_events(database: &Database) -> Result<(), StoreError> {
    in_parts(database, |most| {
        sql!(text "DELETE FROM alert_pending_events WHERE ctid = ANY (ARRAY(
            SELECT p.ctid FROM alert_pending_events AS p
            WHERE NOT EXISTS (SELECT FROM alert_rules AS r WHERE r.id = p.rule_id AND r.enabled)
            LIMIT $1 FOR UPDATE OF p SKIP LOCKED))")
        .bind::<BigInt, _>(most)
    })
    .await
}

/// Nothing is evaluated any more, and what is open is over.
async fn stop(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let still = sql!(text "UPDATE alert_evaluations SET next_evaluation_at = NULL, leased_until = NULL, state = 'ok',
        is_open = false
        WHERE rule_id IN (SELECT rule_id FROM alert_evaluations WHERE domain_id = $1 ORDER BY rule_id FOR UPDATE)")
    .bind::<SqlUuid, _>(domain.0);
    still.execute(connection).await?;
    let now = not_ahead(connection, now).await?;
    let rules: Vec<Uuid> = alert_rules::table
        .filter(alert_rules::domain_id.eq(domain.0))
        .select(alert_rules::id)
        .load(connection)
        .await?;
    let ended = rules.into_iter().map(|rule| (rule, now, AlertEnd::DomainDeleted));
    resolve(connection, ended.collect()).await?;
    Ok(())
}

async fn resume(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let now = not_ahead(connection, now).await?;
    let due = sql!(text "UPDATE alert_evaluations AS e SET next_evaluation_at = $2
        FROM alert_rules AS r WHERE r.id = e.rule_id AND e.domain_id = $1 AND r.enabled")
    .bind::<SqlUuid, _>(domain.0)
    .bind::<Timestamptz, _>(now);
    due.execute(connection).await?;
    due::announce(connection, &[LANE.to_owned()], "").await?;
    Ok(())
}
