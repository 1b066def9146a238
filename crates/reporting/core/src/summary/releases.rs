//! The releases in the summary: those of the days on which visitors' figures got worse.

use pharos_domain::report_widget::{DataField, ReportWidget};
use serde_json::Value;
use time::Date;

use super::change::{CHANGED_PCT, large_change};
use crate::{
    format::ReportLocale,
    render::{day_of, marks::release, rows, words},
};

/// The figures for which a release is mentioned, if they got worse, each with its name among those of a day. Days have no CLS.
const FELT: [(&str, &str); 2] = [("vitals.all.lcp_ms", "lcp_ms"), ("vitals.all.inp_ms", "inp_ms")];
/// How many releases are named for each figure. If there are more, the first and the last are named.
const MOST_EACH: usize = 3;

/// The sentences of widgets of real-user monitoring, with their data. None says that a release is to blame, only that it came
/// in the same days.
pub(super) fn sentences(locale: ReportLocale, known: &[(&ReportWidget, Value)]) -> Vec<String> {
    let of = |name: &str| known.iter().find(|(widget, _)| widget.name == name);
    let (Some((figures, felt)), Some((course, daily)), Some((list, listed))) =
        (of("kpi_row"), of("timeseries"), of("releases"))
    else {
        return Vec::new();
    };
    let worse: Vec<(&str, &str)> = figures
        .fields
        .iter()
        .filter_map(|field| Some((field.label, got_worse(field, felt)?)))
        .collect();
    let days: Vec<(Date, &Value)> = rows(course, daily).iter().filter_map(day).collect();
    // A list has the newest first.
    let releases: Vec<(&str, Date)> = rows(list, listed).iter().rev().filter_map(release).collect();
    let told: Vec<(&str, Date, Vec<&str>)> = releases
        .iter()
        .map(|(name, at)| {
            let next = releases.iter().map(|(_, day)| *day).find(|day| day > at);
            let rose = worse.iter().filter(|(_, member)| rose(&days, member, *at, next));
            let labels: Vec<&str> = rose.map(|(label, _)| *label).collect();
            (*name, *at, labels)
        })
        .filter(|(_, _, labels)| !labels.is_empty())
        .collect();
    let day = |at: Date| words::day(locale, at);
    match told.as_slice() {
        [(first, since, _), .., (last, until, _)] if told.len() > MOST_EACH => {
            let is_told = |label: &&str| told.iter().any(|(_, _, labels)| labels.contains(label));
            let worse: Vec<&str> = worse.iter().map(|(label, _)| *label).filter(is_told).collect();
            let worse = joined(&worse);
            vec![format!(
                "Releases from “{first}” of {} to “{last}” of {} came within the days in which {worse} got worse.",
                day(*since),
                day(*until)
            )]
        }
        few => {
            let sentence = |(name, at, labels): &(&str, Date, Vec<&str>)| {
                let worse = joined(labels);
                format!(
                    "Release “{name}” came on {}, within the days in which {worse} got worse.",
                    day(*at)
                )
            };
            few.iter().map(sentence).collect()
        }
    }
}

/// A day with its figures.
fn day(row: &Value) -> Option<(Date, &Value)> {
    Some((day_of(row.get("date")?.as_str()?)?, row))
}

/// The name of a figure among those of a day, if it rose enough to be mentioned.
fn got_worse(field: &DataField, felt: &Value) -> Option<&'static str> {
    let (_, member) = FELT.iter().find(|(path, _)| *path == field.path)?;
    let (_, change) = large_change(field, felt)?;
    (change > 0.0).then_some(*member)
}

/// Whether a figure rose enough from the days before a release to the days after it, which end before those of the next one.
/// Both sides have the same number of days. So a release that improved the figure is not mentioned.
fn rose(days: &[(Date, &Value)], member: &str, at: Date, next: Option<Date>) -> bool {
    let figures = |is_meant: &dyn Fn(Date) -> bool| -> Vec<Option<f64>> {
        let meant = days.iter().filter(|(day, _)| is_meant(*day));
        meant
            .map(|(_, row)| row.get(member).and_then(Value::as_f64))
            .collect()
    };
    let before = figures(&|day| day < at);
    let after = figures(&|day| day > at && next.is_none_or(|next| day < next));
    let count = before.len().min(after.len());
    let (before, after) = (mean(&before[before.len() - count..]), mean(&after[..count]));
    before
        .zip(after)
        .is_some_and(|(before, after)| before > 0.0 && (after - before) / before * 100.0 >= CHANGED_PCT)
}

/// The mean of those that were measured; `None` where none was.
fn mean(values: &[Option<f64>]) -> Option<f64> {
    let known = values.iter().copied().flatten();
    let (sum, count) = known.fold((0.0_f64, 0.0_f64), |(sum, count), value| {
        (sum + value, count + 1.0)
    });
    (count > 0.0).then(|| sum / count)
}

