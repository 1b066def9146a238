//! The run as the database has it: nothing here comes from the scheduler's own word.

use std::collections::{BTreeMap, HashMap};

use anyhow::{Context, Result};
use diesel::{
    QueryableByName,
    sql_types::{BigInt, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_persistence::sql;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    REGION,
    detection::Seen,
    timing::{Began, Micros},
};

/// The database of the run.
pub(super) struct Record {
    connection: AsyncPgConnection,
    /// The process that serves it.
    backend: u32,
    /// The number of each domain's site.
    numbers: HashMap<Uuid, usize>,
    /// The statements that were asked, each a transaction since they are prepared once.
    asked: u32,
    /// How long after its end each check could be read first, in microseconds; `None` of those that the first look found.
    /// Empty where there are too many to look.
    shown: HashMap<Uuid, Option<i64>>,
}

/// Up to so many monitors it is looked at when their checks can be read.
const LOOKED_AT: usize = 1_000;

/// The work of the database until a moment.
#[derive(QueryableByName)]
pub(super) struct Done {
    /// Transactions that were committed, ours left out.
    #[diesel(sql_type = BigInt)]
    pub(super) commits: i64,
    /// How much was written to its log, in bytes.
    #[diesel(sql_type = BigInt)]
    pub(super) wal: i64,
}

#[derive(QueryableByName)]
struct BackendRow {
    #[diesel(sql_type = Integer)]
    backend: i32,
}

#[derive(QueryableByName)]
struct ShownRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Timestamptz)]
    ended_at: OffsetDateTime,
}

/// A check as it is stored.
pub(super) struct Stored {
    /// The number of the domain's site.
    pub(super) site: usize,
    pub(super) began: Began,
    pub(super) outcome: String,
}

#[derive(QueryableByName)]
struct CheckRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Timestamptz)]
    checked_at: OffsetDateTime,
    #[diesel(sql_type = Integer)]
    retry_index: i32,
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
    /// The record of a run whose sites have these domains, in their order.
    pub(super) async fn open(database_url: &str, domains: impl Iterator<Item = Uuid>) -> Result<Self> {
        let mut connection = AsyncPgConnection::establish(database_url).await?;
        let row: BackendRow = sql!(text "SELECT pg_backend_pid() AS backend")
            .get_result(&mut connection)
            .await?;
        Ok(Self {
            connection,
            backend: u32::try_from(row.backend)?,
            numbers: domains.enumerate().map(|(number, id)| (id, number)).collect(),
            asked: 0,
            shown: HashMap::new(),
        })
    }

    /// The process that serves this.
    pub(super) fn backend(&self) -> u32 {
        self.backend
    }

    /// The work of the database by now.
    pub(super) async fn done(&mut self) -> Result<Done> {
        self.asked += 1;
        let query = sql!(
            text "SELECT xact_commit AS commits, (pg_current_wal_insert_lsn() - '0/0')::bigint AS wal
             FROM pg_stat_database WHERE datname = current_database()"
        );
        let done: Done = query.get_result(&mut self.connection).await?;
        Ok(Done {
            commits: done.commits - i64::from(self.asked),
            ..done
        })
    }

    /// How long after their end checks could be read that ended from then on, in microseconds.
    pub(super) fn shown(&self) -> Vec<i64> {
        self.shown.values().copied().flatten().collect()
    }

    /// Looks for checks that can be read by now. They are looked for in each round, so each is found soon.
    async fn look_for_checks(&mut self) -> Result<()> {
        if self.numbers.len() > LOOKED_AT {
            return Ok(());
        }
        self.asked += 1;
        let rows: Vec<ShownRow> = sql!(
            text "SELECT id, checked_at + response_ms * interval '1 millisecond' AS ended_at FROM uptime_checks
             WHERE response_ms IS NOT NULL AND checked_at > now() - interval '20 seconds'"
        )
        .load(&mut self.connection)
        .await?;
        let (now, is_first) = (OffsetDateTime::now_utc(), self.shown.is_empty());
        for row in rows {
            let after = (!is_first).then(|| micros(now - row.ended_at));
            self.shown.entry(row.id).or_insert(after);
        }
        Ok(())
    }

    /// Looks for incidents that are new, and for ends. Times are milliseconds since `begins`.
    pub(super) async fn look(
        &mut self,
        seen: &mut BTreeMap<Uuid, Seen>,
        begins: OffsetDateTime,
    ) -> Result<()> {
        self.look_for_checks().await?;
        self.asked += 1;
        let rows: Vec<IncidentRow> =
            sql!(text "SELECT id, domain_id, started_at, resolved_at FROM uptime_incidents")
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
        let query = sql!(text "SELECT domain_id, next_check_at FROM uptime_schedules WHERE region = $1");
        let rows: Vec<SlotRow> = query.bind::<Text, _>(REGION).load(&mut self.connection).await?;
        let slots = rows
            .into_iter()
            .map(|row| (row.domain_id, since_1970(row.next_check_at)));
        Ok(slots.collect())
    }

    /// All checks.
    pub(super) async fn checks(&mut self) -> Result<Vec<Stored>> {
        let rows: Vec<CheckRow> =
            sql!(text "SELECT domain_id, checked_at, retry_index, outcome FROM uptime_checks")
                .load(&mut self.connection)
                .await?;
        let stored = rows.into_iter().map(|row| {
            let CheckRow {
                domain_id,
                checked_at,
                retry_index,
                outcome,
            } = row;
            Ok(Stored {
                site: self.number(domain_id)?,
                began: Began {
                    domain: domain_id,
                    at: since_1970(checked_at),
                    confirms: retry_index > 0,
                },
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

/// A time as microseconds since 1970: the database keeps no finer one.
pub(super) fn since_1970(at: OffsetDateTime) -> Micros {
    micros(at - OffsetDateTime::UNIX_EPOCH)
}

fn micros(length: time::Duration) -> Micros {
    i64::try_from(length.whole_microseconds()).unwrap_or(i64::MAX)
}
