//! Making a rule, and changing one.

use pharos_domain::{
    alert_metric::{
        AlertMetric, AlertModule, AlertOperator, ComparisonWindow, EvaluationWindow, FormFactor,
        MetricFilter, SearchType,
    },
    hostname::Hostname,
    patch::{Patch, set},
    settings::{Faults, SettingFault},
};

use super::{
    DEFAULT_SENSITIVITY, RuleSettings, Severity,
    check::{check, check_condition, check_search_type, check_threshold, draft_fault, normalise_url},
};
use crate::catalogue::Catalogue;

/// A rule that is requested. Absent members take the defaults of the metric.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleDraft {
    /// The name that people gave it.
    pub name: Option<String>,
    /// The module.
    pub module: AlertModule,
    /// The metric that it is to watch.
    pub metric: String,
    /// The operator.
    pub operator: AlertOperator,
    /// The threshold. Operators that compare with a value need it, unless the metric's default condition looks the same way.
    pub threshold: Option<f64>,
    /// The past to compare with. Operators that look at the past need it.
    pub comparison_window: Option<ComparisonWindow>,
    /// The evaluation window.
    pub evaluation_window: Option<EvaluationWindow>,
    /// The least that must have been measured.
    pub min_sample: Option<u32>,
    /// One URL.
    pub url: Option<String>,
    /// One form factor.
    pub form_factor: Option<FormFactor>,
    /// One search type.
    pub search_type: Option<SearchType>,
    /// The severity.
    pub severity: Option<Severity>,
    /// Whether it is evaluated.
    pub enabled: Option<bool>,
    /// The cooldown in minutes.
    pub cooldown_minutes: Option<u32>,
}

impl RuleDraft {
    /// The settings of the rule, which is one of the domain of that name.
    ///
    /// # Errors
    /// Everything about it that can't be.
    pub fn settings(
        self,
        catalogue: &Catalogue,
        hostname: &Hostname,
    ) -> Result<RuleSettings, Vec<SettingFault>> {
        let mut faults = Faults::default();
        let Some(metric) = catalogue.find(self.module, &self.metric) else {
            draft_fault(catalogue, self.module, &self.metric, &mut faults);
            return Err(faults.or(|| ()).err().unwrap_or_default());
        };
        let threshold = self
            .threshold
            .or_else(|| default_threshold(metric, self.operator));
        let has_threshold = check_threshold(self.operator, threshold, &mut faults);
        let mut settings = RuleSettings {
            name: self.name,
            module: self.module,
            metric: self.metric,
            operator: self.operator,
            threshold: threshold.unwrap_or_default(),
            comparison_window: self.comparison_window,
            evaluation_window: self.evaluation_window.unwrap_or(metric.default_window()),
            min_sample: self.min_sample,
            filter: MetricFilter {
                url: self.url,
                form_factor: self.form_factor,
                search_type: self.search_type,
            },
            severity: self.severity.unwrap_or(Severity::Warning),
            enabled: self.enabled.unwrap_or(true),
            cooldown_minutes: self.cooldown_minutes.unwrap_or(metric.default.cooldown_minutes),
        };
        check(&settings, metric, &mut faults);
        check_search_type(&settings, metric, &mut faults);
        normalise_url(&mut settings, metric, hostname, &mut faults);
        if has_threshold {
            check_condition(&settings, metric, &mut faults);
        }
        faults.or(|| settings)
    }
}

/// A change of a rule. Absent members stay as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleChange {
    /// The name that people gave it.
    pub name: Patch<String>,
    /// The operator.
    pub operator: Option<AlertOperator>,
    /// The threshold.
    pub threshold: Patch<f64>,
    /// The past to compare with.
    pub comparison_window: Patch<ComparisonWindow>,
    /// The evaluation window.
    pub evaluation_window: Option<EvaluationWindow>,
    /// The least that must have been measured.
    pub min_sample: Patch<u32>,
    /// The severity.
    pub severity: Option<Severity>,
    /// Whether it is evaluated.
    pub enabled: Option<bool>,
    /// The cooldown in minutes.
    pub cooldown_minutes: Option<u32>,
    /// One URL.
    pub url: Patch<String>,
    /// One form factor.
    pub form_factor: Patch<FormFactor>,
    /// One search type.
    pub search_type: Patch<SearchType>,
}

