//! Breakdowns: the figures of sessions by the value that they have in common.

use pharos_domain::{collect::client::Device, window::DateRange};
use time::OffsetDateTime;

use crate::{
    channel::Channel,
    filter::Filters,
    overview::{Totals, ratio},
};

/// The dimension that sessions are told apart by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grouping {
    /// The channel.
    Channel,
    /// The source.
    Source,
    /// `utm_medium`.
    Medium,
    /// The source with the medium.
    SourceMedium,
    /// `utm_campaign`.
    Campaign,
    /// `utm_term`.
    Term,
    /// `utm_content`.
    Content,
    /// The referrer's host.
    Referrer,
    /// The referrer's host and path.
    ReferrerPath,
    /// The country.
    Country,
    /// The region, within its country.
    Region,
    /// The city, within its region.
    City,
    /// The device class.
    Device,
    /// The browser's family.
    Browser,
    /// Its version.
    BrowserVersion,
    /// The operating system's family.
    Os,
    /// Its version.
    OsVersion,
    /// The screen's size.
    Screen,
}

impl Grouping {
    /// All of them.
    pub const ALL: [Self; 18] = [
        Self::Channel,
        Self::Source,
        Self::Medium,
        Self::SourceMedium,
        Self::Campaign,
        Self::Term,
        Self::Content,
        Self::Referrer,
        Self::ReferrerPath,
        Self::Country,
        Self::Region,
        Self::City,
        Self::Device,
        Self::Browser,
        Self::BrowserVersion,
        Self::Os,
        Self::OsVersion,
        Self::Screen,
    ];
}

/// The most parts that a breakdown shows.
pub const MOST_PARTS: u32 = 1_000;

/// The question.
#[derive(Clone, Copy, Debug)]
pub struct BreakdownQuery<'a> {
    /// The days that the figures are of.
    pub window: DateRange,
    /// Which sessions.
    pub filters: &'a Filters,
    /// The currency of `revenue_cents`. Orders that name none are in it.
    pub currency: &'a str,
    /// How many parts at most.
    pub limit: u32,
}

/// The value that sessions have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartKey {
    /// A channel.
    Channel(Channel),
    /// A device class.
    Device(Device),
    /// A text; `None`: they have none.
    Text(Option<String>),
    /// A text, and what it is one within: the medium of a source, the referrer of a path, the browser or system of a version.
    Pair(Option<String>, Option<String>),
    /// A region or city with what is known of where it lies.
    Place {
        /// Its name or code.
        name: Option<String>,
        /// The region, ISO 3166-2, where the place is a city.
        region: Option<String>,
        /// The country, ISO 3166-1 alpha-2.
        country: Option<String>,
    },
}

/// Sessions that have a value in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which value.
    pub key: PartKey,
    /// The totals of those sessions.
    pub totals: Totals,
    /// Orders in them, in any currency.
    pub orders: u64,
    /// Orders less refunds, in hundredths.
    pub revenue_cents: i64,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Breakdown {
    /// The parts with the most visitors, those first.
    pub parts: Vec<Part>,
    /// How many parts there are in all.
    pub total: u64,
}

/// The answer to several groupings at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Breakdowns {
    /// One for each grouping that was requested, in order.
    pub breakdowns: Vec<Breakdown>,
    /// The totals of the window's sessions that fit the filters.
    pub totals: Totals,
    /// The newest moment of which anything was received; `None`: nothing ever was.
    pub last_at: Option<OffsetDateTime>,
}

impl Breakdowns {
    /// The share of the window's visitors that `visitors` are, in percent.
    #[must_use]
    pub fn share_pct(&self, visitors: u64) -> f64 {
        ratio(visitors, self.totals.visitors).unwrap_or(0.0) * 100.0
    }
}
