//! The kit's own tables, which it plugs in as a group does.

use std::{future::ready, sync::Arc};

use diesel_migrations::embed_migrations;
use futures_util::FutureExt;
use pharos_domain::{
    jobs::{JobAdmin, JobQueue},
    ledger::LedgerStore,
    ports::Ports,
    replays::ReplayStore,
    runs::RunStore,
    sealing_keys::SealingKeyStore,
    switches::SwitchStore,
};

use crate::{
    audit,
    group::{DomainHooks, PgGroup, UpkeepStep},
    jobs::{self, PgJobQueue, admin::PgJobAdmin},
    metering::{
        ledger::PgLedgerStore,
        replays::{self, PgReplayStore},
    },
    metric_events,
    migrate::{Function, Partitioned, Schema},
    pool::Database,
    runs::{self, PgRunStore},
    seal::store::PgSealingKeyStore,
    set_aside,
    switches::PgSwitchStore,
    wide_pulls,
};

/// Jobs, runs, the ledger, answers of idempotency keys, switches, and what was set aside. It is the first of all groups, since
/// the triggers of the others call its functions.
pub const KIT: PgGroup = PgGroup {
    ports,
    upkeep: &[
        UpkeepStep {
            name: "what was set aside",
            run: |database, now| set_aside::forget(database, now).boxed(),
        },
        UpkeepStep {
            name: "audit trail",
            run: |database, now| audit::forget(database, now).boxed(),
        },
        UpkeepStep {
            name: "answers of keys",
            run: |database, now| replays::clean_up(database, now).boxed(),
        },
        UpkeepStep {
            name: "jobs that lie ahead",
            run: |database, _| jobs::bring_back(database).boxed(),
        },
        // Before the runs that they are of.
        UpkeepStep {
            name: "rows of wide pulls",
            run: |database, now| wide_pulls::forget(database, now).boxed(),
        },
        UpkeepStep {
            name: "runs",
            run: |database, now| runs::see_to(database, now).boxed(),
        },
        UpkeepStep {
            name: "metric events",
            run: |database, now| metric_events::forget(database, now).boxed(),
        },
    ],
    domain: Some(DomainHooks {
        deleted: |connection, domain, now| {
            async move {
                runs::cancel_all(connection, domain, now).await?;
                wide_pulls::expire(connection, domain, now).await
            }
            .boxed()
        },
        restored: |_, _, _| ready(Ok(())).boxed(),
        active: |_, _| ready(Ok(Vec::new())).boxed(),
    }),
    ..PgGroup::of(Schema {
        group: "common",
        migrations: &embed_migrations!("../../migrations/common/versions"),
        functions: include!(concat!(env!("OUT_DIR"), "/functions.rs")),
        digest: env!("PHAROS_MIGRATIONS_DIGEST"),
        partitions: &[Partitioned {
            table: "credit_log",
            grain: "day",
            ahead: 3,
            kept: "90 days",
        }],
    })
};

fn ports(ports: Ports, database: &Database) -> Ports {
    ports
        .with::<dyn JobQueue>(Arc::new(PgJobQueue::new(database.clone())))
        .with::<dyn JobAdmin>(Arc::new(PgJobAdmin::new(database.clone())))
        .with::<dyn LedgerStore>(Arc::new(PgLedgerStore::new(database.clone())))
        .with::<dyn ReplayStore>(Arc::new(PgReplayStore::new(database.clone())))
        .with::<dyn RunStore>(Arc::new(PgRunStore::new(database.clone())))
        .with::<dyn SealingKeyStore>(Arc::new(PgSealingKeyStore::new(database.clone())))
        .with::<dyn SwitchStore>(Arc::new(PgSwitchStore::new(database.clone())))
}
