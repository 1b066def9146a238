//! Concludes a check of all files of a site: findings that concern them together, and the result of the check.

use diesel::{
    ExpressionMethods, NullableExpressionMethods, QueryDsl, QueryResult, QueryableByName,
    result::Error,
    sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_crawl::{
    robots::issue::IssueSeverity,
    sitemap::monitor::{
        site::{ConflictState, IssueFilter},
        store::Concluded,
    },
};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{failure::Abort, json::Json, moment::not_ahead, sql};
use time::OffsetDateTime;

use super::figures::entries;
use crate::schema::sitemap_sites;

#[derive(QueryableByName)]
struct SampledRow {
    #[diesel(sql_type = BigInt)]
    asked: i64,
    #[diesel(sql_type = BigInt)]
    non_200: i64,
}

/// The kinds of findings that matter so much.
fn codes(severity: IssueSeverity) -> Vec<&'static str> {
    let filter = IssueFilter {
        severity: Some(severity),
        code: None,
    };
    filter.codes().into_iter().map(|code| code.name()).collect()
}

/// The result of computing findings within a savepoint. Where that failed they stay as they were, and the check ends all the
/// same.
fn spared<T>(domain: DomainId, found: QueryResult<T>) -> QueryResult<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error @ (Error::DatabaseError(..) | Error::SerializationError(_))) => {
            tracing::error!(%domain, %error, "findings of sitemaps can't be worked out");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Findings of the newest answers of pages. How many of these are errors; `None`: no page was asked.
async fn of_samples(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> QueryResult<Option<i64>> {
    let query = sql!("of_samples.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(now);
    let sampled: SampledRow = query.get_result(connection).await?;
    Ok((sampled.asked > 0).then_some(sampled.non_200))
}

pub(super) async fn weigh_samples(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let now = not_ahead(connection, now).await?;
    // One at a time, so that a check which ends meanwhile counts either all of it or nothing.
    let _: Option<OffsetDateTime> = sitemap_sites::table
        .find(domain.0)
        .for_update()
        .select(sitemap_sites::last_checked_at)
        .first(connection)
        .await?;
    let non_200 = of_samples(connection, domain, now).await?;
    let query = sql!("recount.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Array<Text>, _>(codes(IssueSeverity::Error))
        .bind::<Array<Text>, _>(codes(IssueSeverity::Warning))
        .bind::<Nullable<BigInt>, _>(non_200);
    query.execute(connection).await?;
    Ok(())
}

pub(super) async fn conclude(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    concluded: &Concluded,
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let Concluded {
        counts,
        is_declared,
        figures,
        is_compared,
    } = concluded;
    let now = not_ahead(connection, now).await?;
    let (figures_at, conflicts): (Option<OffsetDateTime>, Option<Json<ConflictState>>) = sitemap_sites::table
        .find(domain.0)
        .for_update()
        .select((sitemap_sites::figures_at, sitemap_sites::conflicts.nullable()))
        .first(connection)
        .await?;
    let found = connection
        .transaction::<_, Error, _>(async |connection| {
            let query = sql!("not_declared.sql")
                .bind::<SqlUuid, _>(domain.0)
                .bind::<Timestamptz, _>(now)
                .bind::<Bool, _>(is_declared.is_some());
            query.execute(connection).await
        })
        .await;
    spared(domain, found)?;
    let found = connection
        .transaction::<_, Error, _>(async |connection| {
            let query = sql!("blocked.sql")
                .bind::<SqlUuid, _>(domain.0)
                .bind::<Timestamptz, _>(now);
            query.execute(connection).await
        })
        .await;
    spared(domain, found)?;
    let sampled = connection
        .transaction::<_, Error, _>(async |connection| of_samples(connection, domain, now).await)
        .await;
    let non_200 = spared(domain, sampled)?.flatten();
    if let Some(figures) = figures {
        // While pages were not compared, those that changed count as changed since.
        let counted_at = if *is_compared {
            now
        } else {
            figures_at.unwrap_or(OffsetDateTime::UNIX_EPOCH)
        };
        let put = connection
            .transaction::<_, Error, _>(async |connection| {
                diesel::update(sitemap_sites::table.find(domain.0))
                    .set((
                        sitemap_sites::figures.eq(Json::of(figures.clone())),
                        sitemap_sites::figures_at.eq(counted_at),
                    ))
                    .execute(connection)
                    .await
            })
            .await;
        spared(domain, put)?;
    }
    let urls_total = entries(connection, domain).await?;
    let conflicts = conflicts.map(|state| state.read("what robots.txt blocks of a sitemap"));
    let conflicts = conflicts.transpose();
    let conflicts = conflicts
        .inspect_err(|error| tracing::error!(%domain, %error, "conflicts of sitemaps can't be read"))
        .ok()
        .flatten();
    let stored = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let query = sql!("round.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(now)
        .bind::<BigInt, _>(urls_total)
        .bind::<BigInt, _>(stored(counts.added))
        .bind::<BigInt, _>(stored(counts.removed))
        .bind::<BigInt, _>(stored(counts.moved))
        .bind::<BigInt, _>(stored(counts.lastmod_changed))
        .bind::<Array<Text>, _>(codes(IssueSeverity::Error))
        .bind::<Array<Text>, _>(codes(IssueSeverity::Warning))
        .bind::<Nullable<BigInt>, _>(conflicts.map(|state| stored(state.of_googlebot())))
        .bind::<Nullable<BigInt>, _>(non_200);
    query.execute(connection).await?;
    diesel::update(sitemap_sites::table.find(domain.0))
        .set((
            sitemap_sites::last_checked_at.eq(now),
            is_declared.map(|declared| sitemap_sites::robots_declared.eq(declared)),
        ))
        .execute(connection)
        .await?;
    Ok(())
}
