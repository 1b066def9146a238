//! The changes of a batch, a statement a table.

use std::collections::HashMap;

use diesel::sql_types::{Array, Bool, Integer, Jsonb, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::IncidentId, store::StoreError, time_range::TimeRange};
use pharos_persistence::{failure::Abort, json::written, sql};
use pharos_uptime::{
    complete::{After, Growth, Key, Opened, Slot, SpanKey},
    incident::TimelineEntry,
    state::{RegionState, StateSpan},
};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    incidents::{event_row::EventRow, row::NewIncidentRow},
    schedule::{hasten::hasten, keys::columns},
    schema::{uptime_incident_events, uptime_incidents},
};

pub(super) async fn save(connection: &mut AsyncPgConnection, after: After) -> Result<(), Abort<StoreError>> {
    let After {
        states,
        spans,
        superseded,
        confirmed,
        resolved,
        opened,
        growth,
        events,
        slots,
        sooner,
    } = after;
    save_states(connection, states).await?;
    // First what lies in the table already; what this batch adds comes with its right name.
    confirm(connection, confirmed).await?;
    supersede(connection, superseded).await?;
    save_spans(connection, spans).await?;
    // Ends before beginnings: a domain has one open outage at most.
    resolve(connection, resolved).await?;
    open(connection, opened).await?;
    grow(connection, growth).await?;
    tell(connection, events).await?;
    reschedule(connection, slots).await?;
    hasten(connection, sooner).await?;
    Ok(())
}

async fn save_states(
    connection: &mut AsyncPgConnection,
    states: impl IntoIterator<Item = (Key, RegionState)>,
) -> Result<(), Abort<StoreError>> {
    let (mut domains, mut regions, mut values) = (Vec::new(), Vec::new(), Vec::<Value>::new());
    for ((domain, region), state) in states {
        domains.push(domain.0);
        regions.push(region);
        values.push(written(&state).map_err(Abort::Port)?);
    }
    if domains.is_empty() {
        return Ok(());
    }
    let query = sql!("save_states.sql")
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<Text>, _>(regions)
        .bind::<Array<Jsonb>, _>(values);
    query.execute(connection).await?;
    Ok(())
}

async fn confirm(
    connection: &mut AsyncPgConnection,
    confirmed: Vec<(Key, OffsetDateTime)>,
) -> diesel::QueryResult<()> {
    if confirmed.is_empty() {
        return Ok(());
    }
    let (keys, since): (Vec<Key>, Vec<OffsetDateTime>) = confirmed.into_iter().unzip();
    let (domains, regions) = columns(keys);
    let query = sql!("confirm.sql")
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<Text>, _>(regions)
        .bind::<Array<Timestamptz>, _>(since);
    query.execute(connection).await?;
    Ok(())
}

async fn supersede(
    connection: &mut AsyncPgConnection,
    superseded: Vec<(Key, TimeRange)>,
) -> diesel::QueryResult<()> {
    if superseded.is_empty() {
        return Ok(());
    }
    let (keys, ranges): (Vec<Key>, Vec<TimeRange>) = superseded.into_iter().unzip();
    let (domains, regions) = columns(keys);
    let (starts, ends): (Vec<OffsetDateTime>, Vec<OffsetDateTime>) =
        ranges.into_iter().map(|range| (range.from, range.until)).unzip();
    let query = sql!("supersede.sql")
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<Text>, _>(regions)
        .bind::<Array<Timestamptz>, _>(starts)
        .bind::<Array<Timestamptz>, _>(ends);
    query.execute(connection).await?;
    Ok(())
}

async fn save_spans(
    connection: &mut AsyncPgConnection,
    spans: impl IntoIterator<Item = (SpanKey, StateSpan)>,
) -> diesel::QueryResult<()> {
    let (mut domains, mut regions, mut states) = (Vec::new(), Vec::new(), Vec::new());
    let (mut starts, mut ends) = (Vec::new(), Vec::new());
    for ((domain, region, started_at), span) in spans {
        domains.push(domain.0);
        regions.push(region);
        states.push(span.state.as_str());
        starts.push(started_at);
        ends.push(span.ended_at);
    }
    if domains.is_empty() {
        return Ok(());
    }
    let query = sql!("save_spans.sql")
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<Text>, _>(regions)
        .bind::<Array<Text>, _>(states)
        .bind::<Array<Timestamptz>, _>(starts)
        .bind::<Array<Timestamptz>, _>(ends);
    query.execute(connection).await?;
    Ok(())
}

async fn resolve(
    connection: &mut AsyncPgConnection,
    resolved: Vec<(IncidentId, OffsetDateTime)>,
) -> diesel::QueryResult<()> {
    if resolved.is_empty() {
        return Ok(());
    }
    let (ids, ends): (Vec<Uuid>, Vec<OffsetDateTime>) = resolved
        .into_iter()
        .map(|(incident, end)| (incident.0, end))
        .unzip();
    let query = sql!("resolve.sql")
        .bind::<Array<SqlUuid>, _>(ids)
        .bind::<Array<Timestamptz>, _>(ends);
    query.execute(connection).await?;
    Ok(())
}

async fn open(connection: &mut AsyncPgConnection, opened: Vec<Opened>) -> Result<(), Abort<StoreError>> {
    if opened.is_empty() {
        return Ok(());
    }
    let rows = opened
        .into_iter()
        .map(NewIncidentRow::try_from)
        .collect::<Result<Vec<_>, _>>()
        .map_err(Abort::Port)?;
    diesel::insert_into(uptime_incidents::table)
        .values(rows)
        .execute(connection)
        .await?;
    Ok(())
}

async fn grow(
    connection: &mut AsyncPgConnection,
    growth: HashMap<IncidentId, Growth>,
) -> diesel::QueryResult<()> {
    let (mut ids, mut failed, mut maintained) = (Vec::new(), Vec::new(), Vec::new());
    for (id, growth) in growth {
        if growth != Growth::default() {
            ids.push(id.0);
            failed.push(i32::try_from(growth.checks_failed).unwrap_or(i32::MAX));
            maintained.push(growth.during_maintenance);
        }
    }
    if ids.is_empty() {
        return Ok(());
    }
    let query = sql!("grow.sql")
        .bind::<Array<SqlUuid>, _>(ids)
        .bind::<Array<Integer>, _>(failed)
        .bind::<Array<Bool>, _>(maintained);
    query.execute(connection).await?;
    Ok(())
}

async fn tell(
    connection: &mut AsyncPgConnection,
    events: Vec<(IncidentId, TimelineEntry)>,
) -> diesel::QueryResult<()> {
    if events.is_empty() {
        return Ok(());
    }
    let rows: Vec<EventRow> = events.into_iter().map(EventRow::from).collect();
    diesel::insert_into(uptime_incident_events::table)
        .values(rows)
        .execute(connection)
        .await?;
    Ok(())
}

pub(super) async fn reschedule(
    connection: &mut AsyncPgConnection,
    slots: Vec<Slot>,
) -> diesel::QueryResult<()> {
    if slots.is_empty() {
        return Ok(());
    }
    let (mut domains, mut regions) = (Vec::new(), Vec::new());
    let (mut due, mut next) = (Vec::new(), Vec::new());
    for slot in slots {
        let Slot { key, due_at, next_at } = slot;
        domains.push(key.0.0);
        regions.push(key.1);
        due.push(due_at);
        next.push(next_at);
    }
    let query = sql!("done.sql")
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<Text>, _>(regions)
        .bind::<Array<Timestamptz>, _>(due)
        .bind::<Array<Timestamptz>, _>(next);
    query.execute(connection).await?;
    Ok(())
}
