//! The rows of URLs, of what was found of them, and of what is to be done.

use std::collections::BTreeMap;

use diesel::{
    QueryableByName,
    sql_types::{
        BigInt, Bool, Date as SqlDate, Double, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid,
    },
};
use pharos_domain::{
    identity::DomainAccess,
    ids::{DomainId, IndexingUrlId},
    page_facts::IndexVerdict,
    store::StoreError,
};
use pharos_persistence::{
    due::{Claimed, ClaimedRow},
    json::{self, Json},
    names::count,
    runs::RunRow,
};
use pharos_search::indexing::{
    coverage::CoverageReason,
    inspection::Inspection,
    states::{FetchState, OfUpstream},
    store::{
        reads::{CanonicalMismatch, DayStanding, ListedChange},
        runs::{InspectorRun, RunResult},
        schedule::{DueSite, Pick},
        urls::{KnownUrl, PastState},
    },
};
use serde::Serialize;
use serde_json::Value;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

/// The name of an inspection in the error when it can't be read.
const INSPECTION: &str = "an inspection of a URL";

/// A list of named members, as a statement takes it.
pub(super) fn listed<T: Serialize>(rows: &[T]) -> Result<Value, StoreError> {
    json::written(rows)
}

/// The domain that is asked about.
pub(super) fn id(domain: &DomainAccess) -> Uuid {
    domain.id().0
}

#[derive(QueryableByName)]
pub(super) struct KnownUrlRow {
    #[diesel(sql_type = SqlUuid)]
    pub(super) id: Uuid,
    #[diesel(sql_type = Text)]
    pub(super) url: String,
    #[diesel(sql_type = Text)]
    source: String,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    inspected_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    inspection: Option<Json<Inspection>>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    next_inspection_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Text>)]
    last_error_code: Option<String>,
}

impl TryFrom<KnownUrlRow> for KnownUrl {
    type Error = StoreError;

    fn try_from(row: KnownUrlRow) -> Result<Self, StoreError> {
        let inspection = row.inspection.map(|found| found.read(INSPECTION)).transpose()?;
        Ok(Self {
            id: IndexingUrlId(row.id),
            url: row.url,
            source: row.source.parse()?,
            newest: row.inspected_at.zip(inspection),
            next_inspection_at: row.next_inspection_at,
            last_error_code: row.last_error_code,
            value: None,
        })
    }
}

#[derive(QueryableByName)]
pub(super) struct PastRow {
    #[diesel(sql_type = SqlUuid)]
    pub(super) url_id: Uuid,
    #[diesel(sql_type = Timestamptz)]
    inspected_at: OffsetDateTime,
    #[diesel(sql_type = Text)]
    verdict: String,
    #[diesel(sql_type = Nullable<Text>)]
    coverage_reason: Option<String>,
    #[diesel(sql_type = Text)]
    page_fetch_state: String,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_crawl_at: Option<OffsetDateTime>,
}

impl From<PastRow> for PastState {
    fn from(row: PastRow) -> Self {
        Self {
            inspected_at: row.inspected_at,
            verdict: IndexVerdict::named(&row.verdict),
            coverage_reason: row.coverage_reason.as_deref().map(CoverageReason::named),
            page_fetch_state: FetchState::named(&row.page_fetch_state),
            last_crawl_at: row.last_crawl_at,
        }
    }
}

#[derive(QueryableByName)]
pub(super) struct ChangeRow {
    #[diesel(sql_type = SqlUuid)]
    pub(super) id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    url_id: Uuid,
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = Timestamptz)]
    pub(super) changed_at: OffsetDateTime,
    #[diesel(sql_type = Text)]
    field: String,
    #[diesel(sql_type = Nullable<Text>)]
    before: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    after: Option<String>,
    #[diesel(sql_type = Text)]
    direction: String,
}

impl TryFrom<ChangeRow> for ListedChange {
    type Error = StoreError;

    fn try_from(row: ChangeRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.id,
            url_id: IndexingUrlId(row.url_id),
            url: row.url,
            changed_at: row.changed_at,
            field: row.field.parse()?,
            before: row.before,
            after: row.after,
            direction: row.direction.parse()?,
        })
    }
}

#[derive(QueryableByName)]
pub(super) struct DayRow {
    #[diesel(sql_type = SqlUuid)]
    pub(super) domain_id: Uuid,
    #[diesel(sql_type = SqlDate)]
    pub(super) day: Date,
    #[diesel(sql_type = BigInt)]
    inspected: i64,
    #[diesel(sql_type = BigInt)]
    indexed: i64,
    #[diesel(sql_type = BigInt)]
    unknown: i64,
    #[diesel(sql_type = Jsonb)]
    by_reason: Json<BTreeMap<String, u64>>,
    #[diesel(sql_type = BigInt)]
    fetch_errors: i64,
    #[diesel(sql_type = BigInt)]
    canonical_mismatches: i64,
    #[diesel(sql_type = BigInt)]
    rich_result_errors: i64,
    #[diesel(sql_type = Nullable<Double>)]
    median_crawl_age_days: Option<f64>,
}

