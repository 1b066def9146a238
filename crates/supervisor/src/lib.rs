#![doc = include_str!("../README.md")]

pub mod metrics;
#[cfg(feature = "testing")]
pub mod testing;

use std::{
    any::Any,
    collections::BTreeMap,
    fmt,
    ops::ControlFlow,
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

/// The pauses and patience of a supervisor.
#[derive(Clone, Copy, Debug)]
pub struct RestartPace {
    /// The pause before a task begins anew, the first time. It doubles with each further panic or early end.
    pub shortest_pause: Duration,
    /// The longest that it becomes.
    pub longest_pause: Duration,
    /// How long a task runs without a panic or an early end until it counts as healthy again.
    pub healthy_after: Duration,
    /// How long a pulse may be missing until its task counts as stuck.
    pub pulse_within: Duration,
}

impl Default for RestartPace {
    fn default() -> Self {
        Self {
            shortest_pause: Duration::from_millis(100),
            longest_pause: Duration::from_secs(10),
            healthy_after: Duration::from_secs(60),
            pulse_within: Duration::from_secs(30),
        }
    }
}

/// The pause between two beats of a pulse.
const PULSE: Duration = Duration::from_secs(1);

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

/// A task that panicked lately, or ended though nobody had stopped it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failing {
    /// The task as it was declared.
    pub task: Task,
    /// How many panics there were since it was healthy last.
    pub panics: u32,
    /// How often it ended too early since then.
    pub early_ends: u32,
    /// How long ago the first of all of these was.
    pub since: Duration,
    /// Whether it waits to begin anew.
    pub is_down: bool,
}

impl fmt::Display for Failing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            task,
            panics,
            early_ends,
            since,
            is_down,
        } = self;
        let state = if *is_down { "is down" } else { "runs again" };
        let counts = [(*panics, "panic"), (*early_ends, "early end")];
        let told: Vec<String> = counts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, noun)| format!("{count} {noun}{}", if count == 1 { "" } else { "s" }))
            .collect();
        let (told, seconds) = (told.join(" and "), since.as_secs());
        write!(f, "{} {state}: {told}, the first {seconds} s ago", task.name)
    }
}

/// A task that can't go on, though it has not panicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The task as it was declared.
    pub task: Task,
    /// The thing that it waits for, in a clause.
    pub why: &'static str,
    /// How long.
    pub since: Duration,
}

impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { task, why, since } = self;
        write!(f, "{} stands still for {} s: {why}", task.name, since.as_secs())
    }
}

/// As long as this lives, its task is reported as stuck.
#[derive(Debug)]
pub struct StuckGuard {
    stuck: StuckTasks,
    name: &'static str,
}

impl Drop for StuckGuard {
    fn drop(&mut self) {
        lock(&self.stuck).remove(self.name);
    }
}

/// The tasks that can't go on, by name: what they wait for, and since when.
type StuckTasks = Arc<Mutex<BTreeMap<&'static str, (Task, &'static str, Instant)>>>;

/// The pulses of runtimes, by the names of their tasks: when each was felt last.
type Pulses = Arc<Mutex<BTreeMap<&'static str, (Task, Instant)>>>;

/// The panics and early ends of one task.
#[derive(Clone, Copy)]
struct Record {
    task: Task,
    panics: u32,
    early_ends: u32,
    since: Instant,
    /// `None` while it waits to begin anew.
    runs_since: Option<Instant>,
}

/// Runs the background tasks of a node. Clones are one supervisor.
#[derive(Clone, Default)]
pub struct Supervisor {
    pace: RestartPace,
    failed: Arc<Mutex<BTreeMap<&'static str, Record>>>,
    stuck: StuckTasks,
    pulses: Pulses,
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

    /// Runs a task until `stop` has come and it has ended. After a panic, or where it ends before `stop`, it begins anew once its
    /// pause is over. If `stop` comes meanwhile, it begins anew at once, so that it can do its last work. A panic after `stop` ends
    /// it.
    pub async fn keep<F>(&self, task: Task, stop: &CancellationToken, mut begin: impl FnMut() -> F)
    where
        F: Future<Output = ()>,
    {
        let RestartPace {
            shortest_pause,
            longest_pause,
            healthy_after,
            ..
        } = self.pace;
        let mut pause = shortest_pause;
        let restarts = metrics::restarts(task);
        loop {
            let began = Instant::now();
            let ended = caught(async { begin().await }).await;
            let is_stopped = stop.is_cancelled();
            if is_stopped && ended.is_ok() {
                self.failed().remove(task.name);
                return;
            }
            if began.elapsed() >= healthy_after {
                pause = shortest_pause;
            }
            match ended {
                Ok(()) => {
                    let early_ends = self.note(task, |record| &mut record.early_ends);
                    tracing::error!(
                        task = task.name,
                        early_ends,
                        "a task ended though nobody had stopped it; it begins anew"
                    );
                }
                Err(panic) => {
                    let panics = self.note(task, |record| &mut record.panics);
                    tracing::error!(task = task.name, panics, %panic, "a task panicked; it begins anew");
                }
            }
            if is_stopped {
                return;
            }
            restarts.increment(1);
            let _: Option<()> = stop.run_until_cancelled(sleep(pause)).await;
            pause = (pause * 2).min(longest_pause);
            if let Some(record) = self.failed().get_mut(task.name) {
                record.runs_since = Some(Instant::now());
            }
        }
    }

