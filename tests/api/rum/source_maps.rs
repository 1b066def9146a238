//! Source maps: pharos admin source-map, and the frames of GET /domains/{domain_id}/rum/errors/{error_id}

use std::{
    fs::{self, File},
    path::Path,
    process::Output,
};

use pharos_domain::collect::{client::Device, view::ScriptError};
use serde_json::{Value, json};

use super::{errors::error, read, store, view};
use crate::{
    admin::{done, pharos, refused},
    harness::TestApp,
};

/// The map of a script of one line, `var x=1;if(x==2)alert(x)`: its 13th column is line 2, column 5 of the source, and its 19th,
/// where `alert` is called, line 3, column 3.
fn map(script: &str, source: &str) -> String {
    json!({
        "version": 3, "file": script, "sources": [source], "sourcesContent": ["secret words"], "names": ["x", "alert"],
        "mappings": "AAAA,GAAIA,GAAI,EACR,IAAIA,GAAK,EAAG,CACVC,MAAM",
    })
    .to_string()
}

const STACK: &str = "TypeError: x\n    at a (https://shop.example/assets/app.js:1:13)\n    \
                     at b (https://shop.example/assets/app.js:1:19)\n    \
                     at c (https://shop.example/assets/other.js:1:19)";

/// Has an error whose stack is in scripts, and says by which id it is read.
async fn failing(app: &TestApp) -> String {
    let mut failing = view(1, app.now());
    failing.errors = vec![ScriptError {
        stack: Some(STACK.to_owned()),
        ..error("x")
    }];
    store(app, [(Device::Desktop, failing)]).await;
    let listed = read(app, "errors").await;
    listed["items"][0]["error_id"].as_str().unwrap().to_owned()
}

fn frame(function: &str, filename: &str, line: u32, column: u32) -> Value {
    json!({ "function": function, "filename": filename, "line": line, "column": column, "in_app": true })
}

