//! Nodes of one version go on while the next one migrates. This program is the older of the two; the next release is made of its
//! schema, with a column more in every table and all functions and triggers written anew.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use diesel_migrations::{EmbeddedMigration, EmbeddedMigrations, EmbeddedName, TomlMetadataWrapper};
use pharos_http::spec::Verb;
use pharos_persistence::{
    migrate::{Function, Schema},
    pool::Database,
};
use pharos_server::{
    groups::{SCHEMAS, database_options},
    registry::registry,
};
use serde_json::json;
use tokio::time::sleep;

use crate::{
    fixtures,
    harness::{Node, Request, TestApp, binary},
};

/// As long a read may be refused on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// All tables but the book of migrations, partitions with their parents.
const TABLES: &str = "SELECT relname::text FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
        AND relname <> '__diesel_schema_migrations'
    ORDER BY relname";

fn migration(number: usize, name: &str, statement: String) -> EmbeddedMigration {
    EmbeddedMigration::new(
        statement.leak(),
        None,
        EmbeddedName::new(format!("2099-01-01-{number:06}_{name}").leak()),
        TomlMetadataWrapper::new(true),
    )
}

/// The schema of this release with these migrations besides, and all functions and triggers to be applied again.
fn next_release(migrations: Vec<EmbeddedMigration>) -> Vec<Schema> {
    let rewritten = SCHEMAS.iter().map(|schema| {
        let functions = schema.functions.iter().map(|function| Function {
            text: format!("{}\n-- Of the next release.\n", function.text).leak(),
            ..*function
        });
        Schema {
            functions: functions.collect::<Vec<_>>().leak(),
            ..*schema
        }
    });
    let mut schemas: Vec<Schema> = rewritten.collect();
    schemas.push(Schema {
        group: "next",
        migrations: Box::leak(Box::new(EmbeddedMigrations::new(migrations.leak()))),
        functions: &[],
        digest: "",
        partitions: &[],
    });
    schemas
}

/// The environment of a node on few connections, each of which soon has every statement prepared. Limits are open and nothing is
/// cached, since no Redis is there.
fn environment(app: &TestApp) -> [(&'static str, &str); 4] {
    [
        ("PHAROS_DATABASE_URL", app.database.url()),
        ("PHAROS_REDIS_URL", "redis://127.0.0.1:9"),
        ("PHAROS_WORKERS", "1"),
        ("PHAROS_DATABASE_CONNECTIONS", "2"),
    ]
}

/// The status of each read of the contract, where a node that has no time for one is asked again.
async fn reads(app: &TestApp, node: &Node) -> Vec<(&'static str, u16)> {
    let mut statuses = Vec::new();
    for operation in registry().unwrap().operations() {
        if operation.spec.method != Verb::Get {
            continue;
        }
        let target = app.world.target(operation.spec.path);
        let read = Request::new(node.address, "GET", &target).key(&app.world.key);
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            let status = read.clone().send_unchecked().await.status;
            if status != 503 || Instant::now() > deadline {
                break status;
            }
            sleep(Duration::from_millis(200)).await;
        };
        statuses.push((operation.spec.id, status));
    }
    statuses
}

async fn readiness(node: &Node) -> (u16, String) {
    let ready = Request::new(node.address, "GET", "//readyz")
        .send_unchecked()
        .await;
    (ready.status, String::from_utf8_lossy(&ready.body).into_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_serves_on_while_the_next_release_migrates_and_starts_again_after_it() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let node = Node::start(&["--roles", "api"], &environment(&app));
    let settings = format!("/domains/{}/uptime/config", app.world.domain);
    let write = || {
        let written = Request::new(node.address, "PUT", &settings).key(&app.world.key);
        written.json(&json!({ "interval_seconds": 300 }))
    };
    assert_eq!(write().send_unchecked().await.status, 200);
    let mut before = Vec::new();
    for _ in 0..2 {
        before = reads(&app, &node).await;
    }
    assert!(
        before.iter().filter(|(_, status)| *status == 200).count() > 100,
        "{before:?}"
    );

    let tables = app.sql(TABLES).await;
    let wider = tables.iter().enumerate().map(|(number, row)| {
        let table = row[0].as_deref().unwrap();
        let add = format!("ALTER TABLE {table} ADD COLUMN of_the_next_release text NOT NULL DEFAULT 'new'");
        migration(number, &format!("wider_{table}"), add)
    });
    let next = next_release(wider.collect());
    let database = Database::connect(app.database.url(), &database_options())
        .await
        .unwrap();
    let migrating = tokio::spawn(async move { database.migrate(&next).await });
    let mut served = 0;
    while !migrating.is_finished() {
        let read = Request::new(node.address, "GET", &settings).key(&app.world.key);
        for request in [read, write()] {
            let reply = request.send_unchecked().await;
            assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.body));
        }
        served += 1;
    }
    let applied = migrating.await.unwrap().unwrap();
    assert_eq!(applied.migrations.len(), tables.len());
    assert!(!applied.functions.is_empty() && served > 0, "{served}");

    assert_eq!(reads(&app, &node).await, before);
    assert_eq!(readiness(&node).await, (200, "ready\n".to_owned()));

    // The way back: the program of before is put in the place of the newer one, on the database as it is now.
    node.signal("TERM");
    assert_eq!(node.end(Duration::from_secs(60)), Some(0));
    let again = Node::start(&["--roles", "api"], &environment(&app));
    assert_eq!(reads(&app, &again).await, before);
    let version = "SELECT count(*)::text FROM __diesel_schema_migrations WHERE version LIKE '2099%'";
    assert_eq!(
        app.sql(version).await,
        [[Some(tables.len().to_string())]],
        "the older program takes nothing back"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_migration_that_a_node_can_t_live_with_waits_for_its_end_and_keeps_it_out_from_then_on() {
    let app = TestApp::start().await;
    let node = Node::start(
        &["--roles", "api"],
        &[("PHAROS_DATABASE_URL", app.database.url())],
    );
    let alone = "CREATE TABLE split_runs (id uuid)".to_owned();
    let next = next_release(vec![migration(0, "alone_split_runs", alone)]);
    let database = Database::connect(app.database.url(), &database_options())
        .await
        .unwrap();
    let refused = database.migrate(&next).await.unwrap_err().to_string();
    assert!(
        refused.contains("2099-01-01-000000_alone_split_runs") && refused.contains("stop the old nodes"),
        "{refused}"
    );
    assert_eq!(readiness(&node).await.0, 200);

    node.signal("TERM");
    assert_eq!(node.end(Duration::from_secs(60)), Some(0));
    // The node of the test itself stays, and stands for one that was forgotten.
    let refused = database.migrate(&next).await.unwrap_err().to_string();
    assert!(refused.contains("stop the old nodes"), "{refused}");
    app.sql("INSERT INTO schema_needs (migration) VALUES ('2099-01-01-000000_alone_split_runs')")
        .await;
    let started = Command::new(binary())
        .args(["serve", "--roles", "api", "--listen", "127.0.0.1:0"])
        .env("PHAROS_DATABASE_URL", app.database.url())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&started.stderr);
    assert!(
        !started.status.success()
            && said.contains("a newer release ran the migration 2099-01-01-000000_alone_split_runs"),
        "{said}"
    );
}
