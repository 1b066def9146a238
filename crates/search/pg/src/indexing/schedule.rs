//! The rotation: which sites are due, whose turn it is, and what came of it.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, IntoSql, QueryDsl, QueryResult, QueryableByName, dsl,
    result::Error,
    sql_types::{BigInt, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_due::work::DueClaim;
use pharos_persistence::{
    due::{self, DueTable},
    due_table,
    failure::{Abort, failure},
    jobs::backlog::Backlog,
    moment::not_ahead,
    names::count,
    pool::Database,
    set_aside::{self, Batch, Kind, SetAside},
    sql,
    text::{beginning, without_nul},
};
use pharos_search::{
    gsc::property::Permission,
    indexing::{
        quota::{Granted, QuotaDay, Wanted},
        store::schedule::{DueSite, IndexingSchedule, Picked, RotationHealth, Round},
        target::Source,
    },
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    PgIndexing,
    gather::{self, held},
    let_go, quota,
    row::{DueRow, PickRow},
    stand,
};
use crate::schema::{indexing_sites, indexing_urls, search_properties};

/// Sites that are due.
pub const SITES: DueTable = due_table!(
    table: "indexing_sites",
    key: "domain_id",
    due: "next_round_at",
    from: "indexing_sites AS s
        JOIN domains AS d ON d.id = s.domain_id
        JOIN search_properties AS p ON p.domain_id = s.domain_id",
    lane: "$1 = ''",
    live: "d.deleted_at IS NULL AND p.status IN ('connected', 'pending')",
    columns: "claimed.domain_id, p.site_url, p.linked_at, claimed.gathered_at, claimed.failures",
    joins: "JOIN search_properties AS p ON p.domain_id = claimed.domain_id"
);
/// Sites have one lane.
const LANE: &str = "";
/// The longest reason of a failure that is kept, in bytes.
const LONGEST_REASON: usize = 500;

/// Counts the sites that could be claimed.
pub(crate) async fn backlog(database: &Database) -> Result<Backlog, StoreError> {
    due::backlog(database, sql!(text SITES.backlog), LANE).await
}

#[derive(QueryableByName)]
struct HealthRow {
    #[diesel(sql_type = BigInt)]
    sites: i64,
    #[diesel(sql_type = BigInt)]
    failing: i64,
    #[diesel(sql_type = Nullable<Text>)]
    failure: Option<String>,
    #[diesel(sql_type = BigInt)]
    overdue: i64,
}

#[derive(QueryableByName)]
struct NextRow {
    #[diesel(sql_type = Nullable<Timestamptz>)]
    next: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    next_daily: Option<OffsetDateTime>,
}

#[async_trait]
impl IndexingSchedule for PgIndexing {
    async fn enrol(&self, now: OffsetDateTime, limit: usize) -> Result<(), StoreError> {
        let mut connection = self.database.claiming().await?;
        let query = sql!("enrol.sql")
            .bind::<BigInt, _>(i64::try_from(limit).unwrap_or(i64::MAX))
            .bind::<Timestamptz, _>(now);
        query.execute(&mut connection).await.map(|_| ()).map_err(failure)
    }

    async fn bring_back(&self) -> Result<(), StoreError> {
        let mut connection = self.database.claiming().await?;
        let query = sql!("bring_back.sql");
        let strays = query.execute(&mut connection).await.map_err(failure)?;
        if strays > 0 {
            tracing::warn!(
                strays,
                "rounds of inspections lay too far ahead; they are due now"
            );
        }
        Ok(())
    }

    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueSite>, StoreError> {
        let mut connection = self.database.claiming().await?;
        let statement = sql!(text SITES.claim);
        let rows: Vec<DueRow> = due::claim(&mut connection, statement, LANE, claim, &self.turns)
            .await
            .map_err(failure)?;
        let mut due = Vec::with_capacity(rows.len());
        for row in rows {
            let held = (row.domain_id, row.claimed.leased_until);
            match DueSite::try_from(row) {
                Ok(site) => due.push(site),
                Err(error) => {
                    let note = SetAside::unread(Kind::Inspection, &held.0, &error);
                    // The others are claimed by now, whatever becomes of this one.
                    if let Err(error) = put_off(&mut connection, held, note, claim.now).await {
                        tracing::warn!(domain = %held.0, %error, "inspections wait until their lease ends");
                    }
                }
            }
        }
        Ok(due)
    }

    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        let mut connection = self.database.claiming().await?;
        due::next_due(&mut connection, sql!(text SITES.next_due), LANE, now)
            .await
            .map_err(failure)
    }

    async fn gather_pages(&self, site: &DueSite, now: OffsetDateTime) -> Result<bool, StoreError> {
        let pages = gather::pages(&self.database, site).await?;
        self.gather(site, Source::GscPages, &pages.urls, now).await?;
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                gather::value(connection, site, &pages).await
            })
            .await
            .map_err(Abort::answer)?;
        Ok(!pages.urls.is_empty())
    }

    async fn gathered(&self, site: &DueSite, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                if held(connection, site).await?.is_some() {
                    diesel::update(indexing_sites::table.find(site.domain.0))
                        .set(indexing_sites::gathered_at.eq(now))
                        .execute(connection)
                        .await?;
                }
                Ok(())
            })
            .await
            .map_err(Abort::answer)
    }

    async fn gather(
        &self,
        site: &DueSite,
        source: Source,
        urls: &[String],
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        if urls.is_empty() {
            return Ok(());
        }
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                gather::gather(connection, site, source, urls, now).await
            })
            .await
            .map_err(Abort::answer)
    }

    async fn permitted(&self, site: &DueSite, permission: Permission) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        diesel::update(search_properties::table.find(site.domain.0))
            .filter(search_properties::site_url.eq(&site.site_url))
            .filter(search_properties::permission.ne(permission.as_str()))
            .set(search_properties::permission.eq(permission.as_str()))
            .execute(&mut connection)
            .await
            .map(|_| ())
            .map_err(failure)
    }

    async fn let_go(&self, site: &DueSite, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                if let Some(workspace) = held(connection, site).await? {
                    let now = not_ahead(connection, now).await?;
                    let_go::unlisted(connection, site.domain, workspace, now).await?;
                }
                Ok(())
            })
            .await
            .map_err(Abort::answer)
    }

    async fn let_go_outside(&self, site: &DueSite, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                if let Some(workspace) = held(connection, site).await? {
                    let_go::outside(connection, site.domain, workspace, &site.site_url, now).await?;
                }
                Ok(())
            })
            .await
            .map_err(Abort::answer)
    }

    async fn pick(&self, domain: DomainId, most: u32, now: OffsetDateTime) -> Result<Picked, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql!("pick.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<Timestamptz, _>(now)
            .bind::<BigInt, _>(i64::from(most) + 1)
            .bind::<BigInt, _>(i64::from(most / 3));
        let mut rows: Vec<PickRow> = query.load(&mut connection).await.map_err(failure)?;
        let next: NextRow = sql!("next_due.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<Timestamptz, _>(now)
            .get_result(&mut connection)
            .await
            .map_err(failure)?;
        let left = rows.split_off(rows.len().min(most as usize));
        Ok(Picked {
            more_new: left.iter().any(|row| row.is_new),
            more_due: !left.is_empty(),
            next_due_at: next.next,
            next_daily_at: next.next_daily,
            urls: rows
                .into_iter()
                .map(TryInto::try_into)
                .collect::<Result<_, _>>()?,
        })
    }

    async fn take(&self, site: &DueSite, day: QuotaDay, wanted: Wanted) -> Result<Granted, StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                quota::take_for_rotation(connection, site, day, wanted).await
            })
            .await
            .map_err(Abort::answer)
    }

    async fn complete(&self, rounds: &[Round]) -> Result<Vec<DomainId>, StoreError> {
        if rounds.is_empty() {
            return Ok(Vec::new());
        }
        // Ends of imports lock the rows of the same domains, in this order.
        let mut rounds = rounds.to_vec();
        rounds.sort_by_key(|round| round.domain.0);
        set_aside::write(&mut Made(&self.database), &rounds).await
    }

    async fn release(&self, claimed: &[&DueSite]) -> Result<(), StoreError> {
        let claimed = claimed.iter().map(|due| (due.domain.0, due.leased_until));
        let mut connection = self.database.claiming().await?;
        due::release(&mut connection, sql!(text SITES.release), LANE, claimed)
            .await
            .map_err(failure)
    }

    async fn health(&self) -> Result<RotationHealth, StoreError> {
        let mut connection = self.database.connection().await?;
        let row: HealthRow = sql!("health.sql")
            .get_result(&mut connection)
            .await
            .map_err(failure)?;
        Ok(RotationHealth {
            sites: count(row.sites)?,
            failing: count(row.failing)?,
            failure: row.failure,
            overdue: count(row.overdue)?,
        })
    }
}

