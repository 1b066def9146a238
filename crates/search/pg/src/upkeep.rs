//! Retention, and what becomes of search data with its domain.

use diesel::{ExpressionMethods, QueryDsl, QueryResult};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::FutureExt;
use pharos_domain::{ids::DomainId, module::Module, quota::QuotaResource, store::StoreError};
use pharos_persistence::{
    failure::Abort,
    group::{DayQuota, DomainHooks, DueKind, PgGroup, UpkeepStep},
    migrate::{Partitioned, Schema},
    quota,
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    KEPT,
    gsc::{consents, links, retention, seal::SEALED},
    indexing,
    ports::ports,
    schema::{indexing_urls, search_properties},
};

/// Search, as the kit and the other groups know it.
pub const GROUP: PgGroup = PgGroup {
    ports,
    due: &[
        DueKind {
            name: "search data",
            backlog: |database| links::backlog(database).boxed(),
        },
        DueKind {
            name: "inspections",
            backlog: |database| indexing::backlog(database).boxed(),
        },
    ],
    day_quotas: &[DayQuota {
        name: "inspections",
        used: |database, now| indexing::used_of_day(database, now).boxed(),
    }],
    upkeep: &[
        UpkeepStep {
            name: "old search days",
            run: |database, now| retention::forget_old(database, now).boxed(),
        },
        UpkeepStep {
            name: "old search values",
            run: |database, now| retention::forget_values(database, now).boxed(),
        },
        UpkeepStep {
            name: "consents asked for",
            run: |database, now| consents::forget_old(database, now).boxed(),
        },
        UpkeepStep {
            name: "inspections",
            run: |database, now| indexing::forget_old(database, now).boxed(),
        },
        UpkeepStep {
            name: "results of inspector runs",
            run: |database, now| indexing::forget_run_results(database, now).boxed(),
        },
    ],
    sealed: &[SEALED],
    domain: Some(DomainHooks {
        deleted: |_, _, _| async { Ok(()) }.boxed(),
        restored: |connection, domain, now| indexing::restored(connection, domain, now).boxed(),
        active: |connection, domains| active(connection, domains).boxed(),
    }),
    domain_erasing: Some(|connection, domain, now| give_back(connection, domain, now).boxed()),
    ..PgGroup::of(Schema {
        partitions: &[
            months("search_places"),
            months("search_queries"),
            months("search_pages"),
            months("search_pairs"),
            months("search_appearances"),
            months("search_sums"),
            inspections("indexing_results"),
            inspections("indexing_changes"),
        ],
        ..pharos_persistence::schema!("search")
    })
};

/// A table in monthly partitions.
const fn months(table: &'static str) -> Partitioned {
    Partitioned {
        table,
        grain: "month",
        ahead: 2,
        kept: KEPT,
    }
}

/// The same of inspections, which are not kept as long.
const fn inspections(table: &'static str) -> Partitioned {
    Partitioned {
        kept: indexing::KEPT,
        ..months(table)
    }
}

/// The URLs that were inspected in turns are no longer the workspace's.
async fn give_back(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let monitored = indexing_urls::table
        .filter(indexing_urls::domain_id.eq(domain.0))
        .filter(indexing_urls::next_inspection_at.is_not_null())
        .count()
        .get_result(connection)
        .await?;
    let resource = QuotaResource::MonitoredUrlsIndexing;
    quota::give_back_of_domain(connection, domain, resource, monitored, now).await?;
    Ok(())
}

/// The domains that are linked to a property, and those of which a URL was inspected.
async fn active(connection: &AsyncPgConnection, domains: &[Uuid]) -> QueryResult<Vec<(Uuid, Module)>> {
    let mut reader = connection;
    let linked: Vec<Uuid> = search_properties::table
        .filter(search_properties::domain_id.eq_any(domains))
        .select(search_properties::domain_id)
        .load(&mut reader)
        .await?;
    let inspected = indexing::active(connection, domains).await?;
    let linked = linked.into_iter().map(|domain| (domain, Module::Gsc));
    let inspected = inspected.into_iter().map(|domain| (domain, Module::Indexing));
    Ok(linked.chain(inspected).collect())
}
