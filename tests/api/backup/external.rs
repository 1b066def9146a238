//! A PostgreSQL that others look after.

use std::time::Duration;

use pharos_persistence::testing::look;
use serde_json::{Value, json};

use super::{Empty, Place, contents, done, put_artefacts, refused, said, signal, tables};
use crate::harness::{Node, Request, TestApp};

/// A backup is of one moment: what a workspace has used is the sum of its log, whoever is charged meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn a_backup_is_of_one_moment_while_it_runs() {
    let app = TestApp::start().await;
    let old = Place::at(app.database.url());
    std::fs::create_dir(old.data()).unwrap();
    put_artefacts(&old.data());
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    let watched = app.put(&config, &app.world.key, &json!({"interval_seconds": 300}));
    assert_eq!(watched.send().await.status, 200);
    let path = format!("/domains/{}/uptime/status", app.world.domain);
    let (address, key) = (app.address, app.world.key.clone());
    let callers: Vec<_> = (0..4)
        .map(|_| {
            let (path, key) = (path.clone(), key.clone());
            tokio::spawn(async move {
                loop {
                    Request::new(address, "GET", &path).key(&key).send().await;
                }
            })
        })
        .collect();
    let charged = "SELECT used, (SELECT coalesce(sum(cost), 0) FROM credit_log AS l
                                 WHERE l.workspace_id = b.workspace_id AND l.occurred_at >= b.cycle_start)
                   FROM credit_balances AS b WHERE used > 0";
    app.reaches("EXISTS (SELECT FROM credit_balances WHERE used > 3)")
        .await;
    let file = old.file("backup");
    let told = tokio::task::block_in_place(|| done(&old.backup(&file)));
    assert!(
        told.contains("2 artefacts") && told.contains("no key file"),
        "{told}"
    );
    for caller in callers {
        caller.abort();
    }
    let empty = Empty::create().await;
    let new = Place::at(&empty.url);
    tokio::task::block_in_place(|| done(&new.restore(&file, &[])));
    let used = look(&empty.url, charged).await.unwrap();
    assert!(!used.is_empty(), "somebody was charged");
    assert!(used.iter().all(|row| row[0] == row[1]), "{used:?}");
    assert_eq!(contents(&new.data().join("artefacts")).len(), 2);
    assert_eq!(empty.beside().await, [&*empty.name], "nothing is left beside it");
    empty.drop().await;
}

/// A script reads the answers of these commands as it reads those of all others.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_migrated_backed_up_and_restored_is_told_as_json() {
    let app = TestApp::start().await;
    let old = Place::at(app.database.url());
    std::fs::create_dir(old.data()).unwrap();
    put_artefacts(&old.data());
    let file = old.file("backup");
    let told = |place: &Place, arguments: &[&str]| -> Value {
        let output = tokio::task::block_in_place(|| done(&place.run(arguments)));
        serde_json::from_str(&output).unwrap()
    };
    assert_eq!(
        told(&old, &["migrate", "--json"]),
        json!({"migrations": [], "functions": []})
    );
    let path = file.to_str().unwrap();
    let made = told(&old, &["backup", path, "--json"]);
    assert_eq!(made["file"], path);
    assert_eq!(made["artefacts"], 2);
    assert_eq!(made["keys"], json!([]));
    assert_eq!(made["bytes"], std::fs::metadata(&file).unwrap().len());
    let empty = Empty::create().await;
    let new = Place::at(&empty.url);
    let restored = told(&new, &["restore", path, "--json"]);
    assert_eq!(restored["file"], path);
    assert_eq!(restored["artefacts"], 2);
    assert_eq!(restored["migrations"], 0);
    assert!(restored["created_at"].is_string(), "{restored}");
    empty.drop().await;
}