/// Rounds, on their way into the tables.
struct Made<'a>(&'a Database);

#[async_trait]
impl Batch<Round> for Made<'_> {
    type Said = DomainId;
    type Error = StoreError;

    async fn write(&mut self, rounds: &[Round]) -> Result<Vec<DomainId>, StoreError> {
        // How a domain stands is worked out of all its URLs: that is work, and takes no connection of claims.
        let mut connection = self.0.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                let present: OffsetDateTime = diesel::select(dsl::now.into_sql::<Timestamptz>())
                    .get_result(connection)
                    .await?;
                let mut counted = Vec::new();
                for round in rounds {
                    if complete(connection, &round.clone().not_ahead_of(present)).await? {
                        counted.push(round.domain);
                    }
                }
                Ok(counted)
            })
            .await
            .map_err(Abort::answer)
    }

    async fn set_aside(&mut self, round: &Round, why: StoreError) -> Result<Vec<DomainId>, StoreError> {
        let held = (round.domain.0, round.leased_until);
        let note = SetAside::unstored(Kind::Inspection, &held.0, &why, round);
        let mut connection = self.0.connection().await?;
        put_off(&mut connection, held, note, round.at)
            .await
            .map_err(failure)?;
        Ok(Vec::new())
    }
}

/// Whether the domain's days count more by then is returned.
async fn complete(connection: &mut AsyncPgConnection, round: &Round) -> Result<bool, Abort<StoreError>> {
    // The quota is locked before URLs, as by whoever takes of it, and these before the site, as by whoever adds them.
    if let Some((site_url, day, unused)) = &round.unused {
        quota::give_back(connection, site_url, *day, *unused).await?;
    }
    let is_counted = stand::count(connection, round).await?;
    if let Some((_, day, unused)) = &round.unused {
        quota::unspent(connection, round.domain, *day, *unused).await?;
    }
    let reason = round.failure.clone().map(without_nul);
    let reason = reason.map(|reason| beginning(reason, LONGEST_REASON));
    let query = sql!("complete.sql")
        .bind::<SqlUuid, _>(round.domain.0)
        .bind::<Timestamptz, _>(round.leased_until)
        .bind::<Timestamptz, _>(round.next_round_at)
        .bind::<Timestamptz, _>(round.at)
        .bind::<Integer, _>(i32::try_from(round.failures).unwrap_or(i32::MAX))
        .bind::<Nullable<Text>, _>(reason)
        .bind::<Timestamptz, _>(round.began_at);
    query.execute(connection).await?;
    Ok(is_counted)
}

