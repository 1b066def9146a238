//! Retention, roll-ups, and which domains have real-user monitoring switched on.

use std::future::ready;

use diesel::{
    ExpressionMethods, QueryDsl, QueryResult,
    sql_types::{Array, SmallInt, Text, Timestamptz},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::FutureExt;
use pharos_domain::{
    collect::BEACONS_KEPT, ids::DomainId, module::Module, quota::QuotaResource, store::StoreError,
};
use pharos_persistence::{
    failure::{Abort, failure},
    group::{DomainHooks, DueKind, PgGroup, UpkeepStep},
    migrate::{Partitioned, Schema},
    pool::Database,
    quota, sql,
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    KEPT, crux,
    ports::ports,
    rollups,
    schema::{crux_targets, rum_sites},
};

const fn monthly(table: &'static str) -> Partitioned {
    Partitioned {
        table,
        grain: "month",
        ahead: 2,
        kept: KEPT,
    }
}

/// Real-user monitoring, as the kit and the other groups know it.
pub const GROUP: PgGroup = PgGroup {
    ports,
    due: &[DueKind {
        name: "field data",
        backlog: |database| crux::backlog(database).boxed(),
    }],
    upkeep: &[
        UpkeepStep {
            name: "beacons of views",
            run: |database, now| forget_beacons(database, now).boxed(),
        },
        UpkeepStep {
            name: "page loads",
            run: |database, now| forget_loads(database, now).boxed(),
        },
        UpkeepStep {
            name: "roll-ups of views",
            run: |database, now| forget_rollups(database, now).boxed(),
        },
        UpkeepStep {
            name: "field data",
            run: |database, now| forget_field_data(database, now).boxed(),
        },
        UpkeepStep {
            name: "source maps",
            run: |database, now| forget_source_maps(database, now).boxed(),
        },
        UpkeepStep {
            name: "releases",
            run: |database, now| forget_releases(database, now).boxed(),
        },
        UpkeepStep {
            name: "kinds of errors and texts",
            run: |database, now| forget_texts(database, now).boxed(),
        },
    ],
    roll_up: Some(|database, now, stop| rollups::SERIES.roll_up(database, now, stop).boxed()),
    behind_in_roll_ups: Some(|database, then| rollups::count_behind(database, then).boxed()),
    domain: Some(DomainHooks {
        // Collection asks for the settings, which a domain that is deleted has no more for it.
        deleted: |_, _, _| ready(Ok(())).boxed(),
        restored: |_, _, _| ready(Ok(())).boxed(),
        active: |connection, domains| active(connection, domains).boxed(),
    }),
    domain_erasing: Some(|connection, domain, now| give_back(connection, domain, now).boxed()),
    ..PgGroup::of(Schema {
        partitions: &[
            monthly("rum_views"),
            monthly("rum_engagements"),
            monthly("rum_lcp"),
            monthly("rum_inp"),
            monthly("rum_cls"),
            monthly("rum_ttfb"),
            monthly("rum_server_timings"),
            monthly("rum_errors"),
            monthly("rum_resources"),
            monthly("rum_frames"),
            monthly("rum_scripts"),
            monthly("rum_reasons"),
        ],
        ..pharos_persistence::schema!("vitals")
    })
};

/// The pages of which field data are followed are followed no longer. The site itself was counted nowhere.
async fn give_back(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let followed = crux_targets::table
        .filter(crux_targets::domain_id.eq(domain.0))
        .filter(crux_targets::url.is_not_null())
        .count()
        .get_result(connection)
        .await?;
    quota::give_back_of_domain(connection, domain, QuotaResource::TrackedUrlsCrux, followed, now).await?;
    Ok(())
}

/// Forgets them in pieces until none is left, as the steps below do, so that no statement takes long.
async fn forget_beacons(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    loop {
        let query = sql!(text "DELETE FROM rum_beacons WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM rum_beacons WHERE stored_at <= $1 LIMIT 50000))")
        .bind::<Timestamptz, _>(now.saturating_sub(BEACONS_KEPT));
        if query.execute(&mut connection).await.map_err(failure)? == 0 {
            return Ok(());
        }
    }
}

async fn forget_loads(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    loop {
        // One that is being written to is told of again.
        let query = sql!(text "DELETE FROM rum_loads WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM rum_loads WHERE stored_at <= $1 LIMIT 50000 FOR UPDATE SKIP LOCKED))")
        .bind::<Timestamptz, _>(now.saturating_sub(BEACONS_KEPT));
        if query.execute(&mut connection).await.map_err(failure)? == 0 {
            return Ok(());
        }
    }
}

/// Forgets in batches, each of which asks domain by domain: a read of all domains would go through the whole tables every hour.
async fn forget_rollups(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    loop {
        let query = sql!("rollups/forget_daily.sql")
            .bind::<Timestamptz, _>(now)
            .bind::<Text, _>(KEPT);
        if query.execute(&mut connection).await.map_err(failure)? == 0 {
            break;
        }
    }
    loop {
        let query = sql!("rollups/forget_histograms.sql")
            .bind::<Timestamptz, _>(now)
            .bind::<Text, _>(KEPT)
            .bind::<Array<SmallInt>, _>(rollups::metric_numbers());
        if query.execute(&mut connection).await.map_err(failure)? == 0 {
            return Ok(());
        }
    }
}

async fn forget_field_data(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    loop {
        let query = sql!(text "DELETE FROM crux_figures WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM crux_figures
                WHERE period_end < (day_before($1, $2) AT TIME ZONE 'UTC')::date LIMIT 50000))")
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT);
        if query.execute(&mut connection).await.map_err(failure)? == 0 {
            return Ok(());
        }
    }
}

