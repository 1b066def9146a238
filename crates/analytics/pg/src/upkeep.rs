//! Retention, and which domains have analytics switched on.

use diesel::{
    ExpressionMethods, QueryDsl, QueryResult,
    sql_types::{Array, SmallInt, Text, Timestamptz},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::FutureExt;
use pharos_domain::{module::Module, store::StoreError};
use pharos_persistence::{
    failure::failure,
    group::{DomainHooks, PgGroup, UpkeepStep},
    migrate::{Partitioned, Schema},
    pool::Database,
    sql,
};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::{KEPT, groupings, ports::ports, rollups, schema::analytics_sites};

/// How long the state of sessions is kept after the last word of them: nothing is taken that is older than an hour, and half
/// an hour ends a session.
const VISITORS_KEPT: Duration = Duration::hours(3);

const fn monthly(table: &'static str) -> Partitioned {
    Partitioned {
        table,
        grain: "month",
        ahead: 2,
        kept: KEPT,
    }
}

/// Web analytics, as the kit and the other groups know it.
pub const GROUP: PgGroup = PgGroup {
    ports,
    upkeep: &[
        UpkeepStep {
            name: "beacons",
            run: |database, now| forget_beacons(database, now).boxed(),
        },
        UpkeepStep {
            name: "visitors",
            run: |database, now| forget_visitors(database, now).boxed(),
        },
        UpkeepStep {
            name: "orders",
            run: |database, now| forget_orders(database, now).boxed(),
        },
        UpkeepStep {
            name: "new values",
            run: |database, now| forget_new_values(database, now).boxed(),
        },
        UpkeepStep {
            name: "roll-ups of visits",
            run: |database, now| forget_rollups(database, now).boxed(),
        },
        UpkeepStep {
            name: "values of visits",
            run: |database, now| forget_values(database, now).boxed(),
        },
    ],
    roll_up: Some(|database, now, stop| rollups::SERIES.roll_up(database, now, stop).boxed()),
    behind_in_roll_ups: Some(|database, then| rollups::count_behind(database, then).boxed()),
    domain: Some(DomainHooks {
        // Collection asks the settings, and a deleted domain has none for it any more.
        deleted: |_, _, _| async { Ok(()) }.boxed(),
        restored: |_, _, _| async { Ok(()) }.boxed(),
        active: |connection, domains| active(connection, domains).boxed(),
    }),
    ..PgGroup::of(Schema {
        partitions: &[
            monthly("analytics_sessions"),
            monthly("analytics_hits"),
            monthly("analytics_engagements"),
            monthly("analytics_properties"),
            monthly("analytics_commerce"),
            monthly("analytics_items"),
        ],
        ..pharos_persistence::schema!("analytics")
    })
};

/// Forgets them in pieces until none is left, as the steps below do, so that no statement takes long.
async fn forget_beacons(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let until = now.saturating_sub(pharos_domain::collect::BEACONS_KEPT);
    let mut connection = database.connection().await?;
    loop {
        let query = sql!(text "DELETE FROM analytics_beacons WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM analytics_beacons WHERE stored_at <= $1 LIMIT 50000))")
        .bind::<Timestamptz, _>(until);
        if query.execute(&mut connection).await.map_err(failure)? == 0 {
            return Ok(());
        }
    }
}

async fn forget_visitors(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let until = now.saturating_sub(VISITORS_KEPT);
    let mut connection = database.connection().await?;
    loop {
        // One that is being written to is not old.
        let query = sql!(text "DELETE FROM analytics_visitors WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM analytics_visitors WHERE touched_at <= $1 LIMIT 50000 FOR UPDATE SKIP LOCKED))")
        .bind::<Timestamptz, _>(until);
        if query.execute(&mut connection).await.map_err(failure)? == 0 {
            return Ok(());
        }
    }
}

async fn forget_orders(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    let query = sql!(text "DELETE FROM analytics_orders WHERE ordered_at < day_before($1, $2)")
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT);
    query.execute(&mut connection).await.map(|_| ()).map_err(failure)
}

async fn forget_rollups(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    let query = sql!("rollups/forget.sql")
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT)
        .bind::<Array<SmallInt>, _>(groupings::numbers());
    query.execute(&mut connection).await.map(|_| ()).map_err(failure)
}

/// The counts of days on which nothing can come any more.
async fn forget_new_values(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    let query = sql!(text "DELETE FROM analytics_new_values WHERE day < ($1 AT TIME ZONE 'UTC')::date - 2")
        .bind::<Timestamptz, _>(now);
    query.execute(&mut connection).await.map(|_| ()).map_err(failure)
}

/// Forgets the values that nothing has any more, with the titles of those that are pages.
async fn forget_values(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    loop {
        let query = sql!("forget_values.sql")
            .bind::<Timestamptz, _>(now)
            .bind::<Text, _>(KEPT);
        if query.execute(&mut connection).await.map_err(failure)? == 0 {
            return Ok(());
        }
    }
}

/// The domains whose analytics are switched on.
async fn active(mut connection: &AsyncPgConnection, domains: &[Uuid]) -> QueryResult<Vec<(Uuid, Module)>> {
    let on: Vec<Uuid> = analytics_sites::table
        .filter(analytics_sites::domain_id.eq_any(domains))
        .filter(analytics_sites::enabled)
        .select(analytics_sites::domain_id)
        .load(&mut connection)
        .await?;
    Ok(on.into_iter().map(|domain| (domain, Module::Analytics)).collect())
}
