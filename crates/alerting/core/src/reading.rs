//! Reading the metrics of rules that were claimed together, in the time that their claim has.

use std::{collections::BTreeMap, mem, time::Duration as StdDuration};

use pharos_domain::{
    alert_metric::{AlertMetric, AlertModule, Attention, MetricAnswer, MetricKind, MetricValue, Reading},
    store::StoreError,
};
use time::OffsetDateTime;
use tokio::time::{Instant, timeout};

use crate::{
    catalogue::Catalogue,
    evaluator::LEASE,
    questions::Questions,
    store::{DueRule, EvaluationStore},
};

/// How long a claim reads: the last read and the settlement have the rest of its lease.
pub(crate) const BUDGET: StdDuration = StdDuration::from_secs(LEASE.whole_seconds().unsigned_abs() * 2 / 3);
/// How long a read may take. The budget has room for halving a whole claim until a slow rule is alone.
pub(crate) const LONGEST: StdDuration = StdDuration::from_secs(BUDGET.as_secs() / 8);
/// How long a read of several rules may take at least, however often they were halved.
const LEAST: StdDuration = StdDuration::from_secs(1);

/// How many rules of one module can't be read until that is not taken for the rules' fault.
const MOST_BAD: usize = 20;

/// A rule with its metric.
pub(crate) type Asked<'a> = (&'a DueRule, &'static AlertMetric);

/// The metrics of a module's rules, as far as they could be read.
#[derive(Debug, Default)]
pub(crate) struct Found<'a> {
    /// The rules that something was read of, with their answers.
    pub(crate) answered: Vec<(Asked<'a>, MetricAnswer)>,
    /// Those that take too long, each asked alone.
    pub(crate) slow: Vec<Asked<'a>>,
    /// Those whose read fails, each asked alone, and why.
    pub(crate) bad: Vec<(&'a DueRule, StoreError)>,
    /// Those that there was no time for.
    pub(crate) unasked: Vec<&'a DueRule>,
    /// Whether the store of the module can't be read at the moment, whatever it is asked.
    is_away: bool,
}

impl Found<'_> {
    /// Whether a rule was read, and not only the events that came with the claim.
    pub(crate) fn has_read(&self) -> bool {
        self.answered
            .iter()
            .any(|((_, metric), _)| metric.kind != MetricKind::Event)
    }
}

/// Rules of a module that are read together.
struct Part<'r, 'a> {
    module: AlertModule,
    rules: &'r [Asked<'a>],
    within: StdDuration,
}

impl Part<'_, '_> {
    /// Half of the rules should take half of the time, so that looking for a slow one does not take long.
    fn halves(self) -> Vec<Self> {
        let (first, second) = self.rules.split_at(self.rules.len() / 2);
        let within = (self.within / 2).max(LEAST);
        [first, second]
            .map(|rules| Self {
                rules,
                within,
                ..self
            })
            .into()
    }
}

/// Reads metrics for the rules of a claim.
pub(crate) struct MetricReader<'r> {
    /// Who gives the values.
    pub(crate) catalogue: &'r Catalogue,
    /// Says whether a failure may be a rule's fault.
    pub(crate) store: &'r dyn EvaluationStore,
    /// No read begins later.
    pub(crate) until: Instant,
}

