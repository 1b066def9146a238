//! GET /alerts/metrics: the catalogue of the contract, row by row.

use std::collections::BTreeSet;

use pharos_alerting::rule::{RuleChange, RuleDraft};
use pharos_domain::{alert_metric::SearchType, hostname::Hostname};
use pharos_server::groups::alert_metrics;
use serde_json::Value;

use super::get;
use crate::harness::TestApp;

/// Each metric: its module, name and unit (`-`: none), and the default of its rules: operator, threshold, comparison window (`-`:
/// none), cooldown in minutes. Then its operators: T is gt, gte, lt and lte, E is eq, P is both of pct, A is anomaly.
const METRICS: &str = "
    uptime consecutive_failures checks gte 2 - 60 TE
    uptime uptime_pct % lt 99.9 - 1440 TPA
    uptime response_ms ms gt 2000 - 120 TPA
    uptime ttfb_ms ms gt 1500 - 120 TPA
    uptime incident_count incidents gte 3 - 1440 TP
    uptime incident_duration_seconds s gt 600 - 60 T
    uptime blocked_403 checks gte 3 - 720 TE
    uptime regions_down regions gte 2 - 60 TE
    uptime ssl_days_remaining days lte 14 - 1440 TE
    uptime ssl_invalid checks gte 1 - 720 TE
    uptime ssl_certificate_changed changes gte 1 - 0 TE
    uptime domain_days_remaining days lte 30 - 1440 TE
    uptime domain_registration_changed changes gte 1 - 0 TE
    rum lcp_ms ms gt 2500 - 1440 TPA
    rum inp_ms ms gt 200 - 1440 TPA
    rum cls - gt 0.1 - 1440 TPA
    rum fcp_ms ms gt 1800 - 1440 TPA
    rum ttfb_ms ms gt 800 - 1440 TPA
    rum good_views_pct % lt 75 - 1440 TPA
    rum js_error_rate_pct % gt 2 - 240 TPA
    rum js_error_count errors pct_increase 100 previous_day 240 TPA
    rum new_error_groups groups gte 1 - 240 TE
    rum request_failure_rate_pct % gt 2 - 240 TPA
    rum pageviews views pct_decrease 50 previous_day 720 TPA
    rum bfcache_hit_pct % pct_decrease 30 previous_day 1440 TPA
    crux lcp_ms ms gt 2500 - 10080 TP
    crux inp_ms ms gt 200 - 10080 TP
    crux cls - gt 0.1 - 10080 TP
    crux fcp_ms ms gt 1800 - 10080 TP
    crux ttfb_ms ms gt 800 - 10080 TP
    crux rtt_ms ms gt 150 - 10080 TP
    crux good_lcp_pct % lt 75 - 10080 TP
    crux good_inp_pct % lt 75 - 10080 TP
    crux good_cls_pct % lt 75 - 10080 TP
    crux assessment_failed changes gte 1 - 10080 TE
    synthetic performance_score points lt 50 - 1440 TPA
    synthetic accessibility_score points lt 90 - 1440 TP
    synthetic best_practices_score points lt 90 - 1440 TP
    synthetic seo_score points lt 90 - 1440 TP
    synthetic lcp_ms ms gt 2500 - 1440 TPA
    synthetic tbt_ms ms gt 200 - 1440 TPA
    synthetic cls - gt 0.1 - 1440 TPA
    synthetic fcp_ms ms gt 1800 - 1440 TPA
    synthetic speed_index_ms ms gt 3400 - 1440 TPA
    synthetic ttfb_ms ms gt 600 - 1440 TPA
    synthetic total_bytes bytes pct_increase 20 previous_28_days 1440 TPA
    synthetic request_count requests pct_increase 20 previous_28_days 1440 TPA
    synthetic budget_exceeded budgets gte 1 - 1440 TE
    synthetic run_failed runs gte 2 - 720 TE
    gsc clicks clicks pct_decrease 20 same_day_last_week 1440 TPA
    gsc impressions impressions pct_decrease 20 same_day_last_week 1440 TPA
    gsc ctr % pct_decrease 20 same_day_last_week 1440 TPA
    gsc position rank pct_increase 15 same_day_last_week 1440 TPA
    gsc top_10_queries queries pct_decrease 20 same_day_last_week 1440 TPA
    gsc pages_with_clicks pages pct_decrease 20 same_day_last_week 1440 TPA
    gsc non_branded_clicks clicks pct_decrease 20 same_day_last_week 1440 TPA
    gsc lost_rankings queries gt 50 - 1440 TPA
    gsc discover_clicks clicks pct_decrease 50 same_day_last_week 1440 TPA
    gsc sync_age_hours h gt 96 - 1440 T
    indexing indexed_pct % lt 80 - 1440 TPA
    indexing indexed_urls URLs pct_decrease 10 previous_7_days 1440 TPA
    indexing newly_deindexed URLs gte 1 - 720 TEP
    indexing crawled_not_indexed URLs pct_increase 20 previous_7_days 1440 TPA
    indexing fetch_errors URLs gte 1 - 720 TEP
    indexing noindex_urls URLs pct_increase 20 previous_7_days 1440 TP
    indexing canonical_mismatches URLs gte 1 - 1440 TP
    indexing rich_result_errors items gte 1 - 1440 TP
    indexing median_crawl_age_days days gt 30 - 4320 TP
    robots content_changed changes gte 1 - 0 TE
    robots blocks_all flags gte 1 - 60 TE
    robots googlebot_blocked flags gte 1 - 60 TE
    robots fetch_failures checks gte 2 - 240 TE
    robots status_code code gte 500 - 240 TE
    robots issues_errors issues gte 1 - 1440 TP
    robots failing_test_urls URLs gte 1 - 60 TE
    robots sitemap_conflicts URLs gte 1 - 1440 TP
    robots size_bytes bytes gt 512000 - 10080 TP
    sitemap urls_total URLs pct_decrease 20 previous_7_days 1440 TPA
    sitemap urls_removed URLs gt 100 - 1440 TP
    sitemap urls_added URLs gt 1000 - 1440 TP
    sitemap fetch_failures files gte 1 - 240 TE
    sitemap issues_errors issues gte 1 - 1440 TP
    sitemap non_200_urls URLs gte 1 - 1440 TP
    sitemap blocked_by_robots URLs gte 1 - 1440 TP
    sitemap days_since_change days gt 30 - 10080 T
    analytics visitors visitors pct_decrease 30 same_day_last_week 720 TPA
    analytics sessions sessions pct_decrease 30 same_day_last_week 720 TPA
    analytics pageviews views pct_decrease 30 same_day_last_week 720 TPA
    analytics bounce_rate_pct % pct_increase 20 same_day_last_week 1440 TPA
    analytics avg_duration_seconds s pct_decrease 30 same_day_last_week 1440 TPA
    analytics event_count events pct_decrease 50 same_day_last_week 720 TPA
    analytics revenue currency pct_decrease 30 same_day_last_week 720 TPA
    analytics orders orders pct_decrease 30 same_day_last_week 720 TPA
    analytics conversion_rate_pct % pct_decrease 25 same_day_last_week 720 TPA
    analytics cart_abandonment_pct % pct_increase 20 same_day_last_week 1440 TPA
    analytics ai_assistant_visitors visitors pct_increase 50 same_day_last_week 1440 TPA
    analytics minutes_since_last_event min gt 120 - 240 T
