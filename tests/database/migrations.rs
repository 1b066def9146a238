//! The schema: there and back again, one node at a time, and functions when they change.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use diesel::{
    migration::{Migration, MigrationSource},
    pg::Pg,
};
use diesel_migrations::{EmbeddedMigration, EmbeddedMigrations, EmbeddedName, TomlMetadataWrapper};
use pharos_persistence::{
    migrate::{Applied, Function, Schema},
    pool::Database,
};
use pharos_server::groups::{SCHEMAS, database_options};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::{
    catalogue::catalogue,
    harness::{Fixture, connect},
};

const NO_MIGRATIONS: EmbeddedMigrations = EmbeddedMigrations::new(&[]);

/// How many migrations there are.
fn versions() -> usize {
    let count = |schema: &Schema| {
        let all: Vec<Box<dyn Migration<Pg>>> = schema.migrations.migrations().unwrap();
        all.len()
    };
    SCHEMAS.iter().map(count).sum()
}

/// The names of all functions and triggers, in their order.
fn functions() -> Vec<&'static str> {
    let all = SCHEMAS.iter().flat_map(|schema| schema.functions);
    all.map(|function| function.name).collect()
}

/// The schema of the next release, in which functions are other ones.
fn with_functions(change: impl Fn(&[Function]) -> Vec<Function>) -> Vec<Schema> {
    SCHEMAS
        .iter()
        .map(|schema| Schema {
            functions: change(schema.functions).leak(),
            ..*schema
        })
        .collect()
}

/// The schema of the next release, in which one function has another text.
fn with_text(name: &str, text: impl Fn(&str) -> String) -> Vec<Schema> {
    with_functions(|functions| {
        let change = |function: &Function| match function.name == name {
            true => Function {
                text: text(function.text).leak(),
                ..*function
            },
            false => *function,
        };
        functions.iter().map(change).collect()
    })
}

/// The text of each function as PostgreSQL has it, and the transaction that wrote it.
async fn made(fixture: &Fixture) -> BTreeMap<String, (String, String)> {
    let rows = fixture
        .sql
        .query(
            "SELECT proname::text, prosrc, xmin::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
            &[],
        )
        .await
        .unwrap();
    rows.iter()
        .map(|row| (row.get(0), (row.get(1), row.get(2))))
        .collect()
}

#[tokio::test]
async fn down_leaves_nothing_and_up_leaves_the_same() {
    let fixture = Fixture::new().await;
    // The template may be of yesterday, with yesterday's partitions.
    fixture.database.revert_all(SCHEMAS).await.unwrap();
    fixture.database.migrate(SCHEMAS).await.unwrap();
    let before = catalogue(&fixture.sql).await;
    assert!(
        before.iter().any(|line| line.starts_with("trigger ")),
        "{before:?}"
    );
    fixture.database.revert_all(SCHEMAS).await.unwrap();
    let bare = catalogue(&fixture.sql).await;
    let left: Vec<&String> = bare
        .iter()
        .filter(|line| !line.contains("__diesel_schema_migrations"))
        .collect();
    assert_eq!(left, Vec::<&String>::new());
    fixture.database.migrate(SCHEMAS).await.unwrap();
    assert_eq!(catalogue(&fixture.sql).await, before);
}

#[tokio::test]
async fn what_is_missing_is_named_and_run_once() {
    let fixture = Fixture::new().await;
    let pending = async || fixture.database.pending_migrations(SCHEMAS).await.unwrap();
    assert_eq!(pending().await, Vec::<String>::new());
    fixture.database.revert_all(SCHEMAS).await.unwrap();
    let missing = pending().await;
    assert_eq!(missing.len(), versions() + functions().len(), "{missing:?}");
    assert!(missing[0].ends_with("_account"), "{missing:?}");
    assert_eq!(missing[versions()..], functions());
    let nodes = [
        fixture.database.clone(),
        fixture.database.clone(),
        fixture.database.clone(),
    ];
    let ran = futures_util::future::join_all(nodes.iter().map(|node| node.migrate(SCHEMAS))).await;
    let ran: Vec<Applied> = ran.into_iter().map(Result::unwrap).collect();
    let mut busy = ran.iter().filter(|applied| !applied.is_empty());
    let applied = busy.next().unwrap();
    assert_eq!(applied.migrations.len(), versions());
    assert_eq!(applied.functions, functions());
    assert_eq!(busy.next(), None);
    assert_eq!(pending().await, Vec::<String>::new());
}

