//! Links, as imports need them, and what imports leave behind.

mod changes;
mod settle;

use std::{collections::HashMap, sync::Arc};

use async_trait::async_trait;
use diesel::{
    OptionalExtension, QueryableByName,
    sql_types::{
        Array, BigInt, Date as SqlDate, Double, Integer, Nullable, SmallInt, Text, Timestamptz,
        Uuid as SqlUuid,
    },
};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_domain::{
    ids::{DomainId, SearchAccountId, UserId, WorkspaceId},
    store::StoreError,
};
use pharos_due::work::DueClaim;
use pharos_persistence::{
    due::{self, Claimed, ClaimedRow, DueTable, Turns},
    due_table,
    failure::{Abort, failure},
    jobs::backlog::Backlog,
    names,
    pool::Database,
    set_aside, sql,
};
use pharos_search::{
    google::account::Account,
    gsc::{
        figures::{Figures, SearchType},
        link::{DueLink, Lease, Link, LinkFailure, LinkHealth, LinkRef, LinkStore, Synced},
    },
};
use time::{Date, Duration, OffsetDateTime};
use uuid::Uuid;

pub(super) use self::changes::{begin_source, forget_imports, keep_types, wake};
use self::settle::Ended;
use super::{
    import::{is_linked, stored},
    seal::Seal,
    turn::in_turn,
};
use crate::GROUP;

/// Links that are due: of live domains, with an account.
pub const LINKS: DueTable = due_table!(
    table: "search_properties",
    key: "domain_id",
    due: "next_sync_at",
    from: "search_properties AS s",
    lane: "true",
    live: "s.account_id IS NOT NULL
            AND EXISTS (SELECT FROM domains AS d WHERE d.id = s.domain_id AND d.deleted_at IS NULL)",
    columns: "claimed.domain_id",
    joins: ""
);
/// Links have one lane.
pub(super) const LANE: &str = "";

/// Counts the links that could be claimed.
pub(crate) async fn backlog(database: &Database) -> Result<Backlog, StoreError> {
    due::backlog(database, sql!(text LINKS.backlog), LANE).await
}

/// Links in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgLinkStore {
    database: Database,
    turns: Turns,
    seal: Arc<Seal>,
}

impl PgLinkStore {
    /// The links of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self {
            database,
            turns: Turns::default(),
            seal: Arc::default(),
        }
    }
}

#[derive(QueryableByName)]
struct DueRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(embed)]
    claimed: Claimed,
}

impl ClaimedRow for DueRow {
    fn claimed(&self) -> Claimed {
        self.claimed
    }
}

#[derive(Clone, Copy, QueryableByName)]
struct RenewedRow {
    #[diesel(sql_type = Timestamptz)]
    leased_until: OffsetDateTime,
}

#[derive(QueryableByName)]
struct LinkRow {
    #[diesel(sql_type = SqlUuid)]
    workspace_id: Uuid,
    #[diesel(sql_type = Text)]
    site_url: String,
    #[diesel(sql_type = Text)]
    status: String,
    #[diesel(sql_type = Array<Text>)]
    search_types: Vec<String>,
    #[diesel(sql_type = Timestamptz)]
    linked_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<SqlDate>)]
    data_through: Option<Date>,
    #[diesel(sql_type = Timestamptz)]
    newest_due_at: OffsetDateTime,
    #[diesel(sql_type = Integer)]
    sync_failures: i32,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    account_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<Text>)]
    label: Option<String>,
    #[diesel(sql_type = Nullable<diesel::sql_types::Bytea>)]
    sealed: Option<Vec<u8>>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    created_by: Option<Uuid>,
    #[diesel(sql_type = Array<SmallInt>)]
    imported_types: Vec<i16>,
    #[diesel(sql_type = Array<SqlDate>)]
    reached: Vec<Date>,
    #[diesel(sql_type = Array<SmallInt>)]
    missed_types: Vec<i16>,
    #[diesel(sql_type = Array<SqlDate>)]
    missed_dates: Vec<Date>,
}

