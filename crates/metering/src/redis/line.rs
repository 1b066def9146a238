//! The connections to Redis: opened, watched, lost, looked for again.
//!
//! One is watched, and says whether the server is there. Threads that serve requests have one of their own besides it,
//! driven by the thread itself: commands don't cross to another thread and back.

use std::{
    cell::RefCell,
    collections::HashMap,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use ::redis::{AsyncConnectionConfig, Client, RedisError, RedisResult, aio::MultiplexedConnection, cmd};
use tokio::{
    runtime::{Handle, RuntimeFlavor},
    sync::watch,
    time::{sleep, timeout},
};

/// How often a server that is there is asked whether it still is. That keeps it from ending connections as idle, too.
const HEARTBEAT: Duration = Duration::from_millis(500);
/// How long to wait before a server that is away is looked for again.
const PAUSE: Duration = Duration::from_millis(250);
/// How many commands may wait to be written.
const QUEUE: usize = 4_096;
/// Written by each heartbeat: a server that answers but takes no writes is of no use.
const HEARTBEAT_KEY: &str = "pharos:heartbeat";
const HEARTBEAT_KEY_LIVES_S: u32 = 10;

/// A connection that works, as far as is known.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Tells it from those before.
    pub(super) number: u64,
    pub(super) link: MultiplexedConnection,
}

/// A thread's own connection beside the line of that number.
enum Own {
    /// Or it could not be opened; the line that all share serves meanwhile.
    Opening,
    Open(MultiplexedConnection),
}

thread_local! {
    /// By the server, then by the line.
    static OWN: RefCell<HashMap<u64, (u64, Own)>> = RefCell::default();
}

/// Tells the servers and the lines of a process apart.
static NUMBERS: AtomicU64 = AtomicU64::new(0);

fn number() -> u64 {
    NUMBERS.fetch_add(1, Ordering::Relaxed)
}

/// The present connection, and those after it.
pub(super) struct Lines {
    number: u64,
    client: Client,
    config: AsyncConnectionConfig,
    present: watch::Sender<Option<Line>>,
}

impl Lines {
    /// Replies may take that long, and connecting, which nobody waits for, twice as long.
    pub(super) fn new(client: Client, patience: Duration) -> Self {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(2 * patience))
            .set_response_timeout(Some(patience))
            .set_pipeline_buffer_size(QUEUE);
        Self {
            number: number(),
            client,
            config,
            present: watch::Sender::new(None),
        }
    }

    /// The connection that all share; `None` while the server is away.
    fn present(&self) -> Option<Line> {
        self.present.borrow().clone()
    }

    /// The connection that serves this thread best; `None` while the server is away. Nobody waits for one to open.
    pub(super) fn nearest(&self) -> Option<Line> {
        let number = self.present.borrow().as_ref()?.number;
        let own = OWN.with_borrow_mut(|all| match all.get(&self.number) {
            Some((line, Own::Open(link))) if *line == number => Some(link.clone()),
            Some((line, Own::Opening)) if *line == number => None,
            _ => {
                all.insert(self.number, (number, Own::Opening));
                self.open_own(number);
                None
            }
        });
        match own {
            Some(link) => Some(Line { number, link }),
            None => self.present(),
        }
    }

    /// Opens the connection of this thread, if it drives its tasks itself.
    fn open_own(&self, number: u64) {
        let handle = Handle::current();
        if handle.runtime_flavor() != RuntimeFlavor::CurrentThread {
            return;
        }
        let (server, client, config) = (self.number, self.client.clone(), self.config.clone());
        let mut present = self.present.subscribe();
        handle.spawn(async move {
            let mut link = match client.get_multiplexed_async_connection_with_config(&config).await {
                Ok(link) => link,
                Err(error) => {
                    tracing::debug!(%error, "a thread has no connection to Redis of its own");
                    return;
                }
            };
            let is_wanted = OWN.with_borrow_mut(|all| match all.get_mut(&server) {
                Some((line, own)) if *line == number => {
                    *own = Own::Open(link.clone());
                    true
                }
                _ => false,
            });
            // Until the line is another, or there is none.
            let is_over = |line: &Option<Line>| line.as_ref().is_none_or(|line| line.number != number);
            while is_wanted && timeout(HEARTBEAT, present.wait_for(is_over)).await.is_err() {
                // Whoever uses the connection finds out that it is lost.
                let _: RedisResult<()> = cmd("PING").query_async(&mut link).await;
            }
        });
    }

    pub(super) fn is_open(&self) -> bool {
        self.present.borrow().is_some()
    }

    /// Waits until the server is there.
    pub(super) async fn opened(&self) {
        // An error would say that there is no sender any more; it is a part of this.
        let _ = self.present.subscribe().wait_for(Option::is_some).await;
    }

    /// Gives a connection up, if it is still the present one.
    pub(super) fn lose(&self, number: u64, error: &RedisError) {
        let is_news = self.present.send_if_modified(|present| {
            let is_present = present.as_ref().is_some_and(|line| line.number == number);
            if is_present {
                *present = None;
            }
            is_present
        });
        if is_news {
            tracing::warn!(%error, "Redis is away: limits are open, nothing is cached");
        }
    }

    /// Connects, and offers the connection once the server has taken a write.
    pub(super) async fn open(&self) -> RedisResult<()> {
        let mut link = self
            .client
            .get_multiplexed_async_connection_with_config(&self.config)
            .await?;
        beat(&mut link).await?;
        self.present.send_replace(Some(Line {
            number: number(),
            link,
        }));
        tracing::info!("Redis is there");
        Ok(())
    }

    /// Watches the connection, and looks for the server while it is away. Without an end.
    pub(super) async fn keep(&self) {
        loop {
            if let Some(Line { number, mut link }) = self.present() {
                let lost = self.lost();
                if timeout(HEARTBEAT, lost).await.is_err()
                    && let Err(error) = beat(&mut link).await
                {
                    self.lose(number, &error);
                }
            } else {
                sleep(PAUSE).await;
                if let Err(error) = self.open().await {
                    tracing::debug!(%error, "Redis is still away");
                }
            }
        }
    }

    async fn lost(&self) {
        let _ = self.present.subscribe().wait_for(Option::is_none).await;
    }
}

async fn beat(link: &mut MultiplexedConnection) -> RedisResult<()> {
    cmd("SET")
        .arg(HEARTBEAT_KEY)
        .arg(1)
        .arg("EX")
        .arg(HEARTBEAT_KEY_LIVES_S)
        .query_async(link)
        .await
}
