//! The rows of pages and runs.

use diesel::{
    QueryableByName,
    sql_types::{Array, Bool, Double, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use pharos_domain::{
    ids::{CredentialId, RunId, SyntheticUrlId},
    runs::Requester,
    store::StoreError,
};
use pharos_persistence::{json::Json, names};
use pharos_synthetic::{
    budget::BudgetMetric,
    page::{PageSettings, TrackedPage},
    result::Summary,
    run::{LabRun, LastRun},
};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

/// The name of a page's settings in the error when they can't be read.
pub(crate) const SETTINGS: &str = "the settings of a page of the lab";
/// And the result of a run.
pub(crate) const SUMMARY: &str = "the result of a lab test";
/// And its budgets.
pub(crate) const BUDGETS: &str = "the budgets of a lab test";

#[derive(QueryableByName)]
pub(crate) struct PageRow {
    #[diesel(sql_type = SqlUuid)]
    pub(crate) id: Uuid,
    #[diesel(sql_type = Jsonb)]
    settings: Json<PageSettings>,
    #[diesel(sql_type = Bool)]
    has_basic_auth: bool,
    #[diesel(sql_type = Bool)]
    has_cookie: bool,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    next_run_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    updated_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    run_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<Text>)]
    status: Option<String>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    requested_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    finished_at: Option<OffsetDateTime>,
}

impl TryFrom<PageRow> for TrackedPage {
    type Error = StoreError;

    fn try_from(row: PageRow) -> Result<Self, StoreError> {
        let last_run = match (row.run_id, row.status, row.requested_at) {
            (Some(id), Some(status), Some(requested_at)) => Some(LastRun {
                id: RunId(id),
                status: status.parse()?,
                requested_at,
                finished_at: row.finished_at,
            }),
            _ => None,
        };
        Ok(Self {
            id: SyntheticUrlId(row.id),
            settings: row.settings.read(SETTINGS)?,
            has_basic_auth: row.has_basic_auth,
            has_cookie: row.has_cookie,
            next_run_at: row.next_run_at,
            created_at: row.created_at,
            updated_at: row.updated_at,
            last_run,
        })
    }
}

#[derive(QueryableByName)]
pub(crate) struct RunRow {
    #[diesel(sql_type = SqlUuid)]
    pub(crate) id: Uuid,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    url_id: Option<Uuid>,
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = Text)]
    profile_id: String,
    #[diesel(sql_type = Text)]
    trigger: String,
    #[diesel(sql_type = Text)]
    status: String,
    #[diesel(sql_type = Timestamptz)]
    pub(crate) requested_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    started_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    finished_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Text>)]
    error_code: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    error_detail: Option<String>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    summary: Option<Json<Summary>>,
    #[diesel(sql_type = Jsonb)]
    budgets: Json<Vec<Value>>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    images_until: Option<OffsetDateTime>,
    #[diesel(sql_type = Bool)]
    has_screenshot: bool,
    #[diesel(sql_type = Nullable<Text>)]
    requester_kind: Option<String>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    credential_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<Integer>)]
    credits_charged: Option<i32>,
}

impl TryFrom<RunRow> for LabRun {
    type Error = StoreError;

    fn try_from(row: RunRow) -> Result<Self, StoreError> {
        let requested_by = match (row.requester_kind, row.credential_id) {
            (Some(kind), Some(credential)) => Some(Requester {
                kind: kind.parse()?,
                credential_id: CredentialId(credential),
            }),
            _ => None,
        };
        Ok(Self {
            id: RunId(row.id),
            url_id: row.url_id.map(SyntheticUrlId),
            url: row.url,
            profile_id: row.profile_id,
            trigger: row.trigger.parse()?,
            status: row.status.parse()?,
            requested_at: row.requested_at,
            started_at: row.started_at,
            finished_at: row.finished_at,
            error: row.error_code.zip(row.error_detail),
            summary: row.summary.map(|summary| summary.read(SUMMARY)).transpose()?,
            budgets: row
                .budgets
                .read_known(BUDGETS, "metric", |metric| metric.parse::<BudgetMetric>().is_ok())?,
            images_until: row.images_until,
            has_screenshot: row.has_screenshot,
            requested_by,
            credits_charged: names::count(row.credits_charged.unwrap_or(0))?,
        })
    }
}

/// The newest finished run of a page on a profile, and those before it.
#[derive(QueryableByName)]
pub(crate) struct StandingRow {
    #[diesel(sql_type = SqlUuid)]
    pub(crate) url_id: Uuid,
    #[diesel(sql_type = Text)]
    pub(crate) url: String,
    #[diesel(sql_type = Nullable<Text>)]
    pub(crate) label: Option<String>,
    #[diesel(sql_type = Text)]
    pub(crate) profile_id: String,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    pub(crate) next_run_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    pub(crate) run_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<Text>)]
    pub(crate) status: Option<String>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    pub(crate) finished_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    pub(crate) figures: Option<Json<pharos_synthetic::figure::Figures>>,
    #[diesel(sql_type = Nullable<Text>)]
    pub(crate) engine_major: Option<String>,
    #[diesel(sql_type = Array<Nullable<Bool>>)]
    pub(crate) passed: Vec<Option<bool>>,
    #[diesel(sql_type = Array<Double>)]
    pub(crate) scores_before: Vec<f64>,
    #[diesel(sql_type = Integer)]
    pub(crate) failures: i32,
}