impl MetricReader<'_> {
    /// The metrics of the rules. Where a read fails or takes too long for the sake of one rule, the others are read without it:
    /// first all modules have their turn, then the halves of what was too much, so that what is quick waits for nothing slow.
    pub(crate) async fn read<'a>(
        &self,
        rules: &BTreeMap<AlertModule, Vec<Asked<'a>>>,
        now: OffsetDateTime,
    ) -> BTreeMap<AlertModule, Found<'a>> {
        // Half of the budget is left for halving, even where the rules of every module are too many.
        let modules = u32::try_from(rules.len().max(1)).unwrap_or(u32::MAX);
        let within = LONGEST.min(BUDGET / 2 / modules);
        let mut round: Vec<Part<'_, 'a>> = rules
            .iter()
            .map(|(module, rules)| Part {
                module: *module,
                rules,
                within,
            })
            .collect();
        let (mut found, mut too_much) = (BTreeMap::new(), Vec::new());
        loop {
            for part in mem::take(&mut round) {
                let of_module: &mut Found<'a> = found.entry(part.module).or_default();
                too_much.extend(self.read_part(part, of_module, now).await);
            }
            match too_much.pop() {
                Some(part) => round = part.halves(),
                None => return found,
            }
        }
    }

    /// Reads a part, and gives it back where its halves are to be read instead.
    async fn read_part<'r, 'a>(
        &self,
        part: Part<'r, 'a>,
        found: &mut Found<'a>,
        now: OffsetDateTime,
    ) -> Option<Part<'r, 'a>> {
        if found.is_away {
            return None;
        }
        if Instant::now() >= self.until {
            found.unasked.extend(part.rules.iter().map(|(rule, _)| *rule));
            return None;
        }
        let error = match self.answers(&part, now).await {
            Ok(answers) => {
                found.answered.extend(part.rules.iter().copied().zip(answers));
                return None;
            }
            Err(error) => error,
        };
        let is_too_long = matches!(error, StoreError::TooLong(_));
        let may_lie_in_a_rule = is_too_long || self.store.lies_in_a_rule(&error);
        match part.rules {
            [asked] if is_too_long => found.slow.push(*asked),
            [(rule, _)] if may_lie_in_a_rule && found.bad.len() < MOST_BAD => found.bad.push((*rule, error)),
            [_, _, ..] if may_lie_in_a_rule && found.bad.len() < MOST_BAD => return Some(part),
            rules => {
                let (module, rules) = (part.module, rules.len());
                tracing::warn!(%module, rules, %error, "metrics can't be read at the moment");
                found.is_away = true;
            }
        }
        None
    }

    /// One answer a rule. Events were counted with the claim. A read that takes too long is cancelled.
    async fn answers(
        &self,
        part: &Part<'_, '_>,
        now: OffsetDateTime,
    ) -> Result<Vec<MetricAnswer>, StoreError> {
        let questions = Questions::of(part.rules, now);
        // Whether a rule is slow is not judged by the share that it had as one of many.
        let within = if part.rules.len() == 1 {
            LONGEST
        } else {
            part.within
        };
        let read = match self.catalogue.source(part.module) {
            Some(source) if !questions.asked().is_empty() => {
                in_time(within, source.read(questions.asked(), now)).await?
            }
            _ => Vec::new(),
        };
        let answers = part.rules.iter().zip(questions.answers(&read));
        Ok(answers
            .map(|((rule, _), answer)| answer.unwrap_or_else(|| events(rule)))
            .collect())
    }
}

/// A read that is cancelled once it takes longer than that.
pub(crate) async fn in_time<T>(
    within: StdDuration,
    read: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    match timeout(within, read).await {
        Ok(read) => read,
        Err(late) => Err(StoreError::TooLong(Box::new(late))),
    }
}

