use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    alert_metric::{
        AlertMetric, AlertModule, AlertOperator, ComparisonWindow, EvaluationWindow, MetricAnswer,
        MetricKind, MetricQuery, MetricSource, ModuleMetrics, SupportedFilters,
    },
    hostname::Hostname,
    patch::Patch,
    settings::SettingFault,
    store::StoreError,
};
use time::OffsetDateTime;

use super::*;
use crate::{
    catalogue::Catalogue,
    fixture::{RESPONSE_MS, rule},
};

static METRICS: [AlertMetric; 6] = [
    RESPONSE_MS,
    AlertMetric {
        name: "failures",
        operators: &[AlertOperator::Gte],
        windows: &[EvaluationWindow::Latest],
        kind: MetricKind::State,
        ..RESPONSE_MS
    },
    AlertMetric {
        name: "changes",
        windows: &[EvaluationWindow::Latest],
        kind: MetricKind::Event,
        ..RESPONSE_MS
    },
    AlertMetric {
        name: "page_ms",
        filters: SupportedFilters::PAGE,
        ..RESPONSE_MS
    },
    AlertMetric {
        name: "share",
        largest: Some(100.0),
        ..RESPONSE_MS
    },
    AlertMetric {
        name: "balance",
        least: None,
        ..RESPONSE_MS
    },
];

/// Its metrics alone: nobody asks it for values.
struct Source(AlertModule);

#[async_trait]
impl MetricSource for Source {
    fn metrics(&self) -> ModuleMetrics {
        ModuleMetrics {
            module: self.0,
            label: "Uptime",
            metrics: &METRICS,
        }
    }

    async fn read(
        &self,
        _queries: &[MetricQuery],
        _now: OffsetDateTime,
    ) -> Result<Vec<MetricAnswer>, StoreError> {
        Ok(Vec::new())
    }
}

fn catalogue() -> Catalogue {
    Catalogue::new(vec![Arc::new(Source(AlertModule::Uptime))]).unwrap()
}

fn shop() -> Hostname {
    "shop.example".parse().unwrap()
}

