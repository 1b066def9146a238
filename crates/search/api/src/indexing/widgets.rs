//! The section `indexing` of reports.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    clock::Clock,
    identity::DomainAccess,
    module::Module,
    page::{ListKey, PageRequest},
    ports::{MissingPort, Ports},
    report_widget::{
        ConfigField, DataField, Empty, FieldFormat, LIMIT, ReportSection, ReportWidget, ReportWindow,
        SectionName, WidgetAnswer, WidgetKind, WidgetQuery,
    },
};
use pharos_http::{
    extract::{port::Port, window::Days},
    widgets::{OperationWidgets, Reads, parameters},
};
use pharos_search::indexing::store::{reads::IndexingReads, urls::IndexingUrls};
use serde_json::json;

use super::{changes, overview, timeseries};

const FIGURES: ReportWidget = ReportWidget {
    name: "kpi_row",
    label: "Google's index now",
    description: "How many monitored URLs are in Google's index. It is of now and of the last 7 days, whatever the window; a URL that was \
                  inspected for the first time in them counts as a change.",
    kind: WidgetKind::Kpi,
    default_enabled: true,
    config: &[],
    rows: None,
    fields: &[
        DataField::new("urls_monitored", "Monitored URLs", FieldFormat::Count),
        DataField::new("urls_inspected", "Inspected", FieldFormat::Count),
        DataField::new("indexed", "In the index", FieldFormat::Count),
        DataField::new("indexed_change", "Change in 7 days", FieldFormat::Difference),
        DataField::new("indexed_pct", "Share in the index", FieldFormat::Percent),
        DataField::new("not_indexed", "Not in the index", FieldFormat::Count),
        DataField::new(
            "canonical_mismatches",
            "Another canonical page",
            FieldFormat::Count,
        ),
        DataField::new("rich_result_errors", "Errors in rich results", FieldFormat::Count),
        DataField::new("newest_inspection_at", "Inspected last", FieldFormat::Moment),
    ],
    empty: Empty::NoData,
    measured_by: None,
};

const SECTION: ReportSection = ReportSection {
    name: SectionName::Indexing,
    label: "Google's index",
    description: "Which pages are in Google's index, and why others are not.",
    requires_module: Some(Module::Indexing),
    widgets: &[
        FIGURES,
        ReportWidget {
            name: "timeseries",
            label: "Google's index over time",
            description: "How many monitored URLs were in the index, how many were not, and of how many Google did not say, on each day with \
                          an inspection.",
            kind: WidgetKind::Chart,
            rows: Some("points"),
            fields: &[
                DataField::new("date", "Day", FieldFormat::Day),
                DataField::new("indexed", "In the index", FieldFormat::Count).part(),
                DataField::new("not_indexed", "Not in the index", FieldFormat::Count).part(),
                DataField::new("unknown", "Google does not say", FieldFormat::Count).part(),
            ],
            ..FIGURES
        },
        ReportWidget {
            name: "reasons",
            label: "Reasons",
            description: "Why monitored URLs are in the index or are not, now, the most common reason first.",
            kind: WidgetKind::Table,
            config: &[LIMIT],
            rows: Some("by_reason"),
            fields: &[
                DataField::new("coverage_reason", "Reason", FieldFormat::Word),
                DataField::new("verdict", "Verdict", FieldFormat::Word),
                DataField::new("urls", "URLs", FieldFormat::Count),
                DataField::new("share_pct", "Share", FieldFormat::Percent),
                DataField::new("urls_change", "Change in 7 days", FieldFormat::Difference),
            ],
            ..FIGURES
        },
        ReportWidget {
            name: "changes",
            label: "Changes in the index",
            description: "The changes that inspections found, the newest first.",
            kind: WidgetKind::Table,
            config: &[
                LIMIT,
                ConfigField::one_of(
                    "direction",
                    "Changes",
                    &["all", "improved", "worsened", "neutral"],
                ),
            ],
            rows: Some("items"),
            fields: &[
                DataField::new("changed_at", "Found", FieldFormat::Moment),
                DataField::new("url", "Page", FieldFormat::Text),
                DataField::new("field", "What", FieldFormat::Word),
                // For changes of canonical pages these are URLs, which are no names and stay as they are.
                DataField::new("before", "Before", FieldFormat::Word),
                DataField::new("after", "After", FieldFormat::Word),
                DataField::new("direction", "Direction", FieldFormat::Word),
            ],
            empty: Empty::IsAnswer,
            ..FIGURES
        },
    ],
};

/// Gives the data of the section `indexing`.
#[derive(Clone)]
pub struct IndexingWidgets {
    urls: Arc<dyn IndexingUrls>,
    reads: Arc<dyn IndexingReads>,
    clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for IndexingWidgets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IndexingWidgets").finish_non_exhaustive()
    }
}

impl IndexingWidgets {
    /// The widgets on these ports.
    ///
    /// # Errors
    /// A port is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self {
            urls: ports.get()?,
            reads: ports.get()?,
            clock: ports.get()?,
        })
    }
}

#[async_trait]
impl OperationWidgets for IndexingWidgets {
    const SECTIONS: &'static [ReportSection] = &[SECTION];

    async fn one(
        &self,
        domain: &DomainAccess,
        window: &ReportWindow,
        widget: &WidgetQuery,
        reads: &mut Reads,
    ) -> WidgetAnswer {
        let (access, urls) = (domain.clone(), Port(Arc::clone(&self.urls)));
        let stored = Port(Arc::clone(&self.reads));
        let days = Days(window.resolved(Module::Indexing));
        match widget.widget.name {
            "kpi_row" | "reasons" => {
                let read = overview::view(access, urls, stored, Port(Arc::clone(&self.clock)));
                reads.answer(widget, "overview", read).await
            }
            "timeseries" => {
                let read = timeseries::view(access, days, urls, stored);
                reads.answer(widget, "timeseries", read).await
            }
            "changes" => {
                let limit = widget.limit().unwrap_or_default();
                let direction = widget.narrowed("direction");
                let page = PageRequest::first(ListKey::new(changes::SPEC.id, domain.id().0), limit);
                let read = async {
                    let query = parameters(json!({ "direction": direction }))?;
                    changes::list(access, days, query, page, urls, stored).await
                };
                reads
                    .answer(widget, format!("{limit} changes of {direction:?}"), read)
                    .await
            }
            _ => WidgetAnswer::unavailable(None),
        }
    }
}