/// The events that a rule has not counted yet, as its value.
pub(crate) fn events(rule: &DueRule) -> MetricAnswer {
    MetricAnswer {
        values: vec![MetricValue {
            reading: Reading::Value(f64::from(rule.pending.count)),
            sample: None,
        }],
        context: rule.pending.context.clone(),
        attention: Attention::Watched,
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::{HashMap, HashSet},
        future::pending,
        slice,
        sync::{Arc, Mutex},
    };

    use async_trait::async_trait;
    use pharos_domain::{
        alert_metric::{AlertOperator, MetricQuery, MetricSource, ModuleMetrics},
        clock::ManualClock,
        ids::{AlertRuleId, DomainId},
    };
    use pharos_due::work::{DueClaim, DueWork};
    use time::{Duration, macros::datetime};

    use super::*;
    use crate::{
        evaluator::Evaluator,
        fixture::{RESPONSE_MS, due},
        rule::RuleState,
        store::{Evaluated, Settled},
    };

    const NOW: OffsetDateTime = datetime!(2026-03-31 23:45 UTC);

    /// Never answers whoever asks about one of these sites.
    struct Source(HashSet<DomainId>);

    #[async_trait]
    impl MetricSource for Source {
        fn metrics(&self) -> ModuleMetrics {
            ModuleMetrics {
                module: AlertModule::Uptime,
                label: "Uptime",
                metrics: slice::from_ref(&RESPONSE_MS),
            }
        }

        async fn read(
            &self,
            queries: &[MetricQuery],
            _: OffsetDateTime,
        ) -> Result<Vec<MetricAnswer>, StoreError> {
            if queries.iter().any(|query| self.0.contains(&query.domain)) {
                pending::<()>().await;
            }
            let answer = MetricAnswer {
                values: vec![MetricValue {
                    reading: Reading::Value(1.0),
                    sample: None,
                }],
                ..MetricAnswer::default()
            };
            Ok(vec![answer; queries.len()])
        }
    }

    /// The rules that were given back.
    #[derive(Default)]
    struct Store(Mutex<HashSet<AlertRuleId>>);

    #[async_trait]
    impl EvaluationStore for Store {
        async fn bring_back(&self) -> Result<(), StoreError> {
            Ok(())
        }

        async fn not_ahead(&self, now: OffsetDateTime) -> Result<OffsetDateTime, StoreError> {
            Ok(now)
        }

        async fn claim(&self, _: &DueClaim) -> Result<Vec<DueRule>, StoreError> {
            Ok(Vec::new())
        }

        async fn next_due(&self, _: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
            Ok(None)
        }

        async fn settle(&self, _: &[Evaluated]) -> Result<Settled, StoreError> {
            Ok(Settled::default())
        }

        async fn release(&self, rules: &[&DueRule]) -> Result<(), StoreError> {
            self.0.lock().unwrap().extend(rules.iter().map(|rule| rule.id));
            Ok(())
        }

        fn lies_in_a_rule(&self, _: &StoreError) -> bool {
            false
        }

        async fn set_aside(&self, _: &DueRule, _: &StoreError) -> Result<(), StoreError> {
            Ok(())
        }
    }

    /// A rule of each of 1,000 sites, in the order that they are halved in.
    fn rules() -> Vec<DueRule> {
        let rules = (0..1_000).map(|_| due(DomainId::generate(), AlertOperator::Gt, 2_000.0));
        let mut rules: Vec<DueRule> = rules.collect();
        rules.sort_by_key(|rule| rule.workspace_id);
        rules
    }

    /// The outcomes of a claim of these rules, those that were given back, and how long it took.
    async fn evaluated(
        rules: &[DueRule],
        slow: HashSet<DomainId>,
    ) -> (HashMap<AlertRuleId, Evaluated>, HashSet<AlertRuleId>, StdDuration) {
        let store = Arc::new(Store::default());
        let evaluator = Evaluator {
            store: store.clone(),
            catalogue: Catalogue::new(vec![Arc::new(Source(slow))]).unwrap(),
            clock: Arc::new(ManualClock::at(NOW)),
            bell: Arc::default(),
        };
        let begun = Instant::now();
        let outcomes = evaluator.perform(&rules.to_vec()).await.unwrap_or_default();
        let took = begun.elapsed();
        let outcomes = outcomes.into_iter().map(|outcome| (outcome.rule, outcome));
        let released = store.0.lock().unwrap().clone();
        (outcomes.collect(), released, took)
    }

    #[tokio::test(start_paused = true)]
    async fn a_rule_that_is_never_read_keeps_no_other_from_its_turn() {
        let rules = rules();
        let stuck = &rules[637];
        let (mut outcomes, released, took) = evaluated(&rules, [stuck.domain_id].into()).await;
        assert_eq!((outcomes.len(), released.len()), (1_000, 0));
        let slow = outcomes.remove(&stuck.id).unwrap();
        assert_eq!(slow.standing.state, RuleState::NoData);
        assert_eq!(slow.next_evaluation_at, NOW + Duration::HOUR);
        assert!(
            outcomes
                .values()
                .all(|outcome| outcome.standing.last_value == Some(1.0))
        );
        assert!(took < BUDGET, "{took:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn rules_that_there_is_no_time_for_are_given_back_within_the_lease() {
        let rules = rules();
        let (read, stuck) = rules.split_at(500);
        let stuck: HashSet<DomainId> = stuck.iter().map(|rule| rule.domain_id).collect();
        let (outcomes, released, took) = evaluated(&rules, stuck).await;
        assert!(took <= BUDGET + LONGEST, "{took:?}");
        let put_off = |id: &AlertRuleId| outcomes[id].next_evaluation_at == NOW + Duration::HOUR;
        // Each claim gets to some of them, so that there are ever fewer.
        assert!(outcomes.keys().any(put_off));
        for rule in &rules {
            assert_ne!(outcomes.contains_key(&rule.id), released.contains(&rule.id));
        }
        assert!(read.iter().all(|rule| outcomes.contains_key(&rule.id)));
    }

    #[tokio::test(start_paused = true)]
    async fn no_rule_is_to_blame_where_nothing_can_be_read() {
        let rules = rules();
        let all = rules.iter().map(|rule| rule.domain_id).collect();
        let (outcomes, released, took) = evaluated(&rules, all).await;
        assert!(outcomes.is_empty(), "{outcomes:?}");
        assert!(released.len() > 900, "{}", released.len());
        assert!(took <= BUDGET + LONGEST, "{took:?}");
    }
}
