//! Databases for tests: each a clone of one template that is migrated once.

use std::thread::JoinHandle;

use pharos_domain::store::StoreError;
use ring::digest::{SHA256, digest};
use tokio::sync::oneshot;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};
use uuid::Uuid;

use crate::{
    announce::lost,
    kit::KIT,
    migrate::Schema,
    pool::{Database, DatabaseOptions},
};

/// The variable with the URL of a PostgreSQL whose account may create databases.
pub const URL_VARIABLE: &str = "PHAROS_TEST_DATABASE_URL";

/// A database that is gone once this is dropped.
#[derive(Debug)]
pub struct TestDatabase {
    url: String,
    /// Ends when the database is to go.
    in_use: Option<oneshot::Sender<()>>,
    keeper: Option<JoinHandle<()>>,
}

/// The key of the advisory lock under which the template is made.
const LOCK: i64 = 0x7068_6172_6f74;

impl TestDatabase {
    /// A database that is migrated to these schemas.
    ///
    /// # Errors
    /// There is no PostgreSQL behind `PHAROS_TEST_DATABASE_URL`, or the migrations fail.
    pub async fn create(schemas: &'static [Schema]) -> Result<Self, StoreError> {
        let server = std::env::var(URL_VARIABLE).map_err(|_| {
            StoreError::Failed(format!("{URL_VARIABLE} is not set; run `cargo xtask test`").into())
        })?;
        let name = format!("pharos_test_{}", Uuid::now_v7().simple());
        let url = within(&server, &name);
        let (made, is_made) = oneshot::channel();
        let (in_use, ended) = oneshot::channel();
        // A test's own runtime may have ended when the database is to go, so one connection on a thread of its own
        // makes it and drops it.
        let keeper = std::thread::spawn(move || keep(&server, &name, schemas, made, ended));
        is_made.await.map_err(|_| lost())??;
        Ok(Self {
            url,
            in_use: Some(in_use),
            keeper: Some(keeper),
        })
    }

    /// The address to connect to.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        drop(self.in_use.take());
        if let Some(keeper) = self.keeper.take() {
            let _ = keeper.join();
        }
    }
}

/// Makes a database, and drops it once it is no longer in use.
fn keep(
    server: &str,
    name: &str,
    schemas: &[Schema],
    made: oneshot::Sender<Result<(), StoreError>>,
    ended: oneshot::Receiver<()>,
) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let Ok(runtime) = runtime else { return };
    runtime.block_on(async {
        match make(server, name, schemas).await {
            Ok(admin) => {
                let _ = made.send(Ok(()));
                let _ = ended.await;
                let _ = run(&admin, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
            }
            Err(error) => drop(made.send(Err(error))),
        }
    });
}

/// Makes a database from the template, and gives the connection that did.
async fn make(server: &str, name: &str, schemas: &[Schema]) -> Result<Client, StoreError> {
    let admin = connect(server).await?;
    let template = template(&admin, server, schemas).await?;
    // Copying the files takes half the time of writing each page to the log, and takes along the file that spares
    // sessions reading the catalogue.
    let create = format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy");
    run(&admin, &create).await?;
    Ok(admin)
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

/// A template has the name of what it was made from: a name has 63 bytes at most.
fn template_name(schemas: &[Schema]) -> String {
    let made_from: Vec<&str> = schemas
        .iter()
        .flat_map(|schema| [schema.group, schema.digest])
        .collect();
    let digest = digest(&SHA256, made_from.join(" ").as_bytes());
    let tag: String = digest.as_ref()[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("pharos_template_{tag}")
}

/// Makes the template, once for all processes. Its name holds what it was made from, so that a new migration makes
/// a new one.
async fn template(admin: &Client, server: &str, schemas: &[Schema]) -> Result<String, StoreError> {
    let name = template_name(schemas);
    if is_template(admin, &name).await? {
        return Ok(name);
    }
    run(admin, &format!("SELECT pg_advisory_lock({LOCK})")).await?;
    if !is_template(admin, &name).await? {
        run(admin, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await?;
        run(admin, &format!("CREATE DATABASE {name}")).await?;
        let options = DatabaseOptions {
            pool_size: 1,
            // It is migrated and nothing else, so that one group stands for all.
            ..DatabaseOptions::of(&[KIT])
        };
        let database = Database::connect(&within(server, &name), &options).await?;
        database.migrate(schemas).await?;
        drop(database);
        // Sessions end a moment after their connection; a template with sessions can't be cloned.
        for step in [
            format!("ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false"),
            format!("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '{name}'"),
            format!("ALTER DATABASE {name} WITH IS_TEMPLATE true"),
        ] {
            run(admin, &step).await?;
        }
    }
    run(admin, &format!("SELECT pg_advisory_unlock({LOCK})")).await?;
    Ok(name)
}

/// Whether a template of this name is ready to be cloned.
async fn is_template(admin: &Client, name: &str) -> Result<bool, StoreError> {
    let asked = format!("SELECT FROM pg_database WHERE datname = '{name}' AND datistemplate");
    let answer = admin.simple_query(&asked).await;
    let answer = answer.map_err(crate::failure::connection_failure)?;
    Ok(answer
        .iter()
        .any(|message| matches!(message, SimpleQueryMessage::Row(_))))
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
