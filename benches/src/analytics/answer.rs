//! The answers of both sides, the rows that statements give, and how both are held against each other.

use std::fmt::Debug;

use anyhow::{Result, bail, ensure};
use diesel::{
    QueryableByName,
    sql_types::{BigInt, Date as SqlDate, Double, Nullable, Text, Timestamptz},
};
use pharos_analytics::{
    funnel::Reached,
    overview::{DayTotals, Totals},
    timeseries::Piece,
};
use time::{Date, OffsetDateTime};

/// An answer.
#[derive(Debug)]
pub(super) enum Answer {
    Days(Vec<DayTotals>),
    Hours(Vec<(OffsetDateTime, Piece)>),
    /// The ones with the most visitors first; of actions those that were done most often.
    Values(Vec<Value>),
    /// How many got to each step of a funnel.
    Steps(Vec<Reached>),
    /// How many who were seen first in a period were seen in another.
    Returns(Vec<(Date, Date, u64)>),
}

/// A page, an action or what sessions have in common, with visitors, sessions and page views, or how often the action was done. A
/// value of a property has the number of all values of that for sessions; a journey has sessions, ends and its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) value: String,
    pub(super) counts: [u64; 3],
}

#[derive(QueryableByName)]
pub(super) struct DayRow {
    #[diesel(sql_type = SqlDate)]
    day: Date,
    #[diesel(embed)]
    totals: TotalsRow,
}

#[derive(QueryableByName)]
pub(super) struct HourRow {
    #[diesel(sql_type = Timestamptz)]
    hour: OffsetDateTime,
    #[diesel(embed)]
    totals: TotalsRow,
    #[diesel(sql_type = BigInt)]
    orders: i64,
    #[diesel(sql_type = BigInt)]
    cents: i64,
}

#[derive(QueryableByName)]
pub(super) struct TotalsRow {
    #[diesel(sql_type = BigInt)]
    visitors: i64,
    #[diesel(sql_type = BigInt)]
    sessions: i64,
    #[diesel(sql_type = BigInt)]
    pageviews: i64,
    #[diesel(sql_type = BigInt)]
    bounces: i64,
    #[diesel(sql_type = BigInt)]
    duration_ms: i64,
    #[diesel(sql_type = BigInt)]
    events: i64,
}

#[derive(QueryableByName)]
pub(super) struct ValueRow {
    #[diesel(sql_type = Text)]
    value: String,
    #[diesel(sql_type = BigInt)]
    visitors: i64,
    #[diesel(sql_type = BigInt)]
    sessions: i64,
    #[diesel(sql_type = BigInt)]
    pageviews: i64,
}

#[derive(QueryableByName)]
pub(super) struct ReachedRow {
    #[diesel(sql_type = BigInt)]
    sessions: i64,
    #[diesel(sql_type = BigInt)]
    visitors: i64,
    #[diesel(sql_type = Nullable<Double>)]
    median_ms: Option<f64>,
}

#[derive(QueryableByName)]
pub(super) struct ReturnsRow {
    #[diesel(sql_type = SqlDate)]
    first: Date,
    #[diesel(sql_type = SqlDate)]
    seen: Date,
    #[diesel(sql_type = BigInt)]
    visitors: i64,
}

impl Answer {
    /// Holds both answers against each other. All numbers are the same; values with as many visitors may come in another order.
    pub(super) fn check(&self, base: &Self) -> Result<()> {
        match (self, base) {
            (Self::Days(found), Self::Days(wanted)) => same(found, wanted),
            (Self::Hours(found), Self::Hours(wanted)) => same(found, wanted),
            (Self::Steps(found), Self::Steps(wanted)) => same(found, wanted),
            (Self::Returns(found), Self::Returns(wanted)) => same(found, wanted),
            (Self::Values(found), Self::Values(wanted)) => same_values(found, wanted),
            _ => bail!("{self:?} is of another kind than {base:?}"),
        }
    }
}

fn same<T: Debug + PartialEq>(found: &[T], wanted: &[T]) -> Result<()> {
    ensure!(
        found == wanted && !found.is_empty(),
        "{found:?} is not {wanted:?}"
    );
    Ok(())
}

fn same_values(found: &[Value], wanted: &[Value]) -> Result<()> {
    ensure!(
        found.len() == wanted.len() && !found.is_empty(),
        "{} values, not {}",
        found.len(),
        wanted.len()
    );
    for (here, there) in found.iter().zip(wanted) {
        ensure!(here.counts[0] == there.counts[0], "{here:?} is not {there:?}");
        // The last of a list may be another of the same rank.
        let same = found.iter().find(|value| value.value == there.value);
        ensure!(same.is_none_or(|same| same == there), "{same:?} is not {there:?}");
    }
    Ok(())
}

impl From<TotalsRow> for Totals {
    fn from(row: TotalsRow) -> Self {
        Self {
            visitors: row.visitors.unsigned_abs(),
            sessions: row.sessions.unsigned_abs(),
            pageviews: row.pageviews.unsigned_abs(),
            bounces: row.bounces.unsigned_abs(),
            duration_ms: row.duration_ms.unsigned_abs(),
            events: row.events.unsigned_abs(),
        }
    }
}

impl From<DayRow> for DayTotals {
    fn from(row: DayRow) -> Self {
        Self {
            day: row.day,
            totals: row.totals.into(),
        }
    }
}

impl From<HourRow> for (OffsetDateTime, Piece) {
    fn from(row: HourRow) -> Self {
        let piece = Piece {
            totals: row.totals.into(),
            orders: row.orders.unsigned_abs(),
            revenue_cents: row.cents,
        };
        (row.hour, piece)
    }
}

impl From<ValueRow> for Value {
    fn from(row: ValueRow) -> Self {
        Self {
            value: row.value,
            counts: [row.visitors, row.sessions, row.pageviews].map(i64::unsigned_abs),
        }
    }
}

impl From<ReachedRow> for Reached {
    fn from(row: ReachedRow) -> Self {
        Self {
            sessions: row.sessions.unsigned_abs(),
            visitors: row.visitors.unsigned_abs(),
            median_ms: row.median_ms,
        }
    }
}

impl From<ReturnsRow> for (Date, Date, u64) {
    fn from(row: ReturnsRow) -> Self {
        (row.first, row.seen, row.visitors.unsigned_abs())
    }
}
