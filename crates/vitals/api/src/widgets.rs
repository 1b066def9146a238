//! The sections `rum` and `crux` of reports.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    clock::Clock,
    identity::DomainAccess,
    module::Module,
    page::{ListKey, PageRequest},
    ports::{MissingPort, Ports},
    report_widget::{
        Better, ConfigDefault, ConfigField, DataField, Empty, FieldChange, FieldFormat, LIMIT, ReportSection,
        ReportWidget, ReportWindow, SectionName, WidgetAnswer, WidgetKind, WidgetQuery,
    },
};
use pharos_http::{
    extract::{
        port::Port,
        window::{Compared, ComparedDates, Dates},
    },
    widgets::{OperationWidgets, Reads, parameters},
};
use pharos_vitals::{
    causes::VitalsCauses, crux::store::CruxStore, errors::VitalsErrors, pages::PageReads,
    releases::ReleaseStore, slices::SliceReads, store::VitalsReads, trends::TrendReads,
};
use serde_json::json;

use crate::{countries, crux, distribution, errors, lcp, overview, pages, releases};

const DEVICE: ConfigField = ConfigField::one_of("device", "Device", &["all", "mobile", "tablet", "desktop"]);

/// Pictures have a line at each release that is listed.
const ALL: ConfigField = ConfigField {
    default: ConfigDefault::Whole(100),
    ..LIMIT
};

const FIGURES: ReportWidget = ReportWidget {
    name: "kpi_row",
    label: "Web vitals",
    description: "The 75th percentiles of what visitors felt.",
    kind: WidgetKind::Kpi,
    default_enabled: true,
    config: &[DEVICE],
    rows: None,
    fields: &[
        DataField::new(
            "vitals.all.lcp_ms",
            "Largest Contentful Paint",
            FieldFormat::Millis,
        )
        .with(
            FieldChange::Percent("comparison.lcp_ms.change_pct"),
            Better::Lower,
        ),
        DataField::new(
            "vitals.all.inp_ms",
            "Interaction to Next Paint",
            FieldFormat::Millis,
        )
        .with(
            FieldChange::Percent("comparison.inp_ms.change_pct"),
            Better::Lower,
        ),
        DataField::new("vitals.all.cls", "Cumulative Layout Shift", FieldFormat::Score)
            .with(FieldChange::Percent("comparison.cls.change_pct"), Better::Lower),
        DataField::new("vitals.all.ttfb_ms", "Time to First Byte", FieldFormat::Millis).with(
            FieldChange::Percent("comparison.ttfb_ms.change_pct"),
            Better::Lower,
        ),
        DataField::new("pageviews", "Views measured", FieldFormat::Count).with(
            FieldChange::Percent("comparison.pageviews.change_pct"),
            Better::Neither,
        ),
        DataField::new("good_views_pct", "Good views", FieldFormat::Percent),
        DataField::new("js_error_rate_pct", "Views with an error", FieldFormat::Percent),
        DataField::new(
            "passes_core_web_vitals",
            "Core Web Vitals passed",
            FieldFormat::Flag,
        ),
    ],
    empty: Empty::NoData,
    measured_by: Some(&["pageviews"]),
};

const COLUMNS: &[DataField] = &[
    DataField::new("url", "Page", FieldFormat::Text),
    DataField::new("pageviews", "Views", FieldFormat::Count),
    DataField::new("lcp_ms", "LCP", FieldFormat::Millis),
    DataField::new("inp_ms", "INP", FieldFormat::Millis),
    DataField::new("cls", "CLS", FieldFormat::Score),
    DataField::new("good_views_pct", "Good views", FieldFormat::Percent),
];

