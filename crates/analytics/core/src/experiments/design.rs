//! The design of an experiment: the pages that it compares, and the days before and after the change.

use std::ops::RangeInclusive;

use pharos_domain::{settings::Faults, window::DateRange};
use time::{Date, Duration};

use super::{ExperimentMethod, ExperimentMetric, ExperimentSettings};

/// How many characters a name may have.
pub const NAME_LENGTH: RangeInclusive<usize> = 1..=200;
/// How many characters a hypothesis may have.
pub const HYPOTHESIS_LENGTH: usize = 2_000;
/// How many pages a side may have.
pub const MOST_URLS: usize = 50;
/// How many characters a page may have.
pub const URL_LENGTH: usize = 2_000;
/// How many days the time before the change, or after it, may have.
pub const MOST_WINDOW_DAYS: i64 = 366;
/// How many experiments a domain may have.
pub const MOST_EXPERIMENTS: u32 = 500;

/// How far the time before the change goes back where nothing is said: with its last day 56 days.
const DEFAULT_PRE: Duration = Duration::days(55);

/// The comparison that an experiment makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Design {
    /// How.
    pub method: ExperimentMethod,
    /// By which metric.
    pub metric: ExperimentMetric,
    /// Pages that did not change, path and query.
    pub control_urls: Vec<String>,
    /// Pages that did.
    pub variant_urls: Vec<String>,
    /// The first day before the change; `None`: 55 days before the last.
    pub pre_start: Option<Date>,
    /// The last day before the change.
    pub pre_end: Date,
    /// The first day after it. Days between are left out.
    pub post_start: Date,
    /// The last day after it; `None`: as far as there is data.
    pub post_end: Option<Date>,
}

impl Design {
    /// The first day before the change.
    #[must_use]
    pub fn first_day(&self) -> Date {
        self.pre_start
            .unwrap_or_else(|| self.pre_end.saturating_sub(DEFAULT_PRE))
    }

    /// The last day after the change that may count: where none is named, the last that there may be.
    #[must_use]
    pub fn last_day(&self) -> Date {
        let longest = Duration::days(MOST_WINDOW_DAYS - 1);
        let longest = self.post_start.saturating_add(longest);
        self.post_end.map_or(longest, |end| end.min(longest))
    }

    /// The days from the first to the last of them; `None`: the last lies before the first.
    #[must_use]
    pub fn all_days(&self) -> Option<DateRange> {
        DateRange::new(self.first_day(), self.last_day())
    }

    /// Those of its days on which something may have been received; `None`: there is none.
    #[must_use]
    pub fn days(&self, received: DateRange) -> Option<DateRange> {
        DateRange::new(
            self.first_day().max(received.first()),
            self.last_day().min(received.last()),
        )
    }

    /// How many days after the change are over on a day.
    #[must_use]
    pub fn post_days_until(&self, today: Date) -> i64 {
        let yesterday = today.saturating_sub(Duration::DAY);
        let last = self.post_end.map_or(yesterday, |end| end.min(yesterday));
        ((last - self.post_start).whole_days() + 1).max(0)
    }

    /// Adds everything that can't be.
    fn check(&self, faults: &mut Faults) {
        check_urls("control_urls", &self.control_urls, faults);
        check_urls("variant_urls", &self.variant_urls, faults);
        if self.variant_urls.is_empty() {
            faults.add("variant_urls", "name one page at least");
        }
        if self.control_urls.is_empty() && self.method != ExperimentMethod::MannWhitney {
            let detail = "this method compares with pages that did not change; name one at least";
            faults.contradiction("control_urls", &["method"], detail);
        }
        for (at, url) in self.variant_urls.iter().enumerate() {
            if self.control_urls.contains(url) {
                faults.within("variant_urls", |faults| {
                    faults.add(at, "a page is either of the control or of the variant");
                });
            }
        }
        self.check_days(faults);
    }

