//! Migrations wait for tables that others use, and nobody waits behind them for long.

use std::time::Duration;

use diesel_migrations::{EmbeddedMigration, EmbeddedMigrations, EmbeddedName, TomlMetadataWrapper};
use pharos_persistence::migrate::Schema;
use pharos_server::groups::SCHEMAS;
use tokio::time::{sleep, timeout};

use crate::{
    harness::{Fixture, connect},
    migrations::of_the_next_release,
};

/// A migration of the next release that nodes of this one can live with. It needs a table for itself.
static REASONS: EmbeddedMigrations = EmbeddedMigrations::new(&[EmbeddedMigration::new(
    "ALTER TABLE switches ADD COLUMN reason text",
    None,
    EmbeddedName::new("2099-01-01-000000_reasons"),
    TomlMetadataWrapper::new(true),
)]);

fn next() -> Vec<Schema> {
    [SCHEMAS, &[of_the_next_release(&REASONS)]].concat()
}

/// A long read holds the table, the migration waits for it, and whoever comes after the migration would wait for both.
#[tokio::test]
async fn requests_go_on_while_a_migration_waits_for_a_long_read() {
    let fixture = Fixture::new().await;
    let reader = connect(fixture.test.url()).await;
    reader.batch_execute("BEGIN; SELECT FROM switches").await.unwrap();
    let database = fixture.database.clone();
    let node = tokio::spawn(async move { database.migrate(&next()).await });
    let waits = "SELECT count(*) FROM pg_locks WHERE relation = 'switches'::regclass AND NOT granted";
    while fixture.value::<i64>(waits, &[]).await == 0 {
        sleep(Duration::from_millis(10)).await;
    }
    let write = "INSERT INTO switches (name, thrown_at) VALUES ('read-only-mode', now())";
    let written = timeout(Duration::from_secs(120), fixture.sql.batch_execute(write)).await;
    written.expect("the migration lets the write go on").unwrap();
    assert!(!node.is_finished(), "the read still holds the table");
    reader.batch_execute("COMMIT").await.unwrap();
    let applied = node.await.unwrap().unwrap();
    assert_eq!(applied.migrations, ["20990101000000"]);
    // Nodes of this release live with it.
    assert!(fixture.database.migrate(SCHEMAS).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_migration_that_waited_in_vain_names_the_session_that_holds_the_table() {
    let fixture = Fixture::new().await;
    let reader = connect(fixture.test.url()).await;
    reader.batch_execute("BEGIN; SELECT FROM switches").await.unwrap();
    let session: i32 = reader
        .query_one("SELECT pg_backend_pid()", &[])
        .await
        .unwrap()
        .get(0);
    // Several goes, each of which looks several times.
    let patience = Duration::from_secs(5);
    let refused = fixture.database.migrate_within(&next(), patience).await;
    let refused = refused.unwrap_err().to_string();
    for part in [
        format!(
            "the migration 2099-01-01-000000_reasons waits for a lock that the session {session} of PostgreSQL holds"
        ),
        "its last statement began ".to_owned(),
        format!("SELECT pg_terminate_backend({session})"),
    ] {
        assert!(refused.contains(&part), "{refused}");
    }
    assert_eq!(
        fixture.database.pending_migrations(&next()).await.unwrap(),
        ["2099-01-01-000000_reasons"]
    );
    reader.batch_execute("COMMIT").await.unwrap();
    let applied = fixture.database.migrate(&next()).await.unwrap();
    assert_eq!(applied.migrations, ["20990101000000"]);
}