/// Forgets maps that are as old as views get. A stack that one of them was of is shown as the browser told it from then on.
async fn forget_source_maps(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    let query = sql!(text "DELETE FROM rum_source_maps WHERE uploaded_at < day_before($1, $2)")
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT);
    query.execute(&mut connection).await.map(|_| ()).map_err(failure)
}

/// Forgets releases that are as old as views get: no figure is left to read by them.
async fn forget_releases(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    let query = sql!(text "DELETE FROM rum_releases WHERE released_at < day_before($1, $2)")
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT);
    query.execute(&mut connection).await.map(|_| ()).map_err(failure)
}

/// Forgets what no view has any more: kinds of errors first, since their keys are texts.
async fn forget_texts(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    let errors =
        sql!(text "DELETE FROM rum_error_groups WHERE last_seen_at < day_before($1, $2) - interval '1 day'")
            .bind::<Timestamptz, _>(now)
            .bind::<Text, _>(KEPT);
    errors.execute(&mut connection).await.map_err(failure)?;
    let counts = sql!(text "DELETE FROM rum_new_texts WHERE day < ($1 AT TIME ZONE 'UTC')::date - 2")
        .bind::<Timestamptz, _>(now);
    counts.execute(&mut connection).await.map_err(failure)?;
    loop {
        // It is known to within a month when a text was last used, and months are dropped whole.
        let query = sql!(text "DELETE FROM rum_texts WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM rum_texts
                WHERE used_on < (day_before($1, $2) AT TIME ZONE 'UTC')::date - 100 LIMIT 50000))")
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT);
        if query.execute(&mut connection).await.map_err(failure)? == 0 {
            return Ok(());
        }
    }
}

/// The domains whose real-user monitoring is switched on, and those whose field data is collected.
async fn active(mut connection: &AsyncPgConnection, domains: &[Uuid]) -> QueryResult<Vec<(Uuid, Module)>> {
    let on: Vec<Uuid> = rum_sites::table
        .filter(rum_sites::domain_id.eq_any(domains))
        .filter(rum_sites::enabled)
        .select(rum_sites::domain_id)
        .load(&mut connection)
        .await?;
    let collected: Vec<Uuid> = crux_targets::table
        .filter(crux_targets::domain_id.eq_any(domains))
        .filter(crux_targets::url.is_null())
        .select(crux_targets::domain_id)
        .load(&mut connection)
        .await?;
    let rum = on.into_iter().map(|domain| (domain, Module::Rum));
    let crux = collected.into_iter().map(|domain| (domain, Module::Crux));
    Ok(rum.chain(crux).collect())
}