impl RuleChange {
    /// The settings as they are after the change, of a rule of the domain of that name. A threshold means another thing to an
    /// operator of another kind, so it goes with the operator unless the change brings one.
    ///
    /// # Errors
    /// Everything about them that can't be.
    pub fn apply(
        self,
        present: &RuleSettings,
        catalogue: &Catalogue,
        hostname: &Hostname,
    ) -> Result<RuleSettings, Vec<SettingFault>> {
        let mut faults = Faults::default();
        let mut next = present.clone();
        set(self.operator, &mut next.operator);
        let keeps_meaning = Meaning::of(present.operator) == Meaning::of(next.operator);
        let mut threshold = Some(present.threshold).filter(|_| keeps_meaning);
        self.threshold.apply(&mut threshold);
        if !next.operator.compares() {
            next.comparison_window = None;
        }
        self.name.apply(&mut next.name);
        self.comparison_window.apply(&mut next.comparison_window);
        set(self.evaluation_window, &mut next.evaluation_window);
        self.min_sample.apply(&mut next.min_sample);
        set(self.severity, &mut next.severity);
        set(self.enabled, &mut next.enabled);
        set(self.cooldown_minutes, &mut next.cooldown_minutes);
        self.url.apply(&mut next.filter.url);
        self.form_factor.apply(&mut next.filter.form_factor);
        self.search_type.apply(&mut next.filter.search_type);
        let Some(metric) = catalogue.find(next.module, &next.metric) else {
            draft_fault(catalogue, next.module, &next.metric, &mut faults);
            return Err(faults.or(|| ()).err().unwrap_or_default());
        };
        // Whoever changes the operator to one that compares with a value has to say which.
        let threshold = threshold.or_else(|| match Meaning::of(next.operator) {
            Meaning::Value => None,
            Meaning::Percentage | Meaning::Deviations => default_threshold(metric, next.operator),
        });
        let has_threshold = check_threshold(next.operator, threshold, &mut faults);
        next.threshold = threshold.unwrap_or_default();
        check(&next, metric, &mut faults);
        // One of old whose URL is none of the domain, whose search type has no value, or that always or never holds, can be
        // switched off as it is.
        if next.enabled || next.filter.search_type != present.filter.search_type {
            check_search_type(&next, metric, &mut faults);
        }
        if next.enabled || next.filter.url != present.filter.url {
            normalise_url(&mut next, metric, hostname, &mut faults);
        }
        let is_other = (present.operator, present.threshold) != (next.operator, next.threshold);
        if has_threshold && (next.enabled || is_other) {
            check_condition(&next, metric, &mut faults);
        }
        faults.or(|| next)
    }
}

/// The meaning of a threshold to an operator.
#[derive(PartialEq, Eq)]
enum Meaning {
    Value,
    Percentage,
    Deviations,
}

impl Meaning {
    fn of(operator: AlertOperator) -> Self {
        match operator {
            AlertOperator::Gt
            | AlertOperator::Gte
            | AlertOperator::Lt
            | AlertOperator::Lte
            | AlertOperator::Eq => Self::Value,
            AlertOperator::PctDecrease | AlertOperator::PctIncrease => Self::Percentage,
            AlertOperator::Anomaly => Self::Deviations,
        }
    }
}

/// The threshold of a rule that names none: that of the metric's default condition, where the operator looks the same way as the
/// operator of that. A sensitivity is the same for all.
fn default_threshold(metric: &AlertMetric, operator: AlertOperator) -> Option<f64> {
    let default = &metric.default;
    match (Way::of(operator), Way::of(default.operator)) {
        (Way::Unusual, _) => Some(DEFAULT_SENSITIVITY),
        (way, usual) => Some(default.threshold).filter(|_| way == usual),
    }
}

/// The way in which an operator looks.
#[derive(PartialEq, Eq)]
enum Way {
    Above,
    Below,
    At,
    Fall,
    Rise,
    Unusual,
}

impl Way {
    fn of(operator: AlertOperator) -> Self {
        match operator {
            AlertOperator::Gt | AlertOperator::Gte => Self::Above,
            AlertOperator::Lt | AlertOperator::Lte => Self::Below,
            AlertOperator::Eq => Self::At,
            AlertOperator::PctDecrease => Self::Fall,
            AlertOperator::PctIncrease => Self::Rise,
            AlertOperator::Anomaly => Self::Unusual,
        }
    }
}
