//! The places of heavy queries in Redis, and how they are given back. Nobody waits for that.

use std::{
    cell::RefCell,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use pharos_http::metering::Slot;
use thread_local::ThreadLocal;
use tokio::runtime::Handle;

use super::policy::SLOT_MS;
use crate::redis::{Redis, script::Script};

/// After this a place is free anyway.
const GIVE_BACK_WITHIN: Duration = Duration::from_millis(SLOT_MS.unsigned_abs());

/// A place that a credential's header in Redis tells of.
pub(super) struct Place {
    /// The key of the header.
    pub(super) header: String,
    pub(super) number: [u8; 8],
}

/// Gives places back, those of one turn of a thread's loop in one step: a place is free before the thread reads another
/// request. Cheap to clone.
#[derive(Clone)]
pub(super) struct Places(Arc<Shared>);

struct Shared {
    redis: Redis,
    release: Script,
    /// What the next task of each thread will give back.
    due: ThreadLocal<RefCell<Weak<Batch>>>,
}

/// The task that gives it back owns it.
struct Batch {
    of: Places,
    places: Mutex<Vec<Place>>,
}

impl Places {
    pub(super) fn new(redis: Redis) -> Self {
        Self(Arc::new(Shared {
            redis,
            release: Script::new(include_str!("release.lua")),
            due: ThreadLocal::new(),
        }))
    }

    /// A slot that gives the place back.
    pub(super) fn held(&self, place: Place) -> Slot {
        let places = self.clone();
        Slot::new(move || places.give_back(place))
    }

    /// Gives a place back soon: from this thread's own runtime if it has one.
    pub(super) fn give_back(&self, place: Place) {
        let mut due = self.0.due.get_or_default().borrow_mut();
        if let Some(batch) = due.upgrade() {
            batch.places().push(place);
            return;
        }
        let batch = Arc::new(Batch {
            of: self.clone(),
            places: Mutex::new(vec![place]),
        });
        *due = Arc::downgrade(&batch);
        match Handle::try_current() {
            Ok(handle) => drop(handle.spawn(async move {
                let places = mem::take(&mut *batch.places());
                let all = batch.of.clone();
                drop(batch);
                all.release(places).await;
            })),
            // Dropped, it is given back elsewhere.
            Err(_) => drop(batch),
        }
    }

    /// Once Redis is back, if it is away.
    async fn release(&self, places: Vec<Place>) {
        let Shared { redis, release, .. } = &*self.0;
        let keys: Vec<&str> = places.iter().map(|place| place.header.as_str()).collect();
        let numbers: Vec<u8> = places.iter().flat_map(|place| place.number).collect();
        redis
            .insist(GIVE_BACK_WITHIN, || redis.run(release, &keys, &numbers))
            .await;
    }
}

impl Batch {
    fn places(&self) -> MutexGuard<'_, Vec<Place>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Batch {
    /// The thread's runtime ended before its task began.
    fn drop(&mut self) {
        let places = mem::take(&mut *self.places());
        if !places.is_empty() {
            let all = self.of.clone();
            let redis = all.0.redis.clone();
            redis.spawn(async move { all.release(places).await });
        }
    }
}
