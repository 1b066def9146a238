//! The pictures of widgets: courses over days, and how many there are between edges.

use maud::{Markup, html};
use pharos_domain::report_widget::{DataField, FieldFormat, at_path};
use pharos_pictures::chart::{Chart, Ground, Series};
use serde_json::Value;
use time::{Date, Duration};

use super::{
    day_of,
    described::Measure,
    labels,
    marks::{Mark, breaks},
    rows,
    tables::currency,
    words,
};
use crate::{data::WidgetData, format::ReportLocale};

/// The most courses of a chart.
const MOST_COURSES: usize = 5;

/// Courses over days, on top of each other where they are parts of a whole; or bars, where the first two fields are the edges of
/// bins. `id` is once on the page.
pub(super) fn chart(
    locale: ReportLocale,
    id: &str,
    data: &WidgetData,
    whole: &Value,
    marks: &[Mark],
) -> Markup {
    let Some((place, courses)) = data.widget.fields.split_first() else {
        return html! {};
    };
    if !matches!(place.format, FieldFormat::Day | FieldFormat::Moment) {
        return histogram(locale, id, data, whole);
    }
    let rows = rows(data.widget, whole);
    let texts: Vec<&str> = rows.iter().map(|row| place_of(place, row)).collect();
    let days: Vec<Option<Date>> = texts.iter().map(|text| day_of(text)).collect();
    // The hour of a day's beginning says nothing.
    let label = |(text, day): (&&str, &Option<Date>)| {
        day.map_or_else(|| (*text).to_owned(), |day| words::day(locale, day))
    };
    let labels: Vec<String> = texts.iter().zip(&days).map(label).collect();
    let breaks = breaks(marks, &days);
    let mut happened = String::new();
    for one in &breaks {
        happened.push_str(&format!(" {}: {} {}.", labels[one.place], one.kind, one.name));
    }
    let breaks: Vec<(usize, String)> = breaks.into_iter().map(|one| (one.place, one.name)).collect();
    let unfinished = unfinished(&days, whole);
    let provisional = provisional(&days, whole);
    let pictures: Vec<&'static [DataField]> = pictures(courses).collect();
    let picture = |(at, &courses): (usize, &&'static [DataField])| {
        let series = series(courses, rows);
        let measure = measure(locale, courses, whole);
        let (id, title) = match pictures.len() {
            0 | 1 => (id.to_owned(), data.title.clone()),
            _ => (
                format!("{id}p{at}"),
                format!("{}: {}", data.title, names(courses)),
            ),
        };
        let description = format!(
            "{} {}{happened}",
            data.widget.description,
            measure.courses(&labels, &series)
        );
        let chart = Chart {
            id: &id,
            title: &title,
            description: description.trim_start(),
            places: place.label,
            labels: &labels,
            series: &series,
            words: words::of_chart(locale, measure.format),
            short: words::at_axis(locale),
            threshold: None,
            ground: Ground {
                provisional: provisional.or(unfinished),
                breaks: &breaks,
            },
        };
        let drawn = if courses.iter().all(|field| field.is_part) {
            chart.areas()
        } else {
            chart.lines()
        };
        html! {
            p.note { (measure.axis(courses)) }
            (drawn)
        }
    };
    html! {
        @for drawn in pictures.iter().enumerate().map(picture) { (drawn) }
        @if let Some(first) = provisional.and_then(|at| labels.get(at)) {
            p.note { "Shaded days, from " (first) " on, are provisional: their figures may still change." }
        } @else if unfinished.is_some() {
            p.note { "Shaded ground is not over: its figures still change." }
        }
    }
}

/// The first place whose figures may still change, where the module tells up to which day they are final.
fn provisional(days: &[Option<Date>], whole: &Value) -> Option<usize> {
    if whole.get("data_state")?.as_str()? == "final" {
        return None;
    }
    let through = at_path(whole, "meta.data_through").and_then(Value::as_str);
    let through = through.and_then(day_of);
    days.iter()
        .position(|day| day.is_some_and(|day| through.is_none_or(|through| day > through)))
}

/// The last place, where it is not over: the window ends within it, and its last day is not over.
fn unfinished(days: &[Option<Date>], whole: &Value) -> Option<usize> {
    if at_path(whole, "meta.range_end_partial") != Some(&Value::Bool(true)) {
        return None;
    }
    let end = day_of(at_path(whole, "meta.range_end")?.as_str()?)?;
    let last = (*days.last()?)?;
    let apart = days.windows(2).filter_map(|pair| Some(pair[1]? - pair[0]?));
    let length = apart.min().unwrap_or(Duration::DAY).max(Duration::DAY);
    (last.saturating_add(length) > end).then(|| days.len() - 1)
}