fn draft(operator: AlertOperator) -> RuleDraft {
    RuleDraft {
        name: None,
        module: AlertModule::Uptime,
        metric: "response_ms".to_owned(),
        operator,
        threshold: None,
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

fn pointers(faults: &[SettingFault]) -> Vec<&str> {
    faults.iter().map(|fault| fault.pointer.as_str()).collect()
}

fn faults(draft: RuleDraft) -> Vec<SettingFault> {
    draft.settings(&catalogue(), &shop()).unwrap_err()
}

#[test]
fn absent_members_take_the_defaults_of_the_metric() {
    for operator in [AlertOperator::Gt, AlertOperator::Gte] {
        assert_eq!(
            draft(operator).settings(&catalogue(), &shop()).unwrap(),
            RuleSettings {
                cooldown_minutes: 120,
                ..rule(operator, 2_000.0)
            }
        );
    }
}

/// Operators that look another way than the metric's default need a value, those that look at the past a window; an anomaly has a
/// usual sensitivity.
#[test]
fn an_operator_needs_its_threshold_or_its_window() {
    use AlertOperator::{Anomaly, Eq, Gt, Lt, Lte, PctDecrease, PctIncrease};
    for operator in [Lt, Lte, Eq] {
        assert_eq!(
            pointers(&faults(draft(operator))),
            ["/threshold_value"],
            "{operator}"
        );
    }
    for operator in [PctDecrease, PctIncrease] {
        assert_eq!(
            pointers(&faults(draft(operator))),
            ["/threshold_value", "/comparison_window"]
        );
    }
    assert_eq!(pointers(&faults(draft(Anomaly))), ["/comparison_window"]);
    let anomaly = RuleDraft {
        comparison_window: Some(ComparisonWindow::PreviousDay),
        ..draft(Anomaly)
    };
    assert_eq!(
        anomaly.settings(&catalogue(), &shop()).unwrap().threshold,
        DEFAULT_SENSITIVITY
    );
    let needless = RuleDraft {
        threshold: Some(1.0),
        comparison_window: Some(ComparisonWindow::PreviousDay),
        ..draft(Gt)
    };
    assert_eq!(pointers(&faults(needless)), ["/comparison_window"]);
}

#[test]
fn thresholds_are_numbers_that_can_be_reached() {
    let with = |operator, threshold| RuleDraft {
        threshold: Some(threshold),
        comparison_window: operator_window(operator),
        ..draft(operator)
    };
    for threshold in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.1e15, -1.1e15, 1e300] {
        let found = faults(with(AlertOperator::Gt, threshold));
        assert_eq!(pointers(&found), ["/threshold_value"], "{threshold}");
    }
    for operator in [AlertOperator::PctIncrease, AlertOperator::Anomaly] {
        assert_eq!(pointers(&faults(with(operator, 0.0))), ["/threshold_value"]);
        assert_eq!(pointers(&faults(with(operator, -3.0))), ["/threshold_value"]);
    }
    assert!(
        with(AlertOperator::Gt, 1e15)
            .settings(&catalogue(), &shop())
            .is_ok()
    );
    // Nothing falls by more than all of it.
    let fall = |percent| with(AlertOperator::PctDecrease, percent);
    assert!(fall(100.0).settings(&catalogue(), &shop()).is_ok());
    let found = faults(fall(101.0));
    assert_eq!(
        found[0].detail,
        "must be 100 percent at most: nothing falls by more"
    );
    assert!(
        with(AlertOperator::PctIncrease, 101.0)
            .settings(&catalogue(), &shop())
            .is_ok()
    );
}

#[test]
fn a_name_is_one_line_and_hides_nothing() {
    for name in ["a\u{2028}b", "a\u{2029}b", "a\u{202e}b", "a\u{7}b"] {
        let named = RuleDraft {
            name: Some(name.to_owned()),
            threshold: Some(1.0),
            ..draft(AlertOperator::Gt)
        };
        let found = faults(named);
        assert_eq!(
            found[0].detail, "more than one line, or a hidden character",
            "{name:?}"
        );
    }
}

#[test]
fn a_name_of_blanks_is_refused_in_the_words_of_an_empty_one() {
    let blank = RuleDraft {
        name: Some("  ".to_owned()),
        ..draft(AlertOperator::Gt)
    };
    let found = faults(blank);
    assert_eq!((found[0].pointer.as_str(), &*found[0].detail), ("/name", "empty"));
}

#[test]
fn a_condition_that_always_holds_or_never_is_refused() {
    use AlertOperator::{Eq, Gt, Gte, Lt, Lte};
    let made = |metric: &str, operator, threshold| {
        let draft = RuleDraft {
            metric: metric.to_owned(),
            threshold: Some(threshold),
            ..draft(operator)
        };
        draft.settings(&catalogue(), &shop())
    };
    for (metric, operator, threshold) in [
        ("changes", Lt, 1.0),
        ("changes", Lte, 0.0),
        ("changes", Eq, 0.0),
        ("changes", Gte, 0.0),
        ("changes", Gt, -1.0),
        ("changes", Lt, 0.0),
        ("changes", Eq, -1.0),
        ("failures", Gte, 0.0),
        ("response_ms", Gte, 0.0),
        ("response_ms", Gt, -1.0),
        ("response_ms", Lt, 0.0),
        ("response_ms", Lte, -1.0),
        ("share", Lte, 100.0),
        ("share", Lt, 150.0),
        ("share", Gte, 0.0),
        ("share", Gt, 100.0),
        ("share", Gte, 101.0),
        ("share", Lt, 0.0),
        ("share", Eq, 101.0),
        ("share", Eq, -1.0),
        ("changes", Eq, 2.5),
    ] {
        let refused = made(metric, operator, threshold).unwrap_err();
        assert_eq!(
            pointers(&refused),
            ["/threshold_value"],
            "{metric} {operator} {threshold}"
        );
        assert_eq!(refused[0].beside, ["/operator", "/metric"]);
    }
    for (metric, operator, threshold) in [
        ("changes", Gte, 1.0),
        ("changes", Gt, 0.0),
        ("changes", Eq, 2.0),
        ("failures", Gte, 1.0),
        ("response_ms", Gt, 0.0),
        ("response_ms", Lte, 0.0),
        ("response_ms", Eq, 0.0),
        ("share", Gte, 100.0),
        ("share", Lt, 100.0),
        ("share", Lte, 0.0),
        ("share", Eq, 100.0),
        ("balance", Gt, -1e15),
        ("balance", Lt, -1.0),
        ("balance", Lte, 1e15),
    ] {
        assert!(
            made(metric, operator, threshold).is_ok(),
            "{metric} {operator} {threshold}"
        );
    }
    let why = |operator, threshold| made("share", operator, threshold).unwrap_err()[0].detail.clone();
    assert_eq!(
        why(Lte, 100.0),
        "lte 100 always holds: the metric is from 0 to 100"
    );
    assert_eq!(why(Gt, 100.0), "gt 100 never holds: the metric is from 0 to 100");
    assert_eq!(why(Eq, 2.5), "eq 2.5 never holds: the metric is a whole number");
    // One from before that can be switched off, and not on again.
    let mut old = made("failures", Gte, 1.0).unwrap();
    old.threshold = 0.0;
    let to = |enabled| RuleChange {
        enabled: Some(enabled),
        ..RuleChange::default()
    };
    let off = to(false).apply(&old, &catalogue(), &shop()).unwrap();
    assert!(!off.enabled);
    assert_eq!(
        pointers(&to(true).apply(&off, &catalogue(), &shop()).unwrap_err()),
        ["/threshold_value"]
    );
}

fn operator_window(operator: AlertOperator) -> Option<ComparisonWindow> {
    operator.compares().then_some(ComparisonWindow::PreviousDay)
}

/// All at once, and each says what would go.
#[test]
fn everything_that_is_wrong_is_told() {
    let found = faults(RuleDraft {
        name: Some("a\nb".to_owned()),
        metric: "failures".to_owned(),
        threshold: Some(f64::NAN),
        evaluation_window: Some(EvaluationWindow::Day),
        min_sample: Some(0),
        url: Some("https://shop.example/".to_owned()),
        cooldown_minutes: Some(u32::MAX),
        ..draft(AlertOperator::Gt)
    });
    assert_eq!(
        pointers(&found),
        [
            "/threshold_value",
            "/name",
            "/operator",
            "/evaluation_window",
            "/min_sample",
            "/cooldown_minutes",
            "/url",
        ]
    );
    assert_eq!(found[2].detail, "failures has these: gte");
    let long = RuleDraft {
        name: Some("x".repeat(10_000)),
        threshold: Some(1.0),
        ..draft(AlertOperator::Gt)
    };
    assert_eq!(faults(long)[0].detail, "10000 characters; at most 200");
}

#[test]
fn what_rests_on_no_sample_has_no_least_sample() {
    let table = [
        ("response_ms", EvaluationWindow::Hour, None),
        (
            "response_ms",
            EvaluationWindow::Latest,
            Some("latest is a single value, not a sample: must be null"),
        ),
        (
            "failures",
            EvaluationWindow::Latest,
            Some("failures tells how things stand and has no sample: must be null"),
        ),
        (
            "changes",
            EvaluationWindow::Latest,
            Some("changes counts what happened and has no sample: must be null"),
        ),
    ];
    for (metric, window, expected) in table {
        let made = RuleDraft {
            metric: metric.to_owned(),
            threshold: Some(1.0),
            evaluation_window: Some(window),
            min_sample: Some(10),
            ..draft(AlertOperator::Gte)
        };
        let found = made.settings(&catalogue(), &shop()).err().unwrap_or_default();
        let details: Vec<_> = found.iter().map(|fault| fault.detail.as_str()).collect();
        assert_eq!(details, Vec::from_iter(expected), "{metric} {window}");
    }
    let sampled = RuleSettings {
        min_sample: Some(10),
        ..rule(AlertOperator::Gt, 1.0)
    };
    let change = RuleChange {
        evaluation_window: Some(EvaluationWindow::Latest),
        ..RuleChange::default()
    };
    let refused = change.apply(&sampled, &catalogue(), &shop()).unwrap_err();
    assert_eq!(pointers(&refused), ["/min_sample"]);
}

#[test]
fn a_metric_of_another_module_is_no_metric() {
    let elsewhere = faults(RuleDraft {
        module: AlertModule::Rum,
        ..draft(AlertOperator::Gt)
    });
    assert_eq!(pointers(&elsewhere), ["/module"]);
    assert!(
        elsewhere[0].detail.ends_with("of these: uptime"),
        "{}",
        elsewhere[0].detail
    );
    let unknown = faults(RuleDraft {
        metric: "lcp_ms".to_owned(),
        ..draft(AlertOperator::Gt)
    });
    assert_eq!(pointers(&unknown), ["/metric"]);
    assert!(
        unknown[0]
            .detail
            .ends_with("response_ms, failures, changes, page_ms, share, balance"),
        "{}",
        unknown[0].detail
    );
}

#[test]
fn a_url_is_that_of_a_page_of_the_domain_and_in_normal_form() {
    let of = |url: &str| RuleDraft {
        metric: "page_ms".to_owned(),
        threshold: Some(1.0),
        url: Some(url.to_owned()),
        ..draft(AlertOperator::Gt)
    };
    for (url, why) in [
        ("", "not a URL, such as https://shop.example/"),
        ("hats", "not a URL, such as https://shop.example/"),
        ("javascript:alert(1)", "neither http nor https"),
        (
            "https://me:secret@shop.example/",
            "a user or a password has no place in it",
        ),
        ("https://other.example/", "not on shop.example or below it"),
    ] {
        let found = faults(of(url));
        assert_eq!(pointers(&found), ["/url"], "{url}");
        assert_eq!(found[0].detail, why, "{url}");
    }
    let made = of("https://Shop.example#top")
        .settings(&catalogue(), &shop())
        .unwrap();
    assert_eq!(made.filter.url.as_deref(), Some("https://shop.example/"));
    // One from before can be switched off, and not on again.
    let mut old = made;
    old.filter.url = Some("hats".to_owned());
    let to = |enabled| RuleChange {
        enabled: Some(enabled),
        ..RuleChange::default()
    };
    let off = to(false).apply(&old, &catalogue(), &shop()).unwrap();
    assert_eq!(
        pointers(&to(true).apply(&off, &catalogue(), &shop()).unwrap_err()),
        ["/url"]
    );
}

/// A default is for whoever makes a rule. Whoever changes the operator of one says what it compares with.
#[test]
fn a_changed_operator_takes_no_default_value() {
    let mut present = rule(AlertOperator::PctIncrease, 20.0);
    present.comparison_window = Some(ComparisonWindow::PreviousDay);
    let change = RuleChange {
        operator: Some(AlertOperator::Gt),
        ..RuleChange::default()
    };
    let refused = change.apply(&present, &catalogue(), &shop()).unwrap_err();
    assert_eq!(pointers(&refused), ["/threshold_value"]);
}

/// A threshold means something else for another kind of operator.
#[test]
fn an_operator_of_another_kind_needs_its_own_fields() {
    let present = rule(AlertOperator::Gt, 2_000.0);
    let to = |operator| RuleChange {
        operator: Some(operator),
        ..RuleChange::default()
    };
    let lower = to(AlertOperator::Lt)
        .apply(&present, &catalogue(), &shop())
        .unwrap();
    assert_eq!(lower, rule(AlertOperator::Lt, 2_000.0));
    let found = to(AlertOperator::PctIncrease)
        .apply(&present, &catalogue(), &shop())
        .unwrap_err();
    assert_eq!(pointers(&found), ["/threshold_value", "/comparison_window"]);
    let change = RuleChange {
        threshold: Patch::Set(20.0),
        comparison_window: Patch::Set(ComparisonWindow::PreviousDay),
        ..to(AlertOperator::PctIncrease)
    };
    let percent = change.apply(&present, &catalogue(), &shop()).unwrap();
    assert_eq!(
        (percent.threshold, percent.comparison_window),
        (20.0, Some(ComparisonWindow::PreviousDay))
    );
    let back = RuleChange {
        threshold: Patch::Set(1_000.0),
        ..to(AlertOperator::Gt)
    };
    assert_eq!(
        back.apply(&percent, &catalogue(), &shop()).unwrap(),
        rule(AlertOperator::Gt, 1_000.0)
    );
}

#[test]
fn a_module_has_one_source() {
    let twice = Catalogue::new(vec![
        Arc::new(Source(AlertModule::Uptime)),
        Arc::new(Source(AlertModule::Uptime)),
    ]);
    assert_eq!(
        twice.unwrap_err().to_string(),
        "the metric catalogue has uptime twice"
    );
}
