//! Wide pulls: all rows of a query, which a job computes and which are kept for a week. A caller requests one as a report of a
//! module.

use std::{fmt, str::FromStr, sync::Arc};

use async_trait::async_trait;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::json;
use time::{Duration, OffsetDateTime};

use crate::{
    credits::{Answering, Keyed, SettleError},
    identity::DomainAccess,
    ids::{RunId, WorkspaceId},
    jobs::{Changed, ClaimedJob, JobFailure, JobHandler, JobKind, NewJob},
    page::{OffsetRequest, Page, PageRequest},
    problem::Suffix,
    runs::{NewRun, Run, RunKind, RunStatus},
    store::{StoreError, UnknownName},
    window::DateRange,
    wire_enum,
};

/// How long the rows of a run are kept.
pub const RESULT_KEPT: Duration = Duration::days(7);
/// How often a pull is tried while the database is away, which is for some four minutes.
const MAX_ATTEMPTS: u16 = 8;

wire_enum! {
    /// The type of a column's values. Any may be null.
    ColumnKind as "ReportColumnType" {
        /// A text.
        String = "string",
        /// A whole number.
        Integer = "integer",
        /// A number.
        Number = "number",
        /// A day, `YYYY-MM-DD`.
        Date = "date",
        /// A moment, ISO 8601, UTC.
        Timestamp = "timestamp",
    }
}

wire_enum! {
    /// The type of a parameter.
    ParameterKind as "ReportParameterType" {
        /// A day, `YYYY-MM-DD`.
        Date = "date",
        /// A text.
        String = "string",
        /// A list of objects.
        Array = "array",
    }
}

/// A column of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name, a member of every row.
    pub name: &'static str,
    /// The type of its values.
    pub kind: ColumnKind,
    /// The unit of its values.
    pub unit: Option<&'static str>,
}

impl Column {
    /// A column of that name and type, whose values have no unit.
    #[must_use]
    pub const fn of(name: &'static str, kind: ColumnKind) -> Self {
        Self {
            name,
            kind,
            unit: None,
        }
    }

    /// A column of numbers.
    #[must_use]
    pub const fn number(name: &'static str, unit: &'static str) -> Self {
        Self {
            name,
            kind: ColumnKind::Number,
            unit: Some(unit),
        }
    }
}

/// A report: the dimensions that tell its rows apart, and their figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// Its name, for people.
    pub name: &'static str,
    /// Its content, and the order of its rows.
    pub description: &'static str,
    /// The first columns, by which rows are told apart.
    pub dimensions: &'static [Column],
    /// The other columns, which hold the figures.
    pub metrics: &'static [Column],
}

impl Report {
    /// Its columns, in the order of the cells of a row.
    pub fn columns(&self) -> impl Iterator<Item = &'static Column> + Clone + use<> {
        self.dimensions.iter().chain(self.metrics)
    }
}

/// The reports of a module, and the choices that a caller has.
pub trait Family: Copy + fmt::Debug + PartialEq + Send + Sync + 'static {
    /// The key by which a report is requested.
    type Key: Copy
        + fmt::Debug
        + fmt::Display
        + PartialEq
        + FromStr<Err = UnknownName>
        + Serialize
        + Send
        + Sync
        + 'static;
    /// The parameters of a run, besides its days.
    type Asked: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static;
    /// The kind of their runs.
    const RUNS: RunKind;
    /// The kind of their jobs.
    const JOBS: JobKind;
    /// The most rows that a run keeps: the first ones in its order.
    const MOST_ROWS: u32;
    /// The message to a caller whose pull took too long.
    const TOO_LONG: &'static str;

    /// The report of a key.
    fn report(key: Self::Key) -> &'static Report;
}

/// A run of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct WidePull<F: Family> {
    /// The run that pulls the rows.
    pub run: Run,
    /// The key of its report.
    pub report: F::Key,
    /// The days that it is about.
    pub window: DateRange,
    /// How many rows it has; `None` until it is done.
    pub total_rows: Option<u64>,
    /// Whether there were more rows than a report keeps.
    pub is_truncated: bool,
}

/// A run of a report that is requested.
#[derive(Clone, Debug, PartialEq)]
pub struct NewWidePull<F: Family> {
    /// The run with its job.
    pub run: NewRun,
    /// The key of its report.
    pub report: F::Key,
    /// The days that it is about.
    pub window: DateRange,
    /// Its parameters besides.
    pub asked: F::Asked,
}

