//! Alert rules: which metric of a domain must not do what.

mod change;
mod check;
#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use pharos_domain::{
    alert_metric::{AlertModule, AlertOperator, ComparisonWindow, EvaluationWindow, MetricFilter},
    ids::{AlertRuleId, DomainId, UserId, WorkspaceId},
    wire_enum,
};
use time::{Duration, OffsetDateTime};

use crate::severity::Severity;

pub use self::change::{RuleChange, RuleDraft};

/// How many rules a domain may have.
pub const MOST_RULES: u32 = 500;
/// How long a name may be, in characters.
pub const NAME_LENGTH: u32 = 200;
/// How long a URL may be, in characters.
pub const URL_LENGTH: u32 = 2_048;
/// The largest threshold, in either direction.
pub const LARGEST_THRESHOLD: f64 = 1e15;
/// How long a cooldown may be, in minutes: none, up to 90 days.
pub const COOLDOWN_MINUTES: RangeInclusive<u32> = 0..=129_600;
/// How much may be asked for before a rule fires.
pub const MIN_SAMPLE: RangeInclusive<u32> = 1..=1_000_000_000;
/// The sensitivity of an anomaly rule that names none, in deviations.
pub const DEFAULT_SENSITIVITY: f64 = 3.0;

wire_enum! {
    /// How a rule stands.
    RuleState as "AlertRuleState" {
        /// Its condition did not hold at its last evaluation, or it was not evaluated yet.
        Ok = "ok",
        /// Its condition held at its last evaluation.
        Firing = "firing",
        /// There was no value to judge at its last evaluation.
        NoData = "no_data",
        /// It is not evaluated.
        Disabled = "disabled",
    }
}

/// The settings of a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleSettings {
    /// The name that its owner gave it.
    pub name: Option<String>,
    /// The module of the metric.
    pub module: AlertModule,
    /// The metric, by its name in the catalogue of the module.
    pub metric: String,
    /// How the metric is compared.
    pub operator: AlertOperator,
    /// The value that it is compared with, the percentage of a change, or the deviations of an anomaly.
    pub threshold: f64,
    /// The past that it is compared with, for the operators that look at the past.
    pub comparison_window: Option<ComparisonWindow>,
    /// How much of the time before the evaluation it looks at.
    pub evaluation_window: EvaluationWindow,
    /// The least that must have been measured; below it there is no value.
    pub min_sample: Option<u32>,
    /// The part of the domain that it watches.
    pub filter: MetricFilter,
    /// How bad it is when it fires.
    pub severity: Severity,
    /// Whether it is evaluated.
    pub enabled: bool,
    /// How long after a firing there is no second one, in minutes.
    pub cooldown_minutes: u32,
}

impl RuleSettings {
    /// How long after a firing there is no second one.
    #[must_use]
    pub fn cooldown(&self) -> Duration {
        Duration::minutes(self.cooldown_minutes.into())
    }
}

/// A rule of a domain.
#[derive(Clone, Debug, PartialEq)]
pub struct AlertRule {
    /// The id by which it is looked up.
    pub id: AlertRuleId,
    /// The domain that it belongs to.
    pub domain_id: DomainId,
    /// The name of the domain.
    pub domain_name: String,
    /// The workspace of the domain.
    pub workspace_id: WorkspaceId,
    /// Its settings: the metric that it watches, and how.
    pub settings: RuleSettings,
    /// How it stood at its last evaluation.
    pub state: RuleState,
    /// When it was evaluated last.
    pub last_evaluated_at: Option<OffsetDateTime>,
    /// When it fired last.
    pub last_fired_at: Option<OffsetDateTime>,
    /// The value at its last evaluation; `None` where there was none.
    pub last_value: Option<f64>,
    /// When it was made.
    pub created_at: OffsetDateTime,
    /// When its settings were changed last.
    pub updated_at: OffsetDateTime,
    /// Who made it; `None`: Pharos itself, or a user who is gone.
    pub created_by: Option<UserId>,
}
