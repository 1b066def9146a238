//! The places of heavy queries in Redis, and how they are given back. Nobody waits for that.

use std::{
    cell::RefCell,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use pharos_domain::{
    ids::{CredentialId, WorkspaceId},
    permit::Permit,
};
use thread_local::ThreadLocal;
use tokio::runtime::Handle;

use super::{keys, policy::SLOT_MS};
use crate::redis::{Redis, script::Script};

/// After this a place is free anyway.
const GIVE_BACK_WITHIN: Duration = Duration::from_millis(SLOT_MS.unsigned_abs());

/// A place among those of a credential, and of a workspace where one is known.
struct Place {
    credential: CredentialId,
    workspace: Option<WorkspaceId>,
    number: [u8; 8],
}

/// A place that Redis may be asked for, or has given. Dropped, even by a request that ends before the reply is there, it is
/// given back.
pub(super) struct Claim {
    places: Places,
    place: Option<Place>,
}

impl Claim {
    /// Nothing was taken.
    pub(super) fn forgo(mut self) {
        self.place = None;
    }

    /// Of a request that was admitted.
    pub(super) fn into_permit(self) -> Permit {
        Permit::new(move || drop(self))
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some(place) = self.place.take() {
            self.places.give_back(place);
        }
    }
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

    /// Before the place of that number is asked for.
    pub(super) fn claim(
        &self,
        credential: CredentialId,
        workspace: Option<WorkspaceId>,
        number: [u8; 8],
    ) -> Claim {
        Claim {
            places: self.clone(),
            place: Some(Place {
                credential,
                workspace,
                number,
            }),
        }
    }

    /// Soon: from this thread's own runtime if it has one.
    fn give_back(&self, place: Place) {
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
        let headers = places
            .iter()
            .map(|place| (keys::of_credential(place.credential), place.number));
        let of_workspaces = places.iter().filter_map(|place| {
            let workspace = place.workspace?;
            Some((keys::of_places(workspace), place.number))
        });
        let (keys, numbers): (Vec<String>, Vec<[u8; 8]>) = headers.chain(of_workspaces).unzip();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        // As many as fit into one turn of a thread's loop.
        let credentials = u32::try_from(places.len()).unwrap_or(u32::MAX);
        let mut argument = credentials.to_le_bytes().to_vec();
        argument.extend(numbers.concat());
        redis
            .insist(GIVE_BACK_WITHIN, || redis.run(release, &keys, &argument))
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
