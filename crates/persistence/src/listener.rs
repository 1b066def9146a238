//! Listens for changes, so that a node uses what it keeps in memory only as long as it is true.

use std::{
    collections::VecDeque,
    sync::Arc,
    time::{Duration, Instant},
};

use pharos_domain::{invalidation::Invalidation, store::StoreError, switches::SwitchStore};
use pharos_due::bell::{Bell, Bells};
use pharos_supervisor::{Supervisor, Task};
use tokio::{
    task::JoinHandle,
    time::{MissedTickBehavior, interval, sleep},
};
use tokio_postgres::{Notification, SimpleQueryMessage};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    announce::{ACK_REQUEST, CHANGES, LISTENER, lost},
    due::DUE,
    jobs::JOBS,
    metrics::ListenerMetrics,
    pool::Database,
    switch_panel::SwitchPanel,
    switches::PgSwitchStore,
    wire::Session,
};

/// Listens for changes. While it is down nothing in memory is used, which makes answers slower, but not wrong.
const HEARING: Task = Task::aside("changes");
/// How often a listener sends itself a sign of life.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// How long heartbeats may be missing before it opens a new connection.
const MOST_SILENCE: Duration = Duration::from_secs(4);

/// How long to wait before a new connection, the first time and at most.
const SHORTEST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// A connection that listens for as long as this lives, opened anew whenever it breaks.
#[derive(Debug)]
pub struct Listener {
    invalidation: Arc<Invalidation>,
    panel: Arc<SwitchPanel>,
    jobs: Arc<Bells>,
    schedule: Arc<Bells>,
    metrics: Arc<ListenerMetrics>,
    task: JoinHandle<()>,
}

impl Listener {
    /// Begins to listen, and returns once it hears everything that happens from then on.
    ///
    /// # Errors
    /// The database can't be reached.
    pub async fn start(database: &Database, supervisor: &Supervisor) -> Result<Self, StoreError> {
        let (invalidation, panel) = (Arc::<Invalidation>::default(), Arc::<SwitchPanel>::default());
        let (jobs, schedule) = (Arc::<Bells>::default(), Arc::<Bells>::default());
        let metrics = Arc::new(ListenerMetrics::new());
        let ears = Ears {
            database: database.clone(),
            invalidation: Arc::clone(&invalidation),
            panel: Arc::clone(&panel),
            jobs: Arc::clone(&jobs),
            metrics: Arc::clone(&metrics),
            schedule: Arc::clone(&schedule),
            heartbeats: format!("pharos_heartbeat_{}", Uuid::new_v4().simple()),
        };
        let mut first = Some(ears.open().await?);
        let ears = Arc::new(ears);
        let task = supervisor.spawn(HEARING, &CancellationToken::new(), move || {
            let (ears, first) = (Arc::clone(&ears), first.take());
            async move { ears.listen(first).await }
        });
        Ok(Self {
            invalidation,
            panel,
            jobs,
            metrics,
            schedule,
            task,
        })
    }

    /// Records whether changes are heard.
    pub fn sample(&self) {
        self.metrics.sample(self.invalidation.is_listening());
    }

    /// Whether what is kept in memory may be used.
    #[must_use]
    pub fn invalidation(&self) -> Arc<Invalidation> {
        Arc::clone(&self.invalidation)
    }

    /// The switches, as last heard.
    #[must_use]
    pub fn panel(&self) -> Arc<SwitchPanel> {
        Arc::clone(&self.panel)
    }

    /// A bell for another worker, which rings when a job is enqueued. It rings at once, since jobs may have been enqueued
    /// before it was there.
    #[must_use]
    pub fn jobs(&self) -> Arc<Bell> {
        let bell = self.jobs.add();
        bell.ring_anyhow();
        bell
    }

    /// Rung when what is due in a lane has changed.
    #[must_use]
    pub fn schedule(&self) -> Arc<Bells> {
        Arc::clone(&self.schedule)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.task.abort();
        self.invalidation.deaf();
    }
}

/// Its drop, also by a panic, stops the node from using what it keeps in memory.
struct Deafen<'a>(&'a Invalidation);

impl Drop for Deafen<'_> {
    fn drop(&mut self) {
        self.0.deaf();
    }
}