#[derive(QueryableByName)]
struct HealthRow {
    #[diesel(sql_type = BigInt)]
    linked: i64,
    #[diesel(sql_type = BigInt)]
    lost: i64,
    #[diesel(sql_type = BigInt)]
    failing: i64,
    #[diesel(sql_type = Nullable<Text>)]
    hostname: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    failure: Option<String>,
    #[diesel(sql_type = BigInt)]
    overdue: i64,
}

/// Notes a day of a search type as a file says, if the domain is still linked so.
macro_rules! noted {
    ($store:expr, $file:literal, $link:expr, $search_type:expr, $date:expr) => {{
        in_turn(|| async {
            let mut connection = $store.database.connection().await?;
            connection
                .transaction::<_, Abort<StoreError>, _>(async |connection| {
                    if !is_linked(connection, $link).await? {
                        return Ok(false);
                    }
                    let query = sql!($file)
                        .bind::<SqlUuid, _>($link.domain.0)
                        .bind::<SmallInt, _>($search_type.code())
                        .bind::<SqlDate, _>($date)
                        .bind::<Text, _>($search_type.as_str());
                    query.execute(connection).await?;
                    Ok(true)
                })
                .await
                .map_err(Abort::answer)
        })
        .await
    }};
}

#[async_trait]
impl LinkStore for PgLinkStore {
    async fn bring_back(&self) -> Result<(), StoreError> {
        let mut connection = self.database.claiming().await?;
        // The past that is imported gets partitions, too, as the months ahead do.
        for partitioned in GROUP.schema.partitions {
            let query = sql!(text "SELECT ensure_partitions($1::regclass, 'month', now() - interval '17 months', 17)")
                .bind::<Text, _>(partitioned.table);
            query.execute(&mut connection).await.map_err(failure)?;
        }
        let strays = sql!("bring_back.sql")
            .execute(&mut connection)
            .await
            .map_err(failure)?;
        if strays > 0 {
            tracing::warn!(
                strays,
                "imports of search data lay too far ahead; they are due now"
            );
        }
        Ok(())
    }

    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueLink>, StoreError> {
        let mut connection = self.database.claiming().await?;
        let rows: Vec<DueRow> = due::claim(&mut connection, sql!(text LINKS.claim), LANE, claim, &self.turns)
            .await
            .map_err(failure)?;
        let due = rows.into_iter().map(|DueRow { domain_id, claimed }| DueLink {
            domain: DomainId(domain_id),
            due_in: claimed.due_in(),
            lease: Lease::until(claimed.leased_until),
        });
        Ok(due.collect())
    }

    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        let mut connection = self.database.claiming().await?;
        due::next_due(&mut connection, sql!(text LINKS.next_due), LANE, now)
            .await
            .map_err(failure)
    }

    async fn renew(&self, claimed: &DueLink, lease: Duration) -> Result<bool, StoreError> {
        let mut connection = self.database.claiming().await?;
        let query = sql!("renew.sql")
            .bind::<SqlUuid, _>(claimed.domain.0)
            .bind::<Timestamptz, _>(claimed.lease.end())
            .bind::<Double, _>(lease.as_seconds_f64());
        let renewed: Option<RenewedRow> = query
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        if let Some(RenewedRow { leased_until }) = renewed {
            claimed.lease.renewed(leased_until);
        }
        Ok(renewed.is_some())
    }

    async fn release(&self, claimed: &[&DueLink]) -> Result<(), StoreError> {
        let claimed = claimed.iter().map(|due| (due.domain.0, due.lease.end()));
        let mut connection = self.database.claiming().await?;
        due::release(&mut connection, sql!(text LINKS.release), LANE, claimed)
            .await
            .map_err(failure)
    }

    async fn link(&self, domain: DomainId) -> Result<Option<Link>, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql!("link.sql").bind::<SqlUuid, _>(domain.0);
        let row: Option<LinkRow> = query
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        drop(connection);
        let Some(row) = row else { return Ok(None) };
        let workspace = WorkspaceId(row.workspace_id);
        let account = match (row.account_id, row.label, row.sealed) {
            (Some(id), Some(label), Some(sealed)) => {
                let id = SearchAccountId(id);
                match self.seal.open(&self.database, id, &sealed).await {
                    Ok(credentials) => Some(Account {
                        id,
                        workspace,
                        label,
                        credentials,
                        given_by: row.created_by.map(UserId),
                    }),
                    // Nobody but who gave them can mend that, so it is told like a consent that counts no more.
                    Err(StoreError::Corrupt(why)) => {
                        tracing::error!(%domain, %why, "a property is read by nobody until its account is linked again");
                        None
                    }
                    Err(error) => return Err(error),
                }
            }
            _ => None,
        };
        let reached = row.imported_types.into_iter().zip(row.reached);
        let missed = row.missed_types.into_iter().zip(row.missed_dates);
        Ok(Some(Link {
            domain,
            workspace,
            site_url: row.site_url,
            account,
            status: row.status.parse()?,
            // One that this version does not know is imported by another.
            search_types: names::known(&row.search_types),
            linked_at: row.linked_at,
            data_through: row.data_through,
            reached: reached
                .filter_map(|(code, date)| Some((SearchType::of_code(code)?, date)))
                .collect::<HashMap<_, _>>(),
            missed: missed
                .filter_map(|(code, date)| Some((SearchType::of_code(code)?, date)))
                .collect(),
            newest_due_at: row.newest_due_at,
            failures: names::count(row.sync_failures)?,
        }))
    }

    async fn replace_hours(
        &self,
        link: LinkRef<'_>,
        search_type: SearchType,
        from: OffsetDateTime,
        hours: &[(OffsetDateTime, Figures)],
    ) -> Result<bool, StoreError> {
        let mut columns: (Vec<OffsetDateTime>, Vec<i64>, Vec<i64>, Vec<f64>) = Default::default();
        for (hour, figures) in hours.iter().filter(|(hour, _)| *hour >= from) {
            columns.0.push(*hour);
            columns.1.push(stored(figures.clicks));
            columns.2.push(stored(figures.impressions));
            columns.3.push(figures.position_sum);
        }
        in_turn(|| async {
            let mut connection = self.database.connection().await?;
            connection
                .transaction::<_, Abort<StoreError>, _>(async |connection| {
                    if !is_linked(connection, link).await? {
                        return Ok(false);
                    }
                    let forget =
                        sql!(text "DELETE FROM search_hours WHERE domain_id = $1 AND search_type = $2")
                            .bind::<SqlUuid, _>(link.domain.0)
                            .bind::<SmallInt, _>(search_type.code());
                    forget.execute(connection).await?;
                    let query = sql!("insert_hours.sql")
                        .bind::<SqlUuid, _>(link.domain.0)
                        .bind::<SmallInt, _>(search_type.code())
                        .bind::<Array<Timestamptz>, _>(&columns.0)
                        .bind::<Array<BigInt>, _>(&columns.1)
                        .bind::<Array<BigInt>, _>(&columns.2)
                        .bind::<Array<Double>, _>(&columns.3);
                    query.execute(connection).await?;
                    Ok(true)
                })
                .await
                .map_err(Abort::answer)
        })
        .await
    }

    async fn reached(
        &self,
        link: LinkRef<'_>,
        search_type: SearchType,
        date: Date,
    ) -> Result<bool, StoreError> {
        noted!(self, "reached.sql", link, search_type, date)
    }

    async fn missed(
        &self,
        link: LinkRef<'_>,
        search_type: SearchType,
        date: Date,
    ) -> Result<bool, StoreError> {
        noted!(self, "missed.sql", link, search_type, date)
    }

    async fn health(&self) -> Result<LinkHealth, StoreError> {
        let mut connection = self.database.connection().await?;
        let row: HealthRow = sql!("health.sql")
            .get_result(&mut connection)
            .await
            .map_err(failure)?;
        let failure = row.hostname.zip(row.failure);
        Ok(LinkHealth {
            linked: names::count(row.linked)?,
            lost: names::count(row.lost)?,
            failing: names::count(row.failing)?,
            failure: failure.map(|(hostname, why)| LinkFailure { hostname, why }),
            overdue: names::count(row.overdue)?,
        })
    }

    async fn settle(&self, synced: &[Synced]) -> Result<(), StoreError> {
        // Rounds of inspections lock the rows of the same domains, in this order.
        let mut synced = synced.to_vec();
        synced.sort_by_key(|synced| synced.domain.0);
        set_aside::write(&mut Ended(&self.database), &synced)
            .await
            .map(|_| ())
    }
}