const OF_CHROME: &[DataField] = &[
    DataField::new("all.lcp_ms", "LCP, all devices", FieldFormat::Millis),
    DataField::new("all.inp_ms", "INP, all devices", FieldFormat::Millis),
    DataField::new("all.cls", "CLS, all devices", FieldFormat::Score),
    DataField::new("mobile.lcp_ms", "LCP, mobile", FieldFormat::Millis).with(
        FieldChange::Percent("comparison.mobile.lcp.change_pct"),
        Better::Lower,
    ),
    DataField::new("mobile.inp_ms", "INP, mobile", FieldFormat::Millis).with(
        FieldChange::Percent("comparison.mobile.inp.change_pct"),
        Better::Lower,
    ),
    DataField::new("mobile.cls", "CLS, mobile", FieldFormat::Score).with(
        FieldChange::Percent("comparison.mobile.cls.change_pct"),
        Better::Lower,
    ),
    DataField::new("desktop.lcp_ms", "LCP, desktop", FieldFormat::Millis).with(
        FieldChange::Percent("comparison.desktop.lcp.change_pct"),
        Better::Lower,
    ),
    DataField::new("desktop.inp_ms", "INP, desktop", FieldFormat::Millis).with(
        FieldChange::Percent("comparison.desktop.inp.change_pct"),
        Better::Lower,
    ),
    DataField::new("desktop.cls", "CLS, desktop", FieldFormat::Score).with(
        FieldChange::Percent("comparison.desktop.cls.change_pct"),
        Better::Lower,
    ),
    DataField::new(
        "assessment.mobile.status",
        "Core Web Vitals, mobile",
        FieldFormat::Word,
    ),
    DataField::new(
        "assessment.desktop.status",
        "Core Web Vitals, desktop",
        FieldFormat::Word,
    ),
    DataField::new("collection_period_end", "As of", FieldFormat::Day),
];

