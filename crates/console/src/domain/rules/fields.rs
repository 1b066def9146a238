//! The form of a rule's condition, for a new rule and for one that is changed.

use maud::{Markup, html};
use pharos_alerting::{
    rule::{RuleDraft, RuleSettings},
    severity::Severity,
};
use pharos_domain::alert_metric::{
    AlertMetric, AlertModule, AlertOperator, ComparisonWindow, FormFactor, SearchType, SupportedFilters,
};

use super::{compared, looked_at};
use crate::{
    console::Console,
    enter::AtDomain,
    form::Form,
    parts::form::{Faults, Field, at_fields},
    refusal::Refusal,
};

/// The fields that people fill, by their names at the API, with their labels.
const FIELDS: [(&str, &str); 11] = [
    ("name", "Name"),
    ("operator", "Fires when it is"),
    ("threshold_value", "Threshold"),
    ("comparison_window", "Beside"),
    ("evaluation_window", "Looks at"),
    ("min_sample", "Least sample"),
    ("severity", "How bad it is"),
    ("cooldown_minutes", "Silent after it fired, in minutes"),
    ("url", "Only this URL"),
    ("form_factor", "Devices"),
    ("search_type", "Search type"),
];

/// The label of a field.
fn label(name: &str) -> Option<&'static str> {
    let found = FIELDS.iter().find(|(known, _)| *known == name);
    found.map(|(_, label)| *label)
}

/// Adds what is wrong with a field, which is named: it is said above the form too.
fn add(faults: &mut Faults, field: &str, why: &str) {
    match label(field) {
        Some(label) => faults.add(field, format!("{label}: {why}")),
        None => faults.add(field, why),
    }
}

