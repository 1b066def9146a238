//! The port by which a group gives the data of its widgets.

use async_trait::async_trait;
use serde_json::{Map, Value};

use super::{ReportSection, ReportWidget, ReportWindow, SectionName, WidgetStatus};
use crate::{identity::DomainAccess, problem::Suffix};

/// Gives sections to the catalogue of reports, and the data of their widgets. Its figures are those of the group's own
/// operations: it asks the ports that they ask, and answers in their shapes.
#[async_trait]
pub trait WidgetSource: Send + Sync {
    /// Its sections. Widgets that can't be answered stand in no catalogue.
    fn sections(&self) -> &'static [ReportSection];

    /// Answers widgets of its sections over a window, one answer each, in their order. Data that several of them show are read
    /// once.
    async fn read(
        &self,
        domain: &DomainAccess,
        window: &ReportWindow,
        widgets: &[WidgetQuery],
    ) -> Vec<WidgetAnswer>;
}

/// Asks for a widget.
#[derive(Clone, Debug)]
pub struct WidgetQuery {
    /// The section that it stands in.
    pub section: SectionName,
    /// The widget.
    pub widget: &'static ReportWidget,
    /// The chosen options: a value for each field of its configuration.
    pub config: Map<String, Value>,
}

impl WidgetQuery {
    /// How many rows were asked for; `None` where the widget has no such choice.
    #[must_use]
    pub fn limit(&self) -> Option<usize> {
        let limit = self.config.get("limit").and_then(Value::as_u64)?;
        usize::try_from(limit).ok()
    }

    /// The option of a field that was chosen; empty where the widget has no such field.
    #[must_use]
    pub fn chosen(&self, field: &str) -> &str {
        self.config.get(field).and_then(Value::as_str).unwrap_or_default()
    }

    /// The option of a field that narrows down what is shown; `None` where all is, or where the widget has no such field.
    #[must_use]
    pub fn narrowed(&self, field: &str) -> Option<&str> {
        Some(self.chosen(field)).filter(|chosen| !matches!(*chosen, "" | "all"))
    }
}

/// The data of a widget, or why there is none.
#[derive(Clone, Debug, PartialEq)]
pub struct WidgetAnswer {
    /// Whether there is any.
    pub status: WidgetStatus,
    /// The fields of the widget, in the shape of its module's answers; `None` but for `ok`.
    pub data: Option<Value>,
    /// Why the module failed.
    pub error: Option<Suffix>,
}

impl WidgetAnswer {
    /// Nothing was recorded in the window.
    pub const NO_DATA: Self = Self {
        status: WidgetStatus::NoData,
        data: None,
        error: None,
    };

    /// The domain has no configuration of the module.
    pub const NOT_CONFIGURED: Self = Self {
        status: WidgetStatus::NotConfigured,
        data: None,
        error: None,
    };

    /// There are data.
    #[must_use]
    pub const fn of(data: Value) -> Self {
        Self {
            status: WidgetStatus::Ok,
            data: Some(data),
            error: None,
        }
    }

    /// Whether the module failed or was late, so that nobody knows what it has.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.error.is_some_and(|error| error.status() >= 500)
    }

    /// The module is not there, or says why it can't answer.
    #[must_use]
    pub const fn unavailable(error: Option<Suffix>) -> Self {
        Self {
            status: WidgetStatus::ModuleUnavailable,
            data: None,
            error,
        }
    }
}
