//! How often the robots.txt and the sitemaps of a site are checked: said of each domain.

use async_trait::async_trait;
use pharos_domain::{
    audit::Actor,
    credits::{Charged, SettleError},
    identity::DomainAccess,
    ids::DomainId,
    store::StoreError,
};
use time::{Duration, OffsetDateTime};

names! {
    /// How long it is from one check of a site to the next.
    Interval {
        /// Fifteen minutes.
        QuarterHour = "15m",
        /// An hour.
        Hour = "1h",
        /// Six hours.
        SixHours = "6h",
        /// A day.
        Day = "1d",
        /// A week.
        Week = "7d",
    }
}

impl Interval {
    /// The time from one check to the next.
    #[must_use]
    pub const fn length(self) -> Duration {
        match self {
            Self::QuarterHour => Duration::minutes(15),
            Self::Hour => Duration::HOUR,
            Self::SixHours => Duration::hours(6),
            Self::Day => Duration::DAY,
            Self::Week => Duration::WEEK,
        }
    }

    /// The one of this length.
    #[must_use]
    pub fn of(length: Duration) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|interval| interval.length() == length)
    }
}

/// Those of a robots.txt.
pub const ROBOTS: &[Interval] = &[
    Interval::QuarterHour,
    Interval::Hour,
    Interval::SixHours,
    Interval::Day,
];
/// Those of sitemaps.
pub const SITEMAPS: &[Interval] = &[Interval::Hour, Interval::SixHours, Interval::Day, Interval::Week];

/// The intervals of a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intervals {
    robots: Interval,
    sitemaps: Interval,
}

impl Default for Intervals {
    fn default() -> Self {
        Self {
            robots: Interval::Hour,
            sitemaps: Interval::SixHours,
        }
    }
}

impl Intervals {
    /// These; `None`: one is not a choice there.
    #[must_use]
    pub fn new(robots: Interval, sitemaps: Interval) -> Option<Self> {
        let is_choice = ROBOTS.contains(&robots) && SITEMAPS.contains(&sitemaps);
        is_choice.then_some(Self { robots, sitemaps })
    }

    /// From one check of the robots.txt to the next.
    #[must_use]
    pub const fn robots(self) -> Interval {
        self.robots
    }

    /// From one check of the sitemaps to the next.
    #[must_use]
    pub const fn sitemaps(self) -> Interval {
        self.sitemaps
    }
}

/// The intervals of domains.
#[async_trait]
pub trait IntervalStore: Send + Sync {
    /// Those of a domain; `None`: there is no such domain.
    async fn of(&self, domain: DomainId) -> Result<Option<Intervals>, StoreError>;

    /// Sets how often the domain is checked. A check that would be due later is moved forward.
    async fn set(&self, domain: &Charged<DomainAccess>, intervals: Intervals) -> Result<(), SettleError>;

    /// The same at the word of an operator, with its audit row. `false`: there is no such domain.
    async fn set_for(
        &self,
        domain: DomainId,
        intervals: Intervals,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_has_intervals_of_the_choice_alone() {
        let of = |robots, sitemaps| Intervals::new(robots, sitemaps).is_some();
        assert!(of(Interval::QuarterHour, Interval::Week));
        assert!(
            !of(Interval::Week, Interval::Week),
            "a robots.txt is not left for a week"
        );
        assert!(
            !of(Interval::QuarterHour, Interval::QuarterHour),
            "sitemaps are too large for that"
        );
        let defaults = Intervals::default();
        assert_eq!(
            Intervals::new(defaults.robots(), defaults.sitemaps()),
            Some(defaults)
        );
    }

    #[test]
    fn an_interval_is_known_by_its_name_and_its_length() {
        for interval in Interval::ALL.iter().copied() {
            assert_eq!(Interval::named(interval.name()), Some(interval));
            assert_eq!(Interval::of(interval.length()), Some(interval));
        }
        assert_eq!(Interval::named("5m"), None);
        assert_eq!(Interval::of(Duration::minutes(16)), None);
    }
}
