//! The pages that were viewed.

use pharos_domain::{
    page::{OffsetRequest, SortOrder},
    window::DateRange,
    wire_enum,
};

use crate::{
    filter::Filters,
    overview::{Totals, ratio},
};

wire_enum! {
    /// Whether all sessions count, or those that entered or left at the page.
    PagePart {
        /// All sessions.
        All = "all",
        /// Those that entered at the page.
        Entry = "entry",
        /// Those that left at it.
        Exit = "exit",
    }
}

wire_enum! {
    /// The figure that pages are ordered by.
    PageSort {
        /// Their visitors.
        Visitors = "visitors",
        /// Their views.
        Pageviews = "pageviews",
        /// The sessions that viewed them.
        Sessions = "sessions",
    }
}

/// For so many days before today views are counted where it is asked which pages are visited most.
pub const VISITED_DAYS: u16 = 28;
/// With fewer views on these days a page is not named: it may be one that somebody made up.
pub const LEAST_VISITED: u32 = 10;

/// The question: a page of the list of pages.
#[derive(Clone, Debug)]
pub struct PagesQuery<'a> {
    /// The days that the figures are of.
    pub window: DateRange,
    /// Which sessions.
    pub filters: &'a Filters,
    /// Whether all of those count, or the ones that entered or left at the page.
    pub part: PagePart,
    /// A part of the path, in whatever case.
    pub search: Option<&'a str>,
    /// The figure that they are ordered by. Pages with the same value come in an arbitrary order, but always in the same one.
    pub sort: PageSort,
    /// In which direction.
    pub order: SortOrder,
    /// How many, from where.
    pub page: OffsetRequest,
}

/// The figures of a page's views.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageFigures {
    /// The path of the page.
    pub path: String,
    /// The title that it had last.
    pub title: Option<String>,
    /// Visitors: of each UTC day those that are distinct, added up.
    pub visitors: u64,
    /// Views.
    pub pageviews: u64,
    /// Sessions that viewed it.
    pub sessions: u64,
    /// Those that entered there.
    pub entries: u64,
    /// Those that left there.
    pub exits: u64,
    /// Those of the sessions that entered there and bounced.
    pub bounces: u64,
    /// How long it was visible and in use, in milliseconds.
    pub engaged_ms: u64,
    /// How many views have that time measured.
    pub engaged_views: u64,
    /// The deepest scroll of each view in percent, added up.
    pub scroll_pct: u64,
    /// How many views have their scroll measured.
    pub scrolled_views: u64,
}

impl PageFigures {
    /// The share of the sessions that entered there which bounced, in percent; `None` without any.
    #[must_use]
    pub fn bounce_rate_pct(&self) -> Option<f64> {
        ratio(self.bounces, self.entries).map(|share| share * 100.0)
    }

    /// Exits over views, in percent; `None` without views.
    #[must_use]
    pub fn exit_rate_pct(&self) -> Option<f64> {
        ratio(self.exits, self.pageviews).map(|share| share * 100.0)
    }

    /// The time in use of a view that was measured, in seconds; `None` where none was.
    #[must_use]
    pub fn avg_time_seconds(&self) -> Option<f64> {
        ratio(self.engaged_ms, self.engaged_views).map(|ms| ms / 1_000.0)
    }

    /// The mean of the deepest scrolls of the views that were measured, in percent; `None` where none was.
    #[must_use]
    pub fn scroll_depth_pct(&self) -> Option<f64> {
        ratio(self.scroll_pct, self.scrolled_views)
    }
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pages {
    /// The pages that were requested, in order.
    pub items: Vec<PageFigures>,
    /// How many there are in all.
    pub total: u64,
    /// The totals of the window's sessions that fit the filters.
    pub totals: Totals,
    /// The newest moment of which anything was received; `None`: nothing ever was.
    pub last_at: Option<time::OffsetDateTime>,
}
