use std::{pin::pin, sync::mpsc};

use futures_util::poll;
use pharos_domain::{
    alert_metric::{AlertModule, MetricFilter, MetricKind, Reading},
    ids::{IncidentId, MaintenanceWindowId},
};
use serde_json::json;
use time::Duration;
use tokio::runtime::Builder;

use super::*;
use crate::{
    availability::past::Past,
    check::Outcome,
    error_class::ErrorClass,
    fixture::{NOW, knowledge},
    incident::Severity,
    knowledge::IncidentSpan,
    monitor::maintenance::{MaintenanceWindow, Recurrence},
    state::{SpanState, StateSpan},
};

/// A site that is known: each that is asked for is like it.
struct Store {
    site: Option<MonitorKnowledge>,
}

#[async_trait]
impl MetricStore for Store {
    async fn known(
        &self,
        sites: &HashMap<DomainId, OffsetDateTime>,
    ) -> Result<HashMap<DomainId, MonitorKnowledge>, StoreError> {
        Ok(sites
            .keys()
            .filter_map(|id| Some((*id, self.site.clone()?)))
            .collect())
    }

    async fn settings(&self, sites: &[DomainId]) -> Result<HashMap<DomainId, MonitorSettings>, StoreError> {
        let settings = self.site.as_ref().map(|site| &site.monitor.settings);
        Ok(sites
            .iter()
            .filter_map(|id| Some((*id, settings?.clone())))
            .collect())
    }

    async fn times(&self, asked: &[(DomainId, TimeRange)]) -> Result<Vec<MeanTimes>, StoreError> {
        let times = asked.iter().zip(1_u32..).map(|(_, number)| MeanTimes {
            checks: u64::from(number),
            response_ms: Some(f64::from(number) * 100.0),
            ttfb_ms: None,
        });
        Ok(times.collect())
    }
}

pub(super) fn metric(name: &str) -> &'static pharos_domain::alert_metric::AlertMetric {
    let mut metrics = catalogue::CATALOGUE.metrics.iter();
    metrics.find(|metric| metric.name == name).unwrap()
}

async fn read(site: Option<MonitorKnowledge>, asked: &[(&str, Vec<MetricWindow>)]) -> Vec<MetricAnswer> {
    read_sampled(site, asked, false).await
}

async fn read_sampled(
    site: Option<MonitorKnowledge>,
    asked: &[(&str, Vec<MetricWindow>)],
    needs_sample: bool,
) -> Vec<MetricAnswer> {
    let domain = DomainId::generate();
    let queries: Vec<MetricQuery> = asked
        .iter()
        .map(|(name, windows)| MetricQuery {
            domain,
            metric: metric(name),
            filter: MetricFilter::default(),
            windows: windows.clone(),
            needs_sample,
        })
        .collect();
    let metrics = UptimeMetrics {
        store: Arc::new(Store { site }),
    };
    metrics.read(&queries, NOW).await.unwrap()
}

async fn now(site: MonitorKnowledge, name: &str) -> Reading {
    read(Some(site), &[(name, vec![MetricWindow::Latest])]).await[0].values[0].reading
}

pub(super) fn last(hours: i64) -> MetricWindow {
    MetricWindow::Over(TimeRange::new(NOW - Duration::hours(hours), NOW))
}

fn incident(started_at: OffsetDateTime, resolved_at: Option<OffsetDateTime>) -> IncidentSpan {
    IncidentSpan {
        id: IncidentId::generate(),
        severity: Severity::Outage,
        started_at,
        resolved_at,
    }
}

/// A rule neither fires nor is resolved by a check that was not made.
#[tokio::test]
async fn a_site_that_pharos_may_not_go_to_has_no_figures() {
    let seen = knowledge(&[("eu", 30)]);
    let mut refused = seen.clone();
    let state = refused.regions[0].state.as_mut().unwrap();
    (state.last_outcome, state.last_status_code) = (Outcome::Blocked, None);
    for name in [
        "consecutive_failures",
        "regions_down",
        "ssl_invalid",
        "response_ms",
    ] {
        assert!(
            matches!(now(seen.clone(), name).await, Reading::Value(_)),
            "{name}"
        );
        assert_eq!(now(refused.clone(), name).await, Reading::NoData, "{name}");
    }
}

