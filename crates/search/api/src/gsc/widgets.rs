//! The section `gsc` of reports.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    experiments::BegunExperiments,
    identity::DomainAccess,
    module::Module,
    page::OffsetRequest,
    page_facts::{PageIndexing, PageSpeed, PageTitles},
    ports::{MissingPort, Ports},
    releases::SiteReleases,
    report_widget::{
        Better, ConfigField, DataField, Empty, FieldChange, FieldFormat, LIMIT, ReportSection, ReportWidget,
        ReportWindow, SectionName, WidgetAnswer, WidgetKind, WidgetQuery,
    },
    window::{Horizon, ResolvedWindow},
};
use pharos_http::{
    extract::{
        port::Port,
        window::{Compared, ComparedDates, ComparedFull, Dates, FixedWindow},
    },
    widgets::{OperationWidgets, Reads, parameters},
};
use pharos_search::gsc::{
    analysis::AnalysisReads, config::ConfigStore, days::DayReads, property::PropertyStore, values::ValueReads,
};
use serde_json::json;

use super::{countries, devices, overview, pages, position_distribution, queries, timeseries};

const SEARCH_TYPE: ConfigField = ConfigField::one_of(
    "search_type",
    "Search",
    &["web", "discover", "news", "google_news", "image", "video"],
);

const FIGURES: ReportWidget = ReportWidget {
    name: "kpi_row",
    label: "Search performance",
    description: "Clicks, impressions and where the site stood in Google's results.",
    kind: WidgetKind::Kpi,
    default_enabled: true,
    config: &[SEARCH_TYPE],
    rows: None,
    fields: &[
        DataField::new("clicks", "Clicks", FieldFormat::Count).with(
            FieldChange::Percent("comparison.clicks.change_pct"),
            Better::Higher,
        ),
        DataField::new("impressions", "Impressions", FieldFormat::Count).with(
            FieldChange::Percent("comparison.impressions.change_pct"),
            Better::Higher,
        ),
        DataField::new("ctr", "Click-through rate", FieldFormat::Fraction)
            .with(FieldChange::Fraction("comparison.ctr.change"), Better::Higher),
        DataField::new("position", "Mean position", FieldFormat::Number)
            .with(FieldChange::Places("comparison.position.change"), Better::Lower),
        DataField::new("queries_count", "Queries", FieldFormat::Count),
        DataField::new("pages_count", "Pages", FieldFormat::Count),
        DataField::new(
            "anonymized_clicks_pct",
            "Clicks of hidden queries",
            FieldFormat::Percent,
        ),
    ],
    empty: Empty::NoData,
    measured_by: None,
};

const TABLE: ReportWidget = ReportWidget {
    kind: WidgetKind::Table,
    config: &[LIMIT, SEARCH_TYPE],
    rows: Some("items"),
    ..FIGURES
};

/// The figures of a row behind the column that names it, each with its change against the days before.
macro_rules! compared {
    ($($named:expr),+ $(,)?) => {
        &[
            $($named,)+
            DataField::new("clicks", "Clicks", FieldFormat::Count)
                .with(FieldChange::Percent("clicks_change_pct"), Better::Higher),
            DataField::new("impressions", "Impressions", FieldFormat::Count)
                .with(FieldChange::Percent("impressions_change_pct"), Better::Higher),
            DataField::new("ctr", "Click-through rate", FieldFormat::Fraction)
                .with(FieldChange::Fraction("ctr_change"), Better::Higher),
            DataField::new("position", "Mean position", FieldFormat::Number)
                .with(FieldChange::Places("position_change"), Better::Lower),
        ]
    };
}

/// The same of rows that are told without changes.
macro_rules! columns {
    ($($named:expr),+ $(,)?) => {
        &[
            $($named,)+
            DataField::new("clicks", "Clicks", FieldFormat::Count),
            DataField::new("impressions", "Impressions", FieldFormat::Count),
            DataField::new("ctr", "Click-through rate", FieldFormat::Fraction),
            DataField::new("position", "Mean position", FieldFormat::Number),
        ]
    };
}

