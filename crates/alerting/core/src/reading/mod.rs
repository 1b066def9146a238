//! Reading the metrics of rules that were claimed together, in the time that their claim has.

mod parts;
#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, time::Duration as StdDuration};

use pharos_domain::{
    alert_metric::{AlertMetric, AlertModule, Attention, MetricAnswer, MetricKind, MetricValue, Reading},
    store::StoreError,
};
use time::OffsetDateTime;
use tokio::time::{Instant, timeout};

use self::parts::{Part, Waiting};
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
/// How much of the budget, at its end, is for rules that are slow: where looking for them takes all the time that there is, each claim
/// still finds one, which the next claims do not have.
const LAST: StdDuration = StdDuration::from_secs(BUDGET.as_secs() / 4);

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
    /// The metrics of the rules, of which those of a workspace lie together. Where a read fails or takes too long for the sake of one
    /// rule, the others are read without it, in the order that [`Waiting`] has.
    pub(crate) async fn read<'a>(
        &self,
        rules: &BTreeMap<AlertModule, Vec<Asked<'a>>>,
        now: OffsetDateTime,
    ) -> BTreeMap<AlertModule, Found<'a>> {
        // Half of the budget is left for halving, even where the rules of every module are too many.
        let modules = u32::try_from(rules.len().max(1)).unwrap_or(u32::MAX);
        let within = LONGEST.min(BUDGET / 2 / modules);
        let whole = rules
            .iter()
            .map(|(module, rules)| Part::whole(*module, rules, within));
        let mut waiting = Waiting::new(whole.collect());
        let mut found = BTreeMap::new();
        while let Some(part) = waiting.next(Instant::now() + LAST >= self.until) {
            let of_module: &mut Found<'a> = found.entry(part.module).or_default();
            let begun = Instant::now();
            let is_too_much = self.read_part(&part, of_module, now).await;
            waiting.took(&part, begun.elapsed());
            if is_too_much {
                waiting.cut(part);
            }
        }
        found
    }

    /// Reads a part, and says whether it was too much, so that less of it is to be read at once.
    async fn read_part<'a>(&self, part: &Part<'_, 'a>, found: &mut Found<'a>, now: OffsetDateTime) -> bool {
        if found.is_away {
            return false;
        }
        if Instant::now() >= self.until {
            found.unasked.extend(part.rules.iter().map(|(rule, _)| *rule));
            return false;
        }
        let error = match self.answers(part, now).await {
            Ok(answers) => {
                found.answered.extend(part.rules.iter().copied().zip(answers));
                return false;
            }
            Err(error) => error,
        };
        let is_too_long = matches!(error, StoreError::TooLong(_));
        let may_lie_in_a_rule = is_too_long || self.store.lies_in_a_rule(&error);
        match part.rules {
            // Whether a rule is slow is not judged by the share that it had as one of many.
            [_] if is_too_long && part.within < LONGEST => return true,
            [asked] if is_too_long => found.slow.push(*asked),
            [(rule, _)] if may_lie_in_a_rule && found.bad.len() < MOST_BAD => found.bad.push((*rule, error)),
            [_, _, ..] if may_lie_in_a_rule && found.bad.len() < MOST_BAD => return true,
            rules => {
                let (module, rules) = (part.module, rules.len());
                tracing::warn!(%module, rules, %error, "metrics can't be read at the moment");
                found.is_away = true;
            }
        }
        false
    }

    /// One answer a rule. Events were counted with the claim. A read that takes too long is cancelled.
    async fn answers(
        &self,
        part: &Part<'_, '_>,
        now: OffsetDateTime,
    ) -> Result<Vec<MetricAnswer>, StoreError> {
        let questions = Questions::of(part.rules, now);
        let read = match self.catalogue.source(part.module) {
            Some(source) if !questions.asked().is_empty() => {
                in_time(part.within, source.read(questions.asked(), now)).await?
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
        data_through: None,
        attention: Attention::Watched,
    }
}