/// The catalogue of the contract: names, units, defaults, cooldowns, operators.
#[test]
fn the_catalogue_has_all_of_uptime() {
    let found = catalogue::CATALOGUE;
    assert_eq!(found.module, AlertModule::Uptime);
    let table: Vec<String> = found
        .metrics
        .iter()
        .map(|metric| {
            let default = metric.default;
            let operators: Vec<&str> = metric
                .operators
                .iter()
                .map(|operator| operator.as_str())
                .collect();
            let (threshold, cooldown) = (default.threshold, default.cooldown_minutes);
            let (name, unit) = (metric.name, metric.display_unit);
            format!(
                "{name} {unit} {} {threshold} {cooldown} {}",
                default.operator,
                operators.join(",")
            )
        })
        .collect();
    let (t, e, p) = ("gt,gte,lt,lte", "gt,gte,lt,lte,eq", "pct_decrease,pct_increase");
    let expected = [
        format!("consecutive_failures checks gte 2 60 {e}"),
        format!("uptime_pct % lt 99.9 1440 {t},{p},anomaly"),
        format!("response_ms ms gt 2000 120 {t},{p},anomaly"),
        format!("ttfb_ms ms gt 1500 120 {t},{p},anomaly"),
        format!("incident_count incidents gte 3 1440 {t},{p}"),
        format!("incident_duration_seconds s gt 600 60 {t}"),
        format!("blocked_403 checks gte 3 720 {e}"),
        format!("regions_down regions gte 2 60 {e}"),
        format!("ssl_days_remaining days lte 14 1440 {e}"),
        format!("ssl_invalid checks gte 1 720 {e}"),
        format!("ssl_certificate_changed changes gte 1 0 {e}"),
        format!("domain_days_remaining days lte 30 1440 {e}"),
        format!("domain_registration_changed changes gte 1 0 {e}"),
    ];
    assert_eq!(table, expected);
    for metric in found.metrics {
        assert!(
            metric.operators.contains(&metric.default.operator),
            "{}",
            metric.name
        );
        assert_eq!(
            metric.kind == MetricKind::Measure,
            metric.default_window().length().is_some()
        );
    }
}

#[tokio::test]
async fn failures_are_those_of_the_region_that_has_the_most() {
    let mut site = knowledge(&[("eu", 5), ("us", 20)]);
    let states = site.regions.iter_mut().filter_map(|region| region.state.as_mut());
    for (state, failures) in states.zip([1, 3]) {
        state.consecutive_failures = failures;
        state.consecutive_forbidden = failures;
        state.is_down = failures > 2;
        state.last_error_class = (failures > 2).then_some(ErrorClass::TlsExpired);
    }
    assert_eq!(
        now(site.clone(), "consecutive_failures").await,
        Reading::Value(3.0)
    );
    assert_eq!(now(site.clone(), "blocked_403").await, Reading::Value(3.0));
    assert_eq!(now(site.clone(), "regions_down").await, Reading::Value(1.0));
    assert_eq!(now(site, "ssl_invalid").await, Reading::Value(1.0));
}

/// Whoever is told of failures is told why, by the newest check that failed; whoever is told of times is not.
#[tokio::test]
async fn failures_come_with_their_reason() {
    let reason = async |site: MonitorKnowledge, name: &str| {
        let window = metric(name)
            .default_window()
            .length()
            .map_or(MetricWindow::Latest, |_| last(1));
        let mut answers = read(Some(site), &[(name, vec![window])]).await;
        answers.remove(0).context.remove("reason")
    };
    let mut site = knowledge(&[("eu", 20), ("us", 10), ("asia", 5)]);
    let says = |site: &mut MonitorKnowledge, region: usize, message: &str| {
        let state = site.regions[region].state.as_mut().unwrap();
        state.last_error_message = Some(message.to_owned());
    };
    assert_eq!(reason(site.clone(), "consecutive_failures").await, None);
    says(&mut site, 0, "The name does not exist.");
    says(&mut site, 1, "The status code 500 is not an expected one.");
    for name in [
        "consecutive_failures",
        "uptime_pct",
        "incident_count",
        "incident_duration_seconds",
        "blocked_403",
        "regions_down",
        "ssl_invalid",
    ] {
        let expected = json!("The status code 500 is not an expected one.");
        assert_eq!(reason(site.clone(), name).await, Some(expected), "{name}");
    }
    assert_eq!(reason(site.clone(), "response_ms").await, None);
    assert_eq!(reason(site, "ssl_days_remaining").await, None);
}

