//! What is known of the sites of a batch.

use std::collections::BTreeSet;

use diesel::{
    ExpressionMethods, IntoSql, QueryDsl, QueryableByName,
    dsl::now,
    sql_query,
    sql_types::{Array, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::store::StoreError;
use pharos_persistence::{
    failure::Abort,
    json::Json,
    set_aside::{Kind, SetAside},
    statement::statement,
};
use pharos_uptime::{
    incident::Severity,
    monitor::settings::MonitorSettings,
    state::{RegionState, SKEW, Span},
    store::FinishedCheck,
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    ahead,
    fold::{Before, OpenIncident},
};
use crate::{
    monitors::{read_settings, read_state},
    schema::{uptime_incidents, uptime_monitors, uptime_region_states},
};

struct LastSpans;

#[derive(QueryableByName)]
struct LastSpanRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Text)]
    region: String,
    #[diesel(sql_type = Text)]
    state: String,
    #[diesel(sql_type = Timestamptz)]
    started_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    ended_at: OffsetDateTime,
}

/// Locks the monitors of the batch in one order, so that batches and changes of settings take turns, and reads what
/// is known of their sites: from all regions, since an outage is what most of them see.
pub(super) async fn load(
    connection: &mut AsyncPgConnection,
    finished: &[FinishedCheck],
    node: OffsetDateTime,
) -> Result<Before, Abort<StoreError>> {
    let domains: BTreeSet<Uuid> = finished.iter().map(|done| done.check.domain_id.0).collect();
    let domains: Vec<Uuid> = domains.into_iter().collect();
    let monitors: Vec<(Uuid, Json<MonitorSettings>, OffsetDateTime)> = uptime_monitors::table
        .filter(uptime_monitors::domain_id.eq_any(&domains))
        .order(uptime_monitors::domain_id)
        .for_no_key_update()
        .select((
            uptime_monitors::domain_id,
            uptime_monitors::settings,
            now.into_sql::<Timestamptz>(),
        ))
        .load(connection)
        .await?;
    // Without any monitor nothing is judged.
    let mut before = Before::at(monitors.last().map_or(node, |(_, _, present)| *present));
    for (domain, settings, _) in monitors {
        match read_settings(settings) {
            Ok(settings) => {
                before.settings.insert(domain, settings);
            }
            Err(error) => before
                .unread
                .push(SetAside::unread(Kind::Monitor, &domain, &error)),
        }
    }
    load_states(connection, &domains, &mut before).await?;
    load_open_incidents(connection, &domains, &mut before).await?;
    let keys: BTreeSet<(Uuid, &str)> = finished
        .iter()
        .map(|done| (done.check.domain_id.0, done.check.region.as_str()))
        .collect();
    load_last_spans(connection, keys, &mut before).await?;
    Ok(before)
}

/// What is known of one domain, whose monitor is locked already.
pub(super) async fn load_domain(
    connection: &mut AsyncPgConnection,
    domain: Uuid,
    settings: MonitorSettings,
    present: OffsetDateTime,
) -> Result<Before, Abort<StoreError>> {
    let mut before = Before::at(present);
    load_states(connection, &[domain], &mut before).await?;
    load_open_incidents(connection, &[domain], &mut before).await?;
    let regions: Vec<String> = before.states.keys().map(|(_, region)| region.clone()).collect();
    let keys = regions.iter().map(|region| (domain, region.as_str())).collect();
    load_last_spans(connection, keys, &mut before).await?;
    before.settings.insert(domain, settings);
    Ok(before)
}

async fn load_states(
    connection: &mut AsyncPgConnection,
    domains: &[Uuid],
    before: &mut Before,
) -> Result<(), Abort<StoreError>> {
    let states: Vec<(Uuid, String, Json<RegionState>)> = uptime_region_states::table
        .filter(uptime_region_states::domain_id.eq_any(domains))
        .select((
            uptime_region_states::domain_id,
            uptime_region_states::region,
            uptime_region_states::state,
        ))
        .load(connection)
        .await?;
    for (domain, region, state) in states {
        match read_state(state) {
            Ok(state) if state.is_ahead_of(before.present) => {}
            Ok(state) => {
                before.states.insert((domain, region), state);
            }
            Err(error) => {
                let subject = format!("{domain} {region}");
                let unread = SetAside::unread(Kind::RegionState, &subject, &error);
                before.unread.push(unread);
                before.unread_states.insert((domain, region));
            }
        }
    }
    Ok(())
}

async fn load_open_incidents(
    connection: &mut AsyncPgConnection,
    domains: &[Uuid],
    before: &mut Before,
) -> Result<(), Abort<StoreError>> {
    let open: Vec<(Uuid, Uuid, String, OffsetDateTime)> = uptime_incidents::table
        .filter(uptime_incidents::domain_id.eq_any(domains))
        .filter(uptime_incidents::resolved_at.is_null())
        .select((
            uptime_incidents::domain_id,
            uptime_incidents::id,
            uptime_incidents::severity,
            uptime_incidents::confirmed_at,
        ))
        .load(connection)
        .await?;
    for (domain, id, severity, confirmed_at) in open {
        let open = OpenIncident {
            id,
            // One that this version does not know is no wall to it.
            is_wall: severity == Severity::Degraded.as_str(),
            confirmed_at,
        };
        before.open_incidents.insert(domain, open);
    }
    ahead::bring_back(connection, before).await?;
    Ok(())
}

async fn load_last_spans(
    connection: &mut AsyncPgConnection,
    keys: BTreeSet<(Uuid, &str)>,
    before: &mut Before,
) -> Result<(), Abort<StoreError>> {
    let (domains, regions): (Vec<Uuid>, Vec<&str>) = keys.into_iter().unzip();
    let query = sql_query(include_str!("last_spans.sql"))
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<Text>, _>(regions)
        .bind::<Timestamptz, _>(before.present + SKEW);
    let rows: Vec<LastSpanRow> = statement::<LastSpans, _>(query).load(connection).await?;
    for row in rows {
        let LastSpanRow {
            domain_id,
            region,
            state,
            started_at,
            ended_at,
        } = row;
        // One in a state that this version does not know is not lengthened: the next begins where it ends.
        let Ok(state) = state.parse() else {
            continue;
        };
        let span = Span {
            region: region.clone(),
            state,
            started_at,
            ended_at,
        };
        before.last_spans.insert((domain_id, region), span);
    }
    Ok(())
}
