//! Lines in pictures over days: the releases that a section lists.

use pharos_domain::report_widget::{ReportWidget, SectionName};
use serde_json::Value;
use time::Date;

use super::{day_of, rows};
use crate::data::{SectionData, WidgetData};

/// How many letters of a name stand in a picture.
const MOST_LETTERS: usize = 20;

/// Something that happened on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    day: Date,
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
        name: name.to_owned(),
    };
    found.map(mark).collect()
}

fn listed_rows(data: &WidgetData) -> &[Value] {
    let whole = data.answer.data.as_ref();
    whole.map_or(&[], |whole| rows(data.widget, whole))
}

/// The places of days at which there are lines, each with what stands beside it. Several on one day share one line.
pub(super) fn breaks(marks: &[Mark], days: &[Option<Date>]) -> Vec<(usize, String)> {
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
        breaks.push((place, name));
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
        assert_eq!(
            breaks(&found, &days),
            [
                (1, "2.4.1 (+1)".to_owned()),
                (3, "a name of more than …".to_owned())
            ],
            "the day of 2.3.9 is not there"
        );
        assert!(marks(&section(SectionName::Gsc, answer)).is_empty());
        assert!(marks(&section(SectionName::Rum, WidgetAnswer::NO_DATA)).is_empty());
    }
}
