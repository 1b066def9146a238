//! The sections `analytics`, `ecommerce` and `experiments` of reports.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_analytics::{
    experiments::ExperimentStore,
    store::{ActionStore, CommerceStore, SiteStore, VisitStore},
};
use pharos_domain::{
    clock::Clock,
    identity::DomainAccess,
    module::Module,
    page::{ListKey, OffsetRequest, PageRequest},
    ports::{MissingPort, Ports},
    report_widget::{
        Better, ConfigField, DataField, Empty, FieldChange, FieldFormat, LIMIT, ReportSection, ReportWidget,
        ReportWindow, SectionName, WidgetAnswer, WidgetKind, WidgetQuery,
    },
};
use pharos_http::{
    extract::{
        port::Port,
        query::{Query, RuledQuery},
        window::{Compared, ComparedFull, FullWindow},
    },
    operation::ApiResult,
    widgets::{OperationWidgets, Reads, parameters},
};
use serde_json::{Value, json};

use crate::{countries, devices, ecommerce, events, experiments, overview, pages, sources};

const FIGURES: ReportWidget = ReportWidget {
    name: "kpi_row",
    label: "Visits",
    description: "Visitors, sessions and what they did.",
    kind: WidgetKind::Kpi,
    default_enabled: true,
    config: &[],
    rows: None,
    fields: &[
        DataField::new("visitors", "Visitors", FieldFormat::Count)
            .with(FieldChange::Percent("visitors_change_pct"), Better::Higher),
        DataField::new("sessions", "Sessions", FieldFormat::Count)
            .with(FieldChange::Percent("sessions_change_pct"), Better::Higher),
        DataField::new("pageviews", "Page views", FieldFormat::Count)
            .with(FieldChange::Percent("pageviews_change_pct"), Better::Higher),
        DataField::new("bounce_rate_pct", "Bounce rate", FieldFormat::Percent)
            .with(FieldChange::Points("bounce_rate_change_pp"), Better::Lower),
        DataField::new(
            "avg_duration_seconds",
            "Mean length of a session",
            FieldFormat::Seconds,
        )
        .with(FieldChange::Percent("avg_duration_change_pct"), Better::Higher),
        DataField::new(
            "views_per_session",
            "Page views of a session",
            FieldFormat::Number,
        )
        .with(
            FieldChange::Percent("views_per_session_change_pct"),
            Better::Higher,
        ),
    ],
    empty: Empty::NoData,
    measured_by: None,
};

const PARTS: ReportWidget = ReportWidget {
    kind: WidgetKind::Table,
    config: &[LIMIT],
    rows: Some("items"),
    fields: &[
        DataField::new("label", "Name", FieldFormat::Text),
        DataField::new("visitors", "Visitors", FieldFormat::Count),
        DataField::new("sessions", "Sessions", FieldFormat::Count),
        DataField::new("pageviews", "Page views", FieldFormat::Count),
        DataField::new("bounce_rate_pct", "Bounce rate", FieldFormat::Percent),
        DataField::new("share_pct", "Share of visitors", FieldFormat::Percent),
    ],
    ..FIGURES
};

const CLIENTS: ReportWidget = ReportWidget {
    fields: &[
        DataField::new("name", "Name", FieldFormat::Text),
        DataField::new("visitors", "Visitors", FieldFormat::Count),
        DataField::new("sessions", "Sessions", FieldFormat::Count),
        DataField::new("share_pct", "Share of visitors", FieldFormat::Percent),
    ],
    ..PARTS
};

const SALES: ReportWidget = ReportWidget {
    label: "Sales",
    description: "Revenue and orders, and how many visits came to one.",
    fields: &[
        DataField::new("revenue", "Revenue", FieldFormat::Money)
            .with(FieldChange::Percent("revenue_change_pct"), Better::Higher),
        DataField::new("orders", "Orders", FieldFormat::Count)
            .with(FieldChange::Percent("orders_change_pct"), Better::Higher),
        DataField::new("average_order_value", "Mean order", FieldFormat::Money),
        DataField::new(
            "conversion_rate_pct",
            "Sessions with an order",
            FieldFormat::Percent,
        ),
        DataField::new("cart_abandonment_pct", "Carts left behind", FieldFormat::Percent),
        DataField::new("refunds", "Refunds", FieldFormat::Count),
    ],
    ..FIGURES
};

