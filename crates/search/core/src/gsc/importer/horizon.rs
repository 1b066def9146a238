//! How far the upstream's days are, and how far the imported ones.

use std::collections::BTreeSet;

use time::Date;

use super::Totals;
use crate::gsc::link::Marks;

/// How far the upstream's days are.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Horizon {
    pub(super) last_final: Date,
    pub(super) last: Date,
    pub(super) first_incomplete: Option<Date>,
}

/// By all search types together; `None`: there are no days from `start` on. Where the upstream calls no day up to `today`
/// incomplete, all that it has are final; where it calls one incomplete that lies before, none is.
pub(super) fn horizon<'a>(
    totals: impl Iterator<Item = &'a Totals> + Clone,
    (start, today): (Date, Date),
) -> Option<Horizon> {
    let newest = totals
        .clone()
        .filter_map(|totals| totals.days.keys().next_back().copied())
        .max();
    let first_incomplete = totals
        .filter_map(|totals| totals.first_incomplete)
        .min()
        .filter(|first| *first <= today)
        .map(|first| first.max(start));
    let last_final = first_incomplete.map_or(newest, |first| first.previous_day())?;
    let last = newest.map_or(last_final, |newest| newest.max(last_final));
    (last >= start).then_some(Horizon {
        last_final,
        last,
        first_incomplete,
    })
}

impl Marks {
    /// How far the days from `first` to `last` lead, of which some are missing: as far as none is missing.
    pub(super) fn set(&mut self, first: Date, last: Option<Date>, last_final: Date, missed: &BTreeSet<Date>) {
        let before_gap = missed.first().and_then(|gap| gap.previous_day());
        let reached = last.into_iter().chain(before_gap).min();
        let reached = reached.filter(|reached| *reached >= first);
        let final_day = reached.map(|reached| reached.min(last_final));
        self.data_through = final_day.filter(|day| *day >= first);
        self.provisional_through = reached.filter(|reached| *reached > last_final);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use time::macros::date;

    use super::*;
    use crate::gsc::figures::Figures;

    fn totals(days: &[Date], first_incomplete: Option<Date>) -> Totals {
        Totals {
            days: days.iter().map(|day| (*day, Figures::default())).collect(),
            first_incomplete,
            bad: BTreeSet::new(),
        }
    }

    #[test]
    fn the_horizon_is_that_of_all_types() {
        let web = totals(
            &[date!(2026 - 03 - 27), date!(2026 - 03 - 29)],
            Some(date!(2026 - 03 - 29)),
        );
        let news = totals(&[date!(2026 - 03 - 30)], Some(date!(2026 - 03 - 28)));
        let both = [web, news];
        let span = (date!(2026 - 03 - 11), date!(2026 - 03 - 31));
        let horizon_of_both = horizon(both.iter(), span).unwrap();
        assert_eq!(
            horizon_of_both,
            Horizon {
                last_final: date!(2026 - 03 - 27),
                last: date!(2026 - 03 - 30),
                first_incomplete: Some(date!(2026 - 03 - 28)),
            }
        );
        assert_eq!(horizon([totals(&[], None)].iter(), span), None);
    }

    #[test]
    fn a_first_incomplete_day_out_of_bounds_leads_to_no_days_out_of_bounds() {
        let (start, today) = (date!(2026 - 03 - 11), date!(2026 - 03 - 31));
        let newest = date!(2026 - 03 - 30);
        let of = |days: &[Date], first| horizon([totals(days, Some(first))].iter(), (start, today));
        for beyond in [date!(2026 - 04 - 01), date!(9999 - 12 - 31)] {
            assert_eq!(
                of(&[newest], beyond),
                Some(Horizon {
                    last_final: newest,
                    last: newest,
                    first_incomplete: None,
                })
            );
            assert_eq!(of(&[], beyond), None);
        }
        for before in [Date::MIN, date!(2026 - 03 - 10), start] {
            assert_eq!(
                of(&[newest], before),
                Some(Horizon {
                    last_final: date!(2026 - 03 - 10),
                    last: newest,
                    first_incomplete: Some(start),
                })
            );
            assert_eq!(of(&[], before), None);
        }
    }

    #[test]
    fn data_reach_as_far_as_no_day_is_missing() {
        let (first, last) = (date!(2026 - 03 - 20), date!(2026 - 03 - 30));
        let last_final = date!(2026 - 03 - 28);
        let set = |last: Option<Date>, missed: &[Date]| {
            let mut marks = Marks::default();
            marks.set(first, last, last_final, &missed.iter().copied().collect());
            (marks.data_through, marks.provisional_through)
        };
        assert_eq!(set(Some(last), &[]), (Some(last_final), Some(last)));
        assert_eq!(
            set(Some(last), &[date!(2026 - 03 - 25), date!(2026 - 03 - 30)]),
            (Some(date!(2026 - 03 - 24)), None)
        );
        assert_eq!(set(Some(last), &[first]), (None, None));
        assert_eq!(set(first.previous_day(), &[]), (None, None));
        let mut provisional = Marks::default();
        provisional.set(date!(2026 - 03 - 30), Some(last), last_final, &BTreeSet::new());
        assert_eq!(
            (provisional.data_through, provisional.provisional_through),
            (None, Some(last)),
            "no final day was imported"
        );
    }
}
