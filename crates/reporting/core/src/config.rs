//! Which sections and widgets a report has, in which order, and what was chosen of each.

use std::collections::HashSet;

use pharos_domain::{
    line::{is_one_line, is_unseen},
    report_widget::SectionName,
    settings::Faults,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    catalogue::{Catalogue, CatalogueSection},
    template::longer,
};

/// How many widgets a section may have.
pub const MOST_WIDGETS: usize = 50;
/// How many sections there may be.
pub const MOST_SECTIONS: usize = SectionName::ALL.len();
/// How long a title may be, in characters.
pub const TITLE_LENGTH: usize = 120;

/// The fault of a configuration that shows nothing.
pub const NOTHING: &str =
    "nothing is on: at least one section has to be on, with at least one widget that is";

/// Which sections and widgets a report has. The order of the arrays is the order of display.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ReportSectionsConfig))]
#[serde(deny_unknown_fields)]
pub struct SectionsConfig {
    /// The version of this form: 1.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 1))]
    pub version: u32,
    /// The sections, each once.
    #[cfg_attr(feature = "openapi", schema(min_items = 1, max_items = 14))]
    pub sections: Vec<SectionChoice>,
}

/// A section of a report.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ReportSectionChoice))]
#[serde(deny_unknown_fields)]
pub struct SectionChoice {
    /// A section of the catalogue.
    pub section: String,
    /// Whether it is shown.
    #[serde(default = "yes")]
    #[cfg_attr(feature = "openapi", schema(default = true))]
    pub enabled: bool,
    /// A title of one's own; null: the catalogue's label.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 120))]
    pub title: Option<String>,
    /// Its widgets, each once.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(max_items = 50))]
    pub widgets: Vec<WidgetChoice>,
}

/// A widget of a report.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ReportWidgetChoice))]
#[serde(deny_unknown_fields)]
pub struct WidgetChoice {
    /// A widget of the section in the catalogue.
    pub widget: String,
    /// Whether it is shown.
    #[serde(default = "yes")]
    #[cfg_attr(feature = "openapi", schema(default = true))]
    pub enabled: bool,
    /// A title of one's own; null: the catalogue's label.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 120))]
    pub title: Option<String>,
    /// The choices that were made for the widget: its fields of `config_schema`; those left out have their defaults.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Object, additional_properties = true))]
    pub config: Map<String, Value>,
}

pub(crate) const fn yes() -> bool {
    true
}

impl SectionsConfig {
    /// The version of the form that this Pharos reads and writes.
    pub const VERSION: u32 = 1;

    /// The sections that are shown, in their order. One of a name that this version does not know was stored by another.
    pub fn shown(&self) -> impl Iterator<Item = (SectionName, &SectionChoice)> {
        self.sections
            .iter()
            .filter(|choice| choice.enabled)
            .filter_map(|choice| Some((choice.section.parse::<SectionName>().ok()?, choice)))
    }

    /// Judges it against the catalogue: all faults at once.
    pub fn check(&self, catalogue: &Catalogue, faults: &mut Faults) {
        if self.version != Self::VERSION {
            faults.add("version", format!("{}, the only version there is", Self::VERSION));
        }
        faults.within("sections", |faults| {
            let mut seen = HashSet::new();
            for (at, choice) in self.sections.iter().enumerate().take(MOST_SECTIONS) {
                faults.within(at, |faults| {
                    if !seen.insert(choice.section.as_str()) {
                        faults.add("section", "a section stands once in a report");
                    }
                    check_title(choice.title.as_deref(), faults);
                    let section = catalogue.section(&choice.section);
                    if section.is_none() {
                        let known: Vec<&str> = catalogue
                            .sections()
                            .iter()
                            .map(|section| section.name.as_str())
                            .collect();
                        faults.add("section", format!("not one of {}", known.join(", ")));
                    }
                    choice.check_widgets(section, faults);
                });
            }
        });
        if !(1..=MOST_SECTIONS).contains(&self.sections.len()) {
            faults.add("sections", format!("1 to {MOST_SECTIONS} sections"));
        } else if !self.sections.iter().any(SectionChoice::is_on) {
            faults.add("sections", NOTHING);
        }
    }

    /// Whether nothing of it is shown: a report of it would be a blank page.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.shown().any(|(_, choice)| choice.is_on())
    }
}

impl SectionChoice {
    /// Whether it and one of its widgets are on.
    fn is_on(&self) -> bool {
        self.enabled && self.widgets.iter().any(|widget| widget.enabled)
    }

    /// Judges its widgets; those of an unknown section as far as can be told without the catalogue.
    fn check_widgets(&self, section: Option<&CatalogueSection>, faults: &mut Faults) {
        faults.within("widgets", |faults| {
            let mut seen = HashSet::new();
            for (at, choice) in self.widgets.iter().enumerate().take(MOST_WIDGETS) {
                faults.within(at, |faults| {
                    if !seen.insert(choice.widget.as_str()) {
                        faults.add("widget", "a widget stands once in a section");
                    }
                    check_title(choice.title.as_deref(), faults);
                    let Some(section) = section else { return };
                    match section.widget(&choice.widget) {
                        None => {
                            let known: Vec<&str> =
                                section.widgets.iter().map(|known| known.widget.name).collect();
                            faults.add("widget", format!("not one of {}", known.join(", ")));
                        }
                        Some(known) => {
                            faults.within("config", |faults| known.widget.judge(&choice.config, faults));
                        }
                    }
                });
            }
        });
        if self.widgets.len() > MOST_WIDGETS {
            faults.add("widgets", format!("at most {MOST_WIDGETS} widgets"));
        }
    }
}

