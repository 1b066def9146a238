//! Retention, roll-ups, and what becomes of monitoring with a domain.

use diesel::{
    ExpressionMethods, QueryDsl, QueryResult,
    sql_types::{Text, Timestamptz},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::FutureExt;
use pharos_domain::{module::Module, store::StoreError};
use pharos_persistence::{
    failure::failure,
    group::{DomainHooks, DueKind, PgGroup, UpkeepStep},
    migrate::{Partitioned, Schema},
    pool::Database,
    sql,
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{KEPT, ports::ports, registrations, rollups, schedule, schema::uptime_monitors};

/// Uptime monitoring, as the kit and the other groups know it.
pub const GROUP: PgGroup = PgGroup {
    ports,
    due: &[
        DueKind {
            name: "checks",
            backlog: |database| schedule::backlog(database).boxed(),
        },
        DueKind {
            name: "registrations",
            backlog: |database| registrations::backlog(database).boxed(),
        },
    ],
    upkeep: &[
        UpkeepStep {
            name: "spans",
            run: |database, now| forget_spans(database, now).boxed(),
        },
        UpkeepStep {
            name: "incidents",
            run: |database, now| forget_incidents(database, now).boxed(),
        },
        UpkeepStep {
            name: "roll-ups",
            run: |database, now| forget_rollups(database, now).boxed(),
        },
    ],
    roll_up: Some(|database, now, stop| rollups::SERIES.roll_up(database, now, stop).boxed()),
    behind_in_roll_ups: Some(|database, then| rollups::count_behind(database, then).boxed()),
    domain: Some(DomainHooks {
        deleted: |connection, domain, now| schedule::clear(connection, domain, now).boxed(),
        restored: |connection, domain, now| schedule::resume(connection, domain, now).boxed(),
        active: |connection, domains| active(connection, domains).boxed(),
    }),
    ..PgGroup::of(Schema {
        partitions: &[Partitioned {
            table: "uptime_checks",
            grain: "month",
            ahead: 2,
            kept: KEPT,
        }],
        ..pharos_persistence::schema!("uptime")
    })
};

async fn forget_spans(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    let query = sql!(text "DELETE FROM uptime_spans WHERE ended_at <= day_before($1, $2)")
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT);
    query.execute(&mut connection).await.map(|_| ()).map_err(failure)
}

async fn forget_incidents(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    let query = sql!(text "DELETE FROM uptime_incidents WHERE resolved_at <= day_before($1, $2)")
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT);
    query.execute(&mut connection).await.map(|_| ()).map_err(failure)
}

async fn forget_rollups(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    rollups::forget(&mut connection, now).await.map_err(failure)
}

/// The domains whose monitor is enabled.
async fn active(mut connection: &AsyncPgConnection, domains: &[Uuid]) -> QueryResult<Vec<(Uuid, Module)>> {
    let watched: Vec<Uuid> = uptime_monitors::table
        .filter(uptime_monitors::domain_id.eq_any(domains))
        .filter(uptime_monitors::enabled)
        .select(uptime_monitors::domain_id)
        .load(&mut connection)
        .await?;
    Ok(watched
        .into_iter()
        .map(|domain| (domain, Module::Uptime))
        .collect())
}
