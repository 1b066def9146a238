//! The groups: which there are, and what each plugs in.

mod account;
mod alerting;
mod analytics;
mod auth;
mod crawl;
mod ingest;
mod outgoing;
mod reporting;
mod search;
mod synthetic;
mod uptime;
mod vitals;
pub mod work;

use std::sync::Arc;

use futures_util::{
    FutureExt,
    future::{BoxFuture, LocalBoxFuture, ready},
};
use pharos_account::reporters::ModuleReporters;
use pharos_account_api::OverviewWidgets;
use pharos_alerting::catalogue::Catalogue;
use pharos_alerting_api::AlertWidgets;
use pharos_analytics::{alert_metrics::AnalyticsMetrics, block::AnalyticsReporter};
use pharos_analytics_api::AnalyticsWidgets;
use pharos_auth::oauth::limits::OauthLimits;
use pharos_crawl::{
    robots::monitor::{alert_metrics::RobotsMetrics, block::RobotsReporter},
    sitemap::monitor::{alert_metrics::SitemapMetrics, block::SitemapReporter},
};
use pharos_crawl_api::{RobotsWidgets, SitemapWidgets};
use pharos_domain::{
    alert_metric::MetricSource,
    module_block::ModuleReporter,
    ports::{MissingPort, Ports},
    report_widget::WidgetSource,
};
use pharos_egress::address_policy::AddressPolicy;
use pharos_http::{open::OpenOperation, operation::Operation, widgets::InTurn};
use pharos_persistence::{
    group::{DayQuota, DueKind, PgGroup},
    kit::KIT,
    migrate::Schema,
    pool::{Database, DatabaseOptions},
    seal::SealedColumn,
};
use pharos_reporting::catalogue::Catalogue as ReportCatalogue;
use pharos_search::{
    gsc::{alert_metrics::SearchMetrics, block::SearchReporter},
    indexing::{alert_metrics::IndexingMetrics, block::IndexingReporter},
};
use pharos_search_api::{GscWidgets, IndexingWidgets};
use pharos_synthetic::{alert_metrics::LabMetrics, block::LabReporter};
use pharos_synthetic_api::LabWidgets;
use pharos_uptime::{
    alert_metrics::UptimeMetrics,
    block::{SCORE, UptimeReporter},
};
use pharos_uptime_api::UptimeWidgets;
use pharos_vitals::{
    alert_metrics::VitalsMetrics,
    block::VitalsReporter,
    crux::{alert_metrics::CruxMetrics, block::CruxReporter},
};
use pharos_vitals_api::VitalsWidgets;

use self::work::{Work, WorkContext};
pub(crate) use self::{
    ingest::places,
    outgoing::{bucket, mailer, resolver, trusted},
    search::google,
};
use crate::{
    config::Config,
    demo::{self, PrepareDemo},
    finding::Finding,
};

/// A group, as the server plugs it in.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The operations that it adds to the registry.
    pub operations: fn() -> Vec<Operation>,
    /// Its operations that need no credential, by the limits that an installation sets them.
    pub open_operations: fn(OauthLimits) -> Vec<OpenOperation>,
    /// Its part of the database: tables, ports, upkeep, and what becomes of its rows with a domain or a user.
    pub postgres: PgGroup,
    /// Adds its ports that need more than the database, such as a client of somebody else's API.
    pub outgoing: AddOutgoing,
    /// Its contributions to the overview and to the health of a domain, one a module.
    pub reporters: &'static [Reporter],
    /// Make the sources of the metrics that alert rules may watch, one a module.
    pub metric_sources: &'static [MakeMetricSource],
    /// Make the sources of its widgets in reports.
    pub widget_sources: &'static [MakeWidgetSource],
    /// Makes its work on a node beside answering.
    pub work: Option<MakeWork>,
    /// Describes its metrics.
    pub metrics: fn(),
    /// Says how its work stands, for `pharos doctor`.
    pub findings: Option<FindingsOf>,
    /// Says what the machine of a node has or lacks for its work, without the database.
    pub machine_finding: Option<MachineFindingOf>,
    /// Prepare what the shops of the demo have of it, in this order.
    pub demo: &'static [PrepareDemo],
}

/// A group's contribution to the overview and to the health of a domain.
#[derive(Clone, Copy, Debug)]
pub struct Reporter {
    /// Makes it.
    pub make: MakeReporter,
    /// A sentence that says how the module's score comes about.
    pub score: &'static str,
}

