//! The statements of a batch: as many for a thousand beacons as for one.
//!
//! Rows are locked in one order by all who store: beacons, visitors, orders, titles, progress, and each kind by its key.

use std::collections::{BTreeMap, BTreeSet};

use diesel::{
    QueryableByName,
    sql_types::{
        Array, BigInt, Bool, Double, Integer, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid,
    },
};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pharos_analytics::sessions::{Visit, Visits};
use pharos_domain::{
    collect::{Beacon, event::Events},
    ids::DomainId,
    store::StoreError,
};
use pharos_persistence::{failure::Abort, sql};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    fold::{Folded, Touched, Visitor, fold, signals},
    rows::{CommerceRow, Rows},
    session::SessionRow,
};
use crate::dictionary::Numbers;

type Saved = Result<(), Abort<StoreError>>;

/// Stores a batch, part of which may have been stored before.
pub(super) async fn save(
    connection: &mut AsyncPgConnection,
    batch: &[Beacon<Events>],
    numbers: &Numbers,
) -> Saved {
    // Rows are found by their keys one by one: however little PostgreSQL knows yet of a month that is new, reading all of
    // it is never better.
    connection
        .batch_execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off")
        .await?;
    let fresh = fresh(connection, batch).await?;
    let signals = signals(fresh);
    if signals.is_empty() {
        return Ok(());
    }
    let keys: BTreeSet<Visitor> = signals.iter().map(|signal| signal.visitor).collect();
    let visitors = lock_visitors(connection, &keys).await?;
    let folded = fold(signals, visitors, numbers).map_err(Abort::Port)?;
    save_sessions(connection, &folded).await?;
    let mut rows = Rows::of(&folded, numbers).map_err(Abort::Port)?;
    save_hits(connection, &rows).await?;
    save_engagements(connection, &rows).await?;
    save_properties(connection, &rows).await?;
    save_orders(connection, &mut rows.commerce).await?;
    hold_refunded_orders(connection, &rows).await?;
    save_commerce(connection, &rows).await?;
    save_items(connection, &rows).await?;
    save_titles(connection, &rows).await?;
    save_visits(connection, &folded.visitors).await?;
    save_progress(connection, &folded, &rows).await
}

/// A column of rows.
fn column<R, T>(rows: &[R], of: impl Fn(&R) -> T) -> Vec<T> {
    rows.iter().map(of).collect()
}

#[derive(QueryableByName)]
struct BeaconRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    beacon_id: Uuid,
}

/// The beacons that were not stored before, each once.
async fn fresh<'a>(
    connection: &mut AsyncPgConnection,
    batch: &'a [Beacon<Events>],
) -> Result<Vec<&'a Beacon<Events>>, Abort<StoreError>> {
    let told: BTreeMap<(Uuid, Uuid), &Beacon<Events>> = batch
        .iter()
        .rev()
        .map(|beacon| ((beacon.domain.0, beacon.id), beacon))
        .collect();
    let (domains, beacons): (Vec<Uuid>, Vec<Uuid>) = told.keys().copied().unzip();
    let query = sql!("beacons.sql")
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<SqlUuid>, _>(beacons);
    let fresh: Vec<BeaconRow> = query.load(connection).await?;
    let fresh = fresh
        .into_iter()
        .filter_map(|row| told.get(&(row.domain_id, row.beacon_id)).copied());
    Ok(fresh.collect())
}

#[derive(QueryableByName)]
struct VisitorRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = BigInt)]
    visitor_id: i64,
    #[diesel(sql_type = Array<BigInt>)]
    visits: Vec<i64>,
}

/// Locks visitors, and says which sessions they have.
async fn lock_visitors(
    connection: &mut AsyncPgConnection,
    keys: &BTreeSet<Visitor>,
) -> Result<BTreeMap<Visitor, Visits>, Abort<StoreError>> {
    let (domains, visitors): (Vec<Uuid>, Vec<i64>) = keys.iter().map(|(domain, id)| (domain.0, *id)).unzip();
    let query = sql!("visitors.sql")
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<BigInt>, _>(visitors);
    let rows: Vec<VisitorRow> = query.load(connection).await?;
    let visitors = rows.into_iter().map(|row| {
        let visits = row.visits.chunks(3).map(read_visit).collect::<Result<_, _>>()?;
        Ok(((DomainId(row.domain_id), row.visitor_id), Visits::new(visits)))
    });
    visitors.collect::<Result<_, StoreError>>().map_err(Abort::Port)
}

