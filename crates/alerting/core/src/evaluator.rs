//! Evaluating rules in the background, many at once: one question a module for all that are due.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt,
    sync::Arc,
    time::Duration as StdDuration,
};

use async_trait::async_trait;
use pharos_domain::{
    alert_metric::{AlertMetric, AlertModule, Attention, MetricAnswer, MetricKind, MetricValue, Reading},
    clock::Clock,
    ids::{AlertRuleId, DomainId},
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
    evaluate::{RuleEvent, Standing, Transition, Verdict, judge, transition},
    message, metrics,
    questions::Questions,
    rule::RuleState,
    shares::{Firings, MOST_FIRINGS, pieces},
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

/// How many rules of one batch can't be read until that is not taken for the rules' fault.
const MOST_BAD: usize = 20;

/// A rule with its metric.
type Asked<'a> = (&'a DueRule, &'static AlertMetric);

/// Evaluates rules.
#[derive(Clone)]
pub struct Evaluator {
    /// Where due rules come from, and what they came to goes.
    pub store: Arc<dyn EvaluationStore>,
    /// Who gives the values of metrics.
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

    /// The rules that were judged. Those of which nothing could be read are left out: their lease ends, and they are due again,
    /// or they were set aside.
    async fn evaluate(&self, rules: &[DueRule], now: OffsetDateTime) -> Vec<Evaluated> {
        let mut by_module: BTreeMap<AlertModule, Vec<Asked<'_>>> = BTreeMap::new();
        let mut evaluated = Vec::with_capacity(rules.len());
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
        let attention = self.attention(&by_module, now).await;
        let mut firings = Firings::default();
        for (module, rules) in by_module {
            let answered = self.answered(module, &rules, now).await.into_iter();
            evaluated.extend(answered.map(|((rule, metric), answer)| {
                let answer = attended(answer, module, attention.get(&rule.domain_id).copied());
                outcome(rule, metric, answer, &mut firings, now)
            }));
        }
        let due: HashMap<AlertRuleId, OffsetDateTime> =
            rules.iter().map(|rule| (rule.id, rule.due_at)).collect();
        for due_at in evaluated.iter().filter_map(|evaluated| due.get(&evaluated.rule)) {
            metrics::evaluated(now - *due_at);
        }
        evaluated
    }

    /// The attention of the domains that have rules whose metrics say nothing of it: those of other modules than uptime, to which
    /// people announce work on a site, and those that count events. Where it can't be read, such rules may fire.
    async fn attention(
        &self,
        by_module: &BTreeMap<AlertModule, Vec<Asked<'_>>>,
        now: OffsetDateTime,
    ) -> HashMap<DomainId, Attention> {
        let domains: BTreeSet<DomainId> = by_module
            .values()
            .flatten()
            .filter(|(rule, metric)| {
                rule.settings.module != AlertModule::Uptime || metric.kind == MetricKind::Event
            })
            .map(|(rule, _)| rule.domain_id)
            .collect();
        let domains: Vec<DomainId> = domains.into_iter().collect();
        let source = self.catalogue.source(AlertModule::Uptime);
        let Some(source) = source.filter(|_| !domains.is_empty()) else {
            return HashMap::new();
        };
        match source.attention(&domains, now).await {
            Ok(found) => found,
            Err(error) => {
                tracing::warn!(%error, "which sites are worked on can't be read at the moment");
                HashMap::new()
            }
        }
    }

    /// The rules of a module of which something could be read, in order, with their answers. Where reading fails for a rule, the
    /// others are read without it, and it is set aside.
    async fn answered<'a>(
        &self,
        module: AlertModule,
        rules: &[Asked<'a>],
        now: OffsetDateTime,
    ) -> Vec<(Asked<'a>, MetricAnswer)> {
        let (mut answered, mut bad) = (Vec::with_capacity(rules.len()), Vec::new());
        let mut parts = vec![rules];
        while let Some(part) = parts.pop() {
            match (self.answers(module, part, now).await, part) {
                (Ok(answers), _) => answered.extend(part.iter().copied().zip(answers)),
                (Err(error), [_, _, ..])
                    if (is_too_long(&error) || self.store.lies_in_a_rule(&error)) && bad.len() < MOST_BAD =>
                {
                    let (first, second) = part.split_at(part.len() / 2);
                    parts.extend([second, first]);
                }
                (Err(error), [(rule, _)]) if self.store.lies_in_a_rule(&error) && bad.len() < MOST_BAD => {
                    bad.push((*rule, error));
                }
                // It is evaluated again when it is due again, and keeps no other from it.
                (Err(error), [(rule, _)]) if is_too_long(&error) => {
                    tracing::warn!(%module, rule = %rule.id, %error, "the metric of a rule takes too long to read");
                }
                (Err(error), _) => {
                    tracing::warn!(%module, rules = rules.len(), %error, "metrics can't be read at the moment");
                    return answered;
                }
            }
        }
        // Where nothing can be read for any rule, none of them is to blame.
        let others_fare_better = answered
            .iter()
            .any(|((_, metric), _)| metric.kind != MetricKind::Event);
        for (rule, why) in bad {
            if !others_fare_better {
                tracing::warn!(%module, rule = %rule.id, error = %why, "metrics can't be read at the moment");
            } else if let Err(error) = self.store.set_aside(rule, &why).await {
                tracing::warn!(rule = %rule.id, %error, "a rule that can't be evaluated can't be set aside");
            }
        }
        answered
    }

    /// One answer a rule. Events were counted with the claim.
    async fn answers(
        &self,
        module: AlertModule,
        rules: &[Asked<'_>],
        now: OffsetDateTime,
    ) -> Result<Vec<MetricAnswer>, StoreError> {
        let questions = Questions::of(rules, now);
        let read = match self.catalogue.source(module) {
            Some(source) if !questions.asked().is_empty() => source.read(questions.asked(), now).await?,
            _ => Vec::new(),
        };
        let answers = rules.iter().zip(questions.answers(&read));
        Ok(answers
            .map(|((rule, _), answer)| answer.unwrap_or_else(|| events(rule)))
            .collect())
    }
}

/// The answer to a rule of the module, with the attention of its domain where the metric says nothing of that. Who pauses the
/// monitor has uptime watched no more, and nothing else.
fn attended(answer: MetricAnswer, module: AlertModule, found: Option<Attention>) -> MetricAnswer {
    let attention = match (answer.attention, found) {
        (Attention::Watched, Some(Attention::Silenced)) => Attention::Silenced,
        (Attention::Watched, Some(Attention::Paused)) if module == AlertModule::Uptime => Attention::Paused,
        (said, _) => said,
    };
    MetricAnswer { attention, ..answer }
}

/// The events that a rule has not counted yet, as its value.
fn events(rule: &DueRule) -> MetricAnswer {
    MetricAnswer {
        values: vec![MetricValue {
            reading: Reading::Value(f64::from(rule.pending.count)),
            sample: None,
        }],
        context: rule.pending.context.clone(),
        attention: Attention::Watched,
    }
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
    }
}

/// A rule whose module the plan no longer has: what is open is over, and what happened meanwhile is not told once it comes back.
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
        // More of them happened while they were held back. They are told all the same.
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
    let Transition {
        standing,
        event,
        recounts,
    } = transition(settings, metric, &rule.standing, &verdict, attention, now);
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
        counted_through: rule.pending.through.filter(|_| !recounts),
        alert,
        end: match event {
            Some(RuleEvent::Resolved(_)) => Some(end(rule)),
            Some(RuleEvent::Paused) => Some(AlertEnd::MonitorPaused),
            Some(RuleEvent::Fires(_) | RuleEvent::Happened(_)) | None => None,
        },
        evaluated_at: now,
        next_evaluation_at: next(now, if metric.data_lag_hours == 0 { USUAL } else { LATE }),
    }
}

