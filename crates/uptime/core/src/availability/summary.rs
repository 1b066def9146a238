//! The summary of a window of a site's past, and how it differs from another.

use pharos_domain::window::Change;
use time::Duration;

use super::{Availability, outages::Outages};
use crate::history::Figures;

/// The figures of a window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// How its time was spent.
    pub time: Availability,
    /// How long no check ran that should have.
    pub unobserved: Duration,
    /// The outages that reach into the window.
    pub outages: Outages,
    /// The figures of its checks.
    pub figures: Figures,
}

/// The figures of a window beside those of an earlier one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SummaryChanges {
    /// Availability, in percentage points.
    pub uptime_pct: Change,
    /// Outages.
    pub incident_count: Change,
    /// Downtime in seconds.
    pub downtime_seconds: Change,
    /// The mean time of answers in milliseconds.
    pub avg_response_ms: Change,
}

impl Summary {
    /// Availability in percent; `None` where nothing was observed.
    #[must_use]
    pub fn uptime_pct(&self) -> Option<f64> {
        self.time.uptime_pct()
    }

    /// Whether availability is what was promised; `None` where nothing was promised, or nothing observed.
    #[must_use]
    pub fn meets(&self, target: Option<f64>) -> Option<bool> {
        Some(self.uptime_pct()? >= target?)
    }

    /// How this differs from an earlier window; `None` where nothing is known of that.
    #[must_use]
    pub fn changes_since(&self, earlier: Option<&Self>) -> SummaryChanges {
        let before = |figure: fn(&Self) -> Option<f64>| earlier.and_then(figure);
        SummaryChanges {
            uptime_pct: Change::of_percentages(self.uptime_pct(), before(Self::uptime_pct)),
            incident_count: Change::of(self.incident_count(), before(Self::incident_count)),
            downtime_seconds: Change::of(self.downtime_seconds(), before(Self::downtime_seconds)),
            avg_response_ms: Change::of(self.average(), before(Self::average)),
        }
    }

    /// `None` where nothing was observed: nobody knows of no outage then.
    fn incident_count(&self) -> Option<f64> {
        self.uptime_pct().map(|_| f64::from(self.outages.count))
    }

    fn downtime_seconds(&self) -> Option<f64> {
        self.uptime_pct().map(|_| self.time.down.as_seconds_f64().floor())
    }

    fn average(&self) -> Option<f64> {
        self.figures.response.avg
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(up: i64, down: i64, outages: u32) -> Summary {
        Summary {
            time: Availability {
                up: Duration::seconds(up),
                down: Duration::seconds(down),
                ..Availability::default()
            },
            unobserved: Duration::ZERO,
            outages: Outages {
                count: outages,
                ..Outages::default()
            },
            figures: Figures::default(),
        }
    }

    #[test]
    fn a_target_is_met_or_missed_only_where_something_was_observed() {
        let observed = summary(999, 1, 1);
        assert_eq!(observed.meets(Some(99.9)), Some(true));
        assert_eq!(observed.meets(Some(99.95)), Some(false));
        assert_eq!(observed.meets(None), None);
        assert_eq!(summary(0, 0, 0).meets(Some(99.9)), None);
    }

    /// Computed by hand: 99.9 % after 99 % are 0.9 points; one second of downtime after ten, one outage after two.
    #[test]
    fn figures_stand_beside_those_of_the_window_before() {
        let changes = summary(999, 1, 1).changes_since(Some(&summary(990, 10, 2)));
        assert!((changes.uptime_pct.change.unwrap() - 0.9).abs() < 1e-9);
        assert_eq!(changes.uptime_pct.change_pct, None);
        assert_eq!(changes.downtime_seconds.change, Some(-9.0));
        assert_eq!(changes.incident_count.change_pct, Some(-50.0));
        assert_eq!(changes.avg_response_ms, Change::of(None, None));
    }

    /// No outage was seen, and nobody looked: that is not 0.
    #[test]
    fn what_was_not_observed_is_not_compared() {
        let changes = summary(999, 1, 1).changes_since(Some(&summary(0, 0, 0)));
        assert_eq!(changes.incident_count, Change::of(Some(1.0), None));
        assert_eq!(changes.downtime_seconds, Change::of(Some(1.0), None));
        let changes = summary(999, 1, 1).changes_since(None);
        assert_eq!(changes.uptime_pct, Change::of_percentages(Some(99.9), None));
    }
}
