//! Today is 2026-03-31, a Tuesday, unless a case says otherwise. The days were counted on a printed calendar.

use proptest::prelude::*;
use time::{
    Duration,
    macros::{date, datetime},
};

use super::*;
use crate::module::Module;

fn horizon(module: Module) -> Horizon {
    Horizon::of(module, datetime!(2026-03-31 09:15 UTC))
}

fn query<'a>(pairs: &[(&str, &'a str)]) -> WindowQuery<'a> {
    let given = |name| {
        pairs
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| *value)
    };
    WindowQuery {
        period_days: given("period_days"),
        start_date: given("start_date"),
        end_date: given("end_date"),
        period: given("period"),
    }
}

fn resolve(module: Module, pairs: &[(&str, &str)]) -> Result<ResolvedWindow, Vec<WindowFault>> {
    query(pairs).resolve(&horizon(module))
}

/// `FIRST..LAST`, or the parameters at fault.
fn outcome(module: Module, pairs: &[(&str, &str)]) -> String {
    match resolve(module, pairs) {
        Ok(resolved) => format!("{}..{}", resolved.window.first, resolved.window.last),
        Err(faults) => {
            let names: Vec<&str> = faults.iter().map(|fault| fault.parameter).collect();
            names.join("+")
        }
    }
}

#[test]
fn parameters_mean_the_days_that_they_name() {
    for (pairs, expected) in [
        // Neither date: 30 days, today included.
        (&[][..], "2026-03-02..2026-03-31"),
        (&[("period_days", "1")], "2026-03-31..2026-03-31"),
        (&[("period_days", "90")], "2026-01-01..2026-03-31"),
        (&[("period_days", "365")], "2025-04-01..2026-03-31"),
        // The start alone: to today. period_days is overridden.
        (&[("start_date", "2026-03-20")], "2026-03-20..2026-03-31"),
        (&[("start_date", "2026-03-31")], "2026-03-31..2026-03-31"),
        (
            &[("start_date", "2026-03-20"), ("period_days", "3")],
            "2026-03-20..2026-03-31",
        ),
        // The end alone: 30 days, or as many as asked for, that end there.
        (&[("end_date", "2026-03-10")], "2026-02-09..2026-03-10"),
        (
            &[("end_date", "2026-03-10"), ("period_days", "10")],
            "2026-03-01..2026-03-10",
        ),
        // Both. One day is a window; a year's end is a day like another.
        (
            &[("start_date", "2026-03-10"), ("end_date", "2026-03-10")],
            "2026-03-10..2026-03-10",
        ),
        (
            &[("start_date", "2025-12-31"), ("end_date", "2026-01-01")],
            "2025-12-31..2026-01-01",
        ),
        // An end after today is today.
        (
            &[("start_date", "2026-03-20"), ("end_date", "2026-04-15")],
            "2026-03-20..2026-03-31",
        ),
        (&[("end_date", "9999-12-31")], "2026-03-02..2026-03-31"),
        // A period overrides period_days.
        (&[("period", "last_week")], "2026-03-23..2026-03-29"),
        (
            &[("period", "last_month"), ("period_days", "3")],
            "2026-02-01..2026-02-28",
        ),
    ] {
        assert_eq!(outcome(Module::Uptime, pairs), expected, "{pairs:?}");
    }
}