/// The message of an alert. The last one until rules of its domain wait says so.
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

/// Whether the last evaluation held back events that broke the condition: they were neither told nor deleted.
fn owes(rule: &DueRule) -> bool {
    let evaluated = rule.last_evaluated_at;
    rule.pending.count > 0
        && rule.standing.state == RuleState::Firing
        && rule.standing.last_fired_at != evaluated
        && evaluated.is_some_and(|at| rule.updated_at <= at)
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

/// Fewer rules may be read in time.
fn is_too_long(error: &StoreError) -> bool {
    matches!(error, StoreError::TooLong(_))
}

#[cfg(test)]
mod tests {
    use pharos_domain::alert_metric::AlertOperator;
    use time::macros::datetime;

    use super::*;
    use crate::{
        fixture::{RESPONSE_MS, due},
        store::PendingEvents,
    };

    const NOW: OffsetDateTime = datetime!(2026-03-31 23:45 UTC);

    static CHANGES: AlertMetric = AlertMetric {
        name: "changes",
        kind: MetricKind::Event,
        ..RESPONSE_MS
    };

    /// Evaluates it once a minute, with so many events that came since; says whether it fired, and what is left uncounted.
    fn played(rule: &mut DueRule, came: &[u32]) -> Vec<(bool, u32)> {
        let mut played = Vec::new();
        for (minute, came) in (0..).zip(came) {
            let now = NOW + Duration::minutes(minute);
            rule.pending.count += came;
            rule.pending.through = (rule.pending.count > 0).then_some(1);
            let done = outcome(rule, &CHANGES, events(rule), &mut Firings::default(), now);
            if done.counted_through.is_some() {
                rule.pending = PendingEvents::default();
            }
            rule.standing = done.standing;
            rule.last_evaluated_at = Some(now);
            played.push((done.alert.is_some(), rule.pending.count));
        }
        played
    }

    #[test]
    fn no_condition_makes_an_alert_of_nothing() {
        for (operator, threshold) in [
            (AlertOperator::Lt, 1.0),
            (AlertOperator::Gte, 0.0),
            (AlertOperator::Eq, 0.0),
            (AlertOperator::Gt, -1.0),
        ] {
            let mut rule = due(DomainId::generate(), operator, threshold);
            rule.settings.cooldown_minutes = 0;
            assert_eq!(
                played(&mut rule, &[0, 0, 0]),
                [(false, 0); 3],
                "{operator} {threshold}"
            );
        }
    }

    /// One is told; the next comes within the cooldown of three minutes, and another after it. Both are told at its end.
    #[test]
    fn events_that_were_held_back_are_told_though_more_came() {
        let mut rule = due(DomainId::generate(), AlertOperator::Eq, 1.0);
        rule.settings.cooldown_minutes = 3;
        let found = played(&mut rule, &[1, 1, 1, 0, 0]);
        assert_eq!(found, [(true, 0), (false, 1), (false, 2), (true, 0), (false, 0)]);
        // Two at once are not one.
        let mut rule = due(DomainId::generate(), AlertOperator::Eq, 1.0);
        assert_eq!(played(&mut rule, &[1, 2, 2]), [(true, 0), (false, 0), (false, 0)]);
    }

    #[test]
    fn a_domain_that_fires_without_end_is_told_once_and_waits() {
        let mut rule = due(DomainId::generate(), AlertOperator::Gt, 1.0);
        rule.domain_firings = MOST_FIRINGS - 1;
        rule.settings.cooldown_minutes = 1;
        rule.standing.last_fired_at = Some(NOW - Duration::minutes(2));
        let answer = || MetricAnswer {
            values: vec![MetricValue {
                reading: Reading::Value(5.0),
                sample: None,
            }],
            ..MetricAnswer::default()
        };
        let mut firings = Firings::default();
        let mut fired = |rule: &DueRule| {
            let done = outcome(rule, &RESPONSE_MS, answer(), &mut firings, NOW);
            assert_eq!(done.standing.state, RuleState::Firing);
            done.alert.map(|alert| alert.fired.message)
        };
        assert!(fired(&rule).unwrap().contains("alert number 500 of its domain"));
        assert_eq!(fired(&rule), None);
        rule.standing.last_fired_at = None;
        let first = fired(&rule).unwrap();
        assert!(!first.contains("alert number"), "{first}");
    }
}