/// The courses by picture: those that share an axis, and each that has its own.
fn pictures(courses: &'static [DataField]) -> impl Iterator<Item = &'static [DataField]> {
    courses.chunk_by(|one, other| !one.is_apart && !other.is_apart)
}

/// The names of courses in a title.
fn names(courses: &[DataField]) -> String {
    let names: Vec<&str> = courses.iter().map(|course| course.label).collect();
    names.join(", ")
}

/// How the values of courses are written.
fn measure<'a>(locale: ReportLocale, courses: &[DataField], whole: &'a Value) -> Measure<'a> {
    Measure {
        locale,
        format: courses.first().map_or(FieldFormat::Number, |field| field.format),
        currency: currency(whole),
    }
}

/// The text that names a row's place.
fn place_of<'a>(place: &DataField, row: &'a Value) -> &'a str {
    at_path(row, place.path)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

fn series(courses: &'static [DataField], rows: &[Value]) -> Vec<Series<'static>> {
    let values = |field: &DataField| {
        let values = rows
            .iter()
            .map(|row| at_path(row, field.path).and_then(Value::as_f64));
        values.collect()
    };
    let shown = courses.iter().take(MOST_COURSES);
    shown
        .map(|field| Series {
            name: field.label,
            values: values(field),
        })
        .collect()
}

/// How many there are between two edges. A bin without an upper one holds all from its lower one on.
fn histogram(locale: ReportLocale, id: &str, data: &WidgetData, whole: &Value) -> Markup {
    let [from, to, courses @ ..] = data.widget.fields else {
        return html! {};
    };
    let rows = rows(data.widget, whole);
    let label = |row: &Value| {
        let edge = |field: &DataField| {
            at_path(row, field.path)
                .filter(|edge| !edge.is_null())
                .map(|edge| words::value(locale, field.format, Some(edge), None))
        };
        let from = edge(from).unwrap_or_default();
        edge(to).map_or_else(|| format!("from {from}"), |to| format!("{from} – {to}"))
    };
    let labels: Vec<String> = rows.iter().map(label).collect();
    let series = series(courses, rows);
    let measure = measure(locale, courses, whole);
    let description = format!("{} {}", data.widget.description, measure.ranges(&labels, &series));
    let chart = Chart {
        id,
        title: &data.title,
        description: description.trim_start(),
        places: "Value",
        labels: &labels,
        series: &series,
        words: words::of_chart(locale, measure.format),
        short: words::at_axis(locale),
        threshold: None,
        ground: Ground::default(),
    };
    html! {
        p.note {
            (measure.axis(courses))
            @if let Some(ranged) = ranged(whole) { ", by " (ranged) }
        }
        (chart.bars())
    }
}

/// The name of the figure whose values are counted, with its unit, where the answer tells it.
fn ranged(whole: &Value) -> Option<String> {
    let metric = labels::word(whole.get("metric")?.as_str()?);
    Some(match whole.get("unit").and_then(Value::as_str) {
        None | Some("none") => metric,
        Some(unit) => format!("{metric} ({unit})"),
    })
}

#[cfg(test)]
mod tests {
    use pharos_domain::report_widget::{Empty, ReportWidget, WidgetAnswer, WidgetKind};
    use serde_json::json;

    use super::*;

    const SPREAD: ReportWidget = ReportWidget {
        name: "distribution",
        label: "Distribution",
        kind: WidgetKind::Chart,
        rows: Some("bins"),
        fields: &[
            DataField::new("start", "From", FieldFormat::Number),
            DataField::new("end", "To", FieldFormat::Number),
            DataField::new("count", "Views", FieldFormat::Count),
        ],
        description: "",
        default_enabled: true,
        config: &[],
        empty: Empty::NoData,
        measured_by: None,
    };

    const SALES: ReportWidget = ReportWidget {
        name: "timeseries",
        label: "Sales over time",
        kind: WidgetKind::Chart,
        rows: Some("items"),
        fields: &[
            DataField::new("bucket_start", "Begins", FieldFormat::Moment),
            DataField::new("revenue", "Revenue", FieldFormat::Money),
        ],
        ..SPREAD
    };

    fn drawn(id: &str, data: &WidgetData) -> Markup {
        chart(
            ReportLocale::En,
            id,
            data,
            data.answer.data.as_ref().unwrap(),
            &[],
        )
    }

    /// Pieces of time are told by when they begin, and are no edges of bins.
    #[test]
    fn a_course_over_pieces_of_time_is_a_line_with_its_days() {
        let piece = |start: &str, revenue: f64| json!({ "bucket_start": start, "revenue": revenue });
        let pieces = [
            piece("2026-03-02T00:00:00Z", 1_368.2),
            piece("2026-03-09T00:00:00Z", 754.8),
        ];
        let data = WidgetData {
            name: SALES.name.to_owned(),
            widget: &SALES,
            title: SALES.label.to_owned(),
            answer: WidgetAnswer::of(json!({ "items": pieces, "currency": "EUR" })),
        };
        let drawn = drawn("sales", &data).into_string();
        for part in [
            "class=\"line ink-1\"",
            "2 Mar 2026",
            "9 Mar 2026",
            "1,368.20",
            "<p class=\"note\">Revenue, in EUR</p>",
            "Revenue: first 1,368.20 EUR on 2 Mar 2026, last 754.80 EUR on 9 Mar 2026, lowest 754.80 EUR on 9 Mar 2026",
        ] {
            assert!(drawn.contains(part), "{part} is not in {drawn}");
        }
        for part in ["Nothing was measured", "00:00", "class=\"fill ink-1\""] {
            assert!(!drawn.contains(part), "{part} is in {drawn}");
        }
    }

    /// The higher bar is as high as the ticks go, 300; the other a third of it, the middle one is none.
    #[test]
    fn a_distribution_is_a_bar_a_bin_with_its_table_beside_it() {
        let bin =
            |start: f64, end: Option<f64>, count: u64| json!({ "start": start, "end": end, "count": count });
        let bins = [
            bin(0.0, Some(0.05), 300),
            bin(0.05, Some(0.1), 0),
            bin(0.1, None, 100),
        ];
        let data = WidgetData {
            name: SPREAD.name.to_owned(),
            widget: &SPREAD,
            title: SPREAD.label.to_owned(),
            answer: WidgetAnswer::of(json!({ "bins": bins, "metric": "lcp", "unit": "ms" })),
        };
        let drawn = drawn("spread", &data).into_string();
        let (_, bars) = drawn.split_once("<path class=\"fill ink-1\" d=\"").unwrap();
        let bars = bars.split('"').next().unwrap();
        let heights: Vec<&str> = bars
            .split('v')
            .filter_map(|part| part.split_once('h'))
            .map(|(height, _)| height)
            .collect();
        assert_eq!(heights, ["-178", "-59.3"], "{bars}");
        for part in [
            "0 – 0.05",
            "from 0.1",
            "<details",
            "<table",
            "<p class=\"note\">Views, by LCP (ms)</p>",
            "Views: fewest 0 in 0.05 – 0.1, most 300 in 0 – 0.05.",
        ] {
            assert!(drawn.contains(part), "{part} is not in {drawn}");
        }
    }

    const BANDS: ReportWidget = ReportWidget {
        name: "positions",
        label: "Positions",
        kind: WidgetKind::Chart,
        rows: Some("items"),
        fields: &[
            DataField::new("date", "Day", FieldFormat::Day),
            DataField::new("top_3", "Up to 3", FieldFormat::Count).part(),
            DataField::new("rest", "Beyond 3", FieldFormat::Count).part(),
        ],
        ..SPREAD
    };

    const SEARCH: ReportWidget = ReportWidget {
        name: "search",
        label: "Search",
        fields: &[
            DataField::new("date", "Day", FieldFormat::Day),
            DataField::new("clicks", "Clicks", FieldFormat::Count).apart(),
            DataField::new("shown", "Impressions", FieldFormat::Count).apart(),
            DataField::new("queries", "Queries", FieldFormat::Count),
            DataField::new("pages", "Pages", FieldFormat::Count),
        ],
        ..BANDS
    };

    /// Few clicks of very many impressions would be a line at the bottom of their picture.
    #[test]
    fn courses_of_another_size_have_pictures_of_their_own() {
        let day =
            |date: &str| json!({ "date": date, "clicks": 7, "shown": 90_000, "queries": 5, "pages": 6 });
        let items = ["2026-03-28", "2026-03-29"].map(day);
        let data = WidgetData {
            name: SEARCH.name.to_owned(),
            widget: &SEARCH,
            title: SEARCH.label.to_owned(),
            answer: WidgetAnswer::of(json!({
                "items": items,
                "data_state": "all", "meta": { "data_through": "2026-03-28" }
            })),
        };
        let drawn = drawn("search", &data).into_string();
        assert_eq!(
            drawn.matches("<svg class=\"picture\" role=\"img\"").count(),
            3,
            "{drawn}"
        );
        for (part, times) in [
            ("<title id=\"searchp0-title\">Search: Clicks</title>", 1),
            ("<title id=\"searchp1-title\">Search: Impressions</title>", 1),
            ("<title id=\"searchp2-title\">Search: Queries, Pages</title>", 1),
            ("<p class=\"note\">Clicks</p>", 1),
            ("<p class=\"note\">Number of each</p>", 1),
            (">100k<", 1),
            ("<rect class=\"provisional\"", 3),
            ("Shaded days, from 29 Mar 2026 on", 1),
        ] {
            assert_eq!(drawn.matches(part).count(), times, "{part} in {drawn}");
        }
    }

    fn bands(state: &str, through: Option<&str>) -> String {
        let day = |date: &str| json!({ "date": date, "top_3": 2, "rest": 8 });
        let days = ["2026-03-28", "2026-03-29", "2026-03-30", "2026-03-31"].map(day);
        let data = WidgetData {
            name: BANDS.name.to_owned(),
            widget: &BANDS,
            title: BANDS.label.to_owned(),
            answer: WidgetAnswer::of(
                json!({ "items": days, "data_state": state, "meta": { "data_through": through } }),
            ),
        };
        drawn("bands", &data).into_string()
    }

    /// By hand: of two weeks the second begins in the middle, and ends on 15 March.
    #[test]
    fn a_day_or_a_week_that_is_not_over_is_shaded() {
        let drawn_of = |starts: [&str; 2], end: &str, is_partial: bool| {
            let pieces = starts.map(|start| json!({ "bucket_start": start, "revenue": 5.0 }));
            let data = WidgetData {
                name: SALES.name.to_owned(),
                widget: &SALES,
                title: SALES.label.to_owned(),
                answer: WidgetAnswer::of(json!({
                    "items": pieces, "meta": { "range_end": end, "range_end_partial": is_partial }
                })),
            };
            drawn("sales", &data).into_string()
        };
        let weeks = ["2026-03-02T00:00:00Z", "2026-03-09T00:00:00Z"];
        let days = ["2026-03-10", "2026-03-11"];
        for shaded in [
            drawn_of(weeks, "2026-03-11", true),
            drawn_of(days, "2026-03-11", true),
        ] {
            for part in [
                "<rect class=\"provisional\" x=\"50%\"",
                "Shaded ground is not over",
            ] {
                assert!(shaded.contains(part), "{part} is not in {shaded}");
            }
        }
        for whole in [
            drawn_of(weeks, "2026-03-15", false),
            drawn_of(days, "2026-03-11", false),
            // Today has nothing yet, and is none of the places.
            drawn_of(days, "2026-03-12", true),
        ] {
            assert!(!whole.contains("provisional"), "{whole}");
        }
    }

    #[test]
    fn parts_of_a_whole_lie_on_top_of_each_other() {
        let drawn = bands("final", Some("2026-03-31"));
        assert_eq!(
            drawn.matches("class=\"fill ink-").count(),
            4,
            "two areas, and their legend: {drawn}"
        );
        for part in ["class=\"line", "provisional"] {
            assert!(!drawn.contains(part), "{part} is in {drawn}");
        }
    }

    #[test]
    fn days_after_the_last_final_one_are_shaded_and_said_to_be_provisional() {
        for (through, share, first) in [
            (Some("2026-03-29"), "50%", "30 Mar 2026"),
            (Some("2026-01-01"), "0%", "28 Mar 2026"),
            (None, "0%", "28 Mar 2026"),
        ] {
            let drawn = bands("all", through);
            let shade = format!("<rect class=\"provisional\" x=\"{share}\"");
            let note = format!("Shaded days, from {first} on, are provisional");
            for part in [shade, note] {
                assert!(drawn.contains(&part), "{part} is not in {drawn}");
            }
        }
        let all_final = bands("all", Some("2026-03-31"));
        assert!(!all_final.contains("provisional"), "{all_final}");
    }
}