/// The names in a sentence.
fn joined(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use pharos_domain::report_widget::{Better, Empty, FieldChange, FieldFormat, WidgetKind};
    use serde_json::json;

    use super::*;

    const FIGURES: ReportWidget = ReportWidget {
        name: "kpi_row",
        label: "",
        description: "",
        kind: WidgetKind::Kpi,
        default_enabled: true,
        config: &[],
        rows: None,
        fields: &[
            DataField::new("vitals.all.lcp_ms", "LCP", FieldFormat::Millis).with(
                FieldChange::Percent("comparison.lcp_ms.change_pct"),
                Better::Lower,
            ),
            DataField::new("vitals.all.inp_ms", "INP", FieldFormat::Millis).with(
                FieldChange::Percent("comparison.inp_ms.change_pct"),
                Better::Lower,
            ),
            DataField::new("vitals.all.cls", "CLS", FieldFormat::Score)
                .with(FieldChange::Percent("comparison.cls.change_pct"), Better::Lower),
            DataField::new("vitals.all.ttfb_ms", "TTFB", FieldFormat::Millis).with(
                FieldChange::Percent("comparison.ttfb_ms.change_pct"),
                Better::Lower,
            ),
        ],
        empty: Empty::NoData,
        measured_by: None,
    };
    const RELEASES: ReportWidget = ReportWidget {
        name: "releases",
        kind: WidgetKind::Table,
        rows: Some("items"),
        fields: &[],
        empty: Empty::IsAnswer,
        ..FIGURES
    };

    const DAYS: ReportWidget = ReportWidget {
        name: "timeseries",
        kind: WidgetKind::Chart,
        ..RELEASES
    };

    /// The sentences where LCP, INP, CLS and TTFB changed by so many percent, LCP and INP had these values on the days from
    /// 1 March on, and releases came on such days.
    fn told(changes: [Option<f64>; 4], days: &[f64], releases: &[u8]) -> Vec<String> {
        let [lcp, inp, cls, ttfb] = changes.map(|change| json!({ "change_pct": change }));
        let felt = json!({ "comparison": { "lcp_ms": lcp, "inp_ms": inp, "cls": cls, "ttfb_ms": ttfb } });
        let item = |day: &u8| json!({ "name": format!("2.{day}"), "released_at": format!("2026-03-{day:02}T23:30:00Z") });
        let items: Vec<Value> = releases.iter().rev().map(item).collect();
        let figures = |(day, value): (usize, &f64)| {
            let date = format!("2026-03-{:02}", day + 1);
            json!({ "date": date, "lcp_ms": value, "inp_ms": value / 10.0, "ttfb_ms": value / 4.0 })
        };
        let figures: Vec<Value> = days.iter().enumerate().map(figures).collect();
        let known = [
            (&FIGURES, felt),
            (&DAYS, json!({ "items": figures })),
            (&RELEASES, json!({ "items": items })),
        ];
        sentences(ReportLocale::En, &known)
    }

    /// Slower from the third of March on.
    const SLOWER: [f64; 5] = [2_000.0, 2_000.0, 2_200.0, 2_200.0, 2_200.0];

    #[test]
    fn a_release_of_days_in_which_visitors_felt_worse_is_told_and_not_blamed() {
        let lcp = [Some(10.0), Some(9.9), Some(250.0), None];
        assert_eq!(
            told(lcp, &SLOWER, &[2]),
            ["Release “2.2” came on 2 Mar 2026, within the days in which LCP got worse."]
        );
        let all = [Some(10.0), Some(10.0), Some(10.0), Some(10.0)];
        assert_eq!(
            told(all, &SLOWER, &[2]),
            ["Release “2.2” came on 2 Mar 2026, within the days in which LCP and INP got worse."]
        );
    }

    #[test]
    fn a_release_that_mended_something_is_not_told_of() {
        let slower = [Some(30.0), None, None, None];
        let days = [
            2_000.0, 2_000.0, 2_000.0, 4_000.0, 4_000.0, 4_000.0, 2_100.0, 2_100.0, 2_100.0,
        ];
        assert_eq!(
            told(slower, &days, &[3, 6]),
            ["Release “2.3” came on 3 Mar 2026, within the days in which LCP got worse."]
        );
        assert_eq!(told(slower, &days, &[6]), [""; 0]);
        assert_eq!(
            told(slower, &[2_000.0, 2_000.0, 2_100.0], &[2]),
            [""; 0],
            "too little"
        );
        assert_eq!(told(slower, &SLOWER, &[1]), [""; 0], "no day before it is known");
        assert_eq!(told(slower, &SLOWER, &[5]), [""; 0], "no day after it is known");
        assert_eq!(told(slower, &[], &[2]), [""; 0]);
    }

    #[test]
    fn where_nothing_got_worse_or_was_released_nothing_is_said() {
        let better = [Some(-30.0), Some(9.9), None, Some(40.0)];
        assert_eq!(told(better, &SLOWER, &[2]), [""; 0], "TTFB is a part of LCP");
        assert_eq!(told([Some(30.0), None, None, None], &SLOWER, &[]), [""; 0]);
        assert_eq!(
            told([None; 4], &SLOWER, &[2]),
            [""; 0],
            "there is nothing to compare with"
        );
        let alone = [(&RELEASES, json!({ "items": [] }))];
        assert_eq!(sentences(ReportLocale::En, &alone), [""; 0]);
    }

    #[test]
    fn of_many_releases_the_first_and_the_last_are_named() {
        let slower = [Some(30.0), None, None, None];
        let days: Vec<f64> = [2_000.0, 3_000.0, 4_500.0, 7_000.0, 10_000.0]
            .iter()
            .flat_map(|value| [*value; 2])
            .collect();
        assert_eq!(told(slower, &days, &[2, 4, 6]).len(), 3);
        assert_eq!(
            told(slower, &days, &[2, 4, 6, 8]),
            [
                "Releases from “2.2” of 2 Mar 2026 to “2.8” of 8 Mar 2026 came within the days in which LCP got worse."
            ]
        );
    }
}
