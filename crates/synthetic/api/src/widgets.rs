//! The section `synthetic` of reports.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    clock::Clock,
    identity::DomainAccess,
    module::Module,
    ports::{MissingPort, Ports},
    report_widget::{
        DataField, Empty, FieldFormat, LIMIT, ReportSection, ReportWidget, ReportWindow, SectionName,
        WidgetAnswer, WidgetKind, WidgetQuery,
    },
};
use pharos_http::{
    extract::port::Port,
    widgets::{OperationWidgets, Reads},
};
use pharos_synthetic::store::LabStore;

use crate::{budgets, configured, overview};

const FIGURES: ReportWidget = ReportWidget {
    name: "kpi_row",
    label: "Lab tests now",
    description: "How many pages are tested, and how many budgets they exceed. It is of now and of the last 30 days, whatever the \
                  window.",
    kind: WidgetKind::Kpi,
    default_enabled: true,
    config: &[],
    rows: None,
    fields: &[
        DataField::new("urls_total", "Tracked URLs", FieldFormat::Count),
        DataField::new("runs_30d", "Tests in 30 days", FieldFormat::Count),
        DataField::new("failed_runs_30d", "Failed tests in 30 days", FieldFormat::Count),
        DataField::new("budgets_exceeded", "Budgets exceeded", FieldFormat::Count),
    ],
    empty: Empty::NoData,
    measured_by: None,
};

const SECTIONS: &[ReportSection] = &[ReportSection {
    name: SectionName::Synthetic,
    label: "Lab tests",
    description: "How fast pages are in the lab, and how they are judged.",
    requires_module: Some(Module::Synthetic),
    widgets: &[
        FIGURES,
        ReportWidget {
            name: "scores",
            label: "Pages in the lab",
            description: "The newest test of each tracked URL on each of its profiles, whatever the window.",
            kind: WidgetKind::Table,
            config: &[LIMIT],
            rows: Some("items"),
            fields: &[
                DataField::new("url", "Page", FieldFormat::Text),
                DataField::new("label", "Name", FieldFormat::Text),
                DataField::new("profile_id", "Profile", FieldFormat::Word),
                DataField::new("last_status", "State", FieldFormat::Word),
                DataField::new("budget_status", "Budgets", FieldFormat::Word),
                DataField::new("performance_score", "Performance", FieldFormat::Count),
                DataField::new("score_change", "Change of it", FieldFormat::Number),
                DataField::new("accessibility_score", "Accessibility", FieldFormat::Count),
                DataField::new("best_practices_score", "Best practices", FieldFormat::Count),
                DataField::new("seo_score", "SEO", FieldFormat::Count),
                DataField::new("last_run_at", "Tested", FieldFormat::Moment),
            ],
            ..FIGURES
        },
        ReportWidget {
            name: "metrics",
            label: "Load times in the lab",
            description: "The metrics of the newest test of each tracked URL on each of its profiles, whatever the window.",
            kind: WidgetKind::Table,
            default_enabled: false,
            config: &[LIMIT],
            rows: Some("items"),
            fields: &[
                DataField::new("url", "Page", FieldFormat::Text),
                DataField::new("profile_id", "Profile", FieldFormat::Word),
                DataField::new("fcp_ms", "FCP", FieldFormat::Millis),
                DataField::new("lcp_ms", "LCP", FieldFormat::Millis),
                DataField::new("tbt_ms", "TBT", FieldFormat::Millis),
                DataField::new("cls", "CLS", FieldFormat::Score),
                DataField::new("speed_index_ms", "Speed Index", FieldFormat::Millis),
                DataField::new("ttfb_ms", "TTFB", FieldFormat::Millis),
            ],
            ..FIGURES
        },
        ReportWidget {
            name: "budgets",
            label: "Budgets",
            description: "The budgets, and how they stand now.",
            kind: WidgetKind::Table,
            config: &[LIMIT],
            rows: Some("items"),
            fields: &[
                DataField::new("metric", "Metric", FieldFormat::Word),
                DataField::new("scope", "Pages", FieldFormat::Word),
                DataField::new("profile_id", "Profile", FieldFormat::Word),
                DataField::new("direction", "Bound", FieldFormat::Word),
                DataField::new("limit", "Limit", FieldFormat::OfMetric),
                DataField::new("last_value", "Newest value", FieldFormat::OfMetric),
                DataField::new("last_result", "State", FieldFormat::Word),
            ],
            empty: Empty::IsAnswer,
            ..FIGURES
        },
    ],
}];

/// Gives the data of the section `synthetic`.
#[derive(Clone)]
pub struct LabWidgets {
    store: Arc<dyn LabStore>,
    clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for LabWidgets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LabWidgets").finish_non_exhaustive()
    }
}

impl LabWidgets {
    /// The widgets on these ports.
    ///
    /// # Errors
    /// A port is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self {
            store: ports.get()?,
            clock: ports.get()?,
        })
    }
}

#[async_trait]
impl OperationWidgets for LabWidgets {
    const SECTIONS: &'static [ReportSection] = SECTIONS;

    async fn one(
        &self,
        domain: &DomainAccess,
        _: &ReportWindow,
        widget: &WidgetQuery,
        reads: &mut Reads,
    ) -> WidgetAnswer {
        let (access, store) = (domain.clone(), Port(Arc::clone(&self.store)));
        match widget.widget.name {
            "kpi_row" | "scores" | "metrics" => {
                let read = overview::view(access, store, Port(Arc::clone(&self.clock)));
                reads.answer(widget, "overview", read).await
            }
            "budgets" => {
                let read = async {
                    configured(&*self.store, domain).await?;
                    budgets::list::list(access, store).await
                };
                reads.answer(widget, "budgets", read).await
            }
            _ => WidgetAnswer::unavailable(None),
        }
    }
}