/// Its last check says nothing any more, or it is paused.
#[tokio::test]
async fn a_site_that_nobody_watches_has_no_data() {
    for name in [
        "consecutive_failures",
        "regions_down",
        "ssl_invalid",
        "response_ms",
    ] {
        assert_eq!(
            now(knowledge(&[("eu", 3_600)]), name).await,
            Reading::NoData,
            "{name}"
        );
        let mut paused = knowledge(&[("eu", 5)]);
        paused.monitor.settings.enabled = false;
        assert_eq!(now(paused, name).await, Reading::NoData, "{name}");
        assert_eq!(now(knowledge(&[]), name).await, Reading::NoData, "{name}");
        let answers = read(None, &[(name, vec![MetricWindow::Latest, last(1)])]).await;
        assert_eq!(
            answers[0].values,
            [MetricValue::default(); 2],
            "without a monitor"
        );
    }
}

/// A paused monitor ends uptime's alerts, and takes nothing back of the work that was announced to all modules.
#[tokio::test]
async fn a_window_holds_for_other_modules_while_the_monitor_is_paused() {
    use Attention::{Paused, Silenced, Watched};
    for (is_worked_on, enabled, of_all, of_uptime) in [
        (false, true, Watched, Watched),
        (true, true, Silenced, Silenced),
        (false, false, Paused, Paused),
        (true, false, Silenced, Paused),
    ] {
        let mut site = knowledge(&[("eu", 5)]);
        let settings = &mut site.monitor.settings;
        settings.enabled = enabled;
        if is_worked_on {
            settings.maintenance_windows.push(MaintenanceWindow {
                id: MaintenanceWindowId::generate(),
                name: "Work".to_owned(),
                starts_at: NOW - Duration::HOUR,
                ends_at: NOW + Duration::HOUR,
                recurrence: Recurrence::None,
                weekdays: Vec::new(),
                timezone: "UTC".to_owned(),
            });
        }
        let domain = DomainId::generate();
        let metrics = UptimeMetrics {
            store: Arc::new(Store {
                site: Some(site.clone()),
            }),
        };
        let found = metrics.attention(&[domain], NOW).await.unwrap();
        assert_eq!(found.get(&domain), Some(&of_all), "{is_worked_on} {enabled}");
        let answers = read(
            Some(site),
            &[("consecutive_failures", vec![MetricWindow::Latest])],
        )
        .await;
        assert_eq!(answers[0].attention, of_uptime, "{is_worked_on} {enabled}");
    }
}

/// 13 days and 23 hours are 13 days; a second after the end is a day less than none.
#[tokio::test]
async fn days_are_whole_and_negative_once_it_is_over() {
    let mut site = knowledge(&[("eu", 5)]);
    let mut with = |left: Duration| {
        site.registration_ends_at = Some(NOW + left);
        site.regions[0].state.as_mut().unwrap().certificate_valid_until = Some(NOW + left);
        site.clone()
    };
    for (left, days) in [
        (Duration::days(14) - Duration::HOUR, 13.0),
        (Duration::days(14), 14.0),
        (-Duration::SECOND, -1.0),
        (-Duration::days(40_000), -36_500.0),
    ] {
        let site = with(left);
        assert_eq!(
            now(site.clone(), "ssl_days_remaining").await,
            Reading::Value(days)
        );
        assert_eq!(now(site, "domain_days_remaining").await, Reading::Value(days));
    }
    assert_eq!(
        now(knowledge(&[("eu", 5)]), "domain_days_remaining").await,
        Reading::NoData
    );
}

