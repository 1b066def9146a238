//! The database: a pool of connections.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use deadpool::{Runtime, managed::Timeouts};
use diesel::{ConnectionError, ConnectionResult};
use diesel_async::{
    AsyncPgConnection, RunQueryDsl,
    pooled_connection::{
        AsyncDieselConnectionManager, ManagerConfig, RecyclingMethod,
        deadpool::{Object, Pool},
    },
};
use pharos_domain::store::StoreError;

use crate::{
    announce::Announcer,
    connector::{ConnectFault, Connector},
    failure::{failure, no_connection},
};

/// How to talk to the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseOptions {
    /// How many connections are kept at most.
    pub pool_size: usize,
    /// How long a connection may take to come about.
    pub connect_timeout: Duration,
    /// How long to wait for a connection while all are in use.
    pub wait_timeout: Duration,
    /// How long a statement may run.
    pub statement_timeout: Duration,
    /// What the connections call themselves in `pg_stat_activity`.
    pub application_name: String,
}

impl Default for DatabaseOptions {
    fn default() -> Self {
        Self {
            pool_size: 16,
            connect_timeout: Duration::from_secs(3),
            wait_timeout: Duration::from_secs(3),
            statement_timeout: Duration::from_secs(30),
            application_name: "pharos".to_owned(),
        }
    }
}

/// Tells the databases of a process apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DatabaseNumber(u64);

impl DatabaseNumber {
    /// A number that no other database of this process has.
    pub(crate) fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A PostgreSQL database. Clones share the pool.
#[derive(Clone)]
pub struct Database {
    pool: Pool<AsyncPgConnection>,
    connector: Arc<Connector>,
    options: Arc<DatabaseOptions>,
    announcer: Arc<Announcer>,
    number: DatabaseNumber,
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database")
            .field("pool", &self.pool.status())
            .finish_non_exhaustive()
    }
}

impl Database {
    /// Connects, and returns once the database has answered.
    ///
    /// # Errors
    /// The URL can't be read ([`StoreError::Failed`]), the server refuses the account (likewise), or does not
    /// answer ([`StoreError::Unavailable`]).
    pub async fn connect(url: &str, options: &DatabaseOptions) -> Result<Self, StoreError> {
        let database = Self::new(url, options)?;
        database.ping().await?;
        Ok(database)
    }

    /// A database that is connected to when it is first used.
    ///
    /// # Errors
    /// The URL can't be read.
    pub fn new(url: &str, options: &DatabaseOptions) -> Result<Self, StoreError> {
        let connector = Arc::new(Connector::new(url, options.connect_timeout)?);
        let mut config = ManagerConfig::default();
        // The default costs a round trip a checkout. A connection that was closed is noticed without one.
        config.recycling_method = RecyclingMethod::Fast;
        let (opener, settings) = (Arc::clone(&connector), options.clone());
        config.custom_setup = Box::new(move |_| {
            let (opener, settings) = (Arc::clone(&opener), settings.clone());
            Box::pin(async move { open(&opener, &settings).await })
        });
        let manager = AsyncDieselConnectionManager::new_with_config("", config);
        let pool = Pool::builder(manager)
            .max_size(options.pool_size)
            .runtime(Runtime::Tokio1)
            .timeouts(Timeouts {
                wait: Some(options.wait_timeout),
                create: Some(options.connect_timeout * 2),
                recycle: Some(options.connect_timeout),
            })
            .build()
            .map_err(|error| StoreError::Failed(Box::new(error)))?;
        Ok(Self {
            pool,
            connector,
            options: Arc::new(options.clone()),
            announcer: Arc::default(),
            number: DatabaseNumber::next(),
        })
    }

    /// Asks the database for a sign of life.
    ///
    /// # Errors
    /// There was none.
    pub async fn ping(&self) -> Result<(), StoreError> {
        let mut connection = self.connection().await?;
        diesel::select(diesel::dsl::sql::<diesel::sql_types::Integer>("1"))
            .get_result::<i32>(&mut connection)
            .await
            .map(|_| ())
            .map_err(failure)
    }