fn read_visit(numbers: &[i64]) -> Result<Visit, StoreError> {
    let moment = |micros: i64| OffsetDateTime::from_unix_timestamp_nanos(i128::from(micros) * 1_000).ok();
    let visit = match *numbers {
        [id, started, ended] => moment(started)
            .zip(moment(ended))
            .map(|(started_at, ended_at)| Visit {
                id,
                started_at,
                ended_at,
            }),
        _ => None,
    };
    visit.ok_or_else(|| StoreError::Corrupt(format!("{numbers:?} are no session")))
}

fn micros(moment: OffsetDateTime) -> i64 {
    // Moments of years 0 to 9999, in microseconds, are whole numbers of 64 bits.
    i64::try_from(moment.unix_timestamp_nanos() / 1_000).unwrap_or(i64::MAX)
}

async fn save_visits(connection: &mut AsyncPgConnection, visitors: &BTreeMap<Visitor, Visits>) -> Saved {
    let (mut domains, mut ids, mut ends, mut numbers) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for ((domain, id), visits) in visitors {
        domains.push(domain.0);
        ids.push(*id);
        for visit in visits.as_slice() {
            numbers.extend([visit.id, micros(visit.started_at), micros(visit.ended_at)]);
        }
        ends.push(i32::try_from(numbers.len()).unwrap_or(i32::MAX));
    }
    let query = sql!("save_visits.sql")
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<BigInt>, _>(ids)
        .bind::<Array<Integer>, _>(ends)
        .bind::<Array<BigInt>, _>(numbers);
    query.execute(connection).await?;
    Ok(())
}

async fn save_sessions(connection: &mut AsyncPgConnection, folded: &Folded<'_>) -> Saved {
    let mut touched: Vec<&Touched> = folded.sessions.values().collect();
    touched.sort_by_key(|touched| (touched.visitor, touched.visit.started_at));
    let new: Vec<(&Touched, &SessionRow)> = touched
        .iter()
        .filter(|touched| touched.began_at.is_none())
        .filter_map(|touched| Some((*touched, touched.row.as_ref()?)))
        .collect();
    insert_sessions(connection, &new).await?;
    let grown: Vec<(&Touched, OffsetDateTime)> = touched
        .iter()
        .filter_map(|touched| Some((*touched, touched.began_at?)))
        .collect();
    grow_sessions(connection, &grown).await?;
    let begun: Vec<(&Touched, OffsetDateTime, &SessionRow)> = grown
        .iter()
        .filter_map(|(touched, began_at)| Some((*touched, *began_at, touched.row.as_ref()?)))
        .collect();
    begin_sessions(connection, &begun).await
}

