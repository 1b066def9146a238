//! When each region checks each site.

mod complete;
mod hasten;
mod in_step;
mod keys;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, QueryableByName,
    sql_types::{Jsonb, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    ids::{CheckId, DomainId},
    store::StoreError,
};
use pharos_due::work::DueClaim;
use pharos_persistence::{
    due::{self, Claimed, ClaimedRow, DueTable, Turns},
    due_table,
    failure::failure,
    jobs::backlog::Backlog,
    json::Json,
    pool::Database,
    schema::domains,
    set_aside::{Kind, SetAside},
    sql,
};
use pharos_uptime::{
    finished::FinishedCheck,
    history::RegionPlace,
    monitor::settings::MonitorSettings,
    schedule::{DueCheck, ScheduleStore},
};
use time::OffsetDateTime;
use uuid::Uuid;

pub(crate) use self::in_step::{clear, keep_in_step, resume};
use crate::{
    schema::{regions, uptime_monitors},
    stored::read_settings,
};

/// Checks that are due. Only monitors that are enabled, of live domains, have rows; it is looked at all the same.
pub const CHECKS: DueTable = due_table!(
    table: "uptime_schedules",
    key: "domain_id",
    due: "next_check_at",
    from: "uptime_schedules AS s
        JOIN uptime_monitors AS m ON m.domain_id = s.domain_id
        JOIN domains AS d ON d.id = s.domain_id",
    lane: "s.region = $1",
    live: "m.enabled AND d.deleted_at IS NULL",
    columns: "claimed.domain_id, m.settings, m.updated_at",
    joins: "JOIN uptime_monitors AS m ON m.domain_id = claimed.domain_id"
);

/// Counts the checks of all regions that could be claimed: of each as its index has them.
pub(crate) async fn backlog(database: &Database) -> Result<Backlog, StoreError> {
    let mut connection = database.connection().await?;
    let keys: Vec<String> = regions::table
        .select(regions::key)
        .load(&mut connection)
        .await
        .map_err(failure)?;
    drop(connection);
    let mut all = Backlog::default();
    for region in keys {
        all = all.and(due::backlog(database, sql!(text CHECKS.backlog), &region).await?);
    }
    Ok(all)
}

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

#[derive(QueryableByName)]
struct DueRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Jsonb)]
    settings: Json<MonitorSettings>,
    #[diesel(sql_type = Timestamptz)]
    updated_at: OffsetDateTime,
    #[diesel(embed)]
    claimed: Claimed,
}

impl ClaimedRow for DueRow {
    fn claimed(&self) -> Claimed {
        self.claimed
    }
}

#[async_trait]
impl ScheduleStore for PgScheduleStore {
    async fn register_region(&self, place: &RegionPlace, now: OffsetDateTime) -> Result<(), StoreError> {
        let now = self.database.not_ahead(now).await?;
        self.database.ensure_partitions(now).await?;
        let mut connection = self.database.claiming().await?;
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
        let realign = sql!("realign.sql").bind::<Text, _>(&place.key);
        let strays = realign.execute(&mut connection).await.map_err(failure)?;
        if strays > 0 {
            tracing::warn!(
                region = place.key,
                strays,
                "checks lay too far ahead; they are due now"
            );
        }
        Ok(())
    }

    async fn claim(&self, region: &str, claim: &DueClaim) -> Result<Vec<DueCheck>, StoreError> {
        let mut connection = self.database.claiming().await?;
        let rows: Vec<DueRow> = due::claim(
            &mut connection,
            sql!(text CHECKS.claim),
            region,
            claim,
            &self.turns,
        )
        .await
        .map_err(failure)?;
        let mut due = Vec::with_capacity(rows.len());
        let mut unread = Vec::new();
        for DueRow {
            domain_id,
            settings,
            updated_at,
            claimed,
        } in rows
        {
            match read_settings(settings) {
                Ok(settings) => due.push(DueCheck {
                    domain_id: DomainId(domain_id),
                    settings,
                    settings_at: updated_at,
                    due_at: claimed.due_at,
                    due_in: claimed.due_in(),
                    leased_until: claimed.leased_until,
                }),
                // A monitor that this version can't read must not keep the others from being checked.
                Err(error) => {
                    let note = SetAside::unread(Kind::Monitor, &domain_id, &error);
                    unread.push((note, ((DomainId(domain_id), region.to_owned()), claimed.due_at)));
                }
            }
        }
        if !unread.is_empty()
            && let Err(error) = complete::set_monitors_aside(&mut connection, unread, claim.now).await
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
        let mut connection = self.database.claiming().await?;
        due::next_due(&mut connection, sql!(text CHECKS.next_due), region, now)
            .await
            .map_err(failure)
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

    async fn release(&self, region: &str, claimed: &[&DueCheck]) -> Result<(), StoreError> {
        let claimed = claimed.iter().map(|due| (due.domain_id.0, due.leased_until));
        let mut connection = self.database.claiming().await?;
        due::release(&mut connection, sql!(text CHECKS.release), region, claimed)
            .await
            .map_err(failure)
    }
}
