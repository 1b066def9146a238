//! Quotas: limits of a plan that credits do not replace.

use time::{Date, Duration, OffsetDateTime, UtcOffset, macros::date};

use crate::wire_enum;

wire_enum! {
    /// The resource that a quota counts.
    QuotaResource {
        /// URLs handed to the search engine's inspector.
        InspectorUrls = "inspector_urls",
        /// Lab tests that were run.
        SyntheticRuns = "synthetic_runs",
        /// URLs whose field performance is tracked.
        TrackedUrlsCrux = "tracked_urls_crux",
        /// URLs that are lab-tested on a schedule.
        TrackedUrlsSynthetic = "tracked_urls_synthetic",
        /// URLs whose indexing is watched.
        MonitoredUrlsIndexing = "monitored_urls_indexing",
        /// Report templates.
        ReportTemplates = "report_templates",
    }
}

wire_enum! {
    /// How long a quota lasts.
    QuotaPeriod {
        /// A UTC day.
        Day = "day",
        /// A calendar month, UTC. It has nothing to do with the credits' cycle.
        Month = "month",
        /// For good: it counts a stock, which shrinks when something is deleted.
        None = "none",
    }
}

impl QuotaResource {
    /// How long its quota lasts.
    #[must_use]
    pub const fn period(self) -> QuotaPeriod {
        match self {
            Self::InspectorUrls => QuotaPeriod::Day,
            Self::SyntheticRuns => QuotaPeriod::Month,
            Self::TrackedUrlsCrux
            | Self::TrackedUrlsSynthetic
            | Self::MonitoredUrlsIndexing
            | Self::ReportTemplates => QuotaPeriod::None,
        }
    }
}

impl QuotaPeriod {
    /// The first day of the period that `now` lies in, under which its use is counted. A stock has one period, which
    /// began with 1970.
    #[must_use]
    pub fn start(self, now: OffsetDateTime) -> Date {
        let today = now.to_offset(UtcOffset::UTC).date();
        match self {
            Self::Day => today,
            Self::Month => first_of_month(today),
            Self::None => date!(1970 - 01 - 01),
        }
    }

    /// The first day of the next period, UTC; `None` for a stock.
    #[must_use]
    pub fn resets_on(self, now: OffsetDateTime) -> Option<Date> {
        let start = self.start(now);
        match self {
            Self::Day => start.next_day(),
            // 31 days after the first of a month lie in the next.
            Self::Month => start.checked_add(Duration::days(31)).map(first_of_month),
            Self::None => None,
        }
    }
}

fn first_of_month(day: Date) -> Date {
    // Every month has a first day.
    day.replace_day(1).unwrap_or(day)
}

/// Who sets a quota, and so can raise it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuotaOwner {
    /// The plan of the workspace.
    Plan,
    /// The search engine, for the property. No plan changes it.
    Property,
}

/// A quota has no room for what was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the quota of {resource} is used up")]
pub struct QuotaExhausted {
    /// The resource that it counts.
    pub resource: QuotaResource,
    /// Who sets it.
    pub owner: QuotaOwner,
    /// How much was asked for.
    pub asked: u64,
    /// How much was used in its present period.
    pub used: u64,
    /// How much there is.
    pub limit: u64,
    /// When it begins anew, in UTC by the plan and in Pacific time by a property; `None` for a stock.
    pub resets_on: Option<Date>,
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::QuotaPeriod;

    #[test]
    fn a_period_ends_where_the_next_begins() {
        let day = |at| (QuotaPeriod::Day.start(at), QuotaPeriod::Day.resets_on(at));
        let month = |at| (QuotaPeriod::Month.start(at), QuotaPeriod::Month.resets_on(at));
        let last = datetime!(2027-12-31 23:59:59.999999 UTC);
        assert_eq!(day(last), (date!(2027 - 12 - 31), Some(date!(2028 - 01 - 01))));
        assert_eq!(month(last), (date!(2027 - 12 - 01), Some(date!(2028 - 01 - 01))));
        let leap = datetime!(2028-02-01 00:00 UTC);
        assert_eq!(day(leap), (date!(2028 - 02 - 01), Some(date!(2028 - 02 - 02))));
        assert_eq!(month(leap), (date!(2028 - 02 - 01), Some(date!(2028 - 03 - 01))));
    }

    #[test]
    fn days_and_months_are_those_of_utc() {
        let east = datetime!(2026-04-01 01:00 +2);
        assert_eq!(QuotaPeriod::Day.start(east), date!(2026 - 03 - 31));
        assert_eq!(QuotaPeriod::Month.resets_on(east), Some(date!(2026 - 04 - 01)));
    }

    #[test]
    fn a_stock_never_begins_anew() {
        let stock = |at| (QuotaPeriod::None.start(at), QuotaPeriod::None.resets_on(at));
        assert_eq!(
            stock(datetime!(2026-03-31 09:15 UTC)),
            stock(datetime!(2031-01-01 00:00 UTC))
        );
        assert_eq!(QuotaPeriod::None.resets_on(datetime!(2026-03-31 09:15 UTC)), None);
    }
}
