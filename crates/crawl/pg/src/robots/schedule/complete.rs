//! Storing checks with what they change.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, IntoSql, NullableExpressionMethods, OptionalExtension, QueryDsl, QueryResult, dsl,
    sql_types::{Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_crawl::robots::{
    monitor::{
        complete::{Good, Known, KnownVersion, NewVersion, Settled, settle},
        evaluate::{InForce, failing},
        fetch::{Fetched, SitemapAnswer},
        site::{GoodFetch, RobotsCheck},
        store::FinishedCheck,
    },
    outcome::RobotsState,
};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{
    failure::{Abort, failure},
    json::Json,
    moment::Moment,
    pool::Database,
    set_aside::{self, Batch, Kind, SetAside},
    sql,
};
use serde_json::Value;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::{
    robots::{
        row::{CheckRow, NewVersionRow, issues, seen_issues},
        test_urls,
    },
    schema::{robots_checks, robots_sites, robots_versions},
};

/// Finished checks, on their way into the tables.
pub(super) struct Finished<'a>(pub(super) &'a Database);

#[async_trait]
impl Batch<FinishedCheck> for Finished<'_> {
    type Said = DomainId;
    type Error = StoreError;

    async fn write(&mut self, finished: &[FinishedCheck]) -> Result<Vec<DomainId>, StoreError> {
        let mut connection = self.0.claiming().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                let present: OffsetDateTime = diesel::select(dsl::now.into_sql::<Timestamptz>())
                    .get_result(connection)
                    .await?;
                // In one order, so that two nodes that store checks of the same sites wait for each other once.
                let mut in_order: Vec<&FinishedCheck> = finished.iter().collect();
                in_order.sort_by_key(|finished| finished.domain);
                for finished in in_order {
                    store(connection, finished, present).await?;
                }
                Ok(Vec::new())
            })
            .await
            .map_err(Abort::answer)
    }

    async fn set_aside(
        &mut self,
        finished: &FinishedCheck,
        why: StoreError,
    ) -> Result<Vec<DomainId>, StoreError> {
        let mut connection = self.0.claiming().await?;
        let note = SetAside::unstored(Kind::RobotsCheck, &finished.domain, &why, finished);
        connection
            .transaction::<_, diesel::result::Error, _>(async |connection| {
                // The site waits for its next turn, and the others go on. A check out of turn has no claim to give back.
                if let Some(turn) = &finished.turn {
                    let query = sql!(text "UPDATE robots_sites
                        SET next_check_at = now() + interval_seconds * interval '1 second', leased_until = NULL
                        WHERE domain_id = $1 AND leased_until = $2")
                    .bind::<SqlUuid, _>(finished.domain.0)
                    .bind::<Timestamptz, _>(turn.leased_until);
                    query.execute(connection).await?;
                }
                set_aside::note_all(connection, [note]).await
            })
            .await
            .map_err(failure)?;
        Ok(vec![finished.domain])
    }
}

/// A site as it is known, under a lock.
type Stored = (
    Option<OffsetDateTime>,
    Option<Uuid>,
    Option<Json<GoodFetch>>,
    Json<Vec<Value>>,
    Json<Vec<SitemapAnswer>>,
    i32,
    Option<OffsetDateTime>,
    i32,
);

async fn store(
    connection: &mut AsyncPgConnection,
    finished: &FinishedCheck,
    present: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let domain = finished.domain;
    if finished.run.is_some() {
        let query = sql!("site_of_run.sql").bind::<SqlUuid, _>(domain.0);
        query.execute(connection).await?;
    }
    let stored: Option<Stored> = robots_sites::table
        .find(domain.0)
        .for_update()
        .select((
            robots_sites::leased_until,
            robots_sites::version_id,
            robots_sites::good_fetch.nullable(),
            robots_sites::issues,
            robots_sites::sitemaps,
            robots_sites::failures,
            robots_sites::last_checked_at,
            robots_sites::interval_seconds,
        ))
        .first(connection)
        .await
        .optional()?;
    let Some((leased_until, version, good_fetch, seen, sitemaps, failures, last, interval)) = stored else {
        return Ok(());
    };
    if let Some(turn) = &finished.turn {
        if leased_until != Some(turn.leased_until) {
            return Ok(());
        }
        // A clock that is ahead puts nothing off, nor does an interval that was longer when the site was claimed.
        let next_check_at = turn
            .next_check_at
            .min(present + Duration::seconds(interval.into()));
        diesel::update(robots_sites::table.find(domain.0))
            .set((
                robots_sites::leased_until.eq(None::<OffsetDateTime>),
                robots_sites::next_check_at.eq(next_check_at),
            ))
            .execute(connection)
            .await?;
    }
    let Some(fetched) = &finished.fetched else {
        return Ok(());
    };
    if is_repeated(connection, finished).await? {
        return Ok(());
    }
    let version = known_version(connection, version, good_fetch).await?;
    let known = Known {
        version,
        issues: seen_issues(seen).map_err(Abort::Port)?,
        sitemaps: sitemaps
            .read("the sitemaps of a robots.txt")
            .map_err(Abort::Port)?,
    };
    let now = Moment::new(fetched.fetched_at, present).now;
    // A fetch that began before another and ended after it counts from when the other did.
    let now = last.map_or(now, |last| now.max(last.min(present)));
    let settled = settle(&known, fetched, now);
    save(connection, finished, fetched, settled, &known, failures, now).await
}