impl<F: Family> NewWidePull<F> {
    /// The run of a report with its job, which a workspace asked for.
    #[must_use]
    pub fn requested(
        run: Run,
        workspace: WorkspaceId,
        report: F::Key,
        window: DateRange,
        asked: F::Asked,
    ) -> Self {
        let job = NewJob::of(workspace, F::JOBS, json!({ "run_id": run.id }), MAX_ATTEMPTS);
        Self {
            run: NewRun {
                run,
                jobs: vec![job],
                result_kept: Some(RESULT_KEPT),
            },
            report,
            window,
            asked,
        }
    }
}

/// A value of a row.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// Not known, or not measured.
    Null,
    /// A flag.
    Flag(bool),
    /// A count.
    Count(i64),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
}

/// Which runs are listed: those that match every member that is given.
#[derive(Clone, Copy, Debug)]
pub struct RunFilter<F: Family> {
    /// Only runs of this report.
    pub report: Option<F::Key>,
    /// Only runs with this status.
    pub status: Option<RunStatus>,
}

/// The outcome of filling a run with rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filled {
    /// They are stored.
    Done,
    /// The rows can't be computed, whatever is tried. The reason is for the caller.
    Refused(&'static str),
    /// Nobody waits for the run any more: it is gone, or its domain was deleted.
    Unwanted,
}

/// Keeps runs of reports.
#[async_trait]
pub trait WidePullStore<F: Family>: Send + Sync {
    /// Records a run with its job, and charges for it, in one transaction.
    async fn request(
        &self,
        domain: &Keyed<DomainAccess>,
        new: &NewWidePull<F>,
        answer: &Answering<'_, WidePull<F>>,
    ) -> Result<WidePull<F>, SettleError>;

    /// The domain's runs, the newest first, as they are at the moment.
    async fn list(
        &self,
        domain: &DomainAccess,
        filter: RunFilter<F>,
        page: &PageRequest,
        now: OffsetDateTime,
    ) -> Result<Page<WidePull<F>>, StoreError>;

    /// A run of the domain as it is at the moment.
    async fn find(
        &self,
        domain: &DomainAccess,
        id: RunId,
        now: OffsetDateTime,
    ) -> Result<Option<WidePull<F>>, StoreError>;

    /// Some rows of a run, in their order: a value for each column.
    async fn rows(
        &self,
        domain: &DomainAccess,
        id: RunId,
        page: OffsetRequest,
    ) -> Result<Vec<Vec<Cell>>, StoreError>;

    /// Computes the rows of a run and stores them, all or none. Doing it again changes nothing.
    async fn fill(&self, id: RunId) -> Result<Filled, StoreError>;
}

/// The payload of a job: [`NewWidePull::requested`] writes it.
#[derive(Debug, Deserialize)]
struct Order {
    run_id: RunId,
}

/// Does the runs of reports.
#[derive(Clone)]
pub struct WidePulls<F: Family> {
    /// Where they are kept.
    pub store: Arc<dyn WidePullStore<F>>,
}

impl<F: Family> fmt::Debug for WidePulls<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WidePulls").finish_non_exhaustive()
    }
}

#[async_trait]
impl<F: Family> JobHandler for WidePulls<F> {
    fn kind(&self) -> JobKind {
        F::JOBS
    }

    /// Half of the places, since reports read much, and other kinds of jobs wait for nothing but a place.
    fn most_at_once(&self, places: usize) -> usize {
        places.div_ceil(2)
    }

    async fn run(&self, job: &ClaimedJob) -> Result<Changed, JobFailure> {
        let Order { run_id } = job.read()?;
        match self.store.fill(run_id).await {
            // No answer about a run that is not done is kept.
            Ok(Filled::Done | Filled::Unwanted) => Ok(Changed::new()),
            Ok(Filled::Refused(why)) => Err(JobFailure::expected(Suffix::InvalidRequest, why)),
            Err(error @ StoreError::TooLong(_)) => {
                let failure = JobFailure::permanent(error.to_string());
                Err(failure.with_public_error(Suffix::DatastoreError, F::TOO_LONG))
            }
            Err(error) => Err(error.into()),
        }
    }
}