async fn insert_sessions(connection: &mut AsyncPgConnection, new: &[(&Touched, &SessionRow)]) -> Saved {
    if new.is_empty() {
        return Ok(());
    }
    let other = |place: usize| column(new, |(_, row)| row.others[place]);
    let query = sql!("new_sessions.sql")
        .bind::<Array<SqlUuid>, _>(column(new, |(touched, _)| touched.visitor.0.0))
        .bind::<Array<BigInt>, _>(column(new, |(touched, _)| touched.visitor.1))
        .bind::<Array<BigInt>, _>(column(new, |(touched, _)| touched.visit.id))
        .bind::<Array<Timestamptz>, _>(column(new, |(touched, _)| touched.visit.started_at))
        .bind::<Array<Timestamptz>, _>(column(new, |(touched, _)| touched.visit.ended_at))
        .bind::<Array<Integer>, _>(column(new, |(touched, _)| touched.pageviews))
        .bind::<Array<Integer>, _>(column(new, |(touched, _)| touched.events))
        .bind::<Array<Integer>, _>(column(new, |(touched, _)| touched.clicks))
        .bind::<Array<Nullable<Integer>>, _>(column(new, |(touched, _)| touched.entry.map(|(_, page)| page)))
        .bind::<Array<Nullable<Timestamptz>>, _>(column(new, |(touched, _)| touched.entry.map(|(at, _)| at)))
        .bind::<Array<Nullable<Integer>>, _>(column(new, |(touched, _)| touched.exit.map(|(_, page)| page)))
        .bind::<Array<Nullable<Timestamptz>>, _>(column(new, |(touched, _)| touched.exit.map(|(at, _)| at)))
        .bind::<Array<SmallInt>, _>(column(new, |(_, row)| row.channel))
        .bind::<Array<Integer>, _>(column(new, |(_, row)| row.source))
        .bind::<Array<SmallInt>, _>(column(new, |(_, row)| row.device))
        .bind::<Array<Nullable<Integer>>, _>(other(0))
        .bind::<Array<Nullable<Integer>>, _>(other(1))
        .bind::<Array<Nullable<Integer>>, _>(other(2))
        .bind::<Array<Nullable<Integer>>, _>(other(3))
        .bind::<Array<Nullable<Integer>>, _>(other(4))
        .bind::<Array<Nullable<Integer>>, _>(other(5))
        .bind::<Array<Nullable<Integer>>, _>(other(6))
        .bind::<Array<Nullable<Integer>>, _>(other(7))
        .bind::<Array<Nullable<Integer>>, _>(other(8))
        .bind::<Array<Nullable<Integer>>, _>(other(9))
        .bind::<Array<Nullable<Integer>>, _>(other(10))
        .bind::<Array<Nullable<Integer>>, _>(other(11))
        .bind::<Array<Nullable<Integer>>, _>(other(12))
        .bind::<Array<Nullable<Integer>>, _>(other(13));
    query.execute(connection).await?;
    Ok(())
}

async fn grow_sessions(connection: &mut AsyncPgConnection, grown: &[(&Touched, OffsetDateTime)]) -> Saved {
    if grown.is_empty() {
        return Ok(());
    }
    let query = sql!("grown_sessions.sql")
        .bind::<Array<SqlUuid>, _>(column(grown, |(touched, _)| touched.visitor.0.0))
        .bind::<Array<Timestamptz>, _>(column(grown, |(_, began_at)| *began_at))
        .bind::<Array<BigInt>, _>(column(grown, |(touched, _)| touched.visit.id))
        .bind::<Array<Timestamptz>, _>(column(grown, |(touched, _)| touched.visit.ended_at))
        .bind::<Array<Integer>, _>(column(grown, |(touched, _)| touched.pageviews))
        .bind::<Array<Integer>, _>(column(grown, |(touched, _)| touched.events))
        .bind::<Array<Integer>, _>(column(grown, |(touched, _)| touched.clicks))
        .bind::<Array<Nullable<Integer>>, _>(column(grown, |(touched, _)| {
            touched.entry.map(|(_, page)| page)
        }))
        .bind::<Array<Nullable<Timestamptz>>, _>(column(grown, |(touched, _)| {
            touched.entry.map(|(at, _)| at)
        }))
        .bind::<Array<Nullable<Integer>>, _>(column(grown, |(touched, _)| touched.exit.map(|(_, page)| page)))
        .bind::<Array<Nullable<Timestamptz>>, _>(column(grown, |(touched, _)| {
            touched.exit.map(|(at, _)| at)
        }));
    query.execute(connection).await?;
    Ok(())
}

