//! An open connection that is given up where PostgreSQL does not answer on it.

use std::{
    ops::{Deref, DerefMut},
    sync::Arc,
    time::Duration,
};

use diesel::{ConnectionError, connection::InstrumentationEvent};
use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection, TransactionManager};
use pharos_domain::store::StoreError;
use tokio::time::timeout;
use tokio_postgres::CancelToken;

use crate::{
    connector::Connector,
    failure::failure,
    traces::Statements,
    watch::{Use, Watch},
};

type Manager = <AsyncPgConnection as AsyncConnection>::TransactionManager;

/// An answer is waited for so much longer than a statement may run.
const GRACE: Duration = Duration::from_secs(2);

/// How long a connection at rest has for an answer to nothing. One that has none by then is given up, which costs a new one.
const AT_ONCE: Duration = Duration::from_millis(100);

/// The settings of connections.
#[derive(Debug)]
pub(crate) struct LinkOptions {
    /// Their name in `pg_stat_activity`.
    pub(crate) application_name: String,
    /// How long one may take to come about.
    pub(crate) connect_timeout: Duration,
    /// How long a statement may run.
    pub(crate) statement_timeout: Duration,
    /// Whether a statement is planned for its parameters each time, and never once for all.
    pub(crate) plans_each_time: bool,
}

/// A connection, driven by the runtime that it was opened on.
pub(crate) struct Link {
    connection: AsyncPgConnection,
    watch: Arc<Watch>,
}

impl Deref for Link {
    type Target = AsyncPgConnection;

    fn deref(&self) -> &AsyncPgConnection {
        &self.connection
    }
}

impl DerefMut for Link {
    fn deref_mut(&mut self) -> &mut AsyncPgConnection {
        &mut self.connection
    }
}

impl Link {
    /// Opens a connection, and makes its session ready.
    pub(crate) async fn open(connector: &Connector, options: &LinkOptions) -> Result<Self, StoreError> {
        let opening = async {
            let (client, wire) = connector.open(&options.application_name).await?;
            let watch = Arc::<Watch>::default();
            let (driven, within) = (Arc::clone(&watch), options.statement_timeout + GRACE);
            let closing = Closing(Arc::clone(&watch));
            tokio::spawn(async move {
                let _closing = closing;
                tokio::select! {
                    ended = wire => if let Err(error) = ended {
                        tracing::debug!(%error, "a connection to the database ended");
                    },
                    // The wire is dropped: whoever waits on it is told that it is closed.
                    () = driven.silence(within) => {
                        tracing::warn!(?within, "the database does not answer; a connection is given up");
                    }
                }
            });
            let mut connection = AsyncPgConnection::try_from(client).await.map_err(not_set_up)?;
            connection
                .batch_execute(&session(options))
                .await
                .map_err(failure)?;
            Ok(Self { connection, watch })
        };
        timeout(options.connect_timeout, opening)
            .await
            .map_err(|late| StoreError::Unavailable(Box::new(late)))?
    }

    /// The same for a connection that has one use at a time: it knows whether it was left half-way.
    pub(crate) async fn open_followed(
        connector: &Connector,
        options: &LinkOptions,
    ) -> Result<Self, StoreError> {
        let mut link = Self::open(connector, options).await?;
        let (mut follow, mut statements) = (link.watch.follow(), Statements::default());
        link.connection
            .set_instrumentation(move |event: InstrumentationEvent<'_>| {
                statements.hear(&event);
                follow(event);
            });
        Ok(link)
    }

    /// Begins a use. Where its answer does not come, the connection is closed, with all that waits on it.
    pub(crate) fn begin(&self) -> Use {
        self.watch.begin()
    }

    /// Whether it is there, as far as is known.
    pub(crate) fn is_open(&self) -> bool {
        !self.watch.is_closed()
    }

    /// Whether whoever used it last was dropped on the way: in a transaction, or with a statement under way.
    pub(crate) fn is_half_way(&mut self) -> bool {
        self.watch.has_unfinished() || Manager::is_broken_transaction_manager(&mut self.connection)
    }

    /// Whether PostgreSQL has given all answers that it was asked for. Rows may still be on their way when diesel counts the
    /// statement as finished, and PostgreSQL answers in order: a connection at rest answers at once.
    pub(crate) async fn is_at_rest(&mut self) -> bool {
        let answered = timeout(AT_ONCE, self.connection.batch_execute("")).await;
        answered.is_ok_and(|answer| answer.is_ok())
    }

    /// Returns once the server has ended what was begun: cancelled where it can be. The connection is of no use then.
    pub(crate) async fn end(&mut self, connector: &Connector) {
        let token: CancelToken = self.connection.cancel_token();
        if let Err(error) = connector.cancel(&token).await {
            tracing::debug!(%error, "a statement that nobody waits for can't be cancelled");
        }
        // Answered once all before it is over. An error says the same.
        let _ = self.connection.batch_execute("ROLLBACK").await;
    }
}

/// Says that the connection is lost once nothing drives it any more: the runtime that it was opened on may end.
struct Closing(Arc<Watch>);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// A connection that came about, and could not be made ready.
fn not_set_up(error: ConnectionError) -> StoreError {
    StoreError::Unavailable(Box::new(error))
}

/// The settings that every session begins with. Statements over many partitions are estimated to cost enough to be compiled, which
/// takes a hundred times as long as they do. English messages are asked for where the account may, since only its
/// words give the reason of a failure. A client that is gone is noticed while a statement runs, where the server's
/// system can see that. With 8 MB the figures of 40,000 search queries are added up in memory, with the 4 of PostgreSQL's default in
/// files; who gave more keeps it.
fn session(options: &LinkOptions) -> String {
    format!(
        "SET statement_timeout = {}; SET idle_in_transaction_session_timeout = {}; SET jit = off; \
         SET plan_cache_mode = {}; \
         SELECT set_config('work_mem', '8MB', false) \
         WHERE pg_size_bytes(current_setting('work_mem')) < pg_size_bytes('8MB'); \
         SELECT set_config('client_connection_check_interval', '2s', false) \
         WHERE version() !~* 'visual c|mingw|windows'; \
         SELECT set_config('lc_messages', 'C', false) \
         WHERE current_setting('server_version_num')::integer >= 150000 \
         AND has_parameter_privilege('lc_messages', 'SET')",
        options.statement_timeout.as_millis(),
        options.statement_timeout.as_millis() * 2,
        if options.plans_each_time {
            "force_custom_plan"
        } else {
            "auto"
        },
    )
}