const SECTIONS: &[ReportSection] = &[
    ReportSection {
        name: SectionName::Rum,
        label: "Real-user monitoring",
        description: "How fast the site was for its visitors.",
        requires_module: Some(Module::Rum),
        widgets: &[
            FIGURES,
            ReportWidget {
                name: "timeseries",
                label: "Web vitals over time",
                description: "The 75th percentiles of each day.",
                kind: WidgetKind::Chart,
                rows: Some("items"),
                fields: &[
                    DataField::new("date", "Day", FieldFormat::Day),
                    DataField::new("lcp_ms", "LCP", FieldFormat::Millis),
                    DataField::new("inp_ms", "INP", FieldFormat::Millis),
                    DataField::new("ttfb_ms", "TTFB", FieldFormat::Millis),
                ],
                ..FIGURES
            },
            ReportWidget {
                name: "releases",
                label: "Releases",
                description: "The releases of the site in these days, the newest first. Each is a line in the pictures over these days.",
                kind: WidgetKind::Table,
                default_enabled: false,
                config: &[ALL],
                rows: Some("items"),
                fields: &[
                    DataField::new("name", "Release", FieldFormat::Text),
                    DataField::new("released_at", "Released", FieldFormat::Moment),
                ],
                empty: Empty::IsAnswer,
                measured_by: None,
            },
            ReportWidget {
                name: "distribution",
                label: "Distribution",
                description: "How many views had which value of a metric, in milliseconds; CLS has no unit. It is LCP unless another is \
                              chosen.",
                kind: WidgetKind::Chart,
                default_enabled: false,
                config: &[
                    ConfigField::one_of("metric", "Metric", &["lcp", "inp", "cls", "fcp", "ttfb"]),
                    DEVICE,
                ],
                rows: Some("bins"),
                fields: &[
                    DataField::new("start", "From", FieldFormat::Number),
                    DataField::new("end", "To", FieldFormat::Number),
                    DataField::new("count", "Views", FieldFormat::Count),
                ],
                measured_by: Some(&["sample_count"]),
                ..FIGURES
            },
            ReportWidget {
                name: "top_pages",
                label: "Pages",
                description: "The pages with the most views, and how fast they were.",
                kind: WidgetKind::Table,
                config: &[LIMIT, DEVICE],
                rows: Some("items"),
                fields: COLUMNS,
                ..FIGURES
            },
            ReportWidget {
                name: "lcp_elements",
                label: "Largest paints",
                description: "The elements that were the largest paints of views, and how late they were.",
                kind: WidgetKind::Table,
                default_enabled: false,
                config: &[LIMIT, DEVICE],
                rows: Some("items"),
                fields: &[
                    DataField::new("element", "Element", FieldFormat::Text),
                    DataField::new("resource_url", "Resource", FieldFormat::Text),
                    DataField::new("pageviews", "Views", FieldFormat::Count),
                    DataField::new("lcp_ms", "LCP", FieldFormat::Millis),
                    DataField::new("pages_count", "Pages", FieldFormat::Count),
                    DataField::new("sample_url", "One of them", FieldFormat::Text),
                ],
                ..FIGURES
            },
            ReportWidget {
                name: "errors",
                label: "Errors of scripts",
                description: "The kinds of errors that happened most.",
                kind: WidgetKind::Table,
                default_enabled: false,
                config: &[LIMIT, DEVICE],
                rows: Some("items"),
                fields: &[
                    DataField::new("message", "Error", FieldFormat::Text),
                    DataField::new("occurrences", "Times", FieldFormat::Count),
                    DataField::new("affected_views", "Views", FieldFormat::Count),
                    DataField::new("top_url", "Page", FieldFormat::Text),
                    DataField::new("first_seen_at", "First seen", FieldFormat::Moment),
                    DataField::new("last_seen_at", "Last seen", FieldFormat::Moment),
                ],
                ..FIGURES
            },
            ReportWidget {
                name: "countries",
                label: "Countries",
                description: "How fast the site was, by country.",
                kind: WidgetKind::Table,
                default_enabled: false,
                config: &[LIMIT, DEVICE],
                rows: Some("items"),
                fields: &[
                    DataField::new("country_name", "Country", FieldFormat::Text),
                    DataField::new("pageviews", "Views", FieldFormat::Count),
                    DataField::new("lcp_ms", "LCP", FieldFormat::Millis),
                    DataField::new("inp_ms", "INP", FieldFormat::Millis),
                    DataField::new("cls", "CLS", FieldFormat::Score),
                ],
                ..FIGURES
            },
        ],
    },
    ReportSection {
        name: SectionName::Crux,
        label: "Field data of Chrome",
        description: "How fast the site was for users of Chrome, by the newest period of the Chrome UX Report. Its periods are 28 days \
                      long, whatever the window.",
        requires_module: Some(Module::Crux),
        widgets: &[
            ReportWidget {
                name: "vitals_gauge",
                label: "Web vitals",
                description: "The 75th percentiles of the newest period, by form factor.",
                config: &[],
                fields: OF_CHROME,
                ..FIGURES
            },
            ReportWidget {
                name: "pages",
                label: "Pages",
                description: "The pages that are followed.",
                kind: WidgetKind::Table,
                config: &[LIMIT],
                rows: Some("items"),
                fields: &[
                    DataField::new("url", "Page", FieldFormat::Text),
                    DataField::new("label", "Name", FieldFormat::Text),
                    DataField::new("mobile.lcp_ms", "LCP, mobile", FieldFormat::Millis),
                    DataField::new("mobile.inp_ms", "INP, mobile", FieldFormat::Millis),
                    DataField::new("mobile.cls", "CLS, mobile", FieldFormat::Score),
                    DataField::new("desktop.lcp_ms", "LCP, desktop", FieldFormat::Millis),
                    DataField::new(
                        "assessment.mobile.status",
                        "Core Web Vitals, mobile",
                        FieldFormat::Word,
                    ),
                ],
                ..FIGURES
            },
        ],
    },
];

/// Gives the data of the sections `rum` and `crux`.
#[derive(Clone)]
pub struct VitalsWidgets {
    reads: Arc<dyn VitalsReads>,
    pages: Arc<dyn PageReads>,
    trends: Arc<dyn TrendReads>,
    slices: Arc<dyn SliceReads>,
    causes: Arc<dyn VitalsCauses>,
    errors: Arc<dyn VitalsErrors>,
    releases: Arc<dyn ReleaseStore>,
    crux: Arc<dyn CruxStore>,
    clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for VitalsWidgets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VitalsWidgets").finish_non_exhaustive()
    }
}

