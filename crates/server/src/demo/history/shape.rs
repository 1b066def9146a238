//! How the generated ninety days went: what anybody who looks at the pictures should find in them.

use std::ops::RangeInclusive;

use time::{Date, Weekday};

/// How many days there are before today.
pub(in crate::demo) const DAYS: u16 = 90;

/// The newsletter brought visitors, this many days ago.
const CAMPAIGN: RangeInclusive<u16> = 54..=60;
/// The shop was down from 10 to 13 o'clock UTC, this many days ago.
const OUTAGE: u16 = 33;
const OUTAGE_HOURS: RangeInclusive<u8> = 10..=12;
/// A release made all pages slow, and was taken back.
const SLOW_RELEASE: RangeInclusive<u16> = 15..=20;

/// The title of a product was made shorter, this many days ago, and the search has brought more visitors to its page since.
pub(in crate::demo) const RETITLED: u16 = 28;
/// How many the search brings to it a day.
const FOUND_BY_TITLE: u32 = 20;

/// The releases of the shop, each with how many days ago it came, at midnight: the slow one, and the one that took it back.
pub(super) const RELEASES: [(&str, u16); 2] = [
    ("2.4.0", *SLOW_RELEASE.end()),
    ("2.4.1", *SLOW_RELEASE.start() - 1),
];

/// The share that each hour has of a day's visits, in thousandths; UTC.
const HOURS: [u16; 24] = [
    8, 5, 4, 4, 6, 12, 25, 42, 55, 60, 58, 55, 60, 58, 52, 50, 54, 62, 74, 82, 76, 52, 30, 16,
];

/// One of the days.
#[derive(Clone, Copy, Debug)]
pub(super) struct Day {
    /// Its date, UTC.
    pub(super) date: Date,
    /// How many days ago it was.
    pub(super) ago: u16,
}

impl Day {
    /// How many visits it had. Few come at weekends, more come each month, and no two weeks are the same.
    pub(super) fn visits(self, random: &mut fastrand::Rng) -> u32 {
        let usual = match self.date.weekday() {
            Weekday::Saturday => 90,
            Weekday::Sunday => 105,
            Weekday::Monday => 175,
            _ => 160,
        };
        let grown = usual + u32::from(DAYS - self.ago.min(DAYS)) * usual / 400;
        let campaign = if self.has_campaign() { 60 } else { 0 };
        grown * random.u32(92..=108) / 100 + campaign
    }

    /// How many further visits begin at the product whose title is shorter.
    pub(super) fn found_by_title(self) -> u32 {
        if self.ago <= RETITLED { FOUND_BY_TITLE } else { 0 }
    }

    /// Whether the newsletter had just been sent.
    pub(super) fn has_campaign(self) -> bool {
        CAMPAIGN.contains(&self.ago)
    }

    /// Whether the shop was down in an hour.
    pub(super) fn is_down(self, hour: u8) -> bool {
        self.ago == OUTAGE && OUTAGE_HOURS.contains(&hour)
    }

    /// Whether the chat was there, which nobody finished: it came with the release that took the slow one back.
    pub(super) fn has_chat(self) -> bool {
        self.ago < *SLOW_RELEASE.start()
    }

    /// Whether all pages were slow.
    pub(super) fn is_slow(self) -> bool {
        SLOW_RELEASE.contains(&self.ago)
    }
}

/// An hour of a day, drawn as visitors choose it.
pub(super) fn hour(random: &mut fastrand::Rng) -> u8 {
    let mut drawn = random.u16(0..HOURS.iter().sum());
    for (hour, share) in (0_u8..).zip(HOURS) {
        if drawn < share {
            return hour;
        }
        drawn -= share;
    }
    23
}
