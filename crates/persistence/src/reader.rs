//! Connections for short reads, shared by all requests of a thread.
//!
//! A read of one statement does not need a connection to itself: it is sent behind those that are on their way
//! already, and PostgreSQL answers in order. Two connections a thread, opened on the thread that uses them, carry
//! twice what a pool of 16 does (measured by `cargo xtask bench pipeline`). A read that may take long takes a
//! connection of the pool instead, since whatever is sent behind it waits; so does every transaction.

use std::{
    cell::RefCell,
    collections::HashMap,
    ops::Deref,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use diesel_async::AsyncPgConnection;
use pharos_domain::store::StoreError;
use tokio::{sync::Mutex, time::timeout};

use crate::pool::{Database, DatabaseNumber};

/// How many connections a thread shares.
const CONNECTIONS: usize = 2;

/// A connection that is shared. Queries run on `&mut &*reader`.
#[derive(Clone)]
pub(crate) struct Reader(Arc<Shared>);

struct Shared {
    connection: AsyncPgConnection,
    is_closed: Arc<AtomicBool>,
}

impl Deref for Reader {
    type Target = AsyncPgConnection;

    fn deref(&self) -> &AsyncPgConnection {
        &self.0.connection
    }
}

/// The connections of a thread to one database.
#[derive(Default)]
struct Shelf {
    places: [Mutex<Option<Reader>>; CONNECTIONS],
    next: AtomicUsize,
}

thread_local! {
    static SHELVES: RefCell<HashMap<DatabaseNumber, Arc<Shelf>>> = RefCell::default();
}

impl Database {
    /// A connection for one short statement that only reads.
    pub(crate) async fn reader(&self) -> Result<Reader, StoreError> {
        let shelf = SHELVES.with_borrow_mut(|shelves| Arc::clone(shelves.entry(self.number()).or_default()));
        let place = &shelf.places[shelf.next.fetch_add(1, Ordering::Relaxed) % CONNECTIONS];
        // Nearly always it is there: then no clock is set.
        if let Ok(place) = place.try_lock()
            && let Some(reader) = open(&place)
        {
            return Ok(reader);
        }
        let within = self.options().wait_timeout;
        timeout(within, self.take(place))
            .await
            .map_err(|late| StoreError::Unavailable(Box::new(late)))?
    }

    /// The connection of a place, opened anew where it was lost. Whoever comes meanwhile waits for it.
    async fn take(&self, place: &Mutex<Option<Reader>>) -> Result<Reader, StoreError> {
        let mut place = place.lock().await;
        if let Some(reader) = open(&place) {
            return Ok(reader);
        }
        let (connection, is_closed) = self.open_unpooled().await?;
        let reader = Reader(Arc::new(Shared {
            connection,
            is_closed,
        }));
        *place = Some(reader.clone());
        Ok(reader)
    }
}

/// The connection of a place, unless it was lost.
fn open(place: &Option<Reader>) -> Option<Reader> {
    let is_open = |reader: &&Reader| !reader.0.is_closed.load(Ordering::Acquire);
    place.as_ref().filter(is_open).cloned()
}
