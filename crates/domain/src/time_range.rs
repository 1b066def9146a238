//! A range of time.

use time::{Duration, OffsetDateTime};

/// A range of time: `from` belongs to it, `until` does not. It is empty where `until` does not come after `from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeRange {
    /// The first moment.
    pub from: OffsetDateTime,
    /// The first moment after it.
    pub until: OffsetDateTime,
}

impl TimeRange {
    /// The range between two moments.
    #[must_use]
    pub const fn new(from: OffsetDateTime, until: OffsetDateTime) -> Self {
        Self { from, until }
    }

    /// Whether no moment lies in it.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.until <= self.from
    }

    /// How long it is: nothing where it is empty.
    #[must_use]
    pub fn length(self) -> Duration {
        (self.until - self.from).max(Duration::ZERO)
    }

    /// Whether the moment lies in it.
    #[must_use]
    pub fn contains(self, moment: OffsetDateTime) -> bool {
        self.from <= moment && moment < self.until
    }

    /// Whether some moment lies in both.
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        !self.intersection(other).is_empty()
    }

    /// The part that lies in both; empty where there is none.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self {
            from: self.from.max(other.from),
            until: self.until.min(other.until),
        }
    }

    /// The shortest range that holds both, with what lies between them.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self {
            from: self.from.min(other.from),
            until: self.until.max(other.until),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use time::macros::datetime;

    use super::*;

    const START: OffsetDateTime = datetime!(2026-03-31 00:00 UTC);

    fn minutes(from: i64, until: i64) -> TimeRange {
        TimeRange::new(START + Duration::minutes(from), START + Duration::minutes(until))
    }

    #[test]
    fn the_end_is_exclusive() {
        let range = minutes(0, 10);
        assert!(range.contains(range.from) && !range.contains(range.until));
        assert!(!range.overlaps(minutes(10, 20)) && range.overlaps(minutes(9, 20)));
        assert_eq!(range.length(), Duration::minutes(10));
    }

    #[test]
    fn a_range_that_is_turned_round_is_empty() {
        let turned = minutes(10, 0);
        assert!(turned.is_empty() && !turned.contains(START + Duration::minutes(5)));
        assert_eq!(turned.length(), Duration::ZERO);
        assert!(!turned.overlaps(minutes(0, 20)));
    }

    proptest! {
        /// Against every minute one by one.
        #[test]
        fn ranges_are_what_their_moments_are(a in 0_i64..30, b in 0_i64..30, c in 0_i64..30, d in 0_i64..30) {
            let (one, other) = (minutes(a, b), minutes(c, d));
            let moments = |is_in: &dyn Fn(OffsetDateTime) -> bool| {
                (0..30).filter(|minute| is_in(START + Duration::minutes(*minute))).count()
            };
            let both = moments(&|at| one.contains(at) && other.contains(at));
            prop_assert_eq!(one.overlaps(other), both > 0);
            prop_assert_eq!(moments(&|at| one.intersection(other).contains(at)), both);
            prop_assert_eq!(one.length(), Duration::minutes(i64::try_from(moments(&|at| one.contains(at))).unwrap()));
            if !one.is_empty() && !other.is_empty() {
                let hull = one.hull(other);
                prop_assert_eq!((hull.from, hull.until), (one.from.min(other.from), one.until.max(other.until)));
            }
        }
    }
}
