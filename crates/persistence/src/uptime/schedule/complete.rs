//! Storing finished checks with what they change, in one transaction.

mod fold;
mod new_check;

use std::collections::BTreeSet;

use diesel::{
    BoolExpressionMethods, ExpressionMethods, QueryDsl, QueryableByName, sql_query,
    sql_types::{Array, Text, Timestamptz, Uuid as SqlUuid},
    upsert::excluded,
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_uptime::{state::Span, store::FinishedCheck};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use self::{
    fold::{After, Before, fold},
    new_check::NewCheckRow,
};
use crate::{
    failure::{Abort, failure},
    moment::to_micros,
    pool::Database,
    uptime::monitors::parse_settings,
    schema::{uptime_checks, uptime_incidents, uptime_monitors, uptime_region_states, uptime_spans},
    statement::statement,
};

struct LastSpans;
struct Confirm;
struct Done;

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

pub(super) async fn complete(
    database: &Database,
    finished: &[FinishedCheck],
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let finished = in_order(finished);
    let mut connection = database.connection().await?;
    connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            let before = load(connection, &finished).await.map_err(Abort::Port)?;
            let after = fold(before, &finished, now);
            let rows: Vec<NewCheckRow> = finished.into_iter().map(|done| NewCheckRow::from(done.check)).collect();
            diesel::insert_into(uptime_checks::table)
                .values(rows)
                .on_conflict_do_nothing()
                .execute(connection)
                .await?;
            save(connection, after).await.map_err(Abort::Port)
        })
        .await
        .map_err(Abort::answer)
}

/// One order for all batches, by domain, then time; and times as they will be stored.
fn in_order(finished: &[FinishedCheck]) -> Vec<FinishedCheck> {
    let mut finished = finished.to_vec();
    for done in &mut finished {
        done.check.checked_at = to_micros(done.check.checked_at);
        done.due_at = to_micros(done.due_at);
    }
    finished.sort_by_key(|done| (done.check.domain_id, done.check.checked_at));
    finished
}

fn read<T: serde::de::DeserializeOwned>(json: Value, what: &str) -> Result<T, StoreError> {
    serde_json::from_value(json).map_err(|error| StoreError::Corrupt(format!("{what}: {error}")))
}

fn written<T: serde::Serialize>(value: &T, what: &str) -> Result<Value, StoreError> {
    serde_json::to_value(value).map_err(|error| StoreError::Corrupt(format!("{what}: {error}")))
}

/// Locks the monitors of the batch, in one order, and reads what is known of their sites.
async fn load(connection: &mut AsyncPgConnection, finished: &[FinishedCheck]) -> Result<Before, StoreError> {
    let domains: BTreeSet<Uuid> = finished.iter().map(|done| done.check.domain_id.0).collect();
    let domains: Vec<Uuid> = domains.into_iter().collect();
    let keys: BTreeSet<(DomainId, &str)> =
        finished.iter().map(|done| (done.check.domain_id, done.check.region.as_str())).collect();
    let (ids, regions): (Vec<Uuid>, Vec<&str>) = keys.into_iter().map(|(domain, region)| (domain.0, region)).unzip();

    let mut before = Before::default();
    let monitors: Vec<(Uuid, Value)> = uptime_monitors::table
        .filter(uptime_monitors::domain_id.eq_any(&domains))
        .order(uptime_monitors::domain_id)
        .for_no_key_update()
        .select((uptime_monitors::domain_id, uptime_monitors::settings))
        .load(connection)
        .await
        .map_err(failure)?;
    for (domain, settings) in monitors {
        before.settings.insert(domain, parse_settings(settings)?);
    }
    let states: Vec<(Uuid, String, Value)> = uptime_region_states::table
        .filter(uptime_region_states::domain_id.eq_any(&domains))
        .select((uptime_region_states::domain_id, uptime_region_states::region, uptime_region_states::state))
        .load(connection)
        .await
        .map_err(failure)?;
    for (domain, region, state) in states {
        before.states.insert((domain, region), read(state, "a region's state")?);
    }
    let query = sql_query(include_str!("complete/last_spans.sql"))
        .bind::<Array<SqlUuid>, _>(&ids)
        .bind::<Array<Text>, _>(&regions);
    let spans: Vec<LastSpanRow> = statement::<LastSpans, _>(query).get_results(connection).await.map_err(failure)?;
    for LastSpanRow { domain_id, region, state, started_at, ended_at } in spans {
        let span = Span { region: region.clone(), state: state.parse()?, started_at, ended_at };
        before.last_spans.insert((domain_id, region), span);
    }
    let open: Vec<(Uuid, Uuid)> = uptime_incidents::table
        .filter(uptime_incidents::domain_id.eq_any(&domains).and(uptime_incidents::resolved_at.is_null()))
        .select((uptime_incidents::domain_id, uptime_incidents::id))
        .load(connection)
        .await
        .map_err(failure)?;
    before.open_incidents = open.into_iter().collect();
    Ok(before)
}