const SECTION: ReportSection = ReportSection {
    name: SectionName::Gsc,
    label: "Search performance",
    description: "The queries that people searched for on Google, and the pages that they found.",
    requires_module: Some(Module::Gsc),
    widgets: &[
        FIGURES,
        ReportWidget {
            name: "timeseries",
            label: "Search performance over time",
            description: "Clicks and impressions of each day.",
            kind: WidgetKind::Chart,
            rows: Some("items"),
            fields: &[
                DataField::new("date", "Day", FieldFormat::Day),
                DataField::new("clicks", "Clicks", FieldFormat::Count).apart(),
                DataField::new("impressions", "Impressions", FieldFormat::Count).apart(),
            ],
            ..FIGURES
        },
        ReportWidget {
            name: "positions",
            label: "Positions of queries",
            description: "How many queries stood where on each day. It is of the last 28 days, whatever the window.",
            kind: WidgetKind::Chart,
            default_enabled: false,
            rows: Some("items"),
            fields: &[
                DataField::new("date", "Day", FieldFormat::Day),
                DataField::new("top_3", "Up to 3", FieldFormat::Count).part(),
                DataField::new("4_10", "4 to 10", FieldFormat::Count).part(),
                DataField::new("11_20", "11 to 20", FieldFormat::Count).part(),
                DataField::new("21_50", "21 to 50", FieldFormat::Count).part(),
                DataField::new("51_plus", "Beyond 50", FieldFormat::Count).part(),
            ],
            ..FIGURES
        },
        ReportWidget {
            name: "queries",
            label: "Queries",
            description: "The queries with the most clicks. Google hides rare ones.",
            fields: compared![DataField::new("query", "Query", FieldFormat::Text)],
            ..TABLE
        },
        ReportWidget {
            name: "pages",
            label: "Pages in the results",
            description: "The pages with the most clicks, and what the newest inspection said of each.",
            fields: compared![
                DataField::new("page", "Page", FieldFormat::Text),
                DataField::new("index_verdict", "Index verdict", FieldFormat::Word),
            ],
            ..TABLE
        },
        ReportWidget {
            name: "countries",
            label: "Countries of searches",
            description: "The countries with the most clicks.",
            default_enabled: false,
            fields: columns![DataField::new("country_name", "Country", FieldFormat::Text)],
            ..TABLE
        },
        ReportWidget {
            name: "devices",
            label: "Devices of searches",
            description: "The devices with the most clicks.",
            default_enabled: false,
            config: &[SEARCH_TYPE],
            fields: columns![DataField::new("device", "Device", FieldFormat::Word)],
            ..TABLE
        },
        ReportWidget {
            name: "updates",
            label: "Updates of Google's ranking, experiments and releases",
            description: "The events that Google told of on these days, updates of its ranking and errors of its counts, and \
                          experiments and releases of the site. Days are Google's, in Pacific time: there a release of the morning \
                          in Europe came the day before.",
            default_enabled: false,
            config: &[],
            rows: Some("annotations"),
            fields: &[
                DataField::new("date", "Day in Pacific time", FieldFormat::Day),
                DataField::new("kind", "Kind", FieldFormat::Word),
                DataField::new("label", "Name", FieldFormat::Text),
            ],
            empty: Empty::IsAnswer,
            ..TABLE
        },
    ],
};

/// Gives the data of the section `gsc`.
#[derive(Clone)]
pub struct GscWidgets {
    properties: Arc<dyn PropertyStore>,
    configs: Arc<dyn ConfigStore>,
    days: Arc<dyn DayReads>,
    values: Arc<dyn ValueReads>,
    analyses: Arc<dyn AnalysisReads>,
    titles: Arc<dyn PageTitles>,
    speed: Arc<dyn PageSpeed>,
    indexing: Arc<dyn PageIndexing>,
    experiments: Arc<dyn BegunExperiments>,
    releases: Arc<dyn SiteReleases>,
}

impl std::fmt::Debug for GscWidgets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GscWidgets").finish_non_exhaustive()
    }
}

impl GscWidgets {
    /// The widgets on these ports.
    ///
    /// # Errors
    /// A port is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self {
            properties: ports.get()?,
            configs: ports.get()?,
            days: ports.get()?,
            values: ports.get()?,
            analyses: ports.get()?,
            titles: ports.get()?,
            speed: ports.get()?,
            indexing: ports.get()?,
            experiments: ports.get()?,
            releases: ports.get()?,
        })
    }
}