    fn check_days(&self, faults: &mut Faults) {
        let days = |first: Date, last: Date| (last - first).whole_days() + 1;
        let first = self.first_day();
        if first > self.pre_end {
            faults.contradiction("pre_start_date", &["pre_end_date"], "lies after pre_end_date");
        } else if days(first, self.pre_end) > MOST_WINDOW_DAYS {
            let detail = format!("more than {MOST_WINDOW_DAYS} days before pre_end_date");
            faults.contradiction("pre_start_date", &["pre_end_date"], detail);
        }
        if self.post_start <= self.pre_end {
            let detail = "lies not after pre_end_date: the days before and after the change may not overlap";
            faults.contradiction("post_start_date", &["pre_end_date"], detail);
        }
        if let Some(end) = self.post_end {
            if end < self.post_start {
                faults.contradiction(
                    "post_end_date",
                    &["post_start_date"],
                    "lies before post_start_date",
                );
            } else if days(self.post_start, end) > MOST_WINDOW_DAYS {
                let detail = format!("more than {MOST_WINDOW_DAYS} days after post_start_date");
                faults.contradiction("post_end_date", &["post_start_date"], detail);
            }
        }
    }
}

impl ExperimentSettings {
    /// Adds everything about them that can't be.
    pub(super) fn check(&self, faults: &mut Faults) {
        let length = self.name.chars().count();
        if !NAME_LENGTH.contains(&length) || self.name.chars().any(char::is_control) {
            let (least, most) = (NAME_LENGTH.start(), NAME_LENGTH.end());
            faults.add("name", format!("one line of {least} to {most} characters"));
        }
        let hypothesis = self.hypothesis.as_deref().unwrap_or_default();
        if hypothesis.chars().count() > HYPOTHESIS_LENGTH || hypothesis.contains('\0') {
            faults.add("hypothesis", format!("at most {HYPOTHESIS_LENGTH} characters"));
        }
        self.design.check(faults);
    }
}

fn check_urls(member: &str, urls: &[String], faults: &mut Faults) {
    if urls.len() > MOST_URLS {
        faults.add(member, format!("at most {MOST_URLS} pages"));
    }
    faults.within(member, |faults| {
        for (at, url) in urls.iter().enumerate() {
            if !url.starts_with('/') {
                faults.add(
                    at,
                    "neither a path that begins with / nor an address of http or https at the domain or below it",
                );
            } else if url.chars().count() > URL_LENGTH || url.chars().any(char::is_control) {
                faults.add(at, format!("no path of at most {URL_LENGTH} characters"));
            } else if urls[..at].contains(url) {
                faults.add(at, "given more than once");
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    fn design(post_end: Option<Date>) -> Design {
        Design {
            method: ExperimentMethod::Did,
            metric: ExperimentMetric::Visitors,
            control_urls: vec!["/a".to_owned()],
            variant_urls: vec!["/b".to_owned()],
            pre_start: Some(date!(2026 - 02 - 01)),
            pre_end: date!(2026 - 03 - 01),
            post_start: date!(2026 - 03 - 03),
            post_end,
        }
    }

    #[test]
    fn without_an_end_there_are_as_many_days_after_the_change_as_there_may_be() {
        let open = design(None);
        let after = DateRange::new(open.post_start, open.last_day()).unwrap();
        assert_eq!(i64::from(after.days()), MOST_WINDOW_DAYS);
    }

    #[test]
    fn the_days_of_a_design_are_those_on_which_something_may_have_been_received() {
        let ended = design(Some(date!(2026 - 03 - 20)));
        let days = |first, last| ended.days(DateRange::new(first, last).unwrap());
        assert_eq!(
            days(date!(2026 - 02 - 10), date!(2026 - 03 - 10)),
            DateRange::new(date!(2026 - 02 - 10), date!(2026 - 03 - 10))
        );
        assert_eq!(
            days(date!(2026 - 01 - 01), date!(2026 - 12 - 31)),
            DateRange::new(date!(2026 - 02 - 01), date!(2026 - 03 - 20))
        );
        assert_eq!(days(date!(2026 - 01 - 01), date!(2026 - 01 - 31)), None);
        assert_eq!(days(date!(2026 - 03 - 21), date!(2026 - 03 - 31)), None);
    }
}
