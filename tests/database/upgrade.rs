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
    path::{Path, PathBuf},
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

/// Whether the nodes of the last release are stopped before this version migrates.
fn is_alone(dump: &str) -> bool {
    let groups = folders();
    let mut versions = groups
        .values()
        .flat_map(|group| fs::read_dir(group.join("versions")).unwrap());
    versions.any(|version| {
        let name = version.unwrap().file_name().into_string().unwrap();
        let (dated, _) = name.split_once('_').unwrap();
        name.contains("_alone_") && !dump.contains(&format!("'{}'", dated.replace('-', "")))
    })
}

/// The statements of a dump that write rows: into the parents of partitions, and not where there is such a row already.
fn inserts(dump: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut begun: Option<String> = None;
    for line in dump.lines() {
        let statement = match begun.take() {
            Some(begun) => format!("{begun}\n{line}"),
            None if line.starts_with("INSERT INTO ") => line.replacen("_default (", " (", 1),
            None => continue,
        };
        match statement.strip_suffix(");") {
            Some(values) => all.push(format!("{values}) ON CONFLICT DO NOTHING")),
            None => begun = Some(statement),
        }
    }
    assert_eq!(begun, None);
    all
}

/// The statements that the tables do not take, with the reason. Nothing of the others stays.
async fn refused(sql: &Client, inserts: &[String]) -> Vec<String> {
    let mut refused = Vec::new();
    // The order is that of the dump: rows may come before those that they refer to.
    let begin = "BEGIN; SET LOCAL session_replication_role = replica";
    sql.batch_execute(begin).await.unwrap();
    for insert in inserts {
        sql.batch_execute("SAVEPOINT before").await.unwrap();
        if let Err(error) = sql.batch_execute(insert).await {
            let why = error.as_db_error().map(|told| told.message().to_owned());
            refused.push(format!("{}: {insert}", why.unwrap_or_else(|| error.to_string())));
            sql.batch_execute("ROLLBACK TO before").await.unwrap();
        }
    }
    sql.batch_execute("ROLLBACK").await.unwrap();
    refused
}

/// Nodes of the last release go on beside those of this one, and name the columns that they know.
#[tokio::test]
async fn rows_as_the_last_release_writes_them_fit_into_the_tables_of_this_one() {
    let dump = fs::read_to_string(file("last_baseline.sql")).unwrap();
    if is_alone(&dump) {
        return;
    }
    let inserts = inserts(&dump);
    let of_users = inserts
        .iter()
        .filter(|insert| insert.starts_with("INSERT INTO public.users ("))
        .count();
    assert!(of_users > 0, "{inserts:?}");
    let fixture = Fixture::new().await;
    assert_eq!(
        refused(&fixture.sql, &inserts).await,
        Vec::<String>::new(),
        "give a new column a default, and leave what the last release writes; or say that old nodes have to stop (`_alone_`)"
    );

    let without_a_default = "ALTER TABLE users ADD COLUMN of_the_next_release text NOT NULL";
    fixture.sql.batch_execute(without_a_default).await.unwrap();
    let refused = refused(&fixture.sql, &inserts).await;
    assert_eq!(refused.len(), of_users, "{refused:?}");
}

/// A statement without comments and texts, and the part of it that no parentheses enclose.
fn read(statement: &str) -> (String, String) {
    let lines = statement
        .lines()
        .map(|line| line.split_once("--").map_or(line, |(before, _)| before));
    let without_comments = lines.collect::<Vec<_>>().join(" ");
    let without_texts: Vec<&str> = without_comments.split('\'').step_by(2).collect();
    let words = without_texts.join(" ");
    let whole = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut depth = 0_i32;
    let outer = whole.chars().filter(|letter| {
        match *letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0 || (depth == 1 && *letter == '(')
    });
    let outer = outer.collect();
    (whole, outer)
}

fn is_of_a_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// Whether its rows have another shape once a table has got another column. PostgreSQL then refuses a statement that a connection
/// has prepared (`cached plan must not change result type`), as often as it is tried.
fn is_as_wide_as_a_table(statement: &str) -> bool {
    let (whole, outer) = read(statement);
    let stars = whole.matches(".*").count() + whole.matches("SELECT * FROM").count();
    // A column that is not named gets NULL instead of its default.
    let of_the_type = whole.contains("SELECT * FROM jsonb_populate_record");
    let of_tables = outer.split("SELECT * FROM ").skip(1).any(|from| {
        let name = from.trim_start_matches(is_of_a_name);
        !name.starts_with('(')
    });
    let of_names = outer.match_indices(".*").any(|(at, _)| {
        let before = &outer[..at];
        let name = &before[before.trim_end_matches(is_of_a_name).len()..];
        // A query in parentheses names its columns, unless there is a star in it.
        !whole.contains(&format!(") AS {name}")) || stars > 1
    });
    of_the_type || of_tables || of_names || outer.contains("RETURNING *")
}

/// The files below a folder, but for migrations, which no connection keeps prepared, and for modules of npm.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if !path.is_dir() {
            found.push(path);
        } else if !path.ends_with("migrations") && !path.ends_with("node_modules") {
            found.extend(sources(&path));
        }
    }
    found
}

/// Nodes of this release go on while the next one adds columns.
#[test]
fn no_statement_is_as_wide_as_a_table() {
    for (statement, is_wide) in [
        ("SELECT u.* FROM users AS u -- (", true),
        ("INSERT INTO users (id) VALUES ('(') RETURNING *", true),
        ("SELECT * FROM users", true),
        ("SELECT f.* FROM (SELECT u.* FROM users AS u) AS f", true),
        (
            "WITH a AS (INSERT INTO users SELECT * FROM jsonb_populate_recordset(NULL::users, $1)) SELECT 1",
            true,
        ),
        ("SELECT u.id FROM (SELECT * FROM users) AS u", false),
        ("SELECT f.* FROM (SELECT u.id FROM users AS u) AS f", false),
        (
            "INSERT INTO users (id) SELECT * FROM unnest($1) ON CONFLICT DO NOTHING",
            false,
        ),
        ("SELECT 2.5 * u.number FROM users AS u", false),
    ] {
        assert_eq!(is_as_wide_as_a_table(statement), is_wide, "{statement}");
    }

    let mut looked_at = 0;
    let mut wide = Vec::new();
    for path in sources(
        &[env!("CARGO_MANIFEST_DIR"), "..", "crates"]
            .iter()
            .collect::<PathBuf>(),
    ) {
        let is_wide = match path.extension().and_then(|ending| ending.to_str()) {
            Some("sql") => {
                looked_at += 1;
                is_as_wide_as_a_table(&fs::read_to_string(&path).unwrap())
            }
            // The rows of claims, as `due_table!` is told of them.
            Some("rs") => {
                let text = fs::read_to_string(&path).unwrap();
                let columns = text.split("columns: \"").skip(1);
                let mut columns = columns.filter_map(|rest| rest.split_once('"'));
                columns.any(|(columns, _)| columns.contains(".*"))
            }
            _ => false,
        };
        if is_wide {
            wide.push(path);
        }
    }
    assert!(looked_at > 400, "{looked_at}");
    assert_eq!(wide, Vec::<PathBuf>::new(), "name the columns");
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
