//! Letting go of files that nothing names any more, and of their pages.

use diesel::{
    ExpressionMethods, QueryDsl, QueryResult, QueryableByName,
    sql_types::{BigInt, Bool, Integer, Nullable, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_crawl::sitemap::monitor::site::{CheckCounts, DEEPEST};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{failure::failure, moment::not_ahead, pool::Database, sql};
use time::OffsetDateTime;
use uuid::Uuid;

use super::import::{changed, let_go, ready_stage};
use crate::schema::{sitemap_conflicts, sitemap_files, sitemap_urls};

#[derive(QueryableByName)]
struct DroppedRow {
    #[diesel(sql_type = BigInt)]
    dropped: i64,
}

#[derive(QueryableByName)]
struct LeftRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Bool)]
    is_forgotten: bool,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    good_at: Option<OffsetDateTime>,
}

/// Gives files whose index is gone to another index that names them.
pub(super) async fn rehome(connection: &mut AsyncPgConnection, domain: DomainId) -> QueryResult<()> {
    let deepest = i32::try_from(DEEPEST).unwrap_or(i32::MAX);
    // One that is taken over may be an index itself.
    for _ in 0..DEEPEST {
        let query = sql!("rehome.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<Integer, _>(deepest);
        if query.execute(connection).await? == 0 {
            break;
        }
    }
    Ok(())
}

/// Lets go of files that nothing names, and of those that they alone named. Whether that was so of any.
pub(in crate::sitemap) async fn drop_files(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> QueryResult<bool> {
    rehome(connection, domain).await?;
    let query = sql!("drop_files.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(now);
    let row: DroppedRow = query.get_result(connection).await?;
    let mut is_any = row.dropped > 0;
    for _ in 0..DEEPEST {
        let query = sql!("orphan_files.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<Timestamptz, _>(now);
        if query.execute(connection).await? == 0 {
            break;
        }
        is_any = true;
    }
    Ok(is_any)
}

pub(super) async fn sweep(
    database: &Database,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<CheckCounts, StoreError> {
    let mut connection = database.connection().await?;
    let is_any = connection
        .transaction::<_, diesel::result::Error, _>(async |connection| {
            let now = not_ahead(connection, now).await?;
            let is_any = drop_files(connection, domain, now).await?;
            let query = sql!("forget_issues.sql").bind::<SqlUuid, _>(domain.0);
            query.execute(connection).await?;
            if is_any {
                changed(connection, domain, now).await?;
            }
            Ok(is_any)
        })
        .await
        .map_err(failure)?;
    let query = sql!("left_behind.sql").bind::<SqlUuid, _>(domain.0);
    let left: Vec<LeftRow> = query.load(&mut connection).await.map_err(failure)?;
    let mut counts = CheckCounts {
        is_changed: is_any || !left.is_empty(),
        ..CheckCounts::default()
    };
    for file in left {
        // A file a transaction: none of them has more than 50,000 pages.
        let gone = connection
            .transaction::<_, diesel::result::Error, _>(async |connection| {
                clear(connection, domain, &file, now).await
            })
            .await
            .map_err(failure)?;
        counts = counts.and(gone);
    }
    Ok(counts)
}

async fn clear(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    file: &LeftRow,
    now: OffsetDateTime,
) -> QueryResult<CheckCounts> {
    let now = not_ahead(connection, now).await?;
    let counts = if file.is_forgotten {
        diesel::delete(sitemap_conflicts::table.filter(sitemap_conflicts::file_id.eq(file.id)))
            .execute(connection)
            .await?;
        diesel::delete(sitemap_urls::table.filter(sitemap_urls::file_id.eq(file.id)))
            .execute(connection)
            .await?;
        CheckCounts::default()
    } else {
        ready_stage(connection).await?;
        let_go(connection, domain, file.id, now, file.good_at, true).await?
    };
    diesel::update(sitemap_files::table.find(file.id))
        .set((
            sitemap_files::good_at.eq(None::<OffsetDateTime>),
            sitemap_files::sha256.eq(None::<String>),
        ))
        .execute(connection)
        .await?;
    changed(connection, domain, now).await?;
    Ok(counts)
}