    /// The tasks that panicked or ended too early, and have not been healthy since, by name.
    #[must_use]
    pub fn failing(&self) -> Vec<Failing> {
        self.failed()
            .values()
            .map(|record| Failing {
                task: record.task,
                panics: record.panics,
                early_ends: record.early_ends,
                since: record.since.elapsed(),
                is_down: record.runs_since.is_none(),
            })
            .collect()
    }

    /// Reports a task as stuck until the returned guard is dropped.
    #[must_use]
    pub fn is_stuck(&self, task: Task, why: &'static str) -> StuckGuard {
        lock(&self.stuck).insert(task.name, (task, why, Instant::now()));
        StuckGuard {
            stuck: Arc::clone(&self.stuck),
            name: task.name,
        }
    }

    /// Watches until `stop` that the runtime which this is called on makes progress. While none of its threads is free to show
    /// that, `task` stands for all of its work as stuck.
    pub fn feel_pulse(&self, task: Task, stop: &CancellationToken) -> JoinHandle<()> {
        let (pulses, stop) = (Arc::clone(&self.pulses), stop.clone());
        lock(&pulses).insert(task.name, (task, Instant::now()));
        tokio::spawn(async move {
            while stop.run_until_cancelled(sleep(PULSE)).await.is_some() {
                lock(&pulses).insert(task.name, (task, Instant::now()));
            }
            lock(&pulses).remove(task.name);
        })
    }

    /// The tasks that are stuck at the moment, by name, with the runtimes that make no progress.
    #[must_use]
    pub fn stuck(&self) -> Vec<Stuck> {
        let stuck = lock(&self.stuck);
        let of = |(task, why, since): &(Task, &'static str, Instant)| Stuck {
            task: *task,
            why,
            since: since.elapsed(),
        };
        let pulses = lock(&self.pulses);
        let still = pulses.values().filter_map(|(task, felt)| {
            let since = felt.elapsed();
            (since > self.pace.pulse_within).then_some(Stuck {
                task: *task,
                why: "something holds all of its threads",
                since,
            })
        });
        stuck.values().map(of).chain(still).collect()
    }

    /// Counts a panic or an early end, and returns how many of these the task has had since it was healthy.
    fn note(&self, task: Task, count: impl FnOnce(&mut Record) -> &mut u32) -> u32 {
        let mut failed = self.failed();
        let record = failed.entry(task.name).or_insert_with(|| Record {
            task,
            panics: 0,
            early_ends: 0,
            since: Instant::now(),
            runs_since: None,
        });
        record.runs_since = None;
        let number = count(record);
        *number = number.saturating_add(1);
        *number
    }

    /// Without those that are healthy by now.
    fn failed(&self) -> MutexGuard<'_, BTreeMap<&'static str, Record>> {
        let mut failed = lock(&self.failed);
        let healthy_after = self.pace.healthy_after;
        failed.retain(|_, record| {
            record
                .runs_since
                .is_none_or(|began| began.elapsed() < healthy_after)
        });
        failed
    }
}

/// The value behind a lock is whole whenever a panic could come.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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

/// Runs one of several pieces of work, so that its panic does not keep the others from being done.
///
/// # Errors
/// The panic, if the work ended in one.
pub async fn caught<T>(work: impl Future<Output = T>) -> Result<T, Panic> {
    AssertUnwindSafe(work).catch_unwind().await.map_err(Panic)
}

/// Runs pieces of work one after the other, each under its label, and passes each outcome to `ended`, which logs it and may
/// leave the rest undone. A panic keeps no other piece from being done; it goes on once all are.
///
/// # Panics
/// A piece panicked, the last that did.
pub async fn each<L, F: Future>(
    pieces: impl IntoIterator<Item = (L, F)>,
    mut ended: impl FnMut(L, Result<F::Output, &Panic>) -> ControlFlow<()>,
) {
    let mut panicked = None;
    for (label, work) in pieces {
        let flow = match caught(work).await {
            Ok(outcome) => ended(label, Ok(outcome)),
            Err(panic) => ended(label, Err(panicked.insert(panic))),
        };
        if flow.is_break() {
            break;
        }
    }
    if let Some(panic) = panicked {
        panic.resume();
    }
}

#[cfg(test)]
mod tests;