/// PostgreSQL is at a migration as the node is told to end: nothing of it stays, and the next start goes on.
#[tokio::test]
async fn a_migration_that_is_stopped_is_taken_back() {
    let fixture = Fixture::new().await;
    fixture.database.revert_all(SCHEMAS).await.unwrap();
    let all = versions() + functions().len();
    // The first migration is done but for the note that it was.
    let other = connect(fixture.test.url()).await;
    other
        .batch_execute("BEGIN; LOCK TABLE __diesel_schema_migrations IN SHARE MODE")
        .await
        .unwrap();
    let stop = CancellationToken::new();
    let stopping = async {
        let waiting = "SELECT count(*) FROM pg_stat_activity
             WHERE datname = current_database() AND application_name = 'pharos migrate' AND wait_event_type = 'Lock'";
        while fixture.value::<i64>(waiting, &[]).await == 0 {
            sleep(Duration::from_millis(10)).await;
        }
        stop.cancel();
    };
    let both = async { tokio::join!(fixture.database.migrate_until(SCHEMAS, &stop), stopping) };
    let (migrated, ()) = timeout(Duration::from_secs(60), both).await.unwrap();
    assert!(migrated.is_err(), "{migrated:?}");
    other.batch_execute("ROLLBACK").await.unwrap();
    assert_eq!(
        fixture.database.pending_migrations(SCHEMAS).await.unwrap().len(),
        all
    );
    let begun = "SELECT count(*) FROM pg_class WHERE relname IN ('plans', 'users')";
    assert_eq!(fixture.value::<i64>(begun, &[]).await, 0);
    fixture.database.migrate(SCHEMAS).await.unwrap();
}

/// A group that the next release adds.
pub(crate) fn of_the_next_release(migrations: &'static EmbeddedMigrations) -> Schema {
    Schema {
        group: "next",
        migrations,
        functions: &[],
        digest: "",
        partitions: &[],
    }
}

/// A migration of the next release that the nodes of this one can't live with.
static ALONE: EmbeddedMigrations = EmbeddedMigrations::new(&[EmbeddedMigration::new(
    "CREATE TABLE split_jobs (id uuid)",
    None,
    EmbeddedName::new("2099-01-01-000000_alone_split_jobs"),
    TomlMetadataWrapper::new(true),
)]);

#[tokio::test]
async fn a_migration_that_old_nodes_can_t_live_with_waits_until_they_are_stopped() {
    let fixture = Fixture::new().await;
    let next = [SCHEMAS, &[of_the_next_release(&ALONE)]].concat();
    let node = connect(fixture.test.url()).await;
    node.batch_execute("SET application_name = 'pharos listener'")
        .await
        .unwrap();
    let refused = fixture.database.migrate(&next).await.unwrap_err().to_string();
    assert!(
        refused.contains("2099-01-01-000000_alone_split_jobs, and 1 nodes run: stop the old nodes"),
        "{refused}"
    );
    // A version without such a migration goes on beside nodes.
    assert!(fixture.database.migrate(SCHEMAS).await.unwrap().is_empty());
    node.batch_execute("RESET application_name").await.unwrap();
    let applied = fixture.database.migrate(&next).await.unwrap();
    assert_eq!(applied.migrations, ["20990101000000"]);
    assert!(fixture.database.migrate(&next).await.unwrap().is_empty());
}

/// A node of an old release that starts late, by itself or after a mistaken step back, would work on tables that it can't read.
#[tokio::test]
async fn a_program_without_a_migration_that_it_can_t_live_with_is_refused_by_name() {
    let fixture = Fixture::new().await;
    let next = [SCHEMAS, &[of_the_next_release(&ALONE)]].concat();
    fixture.database.refuse_older_program(SCHEMAS).await.unwrap();
    fixture.database.migrate(&next).await.unwrap();
    for refused in [
        fixture.database.refuse_older_program(SCHEMAS).await.unwrap_err(),
        fixture.database.migrate(SCHEMAS).await.unwrap_err(),
    ] {
        let refused = refused.to_string();
        assert!(
            refused.contains("a newer release ran the migration 2099-01-01-000000_alone_split_jobs")
                && refused.contains("start that release or a newer one"),
            "{refused}"
        );
    }
    fixture.database.refuse_older_program(&next).await.unwrap();
    assert!(fixture.database.migrate(&next).await.unwrap().is_empty());
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
    assert_eq!(
        database.pending_migrations(SCHEMAS).await.unwrap().len(),
        versions() + functions().len()
    );
}

