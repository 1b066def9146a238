//! The permits of heavy queries in Redis, and how they are given back. Nobody waits for that.

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

/// After this a permit is free anyway.
const GIVE_BACK_WITHIN: Duration = Duration::from_millis(SLOT_MS.unsigned_abs());

/// A permit among those of a credential, and of a workspace where one is known.
struct TakenPermit {
    credential: CredentialId,
    workspace: Option<WorkspaceId>,
    number: [u8; 8],
}

/// A permit that Redis may be asked for, or has given. Dropped, even by a request that ends before the reply is there, it is
/// given back.
pub(super) struct PermitClaim {
    permits: Permits,
    permit: Option<TakenPermit>,
}

impl PermitClaim {
    /// Nothing was taken.
    pub(super) fn forgo(mut self) {
        self.permit = None;
    }

    /// Makes the permit an admitted request's, which gives it back when it is over.
    pub(super) fn into_permit(self) -> Permit {
        Permit::new(move || drop(self))
    }
}

impl Drop for PermitClaim {
    fn drop(&mut self) {
        if let Some(permit) = self.permit.take() {
            self.permits.give_back(permit);
        }
    }
}

/// Gives permits back, those of one turn of a thread's loop in one step: a permit is free before the thread reads another
/// request. Cheap to clone.
#[derive(Clone)]
pub(super) struct Permits(Arc<Shared>);

struct Shared {
    redis: Redis,
    release: Script,
    /// The permits that the next task of each thread will give back.
    due: ThreadLocal<RefCell<Weak<PermitBatch>>>,
}

/// The task that gives it back owns it.
struct PermitBatch {
    of: Permits,
    permits: Mutex<Vec<TakenPermit>>,
}

impl Permits {
    pub(super) fn new(redis: Redis) -> Self {
        Self(Arc::new(Shared {
            redis,
            release: Script::new(include_str!("release.lua")),
            due: ThreadLocal::new(),
        }))
    }

    /// Before the permit of that number is asked for.
    pub(super) fn claim(
        &self,
        credential: CredentialId,
        workspace: Option<WorkspaceId>,
        number: [u8; 8],
    ) -> PermitClaim {
        PermitClaim {
            permits: self.clone(),
            permit: Some(TakenPermit {
                credential,
                workspace,
                number,
            }),
        }
    }

    /// Soon: from this thread's own runtime if it has one.
    fn give_back(&self, permit: TakenPermit) {
        let mut due = self.0.due.get_or_default().borrow_mut();
        if let Some(batch) = due.upgrade() {
            batch.permits().push(permit);
            return;
        }
        let batch = Arc::new(PermitBatch {
            of: self.clone(),
            permits: Mutex::new(vec![permit]),
        });
        *due = Arc::downgrade(&batch);
        match Handle::try_current() {
            Ok(handle) => drop(handle.spawn(async move {
                let permits = mem::take(&mut *batch.permits());
                let all = batch.of.clone();
                drop(batch);
                all.release(permits).await;
            })),
            // Dropped, it is given back elsewhere.
            Err(_) => drop(batch),
        }
    }

    /// Once Redis is back, if it is away.
    async fn release(&self, permits: Vec<TakenPermit>) {
        let Shared { redis, release, .. } = &*self.0;
        let headers = permits
            .iter()
            .map(|permit| (keys::of_credential(permit.credential), permit.number));
        let of_workspaces = permits.iter().filter_map(|permit| {
            let workspace = permit.workspace?;
            Some((keys::of_permits(workspace), permit.number))
        });
        let (keys, numbers): (Vec<String>, Vec<[u8; 8]>) = headers.chain(of_workspaces).unzip();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        // As many as fit into one turn of a thread's loop.
        let credentials = u32::try_from(permits.len()).unwrap_or(u32::MAX);
        let mut argument = credentials.to_le_bytes().to_vec();
        argument.extend(numbers.concat());
        redis
            .insist(GIVE_BACK_WITHIN, || redis.run(release, &keys, &argument))
            .await;
    }
}

impl PermitBatch {
    fn permits(&self) -> MutexGuard<'_, Vec<TakenPermit>> {
        self.permits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for PermitBatch {
    /// The thread's runtime ended before its task began.
    fn drop(&mut self) {
        let permits = mem::take(&mut *self.permits());
        if !permits.is_empty() {
            let all = self.of.clone();
            let redis = all.0.redis.clone();
            redis.spawn(async move { all.release(permits).await });
        }
    }
}
