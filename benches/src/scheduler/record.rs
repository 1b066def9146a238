//! What the database says of the run: nothing here comes from the scheduler's own word.

use std::collections::{BTreeMap, HashMap};

use anyhow::{Context, Result};
use diesel::{
    QueryableByName, sql_query,
    sql_types::{Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{REGION, detection::Seen, timing::Micros};

/// The database of the run.
pub(super) struct Record {
    connection: AsyncPgConnection,
    /// The number of each domain's site.
    numbers: HashMap<Uuid, usize>,
}

/// A check as it is stored.
pub(super) struct Stored {
    pub(super) domain: Uuid,
    /// The number of the domain's site.
    pub(super) site: usize,
    pub(super) began: Micros,
    pub(super) outcome: String,
}

#[derive(QueryableByName)]
struct CheckRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Timestamptz)]
    checked_at: OffsetDateTime,
    #[diesel(sql_type = Text)]
    outcome: String,
}

#[derive(QueryableByName)]
struct SlotRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Timestamptz)]
    next_check_at: OffsetDateTime,
}

#[derive(QueryableByName)]
struct IncidentRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Timestamptz)]
    started_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    resolved_at: Option<OffsetDateTime>,
}

impl Record {
    /// Of a run whose sites have these domains, in their order.
    pub(super) async fn open(database_url: &str, domains: impl Iterator<Item = Uuid>) -> Result<Self> {
        Ok(Self {
            connection: AsyncPgConnection::establish(database_url).await?,
            numbers: domains.enumerate().map(|(number, id)| (id, number)).collect(),
        })
    }

    /// Looks for incidents that are new, and for ends. Times are milliseconds since `begins`.
    pub(super) async fn look(
        &mut self,
        seen: &mut BTreeMap<Uuid, Seen>,
        begins: OffsetDateTime,
    ) -> Result<()> {
        let rows: Vec<IncidentRow> =
            sql_query("SELECT id, domain_id, started_at, resolved_at FROM uptime_incidents")
                .load(&mut self.connection)
                .await?;
        let since = |at: OffsetDateTime| micros(at - begins) / 1_000;
        let now = since(OffsetDateTime::now_utc());
        for row in rows {
            let site = self.number(row.domain_id)?;
            let incident = seen.entry(row.id).or_insert_with(|| Seen {
                site,
                started_at: since(row.started_at),
                shown_at: now,
                ended_at: None,
            });
            if row.resolved_at.is_some() {
                incident.ended_at.get_or_insert(now);
            }
        }
        Ok(())
    }

    /// One slot of each domain.
    pub(super) async fn slots(&mut self) -> Result<HashMap<Uuid, Micros>> {
        let query = sql_query("SELECT domain_id, next_check_at FROM uptime_schedules WHERE region = $1");
        let rows: Vec<SlotRow> = query.bind::<Text, _>(REGION).load(&mut self.connection).await?;
        let slots = rows
            .into_iter()
            .map(|row| (row.domain_id, since_1970(row.next_check_at)));
        Ok(slots.collect())
    }

    /// All checks.
    pub(super) async fn checks(&mut self) -> Result<Vec<Stored>> {
        let rows: Vec<CheckRow> = sql_query("SELECT domain_id, checked_at, outcome FROM uptime_checks")
            .load(&mut self.connection)
            .await?;
        let stored = rows.into_iter().map(|row| {
            let CheckRow {
                domain_id,
                checked_at,
                outcome,
            } = row;
            Ok(Stored {
                domain: domain_id,
                site: self.number(domain_id)?,
                began: since_1970(checked_at),
                outcome,
            })
        });
        stored.collect()
    }

    fn number(&self, domain: Uuid) -> Result<usize> {
        let number = self.numbers.get(&domain).copied();
        number.context("a domain that the bench did not make")
    }
}

/// What the database keeps of a time.
pub(super) fn since_1970(at: OffsetDateTime) -> Micros {
    micros(at - OffsetDateTime::UNIX_EPOCH)
}

fn micros(length: time::Duration) -> Micros {
    i64::try_from(length.whole_microseconds()).unwrap_or(i64::MAX)
}
