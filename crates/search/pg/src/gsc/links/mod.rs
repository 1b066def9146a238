//! Links, as imports need them, and what imports leave behind.

mod changes;

use std::{collections::HashMap, sync::Arc};

use async_trait::async_trait;
use diesel::{
    OptionalExtension, QueryDsl, QueryableByName,
    result::Error,
    sql_types::{
        Array, BigInt, Date as SqlDate, Double, Integer, Nullable, SmallInt, Text, Timestamptz,
        Uuid as SqlUuid,
    },
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    ids::{DomainId, SearchAccountId, UserId, WorkspaceId},
    module::Module,
    notice::NewNotice,
    notification_type::NotificationType,
    severity::Severity,
    store::StoreError,
};
use pharos_due::work::DueClaim;
use pharos_persistence::{
    due::{self, Claimed, ClaimedRow, DueTable, Turns},
    due_table,
    failure::{Abort, failure},
    moment::not_ahead,
    names, notices,
    pool::Database,
    set_aside::{self, Batch, Kind, SetAside},
    sql,
    text::{beginning, without_nul},
};
use pharos_search::{
    google::account::Account,
    gsc::{
        figures::{Figures, SearchType},
        link::{DueLink, Lease, Link, LinkHealth, LinkRef, LinkStore, Synced},
        property::PropertyStatus,
    },
};
use serde_json::json;
use time::{Date, Duration, OffsetDateTime};
use uuid::Uuid;

pub(super) use self::changes::{begin_source, forget_imports, keep_types, wake};
use super::{
    import::{is_linked, stored},
    seal::Seal,
};
use crate::{GROUP, schema::search_properties};

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
/// The longest reason of a failure that is kept, in bytes.
const LONGEST_FAILURE: usize = 1_000;
/// Links have one lane.
pub(super) const LANE: &str = "";

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
    #[diesel(sql_type = BigInt)]
    overdue: i64,
}

/// Notes a day of a search type as a file says, if the domain is still linked so.
macro_rules! noted {
    ($store:expr, $file:literal, $link:expr, $search_type:expr, $date:expr) => {{
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
    }};
}

#[async_trait]
impl LinkStore for PgLinkStore {
    async fn bring_back(&self) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
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
        let mut connection = self.database.connection().await?;
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
        let mut connection = self.database.connection().await?;
        due::next_due(&mut connection, sql!(text LINKS.next_due), LANE, now)
            .await
            .map_err(failure)
    }

    async fn renew(&self, claimed: &DueLink, lease: Duration) -> Result<bool, StoreError> {
        let mut connection = self.database.connection().await?;
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
        let mut connection = self.database.connection().await?;
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
            search_types: names::all(&row.search_types)?,
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
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                if !is_linked(connection, link).await? {
                    return Ok(false);
                }
                let forget = sql!(text "DELETE FROM search_hours WHERE domain_id = $1 AND search_type = $2")
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
        Ok(LinkHealth {
            linked: names::count(row.linked)?,
            lost: names::count(row.lost)?,
            failing: names::count(row.failing)?,
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

/// Ends of imports, on their way into the tables.
struct Ended<'a>(&'a Database);

#[async_trait]
impl Batch<Synced> for Ended<'_> {
    type Said = ();
    type Error = StoreError;

    async fn write(&mut self, synced: &[Synced]) -> Result<Vec<()>, StoreError> {
        let mut connection = self.0.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                for synced in synced {
                    settle(connection, synced).await?;
                }
                Ok(Vec::new())
            })
            .await
            .map_err(Abort::answer)
    }

    async fn set_aside(&mut self, synced: &Synced, why: StoreError) -> Result<Vec<()>, StoreError> {
        let domain = synced.domain.0;
        let note = SetAside::unstored(Kind::SearchImport, &domain, &why, synced);
        let mut connection = self.0.connection().await?;
        connection
            .transaction::<_, Error, _>(async |connection| {
                let query = sql!("put_off.sql")
                    .bind::<SqlUuid, _>(domain)
                    .bind::<Nullable<Timestamptz>, _>(synced.next.map(|next| next.leased_until));
                query.execute(connection).await?;
                set_aside::note_all(connection, [note]).await
            })
            .await
            .map_err(failure)?;
        Ok(Vec::new())
    }
}

