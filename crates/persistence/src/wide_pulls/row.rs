//! The rows of runs, and of what they come to.

use diesel::{
    QueryableByName,
    sql_types::{BigInt, Bool, Date as SqlDate, Jsonb, Nullable, Text, Uuid as SqlUuid},
};
use pharos_domain::{
    ids::{DomainId, RunId},
    runs::Run,
    store::StoreError,
    wide_pull::{Cell, Family, WidePull},
    window::DateRange,
};
use serde_json::Value;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::Wanted;
use crate::{json::Json, names::count, runs::RunRow};

/// A run with what it asks for.
#[derive(QueryableByName)]
pub(super) struct WidePullRow {
    #[diesel(embed)]
    pub(super) run: RunRow,
    #[diesel(sql_type = Text)]
    report: String,
    #[diesel(sql_type = SqlDate)]
    first_day: Date,
    #[diesel(sql_type = SqlDate)]
    last_day: Date,
    #[diesel(sql_type = Nullable<BigInt>)]
    total_rows: Option<i64>,
    #[diesel(sql_type = Bool)]
    is_truncated: bool,
}

impl WidePullRow {
    /// The run as it is at that moment.
    pub(super) fn read<F: Family>(self, now: OffsetDateTime) -> Result<WidePull<F>, StoreError> {
        WidePull::try_from(self).map(|ended| at(ended, now))
    }
}

/// A run as it is at that moment.
pub(super) fn at<F: Family>(ended: WidePull<F>, now: OffsetDateTime) -> WidePull<F> {
    WidePull {
        run: ended.run.at(now),
        ..ended
    }
}

impl<F: Family> TryFrom<WidePullRow> for WidePull<F> {
    type Error = StoreError;

    /// The run as it ended, whether or not its result is still kept.
    fn try_from(row: WidePullRow) -> Result<Self, StoreError> {
        Ok(Self {
            run: Run::try_from(row.run)?,
            report: row.report.parse()?,
            window: window(row.first_day, row.last_day)?,
            total_rows: row.total_rows.map(count).transpose()?,
            is_truncated: row.is_truncated,
        })
    }
}

fn window(first: Date, last: Date) -> Result<DateRange, StoreError> {
    DateRange::new(first, last).ok_or_else(|| StoreError::Corrupt(format!("{last} lies before {first}")))
}

/// The run that a job has to fill.
#[derive(QueryableByName)]
pub(super) struct TakenRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Text)]
    report: String,
    #[diesel(sql_type = SqlDate)]
    first_day: Date,
    #[diesel(sql_type = SqlDate)]
    last_day: Date,
    #[diesel(sql_type = Jsonb)]
    asked: Json<Value>,
    #[diesel(sql_type = Nullable<BigInt>)]
    total_rows: Option<i64>,
}

impl TakenRow {
    /// Whether its rows are stored already.
    pub(super) const fn is_done(&self) -> bool {
        self.total_rows.is_some()
    }

    pub(super) fn read<F: Family>(self, id: RunId) -> Result<Wanted<F>, StoreError> {
        let asked = serde_json::from_value(self.asked.read("what a report is about")?);
        Ok(Wanted {
            id,
            domain: DomainId(self.domain_id),
            report: self.report.parse()?,
            window: window(self.first_day, self.last_day)?,
            asked: asked.map_err(|error| StoreError::Corrupt(format!("what a report is about: {error}")))?,
        })
    }
}

/// The cells of a row.
#[derive(QueryableByName)]
pub(super) struct CellsRow {
    #[diesel(sql_type = Jsonb)]
    cells: Json<Vec<Cell>>,
}

impl CellsRow {
    pub(super) fn read(self) -> Result<Vec<Cell>, StoreError> {
        self.cells.read("a row of a report")
    }
}

/// A run whose rows are no longer kept.
#[derive(QueryableByName)]
pub(super) struct OverRow {
    #[diesel(sql_type = SqlUuid)]
    pub(super) run_id: Uuid,
}
