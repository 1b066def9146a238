//! The rules that no schema can say, and what a member or parameter goes with.

use pharos_http::operation::Operation;
use serde_json::{Value, json};

/// The members of an experiment's design go together, and change in drafts alone.
pub(super) const DESIGN: [&str; 8] = [
    "method",
    "primary_metric",
    "control_urls",
    "variant_urls",
    "pre_start_date",
    "pre_end_date",
    "post_start_date",
    "post_end_date",
];

/// The members without which this one is refused, whatever its schema says.
pub(super) fn beside(member: &str, value: &Value) -> Vec<(&'static str, Value)> {
    match member {
        "keyword_mode" if value.is_null() => vec![("keyword", json!(null))],
        "keyword_mode" => vec![("keyword", json!("in stock")), ("method", json!("GET"))],
        "keyword" => vec![("method", json!("GET"))],
        "method" => vec![("keyword", json!(null))],
        "content" => vec![("urls", json!(["https://shop.example/"]))],
        "weekdays" => vec![("recurrence", json!("weekly"))],
        "operator" if looks_at_the_past(value) => {
            vec![
                ("threshold_value", json!(20)),
                ("comparison_window", json!("previous_day")),
            ]
        }
        "operator" => vec![("threshold_value", json!(5))],
        "threshold_value" => vec![("operator", json!("gt"))],
        "comparison_window" if value.is_null() => {
            vec![("operator", json!("gt")), ("threshold_value", json!(5))]
        }
        "comparison_window" => vec![
            ("operator", json!("pct_increase")),
            ("threshold_value", json!(20)),
        ],
        _ => Vec::new(),
    }
}

fn looks_at_the_past(operator: &Value) -> bool {
    matches!(
        operator.as_str(),
        Some("pct_decrease" | "pct_increase" | "anomaly")
    )
}

/// Whether a change of a rule is refused for its metric, which no schema knows: `response_ms` is of the whole site, is never
/// compared for equality, has no usual threshold, and is above whatever is below 0.
pub(super) fn is_of_another_metric(operation: &Operation, body: &Value) -> bool {
    let narrows = ["url", "form_factor", "search_type"];
    operation.spec.id == "updateAlertRule"
        && (narrows
            .iter()
            .any(|member| body.get(member).is_some_and(|value| !value.is_null()))
            || body["operator"] == "eq"
            || body.get("threshold_value").is_some_and(Value::is_null)
            || body["threshold_value"]
                .as_f64()
                .is_some_and(|threshold| threshold < 0.0))
}

/// Whether an operation refuses a body by a rule that no pattern says: a URL is a page of the domain, a lookup is of a page or of
/// an origin, a header holds ASCII.
pub(super) fn breaks_a_rule_of_its_own(operation: &Operation, body: &Value) -> bool {
    let of_domain = |member: &str| {
        body[member]
            .as_str()
            .map(|url| url.starts_with("https://shop.example/"))
    };
    // A header holds ASCII.
    let is_no_header = |member: &str| body[member].as_str().is_some_and(|text| !text.is_ascii());
    match operation.spec.id {
        "createSyntheticUrl" => of_domain("url") != Some(true) || is_no_header("cookie"),
        "updateSyntheticUrl" => is_no_header("cookie"),
        // No pattern tells a currency in use from what is none, and none of the texts that the bounds are tried with is one.
        "updateAnalyticsConfig" => body["currency"].is_string(),
        "createCruxUrl" | "createSitemapFile" => of_domain("url") != Some(true),
        // A name of blanks is none.
        "createInspectorRun" => body["label"]
            .as_str()
            .is_some_and(|label| label.trim().is_empty()),
        // Each section once.
        "queryReportData" => body["sections"].as_array().is_some_and(|sections| {
            sections
                .iter()
                .enumerate()
                .any(|(at, section)| sections[..at].contains(section))
        }),
        "runCruxLookup" => of_domain("url") != Some(true) || !body["origin"].is_null(),
        _ => false,
    }
}

/// Whether a body names networks to leave out. No pattern tells an address from what is none, and no text that the bounds are
/// tried with is one.
pub(super) fn has_networks(body: &Value) -> bool {
    body["excluded_ips"]
        .as_array()
        .is_some_and(|networks| !networks.is_empty())
}

/// Whether a body asks for a report that nobody can make: sections and widgets are those of the catalogue, a logo is a URL,
/// and a schedule has the day that its frequency asks for, and no other.
pub(super) fn is_no_report(body: &Value) -> bool {
    let (config, branding, schedule) = (&body["sections_config"], &body["branding"], &body["schedule"]);
    let days = |member: &str| schedule[member].is_number();
    let has_days = match schedule["frequency"].as_str() {
        Some("weekly") => days("weekday") && !days("day_of_month"),
        Some("monthly") => days("day_of_month") && !days("weekday"),
        _ => true,
    };
    config["sections"]
        .as_array()
        .is_some_and(|sections| !sections.is_empty())
        || branding["logo_url"].is_string()
        || !has_days
}

/// The parameters that a parameter of an operation goes with.
pub(super) fn along(operation: &str, name: &str, value: &str) -> &'static str {
    match (operation, name) {
        ("listAnalyticsEventProperties", "event_name")
        | ("getRumDistribution", "metric")
        | ("getGscQuery", "query")
        | ("getGscPage", "url") => "",
        ("listAnalyticsEventProperties", _) => "&event_name=signup",
        ("getRumDistribution", _) => "&metric=lcp",
        ("getRumPage", "url") => "",
        ("getRumPage", _) => "&url=https://shop.example/",
        ("getAnalyticsFunnel", "step") => "",
        ("getAnalyticsFunnel", _) => "&step=page:/&step=event:signup",
        ("getGscQuery", _) => "&query=hats",
        ("getGscPage", _) => "&url=https://shop.example/hats",
        ("getCruxRecord", "scope") if value == "url" => "&url=https://shop.example/shoes",
        ("getCruxRecord", "url") => "&scope=url",
        ("getSyntheticTimeseries", _) => "",
        // A window of many days has too many hours.
        (operation, "granularity") if !operation.starts_with("getUptime") => "&start_date=2026-03-30",
        _ => "",
    }
}