#[test]
fn what_is_wrong_is_named_at_once() {
    for (pairs, expected) in [
        (&[("period_days", "0")][..], "period_days"),
        (&[("period_days", "-1")], "period_days"),
        (&[("period_days", "366")], "period_days"),
        (&[("period_days", "99999999999999999999")], "period_days"),
        (&[("period_days", "+7")], "period_days"),
        (&[("period_days", "7.0")], "period_days"),
        (&[("period_days", "")], "period_days"),
        (&[("period_days", "thirty")], "period_days"),
        (&[("start_date", "2026-02-31")], "start_date"),
        (&[("start_date", "2026-03-01T00:00:00Z")], "start_date"),
        (&[("end_date", "")], "end_date"),
        (&[("start_date", "2026-04-01")], "start_date"),
        (
            &[("start_date", "2026-03-20"), ("end_date", "2026-03-19")],
            "end_date",
        ),
        // The order is judged by what was asked for, not by what today makes of it.
        (
            &[("start_date", "2026-04-05"), ("end_date", "2026-04-10")],
            "start_date",
        ),
        (
            &[("start_date", "2026-04-05"), ("end_date", "2026-04-01")],
            "start_date+end_date",
        ),
        (&[("period", "last_year")], "period"),
        (&[("period", "Last_Week")], "period"),
        (&[("period", "last_week"), ("start_date", "2026-03-01")], "period"),
        (&[("period", "last_week"), ("end_date", "2026-03-01")], "period"),
        // A parameter that is overridden must be well-formed all the same.
        (
            &[("period_days", "0"), ("start_date", "2026-03-01")],
            "period_days",
        ),
        (
            &[
                ("period_days", "0"),
                ("start_date", "x"),
                ("end_date", "y"),
                ("period", "z"),
            ],
            "period_days+start_date+end_date+period+period",
        ),
    ] {
        assert_eq!(outcome(Module::Uptime, pairs), expected, "{pairs:?}");
    }
}

#[test]
fn a_fault_says_what_would_be_right() {
    let says = |pairs: &[(&str, &str)]| resolve(Module::Uptime, pairs).unwrap_err()[0].to_string();
    assert_eq!(says(&[("period_days", "0")]), "period_days: less than 1");
    assert_eq!(
        says(&[("start_date", "2026-04-01")]),
        "start_date: lies after today, 2026-03-31 UTC"
    );
    assert_eq!(
        says(&[("start_date", "2026-03-20"), ("end_date", "2026-03-19")]),
        "end_date: lies before start_date, 2026-03-20"
    );
    assert!(says(&[("period", "x")]).ends_with("this_month, last_month"));
}

/// Search performance comes late: its windows end two days ago, unless an end or a period says otherwise.
#[test]
fn search_performance_ends_two_days_ago() {
    for (pairs, expected) in [
        (&[][..], "2026-02-28..2026-03-29"),
        (&[("period_days", "7")], "2026-03-23..2026-03-29"),
        (&[("start_date", "2026-03-01")], "2026-03-01..2026-03-29"),
        (
            &[("start_date", "2026-03-01"), ("end_date", "2026-03-31")],
            "2026-03-01..2026-03-31",
        ),
        (
            &[("start_date", "2026-03-30"), ("end_date", "2026-03-30")],
            "2026-03-30..2026-03-30",
        ),
        (&[("end_date", "2026-04-30")], "2026-03-02..2026-03-31"),
        (&[("period", "last_7_days")], "2026-03-25..2026-03-31"),
        // It can't end before it begins.
        (&[("start_date", "2026-03-29")], "2026-03-29..2026-03-29"),
        (&[("start_date", "2026-03-30")], "2026-03-30..2026-03-31"),
    ] {
        assert_eq!(outcome(Module::Gsc, pairs), expected, "{pairs:?}");
    }
    let fixed = ResolvedWindow::fixed(28, &horizon(Module::Gsc)).window;
    assert_eq!(
        (fixed.first, fixed.last),
        (date!(2026 - 03 - 02), date!(2026 - 03 - 29))
    );
}

