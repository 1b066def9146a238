//! Evaluating rules in the background, many at once: one question a module for all that are due.

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    sync::Arc,
    time::Duration as StdDuration,
};

use async_trait::async_trait;
use pharos_domain::{
    alert_metric::{AlertMetric, AlertModule, MetricAnswer, MetricKind, MetricQuery, MetricValue, Reading},
    clock::Clock,
    ids::AlertRuleId,
    store::StoreError,
};
use pharos_due::{
    bell::Bell,
    run::{DueLoop, DuePace},
    slots,
    work::{DueClaim, DueWork},
};
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;

use crate::{
    alert::{AlertEnd, Fired, NewAlert},
    catalogue::Catalogue,
    evaluate::{Event, Standing, Step, Verdict, judge, step, windows},
    message, metrics,
    rule::RuleState,
    store::{DueRule, Evaluated, EvaluationStore},
};

/// The lane of the bell that rings when something happened to sites.
pub const LANE: &str = "alerts";

/// How long a claim holds.
const LEASE: Duration = Duration::minutes(2);
/// How many rules are evaluated together.
const RULES: usize = 1_000;
/// How many such batches are under way at once.
const BATCHES: usize = 2;
/// The longest pause between two looks at what is due.
const POLL: StdDuration = StdDuration::from_secs(5);
/// The time between two evaluations of a rule.
const USUAL: Duration = Duration::MINUTE;
/// The same where the data come days late.
const LATE: Duration = Duration::HOUR;

/// Evaluates rules.
#[derive(Clone)]
pub struct Evaluator {
    /// Where due rules come from, and what they came to goes.
    pub store: Arc<dyn EvaluationStore>,
    /// Who gives the values of metrics.
    pub catalogue: Catalogue,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Rings when something happened to sites.
    pub bell: Arc<Bell>,
}

impl fmt::Debug for Evaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Evaluator")
            .field("catalogue", &self.catalogue)
            .finish_non_exhaustive()
    }
}

impl Evaluator {
    /// Works until `stop`; then lets what is under way end until `abandon`, and gives the rest back.
    pub async fn run(self, stop: CancellationToken, abandon: CancellationToken) {
        self.bell.ring_for([LANE.to_owned()].into());
        self.due().run(stop, abandon).await;
    }

    /// Evaluates what is due now, as much as one claim gives, and says how many batches that were.
    ///
    /// # Errors
    /// The store failed.
    pub async fn once(&self) -> Result<usize, StoreError> {
        self.clone().due().once().await
    }

    fn due(self) -> DueLoop<Self> {
        DueLoop {
            bell: Arc::clone(&self.bell),
            clock: Arc::clone(&self.clock),
            pace: DuePace {
                concurrency: BATCHES,
                batch: 1,
                lease: LEASE,
                ahead: StdDuration::ZERO,
                gather: StdDuration::ZERO,
                poll: POLL,
            },
            work: Arc::new(self),
        }
    }

