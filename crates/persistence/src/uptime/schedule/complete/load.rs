//! What is known of the sites of a batch.

use std::collections::{BTreeSet, HashSet};

use diesel::{
    ExpressionMethods, QueryDsl, QueryableByName, sql_query,
    sql_types::{Array, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::store::StoreError;
use pharos_uptime::{
    incident::Severity,
    monitor::settings::MonitorSettings,
    state::{RegionState, Span},
    store::FinishedCheck,
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::fold::{Before, OpenIncident};
use crate::{
    failure::Abort,
    json::Json,
    schema::{uptime_checks, uptime_incidents, uptime_monitors, uptime_region_states},
    set_aside::{Kind, SetAside},
    statement::statement,
    uptime::monitors::{read_settings, read_state},
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
) -> Result<Before, Abort<StoreError>> {
    let domains: BTreeSet<Uuid> = finished.iter().map(|done| done.check.domain_id.0).collect();
    let domains: Vec<Uuid> = domains.into_iter().collect();
    let mut before = Before::default();
    let monitors: Vec<(Uuid, Json<MonitorSettings>)> = uptime_monitors::table
        .filter(uptime_monitors::domain_id.eq_any(&domains))
        .order(uptime_monitors::domain_id)
        .for_no_key_update()
        .select((uptime_monitors::domain_id, uptime_monitors::settings))
        .load(connection)
        .await?;
    for (domain, settings) in monitors {
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
) -> Result<Before, Abort<StoreError>> {
    let mut before = Before::default();
    load_states(connection, &[domain], &mut before).await?;
    load_open_incidents(connection, &[domain], &mut before).await?;
    let regions: Vec<String> = before.states.keys().map(|(_, region)| region.clone()).collect();
    let keys = regions.iter().map(|region| (domain, region.as_str())).collect();
    load_last_spans(connection, keys, &mut before).await?;
    before.settings.insert(domain, settings);
    Ok(before)
}

/// Drops checks of runs that have one of that region already: a job whose worker was too slow is done twice. Who
/// gets here holds the monitors, so of two that come together the second sees what the first has stored.
pub(super) async fn without_repeats(
    connection: &mut AsyncPgConnection,
    mut finished: Vec<FinishedCheck>,
) -> diesel::QueryResult<Vec<FinishedCheck>> {
    let runs: Vec<Uuid> = finished
        .iter()
        .filter_map(|done| Some(done.check.run_id?.0))
        .collect();
    if runs.is_empty() {
        return Ok(finished);
    }
    let stored: Vec<(Option<Uuid>, String)> = uptime_checks::table
        .filter(uptime_checks::run_id.eq_any(runs))
        .select((uptime_checks::run_id, uptime_checks::region))
        .load(connection)
        .await?;
    let mut stored: HashSet<(Option<Uuid>, String)> = stored.into_iter().collect();
    finished.retain(|done| {
        let run_id = done.check.run_id.map(|run| run.0);
        run_id.is_none() || stored.insert((run_id, done.check.region.clone()))
    });
    Ok(finished)
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
        .bind::<Array<Text>, _>(regions);
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
