//! The faults of a template at the fields of its form.

use pharos_domain::{
    credits::SettleError,
    report_widget::ReportWidget,
    settings::{ChangeError, SettingFault},
};
use pharos_reporting::{catalogue::Catalogue, config::SectionsConfig, store::TemplateError};

use super::fields;
use crate::{
    parts::form::{Faults, SEEN},
    refusal::Refusal,
};

/// The field of all sections together.
pub(super) const SECTIONS: &str = "sections";

/// Where each fault stands in the form, by the label that its field has there. Places in lists are those of `sections`.
pub(super) fn at_fields(
    found: Vec<SettingFault>,
    sections: &SectionsConfig,
    catalogue: &Catalogue,
) -> Faults {
    let mut faults = Faults::default();
    for fault in found {
        let path: Vec<&str> = fault.pointer.split('/').skip(1).collect();
        let field = field(&path, sections);
        if field == SEEN {
            faults.add(field, fault.detail);
            continue;
        }
        match (label(&field, catalogue), path.last()) {
            (Some(label), _) => {
                let listed = format!("{label}: {}", fault.detail);
                faults.add_labelled(field, &fault.detail, &listed);
            }
            // It stands below no label of its own.
            (None, Some(member)) => {
                let why = format!("{}: {}", member.replace('_', " "), fault.detail);
                faults.add(field, why);
            }
            (None, None) => faults.add(field, fault.detail),
        }
    }
    faults
}

/// The label of a field; `None`: it is a group of fields, or a box to tick.
fn label(field: &str, catalogue: &Catalogue) -> Option<String> {
    let parts: Vec<&str> = field.split('.').collect();
    match *parts.as_slice() {
        [name] => fields::label(name).map(str::to_owned),
        ["title", section] => Some(format!("{}, title", catalogue.section(section)?.label)),
        ["title", section, name] => Some(format!("{}, title", widget(catalogue, section, name)?.label)),
        ["config", section, name, field] => {
            let widget = widget(catalogue, section, name)?;
            let known = widget.config.iter().find(|known| known.field == field)?;
            Some(format!("{}, {}", widget.label, known.label))
        }
        _ => None,
    }
}

fn widget(catalogue: &Catalogue, section: &str, name: &str) -> Option<&'static ReportWidget> {
    let known = catalogue.section(section)?.widget(name)?;
    Some(known.widget)
}

/// The form's faults behind a failure to store; any other failure refuses the page.
pub(super) fn faults_of(
    error: TemplateError,
    sections: &SectionsConfig,
    catalogue: &Catalogue,
) -> Result<Faults, Refusal> {
    let mut faults = Faults::default();
    match error {
        TemplateError::NameTaken => {
            faults.add(
                "name",
                "The domain has a report of this name already, whatever the case.",
            );
            Ok(faults)
        }
        TemplateError::Change(ChangeError::Faults(found)) => Ok(at_fields(found, sections, catalogue)),
        TemplateError::Change(ChangeError::Quota(full)) => {
            faults.add("name", full.to_string());
            Ok(faults)
        }
        TemplateError::Change(ChangeError::Unsettled(error)) => Err(unsettled(error)),
    }
}

/// A change at the console costs nothing, so nothing but the store keeps it from being settled.
pub(super) fn unsettled(error: SettleError) -> Refusal {
    match error {
        SettleError::Store(error) => error.into(),
        error => {
            tracing::error!(%error, "a report can't be changed at the console");
            Refusal::Internal
        }
    }
}

fn field(path: &[&str], sections: &SectionsConfig) -> String {
    match path {
        ["sections_config", "sections", at, rest @ ..] => {
            in_section(at, rest, sections).unwrap_or_else(|| SECTIONS.to_owned())
        }
        ["sections_config", ..] => SECTIONS.to_owned(),
        [.., member] => (*member).to_owned(),
        [] => "name".to_owned(),
    }
}

fn in_section(at: &str, rest: &[&str], config: &SectionsConfig) -> Option<String> {
    let section = config.sections.get(at.parse::<usize>().ok()?)?;
    let name = &section.section;
    Some(match rest {
        ["widgets", at, rest @ ..] => {
            let widget = &section.widgets.get(at.parse::<usize>().ok()?)?.widget;
            match rest {
                ["title"] => format!("title.{name}.{widget}"),
                ["config", field] => format!("config.{name}.{widget}.{field}"),
                _ => format!("on.{name}.{widget}"),
            }
        }
        ["title"] => format!("title.{name}"),
        _ => format!("on.{name}"),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_fault_stands_at_its_field() {
        let catalogue = Catalogue::new(Vec::new()).unwrap();
        let sections: SectionsConfig = serde_json::from_value(json!({ "version": 1, "sections": [
            { "section": "overview", "widgets": [] },
            { "section": "uptime", "widgets": [{ "widget": "kpi_row" }, { "widget": "incident_list" }] },
        ] }))
        .unwrap();
        for (pointer, expected) in [
            ("/name", "name"),
            ("", "name"),
            ("/branding/logo_url", "logo_url"),
            ("/schedule/timezone", "timezone"),
            ("/sections_config/version", "sections"),
            ("/sections_config/sections", "sections"),
            ("/sections_config/sections/7/title", "sections"),
            ("/sections_config/sections/1/title", "title.uptime"),
            ("/sections_config/sections/0/section", "on.overview"),
            (
                "/sections_config/sections/1/widgets/0/widget",
                "on.uptime.kpi_row",
            ),
            (
                "/sections_config/sections/1/widgets/0/title",
                "title.uptime.kpi_row",
            ),
            (
                "/sections_config/sections/1/widgets/1/config/limit",
                "config.uptime.incident_list.limit",
            ),
        ] {
            let faults = at_fields(
                vec![SettingFault::new(pointer, "1 to 100")],
                &sections,
                &catalogue,
            );
            assert!(faults.of(expected).is_some(), "{pointer}: {faults:?}");
        }
    }

    #[test]
    fn a_fault_is_listed_by_the_label_of_its_field() {
        let catalogue = Catalogue::new(Vec::new()).unwrap();
        let sections: SectionsConfig = serde_json::from_value(json!({ "version": 1, "sections": [
            { "section": "notes", "widgets": [{ "widget": "text" }] },
        ] }))
        .unwrap();
        for (pointer, field, at_field, listed) in [
            ("/branding/logo_url", "logo_url", "No URL.", "Logo: no URL."),
            (
                "/branding/accent_color",
                "accent_color",
                "No URL.",
                "Colour: no URL.",
            ),
            ("/default_period", "default_period", "No URL.", "Days: no URL."),
            (
                "/schedule/timezone",
                "timezone",
                "No URL.",
                "Time zone of its readers: no URL.",
            ),
            (
                "/sections_config/sections/0/title",
                "title.notes",
                "No URL.",
                "Notes, title: no URL.",
            ),
            (
                "/sections_config/sections/0/widgets/0/config/text",
                "config.notes.text.text",
                "No URL.",
                "Text, Text: no URL.",
            ),
            // The whole list, and a box, have no label above their faults.
            (
                "/sections_config/version",
                "sections",
                "Version: no URL.",
                "Version: no URL.",
            ),
            (
                "/sections_config/sections/0/widgets/0/widget",
                "on.notes.text",
                "Widget: no URL.",
                "Widget: no URL.",
            ),
        ] {
            let faults = at_fields(vec![SettingFault::new(pointer, "no URL")], &sections, &catalogue);
            assert_eq!(faults.of(field), Some(at_field), "{pointer}");
            assert_eq!(faults.all().collect::<Vec<_>>(), [listed], "{pointer}");
        }
    }
}