/// The file that crawlers obey after the check.
fn in_force(state: RobotsState, good: Option<&Good>, known: &Known) -> InForce {
    let version = known.version.as_ref();
    let before = version.map(|version| (version.fetch.state, version.content.as_deref()));
    let after = good.map(|good| {
        let new = good.version.as_ref().map(|new| new.content.as_deref());
        let content = new.unwrap_or_else(|| version.and_then(|version| version.content.as_deref()));
        (good.fetch.state, content)
    });
    InForce::new(state, after.or(before))
}

/// Whether the run has its check already: its job was done twice.
async fn is_repeated(connection: &mut AsyncPgConnection, finished: &FinishedCheck) -> QueryResult<bool> {
    let Some(run) = finished.run else {
        return Ok(false);
    };
    diesel::select(dsl::exists(
        robots_checks::table.filter(robots_checks::run_id.eq(run.0)),
    ))
    .get_result(connection)
    .await
}

async fn known_version(
    connection: &mut AsyncPgConnection,
    version: Option<Uuid>,
    good_fetch: Option<Json<GoodFetch>>,
) -> Result<Option<KnownVersion>, Abort<StoreError>> {
    let (Some(id), Some(fetch)) = (version, good_fetch) else {
        return Ok(None);
    };
    let (content, found): (Option<Vec<u8>>, Json<Vec<Value>>) = robots_versions::table
        .find(id)
        .select((robots_versions::content.nullable(), robots_versions::issues))
        .first(connection)
        .await?;
    Ok(Some(KnownVersion {
        id,
        content,
        fetch: fetch.read("the fetch of a robots.txt").map_err(Abort::Port)?,
        issues: issues(found).map_err(Abort::Port)?,
    }))
}

async fn save(
    connection: &mut AsyncPgConnection,
    finished: &FinishedCheck,
    fetched: &Fetched,
    settled: Settled,
    known: &Known,
    failures: i32,
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let Settled {
        state,
        outcome,
        status_code,
        size_bytes,
        error_class,
        good,
    } = settled;
    let domain = finished.domain;
    let site = robots_sites::table.find(domain.0);
    let in_force = in_force(state, good.as_ref(), known);
    let saved = test_urls::list(connection, domain).await.map_err(Abort::Port)?;
    let failures = if good.is_some() {
        0
    } else {
        failures.saturating_add(1)
    };
    diesel::update(site)
        .set((
            robots_sites::robots_url.eq(fetched.robots_url.as_str()),
            robots_sites::state.eq(state.name()),
            robots_sites::status_code.eq(status_code.map(i32::from)),
            robots_sites::last_checked_at.eq(now),
            robots_sites::failures.eq(failures),
            robots_sites::blocks_all.eq(!in_force.allows_root("")),
            robots_sites::blocks_googlebot.eq(!in_force.allows_root("Googlebot")),
            robots_sites::failing_test_urls.eq(i32::try_from(failing(&in_force, &saved)).unwrap_or(i32::MAX)),
        ))
        .execute(connection)
        .await?;
    let mut version_id = None;
    if let Some(good) = good {
        let Good {
            fetch,
            issues,
            counts,
            sitemaps,
            version,
        } = good;
        version_id = known.version.as_ref().map(|version| version.id);
        if let Some(new) = version {
            version_id = Some(new.version.id);
            replace(connection, domain, new, known.version.is_some(), now).await?;
        }
        let asked_at = fetched.sitemaps.is_some().then_some(Some(now));
        diesel::update(site)
            .set((
                robots_sites::version_id.eq(version_id),
                robots_sites::good_fetch.eq(Json::of(fetch)),
                robots_sites::issues.eq(Json::of(issues)),
                robots_sites::issue_counts.eq(Json::of(counts)),
                robots_sites::sitemaps.eq(Json::of(sitemaps)),
                asked_at.map(|at| robots_sites::sitemaps_asked_at.eq(at)),
            ))
            .execute(connection)
            .await?;
    }
    let check = RobotsCheck {
        run_id: finished.run,
        checked_at: now,
        outcome,
        status_code,
        response_ms: fetched.response_ms,
        size_bytes,
        error_class,
        version_id,
    };
    diesel::insert_into(robots_checks::table)
        .values((
            robots_checks::id.eq(Uuid::now_v7()),
            robots_checks::domain_id.eq(domain.0),
            CheckRow::from(check),
        ))
        .execute(connection)
        .await?;
    Ok(())
}

/// Puts a version in the place of the one that was current.
async fn replace(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    new: NewVersion,
    is_change: bool,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let query = sql!("replace_version.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(now);
    query.execute(connection).await?;
    diesel::insert_into(robots_versions::table)
        .values(NewVersionRow::new(domain, new))
        .execute(connection)
        .await?;
    // It may name other sitemaps, and block other pages of them.
    let query =
        sql!(text "UPDATE sitemap_sites SET next_check_at = least(next_check_at, now()), leased_until = NULL
        WHERE domain_id = $1")
        .bind::<SqlUuid, _>(domain.0);
    query.execute(connection).await?;
    if is_change {
        diesel::update(robots_sites::table.find(domain.0))
            .set(robots_sites::last_changed_at.eq(now))
            .execute(connection)
            .await?;
    }
    Ok(())
}
