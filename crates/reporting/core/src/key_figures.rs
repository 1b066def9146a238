//! The first figures of a report, for those who read no further than its mail.

use pharos_domain::report_widget::{SectionName, WidgetKind, at_path};
use serde_json::Value;

use crate::{
    data::{SectionData, WidgetData},
    format::ReportLocale,
    render::words,
    run::KeyFigure,
};

/// How many there are at most.
const MOST: usize = 6;

/// The first figure of each module whose headline figures the report has; where it has none, those at a glance.
pub(crate) fn key_figures(locale: ReportLocale, compares: bool, sections: &[SectionData]) -> Vec<KeyFigure> {
    let of = |is_glance: bool, most: usize| {
        let sections = sections
            .iter()
            .filter(|section| (section.name == SectionName::Overview) == is_glance);
        let figures = sections.flat_map(|section| {
            let widgets = section.widgets.iter();
            let headlines =
                widgets.filter(|data| data.widget.kind == WidgetKind::Kpi && data.name == "kpi_row");
            headlines.flat_map(move |data| figures(locale, compares, &section.title, data).take(most))
        });
        figures.collect::<Vec<(KeyFigure, bool)>>()
    };
    let modules = of(false, 1);
    foremost(if modules.is_empty() {
        of(true, MOST)
    } else {
        modules
    })
}

/// As many as there may be, in their order. Where there are too many, those are left out first that are never compared: they are of
/// now, or of what was set up, and not of the days of the report.
fn foremost(mut found: Vec<(KeyFigure, bool)>) -> Vec<KeyFigure> {
    let compared = found.iter().filter(|(_, is_compared)| *is_compared).count();
    let mut room = MOST.saturating_sub(compared);
    found.retain(|(_, is_compared)| {
        let stays = *is_compared || room > 0;
        room = room.saturating_sub(usize::from(!*is_compared));
        stays
    });
    found.into_iter().map(|(figure, _)| figure).take(MOST).collect()
}

/// The figures of a widget that were measured, and whether such a figure is one that is compared.
fn figures<'a>(
    locale: ReportLocale,
    compares: bool,
    section: &'a str,
    data: &'a WidgetData,
) -> impl Iterator<Item = (KeyFigure, bool)> + 'a {
    let measured = move |whole: &'a Value| {
        data.widget.fields.iter().filter_map(move |field| {
            let value = at_path(whole, field.path)?.as_f64()?;
            let currency = whole.get("currency").and_then(Value::as_str);
            let change = field.change.filter(|_| compares).and_then(|change| {
                let value = change.read(at_path(whole, change.path())?.as_f64()?);
                Some(words::change(locale, change, value))
            });
            let figure = KeyFigure {
                label: format!("{section}: {}", field.label),
                value: words::measured(locale, field.format, value, currency),
                change,
            };
            Some((figure, field.change.is_some()))
        })
    };
    data.answer.data.iter().flat_map(measured)
}

#[cfg(test)]
mod tests {
    use pharos_domain::report_widget::{
        Better, DataField, Empty, FieldChange, FieldFormat, ReportWidget, WidgetAnswer,
    };
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
            DataField::new("visitors", "Visitors", FieldFormat::Count)
                .with(FieldChange::Percent("visitors_change_pct"), Better::Higher),
            DataField::new("sessions", "Sessions", FieldFormat::Count),
        ],
        empty: Empty::NoData,
        measured_by: None,
    };

    fn section(name: SectionName, title: &str, answer: WidgetAnswer) -> SectionData {
        SectionData {
            name,
            title: title.to_owned(),
            widgets: vec![WidgetData {
                name: FIGURES.name.to_owned(),
                widget: &FIGURES,
                title: String::new(),
                answer,
            }],
        }
    }

    fn told(compares: bool, sections: &[SectionData]) -> Vec<String> {
        let figures = key_figures(ReportLocale::De, compares, sections);
        let line = |KeyFigure { label, value, change }: KeyFigure| {
            format!("{label} {value} {}", change.unwrap_or_default())
        };
        figures.into_iter().map(line).collect()
    }

    #[test]
    fn each_module_has_its_first_figure_and_the_glance_stands_in_for_none() {
        let data = json!({ "visitors": 1_200, "visitors_change_pct": -20.0, "sessions": 9 });
        let of = |name, title: &str| section(name, title, WidgetAnswer::of(data.clone()));
        let glance = of(SectionName::Overview, "Overview");
        let visits = of(SectionName::Analytics, "Visits");
        let silent = section(SectionName::Gsc, "Search", WidgetAnswer::NO_DATA);
        assert_eq!(
            told(true, &[glance.clone(), visits.clone(), silent]),
            ["Visits: Visitors 1.200 -20,0\u{a0}%"]
        );
        assert_eq!(told(false, &[visits]), ["Visits: Visitors 1.200 "]);
        assert_eq!(
            told(false, &[glance]),
            ["Overview: Visitors 1.200 ", "Overview: Sessions 9 "]
        );
        let unmeasured = json!({ "visitors": null, "sessions": 9 });
        let first = section(SectionName::Analytics, "Visits", WidgetAnswer::of(unmeasured));
        assert_eq!(told(true, &[first]), ["Visits: Sessions 9 "]);
    }

    #[test]
    fn of_too_many_those_go_that_are_never_compared() {
        const FILES: ReportWidget = ReportWidget {
            fields: &[DataField::new("files", "Files", FieldFormat::Count)],
            ..FIGURES
        };
        let data = json!({ "visitors": 1, "files": 2 });
        let days = |title: &str| section(SectionName::Analytics, title, WidgetAnswer::of(data.clone()));
        let now = |title: &str| {
            let mut section = days(title);
            section.widgets[0].widget = &FILES;
            section
        };
        let sections = [
            now("A"),
            days("B"),
            now("C"),
            now("D"),
            now("E"),
            now("F"),
            days("G"),
        ];
        assert_eq!(
            told(false, &sections),
            [
                "A: Files 2 ",
                "B: Visitors 1 ",
                "C: Files 2 ",
                "D: Files 2 ",
                "E: Files 2 ",
                "G: Visitors 1 "
            ]
        );
        assert_eq!(
            told(false, &["A", "B", "C", "D", "E", "F", "G"].map(days)).len(),
            MOST
        );
    }
}
