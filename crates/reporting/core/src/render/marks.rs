//! Lines in pictures over days: the releases and other events that a section lists.

use pharos_domain::report_widget::{ReportWidget, SectionName};
use serde_json::Value;
use time::Date;

use super::{day_of, labels::within_sentence, rows};
use crate::data::{SectionData, WidgetData};

/// How many letters of a name stand in a picture.
const MOST_LETTERS: usize = 20;

/// Something that happened on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    day: Date,
    /// The kind of the event, as it stands within a sentence.
    kind: String,
    name: String,
}

/// Whether a widget lists releases.
#[must_use]
pub fn lists_releases(section: SectionName, widget: &ReportWidget) -> bool {
    section == SectionName::Rum && widget.name == "releases"
}

/// A release as a list has it: its name, and the day on which it came.
pub(crate) fn release(row: &Value) -> Option<(&str, Date)> {
    let at = day_of(row.get("released_at")?.as_str()?)?;
    Some((row.get("name")?.as_str()?, at))
}

/// The releases that a section lists, the oldest first.
#[must_use]
pub fn marks(section: &SectionData) -> Vec<Mark> {
    let listed = section
        .widgets
        .iter()
        .find(|data| lists_releases(section.name, data.widget));
    let rows = listed.map(listed_rows).unwrap_or_default();
    // A list has the newest first.
    let found = rows.iter().rev().filter_map(release);
    let mark = |(name, day): (&str, Date)| Mark {
        day,
        kind: "release".to_owned(),
        name: name.to_owned(),
    };
    found.map(mark).collect()
}

/// The same with the events of search, the oldest first: updates of Google's ranking, errors of its counts, experiments and
/// releases. They are for pages that somebody looks at alone: a report has them in a table.
#[must_use]
pub fn happened(section: &SectionData) -> Vec<Mark> {
    if section.name != SectionName::Gsc {
        return marks(section);
    }
    let listed = section.widgets.iter().find(|data| data.widget.name == "updates");
    let rows = listed.map(listed_rows).unwrap_or_default();
    let text = |row: &Value, member: &str| Some(row.get(member)?.as_str()?.to_owned());
    let mark = |row: &Value| {
        Some(Mark {
            day: day_of(&text(row, "date")?)?,
            kind: within_sentence(&text(row, "kind")?),
            name: text(row, "label")?,
        })
    };
    rows.iter().filter_map(mark).collect()
}

fn listed_rows(data: &WidgetData) -> &[Value] {
    let whole = data.answer.data.as_ref();
    whole.map_or(&[], |whole| rows(data.widget, whole))
}

/// A line in a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Break<'a> {
    /// The place of its day.
    pub(super) place: usize,
    /// The kind of the last event of the day.
    pub(super) kind: &'a str,
    /// The name that stands beside it.
    pub(super) name: String,
}

/// The lines at the places of days. Several events of one day share one line.
pub(super) fn breaks<'a>(marks: &'a [Mark], days: &[Option<Date>]) -> Vec<Break<'a>> {
    let mut breaks = Vec::new();
    for of_day in marks.chunk_by(|one, other| one.day == other.day) {
        let [first, others @ ..] = of_day else { continue };
        let Some(place) = days.iter().position(|day| *day == Some(first.day)) else {
            continue;
        };
        let last = others.last().unwrap_or(first);
        let name = match others.len() {
            0 => short(&last.name),
            others => format!("{} (+{others})", short(&last.name)),
        };
        breaks.push(Break {
            place,
            kind: &last.kind,
            name,
        });
    }
    breaks
}

/// As much of a name as stands in a picture.
fn short(name: &str) -> String {
    match name.char_indices().nth(MOST_LETTERS) {
        None => name.to_owned(),
        Some((end, _)) => format!("{}…", &name[..end]),
    }
}

#[cfg(test)]
mod tests {
    use pharos_domain::report_widget::{DataField, Empty, FieldFormat, WidgetAnswer, WidgetKind};
    use serde_json::json;
    use time::macros::date;

    use super::*;

    const RELEASES: ReportWidget = ReportWidget {
        name: "releases",
        label: "",
        description: "",
        kind: WidgetKind::Table,
        default_enabled: true,
        config: &[],
        rows: Some("items"),
        fields: &[
            DataField::new("name", "Release", FieldFormat::Text),
            DataField::new("released_at", "Released", FieldFormat::Moment),
        ],
        empty: Empty::IsAnswer,
        measured_by: None,
    };

    fn section(name: SectionName, answer: WidgetAnswer) -> SectionData {
        SectionData {
            name,
            title: String::new(),
            widgets: vec![WidgetData {
                name: RELEASES.name.to_owned(),
                widget: &RELEASES,
                title: String::new(),
                answer,
            }],
        }
    }

    #[test]
    fn releases_of_a_day_are_one_line_with_the_last_name() {
        let item = |name: &str, at: &str| json!({ "name": name, "released_at": at });
        let answer = WidgetAnswer::of(json!({ "items": [
            item("a name of more than twenty letters", "2026-03-31T08:00:00Z"),
            item("2.4.1", "2026-03-12T18:00:00Z"),
            item("2.4.0", "2026-03-12T09:00:00Z"),
            item("2.3.9", "2026-03-02T09:00:00Z"),
        ] }));
        let found = marks(&section(SectionName::Rum, answer.clone()));
        assert_eq!(found.len(), 4);
        let days = [
            Some(date!(2026 - 03 - 11)),
            Some(date!(2026 - 03 - 12)),
            None,
            Some(date!(2026 - 03 - 31)),
        ];
        let line = |place: usize, name: &str| Break {
            place,
            kind: "release",
            name: name.to_owned(),
        };
        assert_eq!(
            breaks(&found, &days),
            [line(1, "2.4.1 (+1)"), line(3, "a name of more than …")],
            "the day of 2.3.9 is not there"
        );
        assert_eq!(happened(&section(SectionName::Rum, answer.clone())), found);
        assert!(marks(&section(SectionName::Gsc, answer)).is_empty());
        assert!(marks(&section(SectionName::Rum, WidgetAnswer::NO_DATA)).is_empty());
    }

    const UPDATES: ReportWidget = ReportWidget {
        name: "updates",
        rows: Some("annotations"),
        ..RELEASES
    };

    #[test]
    fn the_events_of_search_are_lines_on_pages_and_none_in_reports() {
        let event =
            |date: &str, kind: &str, label: &str| json!({ "date": date, "kind": kind, "label": label });
        let answer = WidgetAnswer::of(json!({ "annotations": [
            event("2026-03-12", "search_update", "Core update"),
            event("2026-03-14", "experiment", "New titles"),
            event("2026-03-14", "deploy", "2.4.1"),
        ] }));
        let mut section = section(SectionName::Gsc, answer);
        section.widgets[0].widget = &UPDATES;
        let found = happened(&section);
        let days = [Some(date!(2026 - 03 - 12)), Some(date!(2026 - 03 - 14))];
        let line = |place: usize, kind: &'static str, name: &str| Break {
            place,
            kind,
            name: name.to_owned(),
        };
        assert_eq!(
            breaks(&found, &days),
            [
                line(0, "search update", "Core update"),
                line(1, "deploy", "2.4.1 (+1)")
            ]
        );
        assert!(marks(&section).is_empty());
    }
}
