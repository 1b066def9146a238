//! The catalogue: the sections and widgets of all groups, and those of reports themselves.

use std::{sync::Arc, time::Duration};

use pharos_domain::{
    module::Module,
    report_widget::{ReportSection, ReportWidget, SectionName, WidgetSource},
};

use crate::{
    config::{SectionChoice, SectionsConfig, WidgetChoice},
    data::SECTION_WITHIN,
    own, pages, summary,
};

/// The sections and widgets that reports may have.
#[derive(Clone)]
pub struct Catalogue {
    pub(crate) sources: Vec<Arc<dyn WidgetSource>>,
    sections: Vec<CatalogueSection>,
    /// How long a source may take for what a section asks of it.
    pub(crate) section_within: Duration,
}

impl std::fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Catalogue")
            .field("sections", &self.sections)
            .finish_non_exhaustive()
    }
}

/// A section, with the widgets of all who give some.
#[derive(Clone, Debug)]
pub struct CatalogueSection {
    /// The name by which templates take it.
    pub name: SectionName,
    /// Its name for people.
    pub label: &'static str,
    /// One sentence: what it is about.
    pub description: &'static str,
    /// The module without which it has no data.
    pub requires_module: Option<Module>,
    /// The widgets that it may have.
    pub widgets: Vec<CatalogueWidget>,
}

/// A widget, and who answers it.
#[derive(Clone, Copy, Debug)]
pub struct CatalogueWidget {
    /// The widget.
    pub widget: &'static ReportWidget,
    pub(crate) origin: Origin,
}

/// Who answers a widget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A source, by its place.
    Source(usize),
    /// Reports themselves.
    Own,
}

/// Two groups give a section a widget of one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("two groups give the section {section} a widget {widget}")]
pub struct WidgetConflict {
    section: SectionName,
    widget: &'static str,
}

impl Catalogue {
    /// The catalogue of these sources. Sections stand in the order of their names' declaration; one that nobody gives is not in
    /// it.
    ///
    /// # Errors
    /// Two widgets have one name.
    pub fn new(sources: Vec<Arc<dyn WidgetSource>>) -> Result<Self, WidgetConflict> {
        let mut sections = Vec::new();
        for name in SectionName::ALL {
            let own = own::SECTIONS.iter().map(|section| (Origin::Own, section));
            let given = sources.iter().enumerate().flat_map(|(at, source)| {
                let sections = source.sections().iter();
                sections.map(move |section| (Origin::Source(at), section))
            });
            let closing = own::CLOSING.iter().map(|section| (Origin::Own, section));
            let found: Vec<(Origin, &ReportSection)> = own
                .chain(given)
                .chain(closing)
                .filter(|(_, section)| section.name == *name)
                .collect();
            let Some((_, first)) = found.last() else { continue };
            let mut widgets: Vec<CatalogueWidget> = Vec::new();
            for (origin, section) in &found {
                for widget in section.widgets {
                    if widgets.iter().any(|known| known.widget.name == widget.name) {
                        return Err(WidgetConflict {
                            section: *name,
                            widget: widget.name,
                        });
                    }
                    widgets.push(CatalogueWidget {
                        widget,
                        origin: *origin,
                    });
                }
            }
            sections.push(CatalogueSection {
                name: *name,
                label: first.label,
                description: first.description,
                requires_module: first.requires_module,
                widgets,
            });
        }
        Ok(Self {
            sources,
            sections,
            section_within: SECTION_WITHIN,
        })
    }

    /// The same, in which each section may take so long.
    #[must_use]
    pub fn within(self, section_within: Duration) -> Self {
        Self {
            section_within,
            ..self
        }
    }

    /// All sections, in the order of the ready-made configuration.
    #[must_use]
    pub fn sections(&self) -> &[CatalogueSection] {
        &self.sections
    }

    /// A section by its name.
    #[must_use]
    pub fn section(&self, name: &str) -> Option<&CatalogueSection> {
        self.sections.iter().find(|section| section.name.as_str() == name)
    }

    /// The widgets that the summary and the pages side by side take their figures from, as far as nobody gives them, and the columns that
    /// they take, as far as these widgets have none such. There is none, or sentences and figures are missing without a word.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        let looked_at = summary::LOOKED_AT.iter().flat_map(|(section, widgets)| {
            widgets
                .iter()
                .map(move |widget| (*section, *widget, Vec::<&str>::new()))
        });
        let parts = pages::PARTS.iter().map(|part| {
            let columns = std::iter::once(part.page).chain(part.taken.iter().copied());
            (part.section, part.widget, columns.collect::<Vec<&str>>())
        });
        let mut missing = Vec::new();
        for (section, name, columns) in looked_at.chain(parts) {
            let found = self.section(section.as_str());
            let Some(known) = found.and_then(|found| found.widget(name)) else {
                missing.push(format!("{section}/{name}"));
                continue;
            };
            let lacks = |column: &&str| known.widget.fields.iter().all(|field| field.path != *column);
            let lacking = columns.iter().filter(|column| lacks(column));
            missing.extend(lacking.map(|column| format!("{section}/{name}/{column}")));
        }
        missing
    }

    /// All that a module has to show: each of its sections with every widget that needs nothing from an owner.
    #[must_use]
    pub fn of_module(&self, module: Module) -> SectionsConfig {
        let mut config = self.ready_made();
        config.sections.retain(|choice| {
            let section = self.section(&choice.section);
            section.is_some_and(|section| section.requires_module == Some(module))
        });
        for widget in config
            .sections
            .iter_mut()
            .flat_map(|section| &mut section.widgets)
        {
            widget.enabled = true;
        }
        config
    }

    /// The ready-made configuration: every section on, and of their widgets the usual ones.
    #[must_use]
    pub fn ready_made(&self) -> SectionsConfig {
        let widgets = |section: &CatalogueSection| {
            let usual = section.widgets.iter().map(|known| WidgetChoice {
                widget: known.widget.name.to_owned(),
                enabled: known.widget.default_enabled,
                title: None,
                config: known
                    .widget
                    .complete(&serde_json::Map::new())
                    .into_iter()
                    .filter(|(_, value)| !value.is_null())
                    .collect(),
            });
            usual
                // A widget that needs something from its owner can't be ready-made.
                .filter(|choice| {
                    section.widget(&choice.widget).is_some_and(|known| {
                        known.widget.config.iter().all(|field| !field.required)
                    })
                })
                .collect()
        };
        SectionsConfig {
            version: SectionsConfig::VERSION,
            sections: self
                .sections
                .iter()
                .map(|section| SectionChoice {
                    section: section.name.as_str().to_owned(),
                    enabled: true,
                    title: None,
                    widgets: widgets(section),
                })
                .collect(),
        }
    }
}

impl CatalogueSection {
    /// A widget by its name.
    #[must_use]
    pub fn widget(&self, name: &str) -> Option<&CatalogueWidget> {
        self.widgets.iter().find(|known| known.widget.name == name)
    }
}
