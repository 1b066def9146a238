//! The things that a node has claimed, until each is done or given back.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use ::metrics::Histogram;
use pharos_supervisor::caught;
use tokio::{
    sync::mpsc,
    task::{self, AbortHandle, JoinSet},
    time::{Instant, sleep_until},
};

use crate::{metrics, work::DueWork};

/// Claims, each a task that waits until its thing is due, and does it.
pub(crate) struct Held<W: DueWork> {
    tasks: JoinSet<()>,
    claims: HashMap<task::Id, Claim<W::Item>>,
    lag: Option<Histogram>,
}

struct Claim<Item> {
    item: Arc<Item>,
    /// Set by whoever comes first: the task that begins, or the loop that takes the claim back.
    is_taken: Arc<AtomicBool>,
    task: AbortHandle,
}

impl<W: DueWork> Held<W> {
    pub(crate) fn new() -> Self {
        Self {
            tasks: JoinSet::new(),
            claims: HashMap::new(),
            lag: metrics::lag::<W>(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.claims.len()
    }

    /// Takes a claim in, and sends its outcome to `finished`.
    pub(crate) fn take(&mut self, work: &Arc<W>, item: W::Item, finished: &mpsc::Sender<W::Outcome>) {
        let due_in = work.due_in(&item);
        let due = Instant::now() + Duration::try_from(due_in).unwrap_or(Duration::ZERO);
        let late = Duration::try_from(time::Duration::ZERO.saturating_sub(due_in)).unwrap_or(Duration::ZERO);
        let (item, is_taken) = (Arc::new(item), Arc::new(AtomicBool::new(false)));
        let task = {
            let (work, item) = (Arc::clone(work), Arc::clone(&item));
            let (is_taken, finished, lag) = (Arc::clone(&is_taken), finished.clone(), self.lag.clone());
            self.tasks.spawn(async move {
                sleep_until(due).await;
                if !is_taken.swap(true, Ordering::AcqRel) {
                    if let Some(lag) = lag {
                        lag.record(late + due.elapsed());
                    }
                    perform(&*work, &item, &finished).await;
                }
            })
        };
        self.claims.insert(task.id(), Claim { item, is_taken, task });
    }

    /// Forgets claims whose tasks are done.
    pub(crate) fn reap(&mut self) {
        while let Some(ended) = self.tasks.try_join_next_with_id() {
            self.forget(ended);
        }
    }

    /// Waits until something is done; `false` where nothing is held. Nothing is lost if it is dropped.
    pub(crate) async fn next_end(&mut self) -> bool {
        match self.tasks.join_next_with_id().await {
            Some(ended) => {
                self.forget(ended);
                true
            }
            None => false,
        }
    }

    fn forget(&mut self, ended: Result<(task::Id, ()), task::JoinError>) {
        let id = ended.map_or_else(|error| error.id(), |(id, ())| id);
        self.claims.remove(&id);
    }

    /// Takes back the things that are meant and have not begun.
    pub(crate) fn take_back(&mut self, is_meant: impl Fn(&W::Item) -> bool) -> Vec<Arc<W::Item>> {
        let waiting = self.claims.extract_if(|_, claim| {
            let is_mine = is_meant(&claim.item) && !claim.is_taken.swap(true, Ordering::AcqRel);
            if is_mine {
                claim.task.abort();
            }
            is_mine
        });
        waiting.map(|(_, claim)| claim.item).collect()
    }

    /// Ends all of it, and says what was not done.
    pub(crate) async fn abandon(mut self) -> Vec<Arc<W::Item>> {
        self.reap();
        self.tasks.shutdown().await;
        self.claims.into_values().map(|claim| claim.item).collect()
    }
}

/// A panic over one thing keeps no other from being done.
async fn perform<W: DueWork>(work: &W, item: &W::Item, finished: &mpsc::Sender<W::Outcome>) {
    let (name, subject) = (W::NAME, || work.subject(item));
    match caught(work.perform(item)).await {
        Ok(Some(outcome)) => {
            if finished.send(outcome).await.is_err() {
                tracing::warn!(
                    work = name,
                    subject = subject(),
                    "what came of it came too late to be stored"
                );
            }
        }
        Ok(None) => {}
        Err(panic) => {
            let subject = subject();
            tracing::error!(work = name, subject, %panic, "it panicked; it is left alone until its lease is over");
        }
    }
}
