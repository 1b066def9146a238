//! Whether field data pass Core Web Vitals.

use std::collections::BTreeMap;

use pharos_domain::wire_enum;
use time::Date;

use super::{
    Metric,
    figures::{Figures, MetricFigures},
};

wire_enum! {
    /// A verdict.
    AssessmentStatus as "CruxAssessmentStatus" {
        /// The 75th percentiles of LCP, INP and CLS are good. An INP that is missing is passed over.
        Passed = "passed",
        /// One of them is not.
        Failed = "failed",
        /// LCP or CLS is missing.
        InsufficientData = "insufficient_data",
    }
}

wire_enum! {
    /// A metric that the verdict looks at.
    CoreMetric as "CruxCoreMetric" {
        /// Largest Contentful Paint.
        Lcp = "lcp",
        /// Interaction to Next Paint.
        Inp = "inp",
        /// Cumulative Layout Shift.
        Cls = "cls",
    }
}

impl From<CoreMetric> for Metric {
    fn from(metric: CoreMetric) -> Self {
        match metric {
            CoreMetric::Lcp => Self::Lcp,
            CoreMetric::Inp => Self::Inp,
            CoreMetric::Cls => Self::Cls,
        }
    }
}

/// A verdict on field data, as <https://web.dev/articles/vitals> has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assessment {
    /// The verdict.
    pub status: AssessmentStatus,
    /// The metrics that are not good.
    pub failing: Vec<CoreMetric>,
    /// The end of the first stored period of the present run of passes; `None`: it does not pass.
    pub first_passed_on: Option<Date>,
}

/// The verdict on one period's figures.
#[must_use]
pub fn verdict(figures: &Figures) -> (AssessmentStatus, Vec<CoreMetric>) {
    verdict_of(&figures.metrics)
}

fn verdict_of(metrics: &BTreeMap<Metric, MetricFigures>) -> (AssessmentStatus, Vec<CoreMetric>) {
    let p75 = |metric: CoreMetric| metrics.get(&Metric::from(metric)).and_then(|found| found.p75);
    let is_poorer = |metric: &CoreMetric| {
        let bands = Metric::from(*metric).vital().map(crate::metric::Metric::bands);
        p75(*metric)
            .zip(bands)
            .is_some_and(|(value, bands)| value > bands.good)
    };
    let failing: Vec<CoreMetric> = CoreMetric::ALL.iter().copied().filter(is_poorer).collect();
    let status = if p75(CoreMetric::Lcp).is_none() || p75(CoreMetric::Cls).is_none() {
        AssessmentStatus::InsufficientData
    } else if failing.is_empty() {
        AssessmentStatus::Passed
    } else {
        AssessmentStatus::Failed
    };
    (status, failing)
}

impl Assessment {
    /// The verdict on the newest figures, with when the present run of passes began.
    #[must_use]
    pub fn of(newest: Option<&Figures>, passing_since: Option<Date>) -> Self {
        let (status, failing) = newest.map_or((AssessmentStatus::InsufficientData, Vec::new()), verdict);
        Self {
            first_passed_on: passing_since.filter(|_| status == AssessmentStatus::Passed),
            status,
            failing,
        }
    }
}

/// The end of the first of the periods that pass up to the newest, the oldest period first. `None`: the newest does not pass.
#[must_use]
pub fn passing_since<'a>(periods: impl DoubleEndedIterator<Item = (Date, &'a Figures)>) -> Option<Date> {
    let passed = periods
        .rev()
        .take_while(|(_, figures)| verdict(figures).0 == AssessmentStatus::Passed);
    passed.last().map(|(end, _)| end)
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    fn figures(lcp: Option<f64>, inp: Option<f64>, cls: Option<f64>) -> Figures {
        let metrics = [(Metric::Lcp, lcp), (Metric::Inp, inp), (Metric::Cls, cls)];
        let found = metrics.into_iter().filter_map(|(metric, p75)| {
            p75.map(|value| {
                let figures = MetricFigures {
                    p75: Some(value),
                    histogram: Vec::new(),
                };
                (metric, figures)
            })
        });
        Figures {
            metrics: found.collect(),
            ..Figures::default()
        }
    }

    /// By the bands of web.dev: a bound is of the better one, and a missing INP is passed over.
    #[test]
    fn a_verdict_needs_lcp_and_cls_and_looks_at_inp_where_it_is() {
        use AssessmentStatus::{Failed, InsufficientData, Passed};
        for (lcp, inp, cls, status, failing) in [
            (Some(2_500.0), Some(200.0), Some(0.1), Passed, vec![]),
            (Some(2_500.0), None, Some(0.0), Passed, vec![]),
            (
                Some(2_501.0),
                Some(200.0),
                Some(0.1),
                Failed,
                vec![CoreMetric::Lcp],
            ),
            (
                Some(9_000.0),
                Some(201.0),
                Some(0.11),
                Failed,
                vec![CoreMetric::Lcp, CoreMetric::Inp, CoreMetric::Cls],
            ),
            (None, Some(100.0), Some(0.0), InsufficientData, vec![]),
            (
                Some(1_000.0),
                Some(300.0),
                None,
                InsufficientData,
                vec![CoreMetric::Inp],
            ),
        ] {
            assert_eq!(
                verdict(&figures(lcp, inp, cls)),
                (status, failing),
                "{lcp:?} {inp:?} {cls:?}"
            );
        }
    }

    #[test]
    fn a_run_of_passes_begins_after_the_last_failure() {
        let good = figures(Some(2_000.0), None, Some(0.0));
        let slow = figures(Some(3_000.0), None, Some(0.0));
        let periods = [
            (date!(2026 - 01 - 03), &good),
            (date!(2026 - 01 - 10), &slow),
            (date!(2026 - 01 - 17), &good),
            (date!(2026 - 01 - 24), &good),
        ];
        assert_eq!(passing_since(periods.into_iter()), Some(date!(2026 - 01 - 17)));
        assert_eq!(passing_since(periods[..2].iter().copied()), None);
        assert_eq!(passing_since(std::iter::empty()), None);
        let passed = Assessment::of(Some(&good), Some(date!(2026 - 01 - 17)));
        assert_eq!(passed.first_passed_on, Some(date!(2026 - 01 - 17)));
        let failed = Assessment::of(Some(&slow), Some(date!(2026 - 01 - 17)));
        assert_eq!(
            (failed.status, failed.first_passed_on),
            (AssessmentStatus::Failed, None)
        );
        assert_eq!(
            Assessment::of(None, None).status,
            AssessmentStatus::InsufficientData
        );
    }
}
