//! The metrics of uptime that rules may watch.

use pharos_domain::alert_metric::{
    AlertMetric, AlertModule, AlertOperator, DefaultCondition, Direction, EvaluationWindow, MetricKind,
    ModuleMetrics, Phrase, SupportedFilters,
};

use AlertOperator::{Gt, Gte, Lt, Lte};
use EvaluationWindow::{Day, FourWeeks, Hour, Latest, Week};

const TIMES: &[EvaluationWindow] = &[Hour, Latest, Day, Week, FourWeeks];
const SHARES: &[EvaluationWindow] = &[Day, Hour, Week, FourWeeks];

/// A metric of the module, of which high values are bad, that stands at any moment and counts something.
const STATE: AlertMetric = AlertMetric {
    name: "",
    label: "",
    description: "",
    phrase: Phrase::Amount(""),
    unit: "count",
    display_unit: "",
    step: 1.0,
    least: Some(0.0),
    largest: None,
    kind: MetricKind::State,
    direction: Direction::HigherIsWorse,
    operators: AlertOperator::COUNTS,
    default: DefaultCondition {
        operator: Gte,
        threshold: 1.0,
        comparison_window: None,
        cooldown_minutes: 60,
    },
    windows: EvaluationWindow::NOW,
    data_lag_hours: 0,
    filters: SupportedFilters::NONE,
};

const fn condition(operator: AlertOperator, threshold: f64, cooldown_minutes: u32) -> DefaultCondition {
    DefaultCondition {
        operator,
        threshold,
        comparison_window: None,
        cooldown_minutes,
    }
}

/// The days until something ends.
const DAYS_LEFT: AlertMetric = AlertMetric {
    unit: "days",
    display_unit: "days",
    least: Some(-LONGEST_OVER),
    // No date is later than the year 9999.
    largest: Some(3_000_000.0),
    kind: MetricKind::Countdown,
    direction: Direction::LowerIsWorse,
    ..STATE
};

/// A certificate may say that it ended on any day whatsoever. After a century no more days are counted.
pub(super) const LONGEST_OVER: f64 = 36_500.0;

const CONSECUTIVE_FAILURES: AlertMetric = AlertMetric {
    name: "consecutive_failures",
    label: "Failing checks in a row",
    description: "Failing checks in a row up to now, in the region that has the most.",
    phrase: Phrase::Count {
        one: "failing check in a row",
        many: "failing checks in a row",
    },
    display_unit: "checks",
    default: condition(Gte, 2.0, 60),
    ..STATE
};

const UPTIME_PCT: AlertMetric = AlertMetric {
    name: "uptime_pct",
    label: "Availability",
    description: "The share of the observed time in which the site was up. No value where nothing was observed.",
    phrase: Phrase::Amount("the availability"),
    unit: "percent",
    display_unit: "%",
    largest: Some(100.0),
    kind: MetricKind::Measure,
    direction: Direction::LowerIsWorse,
    operators: AlertOperator::MEASURES,
    default: condition(Lt, 99.9, 1_440),
    windows: SHARES,
    ..STATE
};

const RESPONSE_MS: AlertMetric = AlertMetric {
    name: "response_ms",
    label: "Response time",
    description: "The mean time of answers. Failed checks are not among them.",
    phrase: Phrase::Amount("the response time"),
    unit: "milliseconds",
    display_unit: "ms",
    kind: MetricKind::Measure,
    operators: AlertOperator::MEASURES,
    default: condition(Gt, 2_000.0, 120),
    windows: TIMES,
    ..STATE
};

const TTFB_MS: AlertMetric = AlertMetric {
    name: "ttfb_ms",
    label: "Time to first byte",
    description: "The mean time from the request to the first byte of its answer. Failed checks are not among them.",
    phrase: Phrase::Amount("the time to first byte"),
    default: condition(Gt, 1_500.0, 120),
    windows: &[Hour, Day, Week, FourWeeks],
    ..RESPONSE_MS
};

const INCIDENT_COUNT: AlertMetric = AlertMetric {
    name: "incident_count",
    label: "Incidents",
    description: "The incidents that began in the window, those of severity degraded included.",
    phrase: Phrase::Count {
        one: "incident",
        many: "incidents",
    },
    display_unit: "incidents",
    kind: MetricKind::Measure,
    operators: AlertOperator::CHANGES,
    default: condition(Gte, 3.0, 1_440),
    windows: &[Day, Hour, Week, FourWeeks],
    ..STATE
};

