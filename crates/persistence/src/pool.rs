//! The database: pools of connections.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use deadpool::{
    Runtime,
    managed::{Pool, PoolError, Timeouts},
};
use diesel_async::RunQueryDsl;
use pharos_domain::store::StoreError;
use uuid::Uuid;

use crate::{
    announce::Announcer,
    connector::Connector,
    failure::failure,
    group::PgGroup,
    link::{Link, LinkOptions},
    metrics::PoolMetrics,
    pooled::{Opener, PooledConnection, UseOf},
    shares::{Share, Shares},
};

/// How to talk to the database.
#[derive(Clone, Debug)]
pub struct DatabaseOptions {
    /// The most connections of the pool for short work.
    pub pool_size: usize,
    /// The same of reads that may take long.
    pub long_reads: usize,
    /// The same of claims. `None`: they take connections of the pool for short work.
    pub claims: Option<usize>,
    /// The longest that opening a connection may take.
    pub connect_timeout: Duration,
    /// How long to wait for a connection while all are in use.
    pub wait_timeout: Duration,
    /// How long a statement may run.
    pub statement_timeout: Duration,
    /// The name of the connections in `pg_stat_activity`.
    pub application_name: String,
    /// The name in metrics of the pool for short work; that for long reads adds `_long_reads`, that for claims `_claims`.
    pub pools: &'static str,
    /// The groups whose tables lie in it.
    pub groups: &'static [PgGroup],
}