async fn begin_sessions(
    connection: &mut AsyncPgConnection,
    begun: &[(&Touched, OffsetDateTime, &SessionRow)],
) -> Saved {
    if begun.is_empty() {
        return Ok(());
    }
    let other = |place: usize| column(begun, |(_, _, row)| row.others[place]);
    let query = sql!("begun_sessions.sql")
        .bind::<Array<SqlUuid>, _>(column(begun, |(touched, _, _)| touched.visitor.0.0))
        .bind::<Array<Timestamptz>, _>(column(begun, |(_, began_at, _)| *began_at))
        .bind::<Array<BigInt>, _>(column(begun, |(touched, _, _)| touched.visit.id))
        .bind::<Array<Timestamptz>, _>(column(begun, |(touched, _, _)| touched.visit.started_at))
        .bind::<Array<SmallInt>, _>(column(begun, |(_, _, row)| row.channel))
        .bind::<Array<Integer>, _>(column(begun, |(_, _, row)| row.source))
        .bind::<Array<SmallInt>, _>(column(begun, |(_, _, row)| row.device))
        .bind::<Array<Nullable<Integer>>, _>(other(0))
        .bind::<Array<Nullable<Integer>>, _>(other(1))
        .bind::<Array<Nullable<Integer>>, _>(other(2))
        .bind::<Array<Nullable<Integer>>, _>(other(3))
        .bind::<Array<Nullable<Integer>>, _>(other(4))
        .bind::<Array<Nullable<Integer>>, _>(other(5))
        .bind::<Array<Nullable<Integer>>, _>(other(6))
        .bind::<Array<Nullable<Integer>>, _>(other(7))
        .bind::<Array<Nullable<Integer>>, _>(other(8))
        .bind::<Array<Nullable<Integer>>, _>(other(9))
        .bind::<Array<Nullable<Integer>>, _>(other(10))
        .bind::<Array<Nullable<Integer>>, _>(other(11))
        .bind::<Array<Nullable<Integer>>, _>(other(12))
        .bind::<Array<Nullable<Integer>>, _>(other(13));
    query.execute(connection).await?;
    Ok(())
}

async fn save_hits(connection: &mut AsyncPgConnection, Rows { hits, .. }: &Rows<'_>) -> Saved {
    if hits.is_empty() {
        return Ok(());
    }
    let query = sql!("hits.sql")
        .bind::<Array<SqlUuid>, _>(column(hits, |hit| hit.key.domain))
        .bind::<Array<Timestamptz>, _>(column(hits, |hit| hit.key.at))
        .bind::<Array<BigInt>, _>(column(hits, |hit| hit.key.hit))
        .bind::<Array<BigInt>, _>(column(hits, |hit| hit.key.session))
        .bind::<Array<Timestamptz>, _>(column(hits, |hit| hit.started_at))
        .bind::<Array<SmallInt>, _>(column(hits, |hit| hit.kind))
        .bind::<Array<Integer>, _>(column(hits, |hit| hit.page))
        .bind::<Array<Nullable<Integer>>, _>(column(hits, |hit| hit.event))
        .bind::<Array<Nullable<Integer>>, _>(column(hits, |hit| hit.link))
        .bind::<Array<Nullable<Integer>>, _>(column(hits, |hit| hit.term))
        .bind::<Array<Nullable<Integer>>, _>(column(hits, |hit| hit.results));
    query.execute(connection).await?;
    Ok(())
}

async fn save_engagements(connection: &mut AsyncPgConnection, Rows { engagements, .. }: &Rows<'_>) -> Saved {
    if engagements.is_empty() {
        return Ok(());
    }
    let query = sql!("engagements.sql")
        .bind::<Array<SqlUuid>, _>(column(engagements, |row| row.domain))
        .bind::<Array<Timestamptz>, _>(column(engagements, |row| row.at))
        .bind::<Array<BigInt>, _>(column(engagements, |row| row.id))
        .bind::<Array<Nullable<BigInt>>, _>(column(engagements, |row| row.session))
        .bind::<Array<BigInt>, _>(column(engagements, |row| row.load))
        .bind::<Array<Integer>, _>(column(engagements, |row| row.page))
        .bind::<Array<Integer>, _>(column(engagements, |row| row.visible_ms))
        .bind::<Array<Nullable<SmallInt>>, _>(column(engagements, |row| row.scroll_pct));
    query.execute(connection).await?;
    Ok(())
}

