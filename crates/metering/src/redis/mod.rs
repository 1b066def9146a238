//! Redis as limits and cache see it: there, or away. Whoever asks never waits for a server that is known to be away.

mod line;
pub(crate) mod script;

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use ::redis::{
    Client, Cmd, ConnectionAddr, ErrorKind, FromRedisValue, IntoConnectionInfo, RedisError, ServerErrorKind,
};
use pharos_supervisor::{Supervisor, Task};
use thiserror::Error;
use tokio::{
    runtime::Handle,
    task::JoinHandle,
    time::{sleep, timeout},
};
use tokio_util::sync::{CancellationToken, DropGuard};

use self::line::{Line, Lines};

/// Looks for a server that is away. Without it limits are open, which answers do without.
const KEEPER: Task = Task::aside("Redis connection");

/// A reply that takes longer is none.
const PATIENCE: Duration = Duration::from_millis(250);
/// The pause before a command that has to be done is tried again.
const PAUSE: Duration = Duration::from_millis(100);
/// How often the log reports that commands are refused.
const COMPLAIN_EVERY: Duration = Duration::from_secs(10);

/// The text is no URL of a Redis. The error does not repeat it, since it may hold a password.
#[derive(Debug, Error)]
#[error("not a URL of a Redis (redis://…, rediss://… or unix://…): {0}")]
pub struct UnreadableUrl(String);

/// Why a command has no reply.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// The server is known to be away: it was not asked.
    #[error("Redis is away")]
    Away,
    /// The server did not answer, or was too slow to be of use. It may have executed the command.
    #[error("Redis is lost")]
    Lost,
    /// The server did not do it.
    #[error(transparent)]
    Refused(RedisError),
}

/// A server of Redis. Commands of concurrent requests share a connection. Cheap to clone.
#[derive(Clone)]
pub struct Redis(Arc<Shared>);

struct Shared {
    lines: Arc<Lines>,
    complaints: Complaints,
    runtime: Handle,
    _keeper: DropGuard,
}

impl Redis {
    /// Parses the URL and tries to connect once. A server that is away is no error: a task in the background, on the runtime
    /// that this is called on, looks for it until the last clone is dropped.
    ///
    /// # Errors
    /// The URL can't be read.
    pub async fn connect(url: &str, supervisor: &Supervisor) -> Result<Self, UnreadableUrl> {
        Self::with_patience(url, PATIENCE, supervisor).await
    }

    /// The same, with a server that counts as away once a reply takes longer than this.
    pub(crate) async fn with_patience(
        url: &str,
        patience: Duration,
        supervisor: &Supervisor,
    ) -> Result<Self, UnreadableUrl> {
        let unreadable = |error: RedisError| UnreadableUrl(error.to_string());
        let address = url.into_connection_info().map_err(unreadable)?;
        if matches!(address.addr(), ConnectionAddr::TcpTls { .. }) {
            // The library uses the process's provider. One that was installed before stays.
            let _ = rustls::crypto::ring::default_provider().install_default();
        }
        let tcp = address.tcp_settings().clone().set_nodelay(true);
        let client = Client::open(address.set_tcp_settings(tcp)).map_err(unreadable)?;

        let lines = Arc::new(Lines::new(client, patience));
        if let Err(error) = lines.open().await {
            tracing::warn!(%error, "Redis is away: limits are open, nothing is cached");
        }
        let stop = CancellationToken::new();
        let (stopped, kept) = (stop.clone(), Arc::clone(&lines));
        let _keeper: JoinHandle<()> = supervisor.spawn(KEEPER, &stop, move || {
            let (stopped, kept) = (stopped.clone(), Arc::clone(&kept));
            async move {
                let _: Option<()> = stopped.run_until_cancelled(kept.keep()).await;
            }
        });
        Ok(Self(Arc::new(Shared {
            lines,
            complaints: Complaints::default(),
            runtime: Handle::current(),
            _keeper: stop.drop_guard(),
        })))
    }

    /// Whether the server answered the last command.
    #[must_use]
    pub fn is_available(&self) -> bool {
        self.0.lines.is_open()
    }

    /// Sends a command and reads its reply. It fails at once while the server is away.
    pub(crate) async fn ask<T: FromRedisValue>(&self, command: &Cmd) -> Result<T, Failure> {
        let Some(Line { number, mut link }) = self.0.lines.nearest() else {
            return Err(Failure::Away);
        };
        match command.query_async(&mut link).await {
            Ok(reply) => Ok(reply),
            Err(error) if is_of_this_command(&error) => {
                if error.kind() != ErrorKind::Server(ServerErrorKind::NoScript) {
                    self.0.complaints.tell(&error);
                }
                Err(Failure::Refused(error))
            }
            Err(error) => {
                self.0.lines.lose(number, &error);
                Err(Failure::Lost)
            }
        }
    }

    /// Executes what must not be lost while the server is away: it is tried until the server has answered, for `within` at
    /// most. Returns whether it was executed.
    pub(crate) async fn insist<F>(&self, within: Duration, mut attempt: impl FnMut() -> F) -> bool
    where
        F: Future<Output = Result<(), Failure>>,
    {
        let done = async {
            loop {
                match attempt().await {
                    Ok(()) => return true,
                    Err(Failure::Refused(_)) => return false,
                    Err(Failure::Away | Failure::Lost) => {}
                }
                self.0.lines.opened().await;
                sleep(PAUSE).await;
            }
        };
        timeout(within, done).await.unwrap_or(false)
    }

    /// Runs something besides the requests.
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.0.runtime.spawn(work);
    }
}

impl fmt::Debug for Redis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redis")
            .field("is_available", &self.is_available())
            .finish_non_exhaustive()
    }
}

/// Logs refused commands, but not each of them, since they come with every request.
#[derive(Default)]
struct Complaints(Mutex<Option<Instant>>);

impl Complaints {
    fn tell(&self, error: &RedisError) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|last| last.elapsed() >= COMPLAIN_EVERY) {
            *last = Some(Instant::now());
            tracing::error!(%error, "Redis refuses commands");
        }
    }
}

/// Whether an error is about this command, and not about the server's state: a server that is loading, full or a replica would
/// refuse the next command too.
fn is_of_this_command(error: &RedisError) -> bool {
    match error.kind() {
        ErrorKind::Server(kind) => matches!(
            kind,
            ServerErrorKind::ResponseError | ServerErrorKind::NoScript | ServerErrorKind::NoPerm
        ),
        ErrorKind::UnexpectedReturnType => true,
        // The library has no name for this code.
        ErrorKind::Extension => error.code() == Some("WRONGTYPE"),
        _ => false,
    }
}