const SECTIONS: &[ReportSection] = &[
    ReportSection {
        name: SectionName::Analytics,
        label: "Web analytics",
        description: "Who came, from where, and what they looked at.",
        requires_module: Some(Module::Analytics),
        widgets: &[
            FIGURES,
            ReportWidget {
                name: "timeseries",
                label: "Visits over time",
                description: "Visitors, sessions and page views of each day.",
                kind: WidgetKind::Chart,
                rows: Some("items"),
                fields: &[
                    DataField::new("date", "Day", FieldFormat::Day),
                    DataField::new("visitors", "Visitors", FieldFormat::Count),
                    DataField::new("sessions", "Sessions", FieldFormat::Count),
                    DataField::new("pageviews", "Page views", FieldFormat::Count),
                ],
                ..FIGURES
            },
            ReportWidget {
                name: "top_pages",
                label: "Pages",
                description: "The pages with the most visitors.",
                config: &[
                    LIMIT,
                    ConfigField::one_of("type", "Pages", &["all", "entry", "exit"]),
                ],
                fields: &[
                    DataField::new("page", "Page", FieldFormat::Text),
                    DataField::new("visitors", "Visitors", FieldFormat::Count),
                    DataField::new("pageviews", "Page views", FieldFormat::Count),
                    DataField::new("bounce_rate_pct", "Bounce rate", FieldFormat::Percent),
                    DataField::new("avg_time_seconds", "Mean time", FieldFormat::Seconds),
                    DataField::new("share_pct", "Share of visitors", FieldFormat::Percent),
                ],
                ..PARTS
            },
            ReportWidget {
                name: "top_sources",
                label: "Sources",
                description: "Where visits came from.",
                config: &[
                    LIMIT,
                    ConfigField::one_of(
                        "group_by",
                        "By",
                        &[
                            "channel",
                            "source",
                            "medium",
                            "campaign",
                            "source_medium",
                            "referrer",
                        ],
                    ),
                ],
                ..PARTS
            },
            ReportWidget {
                name: "countries",
                label: "Countries",
                description: "Where visitors are.",
                ..PARTS
            },
            ReportWidget {
                name: "devices",
                label: "Devices",
                description: "The classes of device that visitors use.",
                rows: Some("device_types"),
                fields: &[
                    DataField::new("name", "Name", FieldFormat::Word),
                    DataField::new("visitors", "Visitors", FieldFormat::Count),
                    DataField::new("sessions", "Sessions", FieldFormat::Count),
                    DataField::new("share_pct", "Share of visitors", FieldFormat::Percent),
                ],
                ..CLIENTS
            },
            ReportWidget {
                name: "browsers",
                label: "Browsers",
                description: "The browsers that visitors use.",
                default_enabled: false,
                rows: Some("browsers"),
                ..CLIENTS
            },
            ReportWidget {
                name: "events",
                label: "Events",
                description: "The site's own events.",
                default_enabled: false,
                fields: &[
                    DataField::new("event_name", "Event", FieldFormat::Text),
                    DataField::new("count", "Times", FieldFormat::Count),
                    DataField::new("visitors", "Visitors", FieldFormat::Count),
                    DataField::new("conversion_rate_pct", "Share of visitors", FieldFormat::Percent),
                ],
                ..PARTS
            },
        ],
    },
    ReportSection {
        name: SectionName::Ecommerce,
        label: "Ecommerce",
        description: "Sales, and what they came from.",
        requires_module: Some(Module::Analytics),
        widgets: &[
            SALES,
            ReportWidget {
                name: "timeseries",
                label: "Sales over time",
                description: "Revenue of each day or week.",
                kind: WidgetKind::Chart,
                config: &[ConfigField::one_of("granularity", "Pieces", &["day", "week"])],
                rows: Some("items"),
                fields: &[
                    DataField::new("bucket_start", "Begins", FieldFormat::Moment),
                    DataField::new("revenue", "Revenue", FieldFormat::Money),
                ],
                ..FIGURES
            },
            ReportWidget {
                name: "top_products",
                label: "Products",
                description: "The products with the most revenue.",
                fields: &[
                    DataField::new("name", "Product", FieldFormat::Text),
                    DataField::new("views", "Views", FieldFormat::Count),
                    DataField::new("purchases", "Sold", FieldFormat::Count),
                    DataField::new("revenue", "Revenue", FieldFormat::Money),
                    DataField::new("conversion_rate_pct", "Orders of views", FieldFormat::Percent),
                ],
                ..PARTS
            },
            ReportWidget {
                name: "channels",
                label: "Channels",
                description: "The channels that orders came by.",
                config: &[],
                fields: &[
                    DataField::new("channel", "Channel", FieldFormat::Word),
                    DataField::new("sessions", "Sessions", FieldFormat::Count),
                    DataField::new("orders", "Orders", FieldFormat::Count),
                    DataField::new("revenue", "Revenue", FieldFormat::Money),
                    DataField::new(
                        "conversion_rate_pct",
                        "Sessions with an order",
                        FieldFormat::Percent,
                    ),
                ],
                ..PARTS
            },
        ],
    },
    ReportSection {
        name: SectionName::Experiments,
        label: "Experiments",
        description: "Changes that were tried, and how far they are. They are those of now, whatever the window.",
        requires_module: Some(Module::Analytics),
        widgets: &[ReportWidget {
            name: "experiment_list",
            label: "Experiments",
            description: "The experiments of the domain.",
            fields: &[
                DataField::new("name", "Experiment", FieldFormat::Text),
                DataField::new("status", "Status", FieldFormat::Word),
                DataField::new("primary_metric", "Metric", FieldFormat::Word),
                DataField::new("method", "Method", FieldFormat::Word),
                DataField::new("pre_end_date", "Last day before the change", FieldFormat::Day),
                DataField::new("post_start_date", "First day after the change", FieldFormat::Day),
            ],
            empty: Empty::IsAnswer,
            ..PARTS
        }],
    },
];