/// Counts of URLs by what this version makes of their reasons.
fn by_reason(stored: BTreeMap<String, u64>) -> BTreeMap<CoverageReason, u64> {
    let mut known = BTreeMap::new();
    for (name, urls) in stored {
        *known.entry(CoverageReason::named(&name)).or_default() += urls;
    }
    known
}

impl TryFrom<DayRow> for DayStanding {
    type Error = StoreError;

    fn try_from(row: DayRow) -> Result<Self, StoreError> {
        Ok(Self {
            inspected: count(row.inspected)?,
            indexed: count(row.indexed)?,
            unknown: count(row.unknown)?,
            by_reason: by_reason(row.by_reason.read("the reasons of a day")?),
            fetch_errors: count(row.fetch_errors)?,
            canonical_mismatches: count(row.canonical_mismatches)?,
            rich_result_errors: count(row.rich_result_errors)?,
            median_crawl_age_days: row.median_crawl_age_days,
        })
    }
}

#[derive(QueryableByName)]
pub(super) struct CanonicalRow {
    #[diesel(sql_type = SqlUuid)]
    pub(super) id: Uuid,
    #[diesel(sql_type = Text)]
    pub(super) url: String,
    #[diesel(sql_type = Nullable<Text>)]
    user_canonical: Option<String>,
    #[diesel(sql_type = Text)]
    google_canonical: String,
    #[diesel(sql_type = Text)]
    canonical_kind: String,
    #[diesel(sql_type = Timestamptz)]
    inspected_at: OffsetDateTime,
    #[diesel(sql_type = BigInt)]
    pub(super) total: i64,
}

impl TryFrom<CanonicalRow> for CanonicalMismatch {
    type Error = StoreError;

    fn try_from(row: CanonicalRow) -> Result<Self, StoreError> {
        Ok(Self {
            url_id: IndexingUrlId(row.id),
            url: row.url,
            user_canonical: row.user_canonical,
            google_canonical: row.google_canonical,
            kind: row.canonical_kind.parse()?,
            value: None,
            inspected_at: row.inspected_at,
        })
    }
}

#[derive(QueryableByName)]
pub(super) struct DueRow {
    #[diesel(sql_type = SqlUuid)]
    pub(super) domain_id: Uuid,
    #[diesel(sql_type = Text)]
    site_url: String,
    #[diesel(sql_type = Timestamptz)]
    linked_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    gathered_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Integer)]
    failures: i32,
    #[diesel(embed)]
    pub(super) claimed: Claimed,
}

impl ClaimedRow for DueRow {
    fn claimed(&self) -> Claimed {
        self.claimed
    }
}

impl TryFrom<DueRow> for DueSite {
    type Error = StoreError;

    fn try_from(row: DueRow) -> Result<Self, StoreError> {
        Ok(Self {
            domain: DomainId(row.domain_id),
            site_url: row.site_url,
            linked_at: row.linked_at,
            gathered_at: row.gathered_at,
            failures: count(row.failures)?,
            due_in: row.claimed.due_in(),
            leased_until: row.claimed.leased_until,
        })
    }
}

#[derive(QueryableByName)]
pub(super) struct PickRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = Integer)]
    failures: i32,
    #[diesel(sql_type = Bool)]
    pub(super) is_new: bool,
    #[diesel(sql_type = Bool)]
    is_daily: bool,
}

impl TryFrom<PickRow> for Pick {
    type Error = StoreError;

    fn try_from(row: PickRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: IndexingUrlId(row.id),
            url: row.url,
            failures: count(row.failures)?,
            is_daily: row.is_daily,
        })
    }
}

/// A run with its name.
#[derive(QueryableByName)]
pub(super) struct InspectorRunRow {
    #[diesel(embed)]
    pub(super) run: RunRow,
    #[diesel(sql_type = Nullable<Text>)]
    label: Option<String>,
}

impl InspectorRunRow {
    /// The run as it is at that moment.
    pub(super) fn read(self, now: OffsetDateTime) -> Result<InspectorRun, StoreError> {
        InspectorRun::try_from(self).map(|run| at(run, now))
    }
}

/// A run as it is at that moment.
pub(super) fn at(ended: InspectorRun, now: OffsetDateTime) -> InspectorRun {
    InspectorRun {
        run: ended.run.at(now),
        ..ended
    }
}

impl TryFrom<InspectorRunRow> for InspectorRun {
    type Error = StoreError;

    /// The run as it ended, whether or not its result is still kept.
    fn try_from(row: InspectorRunRow) -> Result<Self, StoreError> {
        Ok(Self {
            run: row.run.try_into()?,
            label: row.label,
        })
    }
}

#[derive(QueryableByName)]
pub(super) struct RunResultRow {
    #[diesel(sql_type = Integer)]
    pub(super) place: i32,
    #[diesel(sql_type = Text)]
    status: String,
    #[diesel(sql_type = Nullable<Text>)]
    error_code: Option<String>,
    #[diesel(embed)]
    pub(super) url: KnownUrlRow,
}

impl TryFrom<RunResultRow> for RunResult {
    type Error = StoreError;

    fn try_from(row: RunResultRow) -> Result<Self, StoreError> {
        Ok(Self {
            place: row.place.into(),
            status: row.status.parse()?,
            error_code: row.error_code,
            url: row.url.try_into()?,
            history: Vec::new(),
        })
    }
}
