//! A database that is filled aside, and put in the place of the old one in one transaction.

use pharos_domain::store::StoreError;
use tokio_postgres::Client;

use super::session::{failure, literal, open, quoted, rows, run, value};
use crate::{
    migrate::Schema,
    pool::{Database, DatabaseOptions},
};

/// A name has 63 bytes at most, and the longest ending takes 10.
const LONGEST: usize = 52;
/// The first half of the key of the advisory lock; the other is the database's name.
const LOCK: i32 = 0x7068_7273;
/// The connection limit that marks a fresh database as one of a restore until it comes into use. A comment would need a second
/// statement, and a process that is killed between the two would leave a database that nobody may drop.
const MARK: i32 = LOCK;
/// The connection limit that marks a database whose drop was interrupted. Nobody can connect to it any more.
const HALF_DROPPED: i32 = -2;

/// The statement that makes a database like the old one, with the mark: the same owner, encoding and locale, with any locale
/// provider. The names of these in the catalogue differ from version to version.
const CREATE: &str = "
    SELECT format('CREATE DATABASE %I TEMPLATE template0 OWNER %I ENCODING %L LC_COLLATE %L LC_CTYPE %L '
                  'CONNECTION LIMIT %s',
                  $1::text, pg_get_userbyid(datdba), pg_encoding_to_char(encoding), datcollate, datctype, $3::int4)
        || CASE catalogue ->> 'datlocprovider'
               WHEN 'i' THEN format(' LOCALE_PROVIDER icu ICU_LOCALE %L', locale)
               WHEN 'b' THEN format(' LOCALE_PROVIDER builtin BUILTIN_LOCALE %L', locale)
               ELSE ''
           END
    FROM pg_database AS d
    CROSS JOIN LATERAL (SELECT to_jsonb(d) AS catalogue) AS c
    CROSS JOIN LATERAL (SELECT coalesce(catalogue ->> 'datlocale', catalogue ->> 'daticulocale') AS locale) AS l
    WHERE datname = $2::text";

/// The databases beside the one that is restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The one that is being filled.
    Fresh,
    /// The old one, once it was replaced.
    Replaced,
}

/// A session in somebody else's hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Other {
    /// The name that it gave itself.
    pub application: String,
    /// Where it comes from, and its process at the server.
    pub origin: String,
}

/// The exchange of one database for another, under a lock that one process at a time holds.
pub struct Swap {
    /// Connected to another database: one can't be renamed from within.
    client: Client,
    url: String,
    database: String,
}

impl std::fmt::Debug for Swap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Swap")
            .field("database", &self.database)
            .finish_non_exhaustive()
    }
}

impl Swap {
    /// Takes the lock; `None`: another process is at it.
    ///
    /// # Errors
    /// The database can't be reached, or its name is too long.
    pub async fn begin(url: &str) -> Result<Option<Self>, StoreError> {
        let database = {
            let client = open(url, None, "pharos restore").await?;
            value(&client, "SELECT current_database()").await?
        };
        if database.len() > LONGEST {
            let why = format!(
                "the database's name has more than {LONGEST} bytes, which leaves no room for a second one"
            );
            return Err(StoreError::Failed(why.into()));
        }
        let elsewhere = if database == "postgres" {
            "template1"
        } else {
            "postgres"
        };
        let client = open(url, Some(elsewhere), "pharos restore").await?;
        let lock = format!(
            "SELECT pg_try_advisory_lock({LOCK}, hashtext({}))",
            literal(&database)
        );
        if value(&client, &lock).await? != "t" {
            return Ok(None);
        }
        Ok(Some(Self {
            client,
            url: url.to_owned(),
            database,
        }))
    }

    /// The name of a database of this exchange.
    #[must_use]
    pub fn name(&self, part: Part) -> String {
        let ending = match part {
            Part::Fresh => "restoring",
            Part::Replaced => "replaced",
        };
        format!("{}_{ending}", self.database)
    }

    /// Whether it is there.
    ///
    /// # Errors
    /// The database can't say.
    pub async fn has(&self, part: Part) -> Result<bool, StoreError> {
        let name = literal(&self.name(part));
        let asked = format!("SELECT EXISTS (SELECT FROM pg_database WHERE datname = {name})");
        Ok(value(&self.client, &asked).await? == "t")
    }