/// Adds a group's ports that need more than the database, by the configuration of the node and where its requests may go.
pub type AddOutgoing = fn(Ports, &Config, &AddressPolicy) -> anyhow::Result<Ports>;

/// Makes a group's reporter from the ports.
pub type MakeReporter = fn(&Ports) -> Result<Arc<dyn ModuleReporter>, MissingPort>;

/// Makes the source of a group's metrics from the ports.
pub type MakeMetricSource = fn(&Ports) -> Result<Arc<dyn MetricSource>, MissingPort>;

/// Makes a source of a group's widgets from the ports, among which are the clock and the reporters.
pub type MakeWidgetSource = fn(&Ports) -> Result<Arc<dyn WidgetSource>, MissingPort>;

/// Looks into how a group's work stands, by its ports and the configuration of the node.
pub type FindingsOf = for<'a> fn(&'a Ports, &'a Config) -> BoxFuture<'a, anyhow::Result<Vec<Finding>>>;

/// Looks into what a machine has for a group's work, by the configuration of the node.
pub type MachineFindingOf = for<'a> fn(&'a Config) -> LocalBoxFuture<'a, Finding>;

/// Makes a group's background work. It is asked of nodes that schedule or do jobs.
pub type MakeWork = fn(&WorkContext<'_>) -> anyhow::Result<Work>;

impl Group {
    /// A group that has tables and nothing else, to be filled in.
    const fn of(postgres: PgGroup) -> Self {
        Self {
            operations: Vec::new,
            open_operations: |_| Vec::new(),
            postgres,
            outgoing: |ports, _, _| Ok(ports),
            reporters: &[],
            metric_sources: &[],
            widget_sources: &[],
            work: None,
            metrics: || {},
            findings: None,
            machine_finding: None,
            demo: &[],
        }
    }
}

/// All groups. The kit is the first, since the triggers of the others call its functions.
pub const GROUPS: &[Group] = &[
    Group::of(KIT),
    Group {
        operations: pharos_account_api::operations,
        outgoing: account::outgoing,
        widget_sources: &[|ports| Ok(Arc::new(InTurn(OverviewWidgets::new(ports)?)))],
        ..Group::of(pharos_account_pg::GROUP)
    },
    Group {
        open_operations: pharos_auth_api::oauth::operations,
        outgoing: |ports, config, _| auth::outgoing(ports, config),
        work: Some(auth::work),
        ..Group::of(pharos_auth_pg::GROUP)
    },
    Group {
        operations: pharos_uptime_api::operations,
        reporters: &[Reporter {
            make: |ports| Ok(Arc::new(UptimeReporter::new(ports)?)),
            score: SCORE,
        }],
        metric_sources: &[|ports| Ok(Arc::new(UptimeMetrics::new(ports)?))],
        widget_sources: &[|ports| Ok(Arc::new(InTurn(UptimeWidgets::new(ports)?)))],
        work: Some(uptime::work),
        metrics: pharos_uptime::metrics::describe,
        ..Group::of(pharos_uptime_pg::GROUP)
    },
    Group {
        operations: pharos_alerting_api::operations,
        widget_sources: &[|ports| Ok(Arc::new(InTurn(AlertWidgets::new(ports)?)))],
        work: Some(alerting::work),
        metrics: pharos_alerting::metrics::describe,
        findings: Some(|ports, _| alerting::findings(ports).boxed()),
        demo: &[|demo| demo::rules::prepare(demo).boxed_local()],
        ..Group::of(pharos_alerting_pg::GROUP)
    },
    Group {
        operations: pharos_analytics_api::operations,
        reporters: &[Reporter {
            make: |ports| Ok(Arc::new(AnalyticsReporter::new(ports)?)),
            score: pharos_analytics::block::SCORE,
        }],
        widget_sources: &[|ports| Ok(Arc::new(InTurn(AnalyticsWidgets::new(ports)?)))],
        metric_sources: &[|ports| Ok(Arc::new(AnalyticsMetrics::new(ports)?))],
        work: Some(analytics::work),
        ..Group::of(pharos_analytics_pg::GROUP)
    },
    Group {
        metrics: pharos_ingest::metrics::describe,
        machine_finding: Some(|config| ready(ingest::countries(config)).boxed_local()),
        demo: &[|demo| demo::measured::switch_on(demo).boxed_local()],
        ..Group::of(pharos_ingest_pg::GROUP)
    },
    Group {
        operations: pharos_vitals_api::operations,
        reporters: &[
            Reporter {
                make: |ports| Ok(Arc::new(VitalsReporter::new(ports)?)),
                score: pharos_vitals::block::SCORE,
            },
            Reporter {
                make: |ports| Ok(Arc::new(CruxReporter::new(ports)?)),
                score: pharos_vitals::crux::block::SCORE,
            },
        ],
        widget_sources: &[|ports| Ok(Arc::new(InTurn(VitalsWidgets::new(ports)?)))],
        metric_sources: &[
            |ports| Ok(Arc::new(VitalsMetrics::new(ports)?)),
            |ports| Ok(Arc::new(CruxMetrics::new(ports)?)),
        ],
        work: Some(vitals::work),
        metrics: pharos_vitals::crux::metrics::describe,
        findings: Some(|ports, config| vitals::findings(ports, config).boxed()),
        demo: &[|demo| demo::google::follow(demo).boxed_local()],
        ..Group::of(pharos_vitals_pg::GROUP)
    },
    Group {
        operations: pharos_crawl_api::operations,
        reporters: &[
            Reporter {
                make: |ports| Ok(Arc::new(RobotsReporter::new(ports)?)),
                score: pharos_crawl::robots::monitor::block::SCORE,
            },
            Reporter {
                make: |ports| Ok(Arc::new(SitemapReporter::new(ports)?)),
                score: pharos_crawl::sitemap::monitor::block::SCORE,
            },
        ],
        metric_sources: &[
            |ports| Ok(Arc::new(RobotsMetrics::new(ports)?)),
            |ports| Ok(Arc::new(SitemapMetrics::new(ports)?)),
        ],
        widget_sources: &[
            |ports| Ok(Arc::new(InTurn(RobotsWidgets::new(ports)?))),
            |ports| Ok(Arc::new(InTurn(SitemapWidgets::new(ports)?))),
        ],
        work: Some(crawl::work),
        metrics: crawl::describe,
        findings: Some(|ports, _| crawl::findings(ports).boxed()),
        demo: &[
            |demo| demo::robots::remember(demo).boxed_local(),
            |demo| demo::sitemaps::remember(demo).boxed_local(),
        ],
        ..Group::of(pharos_crawl_pg::GROUP)
    },
    Group {
        operations: pharos_reporting_api::operations,
        work: Some(reporting::work),
        metrics: pharos_reporting::metrics::describe,
        machine_finding: Some(|config| reporting::printing(config).boxed_local()),
        demo: &[|demo| reporting::prepare_demo(demo).boxed_local()],
        ..Group::of(pharos_reporting_pg::GROUP)
    },
    Group {
        operations: pharos_search_api::operations,
        outgoing: search::outgoing,
        reporters: &[
            Reporter {
                make: |ports| Ok(Arc::new(SearchReporter::new(ports)?)),
                score: pharos_search::gsc::block::SCORE,
            },
            Reporter {
                make: |ports| Ok(Arc::new(IndexingReporter::new(ports)?)),
                score: pharos_search::indexing::block::SCORE,
            },
        ],
        metric_sources: &[
            |ports| Ok(Arc::new(SearchMetrics::new(ports)?)),
            |ports| Ok(Arc::new(IndexingMetrics::new(ports)?)),
        ],
        widget_sources: &[
            |ports| Ok(Arc::new(InTurn(GscWidgets::new(ports)?))),
            |ports| Ok(Arc::new(InTurn(IndexingWidgets::new(ports)?))),
        ],
        work: Some(search::work),
        metrics: pharos_search::metrics::describe,
        findings: Some(|ports, _| search::findings(ports).boxed()),
        demo: &[|demo| demo::google::link(demo).boxed_local()],
        ..Group::of(pharos_search_pg::GROUP)
    },
    Group {
        operations: pharos_synthetic_api::operations,
        reporters: &[Reporter {
            make: |ports| Ok(Arc::new(LabReporter::new(ports)?)),
            score: pharos_synthetic::block::SCORE,
        }],
        metric_sources: &[|ports| Ok(Arc::new(LabMetrics::new(ports)?))],
        widget_sources: &[|ports| Ok(Arc::new(InTurn(LabWidgets::new(ports)?)))],
        work: Some(synthetic::work),
        metrics: pharos_synthetic::metrics::describe,
        machine_finding: Some(|config| synthetic::lab_tests(config).boxed_local()),
        demo: &[|demo| demo::lab::track(demo).boxed_local()],
        ..Group::of(pharos_synthetic_pg::GROUP)
    },
];

const POSTGRES: &[PgGroup] = &of_postgres();

const fn of_postgres() -> [PgGroup; GROUPS.len()] {
    let mut all = [KIT; GROUPS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = GROUPS[at].postgres;
        at += 1;
    }
    all
}

/// The schemas of the database, in the order of the groups.
pub const SCHEMAS: &[Schema] = &schemas();

const fn schemas() -> [Schema; GROUPS.len()] {
    let mut all = [KIT.schema; GROUPS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = GROUPS[at].postgres.schema;
        at += 1;
    }
    all
}

/// The columns of all groups whose secrets can't be read without the installation's own key.
pub(crate) fn sealed_by_installation() -> impl Iterator<Item = SealedColumn> {
    POSTGRES
        .iter()
        .flat_map(|group| group.sealed_by_installation)
        .copied()
}

/// The things of all groups that are due again and again.
pub fn due_kinds() -> impl Iterator<Item = DueKind> {
    POSTGRES.iter().flat_map(|group| group.due).copied()
}

/// The quotas that upstreams grant all groups for a day.
pub(crate) fn day_quotas() -> impl Iterator<Item = DayQuota> {
    POSTGRES.iter().flat_map(|group| group.day_quotas).copied()
}

/// The operations of all groups, in the order of the groups.
#[must_use]
pub fn operations() -> Vec<Operation> {
    let mut operations: Vec<_> = GROUPS.iter().flat_map(|group| (group.operations)()).collect();
    let reporters = GROUPS.iter().flat_map(|group| group.reporters);
    let scores: Vec<_> = reporters.map(|reporter| reporter.score).collect();
    for operation in &mut operations {
        if operation.spec.id == pharos_account_api::HEALTH {
            operation.notes.clone_from(&scores);
        }
    }
    operations
}

/// The operations of all groups that need no credential, by the limits that an installation sets them.
#[must_use]
pub fn open_operations(limits: OauthLimits) -> Vec<OpenOperation> {
    GROUPS
        .iter()
        .flat_map(|group| (group.open_operations)(limits))
        .collect()
}

/// How to talk to a database that has the tables of all groups.
#[must_use]
pub fn database_options() -> DatabaseOptions {
    DatabaseOptions::of(POSTGRES)
}

/// The ports that the groups implement on a database.
#[must_use]
pub fn ports(database: &Database) -> Ports {
    POSTGRES
        .iter()
        .fold(Ports::default(), |ports, group| (group.ports)(ports, database))
}

/// The preparations of the demo's shops, in the order of the groups.
pub(crate) fn demo_parts() -> impl Iterator<Item = PrepareDemo> {
    GROUPS.iter().flat_map(|group| group.demo).copied()
}

/// The ports with those of all groups that need more than the database.
///
/// # Errors
/// One needs what can't be had: name servers, certificate authorities, a mail server's settings.
pub fn with_outgoing(ports: Ports, config: &Config, policy: &AddressPolicy) -> anyhow::Result<Ports> {
    GROUPS
        .iter()
        .try_fold(ports, |ports, group| (group.outgoing)(ports, config, policy))
}

/// The metrics of all groups that alert rules may watch.
///
/// # Errors
/// A group's source lacks a port, or two groups have metrics of one module or one name.
pub fn alert_metrics(ports: &Ports) -> anyhow::Result<Catalogue> {
    let sources = GROUPS
        .iter()
        .flat_map(|group| group.metric_sources)
        .map(|make| make(ports))
        .collect::<Result<_, _>>()?;
    Ok(Catalogue::new(sources)?)
}

/// The reporters by which groups contribute to the overview and the health of a domain.
///
/// # Errors
/// A group's reporter lacks a port.
pub fn reporters(ports: &Ports) -> Result<ModuleReporters, MissingPort> {
    let reporters = GROUPS
        .iter()
        .flat_map(|group| group.reporters)
        .map(|reporter| (reporter.make)(ports))
        .collect::<Result<_, _>>()?;
    Ok(ModuleReporters::new(reporters))
}

/// The sections and widgets of all groups. Among the ports are the clock and the reporters.
///
/// # Errors
/// A group's source lacks a port, or two groups give a section widgets of one name.
pub fn report_catalogue(ports: &Ports) -> anyhow::Result<ReportCatalogue> {
    let sources = GROUPS
        .iter()
        .flat_map(|group| group.widget_sources)
        .map(|make| make(ports))
        .collect::<Result<_, _>>()?;
    Ok(ReportCatalogue::new(sources)?)
}