/// Puts a site off for a day if it can't be read, or its round can't be stored, so that the others go on.
async fn put_off(
    connection: &mut AsyncPgConnection,
    (domain, leased_until): (Uuid, OffsetDateTime),
    note: SetAside,
    now: OffsetDateTime,
) -> QueryResult<()> {
    connection
        .transaction::<_, Error, _>(async |connection| {
            let query = sql!("put_off.sql")
                .bind::<SqlUuid, _>(domain)
                .bind::<Timestamptz, _>(leased_until)
                .bind::<Timestamptz, _>(now);
            query.execute(connection).await?;
            set_aside::note_all(connection, [note]).await
        })
        .await
}

/// A domain that is restored has a round at once.
pub(crate) async fn restored(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let query = sql!(text "UPDATE indexing_sites SET next_round_at = least($2, now()) WHERE domain_id = $1")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(now);
    query.execute(connection).await?;
    Ok(())
}

/// The domains of which a URL was inspected.
pub(crate) async fn active(mut connection: &AsyncPgConnection, domains: &[Uuid]) -> QueryResult<Vec<Uuid>> {
    indexing_urls::table
        .filter(indexing_urls::domain_id.eq_any(domains))
        .filter(indexing_urls::inspected_at.is_not_null())
        .select(indexing_urls::domain_id)
        .distinct()
        .load(&mut connection)
        .await
}
