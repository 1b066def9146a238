//! Source maps of scripts.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, QueryDsl, QueryableByName,
    sql_types::{Array, BigInt, Binary, Integer, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_domain::{audit::Actor, identity::DomainAccess, ids::DomainId, store::StoreError};
use pharos_persistence::{
    audit::{self, By},
    failure::{Abort, failure},
    moment::not_ahead,
    pool::Database,
    sql,
};
use pharos_vitals::source_maps::{
    AddError, KnownSourceMap, MOST_BYTES_OF_DOMAIN, MOST_MAPS, NewSourceMap, SourceMapStore,
};
use serde_json::json;
use time::OffsetDateTime;

use crate::{
    releases::{hold, note},
    schema::rum_source_maps,
};

/// The source maps of sites, in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgSourceMaps {
    database: Database,
}

impl PgSourceMaps {
    /// The source maps of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = Text)]
    script: String,
    #[diesel(sql_type = Binary)]
    map: Vec<u8>,
}

#[async_trait]
impl SourceMapStore for PgSourceMaps {
    async fn add(
        &self,
        domain: DomainId,
        release: &str,
        maps: &[NewSourceMap],
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<usize, AddError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<AddError>, _>(async |connection| {
                if !hold(connection, domain).await? {
                    return Err(Abort::Port(AddError::NoDomain));
                }
                let uploaded_at = not_ahead(connection, now).await?;
                for map in maps {
                    let query = sql!("keep.sql")
                        .bind::<SqlUuid, _>(domain.0)
                        .bind::<Text, _>(&map.script)
                        .bind::<Text, _>(release)
                        .bind::<Text, _>(&map.url)
                        .bind::<Integer, _>(i32::try_from(map.sources).unwrap_or(i32::MAX))
                        .bind::<Integer, _>(i32::try_from(map.map.len()).unwrap_or(i32::MAX))
                        .bind::<Binary, _>(&map.map)
                        .bind::<Timestamptz, _>(uploaded_at);
                    if query.execute(connection).await? == 0 {
                        return Err(Abort::Port(AddError::Alike {
                            url: map.url.clone(),
                            script: map.script.clone(),
                        }));
                    }
                }
                let query = sql!("make_room.sql")
                    .bind::<SqlUuid, _>(domain.0)
                    .bind::<BigInt, _>(MOST_MAPS)
                    .bind::<BigInt, _>(MOST_BYTES_OF_DOMAIN);
                let gone = query.execute(connection).await?;
                note(connection, domain, release, uploaded_at, false).await?;
                let details = json!({ "release": release, "scripts": maps.len() });
                audit::record(connection, By { actor, now }, "source_map.add", domain, details).await?;
                Ok(gone)
            })
            .await
            .map_err(Abort::answer)
    }

    async fn list(&self, domain: DomainId) -> Result<Vec<KnownSourceMap>, StoreError> {
        let reader = self.database.reader().await?;
        let rows: Vec<(String, String, i32, i32, OffsetDateTime)> = rum_source_maps::table
            .filter(rum_source_maps::domain_id.eq(domain.0))
            .order((rum_source_maps::uploaded_at.desc(), rum_source_maps::url))
            .select((
                rum_source_maps::release,
                rum_source_maps::url,
                rum_source_maps::sources,
                rum_source_maps::bytes,
                rum_source_maps::uploaded_at,
            ))
            .load(&mut &*reader)
            .await
            .map_err(failure)?;
        let known = rows
            .into_iter()
            .map(|(release, url, sources, bytes, uploaded_at)| KnownSourceMap {
                release,
                url,
                sources: sources.unsigned_abs(),
                bytes: bytes.unsigned_abs(),
                uploaded_at,
            });
        Ok(known.collect())
    }

    async fn remove(
        &self,
        domain: DomainId,
        release: &str,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<usize, StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                let gone = diesel::delete(rum_source_maps::table)
                    .filter(rum_source_maps::domain_id.eq(domain.0))
                    .filter(rum_source_maps::release.eq(release))
                    .execute(connection)
                    .await?;
                if gone > 0 {
                    let details = json!({ "release": release, "scripts": gone });
                    audit::record(
                        connection,
                        By { actor, now },
                        "source_map.remove",
                        domain,
                        details,
                    )
                    .await?;
                }
                Ok(gone)
            })
            .await
            .map_err(Abort::answer)
    }

    async fn of_scripts(
        &self,
        domain: &DomainAccess,
        scripts: &[String],
        at: OffsetDateTime,
    ) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        let reader = self.database.reader().await?;
        let query = sql!("of_scripts.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Array<Text>, _>(scripts)
            .bind::<Timestamptz, _>(at);
        let found: Vec<Found> = query.load(&mut &*reader).await.map_err(failure)?;
        Ok(found.into_iter().map(|row| (row.script, row.map)).collect())
    }
}
