//! The tasks of one connection, which end with it.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::task::JoinSet;

/// Keeps a connection going. Once it is dropped, nothing of the connection is left.
#[derive(Default)]
pub struct Tasks(Executor);

#[derive(Clone, Default)]
pub(super) struct Executor(Arc<Mutex<JoinSet<()>>>);

impl Tasks {
    pub(super) fn spawn<F>(&self, connection: F)
    where
        F: Future<Output = Result<(), hyper::Error>> + Send + 'static,
    {
        // Whoever waits for the answer learns of the failure; the connection's own copy says no more.
        self.0.spawn(async move {
            let _ = connection.await;
        });
    }

    pub(super) fn executor(&self) -> Executor {
        self.0.clone()
    }
}

impl Executor {
    fn spawn<F: Future<Output = ()> + Send + 'static>(&self, task: F) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).spawn(task);
    }
}

impl<F> hyper::rt::Executor<F> for Executor
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    fn execute(&self, task: F) {
        self.spawn(async move {
            let _ = task.await;
        });
    }
}

impl Drop for Tasks {
    fn drop(&mut self) {
        // The tasks hold the set that holds them, so it would never be dropped by itself.
        self.0
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .abort_all();
    }
}
