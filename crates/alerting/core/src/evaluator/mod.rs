//! Evaluates rules in the background, many at once: one query a module for all that are due.

mod attention;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    sync::Arc,
    time::Duration as StdDuration,
};

use async_trait::async_trait;
use pharos_domain::{
    alert_metric::{AlertMetric, AlertModule, Attention, MetricAnswer, MetricKind},
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
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use self::attention::Said;
use crate::{
    alert::{AlertEnd, Fired, NewAlert},
    catalogue::Catalogue,
    evaluate::{RuleEvent, Standing, Transition, Verdict, judge, transition},
    message, metrics,
    reading::{Asked, BUDGET, Found, MetricReader},
    rule::RuleState,
    shares::{Firings, MOST_FIRINGS, pieces},
    store::{DueRule, Evaluated, EvaluationStore},
};

/// The lane of the bell that rings when something happened to sites.
pub const LANE: &str = "alerts";

/// How long a claim holds.
pub(crate) const LEASE: Duration = Duration::minutes(2);
/// How many rules are evaluated together.
pub(crate) const RULES: usize = 2_000;
/// How many such batches are under way at once.
const BATCHES: usize = 2;
/// The longest pause between two looks for due rules.
const POLL: StdDuration = StdDuration::from_secs(5);
/// The time between two evaluations of a rule.
const USUAL: Duration = Duration::MINUTE;
/// The pause if the data come days late, and the pause of a rule that takes too long to read time and again.
const LATE: Duration = Duration::HOUR;
/// The pause of a rule that took too long to read once: the database may have been busy at that moment.
const SOON: Duration = Duration::minutes(5);

/// Evaluates rules.
#[derive(Clone)]
pub struct Evaluator {
    /// The store of due rules, and of the outcomes of their evaluations.
    pub store: Arc<dyn EvaluationStore>,
    /// The sources of the values of metrics.
    pub catalogue: Catalogue,
    /// Tells the time.
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
    /// Works until `stop`; then lets running evaluations end until `abandon`, and gives the rest back.
    pub async fn run(self, stop: CancellationToken, abandon: CancellationToken) {
        self.bell.ring_for([LANE.to_owned()].into());
        self.due().run(stop, abandon).await;
    }

    /// Evaluates what is due now, as much as one claim gives, and returns how many batches that were.
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

    /// The rules that were judged, and those that there was no time for. Rules that could not be read are in neither: their
    /// lease ends, and they are due again, or they were set aside.
    async fn evaluate<'a>(
        &self,
        rules: &'a [DueRule],
        now: OffsetDateTime,
    ) -> (Vec<Evaluated>, Vec<&'a DueRule>) {
        let until = Instant::now() + BUDGET;
        let mut by_module: BTreeMap<AlertModule, Vec<Asked<'a>>> = BTreeMap::new();
        let (mut evaluated, mut unasked) = (Vec::with_capacity(rules.len()), Vec::new());
        for rule in rules {
            if !rule.is_in_plan {
                evaluated.push(withdrawn(rule, now));
                continue;
            }
            let (module, metric) = (rule.settings.module, &rule.settings.metric);
            match self.catalogue.find(module, metric) {
                Some(metric) => by_module.entry(module).or_default().push((rule, metric)),
                // A newer node knows the metric. Without one there is no value.
                None => evaluated.push(unknown(rule, now)),
            }
        }
        for rules in by_module.values_mut() {
            // When a part that was too much is cut in two, a rule that is slow to read is soon by itself.
            rules.sort_by_key(|(rule, _)| (rule.workspace_id, rule.domain_id));
        }
        let said = Said::of(&self.catalogue, &by_module, now).await;
        let reader = MetricReader {
            catalogue: &self.catalogue,
            store: &*self.store,
            until,
        };
        let found = reader.read(&by_module, now).await;
        // If nothing can be read for any rule, no rule is to blame.
        let are_to_blame = found.values().any(Found::has_read) || measured(&by_module).count() == 1;
        let mut firings = Firings::default();
        for (module, found) in found {
            if are_to_blame {
                evaluated.extend(found.slow.iter().map(|(rule, metric)| {
                    let metric = metric.name;
                    let slow = slow(rule, now);
                    let until = slow.next_evaluation_at;
                    tracing::warn!(%module, metric, rule = %rule.id, %until, "a rule takes too long to read; it waits");
                    slow
                }));
            }
            self.set_aside(module, &found).await;
            unasked.extend(found.unasked);
            evaluated.extend(found.answered.into_iter().map(|((rule, metric), answer)| {
                let answer = said.attended(answer, rule);
                outcome(rule, metric, answer, &mut firings, now)
            }));
        }
        let due: HashMap<AlertRuleId, OffsetDateTime> =
            rules.iter().map(|rule| (rule.id, rule.due_at)).collect();
        for due_at in evaluated.iter().filter_map(|evaluated| due.get(&evaluated.rule)) {
            metrics::evaluated(now - *due_at);
        }
        (evaluated, unasked)
    }

    /// Sets aside the rules of a module whose metrics can't be read, unless all of its rules fail.
    async fn set_aside(&self, module: AlertModule, found: &Found<'_>) {
        for (rule, why) in &found.bad {
            if !found.has_read() {
                tracing::warn!(%module, rule = %rule.id, error = %why, "metrics can't be read at the moment");
            } else if let Err(error) = self.store.set_aside(rule, why).await {
                tracing::warn!(rule = %rule.id, %error, "a rule that can't be evaluated can't be set aside");
            }
        }
    }
}

/// The rules whose metrics have to be read.
fn measured<'a>(by_module: &BTreeMap<AlertModule, Vec<Asked<'a>>>) -> impl Iterator<Item = Asked<'a>> {
    let rules = by_module.values().flatten().copied();
    rules.filter(|(_, metric)| metric.kind != MetricKind::Event)
}

