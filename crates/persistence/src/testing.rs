//! Databases for tests: each a clone of one template that is migrated once.

use std::sync::Arc;

use pharos_domain::store::StoreError;
use tokio::sync::OnceCell;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};
use uuid::Uuid;

use crate::pool::{Database, DatabaseOptions};

/// The variable with the URL of a PostgreSQL whose account may create databases.
pub const URL_VARIABLE: &str = "PHAROS_TEST_DATABASE_URL";

/// A database that is gone once this is dropped.
#[derive(Debug)]
pub struct TestDatabase {
    url: String,
    name: String,
    server: Arc<str>,
}

static TEMPLATE: OnceCell<String> = OnceCell::const_new();

/// The key of the advisory lock under which the template is made.
const LOCK: i64 = 0x7068_6172_6f74;

impl TestDatabase {
    /// A migrated database.
    ///
    /// # Errors
    /// There is no PostgreSQL behind `PHAROS_TEST_DATABASE_URL`, or the migrations fail.
    pub async fn create() -> Result<Self, StoreError> {
        let server: Arc<str> = std::env::var(URL_VARIABLE)
            .map_err(|_| {
                StoreError::Failed(format!("{URL_VARIABLE} is not set; run `cargo xtask test`").into())
            })?
            .into();
        let template = TEMPLATE.get_or_try_init(|| template(&server)).await?;
        let name = format!("pharos_test_{}", Uuid::now_v7().simple());
        let admin = connect(&server).await?;
        run(
            &admin,
            &format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY wal_log"),
        )
        .await?;
        Ok(Self {
            url: within(&server, &name),
            name,
            server,
        })
    }

    /// Its address.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let (server, name) = (Arc::clone(&self.server), self.name.clone());
        // A test's own runtime may be ending: the database is dropped on another.
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            if let Ok(runtime) = runtime {
                let _ = runtime.block_on(async {
                    run(
                        &connect(&server).await?,
                        &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"),
                    )
                    .await
                });
            }
        });
        let _ = dropped.join();
    }
}

/// Runs a statement from outside, as nobody but a test would, and gives its rows as text.
///
/// # Errors
/// The database is away, or refuses the statement.
pub async fn look(url: &str, statement: &str) -> Result<Vec<Vec<Option<String>>>, StoreError> {
    let client = connect(url).await?;
    let messages = client
        .simple_query(statement)
        .await
        .map_err(crate::failure::connection_failure)?;
    let rows = messages.into_iter().filter_map(|message| match message {
        SimpleQueryMessage::Row(row) => {
            Some((0..row.len()).map(|at| row.get(at).map(str::to_owned)).collect())
        }
        _ => None,
    });
    Ok(rows.collect())
}

/// Makes the template, once for all processes. Its name holds what it was made from, so that a new migration makes
/// a new one.
async fn template(server: &str) -> Result<String, StoreError> {
    let name = format!("pharos_template_{}", env!("PHAROS_MIGRATIONS_DIGEST"));
    let admin = connect(server).await?;
    run(&admin, &format!("SELECT pg_advisory_lock({LOCK})")).await?;
    let there = admin
        .query_opt(
            "SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate",
            &[&name],
        )
        .await
        .map_err(crate::failure::connection_failure)?;
    if there.is_none() {
        run(&admin, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await?;
        run(&admin, &format!("CREATE DATABASE {name}")).await?;
        let options = DatabaseOptions {
            pool_size: 1,
            ..DatabaseOptions::default()
        };
        let database = Database::connect(&within(server, &name), &options).await?;
        database.migrate().await?;
        drop(database);
        // Sessions end a moment after their connection; a template with sessions can't be cloned.
        run(
            &admin,
            &format!("ALTER DATABASE {name} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false"),
        )
        .await?;
        run(
            &admin,
            &format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"),
        )
        .await?;
    }
    Ok(name)
}

/// The server's URL with another database.
fn within(server: &str, name: &str) -> String {
    let (address, query) = server
        .split_once('?')
        .map_or((server, String::new()), |(a, q)| (a, format!("?{q}")));
    let scheme = address.find("://").map_or(0, |at| at + 3);
    let base = address[scheme..]
        .find('/')
        .map_or(address, |at| &address[..scheme + at]);
    format!("{base}/{name}{query}")
}

async fn connect(url: &str) -> Result<Client, StoreError> {
    let (client, connection) = tokio_postgres::connect(url, NoTls)
        .await
        .map_err(crate::failure::connection_failure)?;
    tokio::spawn(connection);
    Ok(client)
}

async fn run(client: &Client, sql: &str) -> Result<(), StoreError> {
    client
        .simple_query(sql)
        .await
        .map(|_| ())
        .map_err(crate::failure::connection_failure)
}
