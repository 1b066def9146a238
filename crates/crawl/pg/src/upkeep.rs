//! Retention, and what becomes of watching a site with its domain.

use diesel::{
    ExpressionMethods, QueryDsl, QueryResult,
    sql_types::{Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::FutureExt;
use pharos_domain::{ids::DomainId, module::Module, store::StoreError};
use pharos_persistence::{
    failure::{Abort, failure},
    group::{DomainHooks, DueKind, PgGroup, UpkeepStep},
    migrate::{Partitioned, Schema},
    pool::Database,
    sql,
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    KEPT,
    ports::ports,
    robots,
    schema::{robots_sites, sitemap_files},
    sitemap,
};

const fn monthly(table: &'static str) -> Partitioned {
    Partitioned {
        table,
        grain: "month",
        ahead: 2,
        kept: KEPT,
    }
}

/// How many rows one statement forgets, so that none takes long.
const FORGOTTEN_AT_ONCE: usize = 50_000;

/// The watch of robots.txt and sitemaps, as the kit and the other groups know it. Claims look at domains, so that nothing is due for one
/// that is deleted.
pub const GROUP: PgGroup = PgGroup {
    ports,
    due: &[
        DueKind {
            name: "robots",
            backlog: |database| robots::schedule::backlog(database).boxed(),
        },
        DueKind {
            name: "sitemaps",
            backlog: |database| sitemap::schedule::backlog(database).boxed(),
        },
    ],
    upkeep: &[
        UpkeepStep {
            name: "pages that left sitemaps",
            run: |database, now| forget_pages(database, now).boxed(),
        },
        UpkeepStep {
            name: "sitemap files that went",
            run: |database, now| forget_files(database, now).boxed(),
        },
        UpkeepStep {
            name: "answers of pages of sitemaps",
            run: |database, now| forget_samples(database, now).boxed(),
        },
    ],
    domain: Some(DomainHooks {
        deleted: |_, _, _| async { Ok(()) }.boxed(),
        restored: |connection, domain, now| restored(connection, domain, now).boxed(),
        active: |connection, domains| active(connection, domains).boxed(),
    }),
    ..PgGroup::of(Schema {
        partitions: &[
            monthly("robots_checks"),
            monthly("sitemap_checks"),
            monthly("sitemap_changes"),
            monthly("sitemap_rounds"),
        ],
        ..pharos_persistence::schema!("crawl")
    })
};

/// A domain that is restored is checked at once.
async fn restored(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let query = sql!(text "UPDATE robots_sites SET next_check_at = least($2, now()) WHERE domain_id = $1")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(now);
    query.execute(connection).await?;
    let query = sql!(text "UPDATE sitemap_sites SET next_check_at = least($2, now()) WHERE domain_id = $1")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(now);
    query.execute(connection).await?;
    Ok(())
}

/// Pages that left a file long ago are forgotten. Those that are there are kept for as long as their file is watched.
async fn forget_pages(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    loop {
        let query = sql!(text "DELETE FROM sitemap_urls WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM sitemap_urls WHERE removed_at <= day_before($1, $2) LIMIT 50000 FOR UPDATE SKIP LOCKED))")
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT);
        if query.execute(&mut connection).await.map_err(failure)? < FORGOTTEN_AT_ONCE {
            return Ok(());
        }
    }
}

/// Files that went long ago are forgotten once their pages are.
async fn forget_files(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    loop {
        let query = sql!("forget_files.sql")
            .bind::<Timestamptz, _>(now)
            .bind::<Text, _>(KEPT);
        if query.execute(&mut connection).await.map_err(failure)? < FORGOTTEN_AT_ONCE {
            return Ok(());
        }
    }
}

/// Answers of long ago say nothing of a page.
async fn forget_samples(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    loop {
        let query = sql!(text "DELETE FROM sitemap_samples WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM sitemap_samples WHERE asked_at <= $1 - interval '30 days' LIMIT 50000 FOR UPDATE SKIP LOCKED))")
        .bind::<Timestamptz, _>(now);
        if query.execute(&mut connection).await.map_err(failure)? < FORGOTTEN_AT_ONCE {
            return Ok(());
        }
    }
}

/// The domains whose robots.txt was fetched, and those with a sitemap.
async fn active(mut connection: &AsyncPgConnection, domains: &[Uuid]) -> QueryResult<Vec<(Uuid, Module)>> {
    let watched: Vec<Uuid> = robots_sites::table
        .filter(robots_sites::domain_id.eq_any(domains))
        .filter(robots_sites::last_checked_at.is_not_null())
        .select(robots_sites::domain_id)
        .load(&mut connection)
        .await?;
    let with_files: Vec<Uuid> = sitemap_files::table
        .filter(sitemap_files::domain_id.eq_any(domains))
        .filter(sitemap_files::removed_at.is_null())
        .select(sitemap_files::domain_id)
        .distinct()
        .load(&mut connection)
        .await?;
    let of = |module| move |domain| (domain, module);
    let robots = watched.into_iter().map(of(Module::Robots));
    Ok(robots
        .chain(with_files.into_iter().map(of(Module::Sitemap)))
        .collect())
}