async fn save(connection: &mut AsyncPgConnection, after: After) -> Result<(), StoreError> {
    let After { states, spans, confirmed, opened, resolved, next } = after;
    let states = states
        .into_iter()
        .map(|((domain, region), state)| {
            Ok((
                uptime_region_states::domain_id.eq(domain),
                uptime_region_states::region.eq(region),
                uptime_region_states::state.eq(written(&state, "a region's state")?),
            ))
        })
        .collect::<Result<Vec<_>, StoreError>>()?;
    diesel::insert_into(uptime_region_states::table)
        .values(states)
        .on_conflict((uptime_region_states::domain_id, uptime_region_states::region))
        .do_update()
        .set(uptime_region_states::state.eq(excluded(uptime_region_states::state)))
        .execute(connection)
        .await
        .map_err(failure)?;

    let (mut ids, mut regions, mut since) = (Vec::new(), Vec::new(), Vec::new());
    for (domain, region, from) in confirmed {
        ids.push(domain);
        regions.push(region);
        since.push(from);
    }
    if !ids.is_empty() {
        let query = sql_query(include_str!("complete/confirm.sql"))
            .bind::<Array<SqlUuid>, _>(ids)
            .bind::<Array<Text>, _>(regions)
            .bind::<Array<Timestamptz>, _>(since);
        statement::<Confirm, _>(query).execute(connection).await.map_err(failure)?;
    }
    let spans: Vec<_> = spans
        .into_iter()
        .map(|((domain, region, started_at), span)| {
            (
                uptime_spans::domain_id.eq(domain),
                uptime_spans::region.eq(region),
                uptime_spans::state.eq(span.state.as_str()),
                uptime_spans::started_at.eq(started_at),
                uptime_spans::ended_at.eq(span.ended_at),
            )
        })
        .collect();
    diesel::insert_into(uptime_spans::table)
        .values(spans)
        .on_conflict((uptime_spans::domain_id, uptime_spans::region, uptime_spans::started_at))
        .do_update()
        .set((
            uptime_spans::state.eq(excluded(uptime_spans::state)),
            uptime_spans::ended_at.eq(excluded(uptime_spans::ended_at)),
        ))
        .execute(connection)
        .await
        .map_err(failure)?;

    let opened: Vec<_> = opened
        .into_iter()
        .map(|opened| {
            (
                uptime_incidents::id.eq(opened.id),
                uptime_incidents::domain_id.eq(opened.domain),
                uptime_incidents::started_at.eq(opened.started_at),
                uptime_incidents::confirmed_at.eq(opened.confirmed_at),
                uptime_incidents::resolved_at.eq(opened.resolved_at),
            )
        })
        .collect();
    // What ended before what begins: a domain has one open outage at most.
    for (incident, at) in resolved {
        diesel::update(uptime_incidents::table.find(incident))
            .set(uptime_incidents::resolved_at.eq(at))
            .execute(connection)
            .await
            .map_err(failure)?;
    }
    diesel::insert_into(uptime_incidents::table).values(opened).execute(connection).await.map_err(failure)?;

    let (mut ids, mut regions, mut due, mut then) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (domain, region, due_at, next_at) in next {
        ids.push(domain);
        regions.push(region);
        due.push(due_at);
        then.push(next_at);
    }
    let query = sql_query(include_str!("complete/done.sql"))
        .bind::<Array<SqlUuid>, _>(ids)
        .bind::<Array<Text>, _>(regions)
        .bind::<Array<Timestamptz>, _>(due)
        .bind::<Array<Timestamptz>, _>(then);
    statement::<Done, _>(query).execute(connection).await.map(|_| ()).map_err(failure)
}
