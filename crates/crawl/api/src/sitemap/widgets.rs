//! The section `sitemap` of reports.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_crawl::sitemap::monitor::store::SitemapStore;
use pharos_domain::{
    clock::Clock,
    identity::DomainAccess,
    module::Module,
    page::{ListKey, PageRequest},
    page_facts::{PageIndexing, SubmittedSitemaps},
    ports::{MissingPort, Ports},
    report_widget::{
        ConfigField, DataField, Empty, FieldFormat, LIMIT, ReportSection, ReportWidget, ReportWindow,
        SectionName, WidgetAnswer, WidgetKind, WidgetQuery,
    },
};
use pharos_http::{
    extract::{port::Port, window::FixedWindow},
    widgets::{OperationWidgets, Reads, parameters},
};
use serde_json::json;

use super::{changes, google, issues, overview, timeseries};

const FIGURES: ReportWidget = ReportWidget {
    name: "kpi_row",
    label: "Sitemaps now",
    description: "How many pages the sitemaps name, and what is wrong with them. It is of now, whatever the window.",
    kind: WidgetKind::Kpi,
    default_enabled: true,
    config: &[],
    rows: None,
    fields: &[
        DataField::new("files_total", "Files", FieldFormat::Count),
        DataField::new("urls_unique", "Pages", FieldFormat::Count),
        DataField::new("urls_added_7d", "Added in 7 days", FieldFormat::Count),
        DataField::new("urls_removed_7d", "Removed in 7 days", FieldFormat::Count),
        DataField::new("issues.error", "Errors", FieldFormat::Count),
        DataField::new("issues.warning", "Warnings", FieldFormat::Count),
        DataField::new(
            "non_200_urls",
            "Pages that answer with an error",
            FieldFormat::Count,
        ),
        DataField::new("indexed_pct", "In Google's index", FieldFormat::Percent),
        DataField::new("last_changed_at", "Changed last", FieldFormat::Moment),
    ],
    empty: Empty::NoData,
    measured_by: None,
};

const SECTION: ReportSection = ReportSection {
    name: SectionName::Sitemap,
    label: "Sitemaps",
    description: "Which pages the sitemaps name, and how that changed.",
    requires_module: Some(Module::Sitemap),
    widgets: &[
        FIGURES,
        ReportWidget {
            name: "timeseries",
            label: "Pages over time",
            description: "The entries of all files, and the pages that came and went, of each day.",
            kind: WidgetKind::Chart,
            rows: Some("points"),
            fields: &[
                DataField::new("date", "Day", FieldFormat::Day),
                DataField::new("urls_total", "Entries", FieldFormat::Count).apart(),
                DataField::new("added", "Added", FieldFormat::Count),
                DataField::new("removed", "Removed", FieldFormat::Count),
            ],
            ..FIGURES
        },
        ReportWidget {
            name: "issues",
            label: "Findings",
            description: "The faults that the files have now.",
            kind: WidgetKind::Table,
            config: &[
                LIMIT,
                ConfigField::one_of("severity", "Severity", &["all", "error", "warning", "info"]),
            ],
            rows: Some("items"),
            fields: &[
                DataField::new("severity", "Severity", FieldFormat::Word),
                DataField::new("code", "Finding", FieldFormat::Word),
                DataField::new("count", "Places", FieldFormat::Count),
                DataField::new("first_seen_at", "Seen first", FieldFormat::Moment),
            ],
            empty: Empty::IsAnswer,
            ..FIGURES
        },
        ReportWidget {
            name: "changes",
            label: "Changes",
            description: "The newest pages that came, went, moved or have another date, whatever the window.",
            kind: WidgetKind::Table,
            default_enabled: false,
            config: &[
                LIMIT,
                ConfigField::one_of(
                    "change",
                    "Change",
                    &["all", "added", "removed", "lastmod_changed", "moved_file"],
                ),
            ],
            rows: Some("items"),
            fields: &[
                DataField::new("changed_at", "Found", FieldFormat::Moment),
                DataField::new("change", "Change", FieldFormat::Word),
                DataField::new("url", "Page", FieldFormat::Text),
            ],
            empty: Empty::IsAnswer,
            measured_by: None,
        },
        ReportWidget {
            name: "google",
            label: "Submitted to Google",
            description: "The sitemaps that were submitted to Google, as Search Console told last.",
            kind: WidgetKind::Table,
            default_enabled: false,
            config: &[LIMIT],
            rows: Some("items"),
            fields: &[
                DataField::new("path", "Sitemap", FieldFormat::Text),
                DataField::new("last_downloaded_at", "Fetched last", FieldFormat::Moment),
                DataField::new("errors", "Errors", FieldFormat::Count),
                DataField::new("warnings", "Warnings", FieldFormat::Count),
            ],
            ..FIGURES
        },
    ],
};

/// Gives the data of the section `sitemap`.
#[derive(Clone)]
pub struct SitemapWidgets {
    store: Arc<dyn SitemapStore>,
    indexing: Arc<dyn PageIndexing>,
    submitted: Arc<dyn SubmittedSitemaps>,
    clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for SitemapWidgets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SitemapWidgets").finish_non_exhaustive()
    }
}

impl SitemapWidgets {
    /// The widgets on these ports.
    ///
    /// # Errors
    /// A port is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self {
            store: ports.get()?,
            indexing: ports.get()?,
            submitted: ports.get()?,
            clock: ports.get()?,
        })
    }
}

#[async_trait]
impl OperationWidgets for SitemapWidgets {
    const SECTIONS: &'static [ReportSection] = &[SECTION];

    async fn one(
        &self,
        domain: &DomainAccess,
        window: &ReportWindow,
        widget: &WidgetQuery,
        reads: &mut Reads,
    ) -> WidgetAnswer {
        let (access, store) = (domain.clone(), Port(Arc::clone(&self.store)));
        let clock = Port(Arc::clone(&self.clock));
        match widget.widget.name {
            "kpi_row" => {
                let indexing = Port(Arc::clone(&self.indexing));
                reads
                    .answer(widget, "overview", overview::view(access, store, indexing, clock))
                    .await
            }
            "timeseries" => {
                let days = FixedWindow(window.resolved(Module::Sitemap));
                reads
                    .answer(widget, "timeseries", timeseries::view(access, days, store))
                    .await
            }
            "issues" => {
                let severity = widget.narrowed("severity");
                let read = async {
                    let query = parameters(json!({ "severity": severity }))?;
                    issues::list(access, query, store, clock).await
                };
                reads
                    .answer(widget, format!("issues of {severity:?}"), read)
                    .await
            }
            "changes" => {
                let limit = widget.limit().unwrap_or_default();
                let change = widget.narrowed("change");
                let page = PageRequest::first(ListKey::new(changes::SPEC.id, domain.id().0), limit);
                let read = async {
                    let query = parameters(json!({ "change": change }))?;
                    changes::list(access, query, page, store, clock).await
                };
                reads
                    .answer(widget, format!("{limit} changes of {change:?}"), read)
                    .await
            }
            "google" => {
                let submitted = Port(Arc::clone(&self.submitted));
                reads
                    .answer(widget, "google", google::list(access, submitted, store))
                    .await
            }
            _ => WidgetAnswer::unavailable(None),
        }
    }
}
