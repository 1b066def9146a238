//! The releases that the summary tells of: those of the days in which what visitors feel got worse.

use pharos_domain::report_widget::{DataField, ReportWidget};
use serde_json::Value;
use time::Date;

use crate::{
    format::ReportLocale,
    render::{marks::release, words},
    summary::large_change,
};

/// The figures that a release is told of for, if they got worse.
const FELT: [&str; 3] = ["vitals.all.lcp_ms", "vitals.all.inp_ms", "vitals.all.cls"];
/// How many releases are told of each. If there are more, the first and the last are named.
const MOST_EACH: usize = 3;

/// The sentences of widgets of real-user monitoring with their data. None says that a release is to blame: it came in the same days.
pub(crate) fn sentences(locale: ReportLocale, known: &[(&ReportWidget, Value)]) -> Vec<String> {
    let of = |name: &str| known.iter().find(|(widget, _)| widget.name == name);
    let (Some((figures, felt)), Some((_, listed))) = (of("kpi_row"), of("releases")) else {
        return Vec::new();
    };
    let worse: Vec<&str> = figures
        .fields
        .iter()
        .filter(|field| got_worse(field, felt))
        .map(|field| field.label)
        .collect();
    let Some(worse) = joined(&worse) else {
        return Vec::new();
    };
    let rows = listed.get("items").and_then(Value::as_array);
    // A list has the newest first.
    let releases: Vec<(&str, Date)> = rows.into_iter().flatten().rev().filter_map(release).collect();
    let day = |at: Date| words::day(locale, at);
    match releases.as_slice() {
        [(first, since), .., (last, until)] if releases.len() > MOST_EACH => vec![format!(
            "Releases from “{first}” of {} to “{last}” of {} came within the days in which {worse} got worse.",
            day(*since),
            day(*until)
        )],
        few => {
            let told = |(name, at): &(&str, Date)| {
                format!(
                    "Release “{name}” came on {}, within the days in which {worse} got worse.",
                    day(*at)
                )
            };
            few.iter().map(told).collect()
        }
    }
}

/// Whether it is a figure of what visitors feel that rose by as much as is told.
fn got_worse(field: &DataField, felt: &Value) -> bool {
    FELT.contains(&field.path) && large_change(field, felt).is_some_and(|(_, value)| value > 0.0)
}

/// The names in a sentence; `None` where there is none.
fn joined(names: &[&str]) -> Option<String> {
    match names {
        [] => None,
        [one] => Some((*one).to_owned()),
        [others @ .., last] => Some(format!("{} and {last}", others.join(", "))),
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
    };
    const RELEASES: ReportWidget = ReportWidget {
        name: "releases",
        kind: WidgetKind::Table,
        rows: Some("items"),
        fields: &[],
        empty: Empty::IsAnswer,
        ..FIGURES
    };

    /// The sentences where LCP, INP, CLS and TTFB changed by so many percent, and so many releases came, one a day from 2 March on.
    fn told(changes: [Option<f64>; 4], releases: u8) -> Vec<String> {
        let [lcp, inp, cls, ttfb] = changes.map(|change| json!({ "change_pct": change }));
        let felt = json!({ "comparison": { "lcp_ms": lcp, "inp_ms": inp, "cls": cls, "ttfb_ms": ttfb } });
        let item = |number: u8| {
            let day = number + 1;
            json!({ "name": format!("2.{number}"), "released_at": format!("2026-03-{day:02}T23:30:00Z") })
        };
        let items: Vec<Value> = (1..=releases).rev().map(item).collect();
        let known = [(&FIGURES, felt), (&RELEASES, json!({ "items": items }))];
        sentences(ReportLocale::En, &known)
    }

    #[test]
    fn a_release_of_days_in_which_visitors_felt_worse_is_told_and_not_blamed() {
        let slower = [Some(10.0), Some(9.9), Some(250.0), None];
        assert_eq!(
            told(slower, 1),
            ["Release “2.1” came on 2 Mar 2026, within the days in which LCP and CLS got worse."]
        );
        let all = [Some(10.0), Some(10.0), Some(10.0), Some(10.0)];
        assert_eq!(
            told(all, 2),
            [
                "Release “2.1” came on 2 Mar 2026, within the days in which LCP, INP and CLS got worse.",
                "Release “2.2” came on 3 Mar 2026, within the days in which LCP, INP and CLS got worse.",
            ]
        );
    }

    #[test]
    fn where_nothing_got_worse_or_was_released_nothing_is_said() {
        let better = [Some(-30.0), Some(9.9), None, Some(40.0)];
        assert_eq!(told(better, 1), [""; 0], "TTFB is a part of LCP");
        assert_eq!(told([Some(30.0), None, None, None], 0), [""; 0]);
        assert_eq!(told([None; 4], 1), [""; 0], "there is nothing to compare with");
        let alone = [(&RELEASES, json!({ "items": [] }))];
        assert_eq!(sentences(ReportLocale::En, &alone), [""; 0]);
    }

    #[test]
    fn of_many_releases_the_first_and_the_last_are_named() {
        let slower = [Some(30.0), None, None, None];
        assert_eq!(told(slower, 3).len(), 3);
        assert_eq!(
            told(slower, 4),
            [
                "Releases from “2.1” of 2 Mar 2026 to “2.4” of 5 Mar 2026 came within the days in which LCP got worse."
            ]
        );
    }
}
