//! Checking the settings of a rule.

use pharos_domain::{
    alert_metric::{AlertMetric, AlertModule, AlertOperator, MetricKind},
    hostname::Hostname,
    line::is_one_line,
    settings::Faults,
};
use url::Url;

use super::{COOLDOWN_MINUTES, LARGEST_THRESHOLD, MIN_SAMPLE, NAME_LENGTH, RuleSettings, URL_LENGTH};
use crate::{
    catalogue::Catalogue,
    evaluate::{foregone, holds},
};

/// Adds everything about the settings that can't be.
pub(super) fn check(rule: &RuleSettings, metric: &AlertMetric, faults: &mut Faults) {
    if let Some(name) = &rule.name
        && let Some(why) = name_fault(name)
    {
        faults.add("name", why);
    }
    if !metric.operators.contains(&rule.operator) {
        let names: Vec<&str> = metric
            .operators
            .iter()
            .map(|operator| operator.as_str())
            .collect();
        let why = format!("{} has these: {}", metric.name, names.join(", "));
        faults.contradiction("operator", &["metric"], why);
    }
    match (rule.operator.compares(), rule.comparison_window) {
        (true, None) => {
            let why = format!("{} needs a window to compare with", rule.operator);
            faults.contradiction("comparison_window", &["operator"], why);
        }
        (false, Some(_)) => {
            let why = format!("{} looks at no other window: must be null", rule.operator);
            faults.contradiction("comparison_window", &["operator"], why);
        }
        _ => {}
    }
    if !metric.windows.contains(&rule.evaluation_window) {
        let names: Vec<&str> = metric.windows.iter().map(|window| window.as_str()).collect();
        let why = format!("{} has these: {}", metric.name, names.join(", "));
        faults.contradiction("evaluation_window", &["metric"], why);
    }
    check_sample(rule, metric, faults);
    faults.in_range("cooldown_minutes", rule.cooldown_minutes, COOLDOWN_MINUTES);
    check_filter(rule, metric, faults);
}

/// Nobody is to rely on a bound that nothing is checked against.
fn check_sample(rule: &RuleSettings, metric: &AlertMetric, faults: &mut Faults) {
    let Some(least) = rule.min_sample else {
        return;
    };
    if metric.has_sample(rule.evaluation_window) {
        faults.in_range("min_sample", least, MIN_SAMPLE);
        return;
    }
    let (beside, name, why) = match metric.kind {
        MetricKind::Measure => (
            "evaluation_window",
            rule.evaluation_window.as_str(),
            "is a single value, not a sample",
        ),
        MetricKind::State | MetricKind::Countdown => {
            ("metric", metric.name, "tells how things stand and has no sample")
        }
        MetricKind::Event => ("metric", metric.name, "counts what happened and has no sample"),
    };
    faults.contradiction("min_sample", &[beside], format!("{name} {why}: must be null"));
}

fn name_fault(name: &str) -> Option<String> {
    let length = name.chars().count();
    if name.trim().is_empty() {
        // As the schema says of one without characters.
        Some("empty".to_owned())
    } else if length > NAME_LENGTH as usize {
        Some(format!("{length} characters; at most {NAME_LENGTH}"))
    } else if !is_one_line(name) {
        Some("more than one line, or a hidden character".to_owned())
    } else {
        None
    }
}

/// Adds what is wrong with a threshold of an operator, and says whether that is nothing; `None`: there is none, and no default.
pub(super) fn check_threshold(operator: AlertOperator, threshold: Option<f64>, faults: &mut Faults) -> bool {
    let why = match (operator, threshold) {
        (AlertOperator::PctDecrease | AlertOperator::PctIncrease, None) => {
            format!("{operator} needs a percentage")
        }
        (_, None) => format!("{operator} needs a value to compare with"),
        (_, Some(threshold)) if !threshold.is_finite() || threshold.abs() > LARGEST_THRESHOLD => {
            "a number of -10^15 to 10^15".to_owned()
        }
        (AlertOperator::Anomaly, Some(threshold)) if threshold <= 0.0 => {
            "must be above 0 deviations".to_owned()
        }
        (AlertOperator::PctDecrease | AlertOperator::PctIncrease, Some(threshold)) if threshold <= 0.0 => {
            "must be above 0 percent".to_owned()
        }
        (AlertOperator::PctDecrease, Some(threshold)) if threshold > 100.0 => {
            "must be 100 percent at most: nothing falls by more".to_owned()
        }
        _ => return true,
    };
    faults.contradiction("threshold_value", &["operator"], why);
    false
}

