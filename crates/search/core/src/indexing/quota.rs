//! How much may be asked of the upstream: <https://developers.google.com/webmaster-tools/limits> says 2,000 inspections a day
//! and 600 a minute for each property. Its days are those of Pacific time.

use pharos_domain::quota::{QuotaExhausted, QuotaOwner, QuotaResource};
use time::{Date, OffsetDateTime};

use crate::gsc::pacific;

/// Inspections of a property a day.
pub const DAILY: u32 = 2_000;
/// How many of them the rotation takes: the rest is left for inspector runs.
pub const ROTATION: u32 = 1_800;
/// Inspections of a property within a minute of the clock. Any 60 seconds touch two of them.
pub const PER_MINUTE: u32 = 300;

/// A day of the upstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotaDay {
    /// The day in Pacific time.
    pub day: Date,
    /// When the next one begins.
    pub ends_at: OffsetDateTime,
}

impl QuotaDay {
    /// The day that it is at a moment.
    #[must_use]
    pub fn of(now: OffsetDateTime) -> Self {
        Self {
            day: pacific::day(now),
            ends_at: pacific::day_ends_at(now),
        }
    }

    /// The first day on which there is as much again.
    #[must_use]
    pub fn resets_on(self) -> Date {
        self.day.next_day().unwrap_or(self.day)
    }
}

/// The inspections that a round wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// For URLs that are looked at daily.
    pub daily: u32,
    /// For others.
    pub others: u32,
}

impl Wanted {
    /// All of them.
    #[must_use]
    pub const fn total(self) -> u32 {
        self.daily + self.others
    }
}

/// The answer to a round that wants inspections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granted {
    /// So many, one at least.
    Some(Wanted),
    /// None for now: what is left of the day is kept for URLs that are looked at daily, or for other domains of the property.
    Kept,
    /// None until the day is over.
    DayUsed,
    /// None within this minute.
    MinuteUsed,
}

/// The inspections that a property has left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// Those of the day that the rotation has.
    pub of_day: u32,
    /// Those of the minute.
    pub of_minute: u32,
    /// How many of the day other domains may claim that are linked to the property.
    pub claimed: u32,
    /// How many URLs of the domain that are looked at daily are due until the day is over.
    pub daily: u32,
}

impl Room {
    /// Grants a round as many as there are of what it wants. URLs that are looked at daily go first, and the others take nothing of what these
    /// need later on the same day.
    #[must_use]
    pub fn grant(self, wanted: Wanted) -> Granted {
        let own = self.of_day.saturating_sub(self.claimed);
        let kept = self.daily.max(wanted.daily);
        let others = wanted.others.min(own.saturating_sub(kept));
        let daily = wanted.daily.min(own - others);
        let now = Wanted {
            daily: daily.min(self.of_minute),
            others: others.min(self.of_minute.saturating_sub(daily)),
        };
        if now.total() > 0 {
            Granted::Some(now)
        } else if self.of_day == 0 {
            Granted::DayUsed
        } else if daily + others == 0 {
            Granted::Kept
        } else {
            Granted::MinuteUsed
        }
    }
}

/// How much of a quota is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InspectorQuota {
    /// How much was used.
    pub used: u64,
    /// How much there is.
    pub limit: u64,
    /// When there is as much again.
    pub resets_on: Date,
}

impl InspectorQuota {
    /// The property's own, of which so much was used on a day.
    #[must_use]
    pub fn of_property(used: u64, day: QuotaDay) -> Self {
        Self {
            used,
            limit: DAILY.into(),
            resets_on: day.resets_on(),
        }
    }

    /// How much is left.
    #[must_use]
    pub const fn remaining(&self) -> u64 {
        self.limit.saturating_sub(self.used)
    }

    /// The one of both that has less left: it is the first to refuse.
    #[must_use]
    pub fn tighter(self, other: Option<Self>) -> Self {
        match other {
            Some(other) if other.remaining() < self.remaining() => other,
            _ => self,
        }
    }
}

