use std::{
    collections::{HashMap, HashSet},
    future::pending,
    ops::Range,
    slice,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use pharos_domain::{
    alert_metric::{AlertOperator, MetricQuery, MetricSource, ModuleMetrics},
    clock::ManualClock,
    ids::{AlertRuleId, DomainId, WorkspaceId},
};
use pharos_due::work::{DueClaim, DueWork};
use time::{Duration, macros::datetime};

use super::*;
use crate::{
    evaluator::{Evaluator, RULES},
    fixture::{due, response_times},
    rule::RuleState,
    store::{Evaluated, Settled},
};

const NOW: OffsetDateTime = datetime!(2026-03-31 23:45 UTC);

/// Never answers whoever asks about one of these sites.
struct Source(HashSet<DomainId>);

#[async_trait]
impl MetricSource for Source {
    fn metrics(&self) -> ModuleMetrics {
        response_times()
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

/// As many rules as are claimed together, in the order that they are cut in. Each is of a site and a workspace of its own.
fn rules() -> Vec<DueRule> {
    let rules = (0..RULES).map(|_| due(DomainId::generate(), AlertOperator::Gt, 2_000.0));
    let mut rules: Vec<DueRule> = rules.collect();
    rules.sort_by_key(|rule| rule.workspace_id);
    rules
}

/// The same, of which each of these is of one workspace.
fn in_workspaces(together: &[Range<usize>]) -> Vec<DueRule> {
    let mut rules = rules();
    for some in together {
        let workspace: WorkspaceId = rules[some.start].workspace_id;
        for rule in &mut rules[some.clone()] {
            rule.workspace_id = workspace;
        }
    }
    rules
}

fn sites(rules: &[DueRule]) -> HashSet<DomainId> {
    rules.iter().map(|rule| rule.domain_id).collect()
}

/// Whether the rule was put off.
fn was_put_off(outcomes: &HashMap<AlertRuleId, Evaluated>, rule: &DueRule) -> bool {
    outcomes.get(&rule.id).is_some_and(|outcome| outcome.is_put_off)
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
    let mut rules = rules();
    // Once may be a bad moment. A rule that took too long the time before as well waits for longer.
    for (was_put_off, wait) in [(false, Duration::minutes(5)), (true, Duration::HOUR)] {
        rules[637].was_put_off = was_put_off;
        let stuck = &rules[637];
        let (mut outcomes, released, took) = evaluated(&rules, [stuck.domain_id].into()).await;
        assert_eq!((outcomes.len(), released.len()), (RULES, 0));
        let slow = outcomes.remove(&stuck.id).unwrap();
        assert_eq!(slow.standing.state, RuleState::NoData);
        assert!(slow.is_put_off);
        assert_eq!(slow.next_evaluation_at, NOW + wait);
        assert!(
            outcomes
                .values()
                .all(|outcome| outcome.standing.last_value == Some(1.0) && !outcome.is_put_off)
        );
        assert!(took < BUDGET, "{took:?}");
    }
}

/// A workspace, and five that lie side by side, whose rules are never read. All others are, wherever they lie; and each claim gets to
/// some of the slow ones, so that there are ever fewer.
#[tokio::test(start_paused = true)]
async fn a_workspace_whose_rules_are_slow_keeps_no_other_waiting() {
    let one = 900..1_100;
    let five = [800..1_000, 1_000..1_200, 1_200..1_400, 1_400..1_600, 1_600..1_800];
    for (workspaces, slow) in [(slice::from_ref(&one), 900..1_100), (&five[..], 800..1_800)] {
        let rules = in_workspaces(workspaces);
        let (outcomes, released, took) = evaluated(&rules, sites(&rules[slow.clone()])).await;
        assert!(took <= BUDGET + LONGEST, "{took:?}");
        for (at, rule) in rules.iter().enumerate() {
            let (is_done, is_back) = (outcomes.contains_key(&rule.id), released.contains(&rule.id));
            assert_ne!(is_done, is_back, "{slow:?}: {at}");
            assert!(is_done || slow.contains(&at), "{slow:?}: {at} waits for others");
            assert!(
                !was_put_off(&outcomes, rule) || slow.contains(&at),
                "{slow:?}: {at}"
            );
        }
        assert!(rules.iter().any(|rule| was_put_off(&outcomes, rule)));
    }
}

/// All rules of one workspace are slow, and one of another: the others of that one don't wait until all of the first are found.
#[tokio::test(start_paused = true)]
async fn a_workspace_with_one_slow_rule_waits_for_none_with_many() {
    let rules = in_workspaces(&[600..800, 1_200..1_400]);
    let mut slow = sites(&rules[600..800]);
    slow.insert(rules[1_300].domain_id);
    let (outcomes, released, took) = evaluated(&rules, slow).await;
    assert!(took <= BUDGET + LONGEST, "{took:?}");
    assert!(was_put_off(&outcomes, &rules[1_300]));
    let waits = |rule: &DueRule| released.contains(&rule.id);
    assert!(rules[600..800].iter().any(waits));
    assert!(![&rules[..600], &rules[800..]].concat().iter().any(waits));
}

/// Half of all workspaces are slow, and there is no time to tell them apart one by one. Hardly any of the others wait, and some are
/// put off all the same.
#[tokio::test(start_paused = true)]
async fn rules_that_there_is_no_time_for_are_given_back_within_the_lease() {
    let rules = rules();
    let (outcomes, released, took) = evaluated(&rules, sites(&rules[800..1_800])).await;
    assert!(took <= BUDGET + LONGEST, "{took:?}");
    assert!(rules.iter().any(|rule| was_put_off(&outcomes, rule)));
    for rule in &rules {
        assert_ne!(outcomes.contains_key(&rule.id), released.contains(&rule.id));
    }
    let quick = [&rules[..800], &rules[1_800..]].concat();
    let waiting = quick.iter().filter(|rule| released.contains(&rule.id)).count();
    assert!(waiting < 16, "{waiting} wait");
}

#[tokio::test(start_paused = true)]
async fn no_rule_is_to_blame_where_nothing_can_be_read() {
    let rules = rules();
    let (outcomes, released, took) = evaluated(&rules, sites(&rules)).await;
    assert!(outcomes.is_empty(), "{outcomes:?}");
    assert!(released.len() > RULES - 100, "{}", released.len());
    assert!(took <= BUDGET + LONGEST, "{took:?}");
}
