//! The connection to Redis: opened, watched, lost, looked for again.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use ::redis::{AsyncConnectionConfig, Client, RedisError, RedisResult, aio::MultiplexedConnection, cmd};
use tokio::{
    sync::watch,
    time::{sleep, timeout},
};

/// How often a server that is there is asked whether it still is.
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

/// The present connection, and those after it.
pub(super) struct Lines {
    client: Client,
    config: AsyncConnectionConfig,
    present: watch::Sender<Option<Line>>,
    last: AtomicU64,
}

impl Lines {
    /// Replies may take that long, and connecting, which nobody waits for, twice as long.
    pub(super) fn new(client: Client, patience: Duration) -> Self {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(2 * patience))
            .set_response_timeout(Some(patience))
            .set_pipeline_buffer_size(QUEUE);
        Self {
            client,
            config,
            present: watch::Sender::new(None),
            last: AtomicU64::new(0),
        }
    }

    /// The connection; `None` while the server is away.
    pub(super) fn present(&self) -> Option<Line> {
        self.present.borrow().clone()
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
        let number = self.last.fetch_add(1, Ordering::Relaxed);
        self.present.send_replace(Some(Line { number, link }));
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