";

/// The operators in the short form of the table.
fn short(operators: &Value) -> String {
    let mut left: BTreeSet<&str> = operators
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let kinds: [(char, &[&str]); 4] = [
        ('T', &["gt", "gte", "lt", "lte"]),
        ('E', &["eq"]),
        ('P', &["pct_decrease", "pct_increase"]),
        ('A', &["anomaly"]),
    ];
    let mut short = String::new();
    for (letter, names) in kinds {
        if names.iter().all(|name| left.contains(name)) {
            left.retain(|operator| !names.contains(operator));
            short.push(letter);
        }
    }
    assert!(left.is_empty(), "{operators} has {left:?} beside {short}");
    short
}

/// A metric of the catalogue as the table has it.
fn row(module: &Value, metric: &Value) -> String {
    let text = |value: &Value| match value.as_str() {
        None | Some("") => "-".to_owned(),
        Some(text) => text.to_owned(),
    };
    [
        text(&module["module"]),
        text(&metric["metric"]),
        text(&metric["display_unit"]),
        text(&metric["default_operator"]),
        metric["default_threshold"].as_f64().unwrap().to_string(),
        text(&metric["default_comparison_window"]),
        metric["default_cooldown_minutes"].to_string(),
        short(&metric["operators"]),
    ]
    .join(" ")
}

