//! The faults of a template at the fields of its form.

use pharos_domain::{
    credits::SettleError,
    settings::{ChangeError, SettingFault},
};
use pharos_reporting::{config::SectionsConfig, store::TemplateError};

use crate::{parts::form::Faults, refusal::Refusal, reports::one::sentence};

/// The field of all sections together.
pub(super) const SECTIONS: &str = "sections";

/// Where each fault stands in the form. Places in lists are those of `sections`.
pub(super) fn at_fields(found: Vec<SettingFault>, sections: &SectionsConfig) -> Faults {
    let mut faults = Faults::default();
    for fault in found {
        let path: Vec<&str> = fault.pointer.split('/').skip(1).collect();
        let why = match path.last() {
            Some(member) => format!("{}: {}", member.replace('_', " "), fault.detail),
            None => fault.detail,
        };
        faults.add(field(&path, sections), sentence(&why));
    }
    faults
}

/// The form's faults behind a failure to store; any other failure refuses the page.
pub(super) fn faults_of(error: TemplateError, sections: &SectionsConfig) -> Result<Faults, Refusal> {
    let mut faults = Faults::default();
    match error {
        TemplateError::NameTaken => {
            faults.add(
                "name",
                "The domain has a report of this name already, whatever the case.",
            );
            Ok(faults)
        }
        TemplateError::Change(ChangeError::Faults(found)) => Ok(at_fields(found, sections)),
        TemplateError::Change(ChangeError::Quota(full)) => {
            faults.add("name", sentence(&full.to_string()));
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
            let faults = at_fields(vec![SettingFault::new(pointer, "1 to 100")], &sections);
            assert!(faults.of(expected).is_some(), "{pointer}: {faults:?}");
        }
        let faults = at_fields(vec![SettingFault::new("/branding/logo_url", "no URL")], &sections);
        assert_eq!(faults.of("logo_url"), Some("Logo url: no URL."));
    }
}