/// A rule of a metric that this node does not know.
fn unknown(rule: &DueRule, now: OffsetDateTime) -> Evaluated {
    Evaluated {
        rule: rule.id,
        updated_at: rule.updated_at,
        due_at: rule.due_at,
        leased_until: rule.leased_until,
        standing: Standing {
            state: RuleState::NoData,
            last_value: None,
            ..rule.standing
        },
        counted_through: None,
        alert: None,
        end: None,
        evaluated_at: now,
        next_evaluation_at: next(now, LATE),
        is_put_off: false,
    }
}

/// A rule that takes too long to read.
fn slow(rule: &DueRule, now: OffsetDateTime) -> Evaluated {
    let wait = if rule.was_put_off { LATE } else { SOON };
    Evaluated {
        // Not together with all others of the next hour, since it would keep them waiting.
        next_evaluation_at: now + wait,
        is_put_off: true,
        ..unknown(rule, now)
    }
}

/// The outcome for a rule whose module the plan no longer has: open alerts are over, and events of that time are not reported
/// once the module comes back.
fn withdrawn(rule: &DueRule, now: OffsetDateTime) -> Evaluated {
    let unknown = unknown(rule, now);
    Evaluated {
        standing: Standing {
            is_open: false,
            ..unknown.standing
        },
        counted_through: rule.pending.through,
        end: rule.standing.is_open.then_some(AlertEnd::ModuleOff),
        next_evaluation_at: next(now, USUAL),
        ..unknown
    }
}

/// The outcome of a rule's evaluation.
fn outcome(
    rule: &DueRule,
    metric: &'static AlertMetric,
    answer: MetricAnswer,
    firings: &mut Firings,
    now: OffsetDateTime,
) -> Evaluated {
    let settings = &rule.settings;
    let verdict = match judge(settings, metric, &answer.values) {
        // More events happened while they were held back. They are reported all the same.
        Verdict::Judged { figures, .. } if owes(rule) => Verdict::Judged {
            is_breach: true,
            figures,
        },
        verdict => verdict,
    };
    let attention = match answer.attention {
        Attention::Watched if firings.hold_back(rule, now) => Attention::Silenced,
        attention => attention,
    };
    let (before, data_through) = (before(rule), answer.data_through);
    let Transition {
        standing,
        event,
        recounts,
    } = transition(settings, metric, &before, &verdict, attention, data_through, now);
    let fired = match event {
        Some(RuleEvent::Fires(figures)) => Some((figures, false)),
        Some(RuleEvent::Happened(figures)) => Some((figures, true)),
        Some(RuleEvent::Resolved(_) | RuleEvent::Paused) | None => None,
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
            message: told(
                message::message(settings, metric, &figures, &answer.context),
                firings.add(rule),
            ),
            context: answer.context,
            fired_at: now,
        },
        is_over,
    });
    Evaluated {
        rule: rule.id,
        updated_at: rule.updated_at,
        due_at: rule.due_at,
        leased_until: rule.leased_until,
        standing,
        // If a newer node counts events for a metric that is a measure to this node, the events are left to the newer one.
        counted_through: rule
            .pending
            .through
            .filter(|_| metric.kind == MetricKind::Event && !recounts),
        alert,
        end: match event {
            Some(RuleEvent::Resolved(_)) => Some(end(rule)),
            Some(RuleEvent::Paused) => Some(AlertEnd::MonitorPaused),
            Some(RuleEvent::Fires(_) | RuleEvent::Happened(_)) | None => None,
        },
        evaluated_at: now,
        next_evaluation_at: next(now, if metric.data_lag_hours == 0 { USUAL } else { LATE }),
        is_put_off: false,
    }
}

/// The standing of the rule. Its alerts before it was changed were about another condition, so the same data may raise one
/// again.
fn before(rule: &DueRule) -> Standing {
    let fired = rule.standing.last_fired_at;
    Standing {
        told_through: rule
            .standing
            .told_through
            .filter(|_| fired.is_some_and(|at| rule.updated_at <= at)),
        ..rule.standing
    }
}

/// The message of an alert. If it is the last one until rules of its domain wait, the message says so.
fn told(message: String, is_last: bool) -> String {
    if is_last {
        format!(
            "{message} This is alert number {MOST_FIRINGS} of its domain within an hour: until there are fewer, no rule fires a second \
             time within an hour."
        )
    } else {
        message
    }
}

/// Whether the last evaluation held back events that broke the condition: they were neither reported nor deleted.
fn owes(rule: &DueRule) -> bool {
    let evaluated = rule.last_evaluated_at;
    rule.pending.count > 0
        && rule.standing.state == RuleState::Firing
        && rule.standing.last_fired_at != evaluated
        && evaluated.is_some_and(|at| rule.updated_at <= at)
}

/// Why an alert of the rule that no longer fires is over. The first evaluation with other settings says what these change.
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

    const TELLS_ITS_LAG: bool = true;

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
        Ok(pieces(rules))
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
        // For a clock that is ahead nothing has been measured yet, and alerts would fire in the future.
        let now = match self.store.not_ahead(self.clock.now()).await {
            Ok(now) => now,
            Err(error) => {
                tracing::warn!(%error, "rules can't be evaluated at the moment");
                return None;
            }
        };
        let (evaluated, unasked) = self.evaluate(rules, now).await;
        if !unasked.is_empty() {
            let rules = unasked.len();
            tracing::warn!(
                rules,
                "there was no time to read the metrics of some rules; they are due at once"
            );
            if let Err(error) = self.store.release(&unasked).await {
                tracing::warn!(%error, "rules can't be given back; their leases will end");
            }
        }
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