async fn save_properties(connection: &mut AsyncPgConnection, Rows { properties, .. }: &Rows<'_>) -> Saved {
    if properties.is_empty() {
        return Ok(());
    }
    let query = sql!("properties.sql")
        .bind::<Array<SqlUuid>, _>(column(properties, |row| row.key.domain))
        .bind::<Array<Timestamptz>, _>(column(properties, |row| row.key.at))
        .bind::<Array<BigInt>, _>(column(properties, |row| row.key.hit))
        .bind::<Array<BigInt>, _>(column(properties, |row| row.key.session))
        .bind::<Array<BigInt>, _>(column(properties, |row| row.key.visitor))
        .bind::<Array<Integer>, _>(column(properties, |row| row.event))
        .bind::<Array<SmallInt>, _>(column(properties, |row| row.place))
        .bind::<Array<Integer>, _>(column(properties, |row| row.property))
        .bind::<Array<Nullable<Integer>>, _>(column(properties, |row| row.text))
        .bind::<Array<Nullable<Double>>, _>(column(properties, |row| row.number))
        .bind::<Array<Nullable<Bool>>, _>(column(properties, |row| row.flag));
    query.execute(connection).await?;
    Ok(())
}

#[derive(QueryableByName)]
struct OrderRow {
    #[diesel(sql_type = BigInt)]
    hit_id: i64,
}

