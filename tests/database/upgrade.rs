//! A database of the last baseline is brought up to date, and loses nothing.
//!
//! `last_baseline.sql` is a database of the last release: its schema, and rows in every table. The rows are written by hand,
//! in `crates/<group>/pg/rows.sql`, and those of the kit in `migrations/rows.sql`. Before there is a release it is made from
//! nothing:
//!
//! ```sh
//! cargo xtask test -E 'test(write_the_last_baseline)' --run-ignored only
//! ```
//!
//! From the first release on it is made by that release. It lacks the tables that later versions make, those of a new group
//! among them; `erasure.rs` writes rows into these too.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
    process::Command,
};

use pharos_server::groups::SCHEMAS;
use tokio_postgres::Client;

use crate::{
    catalogue::catalogue,
    harness::{Fixture, connect},
    migrations::folders,
};

/// The tables that say what was applied. They change with each release.
const BOOKS: [&str; 3] = ["__diesel_schema_migrations", "schema_functions", "schema_needs"];

/// The tables whose rows are gone by the end of the transaction that writes them: no upgrade meets one.
const PASSING: [&str; 1] = ["notices"];

/// Drops the partitions of particular days and months: a database has those of its own days.
const DROP_DATED_PARTITIONS: &str = "
    DO $$
    DECLARE
        dated regclass;
    BEGIN
        FOR dated IN
            SELECT c.oid FROM pg_class AS c
            WHERE c.relispartition AND c.relkind = 'r' AND pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
        LOOP
            EXECUTE format('DROP TABLE %s', dated);
        END LOOP;
    END
    $$";

fn file(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "database", name].iter().collect()
}

/// The statements that write rows into every table of a group.
pub(crate) fn rows_of_the_baseline(group: &str) -> String {
    fs::read_to_string(folders()[group].with_file_name("rows.sql")).unwrap()
}

/// A database with nothing in it.
async fn empty() -> Fixture {
    let fixture = Fixture::new().await;
    fixture.database.revert_all(SCHEMAS).await.unwrap();
    fixture
        .sql
        .batch_execute("DROP TABLE __diesel_schema_migrations")
        .await
        .unwrap();
    fixture
}

/// Loads a database, on a connection of its own: pg_dump changes its settings.
async fn load(fixture: &Fixture, dump: &str) {
    let connection = connect(fixture.test.url()).await;
    connection.batch_execute(dump).await.unwrap();
}

/// The rows of each table, partitions with their parent.
async fn rows(sql: &Client) -> BTreeMap<String, Vec<String>> {
    let tables = sql
        .query(
            "SELECT relname::text FROM pg_class
             WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition",
            &[],
        )
        .await
        .unwrap();
    let mut all = BTreeMap::new();
    for table in tables.iter().map(|table| table.get::<_, String>(0)) {
        let read = format!("SELECT to_jsonb(r)::text FROM {table} AS r");
        let rows = sql.query(&read, &[]).await.unwrap();
        all.insert(table, rows.iter().map(|row| row.get(0)).collect());
    }
    for book in BOOKS {
        all.remove(book);
    }
    for table in PASSING {
        assert_eq!(
            all.remove(table).unwrap_or_default(),
            Vec::<String>::new(),
            "{table}"
        );
    }
    all
}

/// The tables that the last baseline should have a row of, and has none. It knows nothing of those that were made `later`.
fn untried(
    before: &BTreeMap<String, Vec<String>>,
    after: &BTreeMap<String, Vec<String>>,
    later: &[String],
) -> Vec<String> {
    let is_untried = |table: &&String| match before.get(*table) {
        Some(rows) => rows.is_empty(),
        None => !later.contains(table),
    };
    after.keys().filter(is_untried).cloned().collect()
}

/// The versions that a database has, as diesel notes them: the date of the folder, in digits.
async fn versions_of(sql: &Client) -> BTreeSet<String> {
    let versions = sql
        .query("SELECT version::text FROM __diesel_schema_migrations", &[])
        .await
        .unwrap();
    versions.iter().map(|row| row.get(0)).collect()
}