const INCIDENT_DURATION_SECONDS: AlertMetric = AlertMetric {
    name: "incident_duration_seconds",
    label: "Duration of the incident",
    description: "For how long the open incident has lasted. No value while none is open.",
    phrase: Phrase::Amount("the duration of the incident"),
    unit: "seconds",
    display_unit: "s",
    operators: AlertOperator::BOUNDS,
    default: condition(Gt, 600.0, 60),
    ..STATE
};

const BLOCKED_403: AlertMetric = AlertMetric {
    name: "blocked_403",
    label: "Answers of 403 in a row",
    description: "Answers of 403 in a row up to now, where 403 is not expected, in the region that has the most.",
    phrase: Phrase::Count {
        one: "answer with status 403 in a row",
        many: "answers with status 403 in a row",
    },
    display_unit: "checks",
    default: condition(Gte, 3.0, 720),
    ..STATE
};

const REGIONS_DOWN: AlertMetric = AlertMetric {
    name: "regions_down",
    label: "Regions that see it down",
    description: "The regions that see the site down now, each by its own confirmed failures.",
    phrase: Phrase::Count {
        one: "region that sees the site down",
        many: "regions that see the site down",
    },
    display_unit: "regions",
    default: condition(Gte, 2.0, 60),
    ..STATE
};

const SSL_DAYS_REMAINING: AlertMetric = AlertMetric {
    name: "ssl_days_remaining",
    label: "Days until the certificate ends",
    description: "Whole days until the certificate ends that the last check saw; negative once it has ended. No value \
                  without a certificate.",
    phrase: Phrase::DaysLeft("the certificate"),
    default: condition(Lte, 14.0, 1_440),
    ..DAYS_LEFT
};

const SSL_INVALID: AlertMetric = AlertMetric {
    name: "ssl_invalid",
    label: "Certificate refused",
    description: "The regions whose last check failed since the certificate has expired, is for other names, or leads to \
                  no trusted authority.",
    phrase: Phrase::Count {
        one: "check that refuses the certificate",
        many: "checks that refuse the certificate",
    },
    display_unit: "checks",
    default: condition(Gte, 1.0, 720),
    ..STATE
};

const SSL_CERTIFICATE_CHANGED: AlertMetric = AlertMetric {
    name: CERTIFICATE_CHANGED,
    label: "Certificate changes",
    description: "How often another certificate took the place of the one before, since the last evaluation.",
    phrase: Phrase::Count {
        one: "change of the certificate",
        many: "changes of the certificate",
    },
    display_unit: "changes",
    kind: MetricKind::Event,
    direction: Direction::Either,
    default: condition(Gte, 1.0, 0),
    ..STATE
};

const DOMAIN_DAYS_REMAINING: AlertMetric = AlertMetric {
    name: "domain_days_remaining",
    label: "Days until the registration ends",
    description: "Whole days until the registration of the domain's name ends. No value where its registry does not say.",
    phrase: Phrase::DaysLeft("the registration of the domain"),
    default: condition(Lte, 30.0, 1_440),
    ..DAYS_LEFT
};

const DOMAIN_REGISTRATION_CHANGED: AlertMetric = AlertMetric {
    name: REGISTRATION_CHANGED,
    label: "Registration changes",
    description: "Changes of the registration of the domain's name, since the last evaluation.",
    phrase: Phrase::Count {
        one: "change of the registration",
        many: "changes of the registration",
    },
    display_unit: "changes",
    kind: MetricKind::Event,
    direction: Direction::Either,
    default: condition(Gte, 1.0, 0),
    ..STATE
};

/// The event that another certificate is presented.
pub const CERTIFICATE_CHANGED: &str = "ssl_certificate_changed";
/// The event that a registration changed.
pub const REGISTRATION_CHANGED: &str = "domain_registration_changed";
/// The event that an incident began or ended: no metric counts it, and rules of the domain are evaluated at once.
pub const INCIDENT_CHANGED: &str = "incident_changed";

static METRICS: [AlertMetric; 13] = [
    CONSECUTIVE_FAILURES,
    UPTIME_PCT,
    RESPONSE_MS,
    TTFB_MS,
    INCIDENT_COUNT,
    INCIDENT_DURATION_SECONDS,
    BLOCKED_403,
    REGIONS_DOWN,
    SSL_DAYS_REMAINING,
    SSL_INVALID,
    SSL_CERTIFICATE_CHANGED,
    DOMAIN_DAYS_REMAINING,
    DOMAIN_REGISTRATION_CHANGED,
];

/// The module and its metrics.
pub const CATALOGUE: ModuleMetrics = ModuleMetrics {
    module: AlertModule::Uptime,
    label: "Uptime",
    metrics: &METRICS,
};