/// Whoever is connected would go on with the old data.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_in_use_is_refused_and_one_of_others_too() {
    let app = TestApp::start().await;
    let place = Place::at(app.database.url());
    let file = place.file("backup");
    tokio::task::block_in_place(|| done(&place.backup(&file)));
    let empty = Empty::create().await;
    let other = Place::at(&empty.url);
    look(
        &empty.url,
        "CREATE TABLE guests (name text); INSERT INTO guests VALUES ('Ada')",
    )
    .await
    .unwrap();
    let why = tokio::task::block_in_place(|| refused(&other.restore(&file, &["--replace"])));
    assert!(why.contains("1 tables that are not Pharos's"), "{why}");
    look(&empty.url, "DROP TABLE guests").await.unwrap();
    tokio::task::block_in_place(|| done(&other.restore(&file, &[])));

    let node = Node::start(&["--roles", "api"], &[("PHAROS_DATABASE_URL", &empty.url)]);
    let before = tables(&empty.url).await;
    let why = tokio::task::block_in_place(|| refused(&other.restore(&file, &["--replace"])));
    assert!(
        why.contains("is in use: stop the nodes") && why.contains("pharos (") && why.contains("process "),
        "{why}"
    );
    assert!(why.contains("the data are as they were"), "{why}");
    assert_eq!(tables(&empty.url).await, before);
    node.signal("INT");
    node.end(Duration::from_secs(30));
    tokio::task::block_in_place(|| done(&other.restore(&file, &["--replace"])));
    empty.drop().await;
}

/// A name does not say who made a database: only what a restore has made is dropped.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_no_restore_has_made_is_not_dropped() {
    let app = TestApp::start().await;
    let place = Place::at(app.database.url());
    let file = place.file("backup");
    tokio::task::block_in_place(|| done(&place.backup(&file)));
    let empty = Empty::create().await;
    let target = Place::at(&empty.url);
    let theirs = format!("{}_restoring", empty.name);
    let their_url = empty.url.replace(&empty.name, &theirs);
    look(&empty.url, &format!("CREATE DATABASE {theirs}"))
        .await
        .unwrap();
    look(
        &their_url,
        "CREATE TABLE guests (name text); INSERT INTO guests VALUES ('Ada')",
    )
    .await
    .unwrap();
    let why = tokio::task::block_in_place(|| refused(&target.restore(&file, &[])));
    assert!(
        why.contains(&format!("there is a database {theirs} that no restore has made"))
            && why.contains("rename or drop it")
            && why.contains("the data are as they were"),
        "{why}"
    );
    assert!(!target.data().join("restore.json").exists());

    // Nor does the end of a restore that was killed drop it.
    let artefacts = target.data().join("artefacts");
    std::fs::create_dir_all(&artefacts).unwrap();
    let note = json!({"pid": 1, "artefacts": artefacts, "forgotten": []});
    std::fs::write(target.data().join("restore.json"), note.to_string()).unwrap();
    tokio::task::block_in_place(|| done(&target.run(&["migrate"])));
    assert!(!target.data().join("restore.json").exists());
    let guests = look(&their_url, "SELECT name FROM guests").await.unwrap();
    assert_eq!(guests, [[Some("Ada".to_owned())]]);

    look(&empty.url, &format!("DROP DATABASE {theirs} WITH (FORCE)"))
        .await
        .unwrap();
    tokio::task::block_in_place(|| done(&target.restore(&file, &["--replace"])));
    assert_eq!(empty.beside().await, [&*empty.name]);
    let limit = "SELECT datconnlimit FROM pg_database WHERE datname = current_database()";
    let limit = look(&empty.url, limit).await.unwrap();
    assert_eq!(
        limit,
        [[Some("-1".to_owned())]],
        "the mark goes when it is in place"
    );
    empty.drop().await;
}

/// Only one of two restores at once is done, on one data folder or on two, and a node does not start between.
#[tokio::test(flavor = "multi_thread")]
async fn of_two_restores_at_once_one_is_refused() {
    let app = TestApp::start().await;
    let place = Place::at(app.database.url());
    let file = place.file("backup");
    tokio::task::block_in_place(|| done(&place.backup(&file)));
    let wanted = tables(app.database.url()).await;
    let empty = Empty::create().await;
    let (one, elsewhere) = (Place::at(&empty.url), Place::at(&empty.url));
    let running = one.begin_restore(&file, &[]);
    signal(&running, "STOP");
    tokio::task::block_in_place(|| {
        let why = refused(&one.restore(&file, &["--replace"]));
        assert!(
            why.contains(&format!("under way here (process {})", running.id())),
            "{why}"
        );
        let why = refused(&elsewhere.restore(&file, &["--replace"]));
        assert!(
            why.contains("another restore is under way on this database"),
            "{why}"
        );
        let why = refused(&one.run(&["serve", "--listen", "127.0.0.1:0"]));
        assert!(why.contains("a restore is under way here"), "{why}");
    });
    signal(&running, "CONT");
    let output = tokio::task::block_in_place(|| running.wait_with_output().unwrap());
    done(&output);
    assert_eq!(tables(&empty.url).await, wanted);
    empty.drop().await;
}

