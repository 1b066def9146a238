//! When each region checks each site.

mod complete;
mod hasten;
mod in_step;
mod slots;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, QueryableByName, sql_query,
    sql_types::{Array, BigInt, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    ids::{CheckId, DomainId},
    store::StoreError,
};
use pharos_uptime::{
    history::RegionPlace,
    monitor::settings::MonitorSettings,
    store::{DueCheck, FinishedCheck, ScheduleStore},
};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

pub(crate) use self::in_step::{clear, keep_in_step, resume};
use pharos_persistence::{
    failure::failure,
    json::Json,
    pool::Database,
    schema::domains,
    set_aside::{Kind, SetAside},
    statement::statement,
    turns::Turns,
};

use super::monitors::read_settings;
use crate::schema::{regions, uptime_monitors};

/// The schedule in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgScheduleStore {
    database: Database,
    turns: Turns,
}

impl PgScheduleStore {
    /// The schedule of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self {
            database,
            turns: Turns::default(),
        }
    }
}

struct Claim;
struct NextDue;
struct Release;
struct Realign;

#[derive(QueryableByName)]
struct DueRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Jsonb)]
    settings: Json<MonitorSettings>,
    #[diesel(sql_type = Timestamptz)]
    next_check_at: OffsetDateTime,
    /// The last workspace that was looked at; `None` where there was none after it, or none had to be looked at.
    #[diesel(sql_type = Nullable<SqlUuid>)]
    visited: Option<Uuid>,
}

#[derive(QueryableByName)]
struct NextDueRow {
    #[diesel(sql_type = Nullable<Timestamptz>)]
    next_due: Option<OffsetDateTime>,
}

#[async_trait]
impl ScheduleStore for PgScheduleStore {
    async fn register_region(&self, place: &RegionPlace, now: OffsetDateTime) -> Result<(), StoreError> {
        self.database.ensure_partitions(now).await?;
        let mut connection = self.database.connection().await?;
        let said = (
            regions::name.eq(&place.name),
            regions::continent.eq(&place.continent),
            regions::country.eq(&place.country),
        );
        diesel::insert_into(regions::table)
            .values((regions::key.eq(&place.key), regions::registered_at.eq(now), said))
            .on_conflict(regions::key)
            .do_update()
            .set(said)
            .execute(&mut connection)
            .await
            .map_err(failure)?;
        let realign = sql_query(include_str!("realign.sql")).bind::<Text, _>(&place.key);
        let strays = statement::<Realign, _>(realign)
            .execute(&mut connection)
            .await
            .map_err(failure)?;
        if strays > 0 {
            tracing::warn!(
                region = place.key,
                strays,
                "checks lay too far ahead; they are due now"
            );
        }
        Ok(())
    }

    async fn claim(
        &self,
        region: &str,
        now: OffsetDateTime,
        lease: Duration,
        limit: usize,
    ) -> Result<Vec<DueCheck>, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql_query(include_str!("claim.sql"))
            .bind::<Text, _>(region)
            .bind::<Timestamptz, _>(now)
            .bind::<Timestamptz, _>(now + lease)
            .bind::<BigInt, _>(i64::try_from(limit).unwrap_or(i64::MAX))
            .bind::<SqlUuid, _>(self.turns.last())
            .bind::<BigInt, _>(Turns::visits(limit));
        let rows: Vec<DueRow> = statement::<Claim, _>(query)
            .load(&mut connection)
            .await
            .map_err(failure)?;
        self.turns.go_on(rows.iter().find_map(|row| row.visited));
        let mut due = Vec::with_capacity(rows.len());
        let mut unread = Vec::new();
        for DueRow {
            domain_id,
            settings,
            next_check_at: due_at,
            visited: _,
        } in rows
        {
            match read_settings(settings) {
                Ok(settings) => due.push(DueCheck {
                    domain_id: DomainId(domain_id),
                    settings,
                    due_at,
                }),
                // A monitor that this version can't read must not keep the others from being checked.
                Err(error) => {
                    let note = SetAside::unread(Kind::Monitor, &domain_id, &error);
                    unread.push((note, ((domain_id, region.to_owned()), due_at)));
                }
            }
        }
        if !unread.is_empty()
            && let Err(error) = complete::set_monitors_aside(&mut connection, unread, now).await
        {
            tracing::warn!(%error, "monitors that can't be read wait until their leases end");
        }
        Ok(due)
    }

    async fn next_due(
        &self,
        region: &str,
        now: OffsetDateTime,
    ) -> Result<Option<OffsetDateTime>, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql_query(include_str!("next_due.sql"))
            .bind::<Text, _>(region)
            .bind::<Timestamptz, _>(now);
        let row: NextDueRow = statement::<NextDue, _>(query)
            .get_result(&mut connection)
            .await
            .map_err(failure)?;
        Ok(row.next_due)
    }

    async fn settings(&self, domain: DomainId) -> Result<Option<MonitorSettings>, StoreError> {
        let mut connection = self.database.connection().await?;
        let stored: Option<Json<MonitorSettings>> = uptime_monitors::table
            .inner_join(domains::table.on(domains::id.eq(uptime_monitors::domain_id)))
            .filter(uptime_monitors::domain_id.eq(domain.0))
            .filter(domains::deleted_at.is_null())
            .select(uptime_monitors::settings)
            .first(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        stored.map(read_settings).transpose()
    }

    async fn complete(
        &self,
        finished: &[FinishedCheck],
        now: OffsetDateTime,
    ) -> Result<Vec<CheckId>, StoreError> {
        complete::complete(&self.database, finished, now).await
    }

    async fn release(&self, region: &str, domains: &[DomainId]) -> Result<(), StoreError> {
        let domains: Vec<Uuid> = domains.iter().map(|domain| domain.0).collect();
        let mut connection = self.database.connection().await?;
        let query = sql_query(include_str!("release.sql"))
            .bind::<Text, _>(region)
            .bind::<Array<SqlUuid>, _>(domains);
        statement::<Release, _>(query)
            .execute(&mut connection)
            .await
            .map(|_| ())
            .map_err(failure)
    }
}
