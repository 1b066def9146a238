//! Pages that are clicked less and less.

use pharos_domain::{window::DateRange, wire_enum};
use time::{Date, Duration, Weekday};

use super::super::{
    figures::{Figures, SearchType},
    property::Property,
};
use super::MOST_ITEMS;

/// How many weeks are looked at.
pub const WEEKS: usize = 13;
/// A page needs so many clicks in its best week.
pub const LEAST_PEAK: u64 = 10;
/// From so much of the peak lost on, in percent, a page decays.
const DECLINE: f64 = 20.0;
/// From so much of the peak lost on, in percent, it has collapsed.
const COLLAPSE: f64 = 80.0;
/// How many of the last weeks say whether it goes on.
const RECENT: usize = 4;
/// It goes on where so much of the peak is lost each week, in percent.
const GOING_ON: f64 = 2.0;
/// How many lost queries are told of a page.
pub const LOST_QUERIES: usize = 5;

wire_enum! {
    /// How a page is doing.
    DecayStatus as "SearchDecayStatus" {
        /// It loses clicks, and goes on losing: at least 2 % of its best week each week, of the last four.
        Declining = "declining",
        /// It has lost clicks, and loses no more.
        Plateau = "plateau",
        /// At least 80 % of the clicks of its best week are gone.
        Collapsed = "collapsed",
    }
}

/// The last complete weeks, Monday to Sunday, of those that are over by a day.
#[must_use]
pub fn weeks_until(last: Date) -> DateRange {
    let past_sunday = last.weekday().number_days_from_sunday();
    let sunday = last.saturating_sub(Duration::days(past_sunday.into()));
    debug_assert_eq!(sunday.weekday(), Weekday::Sunday);
    DateRange::ending(sunday, 7 * u32::try_from(WEEKS).unwrap_or(u32::MAX / 7))
}

/// The last complete weeks of those that are over by a day and final, and whether every day of them was imported: a week that was
/// not would look like one without clicks.
#[must_use]
pub fn weeks_of(property: &Property, search_type: SearchType, last: Date) -> (DateRange, bool) {
    let through = property.data_through.map_or(last, |through| through.min(last));
    let weeks = weeks_until(through);
    let is_whole = property.is_final(weeks.last()) && property.reach.reaches(search_type, weeks);
    (weeks, is_whole)
}

/// A page by week.
#[derive(Clone, Debug, PartialEq)]
pub struct WeeklyPage {
    /// Its number in the store.
    pub id: i64,
    /// Its URL.
    pub page: String,
    /// Its figures, the oldest week first; a week in which it was not shown has none.
    pub weeks: [Figures; WEEKS],
}

/// A page that decays.
#[derive(Clone, Debug, PartialEq)]
pub struct Decay {
    /// Its number in the store.
    pub id: i64,
    /// Its URL.
    pub page: String,
    /// The clicks of the last week.
    pub clicks_current: u64,
    /// Those of the best.
    pub clicks_peak: u64,
    /// The best week's Monday; of several that are as good the last.
    pub peak_week_start: Date,
    /// How much of the best is gone, in percent.
    pub decline_pct: f64,
    /// How many weeks ago the best one was.
    pub weeks_declining: u32,
    /// By how many clicks it grows each week, by least squares over all weeks; negative.
    pub slope_clicks_per_week: f64,
    /// The position of the last week less that of the best: positive is worse. `None` where it was not shown in one of them.
    pub position_change: Option<f64>,
    /// The impressions of the last week against those of the best, in percent of these.
    pub impressions_change_pct: Option<f64>,
    /// How it is doing.
    pub status: DecayStatus,
}

impl Decay {
    /// The decay of a page; `None`: it does not decay. It does where its best week is not the last and had clicks enough, a fifth
    /// of them is gone, and the line through all weeks falls.
    #[must_use]
    pub fn of(page: &WeeklyPage, first_week: Date) -> Option<Self> {
        let weeks = &page.weeks;
        let (place, peak) = weeks
            .iter()
            .enumerate()
            .max_by_key(|(place, week)| (week.clicks, *place))?;
        let current = weeks.last()?;
        let clicks: Vec<f64> = weeks.iter().map(|week| week.clicks as f64).collect();
        let slope = slope(&clicks);
        let lost = peak.clicks - current.clicks;
        let decline_pct = 100.0 * lost as f64 / peak.clicks.max(1) as f64;
        if peak.clicks < LEAST_PEAK || decline_pct < DECLINE || slope >= 0.0 {
            return None;
        }
        let change = |now: Option<f64>, then: Option<f64>| Some(now? - then?);
        let impressions = |week: &Figures| week.impressions as f64;
        let impressions_change = impressions(current) - impressions(peak);
        Some(Self {
            id: page.id,
            page: page.page.clone(),
            clicks_current: current.clicks,
            clicks_peak: peak.clicks,
            peak_week_start: first_week.saturating_add(Duration::weeks(i64::try_from(place).unwrap_or(0))),
            decline_pct,
            weeks_declining: u32::try_from(WEEKS - 1 - place).unwrap_or(0),
            slope_clicks_per_week: slope,
            position_change: change(current.position(), peak.position()),
            impressions_change_pct: (peak.impressions > 0)
                .then(|| 100.0 * impressions_change / impressions(peak)),
            status: status(&clicks, decline_pct, peak.clicks),
        })
    }
}