#[tokio::test]
async fn all_metrics_have_the_defaults_of_the_contract() {
    let app = TestApp::start().await;
    let catalogue = get(&app, "/alerts/metrics").await;
    let modules = catalogue["modules"].as_array().unwrap().iter();
    let rows: BTreeSet<String> = modules
        .flat_map(|module| {
            let metrics = module["metrics"].as_array().unwrap().iter();
            metrics.map(move |metric| row(module, metric))
        })
        .collect();
    let expected: BTreeSet<String> = METRICS
        .lines()
        .map(|line| line.trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect();
    assert_eq!(expected.len(), 97);
    let missing: Vec<&String> = expected.difference(&rows).collect();
    let other: Vec<&String> = rows.difference(&expected).collect();
    assert!(
        missing.is_empty() && other.is_empty(),
        "{missing:#?} are {other:#?}"
    );
}

/// A rule by these words, with the defaults of its metric.
fn draft(module: &str, metric: &str, operator: &str, threshold: f64) -> RuleDraft {
    RuleDraft {
        name: None,
        module: module.parse().unwrap(),
        metric: metric.to_owned(),
        operator: operator.parse().unwrap(),
        threshold: Some(threshold),
        comparison_window: None,
        evaluation_window: None,
        min_sample: None,
        url: None,
        form_factor: None,
        search_type: None,
        severity: None,
        enabled: None,
        cooldown_minutes: None,
    }
}

/// A rule by the defaults of each metric is one that can be, and takes its cooldown from them.
#[tokio::test]
async fn the_defaults_of_each_metric_make_a_rule() {
    let app = TestApp::start().await;
    let catalogue = alert_metrics(&app.stores.ports).unwrap();
    let hostname: Hostname = "shop.example".parse().unwrap();
    for line in METRICS.lines().filter(|line| !line.is_empty()) {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let [module, metric, _, operator, threshold, window, cooldown, _] = cells[..] else {
            panic!("{line}");
        };
        let draft = RuleDraft {
            comparison_window: (window != "-").then(|| window.parse().unwrap()),
            ..draft(module, metric, operator, threshold.parse().unwrap())
        };
        let made = draft.settings(&catalogue, &hostname);
        let made = made.unwrap_or_else(|faults| panic!("{line}: {faults:?}"));
        assert_eq!(made.cooldown_minutes.to_string(), cooldown, "{line}");
        assert!(made.enabled, "{line}");
    }
}

/// Shares end at 100, unless more can be: a visit may have many orders, and clicks are counted beside impressions.
#[tokio::test]
async fn each_metric_has_the_bounds_of_its_values() {
    let app = TestApp::start().await;
    let catalogue = alert_metrics(&app.stores.ports).unwrap();
    let all: Vec<_> = catalogue
        .modules()
        .flat_map(|found| found.metrics.iter())
        .collect();
    for metric in &all {
        let is_open = matches!(metric.name, "conversion_rate_pct" | "ctr");
        if metric.unit == "percent" || metric.unit == "points" {
            let largest = (!is_open).then_some(100.0);
            assert_eq!(
                (metric.least, metric.largest),
                (Some(0.0), largest),
                "{}",
                metric.name
            );
        }
        if metric.unit == "count" || metric.unit == "milliseconds" {
            assert_eq!(metric.least, Some(0.0), "{}", metric.name);
        }
    }
    let unbounded: Vec<&str> = all
        .iter()
        .filter(|metric| metric.least.is_none())
        .map(|metric| metric.name)
        .collect();
    assert_eq!(unbounded, ["revenue"], "refunds may be more than orders");
}

/// Discover and Google News have neither queries nor positions, so a rule on those would have no value for ever.
#[tokio::test]
async fn a_rule_on_a_search_type_that_has_no_value_is_refused() {
    let app = TestApp::start().await;
    let catalogue = alert_metrics(&app.stores.ports).unwrap();
    let hostname: Hostname = "shop.example".parse().unwrap();
    for (metric, takes_all) in [
        ("clicks", true),
        ("pages_with_clicks", true),
        ("position", false),
        ("top_10_queries", false),
        ("non_branded_clicks", false),
        ("lost_rankings", false),
    ] {
        for search_type in SearchType::ALL {
            let rule = RuleDraft {
                search_type: Some(*search_type),
                ..draft("gsc", metric, "gt", 10.0)
            };
            let refused = rule.settings(&catalogue, &hostname).err().unwrap_or_default();
            let pointers: Vec<&str> = refused.iter().map(|fault| fault.pointer.as_str()).collect();
            let is_feed = matches!(search_type, SearchType::Discover | SearchType::GoogleNews);
            let expected = (is_feed && !takes_all).then_some("/search_type");
            assert_eq!(pointers, Vec::from_iter(expected), "{metric} of {search_type}");
        }
    }
    // One from before can be switched off, and not on again.
    let ranks = draft("gsc", "position", "gt", 10.0);
    let mut old = ranks.settings(&catalogue, &hostname).unwrap();
    old.filter.search_type = Some(SearchType::Discover);
    let to = |enabled| RuleChange {
        enabled: Some(enabled),
        ..RuleChange::default()
    };
    let off = to(false).apply(&old, &catalogue, &hostname).unwrap();
    let refused = to(true).apply(&off, &catalogue, &hostname).unwrap_err();
    assert_eq!(refused[0].pointer, "/search_type");
}

#[tokio::test]
async fn a_rule_that_every_value_breaks_or_none_is_refused() {
    let app = TestApp::start().await;
    let catalogue = alert_metrics(&app.stores.ports).unwrap();
    let hostname: Hostname = "shop.example".parse().unwrap();
    for (module, metric, operator, threshold) in [
        ("uptime", "response_ms", "gte", 0.0),
        ("uptime", "uptime_pct", "lte", 150.0),
        ("uptime", "uptime_pct", "gt", 100.0),
        ("uptime", "ssl_days_remaining", "gt", -100_000.0),
        ("uptime", "domain_days_remaining", "lte", 1e9),
        ("uptime", "incident_duration_seconds", "lt", 0.0),
        ("rum", "cls", "gte", 0.0),
        ("crux", "good_lcp_pct", "gt", 100.0),
        ("synthetic", "performance_score", "lte", 100.0),
        ("gsc", "clicks", "lt", 0.0),
        ("gsc", "sync_age_hours", "gte", 0.0),
        ("indexing", "indexed_pct", "lt", 0.0),
        ("robots", "blocks_all", "gt", 1.0),
        ("robots", "status_code", "lt", 100.0),
        ("uptime", "consecutive_failures", "eq", 2.5),
        ("uptime", "ssl_days_remaining", "eq", 0.5),
        ("robots", "size_bytes", "gt", 600_000.0),
        ("sitemap", "days_since_change", "gte", 0.0),
        ("analytics", "bounce_rate_pct", "gt", 100.0),
        ("analytics", "minutes_since_last_event", "gte", 0.0),
    ] {
        let refused = draft(module, metric, operator, threshold).settings(&catalogue, &hostname);
        let pointers: Vec<String> = refused
            .err()
            .into_iter()
            .flatten()
            .map(|fault| fault.pointer)
            .collect();
        assert_eq!(pointers, ["/threshold_value"], "{metric} {operator} {threshold}");
    }
    for (module, metric, operator, threshold) in [
        ("uptime", "uptime_pct", "lt", 100.0),
        ("uptime", "ssl_days_remaining", "lt", 0.0),
        ("uptime", "consecutive_failures", "lte", 0.0),
        ("gsc", "ctr", "gt", 100.0),
        ("robots", "blocks_all", "gte", 1.0),
        ("robots", "status_code", "eq", 304.0),
        ("robots", "size_bytes", "gt", 512_000.0),
        ("analytics", "revenue", "lt", 0.0),
        ("analytics", "conversion_rate_pct", "gt", 100.0),
    ] {
        let made = draft(module, metric, operator, threshold).settings(&catalogue, &hostname);
        assert!(made.is_ok(), "{metric} {operator} {threshold}: {made:?}");
    }
}
