//! Further hosts of domains.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, QueryDsl, QueryableByName,
    sql_types::{Array, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_crawl::{
    hosts::{HostRobots, HostStore, HostsChange, ListedHost, SeenHost},
    robots::outcome::RobotsState,
};
use pharos_domain::{
    credits::Charged, identity::DomainAccess, ids::DomainId, settings::ChangeError, store::StoreError,
};
use pharos_persistence::{
    failure::{Abort, failure},
    hold,
    json::{Json, written},
    metering::charged::charged,
    pool::Database,
    sql,
};
use serde_json::Value;
use time::OffsetDateTime;

use crate::{robots::row::known, schema::crawl_hosts};

/// The hosts that domains list, in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgHosts {
    database: Database,
}

impl PgHosts {
    /// The hosts that the domains of `database` list.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct HostRow {
    #[diesel(sql_type = Text)]
    origin: String,
    #[diesel(sql_type = Nullable<Text>)]
    state: Option<String>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    checked_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Jsonb)]
    sitemaps: Json<Vec<String>>,
}

impl TryFrom<HostRow> for ListedHost {
    type Error = StoreError;

    fn try_from(row: HostRow) -> Result<Self, StoreError> {
        let sitemaps = row.sitemaps.read("the sitemaps of a host")?;
        let robots = row.state.zip(row.checked_at).map(|(state, checked_at)| {
            Ok::<_, StoreError>(HostRobots {
                state: known(RobotsState::named(&state), "state of a robots.txt", &state)?,
                checked_at,
                sitemaps,
            })
        });
        Ok(Self {
            origin: row.origin,
            robots: robots.transpose()?,
        })
    }
}

/// Nothing is written where there are faults.
async fn change(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    change: &HostsChange<'_>,
) -> Result<(), Abort<ChangeError>> {
    // Until the transaction ends nobody else changes its hosts.
    hold::domain(connection, domain).await?;
    let present: Vec<String> = crawl_hosts::table
        .filter(crawl_hosts::domain_id.eq(domain.0))
        .order(crawl_hosts::position)
        .select(crawl_hosts::origin)
        .load(connection)
        .await?;
    let origins = change(&present).map_err(|faults| Abort::Port(ChangeError::Faults(faults)))?;
    let query = sql!("replace.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Array<Text>, _>(origins);
    query.execute(connection).await?;
    Ok(())
}

#[async_trait]
impl HostStore for PgHosts {
    async fn of(&self, domain: DomainId) -> Result<Vec<ListedHost>, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql!("of.sql").bind::<SqlUuid, _>(domain.0);
        let rows: Vec<HostRow> = query.load(&mut connection).await.map_err(failure)?;
        rows.into_iter().map(ListedHost::try_from).collect()
    }

    async fn change(
        &self,
        domain: &Charged<DomainAccess>,
        change: &HostsChange<'_>,
    ) -> Result<(), ChangeError> {
        charged(&self.database, domain.slip(), None, async |connection| {
            self::change(connection, domain.id(), change).await
        })
        .await
    }

    async fn saw(&self, domain: DomainId, origin: &str, seen: &SeenHost) -> Result<(), StoreError> {
        let sitemaps: Option<Value> = seen.sitemaps.as_ref().map(written).transpose()?;
        let mut connection = self.database.connection().await?;
        let query = sql!("saw.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<Text, _>(origin.to_owned())
            .bind::<Text, _>(seen.state.name())
            .bind::<Timestamptz, _>(seen.checked_at)
            .bind::<Nullable<Jsonb>, _>(sitemaps);
        query.execute(&mut connection).await.map_err(failure)?;
        Ok(())
    }
}