/// Adds the fault of a condition that always holds, which would fire without end and say nothing, or never, which nobody is to rely
/// on.
pub(super) fn check_condition(rule: &RuleSettings, metric: &AlertMetric, faults: &mut Faults) {
    let (operator, threshold) = (rule.operator, rule.threshold);
    let why = match foregone(operator, threshold, metric) {
        _ if metric.kind == MetricKind::Event && holds(operator, 0.0, threshold) => {
            "holds where nothing happens: a rule of events needs at least one".to_owned()
        }
        Some(false) if operator == AlertOperator::Eq && threshold.fract() != 0.0 => {
            "never holds: the metric is a whole number".to_owned()
        }
        Some(true) => format!("always holds: the metric is {}", values(metric)),
        Some(false) => format!("never holds: the metric is {}", values(metric)),
        None => return,
    };
    faults.contradiction(
        "threshold_value",
        &["operator", "metric"],
        format!("{operator} {threshold} {why}"),
    );
}

/// The values that a metric can have, in words.
fn values(metric: &AlertMetric) -> String {
    match (metric.least, metric.largest) {
        (Some(least), Some(largest)) => format!("from {least} to {largest}"),
        (Some(least), None) => format!("never below {least}"),
        (None, Some(largest)) => format!("never above {largest}"),
        (None, None) => "any number".to_owned(),
    }
}

fn check_filter(rule: &RuleSettings, metric: &AlertMetric, faults: &mut Faults) {
    let (filter, supported) = (&rule.filter, metric.filters);
    let members = [
        ("url", filter.url.is_some(), supported.url),
        ("form_factor", filter.form_factor.is_some(), supported.form_factor),
        (
            "search_type",
            filter.search_type.is_some(),
            !supported.search_types.is_empty(),
        ),
    ];
    for (member, is_given, is_supported) in members {
        if is_given && !is_supported {
            let why = format!(
                "{} of {} is of the whole site: must be null",
                metric.name, rule.module
            );
            faults.contradiction(member, &["module", "metric"], why);
        }
    }
    if let Some(url) = &filter.url
        && url.chars().count() > URL_LENGTH as usize
    {
        faults.add("url", format!("at most {URL_LENGTH} characters"));
    }
}

/// Adds the fault of a search type that the metric has no value of, so that the rule would never say anything.
pub(super) fn check_search_type(rule: &RuleSettings, metric: &AlertMetric, faults: &mut Faults) {
    let supported = metric.filters.search_types;
    // Where the metric is of the whole site, that is its fault.
    let Some(search_type) = rule.filter.search_type.filter(|_| !supported.is_empty()) else {
        return;
    };
    if supported.contains(&search_type) {
        return;
    }
    let names: Vec<&str> = supported.iter().map(|supported| supported.as_str()).collect();
    let why = format!(
        "{} has no value of {search_type}; it has one of: {}",
        metric.name,
        names.join(", ")
    );
    faults.contradiction("search_type", &["metric"], why);
}

/// Puts the URL into the normal form in which pages are followed, so that the rule finds its page; adds why it is none of a page
/// of the domain.
pub(super) fn normalise_url(
    rule: &mut RuleSettings,
    metric: &AlertMetric,
    hostname: &Hostname,
    faults: &mut Faults,
) {
    // Where the metric is of the whole site, that is its fault.
    let Some(text) = rule.filter.url.as_deref().filter(|_| metric.filters.url) else {
        return;
    };
    match page_url(text, hostname) {
        Ok(url) => rule.filter.url = Some(url),
        Err(why) => faults.add("url", why),
    }
}

/// A page's URL in normal form: without its fragment. It lies on the domain or below it.
fn page_url(text: &str, hostname: &Hostname) -> Result<String, String> {
    let mut url = Url::parse(text).map_err(|_| format!("not a URL, such as https://{hostname}/"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("neither http nor https".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("a user or a password has no place in it".to_owned());
    }
    if !url.host_str().is_some_and(|host| hostname.covers(host)) {
        return Err(format!("not on {hostname} or below it"));
    }
    url.set_fragment(None);
    Ok(url.into())
}

/// Adds the fault of a metric that the catalogue does not have.
pub(super) fn draft_fault(catalogue: &Catalogue, module: AlertModule, metric: &str, faults: &mut Faults) {
    match catalogue.module(module) {
        None => {
            let names: Vec<&str> = catalogue.modules().map(|found| found.module.as_str()).collect();
            let why = format!("no metrics of it can be watched; of these: {}", names.join(", "));
            faults.add("module", why);
        }
        Some(found) => {
            let names: Vec<&str> = found.metrics.iter().map(|metric| metric.name).collect();
            let shown: String = metric.chars().take(64).collect();
            let why = format!(
                "{module} has no metric {shown:?}; it has these: {}",
                names.join(", ")
            );
            faults.contradiction("metric", &["module"], why);
        }
    }
}