/// One line of text with something in it that can be seen, and nothing that turns the direction of what follows it.
pub(crate) fn is_line(text: &str, most: usize) -> bool {
    let shows = text.chars().any(|one| one != ' ' && !is_unseen(one));
    shows && text.chars().count() <= most && is_one_line(text)
}

/// The fault of a text that is not such a line, as schemas say it where they see it.
pub(crate) fn line_fault(text: &str, most: usize) -> Option<String> {
    if is_line(text, most) {
        None
    } else if text.chars().count() > most {
        Some(longer(most))
    } else if text.chars().all(|one| one == ' ' || is_unseen(one)) {
        Some("empty".to_owned())
    } else {
        Some("not one line of plain text".to_owned())
    }
}

fn check_title(title: Option<&str>, faults: &mut Faults) {
    if let Some(fault) = title.and_then(|title| line_fault(title, TITLE_LENGTH)) {
        faults.add("title", fault);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn faults(config: Value) -> Vec<String> {
        let catalogue = Catalogue::new(Vec::new()).unwrap();
        let config: SectionsConfig = serde_json::from_value(config).unwrap();
        let mut faults = Faults::default();
        config.check(&catalogue, &mut faults);
        let found = faults.or(|| ()).err().unwrap_or_default();
        found.into_iter().map(|fault| fault.pointer).collect()
    }

    #[test]
    fn a_line_shows_what_it_says() {
        for line in ["Monthly", "\u{6708}\u{6b21}", "\u{1f468}\u{200d}\u{1f4bb}", " a "] {
            assert!(is_line(line, 120), "{line:?}");
        }
        for none in [
            "",
            " ",
            "\u{200b}",
            "\u{a0}\u{3164}",
            "a\nb",
            "a\u{2028}b",
            "\u{202e}a",
            "\u{2066}a",
        ] {
            assert!(!is_line(none, 120), "{none:?}");
        }
        assert!(is_line("ab", 2) && !is_line("abc", 2));
    }

    #[test]
    fn all_faults_are_told_each_where_it_is() {
        let text = json!({ "widget": "text", "config": { "text": "Hello" } });
        let sound = json!({ "version": 1, "sections": [
            { "section": "notes", "widgets": [text] }, { "section": "overview", "enabled": false }
        ] });
        assert_eq!(faults(sound), [""; 0]);
        let wrong = json!({ "version": 2, "sections": [
            { "section": "weather", "title": "", "widgets": [
                { "widget": "rain" }, { "widget": "rain", "title": "\n" }
            ] },
            { "section": "notes", "widgets": [
                { "widget": "text", "config": { "colour": "red", "text": 5 } },
                { "widget": "chart", "title": "x".repeat(121) },
                text,
            ] },
            { "section": "notes" },
        ] });
        assert_eq!(
            faults(wrong),
            [
                "/version",
                "/sections/0/title",
                "/sections/0/section",
                "/sections/0/widgets/1/widget",
                "/sections/0/widgets/1/title",
                "/sections/1/widgets/0/config/colour",
                "/sections/1/widgets/0/config/text",
                "/sections/1/widgets/1/title",
                "/sections/1/widgets/1/widget",
                "/sections/1/widgets/2/widget",
                "/sections/2/section",
            ]
        );
        assert_eq!(faults(json!({ "version": 1, "sections": [] })), ["/sections"]);
    }

    #[test]
    fn a_stored_configuration_of_which_this_version_shows_nothing_is_empty() {
        let is_empty = |sections: Value| {
            let config: SectionsConfig =
                serde_json::from_value(json!({ "version": 1, "sections": sections })).unwrap();
            config.is_empty()
        };
        let widgets = json!([{ "widget": "kpi_row" }]);
        assert!(is_empty(json!([])));
        assert!(is_empty(json!([{ "section": "uptime" }])));
        assert!(is_empty(json!([{ "section": "weather", "widgets": widgets }])));
        assert!(!is_empty(json!([
            { "section": "weather", "widgets": widgets },
            { "section": "uptime", "widgets": widgets }
        ])));
    }

    #[test]
    fn a_report_that_would_show_nothing_is_refused() {
        let text = json!({ "widget": "text", "config": { "text": "Hello" } });
        let off = json!({ "widget": "text", "enabled": false, "config": { "text": "Hello" } });
        for sections in [
            json!([{ "section": "notes", "enabled": false, "widgets": [text] }]),
            json!([{ "section": "notes" }, { "section": "overview", "widgets": [] }]),
            json!([{ "section": "notes", "widgets": [off] }]),
        ] {
            assert_eq!(
                faults(json!({ "version": 1, "sections": sections })),
                ["/sections"],
                "{sections}"
            );
        }
    }
}
