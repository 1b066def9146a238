//! The section `robots` of reports.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_crawl::{robots::monitor::store::RobotsStore, sitemap::monitor::store::SitemapStore};
use pharos_domain::{
    clock::Clock,
    identity::DomainAccess,
    module::Module,
    page::{ListKey, PageRequest},
    ports::{MissingPort, Ports},
    report_widget::{
        ConfigDefault, ConfigField, DataField, Empty, FieldFormat, LIMIT, ReportSection, ReportWidget,
        ReportWindow, SectionName, WidgetAnswer, WidgetKind, WidgetQuery,
    },
};
use pharos_http::{
    extract::port::Port,
    widgets::{OperationWidgets, Reads, parameters},
};
use serde_json::json;

use super::{crawlers, issues, overview, versions};

/// How many crawlers the table has: all that are known, which are fewer.
const CRAWLERS: ConfigField = ConfigField {
    default: ConfigDefault::Whole(100),
    ..LIMIT
};
const _: () = assert!(
    pharos_crawl::robots::crawlers::CRAWLERS.len() <= 100,
    "the table has all crawlers that are known"
);

const FIGURES: ReportWidget = ReportWidget {
    name: "kpi_row",
    label: "robots.txt now",
    description: "How the file is, and whom it keeps out. It is of now, whatever the window.",
    kind: WidgetKind::Kpi,
    default_enabled: true,
    config: &[],
    rows: None,
    fields: &[
        DataField::new("state", "State", FieldFormat::Word),
        DataField::new("rules_count", "Rules", FieldFormat::Count),
        DataField::new("issues.error", "Errors", FieldFormat::Count),
        DataField::new("issues.warning", "Warnings", FieldFormat::Count),
        DataField::new("blocks_googlebot", "Googlebot is kept out", FieldFormat::Flag),
        DataField::new("ai_crawlers_blocked", "AI crawlers kept out", FieldFormat::Count),
        DataField::new("failing_test_urls", "Saved URLs that fail", FieldFormat::Count),
        DataField::new("last_changed_at", "Changed last", FieldFormat::Moment),
    ],
    empty: Empty::NoData,
    measured_by: None,
};

const SECTION: ReportSection = ReportSection {
    name: SectionName::Robots,
    label: "robots.txt",
    description: "Who may fetch what, and how that changed.",
    requires_module: Some(Module::Robots),
    widgets: &[
        FIGURES,
        ReportWidget {
            name: "issues",
            label: "Findings",
            description: "The faults that the file has now.",
            kind: WidgetKind::Table,
            config: &[
                LIMIT,
                ConfigField::one_of("severity", "Severity", &["all", "error", "warning", "info"]),
            ],
            rows: Some("items"),
            fields: &[
                DataField::new("severity", "Severity", FieldFormat::Word),
                DataField::new("line", "Line", FieldFormat::Number),
                DataField::new("message", "Finding", FieldFormat::Text),
                DataField::new("first_seen_at", "Seen first", FieldFormat::Moment),
            ],
            empty: Empty::IsAnswer,
            ..FIGURES
        },
        ReportWidget {
            name: "versions",
            label: "Versions",
            description: "The newest versions of the file, and what each changed, whatever the window.",
            kind: WidgetKind::Table,
            default_enabled: false,
            config: &[LIMIT],
            rows: Some("items"),
            fields: &[
                DataField::new("detected_at", "Found", FieldFormat::Moment),
                DataField::new("impact", "Impact", FieldFormat::Word),
                DataField::new("change_summary", "Change", FieldFormat::Text),
                DataField::new("rules_added", "Rules added", FieldFormat::Count),
                DataField::new("rules_removed", "Rules removed", FieldFormat::Count),
            ],
            ..FIGURES
        },
        ReportWidget {
            name: "crawlers",
            label: "Crawlers",
            description: "Whether crawlers that are known may fetch the root of the site now.",
            kind: WidgetKind::Table,
            default_enabled: false,
            config: &[CRAWLERS],
            rows: Some("items"),
            fields: &[
                DataField::new("name", "Crawler", FieldFormat::Text),
                DataField::new("operator", "Operator", FieldFormat::Text),
                DataField::new("purpose", "Purpose", FieldFormat::Word),
                DataField::new("root_access", "Root", FieldFormat::Word),
                DataField::new("disallowed_rules", "Rules against it", FieldFormat::Count),
            ],
            ..FIGURES
        },
    ],
};

/// Gives the data of the section `robots`.
#[derive(Clone)]
pub struct RobotsWidgets {
    store: Arc<dyn RobotsStore>,
    sitemaps: Arc<dyn SitemapStore>,
    clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for RobotsWidgets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RobotsWidgets").finish_non_exhaustive()
    }
}

impl RobotsWidgets {
    /// The widgets on these ports.
    ///
    /// # Errors
    /// A port is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self {
            store: ports.get()?,
            sitemaps: ports.get()?,
            clock: ports.get()?,
        })
    }
}

#[async_trait]
impl OperationWidgets for RobotsWidgets {
    const SECTIONS: &'static [ReportSection] = &[SECTION];

    async fn one(
        &self,
        domain: &DomainAccess,
        _: &ReportWindow,
        widget: &WidgetQuery,
        reads: &mut Reads,
    ) -> WidgetAnswer {
        let (access, store) = (domain.clone(), Port(Arc::clone(&self.store)));
        match widget.widget.name {
            "kpi_row" => {
                reads
                    .answer(
                        widget,
                        "overview",
                        overview::view(
                            access,
                            store,
                            Port(Arc::clone(&self.sitemaps)),
                            Port(Arc::clone(&self.clock)),
                        ),
                    )
                    .await
            }
            "issues" => {
                let severity = widget.narrowed("severity");
                let read = async {
                    let query = parameters(json!({ "severity": severity }))?;
                    issues::list(access, query, store).await
                };
                reads
                    .answer(widget, format!("issues of {severity:?}"), read)
                    .await
            }
            "versions" => {
                let limit = widget.limit().unwrap_or_default();
                let page = PageRequest::first(ListKey::new(versions::list::SPEC.id, domain.id().0), limit);
                let read = versions::list::list(access, page, store);
                reads.answer(widget, format!("{limit} versions"), read).await
            }
            "crawlers" => {
                let read = async { crawlers::list(access, parameters(json!({}))?, store).await };
                reads.answer(widget, "crawlers", read).await
            }
            _ => WidgetAnswer::unavailable(None),
        }
    }
}