    /// The rules that were judged. Those of a module that could not be asked are left out: their lease ends, and they are
    /// due again.
    async fn evaluate(&self, rules: &[DueRule], now: OffsetDateTime) -> Vec<Evaluated> {
        let mut by_module: BTreeMap<AlertModule, Vec<(&DueRule, &'static AlertMetric)>> = BTreeMap::new();
        let mut evaluated = Vec::with_capacity(rules.len());
        for rule in rules {
            let (module, metric) = (rule.settings.module, &rule.settings.metric);
            match self.catalogue.find(module, metric) {
                Some(metric) => by_module.entry(module).or_default().push((rule, metric)),
                // A newer node knows the metric. Without one there is no value.
                None => evaluated.push(unknown(rule, now)),
            }
        }
        for (module, rules) in by_module {
            match self.answers(module, &rules, now).await {
                Ok(answers) => {
                    let judged = rules.iter().zip(answers);
                    evaluated
                        .extend(judged.map(|((rule, metric), answer)| outcome(rule, metric, answer, now)));
                }
                Err(error) => {
                    tracing::warn!(%module, rules = rules.len(), %error, "metrics can't be read at the moment");
                }
            }
        }
        let due: HashMap<AlertRuleId, OffsetDateTime> =
            rules.iter().map(|rule| (rule.id, rule.due_at)).collect();
        for due_at in evaluated.iter().filter_map(|evaluated| due.get(&evaluated.rule)) {
            metrics::evaluated(now - *due_at);
        }
        evaluated
    }

    /// One answer a rule. Events were counted with the claim.
    async fn answers(
        &self,
        module: AlertModule,
        rules: &[(&DueRule, &'static AlertMetric)],
        now: OffsetDateTime,
    ) -> Result<Vec<MetricAnswer>, StoreError> {
        let queries: Vec<MetricQuery> = rules
            .iter()
            .filter(|(_, metric)| metric.kind != MetricKind::Event)
            .map(|(rule, metric)| MetricQuery {
                domain: rule.domain_id,
                metric,
                filter: rule.settings.filter.clone(),
                windows: windows(&rule.settings, metric, now),
                needs_sample: rule.settings.min_sample.is_some(),
            })
            .collect();
        let mut read = match self.catalogue.source(module) {
            Some(source) if !queries.is_empty() => source.read(&queries, now).await?,
            _ => Vec::new(),
        }
        .into_iter();
        let answers = rules.iter().map(|(rule, metric)| match metric.kind {
            MetricKind::Event => events(rule),
            MetricKind::State | MetricKind::Countdown | MetricKind::Measure => {
                read.next().unwrap_or_default()
            }
        });
        Ok(answers.collect())
    }
}

/// The events that a rule has not counted yet, as its value.
fn events(rule: &DueRule) -> MetricAnswer {
    MetricAnswer {
        values: vec![MetricValue {
            reading: Reading::Value(f64::from(rule.pending.count)),
            sample: None,
        }],
        context: rule.pending.context.clone(),
        is_silenced: false,
    }
}

fn unknown(rule: &DueRule, now: OffsetDateTime) -> Evaluated {
    let before = rule.standing;
    Evaluated {
        rule: rule.id,
        updated_at: rule.updated_at,
        leased_until: rule.leased_until,
        standing: Standing {
            state: RuleState::NoData,
            last_value: None,
            ..before
        },
        counted_through: None,
        alert: None,
        end: None,
        evaluated_at: now,
        next_evaluation_at: next(now, LATE),
    }
}

/// The outcome of a rule's evaluation.
fn outcome(
    rule: &DueRule,
    metric: &'static AlertMetric,
    answer: MetricAnswer,
    now: OffsetDateTime,
) -> Evaluated {
    let settings = &rule.settings;
    let verdict: Verdict = judge(settings, metric, &answer.values);
    let Step {
        standing,
        event,
        recounts,
    } = step(
        settings,
        metric,
        &rule.standing,
        &verdict,
        answer.is_silenced,
        now,
    );
    let fired = match event {
        Some(Event::Fires(figures)) => Some((figures, false)),
        Some(Event::Happened(figures)) => Some((figures, true)),
        Some(Event::Resolved(_)) | None => None,
    };
    let alert = fired.map(|(figures, is_over)| NewAlert {
        fired: Fired {
            module: settings.module,
            metric: settings.metric.clone(),
            metric_label: metric.label.to_owned(),
            unit: metric.display_unit.to_owned(),
            operator: settings.operator,
            threshold: settings.threshold,
            comparison_window: settings.comparison_window,
            evaluation_window: settings.evaluation_window,
            filter: settings.filter.clone(),
            severity: settings.severity,
            figures,
            title: message::title(settings, metric, &rule.domain_name, &figures),
            message: message::message(settings, metric, &figures),
            context: answer.context,
            fired_at: now,
        },
        is_over,
    });
    Evaluated {
        rule: rule.id,
        updated_at: rule.updated_at,
        leased_until: rule.leased_until,
        standing,
        counted_through: rule.pending.through.filter(|_| !recounts),
        alert,
        end: matches!(event, Some(Event::Resolved(_))).then(|| end(rule)),
        evaluated_at: now,
        next_evaluation_at: next(now, if metric.data_lag_hours == 0 { USUAL } else { LATE }),
    }
}

/// Why an alert of the rule is over that no longer fires. The first evaluation by other settings says what these change.
fn end(rule: &DueRule) -> AlertEnd {
    if rule.last_evaluated_at.is_some_and(|at| at < rule.updated_at) {
        AlertEnd::RuleChanged
    } else {
        AlertEnd::Over
    }
}

/// All rules are due at the same moments, so that many are evaluated together.
fn next(now: OffsetDateTime, interval: Duration) -> OffsetDateTime {
    slots::next_after(now, &[LANE.as_bytes()], interval)
}

#[async_trait]
impl DueWork for Evaluator {
    type Item = Vec<DueRule>;
    type Outcome = Vec<Evaluated>;

    const NAME: &'static str = "alert rules";

    async fn prepare(&self, _now: OffsetDateTime) -> Result<(), StoreError> {
        self.store.bring_back().await
    }

    async fn claim(&self, claim: &DueClaim) -> Result<Vec<Vec<DueRule>>, StoreError> {
        let rules = self
            .store
            .claim(&DueClaim {
                limit: RULES,
                ..*claim
            })
            .await?;
        Ok(if rules.is_empty() { Vec::new() } else { vec![rules] })
    }

    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        self.store.next_due(now).await
    }

    fn due_in(&self, _rules: &Vec<DueRule>) -> Duration {
        Duration::ZERO
    }

    fn subject(&self, rules: &Vec<DueRule>) -> String {
        format!("{} rules", rules.len())
    }

    async fn perform(&self, rules: &Vec<DueRule>) -> Option<Vec<Evaluated>> {
        // By a clock that is ahead nothing has been measured yet, and what fires would fire in the future.
        let now = match self.store.not_ahead(self.clock.now()).await {
            Ok(now) => now,
            Err(error) => {
                tracing::warn!(%error, "rules can't be evaluated at the moment");
                return None;
            }
        };
        let evaluated = self.evaluate(rules, now).await;
        (!evaluated.is_empty()).then_some(evaluated)
    }

    async fn settle(&self, batches: &[Vec<Evaluated>], _now: OffsetDateTime) -> Result<(), StoreError> {
        for evaluated in batches {
            self.store.settle(evaluated).await?;
        }
        Ok(())
    }

    async fn release(&self, batches: &[&Vec<DueRule>]) -> Result<(), StoreError> {
        let rules: Vec<&DueRule> = batches.iter().flat_map(|rules| rules.iter()).collect();
        self.store.release(&rules).await
    }
}