    /// Whether a database that no restore has made has the name of the fresh one.
    ///
    /// # Errors
    /// The database can't say.
    pub async fn is_taken(&self) -> Result<bool, StoreError> {
        let name = literal(&self.name(Part::Fresh));
        let asked = format!(
            "SELECT EXISTS (SELECT FROM pg_database \
                            WHERE datname = {name} AND datconnlimit NOT IN ({MARK}, {HALF_DROPPED}))"
        );
        Ok(value(&self.client, &asked).await? == "t")
    }

    /// Who is connected to the database that is to be replaced, this process aside.
    ///
    /// # Errors
    /// The database can't say.
    pub async fn others(&self) -> Result<Vec<Other>, StoreError> {
        let name = literal(&self.database);
        let asked = format!(
            "SELECT coalesce(nullif(application_name, ''), 'unnamed'), \
                    coalesce(host(client_addr), 'this machine') || ', process ' || pid \
             FROM pg_stat_activity WHERE datname = {name} AND backend_type = 'client backend' \
                   AND application_name <> 'pharos restore' ORDER BY pid"
        );
        let rows = rows(&self.client, &asked).await?;
        let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
        Ok(rows
            .iter()
            .map(|row| Other {
                application: text(row.get(0)),
                origin: text(row.get(1)),
            })
            .collect())
    }

    /// Makes the fresh database, and replaces one that was left behind.
    ///
    /// # Errors
    /// The account may not, the disk is full, or the name is taken.
    pub async fn create(&self) -> Result<(), StoreError> {
        self.discard(Part::Fresh).await?;
        let names = [self.name(Part::Fresh), self.database.clone()];
        let row = self
            .client
            .query_one(CREATE, &[&names[0], &names[1], &MARK])
            .await;
        let create: String = row.and_then(|row| row.try_get(0)).map_err(failure)?;
        run(&self.client, &create).await
    }

    /// Migrates the fresh database, and returns how many migrations that took.
    ///
    /// # Errors
    /// A migration failed.
    pub async fn migrate(&self, options: &DatabaseOptions, schemas: &[Schema]) -> Result<usize, StoreError> {
        let options = DatabaseOptions {
            pool_size: 1,
            application_name: "pharos restore".to_owned(),
            ..options.clone()
        };
        let database = Database::named(&self.url, &self.name(Part::Fresh), &options)?;
        Ok(database.migrate(schemas).await?.migrations.len())
    }

    /// Makes the server gather statistics of the fresh database, so that its first reads are planned well.
    ///
    /// # Errors
    /// The connection was lost, or the disk is full.
    pub async fn analyze(&self) -> Result<(), StoreError> {
        let client = open(&self.url, Some(&self.name(Part::Fresh)), "pharos restore").await?;
        run(&client, "ANALYZE").await
    }

    /// Renames the fresh database to the name of the old one, which stays beside it: both renames happen, or neither.
    ///
    /// # Errors
    /// Somebody is connected to the old one, or the account may not.
    pub async fn exchange(&self) -> Result<(), StoreError> {
        // The connections that brought it up to date end a while after their pool.
        let fresh = literal(&self.name(Part::Fresh));
        let ended = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = {fresh}");
        run(&self.client, &ended).await?;
        let name = |name: &str| quoted(name, '"');
        let (old, fresh, replaced) = (
            name(&self.database),
            name(&self.name(Part::Fresh)),
            name(&self.name(Part::Replaced)),
        );
        let statements = format!(
            "BEGIN; ALTER DATABASE {old} RENAME TO {replaced}; ALTER DATABASE {fresh} RENAME TO {old}; \
             ALTER DATABASE {old} CONNECTION LIMIT -1; COMMIT"
        );
        let done = run(&self.client, &statements).await;
        if done.is_err() {
            // Outside of a transaction it is a warning, and no more.
            run(&self.client, "ROLLBACK").await?;
        }
        done
    }

    /// Drops a database of this exchange, if it is there, even if clients are connected to it. A database that has the fresh
    /// one's name but that no restore has made stays.
    ///
    /// # Errors
    /// The account may not.
    pub async fn discard(&self, part: Part) -> Result<(), StoreError> {
        if part == Part::Fresh && self.is_taken().await? {
            return Ok(());
        }
        let name = quoted(&self.name(part), '"');
        run(
            &self.client,
            &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"),
        )
        .await
    }
}
