//! The ledger: reads are charged in batches, on a connection of their own.

use std::{collections::HashMap, fmt};

use async_trait::async_trait;
use diesel::result::Error;
use diesel_async::SimpleAsyncConnection;
use pharos_domain::{
    credits::{Balance, LogEntry, Payer},
    ids::WorkspaceId,
    ledger::{LedgerFailure, LedgerStore, Verdict},
    store::StoreError,
};
use time::OffsetDateTime;
use tokio::sync::Mutex;

use super::{balance, batch, plain};
use crate::{
    failure::{failure, is_deadlock},
    link::Link,
    pool::Database,
    set_aside::{self, Batch, Fault, Kind, SetAside},
};

/// How often a batch is tried that PostgreSQL gave up to end a deadlock. All who charge lock in one order, so it
/// takes a stranger to make one.
const ATTEMPTS: usize = 3;

/// The ledger in PostgreSQL.
pub struct PgLedgerStore {
    database: Database,
    /// The connection of charges, which never queue behind other work.
    own: Mutex<Option<Own>>,
    /// The connection of rows that cost nothing, likewise.
    rows: Mutex<Option<Link>>,
}

impl fmt::Debug for PgLedgerStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PgLedgerStore")
            .field("database", &self.database)
            .finish_non_exhaustive()
    }
}

impl PgLedgerStore {
    /// The ledger of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self {
            database,
            own: Mutex::new(None),
            rows: Mutex::new(None),
        }
    }
}

/// The connection of the ledger.
struct Own(Link);

impl Own {
    async fn open(database: &Database) -> Result<Self, StoreError> {
        let mut link = database.open_unpooled().await?;
        let _use = link.begin();
        link.batch_execute(plain::SESSION).await.map_err(failure)?;
        Ok(Self(link))
    }

    /// Whether the server still answers here. Then the statement before this one is over, and it failed if it said so.
    async fn answers(&mut self) -> bool {
        self.0.batch_execute("SELECT 1").await.is_ok()
    }

    /// Whether the failed statement did nothing, or may still have been committed.
    async fn failed(&mut self, error: Error) -> LedgerFailure {
        let error = failure(error);
        if self.answers().await {
            LedgerFailure::Nothing(error)
        } else {
            LedgerFailure::InDoubt(error)
        }
    }

    /// Settles what can be paid as it came, then the other workspaces: two transactions, since none has a charge in both.
    async fn settle(&mut self, charges: &[LogEntry], again: bool) -> Result<Vec<Verdict>, LedgerFailure> {
        let left = if again {
            HashMap::new()
        } else {
            self.settle_plain(charges).await?
        };
        let others: Vec<LogEntry> = charges
            .iter()
            .filter(|charge| !left.contains_key(&charge.workspace_id))
            .cloned()
            .collect();
        let mut batch = Others {
            own: self,
            again,
            has_charged: false,
        };
        let verdicts = match set_aside::write(&mut batch, &others).await {
            Err(LedgerFailure::Nothing(error)) if !left.is_empty() => {
                tracing::warn!(%error, charges = others.len(), "a part of a batch can't be settled");
                vec![Verdict::Unsettled; others.len()]
            }
            verdicts => verdicts?,
        };
        let mut verdicts = verdicts.into_iter();
        let settled = charges.iter().map(|charge| match left.get(&charge.workspace_id) {
            Some(remaining) => Verdict::Settled {
                remaining: *remaining,
            },
            None => verdicts.next().unwrap_or(Verdict::Unsettled),
        });
        Ok(settled.collect())
    }

    /// The balances of those workspaces that could pay all their charges in the plain way.
    async fn settle_plain(
        &mut self,
        charges: &[LogEntry],
    ) -> Result<HashMap<WorkspaceId, u64>, LedgerFailure> {
        match plain::settle(&mut self.0, charges).await {
            Ok(left) => Ok(left),
            // `settle_others` tries again.
            Err(error) if is_deadlock(&error) => Ok(HashMap::new()),
            Err(error) => match self.failed(error).await {
                // `settle_others` finds the bad row.
                failed if failed.lies_in_a_row() => Ok(HashMap::new()),
                failed => Err(failed),
            },
        }
    }

