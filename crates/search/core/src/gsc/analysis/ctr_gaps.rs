//! Results that are clicked less than others where they stand.

use super::super::{config::SearchSettings, curve::CtrCurve, figures::Figures};
use super::MOST_ITEMS;

/// From so many impressions on a rate says something.
const FROM_IMPRESSIONS: u64 = 100;
/// The last position that the curve knows.
pub const LAST_POSITION: f64 = 20.0;

/// How many impressions a result needs by the settings of a domain, which may ask for more than a rate does.
#[must_use]
pub fn least_impressions(settings: &SearchSettings) -> u64 {
    FROM_IMPRESSIONS.max(settings.min_impressions.into())
}

/// By how much a result is clicked less than others where it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// The rate that is expected there, 0 to 1.
    pub expected_ctr: f64,
    /// That less the rate that it has; negative where it has more.
    pub ctr_gap: f64,
    /// The clicks that it would have had besides.
    pub missed_clicks: f64,
    /// By how many standard deviations of a binomial its clicks are more than expected; negative: fewer. `None` where nothing or
    /// everything is expected to be clicked.
    pub z_score: Option<f64>,
}

impl Gap {
    /// The gap of a result; `None`: too few saw it, or it stands where the curve does not reach.
    #[must_use]
    pub fn of(figures: &Figures, curve: &CtrCurve) -> Option<Self> {
        let position = figures.position().filter(|position| *position <= LAST_POSITION)?;
        if figures.impressions < FROM_IMPRESSIONS {
            return None;
        }
        let (clicks, impressions) = (figures.clicks as f64, figures.impressions as f64);
        let expected = curve.expected(position);
        let spread = (impressions * expected * (1.0 - expected)).sqrt();
        Some(Self {
            expected_ctr: expected,
            ctr_gap: expected - clicks / impressions,
            missed_clicks: impressions * expected - clicks,
            z_score: (spread > 0.0).then(|| (clicks - impressions * expected) / spread),
        })
    }
}

/// Those of some results that are clicked less than expected, the most clicks missed first.
#[must_use]
pub fn ranked<T>(results: Vec<(T, Figures)>, curve: &CtrCurve) -> Vec<(T, Figures, Gap)> {
    let mut gaps: Vec<_> = results
        .into_iter()
        .filter_map(|(value, figures)| Some((value, figures, Gap::of(&figures, curve)?)))
        .filter(|(_, _, gap)| gap.ctr_gap > 0.0)
        .collect();
    gaps.sort_by(|(_, _, one), (_, _, other)| other.missed_clicks.total_cmp(&one.missed_clicks));
    gaps.truncate(MOST_ITEMS);
    gaps
}

#[cfg(test)]
mod tests {
    use super::{
        super::super::curve::{POSITIONS, Sample},
        *,
    };

    fn figures(clicks: u64, impressions: u64, position: f64) -> Figures {
        Figures {
            clicks,
            impressions,
            position_sum: position * impressions as f64,
        }
    }

    /// A site of which every tenth result is clicked at position 4, and none elsewhere is known.
    fn curve() -> CtrCurve {
        let mut samples = [Sample::default(); POSITIONS];
        samples[3] = Sample {
            clicks: 2_000,
            impressions: 20_000,
        };
        CtrCurve::of(samples)
    }

    /// By hand: of 400 impressions 40 clicks are expected, with a spread of √(400 · 0.1 · 0.9) = 6; 25 are 2.5 spreads fewer.
    /// `statsmodels` says the same of 400 (`testdata/analysis.py`).
    #[test]
    fn a_gap_is_told_in_clicks_and_in_spreads() {
        let gap = Gap::of(&figures(25, 400, 4.0), &curve()).unwrap();
        assert!((gap.expected_ctr - 0.1).abs() < 1e-12);
        assert!((gap.ctr_gap - 0.0375).abs() < 1e-12);
        assert!((gap.missed_clicks - 15.0).abs() < 1e-9);
        assert!((gap.z_score.unwrap() + 2.5).abs() < 1e-9);
    }

    #[test]
    fn few_impressions_and_far_positions_say_nothing() {
        assert_eq!(Gap::of(&figures(0, 99, 4.0), &curve()), None);
        assert!(Gap::of(&figures(0, 100, 20.0), &curve()).is_some());
        assert_eq!(Gap::of(&figures(0, 5_000, 20.5), &curve()), None);
        // The upstream tells no position.
        assert_eq!(Gap::of(&figures(0, 5_000, 0.0), &curve()), None);
        let mut nothing = [Sample::default(); POSITIONS];
        nothing[0].impressions = 20_000;
        let gap = Gap::of(&figures(0, 100, 1.0), &CtrCurve::of(nothing)).unwrap();
        assert_eq!((gap.z_score, gap.missed_clicks), (None, 0.0));
    }

    #[test]
    fn the_most_clicks_missed_come_first_and_more_than_expected_is_no_gap() {
        let results = vec![
            ("few", figures(25, 400, 4.0)),
            ("more than expected", figures(50, 400, 4.0)),
            ("many", figures(100, 4_000, 4.0)),
        ];
        let ranked = ranked(results, &curve());
        assert_eq!(
            ranked.iter().map(|(value, ..)| *value).collect::<Vec<_>>(),
            ["many", "few"]
        );
    }
}
