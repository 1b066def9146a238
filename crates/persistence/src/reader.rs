//! Connections for short reads, shared by all requests of a thread.
//!
//! A read of one statement does not need a connection to itself: it is sent behind those that are on their way
//! already, and PostgreSQL answers in order. Two connections a thread, opened on the thread that uses them, carry
//! twice what a pool of 16 does (measured by `cargo xtask bench pipeline`). A read that may take long takes a
//! connection of the pool of long reads instead, since whatever is sent behind it waits; a transaction takes one of the
//! other pool.

use std::{
    cell::RefCell,
    collections::HashMap,
    ops::Deref,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use diesel_async::AsyncPgConnection;
use pharos_domain::store::StoreError;
use tokio::{sync::Mutex, time::timeout};

use crate::{
    link::Link,
    pool::{Database, DatabaseNumber},
    watch::Use,
};

/// How many connections a thread shares.
const CONNECTIONS: usize = 2;

/// A connection that is shared, for one statement. Queries run on `&mut &*reader`.
pub struct Reader {
    link: Arc<Link>,
    /// Where its answer does not come, those behind it will not come either: all fail, and the next read opens another
    /// connection.
    _use: Use,
}

impl Reader {
    fn of(link: &Arc<Link>) -> Self {
        Self {
            _use: link.begin(),
            link: Arc::clone(link),
        }
    }
}

impl Deref for Reader {
    type Target = AsyncPgConnection;

    fn deref(&self) -> &AsyncPgConnection {
        &self.link
    }
}

/// The connections of a thread to one database.
#[derive(Default)]
struct Shelf {
    places: [Mutex<Option<Arc<Link>>>; CONNECTIONS],
    next: AtomicUsize,
}

thread_local! {
    static SHELVES: RefCell<HashMap<DatabaseNumber, Arc<Shelf>>> = RefCell::default();
}

impl Database {
    /// A connection for one short statement that only reads.
    pub async fn reader(&self) -> Result<Reader, StoreError> {
        let shelf = SHELVES.with_borrow_mut(|shelves| Arc::clone(shelves.entry(self.number()).or_default()));
        let place = &shelf.places[shelf.next.fetch_add(1, Ordering::Relaxed) % CONNECTIONS];
        // Nearly always it is there: then no clock is set.
        if let Ok(place) = place.try_lock()
            && let Some(link) = open(&place)
        {
            return Ok(Reader::of(link));
        }
        let within = self.wait_timeout();
        timeout(within, self.take(place))
            .await
            .map_err(|late| StoreError::Unavailable(Box::new(late)))?
    }

    /// The connection of a place, opened anew where it was lost. Whoever comes meanwhile waits for it.
    async fn take(&self, place: &Mutex<Option<Arc<Link>>>) -> Result<Reader, StoreError> {
        let mut place = place.lock().await;
        if let Some(link) = open(&place) {
            return Ok(Reader::of(link));
        }
        let link = Arc::new(Link::open(self.connector(), self.link_options()).await?);
        let reader = Reader::of(&link);
        *place = Some(link);
        Ok(reader)
    }
}

/// The connection of a place, unless it was lost.
fn open(place: &Option<Arc<Link>>) -> Option<&Arc<Link>> {
    place.as_ref().filter(|link| link.is_open())
}