fn status(clicks: &[f64], decline_pct: f64, peak: u64) -> DecayStatus {
    if decline_pct >= COLLAPSE {
        return DecayStatus::Collapsed;
    }
    let recent = &clicks[clicks.len().saturating_sub(RECENT)..];
    if 100.0 * slope(recent) <= -GOING_ON * peak as f64 {
        DecayStatus::Declining
    } else {
        DecayStatus::Plateau
    }
}

/// The slope of the line through values at 0, 1, 2 and so on, by least squares; of fewer than two it is flat.
fn slope(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let middle = (count - 1.0) / 2.0;
    let mean = values.iter().sum::<f64>() / count;
    let (mut together, mut squares) = (0.0, 0.0);
    for (place, value) in values.iter().enumerate() {
        let from_middle = place as f64 - middle;
        together += from_middle * (value - mean);
        squares += from_middle * from_middle;
    }
    if squares > 0.0 { together / squares } else { 0.0 }
}

/// The pages among some that decay, those that lost most clicks first.
#[must_use]
pub fn ranked(pages: &[WeeklyPage], window: DateRange) -> Vec<Decay> {
    let mut found: Vec<Decay> = pages
        .iter()
        .filter_map(|page| Decay::of(page, window.first()))
        .collect();
    found.sort_by_key(|decay| std::cmp::Reverse(decay.clicks_peak - decay.clicks_current));
    found.truncate(MOST_ITEMS);
    found
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    fn page(clicks: [u64; WEEKS]) -> WeeklyPage {
        WeeklyPage {
            id: 1,
            page: "https://shop.example/guide".to_owned(),
            weeks: clicks.map(|clicks| Figures {
                clicks,
                impressions: 10 * clicks,
                position_sum: if clicks > 50 { 30.0 } else { 60.0 } * clicks as f64,
            }),
        }
    }

    fn decay(clicks: [u64; WEEKS]) -> Option<Decay> {
        Decay::of(&page(clicks), date!(2025 - 12 - 29))
    }

    #[test]
    fn weeks_are_complete_and_begin_on_monday() {
        // 29 March 2026 is a Sunday.
        for (last, first, end) in [
            (
                date!(2026 - 03 - 29),
                date!(2025 - 12 - 29),
                date!(2026 - 03 - 29),
            ),
            (
                date!(2026 - 04 - 04),
                date!(2025 - 12 - 29),
                date!(2026 - 03 - 29),
            ),
            (
                date!(2026 - 04 - 05),
                date!(2026 - 01 - 05),
                date!(2026 - 04 - 05),
            ),
        ] {
            let weeks = weeks_until(last);
            assert_eq!((weeks.first(), weeks.last(), weeks.days()), (first, end, 91));
        }
    }

    /// The page had 100 clicks in the third week, and 40 are left. `scipy.stats.linregress` says −4.7857… of all weeks and −3.8
    /// of the last four (`testdata/analysis.py`), more than 2 % of the peak.
    #[test]
    fn a_page_that_loses_clicks_declines() {
        let found = decay([80, 90, 100, 95, 90, 84, 75, 70, 60, 52, 48, 46, 40]).unwrap();
        assert_eq!((found.clicks_peak, found.clicks_current), (100, 40));
        assert_eq!(found.peak_week_start, date!(2026 - 01 - 12));
        assert_eq!((found.decline_pct, found.weeks_declining), (60.0, 10));
        assert!((found.slope_clicks_per_week + 4.785_714_285_714_286).abs() < 1e-9);
        assert_eq!(found.position_change, Some(3.0));
        assert_eq!(found.impressions_change_pct, Some(-60.0));
        assert_eq!(found.status, DecayStatus::Declining);
    }

    #[test]
    fn a_page_that_has_stopped_losing_is_on_a_plateau_and_one_that_lost_four_fifths_has_collapsed() {
        let plateau = decay([100, 90, 80, 70, 60, 55, 50, 50, 50, 50, 51, 49, 50]).unwrap();
        assert_eq!(plateau.status, DecayStatus::Plateau);
        let collapsed = decay([100, 90, 80, 70, 60, 55, 50, 40, 30, 20, 20, 20, 20]).unwrap();
        assert_eq!(
            (collapsed.decline_pct, collapsed.status),
            (80.0, DecayStatus::Collapsed)
        );
        let gone = decay([100, 90, 80, 70, 60, 55, 50, 40, 30, 20, 10, 0, 0]).unwrap();
        assert_eq!(
            (gone.position_change, gone.status),
            (None, DecayStatus::Collapsed)
        );
    }

    #[test]
    fn ups_and_downs_are_no_decay() {
        // The best week is the last.
        assert_eq!(decay([10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34]), None);
        // Nine clicks are chance.
        assert_eq!(decay([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0]), None);
        // It grows but for the last weeks.
        assert_eq!(decay([10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 90, 80, 70]), None);
        // Less than a fifth is gone.
        assert_eq!(decay([100, 99, 98, 97, 96, 95, 94, 93, 92, 91, 90, 86, 81]), None);
        assert_eq!(decay([0; WEEKS]), None);
    }

    #[test]
    fn of_weeks_that_are_as_good_the_last_is_the_peak() {
        let found = decay([100, 90, 100, 70, 60, 55, 50, 50, 50, 50, 51, 49, 50]).unwrap();
        assert_eq!(found.weeks_declining, 10);
    }
}
