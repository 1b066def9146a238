//! Releases of sites.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryResult, QueryableByName,
    sql_types::{BigInt, Bool, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    audit::Actor,
    identity::DomainAccess,
    ids::DomainId,
    releases::{SiteRelease, SiteReleases},
    store::StoreError,
    timestamp::Timestamp,
    window::DateRange,
};
use pharos_persistence::{
    audit::{self, By},
    failure::{Abort, failure},
    moment::not_ahead,
    pool::Database,
    schema::domains,
    sql,
};
use pharos_vitals::releases::{MOST_RELEASES, Noted, Release, ReleaseError, ReleaseStore};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::rum_releases;

/// The releases of sites, in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgReleases {
    database: Database,
}

impl PgReleases {
    /// The releases of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct Kept {
    #[diesel(sql_type = Timestamptz)]
    released_at: OffsetDateTime,
}

/// Takes hold of a domain until the transaction ends; whether there is one. Who adds to one waits for whoever does already, so that
/// bounds of a domain hold.
pub(crate) async fn hold(connection: &mut AsyncPgConnection, domain: DomainId) -> QueryResult<bool> {
    let found: Option<Uuid> = domains::table
        .find(domain.0)
        .filter(domains::deleted_at.is_null())
        .for_no_key_update()
        .select(domains::id)
        .first(connection)
        .await
        .optional()?;
    Ok(found.is_some())
}

/// Notes a release of a domain that is held. One that is known keeps its moment, unless `is_told`: then somebody said when it was.
pub(crate) async fn note(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    name: &str,
    released_at: OffsetDateTime,
    is_told: bool,
) -> QueryResult<Noted> {
    let query = sql!("keep.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Text, _>(name)
        .bind::<Timestamptz, _>(released_at)
        .bind::<Bool, _>(is_told);
    let kept: Kept = query.get_result(connection).await?;
    let query = sql!("make_room.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<BigInt, _>(MOST_RELEASES)
        .bind::<Text, _>(name);
    Ok(Noted {
        released_at: kept.released_at,
        older_ones_removed: query.execute(connection).await?,
    })
}

#[async_trait]
impl ReleaseStore for PgReleases {
    async fn add(
        &self,
        domain: DomainId,
        name: &str,
        released_at: Option<OffsetDateTime>,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<Noted, ReleaseError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<ReleaseError>, _>(async |connection| {
                if !hold(connection, domain).await? {
                    return Err(Abort::Port(ReleaseError::NoDomain));
                }
                let present = not_ahead(connection, now).await?;
                let at = released_at.unwrap_or(present);
                if at > present {
                    return Err(Abort::Port(ReleaseError::Ahead));
                }
                let noted = note(connection, domain, name, at, released_at.is_some()).await?;
                let details = json!({ "release": name, "released_at": Timestamp::from(noted.released_at) });
                audit::record(connection, By { actor, now }, "release.add", domain, details).await?;
                Ok(noted)
            })
            .await
            .map_err(Abort::answer)
    }

    async fn list(&self, domain: DomainId) -> Result<Vec<Release>, StoreError> {
        let reader = self.database.reader().await?;
        let rows: Vec<(String, OffsetDateTime)> = rum_releases::table
            .filter(rum_releases::domain_id.eq(domain.0))
            .order((rum_releases::released_at.desc(), rum_releases::name.desc()))
            .select((rum_releases::name, rum_releases::released_at))
            .load(&mut &*reader)
            .await
            .map_err(failure)?;
        Ok(releases(rows))
    }

    async fn remove(
        &self,
        domain: DomainId,
        name: &str,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                let gone = diesel::delete(rum_releases::table)
                    .filter(rum_releases::domain_id.eq(domain.0))
                    .filter(rum_releases::name.eq(name))
                    .execute(connection)
                    .await?;
                if gone > 0 {
                    let details = json!({ "release": name });
                    audit::record(connection, By { actor, now }, "release.remove", domain, details).await?;
                }
                Ok(gone > 0)
            })
            .await
            .map_err(Abort::answer)
    }

    async fn within(&self, domain: &DomainAccess, days: DateRange) -> Result<Vec<Release>, StoreError> {
        let reader = self.database.reader().await?;
        let rows: Vec<(String, OffsetDateTime)> = rum_releases::table
            .filter(rum_releases::domain_id.eq(domain.id().0))
            .filter(rum_releases::released_at.ge(days.start()))
            .filter(rum_releases::released_at.lt(days.end()))
            .order((rum_releases::released_at.desc(), rum_releases::name.desc()))
            .select((rum_releases::name, rum_releases::released_at))
            .load(&mut &*reader)
            .await
            .map_err(failure)?;
        Ok(releases(rows))
    }
}

#[async_trait]
impl SiteReleases for PgReleases {
    async fn released(&self, domain: &DomainAccess, days: DateRange) -> Result<Vec<SiteRelease>, StoreError> {
        let newest_first = self.within(domain, days).await?;
        let release = |Release { name, released_at }| SiteRelease { name, released_at };
        Ok(newest_first.into_iter().rev().map(release).collect())
    }
}

fn releases(rows: Vec<(String, OffsetDateTime)>) -> Vec<Release> {
    let release = |(name, released_at)| Release { name, released_at };
    rows.into_iter().map(release).collect()
}
