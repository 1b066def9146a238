//! The section `overview` of reports.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_account::reporters::ModuleReporters;
use pharos_domain::{
    identity::DomainAccess,
    module::Module,
    ports::{MissingPort, Ports},
    report_widget::{
        Better, DataField, Empty, FieldChange, FieldFormat, ReportSection, ReportWidget, ReportWindow,
        SectionName, WidgetAnswer, WidgetKind, WidgetQuery,
    },
};
use pharos_http::widgets::{OperationWidgets, Reads};

use super::{health::DomainHealthPublic, overview::DomainOverviewPublic, window::OverviewWindow};

const FIGURES: ReportWidget = ReportWidget {
    name: "kpi_row",
    label: "At a glance",
    description: "The first figures of each module over the window.",
    kind: WidgetKind::Kpi,
    default_enabled: true,
    config: &[],
    rows: None,
    fields: &[
        DataField::new("uptime.uptime_pct", "Availability", FieldFormat::Percent),
        DataField::new("analytics.visitors", "Visitors", FieldFormat::Count).with(
            FieldChange::Percent("comparison.analytics.visitors.change_pct"),
            Better::Higher,
        ),
        DataField::new("analytics.pageviews", "Page views", FieldFormat::Count).with(
            FieldChange::Percent("comparison.analytics.pageviews.change_pct"),
            Better::Higher,
        ),
        DataField::new("analytics.bounce_rate_pct", "Bounce rate", FieldFormat::Percent).with(
            FieldChange::Points("comparison.analytics.bounce_rate_pct.change"),
            Better::Lower,
        ),
        DataField::new(
            "rum.mobile.lcp_ms",
            "LCP of visitors, mobile",
            FieldFormat::Millis,
        ),
        DataField::new(
            "rum.desktop.lcp_ms",
            "LCP of visitors, desktop",
            FieldFormat::Millis,
        ),
        DataField::new(
            "uptime.ssl_days_remaining",
            "Days left of the certificate",
            FieldFormat::Days,
        ),
        DataField::new(
            "uptime.domain_days_remaining",
            "Days left of the registration",
            FieldFormat::Days,
        ),
    ],
    empty: Empty::NoData,
    measured_by: None,
};

const SECTIONS: &[ReportSection] = &[ReportSection {
    name: SectionName::Overview,
    label: "Overview",
    description: "All modules at a glance.",
    requires_module: None,
    widgets: &[
        FIGURES,
        ReportWidget {
            name: "health",
            label: "Health",
            description: "The score of each module over the window, 0 to 100, beside that of as many days before.",
            kind: WidgetKind::Table,
            rows: Some("modules"),
            fields: &[
                DataField::new("module", "Module", FieldFormat::Module),
                DataField::new("status", "Status", FieldFormat::Word),
                DataField::new("score", "Score", FieldFormat::Number),
                DataField::new("score_previous", "Before", FieldFormat::Number),
            ],
            ..FIGURES
        },
    ],
}];

/// Gives the data of widgets that show all modules.
#[derive(Clone, Debug)]
pub struct OverviewWidgets {
    reporters: Arc<ModuleReporters>,
}

impl OverviewWidgets {
    /// The widgets on these ports.
    ///
    /// # Errors
    /// A port is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self {
            reporters: ports.get()?,
        })
    }
}

#[async_trait]
impl OperationWidgets for OverviewWidgets {
    const SECTIONS: &'static [ReportSection] = SECTIONS;

    async fn one(
        &self,
        domain: &DomainAccess,
        window: &ReportWindow,
        widget: &WidgetQuery,
        reads: &mut Reads,
    ) -> WidgetAnswer {
        let resolved = window.resolved(Module::Platform);
        match widget.widget.name {
            "kpi_row" => {
                // Its figures stand beside those of the modules, which the report compares with these days.
                let before = window.comparison(&resolved);
                let before = before.unwrap_or_else(|| resolved.preceding());
                let window = OverviewWindow::against(resolved, &before);
                let read = async {
                    let reports = self
                        .reporters
                        .collect(domain, |reporter| reporter.overview(domain, &window.windows));
                    Ok(DomainOverviewPublic::new(domain, &window, reports.await))
                };
                reads.answer(widget, "overview", read).await
            }
            "health" => {
                let window = OverviewWindow::new(resolved);
                let read = async {
                    let reports = self
                        .reporters
                        .collect(domain, |reporter| reporter.health(domain, &window.windows));
                    Ok(DomainHealthPublic::new(domain.id(), &window, reports.await))
                };
                reads.answer(widget, "health", read).await
            }
            _ => WidgetAnswer::unavailable(None),
        }
    }
}
