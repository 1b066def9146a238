//! The questions that rules have about metrics: equal ones are asked once, and all who have them get the answer.

use std::collections::HashMap;

use pharos_domain::{
    alert_metric::{AlertMetric, MetricAnswer, MetricFilter, MetricKind, MetricQuery, MetricWindow},
    ids::DomainId,
};
use time::OffsetDateTime;

use crate::{evaluate::windows, store::DueRule};

/// The questions of rules on metrics of one module.
#[derive(Debug, Default)]
pub(crate) struct Questions {
    asked: Vec<MetricQuery>,
    /// For each rule the number of its question; `None`: its events were counted with the claim.
    numbers: Vec<Option<usize>>,
}

impl Questions {
    /// The questions of rules at a moment.
    pub(crate) fn of(rules: &[(&DueRule, &'static AlertMetric)], now: OffsetDateTime) -> Self {
        let mut questions = Self::default();
        let mut known: HashMap<(DomainId, &str, &MetricFilter, Vec<MetricWindow>), usize> = HashMap::new();
        for (rule, metric) in rules {
            if metric.kind == MetricKind::Event {
                questions.numbers.push(None);
                continue;
            }
            let windows = windows(&rule.settings, metric, now);
            let filter = &rule.settings.filter;
            let asked = &mut questions.asked;
            let number = *known
                .entry((rule.domain_id, metric.name, filter, windows))
                .or_insert_with_key(|(_, _, _, windows)| {
                    asked.push(MetricQuery {
                        domain: rule.domain_id,
                        metric,
                        filter: filter.clone(),
                        windows: windows.clone(),
                        needs_sample: false,
                    });
                    asked.len() - 1
                });
            if let Some(query) = asked.get_mut(number) {
                query.needs_sample |= rule.settings.min_sample.is_some();
            }
            questions.numbers.push(Some(number));
        }
        questions
    }

    /// The different ones.
    pub(crate) fn asked(&self) -> &[MetricQuery] {
        &self.asked
    }

    /// The answer of each rule, of the answers to what was asked; `None` for one that counts events.
    pub(crate) fn answers(&self, read: &[MetricAnswer]) -> impl Iterator<Item = Option<MetricAnswer>> {
        let answer = |number: usize| read.get(number).cloned().unwrap_or_default();
        self.numbers.iter().map(move |number| number.map(answer))
    }
}

#[cfg(test)]
mod tests {
    use pharos_domain::alert_metric::{AlertOperator, EvaluationWindow, MetricValue, Reading};
    use time::macros::datetime;

    use super::*;
    use crate::fixture::{RESPONSE_MS, due};

    const NOW: OffsetDateTime = datetime!(2026-03-31 23:45 UTC);

    static CHANGES: AlertMetric = AlertMetric {
        name: "changes",
        kind: MetricKind::Event,
        ..RESPONSE_MS
    };

    /// 500 rules of one site that look at the same hour, two of them at another, and one of another site.
    #[test]
    fn equal_questions_are_asked_once_and_answered_for_each() {
        let (site, other) = (DomainId::generate(), DomainId::generate());
        let mut rules: Vec<DueRule> = (0..500)
            .map(|number| due(site, AlertOperator::Gt, f64::from(number)))
            .collect();
        rules[7].settings.evaluation_window = EvaluationWindow::Day;
        rules[8].settings.evaluation_window = EvaluationWindow::Day;
        rules[9].settings.min_sample = Some(10);
        rules.push(due(other, AlertOperator::Gt, 1.0));
        let mut asking: Vec<(&DueRule, &'static AlertMetric)> =
            rules.iter().map(|rule| (rule, &RESPONSE_MS)).collect();
        asking[20].1 = &CHANGES;
        let questions = Questions::of(&asking, NOW);
        let asked: Vec<_> = questions
            .asked()
            .iter()
            .map(|query| (query.domain, query.needs_sample))
            .collect();
        assert_eq!(asked, [(site, true), (site, false), (other, false)]);
        let read: Vec<MetricAnswer> = [1.0, 2.0, 3.0]
            .map(|value| MetricAnswer {
                values: vec![MetricValue {
                    reading: Reading::Value(value),
                    sample: None,
                }],
                ..MetricAnswer::default()
            })
            .into();
        let answers: Vec<_> = questions
            .answers(&read)
            .map(|answer| answer.map(|answer| answer.values[0].reading))
            .collect();
        assert_eq!(answers.len(), 501);
        let of = |value| Some(Reading::Value(value));
        assert_eq!([answers[0], answers[6], answers[499]], [of(1.0); 3]);
        assert_eq!([answers[7], answers[8]], [of(2.0); 2]);
        assert_eq!((answers[20], answers[500]), (None, of(3.0)));
    }
}
