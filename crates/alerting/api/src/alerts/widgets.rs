//! The section `alerts` of reports.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_alerting::store::{AlertStore, Reach};
use pharos_domain::{
    identity::DomainAccess,
    module::Module,
    page::{ListKey, Page, PageRequest, Position},
    ports::{MissingPort, Ports},
    report_widget::{
        DataField, Empty, FieldFormat, LIMIT, ReportSection, ReportWidget, ReportWindow, SectionName,
        WidgetAnswer, WidgetKind, WidgetQuery,
    },
    window::{Meta, ResolvedWindow},
};
use pharos_http::{
    operation::ApiResult,
    widgets::{OperationWidgets, Reads},
};
use serde::Serialize;
use uuid::Uuid;

use super::{alert::AlertHistoryPublic, history};

const SECTIONS: &[ReportSection] = &[ReportSection {
    name: SectionName::Alerts,
    label: "Alerts",
    description: "Alerts that fired.",
    requires_module: Some(Module::Alerts),
    widgets: &[ReportWidget {
        name: "alert_list",
        label: "Alerts",
        description: "The alerts that fired in the window, the newest first.",
        kind: WidgetKind::Table,
        default_enabled: true,
        config: &[LIMIT],
        rows: Some("items"),
        fields: &[
            DataField::new("fired_at", "Fired", FieldFormat::Moment),
            DataField::new("resolved_at", "Resolved", FieldFormat::Moment),
            DataField::new("severity", "Severity", FieldFormat::Word),
            DataField::new("module", "Module", FieldFormat::Word),
            DataField::new("metric_label", "Metric", FieldFormat::Text),
            DataField::new("value", "Value", FieldFormat::Number),
            // A unit stands as it does behind values: the label of `min` is "At least".
            DataField::new("unit", "Unit", FieldFormat::Text),
            // By the operator a threshold is in the unit of the value, in percent or in deviations, which its label says.
            DataField::new("operator", "Condition", FieldFormat::Word),
            DataField::new("threshold_value", "Threshold", FieldFormat::Number),
            DataField::new("title", "Alert", FieldFormat::Text),
        ],
        empty: Empty::IsAnswer,
        measured_by: None,
    }],
}];

/// The alerts of a window, in the shape of the history.
#[derive(Serialize)]
struct AlertsOfWindow {
    items: Vec<AlertHistoryPublic>,
    meta: Meta,
}

/// Gives the data of the section `alerts`.
#[derive(Clone)]
pub struct AlertWidgets {
    alerts: Arc<dyn AlertStore>,
}

impl std::fmt::Debug for AlertWidgets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AlertWidgets").finish_non_exhaustive()
    }
}

impl AlertWidgets {
    /// The widgets on these ports.
    ///
    /// # Errors
    /// A port is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self { alerts: ports.get()? })
    }

    /// The newest alerts that fired in the window: the page of the history that begins where the window ends.
    async fn of_window(
        &self,
        domain: &DomainAccess,
        window: ResolvedWindow,
        limit: usize,
    ) -> ApiResult<AlertsOfWindow> {
        let page = PageRequest {
            limit,
            after: Some(Position {
                key: window.window.end(),
                id: Uuid::nil(),
            }),
            list: ListKey::new(history::SPEC.id, domain.id().0),
        };
        let found: Page<_> = self.alerts.list(Reach::Domain(domain), &page).await?;
        let since = window.window.start();
        let in_window = found
            .items
            .into_iter()
            .filter(|alert| alert.told.fired_at >= since);
        Ok(AlertsOfWindow {
            items: in_window.map(AlertHistoryPublic::from).collect(),
            meta: window.meta(None, None),
        })
    }
}

#[async_trait]
impl OperationWidgets for AlertWidgets {
    const SECTIONS: &'static [ReportSection] = SECTIONS;

    async fn one(
        &self,
        domain: &DomainAccess,
        window: &ReportWindow,
        widget: &WidgetQuery,
        reads: &mut Reads,
    ) -> WidgetAnswer {
        let limit = widget.limit().unwrap_or_default();
        let read = self.of_window(domain, window.resolved(Module::Alerts), limit);
        reads.answer(widget, format!("{limit} alerts"), read).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `ms`, `h` and `min` are no names that people read as words.
    #[test]
    fn units_stand_as_behind_values() {
        let mut fields = SECTIONS[0].widgets[0].fields.iter();
        let unit = fields.find(|field| field.path == "unit").unwrap();
        assert_eq!(unit.format, FieldFormat::Text);
    }

    /// A threshold of 20 is in percent or in deviations for some operators, whatever the unit of the value.
    #[test]
    fn the_unit_is_of_the_value_and_the_condition_of_the_threshold() {
        let fields = SECTIONS[0].widgets[0].fields.iter();
        let paths: Vec<&str> = fields.map(|field| field.path).collect();
        let figures = ["value", "unit", "operator", "threshold_value"];
        assert!(paths.windows(4).any(|some| some == figures), "{paths:?}");
    }
}
