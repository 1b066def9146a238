//! Migrations: there and back again, and one node at a time.

use pharos_persistence::pool::Database;
use pharos_server::groups::database_options;
use tokio_postgres::Client;

use crate::harness::Fixture;

/// Everything that a migration can leave behind, a line each.
const CATALOGUE: &str = "
    SELECT 'column ' || c.oid::regclass || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
        || ' ' || a.attnotnull || ' ' || a.attgenerated::text
        || coalesce(' ' || pg_get_expr(d.adbin, d.adrelid), '') || coalesce(' -- ' || col_description(c.oid, a.attnum), '')
    FROM pg_class AS c
    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
    UNION ALL
    SELECT 'relation ' || c.relkind::text || ' ' || c.relname || ' ' || coalesce(c.reloptions::text, '')
        || coalesce(' -- ' || obj_description(c.oid, 'pg_class'), '')
        || coalesce(' ' || pg_get_expr(c.relpartbound, c.oid), '')
    FROM pg_class AS c WHERE c.relnamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'index ' || pg_get_indexdef(i.indexrelid) FROM pg_index AS i
    JOIN pg_class AS c ON c.oid = i.indexrelid WHERE c.relnamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'constraint ' || k.conrelid::regclass || ' ' || k.conname || ' ' || pg_get_constraintdef(k.oid)
    FROM pg_constraint AS k WHERE k.connamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'trigger ' || pg_get_triggerdef(t.oid) FROM pg_trigger AS t WHERE NOT t.tgisinternal
    UNION ALL
    SELECT 'function ' || pg_get_functiondef(p.oid) || coalesce(' -- ' || obj_description(p.oid, 'pg_proc'), '')
    FROM pg_proc AS p WHERE p.pronamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'type ' || t.typname FROM pg_type AS t WHERE t.typnamespace = 'public'::regnamespace
    ORDER BY 1";

/// How many migrations there are.
fn all() -> usize {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../migrations");
    std::fs::read_dir(folder).unwrap().count()
}

async fn catalogue(sql: &Client) -> Vec<String> {
    let rows = sql.query(CATALOGUE, &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

#[tokio::test]
async fn down_leaves_nothing_and_up_leaves_the_same() {
    let fixture = Fixture::new().await;
    // The template may be of yesterday, with yesterday's partitions.
    fixture.database.revert_all().await.unwrap();
    fixture.database.migrate().await.unwrap();
    let before = catalogue(&fixture.sql).await;
    assert!(
        before.iter().any(|line| line.starts_with("trigger ")),
        "{before:?}"
    );
    fixture.database.revert_all().await.unwrap();
    let bare = catalogue(&fixture.sql).await;
    let left: Vec<&String> = bare
        .iter()
        .filter(|line| !line.contains("__diesel_schema_migrations"))
        .collect();
    assert_eq!(left, Vec::<&String>::new());
    fixture.database.migrate().await.unwrap();
    assert_eq!(catalogue(&fixture.sql).await, before);
}

#[tokio::test]
async fn what_is_missing_is_named_and_run_once() {
    let fixture = Fixture::new().await;
    assert_eq!(
        fixture.database.pending_migrations().await.unwrap(),
        Vec::<String>::new()
    );
    fixture.database.revert_all().await.unwrap();
    let pending = fixture.database.pending_migrations().await.unwrap();
    assert_eq!(pending.len(), all(), "{pending:?}");
    assert!(pending[0].ends_with("_accounts"), "{pending:?}");
    let nodes = [
        fixture.database.clone(),
        fixture.database.clone(),
        fixture.database.clone(),
    ];
    let ran = futures_util::future::join_all(nodes.iter().map(Database::migrate)).await;
    let ran: usize = ran.into_iter().map(|names| names.unwrap().len()).sum();
    assert_eq!(ran, all());
}

#[tokio::test]
async fn a_database_without_anything_has_all_migrations_to_come() {
    let fixture = Fixture::new().await;
    fixture
        .sql
        .batch_execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        .await
        .unwrap();
    let database = Database::connect(fixture.test.url(), &database_options())
        .await
        .unwrap();
    assert_eq!(database.pending_migrations().await.unwrap().len(), all());
}