/// Records orders by their ids, and marks the purchases of one that was there before.
async fn save_orders(connection: &mut AsyncPgConnection, commerce: &mut [CommerceRow<'_>]) -> Saved {
    let mut orders: BTreeMap<(Uuid, &str), &CommerceRow<'_>> = BTreeMap::new();
    for row in commerce.iter().filter(|row| row.is_purchase()) {
        if let Some(order_id) = row.order_id.as_deref() {
            orders.entry((row.key.domain, order_id)).or_insert(row);
        }
    }
    if orders.is_empty() {
        return Ok(());
    }
    let orders: Vec<(&str, &CommerceRow<'_>)> = orders.into_iter().map(|((_, id), row)| (id, row)).collect();
    let query = sql!("orders.sql")
        .bind::<Array<SqlUuid>, _>(column(&orders, |(_, row)| row.key.domain))
        .bind::<Array<Text>, _>(column(&orders, |(id, _)| *id))
        .bind::<Array<Timestamptz>, _>(column(&orders, |(_, row)| row.key.at))
        .bind::<Array<BigInt>, _>(column(&orders, |(_, row)| row.key.hit))
        .bind::<Array<Nullable<BigInt>>, _>(column(&orders, |(_, row)| row.value_cents))
        .bind::<Array<Text>, _>(column(&orders, |(_, row)| row.currency));
    let new: Vec<OrderRow> = query.load(connection).await?;
    let new: BTreeSet<i64> = new.into_iter().map(|row| row.hit_id).collect();
    for row in commerce.iter_mut() {
        row.is_repeated = row.is_purchase() && row.order_id.is_some() && !new.contains(&row.key.hit);
    }
    Ok(())
}

/// Locks the orders that are refunded, so that batches at once do not both refund all that is left of one.
async fn hold_refunded_orders(connection: &mut AsyncPgConnection, Rows { commerce, .. }: &Rows<'_>) -> Saved {
    let refunded: BTreeSet<(Uuid, &str)> = commerce
        .iter()
        .filter(|row| row.is_refund())
        .filter_map(|row| Some((row.key.domain, row.order_id.as_deref()?)))
        .collect();
    if refunded.is_empty() {
        return Ok(());
    }
    let (domains, orders): (Vec<Uuid>, Vec<&str>) = refunded.into_iter().unzip();
    let query = sql!("refunded_orders.sql")
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<Text>, _>(orders);
    query.execute(connection).await?;
    Ok(())
}

async fn save_commerce(connection: &mut AsyncPgConnection, Rows { commerce, .. }: &Rows<'_>) -> Saved {
    if commerce.is_empty() {
        return Ok(());
    }
    let query = sql!("commerce.sql")
        .bind::<Array<SqlUuid>, _>(column(commerce, |row| row.key.domain))
        .bind::<Array<Timestamptz>, _>(column(commerce, |row| row.key.at))
        .bind::<Array<BigInt>, _>(column(commerce, |row| row.key.hit))
        .bind::<Array<BigInt>, _>(column(commerce, |row| row.key.session))
        .bind::<Array<BigInt>, _>(column(commerce, |row| row.key.visitor))
        .bind::<Array<SmallInt>, _>(column(commerce, |row| row.step))
        .bind::<Array<Nullable<BigInt>>, _>(column(commerce, |row| row.value_cents))
        .bind::<Array<Text>, _>(column(commerce, |row| row.currency))
        .bind::<Array<Bool>, _>(column(commerce, |row| row.is_repeated))
        .bind::<Array<Nullable<Text>>, _>(column(commerce, |row| row.order_id.as_deref().map(str::to_owned)));
    query.execute(connection).await?;
    Ok(())
}

async fn save_items(connection: &mut AsyncPgConnection, Rows { items, .. }: &Rows<'_>) -> Saved {
    if items.is_empty() {
        return Ok(());
    }
    let query = sql!("items.sql")
        .bind::<Array<SqlUuid>, _>(column(items, |row| row.key.domain))
        .bind::<Array<Timestamptz>, _>(column(items, |row| row.key.at))
        .bind::<Array<BigInt>, _>(column(items, |row| row.key.hit))
        .bind::<Array<BigInt>, _>(column(items, |row| row.key.session))
        .bind::<Array<SmallInt>, _>(column(items, |row| row.step))
        .bind::<Array<SmallInt>, _>(column(items, |row| row.place))
        .bind::<Array<Integer>, _>(column(items, |row| row.product))
        .bind::<Array<Nullable<Integer>>, _>(column(items, |row| row.others[0]))
        .bind::<Array<Nullable<Integer>>, _>(column(items, |row| row.others[1]))
        .bind::<Array<Nullable<Integer>>, _>(column(items, |row| row.others[2]))
        .bind::<Array<Nullable<Integer>>, _>(column(items, |row| row.others[3]))
        .bind::<Array<Nullable<BigInt>>, _>(column(items, |row| row.price_cents))
        .bind::<Array<Integer>, _>(column(items, |row| row.quantity));
    query.execute(connection).await?;
    Ok(())
}

async fn save_titles(connection: &mut AsyncPgConnection, Rows { titles, .. }: &Rows<'_>) -> Saved {
    if titles.is_empty() {
        return Ok(());
    }
    let titles: Vec<_> = titles.iter().collect();
    let query = sql!("titles.sql")
        .bind::<Array<SqlUuid>, _>(column(&titles, |((domain, _), _)| *domain))
        .bind::<Array<Integer>, _>(column(&titles, |((_, page), _)| *page))
        .bind::<Array<Text>, _>(column(&titles, |(_, title)| title.as_str()));
    query.execute(connection).await?;
    Ok(())
}

async fn save_progress(connection: &mut AsyncPgConnection, folded: &Folded<'_>, rows: &Rows<'_>) -> Saved {
    struct DomainProgress {
        first_at: OffsetDateTime,
        last_at: OffsetDateTime,
        commerce_at: Option<OffsetDateTime>,
    }
    let mut told: BTreeMap<Uuid, DomainProgress> = BTreeMap::new();
    for placed in &folded.placed {
        let at = placed.signal.at;
        let told = told.entry(placed.signal.visitor.0.0).or_insert(DomainProgress {
            first_at: at,
            last_at: at,
            commerce_at: None,
        });
        told.first_at = told.first_at.min(at);
        told.last_at = told.last_at.max(at);
    }
    for row in &rows.commerce {
        if let Some(told) = told.get_mut(&row.key.domain) {
            told.commerce_at = Some(told.commerce_at.map_or(row.key.at, |at| at.min(row.key.at)));
        }
    }
    let told: Vec<(Uuid, DomainProgress)> = told.into_iter().collect();
    let query = sql!("progress.sql")
        .bind::<Array<SqlUuid>, _>(column(&told, |(domain, _)| *domain))
        .bind::<Array<Timestamptz>, _>(column(&told, |(_, told)| told.first_at))
        .bind::<Array<Timestamptz>, _>(column(&told, |(_, told)| told.last_at))
        .bind::<Array<Nullable<Timestamptz>>, _>(column(&told, |(_, told)| told.commerce_at));
    query.execute(connection).await?;
    Ok(())
}
