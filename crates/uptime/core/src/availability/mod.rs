//! Availability: for how long a site was up, down, or neither.

mod majority;
pub mod outages;
pub mod past;
pub mod summary;

use pharos_domain::timestamp::Timestamp;
use time::{Duration, OffsetDateTime};

/// How a window of time was spent. The rest of the window was not observed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Availability {
    /// Up, degraded and unconfirmed failures included.
    pub up: Duration,
    /// Down.
    pub down: Duration,
    /// In maintenance.
    pub maintenance: Duration,
    /// Refused to the prober alone.
    pub blocked: Duration,
    /// Not monitored by choice.
    pub paused: Duration,
    /// Failing without being sure, and not seen up before.
    pub pending: Duration,
}

impl Availability {
    /// 100 × up ÷ (up + down); `None` where the whole window is neither.
    #[must_use]
    pub fn uptime_pct(self) -> Option<f64> {
        let judged = self.up + self.down;
        judged
            .is_positive()
            // A share is never above 1, so this is never above 100.
            .then(|| 100.0 * (self.up.as_seconds_f64() / judged.as_seconds_f64()))
    }

    /// All time of which something is known.
    #[must_use]
    pub fn known(self) -> Duration {
        self.up + self.down + self.maintenance + self.blocked + self.paused + self.pending
    }

    /// Each part of both, put together.
    fn with(self, other: Self, together: fn(Duration, Duration) -> Duration) -> Self {
        Self {
            up: together(self.up, other.up),
            down: together(self.down, other.down),
            maintenance: together(self.maintenance, other.maintenance),
            blocked: together(self.blocked, other.blocked),
            paused: together(self.paused, other.paused),
            pending: together(self.pending, other.pending),
        }
    }

    fn add(&mut self, kind: Kind, length: Duration) {
        let part = match kind {
            Kind::Up => &mut self.up,
            Kind::Down => &mut self.down,
            Kind::Maintenance => &mut self.maintenance,
            Kind::Blocked => &mut self.blocked,
            Kind::Paused => &mut self.paused,
            Kind::Pending => &mut self.pending,
        };
        *part += length;
    }
}

/// How a moment was spent: one of the parts of [`Availability`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Up,
    Down,
    Maintenance,
    Blocked,
    Paused,
    Pending,
}

/// How long it is from one moment to another as answers show them, in whole seconds.
#[must_use]
pub fn lasted(from: OffsetDateTime, until: OffsetDateTime) -> Duration {
    shown(until) - shown(from)
}

/// A moment as answers show it, in whole seconds.
fn shown(moment: OffsetDateTime) -> OffsetDateTime {
    Timestamp::from(moment).moment()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 28 days less a microsecond, and other lengths that no double holds exactly.
    #[test]
    fn a_site_that_was_never_down_has_exactly_100_percent() {
        for microseconds in (1..1_000_000).step_by(9_973) {
            let up = Duration::days(28) - Duration::microseconds(microseconds);
            let sum = Availability {
                up,
                ..Availability::default()
            };
            assert_eq!(sum.uptime_pct(), Some(100.0));
        }
    }
}