/// The tables that versions make which a database does not have.
fn made_later(versions: &BTreeSet<String>) -> Vec<String> {
    let mut tables = Vec::new();
    for group in folders().values() {
        for version in fs::read_dir(group.join("versions")).unwrap() {
            let version = version.unwrap();
            let name = version.file_name().into_string().unwrap();
            let (date, _) = name.split_once('_').unwrap();
            if versions.contains(&date.replace('-', "")) {
                continue;
            }
            let up = fs::read_to_string(version.path().join("up.sql")).unwrap();
            let made = up.lines().filter_map(|line| line.strip_prefix("CREATE TABLE "));
            tables.extend(made.filter_map(|rest| Some(rest.split_once(' ')?.0.to_owned())));
        }
    }
    tables
}

#[tokio::test]
async fn the_last_baseline_is_brought_up_to_date_and_loses_nothing() {
    let fixture = empty().await;
    load(&fixture, &fs::read_to_string(file("last_baseline.sql")).unwrap()).await;
    let before = rows(&fixture.sql).await;
    let later = made_later(&versions_of(&fixture.sql).await);
    fixture.database.migrate(SCHEMAS).await.unwrap();
    let pending = fixture.database.pending_migrations(SCHEMAS).await.unwrap();
    assert_eq!(pending, Vec::<String>::new());

    let after = rows(&fixture.sql).await;
    assert_eq!(
        untried(&before, &after, &later),
        Vec::<String>::new(),
        "write rows of them into the rows.sql of their group, and make last_baseline.sql as upgrade.rs says"
    );
    for (table, rows) in &before {
        assert_eq!(after[table].len(), rows.len(), "{table}");
        // A column may be added; what there was is as it was.
        let kept = format!("SELECT FROM {table} AS r WHERE to_jsonb(r) @> $1::text::jsonb");
        for row in rows {
            let found = fixture.sql.query(&kept, &[row]).await.unwrap();
            assert!(!found.is_empty(), "{table} has lost {row}");
        }
    }

    let fresh = Fixture::new().await;
    for sql in [&fixture.sql, &fresh.sql] {
        sql.batch_execute(DROP_DATED_PARTITIONS).await.unwrap();
    }
    let (is, expected) = (catalogue(&fixture.sql).await, catalogue(&fresh.sql).await);
    let lacks: Vec<&String> = expected.iter().filter(|line| !is.contains(line)).collect();
    let has: Vec<&String> = is.iter().filter(|line| !expected.contains(line)).collect();
    assert_eq!(
        (lacks, has),
        (Vec::new(), Vec::new()),
        "what it lacks, and what it should not have"
    );

    let table_of_a_later_group = "CREATE TABLE vitals (id uuid PRIMARY KEY)";
    fixture.sql.batch_execute(table_of_a_later_group).await.unwrap();
    assert_eq!(
        untried(&before, &self::rows(&fixture.sql).await, &later),
        ["vitals"]
    );
}

#[tokio::test]
#[ignore = "writes last_baseline.sql, by the pg_dump in PATH"]
async fn write_the_last_baseline() {
    let fixture = empty().await;
    fixture.database.migrate(SCHEMAS).await.unwrap();
    // Rows of the kit hang on those of the groups.
    let (kit, groups) = SCHEMAS.split_first().unwrap();
    for schema in groups.iter().chain([kit]) {
        fixture
            .sql
            .batch_execute(&rows_of_the_baseline(schema.group))
            .await
            .unwrap();
    }
    fixture.sql.batch_execute(DROP_DATED_PARTITIONS).await.unwrap();
    let dump = Command::new("pg_dump")
        .args(["--no-owner", "--no-privileges", "--column-inserts", "--dbname"])
        .arg(fixture.test.url())
        .output()
        .unwrap();
    assert!(dump.status.success(), "{}", String::from_utf8_lossy(&dump.stderr));
    // Not psql's own commands, a setting that PostgreSQL 15 does not know, and which PostgreSQL it was.
    let dump: String = String::from_utf8(dump.stdout)
        .unwrap()
        .lines()
        .filter(|line| {
            !["\\", "SET transaction_timeout", "-- Dumped"]
                .iter()
                .any(|unwanted| line.starts_with(unwanted))
        })
        .flat_map(|line| [line, "\n"])
        .collect();
    fs::write(file("last_baseline.sql"), dump).unwrap();
}
