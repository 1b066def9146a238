//! The ledger: reads are charged in batches, on a connection of their own.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use async_trait::async_trait;
use diesel::QueryResult;
use diesel_async::{AsyncPgConnection, SimpleAsyncConnection};
use pharos_domain::{
    credits::{Balance, LogEntry},
    store::StoreError,
};
use pharos_http::metering::Payer;
use pharos_metering::credits::store::{LedgerFailure, LedgerStore, Verdict};
use time::OffsetDateTime;
use tokio::sync::Mutex;

use super::{balance, batch};
use crate::{
    failure::{failure, is_deadlock},
    pool::Database,
};

/// How often a batch is tried that PostgreSQL gave up to end a deadlock. All who charge lock in one order, so it
/// takes a stranger to make one.
const ATTEMPTS: usize = 3;

/// The ledger in PostgreSQL.
pub struct PgLedgerStore {
    database: Database,
    /// Charges never queue for a connection behind other work.
    own: Mutex<Option<Own>>,
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
        }
    }
}

/// The connection of the ledger.
struct Own {
    connection: AsyncPgConnection,
    is_closed: Arc<AtomicBool>,
}

impl Own {
    async fn open(database: &Database) -> Result<Self, StoreError> {
        let (connection, is_closed) = database.open_unpooled().await?;
        Ok(Self {
            connection,
            is_closed,
        })
    }

    fn is_open(&self) -> bool {
        !self.is_closed.load(Ordering::Acquire)
    }

    /// Whether the server still answers here. Then the statement before this one is over, and it failed if it said so.
    async fn answers(&mut self) -> bool {
        self.connection.batch_execute("SELECT 1").await.is_ok()
    }

    async fn settle(&mut self, charges: &[LogEntry], again: bool) -> QueryResult<Vec<Verdict>> {
        let mut attempt = 1;
        loop {
            match batch::settle(&mut self.connection, charges, again).await {
                Err(error) if is_deadlock(&error) && attempt < ATTEMPTS => attempt += 1,
                settled => return settled,
            }
        }
    }
}

#[async_trait]
impl LedgerStore for PgLedgerStore {
    async fn settle(&self, charges: &[LogEntry], again: bool) -> Result<Vec<Verdict>, LedgerFailure> {
        let mut place = self.own.lock().await;
        // Taken out while it is in use: whoever is dropped half-way leaves none that still has an answer to give.
        let mut own = match place.take().filter(Own::is_open) {
            Some(own) => own,
            None => Own::open(&self.database).await.map_err(LedgerFailure::Nothing)?,
        };
        let settled = own.settle(charges, again).await;
        let is_alive = settled.is_ok() || own.answers().await;
        if is_alive {
            *place = Some(own);
        }
        settled.map_err(|error| {
            let error = failure(error);
            if is_alive {
                LedgerFailure::Nothing(error)
            } else {
                LedgerFailure::InDoubt(error)
            }
        })
    }

    async fn record(&self, entries: &[LogEntry]) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        batch::record(&mut connection, entries)
            .await
            .map(|_| ())
            .map_err(failure)
    }

    async fn balance(&self, payer: Payer, now: OffsetDateTime) -> Result<Option<Balance>, StoreError> {
        balance::balance(&self.database, payer, now).await
    }
}