    async fn settle_others(
        &mut self,
        charges: &[LogEntry],
        again: bool,
    ) -> Result<Vec<Verdict>, LedgerFailure> {
        let mut attempts = 1..ATTEMPTS;
        loop {
            match batch::settle(&mut self.0, charges, again).await {
                Ok(verdicts) => return Ok(verdicts),
                Err(error) if is_deadlock(&error) && attempts.next().is_some() => {}
                Err(error) => return Err(self.failed(error).await),
            }
        }
    }
}

impl Fault for LedgerFailure {
    fn lies_in_a_row(&self) -> bool {
        match self {
            Self::Nothing(error) => error.lies_in_a_row(),
            Self::InDoubt(_) => false,
        }
    }
}

/// Charges that can't be paid as they came.
struct Others<'a> {
    own: &'a mut Own,
    again: bool,
    /// Some of them are charged by now: a failure after that leaves the batch in doubt.
    has_charged: bool,
}

impl Others<'_> {
    fn failed(&self, failure: LedgerFailure) -> LedgerFailure {
        match failure {
            LedgerFailure::Nothing(error) if self.has_charged && !error.lies_in_a_row() => {
                LedgerFailure::InDoubt(error)
            }
            failure => failure,
        }
    }
}

#[async_trait]
impl Batch<LogEntry> for Others<'_> {
    type Said = Verdict;
    type Error = LedgerFailure;

    async fn write(&mut self, charges: &[LogEntry]) -> Result<Vec<Verdict>, LedgerFailure> {
        if charges.is_empty() {
            return Ok(Vec::new());
        }
        let settled = self.own.settle_others(charges, self.again).await;
        self.has_charged |= settled.is_ok();
        settled.map_err(|failure| self.failed(failure))
    }

    async fn set_aside(
        &mut self,
        charge: &LogEntry,
        why: LedgerFailure,
    ) -> Result<Vec<Verdict>, LedgerFailure> {
        let (LedgerFailure::Nothing(why) | LedgerFailure::InDoubt(why)) = why;
        let note = SetAside::unstored(Kind::Charge, &charge.workspace_id, &why, charge);
        match set_aside::note_all(&mut self.own.0, [note]).await {
            Ok(()) => Ok(vec![Verdict::Unsettled]),
            Err(error) => {
                let failure = self.own.failed(error).await;
                Err(self.failed(failure))
            }
        }
    }
}

/// Rows that cost nothing, on their way into the log.
struct Free<'a> {
    database: &'a Database,
    link: &'a mut Link,
}

#[async_trait]
impl Batch<LogEntry> for Free<'_> {
    type Said = ();
    type Error = StoreError;

    async fn write(&mut self, entries: &[LogEntry]) -> Result<Vec<()>, StoreError> {
        batch::record(self.link, entries)
            .await
            .map(|_| Vec::new())
            .map_err(failure)
    }

    async fn set_aside(&mut self, entry: &LogEntry, why: StoreError) -> Result<Vec<()>, StoreError> {
        let note = SetAside::unstored(Kind::LogRow, &entry.workspace_id, &why, entry);
        self.database.note(note).await?;
        Ok(Vec::new())
    }
}

#[async_trait]
impl LedgerStore for PgLedgerStore {
    async fn settle(&self, charges: &[LogEntry], again: bool) -> Result<Vec<Verdict>, LedgerFailure> {
        let mut place = self.own.lock().await;
        // Taken out while it is in use: whoever is dropped half-way leaves none that still has an answer to give.
        let mut own = match place.take().filter(|own| own.0.is_open()) {
            Some(own) => own,
            None => Own::open(&self.database).await.map_err(LedgerFailure::Nothing)?,
        };
        let _use = own.0.begin();
        let settled = own.settle(charges, again).await;
        if !matches!(settled, Err(LedgerFailure::InDoubt(_))) {
            *place = Some(own);
        }
        settled
    }

    async fn record(&self, entries: &[LogEntry]) -> Result<(), StoreError> {
        let mut place = self.rows.lock().await;
        let mut link = match place.take().filter(Link::is_open) {
            Some(link) => link,
            None => self.database.open_unpooled().await?,
        };
        let _use = link.begin();
        let mut rows = Free {
            database: &self.database,
            link: &mut link,
        };
        let recorded = set_aside::write(&mut rows, entries).await;
        *place = Some(link);
        recorded.map(|_| ())
    }

    async fn balance(&self, payer: Payer, now: OffsetDateTime) -> Result<Option<Balance>, StoreError> {
        balance::balance(&self.database, payer, now).await
    }
}