#[tokio::test]
async fn partitions_of_the_present_are_there_at_once() {
    let fixture = Fixture::new().await;
    fixture.database.revert_all(SCHEMAS).await.unwrap();
    fixture.database.migrate(SCHEMAS).await.unwrap();
    let without: i64 = fixture
        .value(
            "SELECT count(*) FROM (VALUES
                 ('uptime_checks_' || to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM')),
                 ('credit_log_' || to_char((now() + interval '1 day') AT TIME ZONE 'UTC', 'YYYY_MM_DD'))
             ) AS expected (name)
             WHERE to_regclass(name) IS NULL",
            &[],
        )
        .await;
    assert_eq!(without, 0);
}

#[tokio::test]
async fn a_function_whose_text_has_changed_is_applied_and_no_other() {
    let fixture = Fixture::new().await;
    let before = made(&fixture).await;
    let next = with_text("day_before", |text| {
        text.replace("AS $$\n", "AS $$\n    -- As ever.\n")
    });
    let nothing_is_missing = fixture.database.pending_migrations(&next).await.unwrap();
    assert_eq!(nothing_is_missing, Vec::<String>::new());
    let of_another_text = async || fixture.database.functions_of_another_text(&next).await.unwrap();
    assert_eq!(of_another_text().await, ["day_before"]);
    let nodes = [fixture.database.clone(), fixture.database.clone()];
    let ran = futures_util::future::join_all(nodes.iter().map(|node| node.migrate(&next))).await;
    let ran: Vec<String> = ran
        .into_iter()
        .flat_map(|applied| applied.unwrap().functions)
        .collect();
    assert_eq!(ran, ["day_before"]);
    let after = made(&fixture).await;
    assert!(after["day_before"].0.contains("As ever"), "{after:?}");
    let changed: Vec<&String> = after
        .iter()
        .filter(|(name, made)| before[*name] != **made)
        .map(|(name, _)| name)
        .collect();
    assert_eq!(changed, ["day_before"]);
    assert_eq!(of_another_text().await, Vec::<String>::new());
    assert!(fixture.database.migrate(&next).await.unwrap().is_empty());
}

#[tokio::test]
async fn triggers_are_replaced_as_functions_are() {
    let fixture = Fixture::new().await;
    let next = with_text("notify_change.switches", |text| {
        text.replace("AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE", "AFTER INSERT")
    });
    let applied = fixture.database.migrate(&next).await.unwrap();
    assert_eq!(applied.functions, ["notify_change.switches"]);
    let trigger: String = fixture
        .value(
            "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = 'switches'::regclass AND NOT tgisinternal",
            &[],
        )
        .await;
    assert!(trigger.contains("AFTER INSERT ON public.switches"), "{trigger}");
}

/// Triggers are applied by groups, `switches` before `users`. A request may lock these tables the other way round.
#[tokio::test]
async fn triggers_that_wait_for_a_request_let_it_go_on() {
    let fixture = Fixture::new().await;
    let insert_alone =
        |text: &str| text.replace("AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE", "AFTER INSERT");
    let users = with_text("notify_change.users", insert_alone);
    let next: Vec<Schema> = with_text("notify_change.switches", insert_alone)
        .into_iter()
        .zip(users)
        .map(|(switches, users)| match users.group {
            "account" => users,
            _ => switches,
        })
        .collect();
    fixture
        .sql
        .batch_execute("BEGIN; LOCK TABLE users IN ROW EXCLUSIVE MODE")
        .await
        .unwrap();
    let (database, schemas) = (fixture.database.clone(), next.clone());
    let node = tokio::spawn(async move { database.migrate(&schemas).await });
    let waits = "SELECT count(*) FROM pg_locks WHERE relation = 'users'::regclass AND NOT granted";
    while fixture.value::<i64>(waits, &[]).await == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    // The trigger on `switches` is replaced by now, and not committed.
    fixture
        .sql
        .batch_execute("LOCK TABLE switches IN ROW EXCLUSIVE MODE; COMMIT")
        .await
        .unwrap();
    let applied = node.await.unwrap().unwrap();
    assert_eq!(
        applied.functions,
        ["notify_change.switches", "notify_change.users"]
    );
}

#[tokio::test]
async fn a_function_that_is_no_longer_among_the_files_stays_for_those_who_call_it() {
    let fixture = Fixture::new().await;
    let next = with_functions(|functions| {
        let kept = functions
            .iter()
            .filter(|function| function.name != "settle_charges");
        kept.copied().collect()
    });
    assert!(fixture.database.migrate(&next).await.unwrap().is_empty());
    assert!(made(&fixture).await.contains_key("settle_charges"));
}