async fn frames(app: &TestApp, id: &str) -> Value {
    // Answers are kept for five minutes.
    app.clock.advance(time::Duration::minutes(6));
    read(app, &format!("errors/{id}")).await["frames"].clone()
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let file = folder.join(name);
    fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

fn uploaded(release: &str, at: &str) -> String {
    format!("UPDATE rum_source_maps SET uploaded_at = '{at}' WHERE release = '{release}'")
}

fn add(app: &TestApp, release: &str, files: &[&str]) -> Output {
    let domain = app.world.domain.to_string();
    let mut arguments = vec!["source-map", "add", &domain, "--release", release];
    arguments.extend(["--url", "https://shop.example/assets/"]);
    arguments.extend(files);
    pharos(app, &arguments)
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_are_shown_as_they_are_in_the_sources() {
    let (app, folder) = (TestApp::start().await, tempfile::tempdir().unwrap());
    let id = failing(&app).await;
    let script = "https://shop.example/assets/app.js";
    let other = frame("c", "https://shop.example/assets/other.js", 1, 19);
    let bundled = json!([frame("a", script, 1, 13), frame("b", script, 1, 19), other]);
    assert_eq!(frames(&app, &id).await, bundled);

    let file = write(folder.path(), "app.js.map", &map("app.js", "../src/app.ts"));
    let added = done(&add(&app, "1", &[&file]));
    assert_eq!(
        (&added["added"], &added["older_ones_removed"]),
        (&json!(1), &json!(0))
    );
    app.sql(&uploaded("1", "2026-03-31")).await;
    let shown = json!([
        frame("alert", "../src/app.ts", 2, 5),
        frame("b", "../src/app.ts", 3, 3),
        other
    ]);
    assert_eq!(frames(&app, &id).await, shown);
    let whole = read(&app, &format!("errors/{id}")).await;
    assert!(
        whole["stack"].as_str().unwrap().contains("app.js:1:13"),
        "it stays as it was told"
    );
    let kept = app.sql("SELECT encode(map, 'escape') FROM rum_source_maps").await;
    assert!(!kept[0][0].as_ref().unwrap().contains("secret words"));
    let audited = app
        .sql("SELECT action FROM audit_log WHERE action LIKE 'source_map.%'")
        .await;
    assert_eq!(audited, [[Some("source_map.add".to_owned())]]);

    let domain = app.world.domain.to_string();
    let released = done(&pharos(&app, &["release", "list", &domain]));
    assert_eq!(released[0]["name"], "1", "it is known by its maps");
    let listed = done(&pharos(&app, &["source-map", "list", &domain]));
    assert_eq!(
        (&listed[0]["release"], &listed[0]["script"]),
        (&json!("1"), &json!(script))
    );
    let remove = |release: &str| pharos(&app, &["source-map", "remove", &domain, "--release", release]);
    refused(&remove("2"), "no maps of a release 2");
    assert_eq!(done(&remove("1"))["removed"], 1);
    assert_eq!(frames(&app, &id).await, bundled);
}

/// The error was first seen on 2026-03-31 at 09:15.
#[tokio::test(flavor = "multi_thread")]
async fn an_error_is_read_by_the_release_of_its_time() {
    let (app, folder) = (TestApp::start().await, tempfile::tempdir().unwrap());
    let id = failing(&app).await;
    for release in ["old", "served", "next"] {
        let source = format!("../src/{release}.ts");
        let file = write(folder.path(), "app.js.map", &map("app.js", &source));
        done(&add(&app, release, &[&file]));
    }
    for (release, at) in [
        ("old", "2026-03-01"),
        ("served", "2026-03-30"),
        ("next", "2026-03-31 10:00Z"),
    ] {
        app.sql(&uploaded(release, at)).await;
    }
    assert_eq!(frames(&app, &id).await[1]["filename"], "../src/served.ts");
    app.sql("DELETE FROM rum_source_maps WHERE release = 'served'")
        .await;
    assert_eq!(frames(&app, &id).await[1]["filename"], "../src/old.ts");
    app.sql("DELETE FROM rum_source_maps WHERE release = 'old'").await;
    assert_eq!(
        frames(&app, &id).await[1]["filename"],
        "../src/next.ts",
        "there was none before"
    );
    app.sql(&uploaded("next", "2026-04-01 10:00Z")).await;
    assert_eq!(
        frames(&app, &id).await[1]["filename"],
        "https://shop.example/assets/app.js",
        "what came more than a day later is of another release"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_release_that_is_added_again_keeps_its_place() {
    let (app, folder) = (TestApp::start().await, tempfile::tempdir().unwrap());
    let id = failing(&app).await;
    let add_of = |release: &str, source: &str| {
        let file = write(folder.path(), "app.js.map", &map("app.js", source));
        done(&add(&app, release, &[&file]));
    };
    for (release, at) in [("old", "2026-03-01"), ("served", "2026-03-30")] {
        add_of(release, "../src/first.ts");
        app.sql(&uploaded(release, at)).await;
    }
    add_of("old", "../src/old.ts");
    add_of("served", "../src/served.ts");
    assert_eq!(frames(&app, &id).await[1]["filename"], "../src/served.ts");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_map_that_is_too_large_or_of_another_script_is_refused_with_all_others() {
    let (app, folder) = (TestApp::start().await, tempfile::tempdir().unwrap());
    let well = write(folder.path(), "app.js.map", &map("app.js", "../src/app.ts"));
    let huge = folder.path().join("huge.js.map");
    File::create(&huge).unwrap().set_len(100 * 1024 * 1024).unwrap();
    refused(
        &add(&app, "1", &[&well, huge.to_str().unwrap()]),
        "it has 104857600 bytes, and 33554432 is the most",
    );
    let foreign = write(folder.path(), "vendor.js.map", &map("app.js", "../src/app.ts"));
    refused(
        &add(&app, "1", &[&well, &foreign]),
        "it says that it is of app.js, and its name that it is of vendor.js",
    );
    let page = write(folder.path(), "page.js.map", "<html>");
    refused(&add(&app, "1", &[&page]), "it is no source map");
    let nameless = write(folder.path(), "app.json", "{}");
    refused(&add(&app, "1", &[&nameless]), "not named after its script");
    refused(&add(&app, "", &[&well]), "a release is named by");
    refused(&add(&app, "1", &["/nowhere/app.js.map"]), "No such file");
    let alike = ["9f86d081884c7d659a2f", "1b4f0e9851971998e732"].map(|hash| {
        let script = format!("app.{hash}.js");
        write(folder.path(), &format!("{script}.map"), &map(&script, "a.ts"))
    });
    refused(
        &add(&app, "1", &[&alike[0], &alike[1]]),
        "app.[redacted].js, and another script of the release",
    );
    assert!(app.sql("SELECT FROM rum_source_maps").await.is_empty());
    let nobody = "019aa5e2-7b6c-7d10-8e9f-0123456789ab";
    let arguments = [
        "source-map",
        "add",
        nobody,
        "--release",
        "1",
        "--url",
        "https://shop.example/",
        &well,
    ];
    refused(&pharos(&app, &arguments), "there is no such domain");
}

/// A domain has 500 maps: the oldest go.
#[tokio::test(flavor = "multi_thread")]
async fn a_domain_has_so_many_maps() {
    let (app, folder) = (TestApp::start().await, tempfile::tempdir().unwrap());
    app.sql(&format!(
        "INSERT INTO rum_source_maps (domain_id, script, release, url, sources, bytes, map, uploaded_at)
         SELECT '{}', 'https://shop.example/' || n, '0', 'https://shop.example/' || n, 1, 2, '{{}}', timestamptz '2026-01-01' + n * interval '1 minute'
         FROM generate_series(1, 500) AS s (n)",
        app.world.domain
    ))
    .await;
    let file = write(folder.path(), "app.js.map", &map("app.js", "../src/app.ts"));
    assert_eq!(done(&add(&app, "1", &[&file]))["older_ones_removed"], 1);
    let gone = app
        .sql("SELECT count(*), min(script) FROM rum_source_maps WHERE script = 'https://shop.example/1'")
        .await;
    assert_eq!(gone[0][0].as_deref(), Some("0"), "the oldest");
    assert_eq!(
        done(&add(&app, "1", &[&file]))["older_ones_removed"],
        0,
        "the same again takes no room"
    );
}
