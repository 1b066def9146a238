//! The groups: which there are, and what each plugs in.

mod alerting;
mod outgoing;
mod uptime;
pub mod work;

use std::sync::Arc;

use pharos_alerting::catalogue::Catalogue;
use pharos_domain::{
    alert_metric::MetricSource,
    module_block::ModuleReporter,
    ports::{MissingPort, Ports},
};
use pharos_http::operation::Operation;
use pharos_persistence::{
    group::PgGroup,
    kit::KIT,
    migrate::Schema,
    pool::{Database, DatabaseOptions},
};
use pharos_uptime::{
    alert_metrics::UptimeMetrics,
    block::{SCORE, UptimeReporter},
};

pub(crate) use self::alerting::mailer;
use self::work::{Work, WorkContext};

/// A group, as the server plugs it in.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The operations that it adds to the registry.
    pub operations: fn() -> Vec<Operation>,
    /// Its part of the database: tables, ports, upkeep, and what becomes of its rows with a domain or a user.
    pub postgres: PgGroup,
    /// Its contribution to the overview and to the health of a domain.
    pub reporter: Option<Reporter>,
    /// Makes the source of the metrics that alert rules may watch.
    pub metric_source: Option<MakeMetricSource>,
    /// Makes its work on a node beside answering.
    pub work: Option<MakeWork>,
    /// Describes its metrics.
    pub metrics: fn(),
}

/// A group's contribution to the overview and to the health of a domain.
#[derive(Clone, Copy, Debug)]
pub struct Reporter {
    /// Makes it.
    pub make: MakeReporter,
    /// A sentence that says how the module's score comes about.
    pub score: &'static str,
}

/// Makes a group's reporter from the ports.
pub type MakeReporter = fn(&Ports) -> Result<Arc<dyn ModuleReporter>, MissingPort>;

/// Makes the source of a group's metrics from the ports.
pub type MakeMetricSource = fn(&Ports) -> Result<Arc<dyn MetricSource>, MissingPort>;

/// Makes a group's background work. It is asked of nodes that schedule or do jobs.
pub type MakeWork = fn(&WorkContext<'_>) -> anyhow::Result<Work>;

impl Group {
    /// A group that has tables and nothing else, to be filled in.
    const fn of(postgres: PgGroup) -> Self {
        Self {
            operations: Vec::new,
            postgres,
            reporter: None,
            metric_source: None,
            work: None,
            metrics: || {},
        }
    }
}

/// All groups. The kit is the first, since the triggers of the others call its functions.
pub const GROUPS: &[Group] = &[
    Group::of(KIT),
    Group {
        operations: pharos_account_api::operations,
        ..Group::of(pharos_account_pg::GROUP)
    },
    Group::of(pharos_auth_pg::GROUP),
    Group {
        operations: pharos_uptime_api::operations,
        reporter: Some(Reporter {
            make: |ports| Ok(Arc::new(UptimeReporter::new(ports)?)),
            score: SCORE,
        }),
        metric_source: Some(|ports| Ok(Arc::new(UptimeMetrics::new(ports)?))),
        work: Some(uptime::work),
        metrics: pharos_uptime::metrics::describe,
        ..Group::of(pharos_uptime_pg::GROUP)
    },
    Group {
        operations: pharos_alerting_api::operations,
        work: Some(alerting::work),
        metrics: pharos_alerting::metrics::describe,
        ..Group::of(pharos_alerting_pg::GROUP)
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

/// The operations of all groups, in the order of the groups.
#[must_use]
pub fn operations() -> Vec<Operation> {
    let mut operations: Vec<_> = GROUPS.iter().flat_map(|group| (group.operations)()).collect();
    let reporters = GROUPS.iter().filter_map(|group| group.reporter);
    let scores: Vec<_> = reporters.map(|reporter| reporter.score).collect();
    for operation in &mut operations {
        if operation.spec.id == pharos_account_api::HEALTH {
            operation.notes.clone_from(&scores);
        }
    }
    operations
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

/// The metrics of all groups that alert rules may watch.
///
/// # Errors
/// A group's source lacks a port, or two groups have metrics of one module or one name.
pub fn alert_metrics(ports: &Ports) -> anyhow::Result<Catalogue> {
    let sources = GROUPS
        .iter()
        .filter_map(|group| group.metric_source)
        .map(|make| make(ports))
        .collect::<Result<_, _>>()?;
    Ok(Catalogue::new(sources)?)
}