/// The refusal of a run of so many URLs, which the property has no room for.
#[must_use]
pub fn exhausted(quota: InspectorQuota, asked: u32) -> QuotaExhausted {
    QuotaExhausted {
        resource: QuotaResource::InspectorUrls,
        owner: QuotaOwner::Property,
        asked: asked.into(),
        used: quota.used,
        limit: quota.limit,
        resets_on: Some(quota.resets_on),
    }
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::*;

    /// Midnight in Los Angeles is 8:00 UTC in winter and 7:00 in summer; clocks went forward on 8 March 2026.
    #[test]
    fn days_are_those_of_pacific_time() {
        let of = |now| {
            let day = QuotaDay::of(now);
            (day.day, day.ends_at)
        };
        assert_eq!(
            of(datetime!(2026-01-15 07:59:59 UTC)),
            (date!(2026 - 01 - 14), datetime!(2026-01-15 08:00 UTC))
        );
        assert_eq!(
            of(datetime!(2026-01-15 08:00 UTC)),
            (date!(2026 - 01 - 15), datetime!(2026-01-16 08:00 UTC))
        );
        assert_eq!(
            of(datetime!(2026-03-31 09:15 UTC)),
            (date!(2026 - 03 - 31), datetime!(2026-04-01 07:00 UTC))
        );
        assert_eq!(
            of(datetime!(2026-03-08 12:00 UTC)),
            (date!(2026 - 03 - 08), datetime!(2026-03-09 07:00 UTC))
        );
    }

    #[test]
    fn what_is_looked_at_daily_is_kept_for_it() {
        let wanted = |daily, others| Wanted { daily, others };
        let room = Room {
            of_day: 100,
            of_minute: 300,
            ..Room::default()
        };
        assert_eq!(room.grant(wanted(8, 16)), Granted::Some(wanted(8, 16)));
        let later = Room { daily: 90, ..room };
        assert_eq!(later.grant(wanted(0, 24)), Granted::Some(wanted(0, 10)));
        assert_eq!(later.grant(wanted(8, 16)), Granted::Some(wanted(8, 10)));
        let all = Room { daily: 200, ..room };
        assert_eq!(all.grant(wanted(0, 24)), Granted::Kept);
        assert_eq!(all.grant(wanted(24, 0)), Granted::Some(wanted(24, 0)));
    }

    #[test]
    fn what_other_domains_may_claim_is_left_to_them() {
        let wanted = Wanted { daily: 0, others: 24 };
        let room = Room {
            of_day: 100,
            of_minute: 300,
            claimed: 90,
            daily: 0,
        };
        assert_eq!(room.grant(wanted), Granted::Some(Wanted { daily: 0, others: 10 }));
        let none = Room { claimed: 900, ..room };
        assert_eq!(none.grant(wanted), Granted::Kept);
        assert_eq!(Room { of_day: 0, ..none }.grant(wanted), Granted::DayUsed);
        let minute = Room { of_minute: 0, ..room };
        assert_eq!(minute.grant(wanted), Granted::MinuteUsed);
        let few = Room { of_minute: 3, ..room };
        assert_eq!(few.grant(wanted), Granted::Some(Wanted { daily: 0, others: 3 }));
    }

    #[test]
    fn the_tighter_quota_is_shown() {
        let quota = |used, limit| InspectorQuota {
            used,
            limit,
            resets_on: date!(2026 - 04 - 01),
        };
        assert_eq!(quota(100, 2_000).tighter(None), quota(100, 2_000));
        assert_eq!(quota(100, 2_000).tighter(Some(quota(5, 10))), quota(5, 10));
        assert_eq!(
            quota(1_999, 2_000).tighter(Some(quota(5, 10))),
            quota(1_999, 2_000)
        );
        assert_eq!(quota(12, 10).remaining(), 0);
    }
}