#[tokio::test]
async fn an_incident_has_a_duration_while_it_is_open() {
    let mut site = knowledge(&[("eu", 5)]);
    site.incidents = vec![
        incident(NOW - Duration::hours(30), Some(NOW - Duration::hours(29))),
        incident(NOW - Duration::hours(3), Some(NOW - Duration::hours(2))),
    ];
    assert_eq!(
        now(site.clone(), "incident_duration_seconds").await,
        Reading::Nothing
    );
    let open = incident(NOW - Duration::seconds(90), None);
    site.incidents.push(open);
    let asked = [
        ("incident_duration_seconds", vec![MetricWindow::Latest]),
        ("incident_count", vec![last(24), last(1), last(48)]),
    ];
    let answers = read(Some(site), &asked).await;
    assert_eq!(answers[0].values[0].reading, Reading::Value(90.0));
    assert_eq!(answers[0].context["incident_id"], json!(open.id));
    let counts: Vec<_> = answers[1]
        .values
        .iter()
        .map(|value| value.reading.value())
        .collect();
    assert_eq!(counts, [Some(2.0), Some(1.0), Some(3.0)]);
}

/// Up for 45 of the last 60 minutes.
#[tokio::test]
async fn availability_is_that_of_the_reads() {
    let mut site = knowledge(&[]);
    let at = |minutes| NOW - Duration::minutes(minutes);
    let span = |state, from, until| StateSpan {
        region: "eu".to_owned(),
        state,
        started_at: at(from),
        ended_at: at(until),
    };
    site.spans = vec![span(SpanState::Up, 60, 15), span(SpanState::Down, 15, 0)];
    let before = MetricWindow::Over(TimeRange::new(NOW - Duration::days(9), NOW - Duration::days(8)));
    let answers = read(Some(site), &[("uptime_pct", vec![last(1), before])]).await;
    assert_eq!(answers[0].values[0].reading, Reading::Value(75.0));
    assert_eq!(
        answers[0].values[1].reading,
        Reading::NoData,
        "the monitor is a day old"
    );
}

/// Several rules share one question for times, and each gets its own answers.
#[tokio::test]
async fn times_are_asked_for_together() {
    let asked = [
        ("response_ms", vec![last(1), last(2)]),
        ("uptime_pct", vec![last(1)]),
        ("ttfb_ms", vec![last(3)]),
        ("response_ms", vec![last(4)]),
    ];
    let answers = read(Some(knowledge(&[("eu", 5)])), &asked).await;
    let value = |answer: usize, window: usize| answers[answer].values[window];
    assert_eq!(value(0, 0).reading, Reading::Value(100.0));
    assert_eq!(
        value(0, 1),
        MetricValue {
            reading: Reading::Value(200.0),
            sample: Some(2)
        }
    );
    assert_eq!(
        value(2, 0),
        MetricValue {
            reading: Reading::NoData,
            sample: Some(3)
        }
    );
    assert_eq!(value(3, 0).reading, Reading::Value(400.0));
}

/// The store numbers the ranges that it is asked for: that is how many checks each has.
#[tokio::test]
async fn the_sample_of_its_own_window_is_the_number_of_checks() {
    let asked = [
        ("uptime_pct", vec![last(24), last(48)]),
        ("response_ms", vec![last(1), last(2)]),
        ("consecutive_failures", vec![MetricWindow::Latest]),
        ("incident_count", vec![last(24), last(48)]),
    ];
    let samples = async |needs_sample| {
        let answers = read_sampled(Some(knowledge(&[("eu", 5)])), &asked, needs_sample).await;
        let samples = |answer: MetricAnswer| answer.values.iter().map(|value| value.sample).collect();
        answers.into_iter().map(samples).collect::<Vec<Vec<_>>>()
    };
    assert_eq!(
        samples(true).await,
        [
            vec![Some(1), None],
            vec![Some(2), Some(3)],
            vec![None],
            vec![Some(1), None]
        ],
        "the day is asked for once, for both that need it"
    );
    // Nobody pays for what nobody asks for.
    assert_eq!(
        samples(false).await,
        [
            vec![None, None],
            vec![Some(1), Some(2)],
            vec![None],
            vec![None, None]
        ]
    );
}

