//! The shares of workspaces: one that has much evaluated, or fires much, holds up nobody else.

use std::collections::HashMap;

use pharos_domain::ids::{DomainId, WorkspaceId};
use time::{Duration, OffsetDateTime};

use crate::store::DueRule;

/// How many rules of a workspace are evaluated together with those of others.
const SHARE: usize = 100;
/// How many alerts of a domain may fire within an hour until rules that have fired in it wait: a firing of each rule that it may
/// have.
pub const MOST_FIRINGS: u32 = crate::rule::MOST_RULES;
/// The time that firings are counted over. The store counts those before a claim over the same.
pub const FIRINGS_WITHIN: Duration = Duration::HOUR;

/// Rules that were claimed, in the pieces that they are evaluated in: of each workspace some, and what is left of those that have
/// more. One that takes long to evaluate keeps only its own waiting.
pub(crate) fn pieces(rules: Vec<DueRule>) -> Vec<Vec<DueRule>> {
    let mut taken: HashMap<WorkspaceId, usize> = HashMap::new();
    let is_of_one = rules
        .windows(2)
        .all(|pair| pair[0].workspace_id == pair[1].workspace_id);
    let (shared, rest): (Vec<_>, Vec<_>) = rules.into_iter().partition(|rule| {
        let taken = taken.entry(rule.workspace_id).or_default();
        *taken += 1;
        is_of_one || *taken <= SHARE
    });
    [shared, rest]
        .into_iter()
        .filter(|piece| !piece.is_empty())
        .collect()
}

/// The firings of domains within the hour.
#[derive(Debug, Default)]
pub(crate) struct Firings(HashMap<DomainId, u32>);

impl Firings {
    /// Whether a rule waits, since it has fired within the hour, and its domain as often as it may. The first firing of a rule
    /// never waits.
    pub(crate) fn hold_back(&self, rule: &DueRule, now: OffsetDateTime) -> bool {
        let fired = rule.standing.last_fired_at;
        let has_fired = fired.is_some_and(|at| at <= now && now - at < FIRINGS_WITHIN);
        has_fired && self.of(rule) >= MOST_FIRINGS
    }

    /// Counts a firing, and says whether it is the last one until rules wait.
    pub(crate) fn add(&mut self, rule: &DueRule) -> bool {
        let firings = self.of(rule).saturating_add(1);
        self.0.insert(rule.domain_id, firings);
        firings == MOST_FIRINGS
    }

    /// Those up to the claim, and those since.
    fn of(&self, rule: &DueRule) -> u32 {
        self.0
            .get(&rule.domain_id)
            .copied()
            .unwrap_or(rule.domain_firings)
    }
}

#[cfg(test)]
mod tests {
    use pharos_domain::alert_metric::AlertOperator;
    use time::macros::datetime;

    use super::*;
    use crate::fixture::due;

    const NOW: OffsetDateTime = datetime!(2026-03-31 23:45 UTC);

    #[test]
    fn a_workspace_with_many_rules_takes_a_share_of_what_is_evaluated_together() {
        let one = due(DomainId::generate(), AlertOperator::Gt, 1.0);
        let other = due(DomainId::generate(), AlertOperator::Gt, 1.0);
        let mut rules = vec![one; 999];
        assert_eq!(
            pieces(rules.clone()).iter().map(Vec::len).collect::<Vec<_>>(),
            [999]
        );
        rules.push(other.clone());
        let pieces = pieces(rules);
        assert_eq!(
            pieces.iter().map(Vec::len).collect::<Vec<_>>(),
            [SHARE + 1, 999 - SHARE]
        );
        assert_eq!(pieces[0].last(), Some(&other));
        assert!(super::pieces(Vec::new()).is_empty());
    }

    #[test]
    fn a_domain_that_fires_without_end_waits_but_no_first_firing_does() {
        let mut rule = due(DomainId::generate(), AlertOperator::Gt, 1.0);
        rule.domain_firings = MOST_FIRINGS - 2;
        let mut firings = Firings::default();
        let fired = |ago| DueRule {
            standing: crate::evaluate::Standing {
                last_fired_at: Some(NOW - ago),
                ..rule.standing
            },
            ..rule.clone()
        };
        let lately = fired(Duration::minutes(59));
        assert!(!firings.hold_back(&lately, NOW));
        assert!(!firings.add(&lately));
        assert!(!firings.hold_back(&lately, NOW));
        assert!(firings.add(&lately), "the last that fires again");
        assert!(firings.hold_back(&lately, NOW));
        assert!(!firings.hold_back(&rule, NOW), "it has never fired");
        assert!(!firings.hold_back(&fired(Duration::HOUR), NOW));
        assert!(
            !firings.hold_back(&fired(-Duration::DAY), NOW),
            "by a clock that was ahead"
        );
        let elsewhere = due(DomainId::generate(), AlertOperator::Gt, 1.0);
        assert!(!firings.hold_back(&elsewhere, NOW));
        assert!(!firings.add(&lately), "that was told");
    }
}