impl DatabaseOptions {
    /// The options for a database that has the tables of these groups. All groups have to be named: data of one that is left
    /// out would not be deleted in time, nor follow its domain. A database of no group is refused.
    #[must_use]
    pub fn of(groups: &'static [PgGroup]) -> Self {
        Self {
            pool_size: 16,
            long_reads: 16,
            claims: None,
            connect_timeout: Duration::from_secs(3),
            wait_timeout: Duration::from_secs(3),
            statement_timeout: Duration::from_secs(30),
            application_name: "pharos".to_owned(),
            pools: "requests",
            groups,
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

/// A pool, and what is recorded of it.
#[derive(Clone)]
struct Measured {
    pool: Pool<Opener>,
    metrics: PoolMetrics,
}

/// A PostgreSQL database. Clones share the pools.
#[derive(Clone)]
pub struct Database {
    pool: Measured,
    /// Reads that may take long have a pool of their own, so that nothing else waits behind them.
    long_reads: Measured,
    /// Claims have one where work may hold all connections of the first, so that what is due is claimed all the same.
    claims: Option<Measured>,
    shares: Shares,
    connector: Arc<Connector>,
    link_options: Arc<LinkOptions>,
    wait_timeout: Duration,
    groups: &'static [PgGroup],
    announcer: Arc<Announcer>,
    number: DatabaseNumber,
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database")
            .field("pool", &self.pool.pool.status())
            .field("long_reads", &self.long_reads.pool.status())
            .field("claims", &self.claims.as_ref().map(|claims| claims.pool.status()))
            .finish_non_exhaustive()
    }
}

impl Database {
    /// Connects, and returns once the database has answered.
    ///
    /// # Errors
    /// The URL can't be read, or there is no group ([`StoreError::Failed`]), the server refuses the account (likewise),
    /// or does not answer ([`StoreError::Unavailable`]).
    pub async fn connect(url: &str, options: &DatabaseOptions) -> Result<Self, StoreError> {
        let database = Self::new(url, options)?;
        database.ping().await?;
        Ok(database)
    }

    /// A database to which the first use connects.
    ///
    /// # Errors
    /// The URL can't be read, or the options name no group.
    pub fn new(url: &str, options: &DatabaseOptions) -> Result<Self, StoreError> {
        Self::of(Connector::new(url, options.connect_timeout)?, options)
    }

    /// The database of that name on the URL's server, to which the first use connects.
    ///
    /// # Errors
    /// As of [`Database::new`].
    pub(crate) fn named(url: &str, name: &str, options: &DatabaseOptions) -> Result<Self, StoreError> {
        Self::of(Connector::new(url, options.connect_timeout)?.on(name), options)
    }

    fn of(connector: Connector, options: &DatabaseOptions) -> Result<Self, StoreError> {
        if options.groups.is_empty() {
            let why =
                "the options of the database name no group; name those whose tables lie in it, the kit first";
            return Err(StoreError::Failed(why.into()));
        }
        let connector = Arc::new(connector);
        // A plan that is made once for all is made for a site of middling size: that of a large one among small ones compares each of
        // its rows with each. A long read takes longer than its planning does.
        let links = |plans_each_time: bool| {
            Arc::new(LinkOptions {
                application_name: options.application_name.clone(),
                connect_timeout: options.connect_timeout,
                statement_timeout: options.statement_timeout,
                plans_each_time,
            })
        };
        let pool = |size: usize, name: &str, links: Arc<LinkOptions>| -> Result<Measured, StoreError> {
            let opener = Opener {
                connector: Arc::clone(&connector),
                options: links,
            };
            let pool = Pool::builder(opener)
                .max_size(size)
                .runtime(Runtime::Tokio1)
                // The opener itself bounds the time that a connection takes.
                .timeouts(Timeouts {
                    wait: Some(options.wait_timeout),
                    ..Timeouts::new()
                })
                .build()
                .map_err(|error| StoreError::Failed(Box::new(error)))?;
            let metrics = PoolMetrics::of(name);
            Ok(Measured { pool, metrics })
        };
        Ok(Self {
            pool: pool(options.pool_size, options.pools, links(false))?,
            long_reads: pool(
                options.long_reads,
                &format!("{}_long_reads", options.pools),
                links(true),
            )?,
            claims: options
                .claims
                .map(|size| pool(size, &format!("{}_claims", options.pools), links(false)))
                .transpose()?,
            shares: Shares::among(options.long_reads),
            connector,
            link_options: links(false),
            wait_timeout: options.wait_timeout,
            groups: options.groups,
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

    /// A connection for a transaction, or for a few short statements.
    pub async fn connection(&self) -> Result<PooledConnection, StoreError> {
        self.pooled(&self.pool, UseOf::ShortWork).await
    }

    /// A connection for statements that may take long, which are planned each time: reads of much, and the transactions of
    /// roll-ups, which read much and write what it comes to. Callers of many of these wait only for each other. A read whose time
    /// is over is told by [`read_failure`](crate::failure::read_failure).
    pub async fn long_read(&self) -> Result<PooledConnection, StoreError> {
        self.pooled(&self.long_reads, UseOf::LongRead).await
    }

    /// A connection for the few short statements that claim what is due and jobs, keep the claims, store what came of them, and
    /// give them back. Work takes none, so that it keeps nothing from being claimed however long it takes.
    pub async fn claiming(&self) -> Result<PooledConnection, StoreError> {
        let pool = self.claims.as_ref().unwrap_or(&self.pool);
        self.pooled(pool, UseOf::ShortWork).await
    }

    /// A share of the connections for long reads. Take it before one of them, and hold it as long. A workspace, or a caller
    /// that reads several of them, has a quarter of the connections, and waits for its own share alone.
    ///
    /// # Errors
    /// None was free within the time that a connection is waited for.
    pub async fn long_read_share(&self, of: Uuid) -> Result<Share, StoreError> {
        self.shares.take(of, self.wait_timeout).await
    }

    async fn pooled(
        &self,
        Measured { pool, metrics }: &Measured,
        use_of: UseOf,
    ) -> Result<PooledConnection, StoreError> {
        let begun = Instant::now();
        let got = pool.get().await;
        metrics.acquired(begun.elapsed());
        match got {
            Ok(link) => Ok(PooledConnection::new(link, Arc::clone(&self.connector), use_of)),
            Err(PoolError::Backend(error)) => Err(error),
            Err(error) => Err(StoreError::Unavailable(Box::new(error))),
        }
    }

    /// Records how its pools are.
    pub fn sample(&self) {
        let pools = [&self.pool, &self.long_reads].into_iter().chain(&self.claims);
        for Measured { pool, metrics } in pools {
            metrics.sample(&pool.status());
        }
    }

    /// A connection outside the pools, for one use at a time.
    pub(crate) async fn open_unpooled(&self) -> Result<Link, StoreError> {
        Link::open_followed(&self.connector, &self.link_options).await
    }

    /// Opens connections outside of the pools.
    pub(crate) fn connector(&self) -> &Arc<Connector> {
        &self.connector
    }

    /// The groups whose tables lie in it.
    #[must_use]
    pub fn groups(&self) -> &'static [PgGroup] {
        self.groups
    }

    /// The settings of its connections.
    pub(crate) fn link_options(&self) -> &LinkOptions {
        &self.link_options
    }

    /// How long to wait for a connection while all are in use.
    pub(crate) fn wait_timeout(&self) -> Duration {
        self.wait_timeout
    }

    /// Returns once no node uses what it cached before the change that was just committed. The change stands whatever happens
    /// here, so nothing here fails: if the nodes can't be reached, this waits until their caches have expired.
    pub async fn await_acknowledgement(&self) {
        self.announcer.await_acknowledgement(&self.connector).await;
    }

    /// A number that no other database of this process has.
    pub(crate) fn number(&self) -> DatabaseNumber {
        self.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_without_groups_is_refused() {
        let refused = Database::new("postgres://localhost/pharos", &DatabaseOptions::of(&[]));
        let told = refused.unwrap_err().to_string();
        assert!(told.contains("name no group"), "{told}");
    }
}