/// 100,000 spans in ten weeks, up and down by turns.
fn flapping() -> MonitorKnowledge {
    let mut site = knowledge(&[]);
    site.monitor.created_at = NOW - Duration::days(70);
    site.spans = (0..100_000)
        .map(|number| StateSpan {
            region: "eu".to_owned(),
            state: if number % 3 == 0 {
                SpanState::Down
            } else {
                SpanState::Up
            },
            started_at: NOW - Duration::minutes(number + 1),
            ended_at: NOW - Duration::minutes(number),
        })
        .collect();
    site
}

pub(super) fn query(domain: DomainId, windows: Vec<MetricWindow>) -> MetricQuery {
    MetricQuery {
        domain,
        metric: metric(UPTIME_PCT),
        filter: MetricFilter::default(),
        windows,
        needs_sample: true,
    }
}

/// 500 rules that look at nine windows of four weeks each, beside one rule of another site. One by one they would look at 450
/// million spans.
#[tokio::test]
async fn many_rules_of_a_flapping_site_get_what_each_gets_alone() {
    let site = flapping();
    let before = |weeks: i64, hours: i64| {
        let until = NOW - Duration::weeks(weeks) - Duration::hours(hours);
        TimeRange::new(until - Duration::days(28), until)
    };
    let ranges: Vec<TimeRange> = (0..9).map(|weeks| before(weeks, i64::from(weeks > 0))).collect();
    let windows: Vec<MetricWindow> = ranges.iter().copied().map(MetricWindow::Over).collect();
    let (flaps, other) = (DomainId::generate(), DomainId::generate());
    let mut queries = vec![query(flaps, windows); 500];
    queries.push(query(other, vec![last(1)]));
    let metrics = UptimeMetrics {
        store: Arc::new(Store {
            site: Some(site.clone()),
        }),
    };
    let answers = metrics.read(&queries, NOW).await.unwrap();
    let past = Past::new(&site, NOW);
    for window in [0, 8] {
        let alone = Reading::of(past.availability(ranges[window]).uptime_pct());
        assert!(
            answers[..500]
                .iter()
                .all(|answer| answer.values[window].reading == alone)
        );
    }
    assert!(answers[1..500].iter().all(|answer| *answer == answers[0]));
    // One of each three minutes is down.
    let hour = answers[500].values[0].reading;
    assert_eq!(hour, Reading::of(Some(100.0 * (40.0 / 60.0))));
}

/// The times of equal ranges are asked for once, and the spans of a site up to the earliest.
#[test]
fn equal_questions_are_asked_once() {
    let (one, two) = (DomainId::generate(), DomainId::generate());
    let queries: Vec<MetricQuery> = (0..500)
        .map(|number| query([one, two][number % 2], vec![last(24), last(48)]))
        .collect();
    let asked = Asked::of(&queries, NOW);
    let day = TimeRange::new(NOW - Duration::DAY, NOW);
    assert_eq!(asked.times, [(one, day), (two, day)]);
    let two_days = NOW - Duration::days(2);
    assert_eq!(asked.since, HashMap::from([(one, two_days), (two, two_days)]));
}

/// The only thread for long work is taken: whoever asks waits for it, and everybody else goes on.
#[test]
fn summing_holds_nobody_else_up() {
    let runtime = Builder::new_current_thread()
        .max_blocking_threads(1)
        .build()
        .unwrap();
    runtime.block_on(async {
        let (end, ended) = mpsc::channel::<()>();
        let busy = spawn_blocking(move || ended.recv());
        let metrics = UptimeMetrics {
            store: Arc::new(Store {
                site: Some(knowledge(&[("eu", 5)])),
            }),
        };
        let queries = [query(DomainId::generate(), vec![last(1)])];
        let mut reading = pin!(metrics.read(&queries, NOW));
        assert!(poll!(reading.as_mut()).is_pending());
        end.send(()).unwrap();
        busy.await.unwrap().unwrap();
        assert_eq!(reading.await.unwrap().len(), 1);
    });
}
