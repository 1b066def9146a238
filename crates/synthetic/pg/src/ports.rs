//! The ports that are implemented here.

use std::sync::Arc;

use pharos_domain::{page_facts::PageLab, ports::Ports};
use pharos_persistence::pool::Database;
use pharos_synthetic::{
    alert_metrics::LabMetricStore,
    store::{LabSchedule, LabStore},
};

use crate::{alert_metrics::PgLabMetricStore, schedule::PgLabSchedule, store::PgLabStore};

pub(crate) fn ports(ports: Ports, database: &Database) -> Ports {
    ports
        .with::<dyn LabMetricStore>(Arc::new(PgLabMetricStore::new(database.clone())))
        .with::<dyn LabSchedule>(Arc::new(PgLabSchedule::new(database.clone())))
        .with::<dyn PageLab>(Arc::new(PgLabStore::new(database.clone())))
        .with::<dyn LabStore>(Arc::new(PgLabStore::new(database.clone())))
}