/// Gives the data of the sections of analytics.
#[derive(Clone)]
pub struct AnalyticsWidgets {
    sites: Arc<dyn SiteStore>,
    visits: Arc<dyn VisitStore>,
    actions: Arc<dyn ActionStore>,
    commerce: Arc<dyn CommerceStore>,
    experiments: Arc<dyn ExperimentStore>,
    clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for AnalyticsWidgets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AnalyticsWidgets").finish_non_exhaustive()
    }
}

impl AnalyticsWidgets {
    /// The widgets on these ports.
    ///
    /// # Errors
    /// A port is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self {
            sites: ports.get()?,
            visits: ports.get()?,
            actions: ports.get()?,
            commerce: ports.get()?,
            experiments: ports.get()?,
            clock: ports.get()?,
        })
    }

    async fn of_window(
        &self,
        domain: &DomainAccess,
        asked: Compared,
        widget: &WidgetQuery,
        reads: &mut Reads,
    ) -> WidgetAnswer {
        match widget.section {
            SectionName::Ecommerce => self.of_commerce(domain, asked, widget, reads).await,
            SectionName::Experiments => {
                let (sites, experiments) = (self.sites(), Port(Arc::clone(&self.experiments)));
                let read = experiments::list::list(
                    domain.clone(),
                    sites,
                    experiments,
                    Port(Arc::clone(&self.clock)),
                );
                reads.answer(widget, "experiments", read).await
            }
            _ => self.of_visits(domain, asked, widget, reads).await,
        }
    }

    fn sites(&self) -> Port<dyn SiteStore> {
        Port(Arc::clone(&self.sites))
    }

    async fn of_visits(
        &self,
        domain: &DomainAccess,
        asked: Compared,
        widget: &WidgetQuery,
        reads: &mut Reads,
    ) -> WidgetAnswer {
        let (access, window) = (domain.clone(), FullWindow(asked.window));
        let (sites, visits) = (self.sites(), Port(Arc::clone(&self.visits)));
        let limit = widget.limit().unwrap_or_default();
        match widget.widget.name {
            "kpi_row" | "timeseries" => {
                let read = async {
                    overview::view(access, ComparedFull(asked), parameters(json!({}))?, sites, visits).await
                };
                reads.answer(widget, "overview", read).await
            }
            "top_pages" => {
                let part = widget.chosen("type");
                let read = async {
                    let query = parameters(json!({ "type": part }))?;
                    pages::list(
                        access,
                        window,
                        query,
                        parameters(json!({}))?,
                        offset(limit),
                        sites,
                        visits,
                    )
                    .await
                };
                reads
                    .answer(widget, format!("{limit} pages of {part}"), read)
                    .await
            }
            "top_sources" => {
                let by = widget.chosen("group_by");
                let read = async {
                    let query = parameters(json!({ "group_by": by }))?;
                    sources::list(access, window, query, parameters(json!({}))?, sites, visits).await
                };
                reads.answer(widget, format!("sources by {by}"), read).await
            }
            "countries" => {
                let read = async {
                    let (query, filters) =
                        (parameters(json!({ "level": "country" }))?, parameters(json!({}))?);
                    countries::list(access, window, query, filters, sites, visits).await
                };
                reads.answer(widget, "countries", read).await
            }
            "devices" | "browsers" => {
                let read = async {
                    let (query, filters) = (
                        parameters(json!({ "include_versions": false }))?,
                        parameters(json!({}))?,
                    );
                    devices::view(access, window, query, filters, sites, visits).await
                };
                reads.answer(widget, "devices", read).await
            }
            "events" => {
                let page = PageRequest::first(ListKey::new(events::SPEC.id, domain.id().0), limit);
                let read = async {
                    let (query, filters) = (parameters(json!({}))?, parameters(json!({}))?);
                    let actions = Port(Arc::clone(&self.actions));
                    events::list(access, window, query, filters, page, sites, actions).await
                };
                reads.answer(widget, format!("{limit} events"), read).await
            }
            _ => WidgetAnswer::unavailable(None),
        }
    }

    async fn of_commerce(
        &self,
        domain: &DomainAccess,
        asked: Compared,
        widget: &WidgetQuery,
        reads: &mut Reads,
    ) -> WidgetAnswer {
        let (access, window) = (domain.clone(), FullWindow(asked.window));
        let (sites, commerce) = (self.sites(), Port(Arc::clone(&self.commerce)));
        // A site that never sold anything has no section of sales.
        let has_commerce = match self.sites.view(domain).await {
            Ok(site) => site.is_some_and(|site| site.has_commerce),
            Err(error) => {
                let failed = async { ApiResult::<Value>::Err(error.into()) };
                return reads.answer(widget, "the site", failed).await;
            }
        };
        if !has_commerce {
            return WidgetAnswer::NO_DATA;
        }
        match widget.widget.name {
            "kpi_row" | "timeseries" => {
                let granularity = match widget.chosen("granularity") {
                    "" => "day",
                    chosen => chosen,
                };
                let read = async {
                    let Query(query) = parameters(json!({ "granularity": granularity }))?;
                    ecommerce::overview::view(access, window, RuledQuery(query), sites, commerce).await
                };
                reads
                    .answer(widget, format!("sales by {granularity}"), read)
                    .await
            }
            "top_products" => {
                let limit = widget.limit().unwrap_or_default();
                let read = ecommerce::products::list(access, window, offset(limit), sites, commerce);
                reads.answer(widget, format!("{limit} products"), read).await
            }
            "channels" => {
                let read = ecommerce::channels::list(access, window, sites, commerce);
                reads.answer(widget, "channels", read).await
            }
            _ => WidgetAnswer::unavailable(None),
        }
    }
}

/// The first page of a list that is paged by offset.
fn offset(limit: usize) -> OffsetRequest {
    OffsetRequest {
        limit: u32::try_from(limit).unwrap_or(u32::MAX),
        offset: 0,
    }
}

#[async_trait]
impl OperationWidgets for AnalyticsWidgets {
    const SECTIONS: &'static [ReportSection] = SECTIONS;

    async fn one(
        &self,
        domain: &DomainAccess,
        window: &ReportWindow,
        widget: &WidgetQuery,
        reads: &mut Reads,
    ) -> WidgetAnswer {
        let resolved = window.resolved(Module::Analytics);
        let asked = Compared {
            window: resolved,
            shown: window.comparison(&resolved),
        };
        self.of_window(domain, asked, widget, reads).await
    }
}
