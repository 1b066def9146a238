//! The rows of experiments, evaluations, and figures of their pages.

use diesel::{
    QueryableByName,
    prelude::{AsChangeset, Insertable},
    sql_types::{
        Array, BigInt, Bool, Date as SqlDate, Double, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid,
    },
};
use pharos_analytics::experiments::{
    DayFigures, Design, Evaluation, Experiment, ExperimentSettings, Outcome, PanelRow,
};
use pharos_domain::{
    ids::{DomainId, UserId},
    store::StoreError,
    window::DateRange,
};
use pharos_persistence::{json::Json, names::count};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::schema::analytics_experiments;

/// The columns of the settings.
#[derive(QueryableByName, Insertable, AsChangeset)]
#[diesel(table_name = analytics_experiments, treat_none_as_null = true)]
pub(super) struct SettingsRow {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Nullable<Text>)]
    hypothesis: Option<String>,
    #[diesel(sql_type = Text)]
    status: String,
    #[diesel(sql_type = Text)]
    method: String,
    #[diesel(sql_type = Text)]
    metric: String,
    #[diesel(sql_type = Array<Text>)]
    control_urls: Vec<String>,
    #[diesel(sql_type = Array<Text>)]
    variant_urls: Vec<String>,
    #[diesel(sql_type = Nullable<SqlDate>)]
    pre_start: Option<Date>,
    #[diesel(sql_type = SqlDate)]
    pre_end: Date,
    #[diesel(sql_type = SqlDate)]
    post_start: Date,
    #[diesel(sql_type = Nullable<SqlDate>)]
    post_end: Option<Date>,
}

impl From<&ExperimentSettings> for SettingsRow {
    fn from(settings: &ExperimentSettings) -> Self {
        let ExperimentSettings {
            name,
            hypothesis,
            status,
            design:
                Design {
                    method,
                    metric,
                    control_urls,
                    variant_urls,
                    pre_start,
                    pre_end,
                    post_start,
                    post_end,
                },
        } = settings.clone();
        Self {
            name,
            hypothesis,
            status: status.to_string(),
            method: method.to_string(),
            metric: metric.to_string(),
            control_urls,
            variant_urls,
            pre_start,
            pre_end,
            post_start,
            post_end,
        }
    }
}

impl TryFrom<SettingsRow> for ExperimentSettings {
    type Error = StoreError;

    fn try_from(row: SettingsRow) -> Result<Self, StoreError> {
        let SettingsRow {
            name,
            hypothesis,
            status,
            method,
            metric,
            control_urls,
            variant_urls,
            pre_start,
            pre_end,
            post_start,
            post_end,
        } = row;
        Ok(Self {
            name,
            hypothesis,
            status: status.parse()?,
            design: Design {
                method: method.parse()?,
                metric: metric.parse()?,
                control_urls,
                variant_urls,
                pre_start,
                pre_end,
                post_start,
                post_end,
            },
        })
    }
}

/// An experiment.
#[derive(QueryableByName)]
pub(super) struct ExperimentRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(embed)]
    settings: SettingsRow,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    updated_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    created_by: Option<Uuid>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    latest_evaluation_id: Option<Uuid>,
}

impl ExperimentRow {
    pub(super) const fn id(&self) -> Uuid {
        self.id
    }
}

impl TryFrom<ExperimentRow> for Experiment {
    type Error = StoreError;

    fn try_from(row: ExperimentRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.id,
            domain_id: DomainId(row.domain_id),
            settings: row.settings.try_into()?,
            latest_evaluation_id: row.latest_evaluation_id,
            created_by: row.created_by.map(UserId),
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    }
}

/// An evaluation that a job works out.
#[derive(QueryableByName)]
pub(super) struct WantedRow {
    #[diesel(embed)]
    pub(super) experiment: ExperimentRow,
    #[diesel(sql_type = Timestamptz)]
    pub(super) requested_at: OffsetDateTime,
}

/// An evaluation.
#[derive(QueryableByName)]
pub(super) struct EvaluationRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    experiment_id: Uuid,
    #[diesel(sql_type = Text)]
    status: String,
    #[diesel(sql_type = Text)]
    method: String,
    #[diesel(sql_type = Text)]
    metric: String,
    #[diesel(sql_type = Timestamptz)]
    requested_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    completed_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Double)]
    progress_pct: f64,
    #[diesel(sql_type = Jsonb)]
    outcome: Json<Outcome>,
}

impl TryFrom<EvaluationRow> for Evaluation {
    type Error = StoreError;

    fn try_from(row: EvaluationRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.id,
            experiment_id: row.experiment_id,
            status: row.status.parse()?,
            method: row.method.parse()?,
            metric: row.metric.parse()?,
            requested_at: row.requested_at,
            completed_at: row.completed_at,
            progress_pct: row.progress_pct,
            outcome: row.outcome.read("the outcome of an evaluation")?,
        })
    }
}

/// The days of which anything was received.
#[derive(QueryableByName)]
pub(super) struct ReceivedRow {
    #[diesel(sql_type = SqlDate)]
    first_day: Date,
    #[diesel(sql_type = SqlDate)]
    last_day: Date,
}

impl ReceivedRow {
    pub(super) fn days(&self) -> Option<DateRange> {
        DateRange::new(self.first_day, self.last_day)
    }
}

/// Figures of a day.
#[derive(QueryableByName)]
pub(super) struct FiguresRow {
    #[diesel(sql_type = Bool)]
    is_variant: bool,
    #[diesel(sql_type = Nullable<BigInt>)]
    page: Option<i64>,
    #[diesel(sql_type = SqlDate)]
    day: Date,
    #[diesel(sql_type = Array<BigInt>)]
    figures: Vec<i64>,
    #[diesel(sql_type = BigInt)]
    revenue_cents: i64,
}

impl TryFrom<FiguresRow> for PanelRow {
    type Error = StoreError;

    fn try_from(row: FiguresRow) -> Result<Self, StoreError> {
        let counts: Vec<u64> = row.figures.into_iter().map(count).collect::<Result<_, _>>()?;
        let [
            visitors,
            sessions,
            pageviews,
            entries,
            bounces,
            duration_ms,
            orders,
            shared,
        ] = counts[..]
        else {
            return Err(StoreError::Corrupt(format!("{counts:?} are no figures of a day")));
        };
        Ok(Self {
            is_variant: row.is_variant,
            page: row.page.map(count).transpose()?,
            day: row.day,
            figures: DayFigures {
                visitors,
                sessions,
                pageviews,
                entries,
                bounces,
                duration_ms,
                orders,
                revenue_cents: row.revenue_cents,
                shared,
            },
        })
    }
}