/// The texts in the fields.
pub(super) struct Typed(Vec<(&'static str, String)>);

impl Typed {
    /// The condition that a rule of the metric has if it names none.
    pub(super) fn begin(metric: &AlertMetric) -> Self {
        let default = &metric.default;
        let window = default.comparison_window.map(ComparisonWindow::as_str);
        Self(vec![
            ("operator", default.operator.as_str().to_owned()),
            ("threshold_value", default.threshold.to_string()),
            ("comparison_window", window.unwrap_or_default().to_owned()),
            ("evaluation_window", metric.default_window().as_str().to_owned()),
            ("severity", Severity::Warning.as_str().to_owned()),
            ("cooldown_minutes", default.cooldown_minutes.to_string()),
        ])
    }

    /// The condition of a rule as it stands.
    pub(super) fn of(settings: &RuleSettings) -> Self {
        let filter = &settings.filter;
        let window = settings.comparison_window.map(ComparisonWindow::as_str);
        let least = settings.min_sample.map(|least| least.to_string());
        let form_factor = filter.form_factor.map(FormFactor::as_str);
        let search_type = filter.search_type.map(SearchType::as_str);
        Self(vec![
            ("name", settings.name.clone().unwrap_or_default()),
            ("operator", settings.operator.as_str().to_owned()),
            ("threshold_value", settings.threshold.to_string()),
            ("comparison_window", window.unwrap_or_default().to_owned()),
            (
                "evaluation_window",
                settings.evaluation_window.as_str().to_owned(),
            ),
            ("min_sample", least.unwrap_or_default()),
            ("severity", settings.severity.as_str().to_owned()),
            ("cooldown_minutes", settings.cooldown_minutes.to_string()),
            ("url", filter.url.clone().unwrap_or_default()),
            ("form_factor", form_factor.unwrap_or_default().to_owned()),
            ("search_type", search_type.unwrap_or_default().to_owned()),
        ])
    }

    /// The texts that a form sent.
    pub(super) fn sent(form: &Form) -> Self {
        let sent = FIELDS
            .iter()
            .map(|(name, _)| (*name, form.one(name).trim().to_owned()));
        Self(sent.collect())
    }

    fn one(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    fn filled(&self, name: &str) -> Option<String> {
        Some(self.one(name))
            .filter(|value| !value.is_empty())
            .map(str::to_owned)
    }

    /// One of a choice, or none: no browser sends anything else.
    fn chosen<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, Refusal> {
        let value = self.filled(name).map(|value| value.parse::<T>());
        value.transpose().map_err(|_| Refusal::NoForm)
    }

    /// A number, or none where nothing is typed; what is no number is a fault.
    fn number<T: std::str::FromStr>(&self, name: &str, why: &str, faults: &mut Faults) -> Option<T> {
        let number = self.filled(name).map(|text| text.parse::<T>());
        number.transpose().unwrap_or_else(|_| {
            add(faults, name, why);
            None
        })
    }

    /// The settings that they ask for, or everything that is wrong with them.
    pub(super) fn settings(
        &self,
        console: &Console,
        here: &AtDomain,
        (module, metric): (AlertModule, &AlertMetric),
    ) -> Result<Result<RuleSettings, Faults>, Refusal> {
        let mut faults = Faults::default();
        let draft = self.draft(module, metric, &mut faults)?;
        judge(&draft, metric, &mut faults);
        let hostname = &here.access.domain().hostname;
        let (operator, threshold) = (draft.operator, draft.threshold);
        match draft.settings(&console.parts.alert_metrics, hostname) {
            Ok(settings) if faults.is_empty() => return Ok(Ok(settings)),
            Ok(_) => {}
            Err(found) => {
                for (field, why) in at_fields(found) {
                    // A fault that has the words of the form is not repeated in those of the API.
                    if faults.of(&field).is_none() {
                        add(&mut faults, &field, &in_words(why, operator, threshold));
                    }
                }
            }
        }
        Ok(Err(faults))
    }

    /// The rule that they ask for; a number that is none is a fault.
    fn draft(
        &self,
        module: AlertModule,
        metric: &AlertMetric,
        faults: &mut Faults,
    ) -> Result<RuleDraft, Refusal> {
        let threshold = self.number("threshold_value", NUMBER, faults);
        let min_sample = self.number("min_sample", "a whole number, or nothing", faults);
        let cooldown_minutes = self.number("cooldown_minutes", "a whole number of minutes", faults);
        let operator: AlertOperator = self.chosen("operator")?.ok_or(Refusal::NoForm)?;
        // It stands there for the operators that look at the past.
        let comparison_window = self.chosen("comparison_window")?.filter(|_| operator.compares());
        Ok(RuleDraft {
            name: self.filled("name"),
            module,
            metric: metric.name.to_owned(),
            operator,
            threshold,
            comparison_window,
            evaluation_window: self.chosen("evaluation_window")?,
            min_sample,
            url: self.filled("url"),
            form_factor: self.chosen("form_factor")?,
            search_type: self.chosen("search_type")?,
            severity: self.chosen("severity")?,
            enabled: None,
            cooldown_minutes,
        })
    }

    /// The fields: those that rules of the metric have.
    pub(super) fn fields(&self, metric: &AlertMetric, faults: &Faults) -> Markup {
        let field =
            |name: &'static str| Field::new(name, label(name).unwrap_or(name), self.one(name)).faults(faults);
        let operators = metric.operators.iter();
        let windows = metric.windows.iter();
        let unit = match metric.display_unit {
            "" => "A value, a percentage of change, or a number of deviations.".to_owned(),
            unit => format!("A value in {unit}, a percentage of change, or a number of deviations."),
        };
        let compares = metric.operators.iter().any(|operator| operator.compares());
        let has_sample = metric.windows.iter().any(|window| metric.has_sample(*window));
        html! {
            (field("operator").select(operators.map(|operator| (operator.as_str(), words(*operator)))))
            (field("threshold_value").hint(&unit).line())
            @if compares {
                (field("comparison_window")
                    .hint("Of use where the rule looks at a change, or at what is usual.")
                    .select([("", "nothing")].into_iter()
                        .chain(ComparisonWindow::ALL.iter().map(|window| (window.as_str(), compared(*window))))))
            }
            (field("evaluation_window").select(windows.map(|window| (window.as_str(), looked_at(*window)))))
            @if has_sample {
                (field("min_sample").optional().max(10)
                    .hint("It is silent where less was measured: checks, views, impressions.").line())
            }
            (filters(&field, metric.filters))
            (field("severity").select(Severity::ALL.iter().map(|one| (one.as_str(), one.as_str()))))
            (field("cooldown_minutes").max(6).line())
            (field("name").optional().max(200).line())
        }
    }
}

/// The fields by which rules of some metrics may be narrowed.
fn filters<'a>(field: &impl Fn(&'static str) -> Field<'a>, has: SupportedFilters) -> Markup {
    let all = [("", "all")];
    html! {
        @if has.url { (field("url").optional().max(2048).kind("url").line()) }
        @if has.form_factor {
            (field("form_factor").select(all.into_iter()
                .chain(FormFactor::ALL.iter().map(|one| (one.as_str(), one.as_str())))))
        }
        @if !has.search_types.is_empty() {
            (field("search_type").select(has.search_types.iter().map(|one| (one.as_str(), one.as_str()))))
        }
    }
}

/// The value that a threshold has to be.
const NUMBER: &str = "a number, such as 2 or 99.9";

/// Adds what is wrong with a condition, in the words of the form: those of the API name members and operators that it does not show.
fn judge(draft: &RuleDraft, metric: &AlertMetric, faults: &mut Faults) {
    let operator = draft.operator;
    let is_change = matches!(operator, AlertOperator::PctDecrease | AlertOperator::PctIncrease);
    let threshold = match draft.threshold {
        None => Some(NUMBER),
        Some(threshold) if is_change && threshold <= 0.0 => Some("must be above 0 percent"),
        Some(threshold) if operator == AlertOperator::PctDecrease && threshold > 100.0 => {
            Some("must be 100 percent at most: nothing falls by more")
        }
        Some(threshold) if operator == AlertOperator::Anomaly && threshold <= 0.0 => {
            Some("must be above 0 deviations")
        }
        Some(_) => None,
    };
    // A number that is none is said to be none already.
    if let Some(why) = threshold.filter(|_| faults.of("threshold_value").is_none()) {
        add(faults, "threshold_value", why);
    }
    if operator.compares() && draft.comparison_window.is_none() {
        let why = format!("choose the past that is meant by “{}”", words(operator));
        add(faults, "comparison_window", &why);
    }
    if let Some(window) = draft.evaluation_window
        && draft.min_sample.is_some()
        && !metric.has_sample(window)
    {
        let why = format!("leave it empty, because “{}” has no sample", looked_at(window));
        add(faults, "min_sample", &why);
    }
}

/// A fault of the API with the operator as the form says it.
fn in_words(why: String, operator: AlertOperator, threshold: Option<f64>) -> String {
    let condition = threshold.map(|threshold| format!("{operator} {threshold} "));
    match condition.and_then(|condition| why.strip_prefix(&condition).map(str::to_owned)) {
        Some(rest) => format!("“{}” {rest}", words(operator)),
        None => why,
    }
}

/// An operator as the form says it.
fn words(operator: AlertOperator) -> &'static str {
    match operator {
        AlertOperator::Gt => "above the threshold",
        AlertOperator::Gte => "at the threshold or above",
        AlertOperator::Lt => "below the threshold",
        AlertOperator::Lte => "at the threshold or below",
        AlertOperator::Eq => "at exactly the threshold",
        AlertOperator::PctDecrease => "lower by so many percent or more",
        AlertOperator::PctIncrease => "higher by so many percent or more",
        AlertOperator::Anomaly => "unusual, by more than so many deviations",
    }
}
