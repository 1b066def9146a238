#![doc = include_str!("../README.md")]

pub mod metrics;

use std::{
    any::Any,
    collections::BTreeMap,
    fmt,
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures_util::FutureExt;
use tokio::{
    task::JoinHandle,
    time::{Instant, sleep},
};
use tokio_util::sync::CancellationToken;

/// How long a supervisor waits for what.
#[derive(Clone, Copy, Debug)]
pub struct RestartPace {
    /// The pause before a task begins anew, the first time. It doubles with each further panic.
    pub shortest_pause: Duration,
    /// The longest that it becomes.
    pub longest_pause: Duration,
    /// How long a task runs without a panic until it counts as healthy again.
    pub healthy_after: Duration,
}

impl Default for RestartPace {
    fn default() -> Self {
        Self {
            shortest_pause: Duration::from_millis(100),
            longest_pause: Duration::from_secs(10),
            healthy_after: Duration::from_secs(60),
        }
    }
}

/// A background task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its name in logs and metrics; no two tasks of a node share one.
    pub name: &'static str,
    /// Whether the node can't answer while it is down.
    pub is_needed_to_answer: bool,
}

impl Task {
    /// A task that answers do without.
    #[must_use]
    pub const fn aside(name: &'static str) -> Self {
        Self {
            name,
            is_needed_to_answer: false,
        }
    }

    /// A task that answers need.
    #[must_use]
    pub const fn needed(name: &'static str) -> Self {
        Self {
            name,
            is_needed_to_answer: true,
        }
    }
}

/// A task that panicked lately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failing {
    /// The task as it was declared.
    pub task: Task,
    /// How often since it was healthy last.
    pub panics: u32,
    /// How long ago the first of these was.
    pub since: Duration,
    /// Whether it waits to begin anew.
    pub is_down: bool,
}

impl fmt::Display for Failing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            task,
            panics,
            since,
            is_down,
        } = self;
        let state = if *is_down { "is down" } else { "runs again" };
        let noun = if *panics == 1 { "panic" } else { "panics" };
        let seconds = since.as_secs();
        write!(
            f,
            "{} {state}: {panics} {noun}, the first {seconds} s ago",
            task.name
        )
    }
}

/// The panics of one task.
#[derive(Clone, Copy)]
struct Record {
    task: Task,
    panics: u32,
    since: Instant,
    /// `None` while it waits to begin anew.
    runs_since: Option<Instant>,
}

/// Runs the background tasks of a node. Clones are one supervisor.
#[derive(Clone, Default)]
pub struct Supervisor {
    pace: RestartPace,
    panicked: Arc<Mutex<BTreeMap<&'static str, Record>>>,
}

impl fmt::Debug for Supervisor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Supervisor")
            .field("failing", &self.failing())
            .finish()
    }
}

impl Supervisor {
    /// A supervisor of another pace than the usual one.
    #[must_use]
    pub fn with_pace(pace: RestartPace) -> Self {
        Self {
            pace,
            ..Self::default()
        }
    }

    /// Runs a task on the runtime that this is called on, as [`Supervisor::keep`] does.
    pub fn spawn<F>(
        &self,
        task: Task,
        stop: &CancellationToken,
        begin: impl FnMut() -> F + Send + 'static,
    ) -> JoinHandle<()>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (supervisor, stop) = (self.clone(), stop.clone());
        tokio::spawn(async move { supervisor.keep(task, &stop, begin).await })
    }

    /// Runs a task until it ends by itself. After a panic it begins anew: when its pause is over, or at once when
    /// `stop` comes, so that it does what it does at the end. A panic after `stop` ends it.
    pub async fn keep<F>(&self, task: Task, stop: &CancellationToken, mut begin: impl FnMut() -> F)
    where
        F: Future<Output = ()>,
    {
        let RestartPace {
            shortest_pause,
            longest_pause,
            healthy_after,
        } = self.pace;
        let mut pause = shortest_pause;
        let restarts = metrics::restarts(task);
        loop {
            let began = Instant::now();
            let Err(panic) = caught(async { begin().await }).await else {
                self.panicked().remove(task.name);
                return;
            };
            if began.elapsed() >= healthy_after {
                pause = shortest_pause;
            }
            let panics = self.note_panic(task);
            tracing::error!(task = task.name, panics, %panic, "a task panicked; it begins anew");
            if stop.is_cancelled() {
                return;
            }
            restarts.increment(1);
            let _: Option<()> = stop.run_until_cancelled(sleep(pause)).await;
            pause = (pause * 2).min(longest_pause);
            if let Some(record) = self.panicked().get_mut(task.name) {
                record.runs_since = Some(Instant::now());
            }
        }
    }

    /// The tasks that panicked and have not been healthy since, by name.
    #[must_use]
    pub fn failing(&self) -> Vec<Failing> {
        self.panicked()
            .values()
            .map(|record| Failing {
                task: record.task,
                panics: record.panics,
                since: record.since.elapsed(),
                is_down: record.runs_since.is_none(),
            })
            .collect()
    }

    /// Takes a panic down, and says how often the task panicked since it was healthy.
    fn note_panic(&self, task: Task) -> u32 {
        let mut panicked = self.panicked();
        let record = panicked.entry(task.name).or_insert_with(|| Record {
            task,
            panics: 0,
            since: Instant::now(),
            runs_since: None,
        });
        record.panics = record.panics.saturating_add(1);
        record.runs_since = None;
        record.panics
    }

    /// Without those that are healthy by now.
    fn panicked(&self) -> MutexGuard<'_, BTreeMap<&'static str, Record>> {
        let mut panicked = self.panicked.lock().unwrap_or_else(PoisonError::into_inner);
        let healthy_after = self.pace.healthy_after;
        panicked.retain(|_, record| {
            record
                .runs_since
                .is_none_or(|began| began.elapsed() < healthy_after)
        });
        panicked
    }
}

/// A panic that was caught.
#[derive(Debug)]
pub struct Panic(Box<dyn Any + Send>);

impl Panic {
    /// Goes on with the panic.
    pub fn resume(self) -> ! {
        std::panic::resume_unwind(self.0)
    }
}

impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = (self.0.downcast_ref::<&str>().copied())
            .or_else(|| self.0.downcast_ref::<String>().map(String::as_str));
        f.write_str(said.unwrap_or("without a word"))
    }
}

/// Does one piece of work of several, so that its panic does not keep the others from being done.
///
/// # Errors
/// The panic, if the work ended in one.
pub async fn caught<T>(work: impl Future<Output = T>) -> Result<T, Panic> {
    AssertUnwindSafe(work).catch_unwind().await.map_err(Panic)
}

#[cfg(test)]
mod tests;