struct Ears {
    database: Database,
    invalidation: Arc<Invalidation>,
    panel: Arc<SwitchPanel>,
    jobs: Arc<Bells>,
    schedule: Arc<Bells>,
    metrics: Arc<ListenerMetrics>,
    heartbeats: String,
}

/// An open connection, and the process id by which it answers requests.
struct Open {
    session: Session,
    pid: String,
}

impl Ears {
    /// Listens first, then takes the name by which others find it, then fills the memory, so that no change is missed.
    async fn open(&self) -> Result<Open, StoreError> {
        let session = Session::open(self.database.connector(), "pharos listener, starting").await?;
        // These are two transactions: the name must not be visible before the listening has begun.
        session
            .run(&format!(
                "LISTEN {CHANGES}; LISTEN {JOBS}; LISTEN {DUE}; LISTEN {}",
                self.heartbeats
            ))
            .await?;
        let answers = session
            .run(&format!(
                "SET application_name = '{LISTENER}'; SELECT pg_backend_pid()"
            ))
            .await?;
        let pid = answers.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
            _ => None,
        });
        let pid = pid.ok_or_else(lost)?;
        // Values that were read until now may lack a change that was not heard.
        self.invalidation.raise();
        self.jobs.ring_anyhow();
        self.schedule.ring_anyhow();
        self.read_switches().await?;
        Ok(Open { session, pid })
    }

    async fn read_switches(&self) -> Result<(), StoreError> {
        let switches = PgSwitchStore::new(self.database.clone()).read().await?;
        self.panel.set(switches);
        Ok(())
    }

    async fn listen(&self, mut open: Option<Open>) {
        let mut pause = SHORTEST_PAUSE;
        loop {
            let current = match open.take() {
                Some(current) => Ok(current),
                None => self.open().await,
            };
            match current {
                Ok(current) => {
                    pause = SHORTEST_PAUSE;
                    if let Err(error) = self.hear(current).await {
                        tracing::warn!(%error, "changes are no longer heard; opening a new connection");
                    }
                    sleep(pause).await;
                }
                Err(error) => {
                    tracing::warn!(%error, "changes can't be heard yet");
                    sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
        }
    }

    /// Hears until the connection breaks.
    async fn hear(&self, mut open: Open) -> Result<(), StoreError> {
        let _deaf = Deafen(&self.invalidation);
        let mut ticks = interval(HEARTBEAT);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // The heartbeats that are on their way: their numbers, and when they were sent.
        let mut beats: VecDeque<(u64, Instant)> = VecDeque::new();
        let mut number = 0_u64;
        loop {
            tokio::select! {
                biased;
                notification = open.session.notifications.recv() => {
                    let notification = notification.ok_or_else(lost)?;
                    if notification.channel() == self.heartbeats {
                        let back = notification.payload().parse::<u64>().unwrap_or(0);
                        while let Some((_, sent)) = beats.pop_front_if(|(number, _)| *number <= back) {
                            // Changes that were committed before it was sent have been heard.
                            self.invalidation.heard(sent);
                            self.metrics.heard(sent.elapsed());
                        }
                    } else if notification.channel() == JOBS {
                        self.jobs.ring(notification.payload());
                    } else if notification.channel() == DUE {
                        let payload = notification.payload();
                        let (subject, lane) = payload.split_once(' ').unwrap_or(("", payload));
                        self.schedule.ring_about(lane, subject);
                    } else {
                        self.take(&open, &notification).await?;
                    }
                }
                _ = ticks.tick() => {
                    if beats.front().is_some_and(|(_, sent)| sent.elapsed() > MOST_SILENCE) {
                        return Err(lost());
                    }
                    number += 1;
                    beats.push_back((number, Instant::now()));
                    open.session.notify(&self.heartbeats, &number.to_string()).await?;
                }
            }
        }
    }

    async fn take(&self, open: &Open, notification: &Notification) -> Result<(), StoreError> {
        match notification.payload().strip_prefix(ACK_REQUEST) {
            Some(channel)
                if channel
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') =>
            {
                open.session.notify(channel, &open.pid).await
            }
            Some(_) => Ok(()),
            None => {
                if notification.payload() == "switches" {
                    self.read_switches().await?;
                }
                self.invalidation.raise();
                Ok(())
            }
        }
    }
}