#[test]
fn what_predates_the_retention_is_cut_and_told() {
    let cut = |module, start, end| {
        let resolved = resolve(module, &[("start_date", start), ("end_date", end)]).unwrap();
        (resolved.window.first, resolved.window.last, resolved.clamped_from)
    };
    let (asked, last) = (date!(2025 - 02 - 25), date!(2026 - 03 - 31));
    // 400 days: more than 12 months, less than 16 and than ten years.
    assert_eq!(
        cut(Module::Uptime, "2025-02-25", "2026-03-31"),
        (date!(2025 - 03 - 31), last, Some(asked))
    );
    for whole in [Module::Rum, Module::Gsc, Module::Analytics] {
        assert_eq!(
            cut(whole, "2025-02-25", "2026-03-31"),
            (asked, last, None),
            "{whole}"
        );
    }
    // The first day that is kept is not cut, the day before is.
    assert_eq!(cut(Module::Uptime, "2025-03-31", "2025-04-02").2, None);
    assert_eq!(
        cut(Module::Uptime, "2025-03-30", "2025-04-02"),
        (
            date!(2025 - 03 - 31),
            date!(2025 - 04 - 02),
            Some(date!(2025 - 03 - 30))
        )
    );
    // Wholly before: not refused, but the first day that is kept.
    assert_eq!(
        cut(Module::Uptime, "2020-01-01", "2020-12-31"),
        (
            date!(2025 - 03 - 31),
            date!(2025 - 03 - 31),
            Some(date!(2020 - 01 - 01))
        )
    );
    assert_eq!(
        cut(Module::Uptime, "0000-01-01", "9999-12-31").2,
        Some(date!(0000 - 01 - 01))
    );
    // The 30 days before it can't be written.
    let earliest = resolve(Module::Uptime, &[("end_date", "0000-01-01")]).unwrap();
    assert_eq!(earliest.clamped_from, Some(date!(0000 - 01 - 01)));
}

#[test]
fn the_longest_period_is_kept_in_every_year() {
    for now in [
        datetime!(2024-02-29 12:00 UTC),
        datetime!(2025-02-28 12:00 UTC),
        datetime!(2025-03-01 12:00 UTC),
    ] {
        let resolved = query(&[("period_days", "365")])
            .resolve(&Horizon::of(Module::Uptime, now))
            .unwrap();
        assert_eq!(
            (resolved.window.days(), resolved.clamped_from),
            (365, None),
            "{now}"
        );
    }
}

#[test]
fn days_and_fixed_windows_end_today() {
    let horizon = horizon(Module::Indexing);
    let days = |given| ResolvedWindow::days(given, &horizon).map(|resolved| resolved.window);
    assert_eq!(days(None), Ok(DateRange::ending(date!(2026 - 03 - 31), 7)));
    assert_eq!(days(Some("1")), Ok(DateRange::ending(date!(2026 - 03 - 31), 1)));
    assert_eq!(days(Some("30")), Ok(DateRange::ending(date!(2026 - 03 - 31), 30)));
    for (bad, why) in [
        ("0", "days: less than 1"),
        ("-1", "days: less than 1"),
        ("31", "days: more than 30"),
        ("4294967297", "days: more than 30"),
        ("", "days: not a whole number"),
        ("week", "days: not a whole number"),
    ] {
        assert_eq!(days(Some(bad)).unwrap_err().to_string(), why, "{bad}");
    }
    let fixed = ResolvedWindow::fixed(28, &horizon);
    assert_eq!(fixed.window, DateRange::ending(date!(2026 - 03 - 31), 28));
    assert_eq!((fixed.period, fixed.clamped_from), (None, None));
}

proptest! {
    /// Whatever the parameters are, a window lies between what is kept and today, and cuts no more than it tells.
    #[test]
    fn a_window_lies_between_what_is_kept_and_today(
        period_days in proptest::option::of(0_u32..400),
        start in proptest::option::of(-800_i64..10),
        end in proptest::option::of(-800_i64..10),
    ) {
        let horizon = horizon(Module::Uptime);
        let day = |offset: i64| (horizon.today + Duration::days(offset)).to_string();
        let (period_days, start_date, end_date) = (period_days.map(|days| days.to_string()), start.map(day), end.map(day));
        let query = WindowQuery {
            period_days: period_days.as_deref(),
            start_date: start_date.as_deref(),
            end_date: end_date.as_deref(),
            period: None,
        };
        if let Ok(resolved) = query.resolve(&horizon) {
            let DateRange { first, last } = resolved.window;
            prop_assert!(horizon.earliest <= first && first <= last && last <= horizon.today);
            prop_assert_eq!(resolved.clamped_from.is_some(), resolved.clamped_from.is_some_and(|from| from < first));
            if let (Some(start), None) = (start, resolved.clamped_from) {
                prop_assert_eq!(first, horizon.today + Duration::days(start));
            }
        }
    }
}