impl VitalsWidgets {
    /// The widgets on these ports.
    ///
    /// # Errors
    /// A port is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self {
            reads: ports.get()?,
            pages: ports.get()?,
            trends: ports.get()?,
            slices: ports.get()?,
            causes: ports.get()?,
            errors: ports.get()?,
            releases: ports.get()?,
            crux: ports.get()?,
            clock: ports.get()?,
        })
    }

    async fn of_visitors(
        &self,
        domain: &DomainAccess,
        asked: Compared,
        widget: &WidgetQuery,
        reads: &mut Reads,
    ) -> WidgetAnswer {
        let (access, vitals) = (domain.clone(), Port(Arc::clone(&self.reads)));
        let device = widget.narrowed("device");
        let filters = json!({ "device": device });
        let limit = widget.limit().unwrap_or_default();
        match widget.widget.name {
            "kpi_row" | "timeseries" => {
                let read = async {
                    let clock = Port(Arc::clone(&self.clock));
                    overview::view(access, ComparedDates(asked), parameters(filters)?, vitals, clock).await
                };
                reads
                    .answer(widget, format!("overview of {device:?}"), read)
                    .await
            }
            "releases" => {
                let read = releases::read(domain, asked.window.window, &*self.releases);
                reads.answer(widget, "releases", read).await
            }
            "distribution" => {
                let metric = widget.chosen("metric");
                let read = async {
                    let query = parameters(json!({ "metric": metric, "bins": 20 }))?;
                    let (page, filters) = (parameters(json!({}))?, parameters(filters)?);
                    let trends = Port(Arc::clone(&self.trends));
                    distribution::view(access, Dates(asked.window), query, page, filters, trends, vitals)
                        .await
                };
                reads
                    .answer(widget, format!("distribution of {metric}, {device:?}"), read)
                    .await
            }
            "top_pages" => {
                let page = PageRequest::first(ListKey::new(pages::SPEC.id, domain.id().0), limit);
                let read = async {
                    let (query, filters) = (parameters(json!({}))?, parameters(filters)?);
                    let pages = Port(Arc::clone(&self.pages));
                    pages::list(access, ComparedDates(asked), query, filters, page, pages, vitals).await
                };
                reads
                    .answer(widget, format!("{limit} pages of {device:?}"), read)
                    .await
            }
            "lcp_elements" => {
                let read = async {
                    let (page, filters) = (parameters(json!({}))?, parameters(filters)?);
                    let causes = Port(Arc::clone(&self.causes));
                    lcp::elements::list(access, Dates(asked.window), page, filters, causes, vitals).await
                };
                reads
                    .answer(widget, format!("elements of {device:?}"), read)
                    .await
            }
            "errors" => {
                let read = async {
                    let (query, page) = (parameters(json!({}))?, parameters(json!({}))?);
                    let (filters, errors) = (parameters(filters)?, Port(Arc::clone(&self.errors)));
                    errors::list::list(access, Dates(asked.window), query, page, filters, errors, vitals)
                        .await
                };
                reads.answer(widget, format!("errors of {device:?}"), read).await
            }
            "countries" => {
                let read = async {
                    let slices = Port(Arc::clone(&self.slices));
                    countries::list(access, Dates(asked.window), parameters(filters)?, slices, vitals).await
                };
                reads
                    .answer(widget, format!("countries of {device:?}"), read)
                    .await
            }
            _ => WidgetAnswer::unavailable(None),
        }
    }

    async fn of_chrome(
        &self,
        domain: &DomainAccess,
        widget: &WidgetQuery,
        reads: &mut Reads,
    ) -> WidgetAnswer {
        let (access, store) = (domain.clone(), Port(Arc::clone(&self.crux)));
        match widget.widget.name {
            "vitals_gauge" => {
                reads
                    .answer(widget, "field data", crux::overview::view(access, store))
                    .await
            }
            "pages" => {
                reads
                    .answer(widget, "followed pages", crux::urls::list::list(access, store))
                    .await
            }
            _ => WidgetAnswer::unavailable(None),
        }
    }
}

#[async_trait]
impl OperationWidgets for VitalsWidgets {
    const SECTIONS: &'static [ReportSection] = SECTIONS;

    async fn one(
        &self,
        domain: &DomainAccess,
        window: &ReportWindow,
        widget: &WidgetQuery,
        reads: &mut Reads,
    ) -> WidgetAnswer {
        if widget.section == SectionName::Crux {
            return self.of_chrome(domain, widget, reads).await;
        }
        let resolved = window.resolved(Module::Rum);
        let asked = Compared {
            window: resolved,
            // Operations of rum compare with as many days right before, whatever the period.
            shown: window.compares.then(|| resolved.preceding()),
        };
        self.of_visitors(domain, asked, widget, reads).await
    }
}