#[tokio::test]
async fn a_function_that_fails_is_named_and_none_is_applied() {
    let fixture = Fixture::new().await;
    let before = made(&fixture).await;
    let next = with_text("uptime_hours", |text| {
        text.replace("RETURNS TABLE", "RETURNS TABEL")
    });
    let next: Vec<Schema> = next
        .iter()
        .zip(with_text("day_before", |text| {
            text.replace("AS $$\n", "AS $$\n\n")
        }))
        .map(|(broken, changed)| {
            if broken.group == "uptime" {
                *broken
            } else {
                changed
            }
        })
        .collect();
    let error = fixture.database.migrate(&next).await.unwrap_err().to_string();
    assert!(error.contains("uptime_hours.sql can't be applied: "), "{error}");
    assert_eq!(made(&fixture).await, before);
    assert!(fixture.database.migrate(SCHEMAS).await.unwrap().is_empty());
}

/// When they are applied, bodies are not looked into, since one may call another that comes later.
#[tokio::test]
async fn every_function_passes_the_check_of_its_body() {
    let fixture = Fixture::new().await;
    for function in SCHEMAS.iter().flat_map(|schema| schema.functions) {
        let applied = fixture.sql.batch_execute(function.text).await;
        applied.unwrap_or_else(|error| panic!("{}: {error:?}", function.name));
    }
}

#[tokio::test]
async fn groups_that_have_a_version_or_a_function_in_common_are_refused() {
    let fixture = Fixture::new().await;
    let account = SCHEMAS.iter().find(|schema| schema.group == "account").unwrap();
    let one_version = Schema {
        group: "vitals",
        functions: &[],
        ..*account
    };
    let one_function = Schema {
        group: "vitals",
        migrations: &NO_MIGRATIONS,
        functions: &[Function {
            name: "day_before",
            text: "",
        }],
        digest: "",
        partitions: &[],
    };
    for (other, sentence) in [
        (
            one_version,
            "the groups account and vitals have one migration version: 2026-11-23-060000_account and \
             2026-11-23-060000_account; give one of them another date",
        ),
        (
            one_function,
            "the groups common and vitals both have a function day_before; give one of them another name",
        ),
    ] {
        let schemas = [SCHEMAS, &[other]].concat();
        for error in [
            fixture.database.migrate(&schemas).await.unwrap_err(),
            fixture.database.pending_migrations(&schemas).await.unwrap_err(),
            fixture.database.revert_all(&schemas).await.unwrap_err(),
        ] {
            assert!(error.to_string().ends_with(sentence), "{error}");
        }
    }
}

/// The folders of migrations, by their groups.
pub(crate) fn folders() -> BTreeMap<String, PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut all = BTreeMap::from([("common".to_owned(), root.join("migrations/common"))]);
    for group in fs::read_dir(root.join("crates")).unwrap() {
        let group = group.unwrap();
        let folder = group.path().join("pg/migrations");
        if folder.is_dir() {
            all.insert(group.file_name().into_string().unwrap(), folder);
        }
    }
    all
}

#[test]
fn the_migrations_of_every_group_are_embedded() {
    let folders = folders();
    let groups: BTreeSet<&str> = folders.keys().map(String::as_str).collect();
    assert_eq!(groups, SCHEMAS.iter().map(|schema| schema.group).collect());
    for schema in SCHEMAS {
        let folder = &folders[schema.group];
        // A group without functions has no folder of them.
        let files: BTreeMap<String, String> = fs::read_dir(folder.join("functions"))
            .into_iter()
            .flatten()
            .map(|file| {
                let path = file.unwrap().path();
                let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
                (name, fs::read_to_string(path).unwrap())
            })
            .collect();
        let functions: BTreeMap<String, String> = schema
            .functions
            .iter()
            .map(|function| (function.name.to_owned(), function.text.to_owned()))
            .collect();
        assert_eq!(files, functions);
        let embedded: Vec<Box<dyn Migration<Pg>>> = schema.migrations.migrations().unwrap();
        assert_eq!(
            embedded.len(),
            fs::read_dir(folder.join("versions")).unwrap().count()
        );
    }
}

#[tokio::test]
async fn a_database_from_before_the_baselines_is_refused_by_name() {
    let fixture = Fixture::new().await;
    fixture
        .sql
        .batch_execute("INSERT INTO __diesel_schema_migrations (version) VALUES ('20261121060000')")
        .await
        .unwrap();
    let refused = fixture.database.migrate(SCHEMAS).await.unwrap_err().to_string();
    assert!(
        refused.contains("20261121060000") && refused.contains("begin with another data folder"),
        "{refused}"
    );
}