/// The secrets in the database are opened by a key that is not in it.
#[tokio::test(flavor = "multi_thread")]
async fn a_backup_whose_key_is_elsewhere_asks_for_that_key() {
    let app = TestApp::start().await;
    let place = Place::at(app.database.url());
    let keys = [
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    ];
    let file = place.file("backup");
    let path = file.to_str().unwrap();
    let with = |place: &Place, arguments: &[&str], key: &str| {
        let mut command = place.command(arguments);
        tokio::task::block_in_place(|| command.env("PHAROS_SECRET_KEY", key).output().unwrap())
    };
    done(&with(&place, &["backup", path], keys[0]));
    let empty = Empty::create().await;
    let new = Place::at(&empty.url);
    let without = tokio::task::block_in_place(|| refused(&new.restore(&file, &[])));
    assert!(
        without.contains("PHAROS_SECRET_KEY") && without.contains("neither in it nor here"),
        "{without}"
    );
    let wrong = refused(&with(&new, &["restore", path], keys[1]));
    assert!(wrong.contains("is not the one that is set"), "{wrong}");
    done(&with(&new, &["restore", path], keys[0]));
    empty.drop().await;
}

/// Beside the rows, what makes ids and checks rows comes back: sequences go on, functions and triggers are there.
#[tokio::test(flavor = "multi_thread")]
async fn the_schema_comes_back_as_it_was() {
    let app = TestApp::start().await;
    let place = Place::at(app.database.url());
    let file = place.file("backup");
    tokio::task::block_in_place(|| done(&place.backup(&file)));
    let empty = Empty::create().await;
    let new = Place::at(&empty.url);
    let output = tokio::task::block_in_place(|| new.restore(&file, &[]));
    assert!(
        !done(&output).contains("brought up to date"),
        "{}",
        said(&output.stdout)
    );
    for what in [
        "SELECT sequencename, last_value FROM pg_sequences ORDER BY 1",
        // Without parentheses: of three conditions it may put two into some that are not needed.
        "SELECT conrelid::regclass::text, conname, translate(pg_get_constraintdef(oid), '()', '') FROM pg_constraint
         WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2",
        "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
        "SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2",
        "SELECT oid::regprocedure::text, prosrc, proconfig::text FROM pg_proc
         WHERE pronamespace = 'public'::regnamespace ORDER BY 1",
        "SELECT table_name, column_name, data_type, column_default, is_nullable FROM information_schema.columns
         WHERE table_schema = 'public' ORDER BY 1, 2",
    ] {
        let (was, is) = (look(app.database.url(), what).await.unwrap(), look(&empty.url, what).await.unwrap());
        let differing: Vec<_> = was.iter().filter(|row| !is.contains(row)).collect();
        assert!(!was.is_empty() && was == is, "{what}: {differing:?}");
    }
    // It is written to as the old one was.
    let node = Node::start(&["--roles", "api"], &[("PHAROS_DATABASE_URL", &empty.url)]);
    let path = format!("/domains/{}/uptime/config", app.world.domain);
    let changed = Request::new(node.address, "PUT", &path)
        .key(&app.world.key)
        .json(&json!({"interval_seconds": 300}));
    assert_eq!(changed.send().await.status, 200);
    drop(node);
    empty.drop().await;
}

/// Who has the salt of a day can compute the ids of its visitors, and a backup is kept for longer than a day.
#[tokio::test(flavor = "multi_thread")]
async fn salts_of_visitors_are_in_no_backup() {
    let app = TestApp::start().await;
    let salt = "INSERT INTO collect_salts (day, salt) VALUES ('2026-03-31', sha256('salt'))";
    look(app.database.url(), salt).await.unwrap();
    let place = Place::at(app.database.url());
    let file = place.file("backup");
    tokio::task::block_in_place(|| done(&place.backup(&file)));
    let empty = Empty::create().await;
    let new = Place::at(&empty.url);
    tokio::task::block_in_place(|| done(&new.restore(&file, &[])));
    let salts = look(&empty.url, "SELECT count(*) FROM collect_salts")
        .await
        .unwrap();
    assert_eq!(salts[0][0].as_deref(), Some("0"));
    empty.drop().await;
}
