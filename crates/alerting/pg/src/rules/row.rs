//! The row of a rule.

use diesel::{
    QueryableByName,
    prelude::{AsChangeset, Insertable},
    sql_types::{Bool, Double, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use pharos_alerting::rule::{AlertRule, RuleSettings, RuleState};
use pharos_domain::{
    alert_metric::MetricFilter,
    ids::{AlertRuleId, DomainId, UserId, WorkspaceId},
    store::{StoreError, UnknownName},
};
use pharos_persistence::names;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::alert_rules;

/// The columns of the settings.
#[derive(QueryableByName, Insertable, AsChangeset)]
#[diesel(table_name = alert_rules, treat_none_as_null = true)]
pub(crate) struct SettingsRow {
    #[diesel(sql_type = Nullable<Text>)]
    name: Option<String>,
    #[diesel(sql_type = Text)]
    module: String,
    #[diesel(sql_type = Text)]
    metric: String,
    #[diesel(sql_type = Text)]
    operator: String,
    #[diesel(sql_type = Double)]
    threshold: f64,
    #[diesel(sql_type = Nullable<Text>)]
    comparison_window: Option<String>,
    #[diesel(sql_type = Text)]
    evaluation_window: String,
    #[diesel(sql_type = Nullable<Integer>)]
    min_sample: Option<i32>,
    #[diesel(sql_type = Nullable<Text>)]
    url: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    form_factor: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    search_type: Option<String>,
    #[diesel(sql_type = Text)]
    severity: String,
    #[diesel(sql_type = Bool)]
    enabled: bool,
    #[diesel(sql_type = Integer)]
    cooldown_minutes: i32,
}

impl From<&RuleSettings> for SettingsRow {
    fn from(settings: &RuleSettings) -> Self {
        let RuleSettings {
            name,
            module,
            metric,
            operator,
            threshold,
            comparison_window,
            evaluation_window,
            min_sample,
            filter:
                MetricFilter {
                    url,
                    form_factor,
                    search_type,
                },
            severity,
            enabled,
            cooldown_minutes,
        } = settings;
        // Both are bounded far below.
        let number = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        Self {
            name: name.clone(),
            module: module.to_string(),
            metric: metric.clone(),
            operator: operator.to_string(),
            threshold: *threshold,
            comparison_window: comparison_window.map(|window| window.to_string()),
            evaluation_window: evaluation_window.to_string(),
            min_sample: min_sample.map(number),
            url: url.clone(),
            form_factor: form_factor.map(|factor| factor.to_string()),
            search_type: search_type.map(|kind| kind.to_string()),
            severity: severity.to_string(),
            enabled: *enabled,
            cooldown_minutes: number(*cooldown_minutes),
        }
    }
}

impl TryFrom<SettingsRow> for RuleSettings {
    type Error = StoreError;

    fn try_from(row: SettingsRow) -> Result<Self, StoreError> {
        let SettingsRow {
            name,
            module,
            metric,
            operator,
            threshold,
            comparison_window,
            evaluation_window,
            min_sample,
            url,
            form_factor,
            search_type,
            severity,
            enabled,
            cooldown_minutes,
        } = row;
        Ok(Self {
            name,
            module: module.parse()?,
            metric,
            operator: operator.parse()?,
            threshold,
            comparison_window: optional(comparison_window)?,
            evaluation_window: evaluation_window.parse()?,
            min_sample: min_sample.map(names::count).transpose()?,
            filter: MetricFilter {
                url,
                form_factor: optional(form_factor)?,
                search_type: optional(search_type)?,
            },
            severity: severity.parse()?,
            enabled,
            cooldown_minutes: names::count(cooldown_minutes)?,
        })
    }
}

/// A stored name that may be missing.
pub(crate) fn optional<T: std::str::FromStr<Err = UnknownName>>(
    name: Option<String>,
) -> Result<Option<T>, UnknownName> {
    name.map(|name| name.parse()).transpose()
}

/// A rule with how it stands.
#[derive(QueryableByName)]
pub(super) struct RuleRow {
    #[diesel(sql_type = SqlUuid)]
    pub(super) id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Text)]
    hostname: String,
    #[diesel(sql_type = SqlUuid)]
    workspace_id: Uuid,
    #[diesel(embed)]
    settings: SettingsRow,
    #[diesel(sql_type = Timestamptz)]
    pub(super) created_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    updated_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    created_by: Option<Uuid>,
    #[diesel(sql_type = Text)]
    state: String,
    #[diesel(sql_type = Nullable<Double>)]
    last_value: Option<f64>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_evaluated_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_fired_at: Option<OffsetDateTime>,
}

impl TryFrom<RuleRow> for AlertRule {
    type Error = StoreError;

    fn try_from(row: RuleRow) -> Result<Self, StoreError> {
        let RuleRow {
            id,
            domain_id,
            hostname,
            workspace_id,
            settings,
            created_at,
            updated_at,
            created_by,
            state,
            last_value,
            last_evaluated_at,
            last_fired_at,
        } = row;
        let settings = RuleSettings::try_from(settings)?;
        Ok(Self {
            id: AlertRuleId(id),
            domain_id: DomainId(domain_id),
            domain_name: hostname,
            workspace_id: WorkspaceId(workspace_id),
            state: if settings.enabled {
                state.parse()?
            } else {
                RuleState::Disabled
            },
            settings,
            last_evaluated_at,
            last_fired_at,
            last_value,
            created_at,
            updated_at,
            created_by: created_by.map(UserId),
        })
    }
}