#[async_trait]
impl OperationWidgets for GscWidgets {
    const SECTIONS: &'static [ReportSection] = &[SECTION];

    async fn one(
        &self,
        domain: &DomainAccess,
        window: &ReportWindow,
        widget: &WidgetQuery,
        reads: &mut Reads,
    ) -> WidgetAnswer {
        let resolved = window.resolved(Module::Gsc);
        let asked = Compared {
            window: resolved,
            shown: window.comparison(&resolved),
        };
        let (access, properties) = (domain.clone(), Port(Arc::clone(&self.properties)));
        let (days, values) = (Port(Arc::clone(&self.days)), Port(Arc::clone(&self.values)));
        let search_type = widget.chosen("search_type");
        let chosen = json!({ "search_type": search_type });
        let page = OffsetRequest {
            limit: widget
                .limit()
                .and_then(|limit| u32::try_from(limit).ok())
                .unwrap_or_default(),
            offset: 0,
        };
        let limit = page.limit;
        match widget.widget.name {
            "kpi_row" | "timeseries" => {
                let read = async {
                    let query = parameters(chosen)?;
                    overview::view(access, ComparedFull(asked), query, properties, days).await
                };
                reads
                    .answer(widget, format!("overview of {search_type}"), read)
                    .await
            }
            "queries" => {
                let configs = Port(Arc::clone(&self.configs));
                let read = async {
                    let query = parameters(chosen)?;
                    let window = ComparedDates(asked);
                    queries::list::list(access, window, query, page, properties, configs, days, values).await
                };
                reads
                    .answer(widget, format!("{limit} queries of {search_type}"), read)
                    .await
            }
            "pages" => {
                let titles = Port(Arc::clone(&self.titles));
                let speed = Port(Arc::clone(&self.speed));
                let indexing = Port(Arc::clone(&self.indexing));
                let read = async {
                    pages::list::list(
                        access,
                        ComparedFull(asked),
                        parameters(chosen)?,
                        page,
                        properties,
                        days,
                        values,
                        titles,
                        speed,
                        indexing,
                    )
                    .await
                };
                reads
                    .answer(widget, format!("{limit} pages of {search_type}"), read)
                    .await
            }
            "positions" => {
                let horizon = Horizon::of(Module::Gsc, window.now);
                let last_days = FixedWindow(ResolvedWindow::fixed(28, &horizon));
                let analyses = Port(Arc::clone(&self.analyses));
                let read = async {
                    let (query, all) = (parameters(chosen)?, parameters(json!({}))?);
                    position_distribution::view(access, last_days, query, all, properties, analyses).await
                };
                reads
                    .answer(widget, format!("positions of {search_type}"), read)
                    .await
            }
            "updates" => {
                let experiments = Port(Arc::clone(&self.experiments));
                let releases = Port(Arc::clone(&self.releases));
                let read = async {
                    let (query, pieces) = (parameters(json!({}))?, parameters(json!({}))?);
                    let (window, all) = (Dates(asked.window), parameters(json!({}))?);
                    timeseries::view(
                        access,
                        window,
                        query,
                        pieces,
                        all,
                        properties,
                        days,
                        experiments,
                        releases,
                    )
                    .await
                };
                reads
                    .answer(widget, "updates, experiments and releases", read)
                    .await
            }
            "countries" => {
                let read = async {
                    let (query, all) = (parameters(chosen)?, parameters(json!({}))?);
                    countries::list(access, Dates(asked.window), query, all, page, properties, days).await
                };
                reads
                    .answer(widget, format!("{limit} countries of {search_type}"), read)
                    .await
            }
            "devices" => {
                let read = async {
                    let (query, all) = (parameters(chosen)?, parameters(json!({}))?);
                    devices::list(access, Dates(asked.window), query, all, properties, days).await
                };
                reads
                    .answer(widget, format!("devices of {search_type}"), read)
                    .await
            }
            _ => WidgetAnswer::unavailable(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Releases stand in other sections with their days in UTC.
    #[test]
    fn days_that_are_not_those_of_other_sections_say_so() {
        let updates = SECTION.widget("updates").unwrap();
        assert_eq!(updates.fields[0].label, "Day in Pacific time");
        assert!(updates.description.contains("Pacific time"));
    }
}
