//! The choices of a template as they are stored. A newer node may have written members that this one does not know: it skips
//! them, and makes the report of the others. Choices of callers are read strictly, so that a misspelt member is a fault.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::{
    config::{SectionChoice, SectionsConfig, WidgetChoice, yes},
    template::Branding,
};

/// Sections and widgets as they are stored.
#[derive(Debug, Deserialize)]
pub struct StoredSections {
    version: u32,
    sections: Vec<StoredSection>,
}

#[derive(Debug, Deserialize)]
struct StoredSection {
    section: String,
    #[serde(default = "yes")]
    enabled: bool,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    widgets: Vec<StoredWidget>,
}

#[derive(Debug, Deserialize)]
struct StoredWidget {
    widget: String,
    #[serde(default = "yes")]
    enabled: bool,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    config: Map<String, Value>,
}

/// How reports look, as it is stored.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct StoredBranding {
    logo_url: Option<String>,
    accent_color: Option<String>,
}

impl From<StoredSections> for SectionsConfig {
    fn from(StoredSections { version, sections }: StoredSections) -> Self {
        Self {
            version,
            sections: sections.into_iter().map(SectionChoice::from).collect(),
        }
    }
}

impl From<StoredSection> for SectionChoice {
    fn from(stored: StoredSection) -> Self {
        let StoredSection {
            section,
            enabled,
            title,
            widgets,
        } = stored;
        Self {
            section,
            enabled,
            title,
            widgets: widgets.into_iter().map(WidgetChoice::from).collect(),
        }
    }
}

impl From<StoredWidget> for WidgetChoice {
    fn from(stored: StoredWidget) -> Self {
        let StoredWidget {
            widget,
            enabled,
            title,
            config,
        } = stored;
        Self {
            widget,
            enabled,
            title,
            config,
        }
    }
}

impl From<StoredBranding> for Branding {
    fn from(stored: StoredBranding) -> Self {
        let StoredBranding {
            logo_url,
            accent_color,
        } = stored;
        Self {
            logo_url,
            accent_color,
        }
    }
}

/// Reads sections that are stored within something else.
pub(crate) fn sections<'de, D: Deserializer<'de>>(stored: D) -> Result<SectionsConfig, D::Error> {
    StoredSections::deserialize(stored).map(SectionsConfig::from)
}

/// The same of how reports look.
pub(crate) fn branding<'de, D: Deserializer<'de>>(stored: D) -> Result<Branding, D::Error> {
    StoredBranding::deserialize(stored).map(Branding::from)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::run::ReportOrder;

    /// As a node of a later version writes it.
    fn newer() -> (Value, Value) {
        let widget = json!({ "widget": "kpi_row", "height": "tall" });
        let section = json!({ "section": "uptime", "widgets": [widget], "folded": true });
        let sections = json!({ "version": 1, "sections": [section], "columns": 2 });
        (sections, json!({ "accent_color": "#0a7f5c", "font": "Inter" }))
    }

    #[test]
    fn what_a_newer_node_writes_is_passed_over() {
        let (sections, branding) = newer();
        let order = json!({ "sections": sections, "locale": "en", "branding": branding, "compares": true });
        let order: ReportOrder = serde_json::from_value(order).unwrap();
        let widget = &order.sections.sections[0].widgets[0];
        assert_eq!((widget.widget.as_str(), widget.enabled), ("kpi_row", true));
        assert_eq!(order.branding.accent_color.as_deref(), Some("#0a7f5c"));
        // A node reads an order that it stored itself as it was.
        let again: ReportOrder = serde_json::from_value(serde_json::to_value(&order).unwrap()).unwrap();
        assert_eq!(again, order);
    }

    #[test]
    fn callers_may_send_nothing_that_is_not_known() {
        let (sections, branding) = newer();
        assert!(serde_json::from_value::<SectionsConfig>(sections).is_err());
        assert!(serde_json::from_value::<Branding>(branding).is_err());
    }
}
