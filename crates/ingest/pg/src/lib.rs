#![doc = include_str!("../README.md")]

pub mod bots;
pub mod salts;
mod schema;
pub mod sites;

use std::sync::Arc;

use futures_util::FutureExt;
use pharos_domain::{collect::site::SiteKeys, ports::Ports};
use pharos_ingest::{
    bots::BotStore,
    sites::{SiteAdmin, SiteStore},
    visitor::SaltStore,
};
use pharos_persistence::{
    group::{PgGroup, UpkeepStep},
    pool::Database,
};

use self::{bots::PgBotStore, salts::PgSaltStore, sites::PgSites};

/// Collection, as the kit and the other groups know it.
pub const GROUP: PgGroup = PgGroup {
    ports,
    upkeep: &[
        UpkeepStep {
            name: "salts of visitors",
            run: |database, _| salts::forget(database).boxed(),
        },
        UpkeepStep {
            name: "counts of bots",
            run: |database, now| bots::forget(database, now).boxed(),
        },
    ],
    ..PgGroup::of(pharos_persistence::schema!("ingest"))
};

fn ports(ports: Ports, database: &Database) -> Ports {
    let sites = Arc::new(PgSites::new(database.clone()));
    ports
        .with::<dyn BotStore>(Arc::new(PgBotStore::new(database.clone())))
        .with::<dyn SaltStore>(Arc::new(PgSaltStore::new(database.clone())))
        .with::<dyn SiteAdmin>(Arc::clone(&sites) as Arc<dyn SiteAdmin>)
        .with::<dyn SiteKeys>(Arc::clone(&sites) as Arc<dyn SiteKeys>)
        .with::<dyn SiteStore>(sites)
}