/// A link as it is known, under a lock.
type Known = (
    Option<OffsetDateTime>,
    String,
    Uuid,
    String,
    OffsetDateTime,
    Option<Date>,
);

async fn settle(connection: &mut AsyncPgConnection, synced: &Synced) -> Result<(), Abort<StoreError>> {
    let known: Option<Known> = search_properties::table
        .find(synced.domain.0)
        .for_update()
        .select((
            search_properties::leased_until,
            search_properties::status,
            search_properties::workspace_id,
            search_properties::site_url,
            search_properties::linked_at,
            search_properties::data_through,
        ))
        .first(connection)
        .await
        .optional()?;
    let Some((leased_until, before, workspace, site_url, linked_at, through_before)) = known else {
        return Ok(());
    };
    // It was linked to another property meanwhile, or anew.
    if (&site_url, linked_at) != (&synced.site_url, synced.linked_at) {
        return Ok(());
    }
    // Another node has it by now.
    if synced
        .next
        .is_some_and(|next| leased_until != Some(next.leased_until))
    {
        return Ok(());
    }
    let at = not_ahead(connection, synced.at).await?;
    let marks = synced.marks.unwrap_or_default();
    let failure = synced.failure.clone().map(without_nul);
    let failure = failure.map(|failure| beginning(failure, LONGEST_FAILURE));
    let query = sql!("settle.sql")
        .bind::<SqlUuid, _>(synced.domain.0)
        .bind::<Text, _>(synced.status.as_str())
        .bind::<Nullable<Text>, _>(synced.outcome.map(|outcome| outcome.as_str()))
        .bind::<Timestamptz, _>(at)
        .bind::<diesel::sql_types::Bool, _>(synced.marks.is_some())
        .bind::<Nullable<SqlDate>, _>(marks.data_through)
        .bind::<Nullable<SqlDate>, _>(marks.provisional_through)
        .bind::<Nullable<SqlDate>, _>(marks.first_incomplete_date)
        .bind::<Nullable<Timestamptz>, _>(marks.first_incomplete_hour)
        .bind::<Nullable<Text>, _>(failure)
        .bind::<Nullable<Timestamptz>, _>(synced.next.map(|next| next.at))
        .bind::<Nullable<Timestamptz>, _>(synced.next.map(|next| next.newest_at))
        .bind::<Nullable<Integer>, _>(
            synced
                .next
                .map(|next| i32::try_from(next.failures).unwrap_or(i32::MAX)),
        );
    query.execute(connection).await?;
    if through_before.is_none() && marks.data_through.is_some() {
        // URLs that were gathered so far include no page of the search, so they are gathered anew.
        let query = sql!(text "UPDATE indexing_sites
            SET gathered_at = NULL, next_round_at = least(next_round_at, now())
            WHERE domain_id = $1")
        .bind::<SqlUuid, _>(synced.domain.0);
        query.execute(connection).await?;
    }
    let is_lost = matches!(
        synced.status,
        PropertyStatus::ReauthorizationRequired | PropertyStatus::PermissionLost
    );
    if is_lost && before != synced.status.as_str() {
        notices::tell(connection, &lost(synced, WorkspaceId(workspace), &site_url, at)).await?;
    }
    Ok(())
}

/// The notice that no data come in any more.
fn lost(synced: &Synced, workspace: WorkspaceId, site_url: &str, at: OffsetDateTime) -> NewNotice {
    let (title, what) = match synced.status {
        PropertyStatus::PermissionLost => (
            "Search Console: the account may not read the property any more",
            "Have an owner of the property give the account access again, or link another account.",
        ),
        _ => (
            "Search Console has to be linked again",
            "The consent of the linked account was revoked or has expired, or its key was deleted. Link it again.",
        ),
    };
    NewNotice {
        workspace,
        domain: Some(synced.domain),
        kind: NotificationType::ModuleDisconnected,
        severity: Severity::Warning,
        module: Some(Module::Gsc),
        title: title.to_owned(),
        body: format!("No search data of {site_url} come in. {what}"),
        data: json!({ "site_url": site_url, "status": synced.status }),
        resource_path: Some(format!("/domains/{}/gsc/property", synced.domain)),
        at,
    }
}
