//! Keys and secrets of sites.

use async_trait::async_trait;
use diesel::{BoolExpressionMethods, ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    audit::Actor,
    collect::site::{Site, SiteKey, SiteKeys},
    identity::DomainAccess,
    ids::DomainId,
    store::StoreError,
};
use pharos_ingest::sites::{SecretDigest, SiteAdmin, SiteStore, new_key};
use pharos_persistence::{
    audit::{self, By},
    failure::{Abort, failure},
    names,
    pool::Database,
    schema::domains,
};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::collect_sites;

/// The sites in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgSites {
    database: Database,
}

impl PgSites {
    /// The sites of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

type SiteRow = (Uuid, String, String);

fn site((domain, hostname, key): SiteRow) -> Result<Site, StoreError> {
    Ok(Site {
        domain: DomainId(domain),
        hostname: names::hostname(&hostname)?,
        key: SiteKey(key),
    })
}

/// The sites whose domain is not deleted.
#[diesel::dsl::auto_type(no_type_alias)]
fn sites() -> _ {
    collect_sites::table
        .inner_join(
            domains::table.on(domains::id
                .eq(collect_sites::domain_id)
                .and(domains::deleted_at.is_null())),
        )
        .select((domains::id, domains::hostname, collect_sites::site_key))
}

/// The site of a domain, made where there is none yet; `None` where there is no such domain.
async fn of(connection: &mut AsyncPgConnection, domain: DomainId) -> Result<Option<Site>, Abort<StoreError>> {
    let find = || sites().filter(collect_sites::domain_id.eq(domain.0));
    let found: Option<SiteRow> = find().first(connection).await.optional()?;
    if let Some(found) = found {
        return Ok(Some(site(found).map_err(Abort::Port)?));
    }
    let is_there: Option<Uuid> = domains::table
        .find(domain.0)
        .filter(domains::deleted_at.is_null())
        .select(domains::id)
        .first(connection)
        .await
        .optional()?;
    if is_there.is_none() {
        return Ok(None);
    }
    let SiteKey(key) = new_key().map_err(Abort::Port)?;
    diesel::insert_into(collect_sites::table)
        .values((
            collect_sites::domain_id.eq(domain.0),
            collect_sites::site_key.eq(key),
        ))
        .on_conflict(collect_sites::domain_id)
        .do_nothing()
        .execute(connection)
        .await?;
    let made: Option<SiteRow> = find().first(connection).await.optional()?;
    made.map(site).transpose().map_err(Abort::Port)
}

#[async_trait]
impl SiteStore for PgSites {
    async fn by_key(&self, key: &SiteKey) -> Result<Option<Site>, StoreError> {
        let reader = self.database.reader().await?;
        let found: Option<SiteRow> = sites()
            .filter(collect_sites::site_key.eq(&key.0))
            .first(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        found.map(site).transpose()
    }

    async fn by_secret(&self, SecretDigest(digest): &SecretDigest) -> Result<Option<Site>, StoreError> {
        let reader = self.database.reader().await?;
        let found: Option<SiteRow> = sites()
            .filter(collect_sites::secret_digest.eq(digest.as_slice()))
            .first(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        found.map(site).transpose()
    }
}

#[async_trait]
impl SiteKeys for PgSites {
    async fn of(&self, domain: &DomainAccess) -> Result<SiteKey, StoreError> {
        let site = SiteAdmin::of(self, domain.id()).await?;
        // Deleted since the caller was let in.
        site.map(|site| site.key)
            .ok_or_else(|| StoreError::Corrupt(format!("there is no domain {}", domain.id())))
    }
}

#[async_trait]
impl SiteAdmin for PgSites {
    async fn of(&self, domain: DomainId) -> Result<Option<Site>, StoreError> {
        let mut connection = self.database.connection().await?;
        of(&mut connection, domain).await.map_err(Abort::answer)
    }

    async fn set_secret(
        &self,
        domain: DomainId,
        SecretDigest(digest): &SecretDigest,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<Option<Site>, StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                let Some(site) = of(connection, domain).await? else {
                    return Ok(None);
                };
                diesel::update(collect_sites::table.find(domain.0))
                    .set(collect_sites::secret_digest.eq(Some(digest.as_slice())))
                    .execute(connection)
                    .await?;
                audit::record(
                    connection,
                    By { actor, now },
                    "site.set_secret",
                    domain,
                    json!({}),
                )
                .await?;
                Ok(Some(site))
            })
            .await
            .map_err(Abort::answer)
    }
}