    /// The server's version as a number: 150018 is 15.18.
    ///
    /// # Errors
    /// The database could not say.
    pub async fn server_version(&self) -> Result<i32, StoreError> {
        let mut connection = self.connection().await?;
        diesel::select(diesel::dsl::sql::<diesel::sql_types::Integer>(
            "current_setting('server_version_num')::integer",
        ))
        .get_result(&mut connection)
        .await
        .map_err(failure)
    }

    /// A connection of the pool.
    pub(crate) async fn connection(&self) -> Result<Object<AsyncPgConnection>, StoreError> {
        self.pool.get().await.map_err(no_connection)
    }

    /// What opens connections outside the pool.
    pub(crate) fn connector(&self) -> &Arc<Connector> {
        &self.connector
    }

    /// How to talk to it.
    pub(crate) fn options(&self) -> &DatabaseOptions {
        &self.options
    }

    /// What asks the nodes whether they know of a change.
    pub(crate) fn announcer(&self) -> &Announcer {
        &self.announcer
    }

    /// What tells it from other databases of this process.
    pub(crate) fn number(&self) -> DatabaseNumber {
        self.number
    }

    /// A connection outside the pool, driven by the runtime that this is called on, and a flag that is set once it
    /// is lost.
    pub(crate) async fn open_unpooled(&self) -> Result<(AsyncPgConnection, Arc<AtomicBool>), StoreError> {
        let (client, wire) = self.connector.open(&self.options.application_name).await?;
        let is_closed = Arc::new(AtomicBool::new(false));
        let closing = Arc::clone(&is_closed);
        tokio::spawn(async move {
            if let Err(error) = wire.await {
                tracing::debug!(%error, "a connection to the database ended");
            }
            closing.store(true, Ordering::Release);
        });
        let connection = AsyncPgConnection::try_from(client).await.map_err(not_set_up)?;
        let connection = begin(connection, &self.options).await.map_err(not_set_up)?;
        Ok((connection, is_closed))
    }
}

/// A connection that came about, and could not be made ready.
fn not_set_up(error: ConnectionError) -> StoreError {
    StoreError::Unavailable(Box::new(error))
}

/// What every session of the pool begins with. English messages are asked for where the account may, since the
/// reason of a failure can only be told by its words.
fn session(options: &DatabaseOptions) -> String {
    format!(
        "SET statement_timeout = {}; SET idle_in_transaction_session_timeout = {}; \
         SELECT set_config('lc_messages', 'C', false) \
         WHERE current_setting('server_version_num')::integer >= 150000 \
         AND has_parameter_privilege('lc_messages', 'SET')",
        options.statement_timeout.as_millis(),
        options.statement_timeout.as_millis() * 2,
    )
}

async fn open(connector: &Connector, options: &DatabaseOptions) -> ConnectionResult<AsyncPgConnection> {
    let opened = connector.open(&options.application_name).await;
    let (client, wire) = opened.map_err(|fault: ConnectFault| {
        let why = describe(&fault);
        if fault.is_refusal() {
            ConnectionError::CouldntSetupConfiguration(diesel::result::Error::QueryBuilderError(why.into()))
        } else {
            ConnectionError::BadConnection(why)
        }
    })?;
    begin(
        AsyncPgConnection::try_from_client_and_connection(client, wire).await?,
        options,
    )
    .await
}

async fn begin(
    mut connection: AsyncPgConnection,
    options: &DatabaseOptions,
) -> ConnectionResult<AsyncPgConnection> {
    diesel_async::SimpleAsyncConnection::batch_execute(&mut connection, &session(options))
        .await
        .map_err(ConnectionError::CouldntSetupConfiguration)?;
    Ok(connection)
}

/// An error with everything that lies behind it: diesel only keeps the words.
fn describe(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text = format!("{text}: {error}");
        source = error.source();
    }
    text
}
