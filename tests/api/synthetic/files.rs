//! The files of runs: how long they are kept, and how they go.

use std::sync::Arc;

use bytes::Bytes;
use pharos_artefacts::store::Artefacts;
use pharos_domain::{
    ids::{DomainId, RunId},
    jobs::JobHandler,
};
use pharos_server::worker::WorkerPace;
use pharos_synthetic::{
    erasure::{FileErasure, erase_old},
    kept, lhr,
    result::{Filmstrip, Frame, Lists, Picture},
    run::IMAGES_KEPT,
};
use serde_json::{Value, json};
use time::Duration;

use super::{SHOP, ask, ended, get, measured, schedule, track, try_get};
use crate::{
    harness::{TestApp, actor},
    jobs::{Crew, connect},
};

/// A run that has not ended may have files, too: of a node that died.
#[tokio::test]
async fn files_are_kept_for_as_long_as_their_run_says_and_no_others_go_with_them() {
    let app = TestApp::start().await;
    let page = track(&app, "shoes").await;
    let artefacts: Arc<Artefacts> = app.stores.ports.get().unwrap();
    let file = |run: &str, name: &str| kept::key(app.world.domain, run.parse().unwrap(), name).unwrap();
    let is_there = async |run: &str, name: &str| artefacts.get(&file(run, name)).await.unwrap().is_some();
    let old = measured(&app, &page, SHOP).await;
    let left = ask(&app, &page, &json!({})).await.with_status(202);
    let left = left["run_id"].as_str().unwrap();
    let begun = schedule(&app).begin(left.parse().unwrap(), app.now()).await;
    assert!(begun.unwrap().is_some());
    for run in [old.as_str(), left] {
        let key = file(run, "frame-7.jpg");
        artefacts.put(&key, Bytes::from_static(b"left")).await.unwrap();
    }
    app.clock.advance(Duration::DAY);
    let young = measured(&app, &page, SHOP).await;
    let erased = async || erase_old(&*schedule(&app), &artefacts, app.now()).await.unwrap();

    app.clock.advance(IMAGES_KEPT - Duration::DAY - Duration::SECOND);
    assert_eq!(erased().await, 0);
    let link = get(&app, &format!("runs/{old}")).await["screenshot_url"].clone();
    assert!(
        link.is_string() && is_there(&old, kept::LAST).await,
        "as it is told"
    );
    app.clock.advance(Duration::SECOND);
    let link = get(&app, &format!("runs/{old}")).await["screenshot_url"].clone();
    assert_eq!(link, Value::Null);
    assert_eq!(erased().await, 2);
    for name in [kept::LAST, kept::REPORT, "frame-0.jpg", "frame-7.jpg"] {
        assert!(
            !is_there(&old, name).await && !is_there(left, name).await,
            "{name}"
        );
    }
    assert!(is_there(&young, kept::LAST).await && is_there(&young, kept::REPORT).await);
    assert_eq!(erased().await, 0, "each once");
}

/// The folder of the run whose files are the oldest can't be listed, as where its rights are wrong.
#[tokio::test]
async fn files_that_cant_be_deleted_keep_no_others_from_going() {
    let app = TestApp::start().await;
    let page = track(&app, "shoes").await;
    let folder = tempfile::tempdir().unwrap();
    let artefacts = Artefacts::in_folder(folder.path()).unwrap();
    let file = |run: &str| kept::key(app.world.domain, run.parse().unwrap(), "left.jpg").unwrap();
    let mut runs = Vec::new();
    for _ in 0..2 {
        let run = measured(&app, &page, SHOP).await;
        artefacts
            .put(&file(&run), Bytes::from_static(b"left"))
            .await
            .unwrap();
        app.clock.advance(Duration::SECOND);
        runs.push(run);
    }
    let [stuck, other] = [&runs[0], &runs[1]];
    let path = folder.path().join(file(stuck).as_str()).with_file_name("loop");
    std::os::unix::fs::symlink(".", &path).unwrap();
    let doctor = async || app.sql("SELECT step, reason FROM upkeep_failures").await;

    app.clock.advance(IMAGES_KEPT);
    for _ in 0..2 {
        let erased = erase_old(&*schedule(&app), &artefacts, app.now()).await;
        let why = erased.unwrap_err().to_string();
        assert!(why.contains("of 1 lab tests") && why.contains(stuck), "{why}");
        let told = doctor().await;
        let expected = [Some("files of lab tests".to_owned()), Some(why)];
        assert_eq!(told, [expected.to_vec()]);
        assert_eq!(artefacts.get(&file(other)).await.unwrap(), None);
    }
    std::fs::remove_file(&path).unwrap();
    let erased = erase_old(&*schedule(&app), &artefacts, app.now()).await;
    assert_eq!(erased.unwrap(), 1);
    assert_eq!(artefacts.get(&file(stuck)).await.unwrap(), None);
    assert!(doctor().await.is_empty(), "it is done");
}

/// The store failed after the frames, or the last picture was none.
#[tokio::test]
async fn frames_without_a_last_picture_are_kept_as_long_and_no_longer() {
    let app = TestApp::start().await;
    let page = track(&app, "shoes").await;
    let run = ask(&app, &page, &json!({})).await.with_status(202);
    let id: RunId = run["run_id"].as_str().unwrap().parse().unwrap();
    assert!(schedule(&app).begin(id, app.now()).await.unwrap().is_some());
    let load = lhr::read(SHOP.as_bytes()).unwrap();
    let picture = Picture {
        key: kept::key(app.world.domain, id, "frame-0.jpg")
            .unwrap()
            .to_string(),
        width: 412,
        height: 823,
    };
    let filmstrip = Filmstrip {
        frames: vec![Frame {
            timing_ms: 375,
            picture,
        }],
        ..Filmstrip::default()
    };
    ended(
        &app,
        id,
        load.summary,
        Lists {
            filmstrip,
            ..load.lists
        },
    )
    .await;
    let strip = get(&app, &format!("runs/{id}/filmstrip")).await;
    assert_eq!(
        (&strip["items"][0]["timing_ms"], &strip["final_screenshot"]),
        (&json!(375), &Value::Null)
    );
    let shown = get(&app, &format!("runs/{id}")).await;
    assert_eq!(shown["screenshot_url"], Value::Null, "there is none");
    app.clock.advance(IMAGES_KEPT);
    try_get(&app, &format!("runs/{id}/filmstrip"))
        .await
        .problem(410, "report-result-expired");
}

/// The files of Lighthouse hold whole URLs of pages: they do not outlive their domain.
#[tokio::test(flavor = "multi_thread")]
async fn files_of_a_domain_go_when_it_is_erased() {
    let app = TestApp::start().await;
    let page = track(&app, "shoes").await;
    let run: RunId = measured(&app, &page, SHOP).await.parse().unwrap();
    let artefacts: Arc<Artefacts> = app.stores.ports.get().unwrap();
    let (domain, other) = (app.world.domain, DomainId::generate());
    let file = |domain, name| kept::key(domain, run, name).unwrap();
    let theirs = file(other, kept::REPORT);
    artefacts.put(&theirs, Bytes::from_static(b"{}")).await.unwrap();
    let own = [kept::REPORT, kept::LAST, "frame-0.jpg"].map(|name| file(domain, name));
    for file in &own {
        assert!(artefacts.get(file).await.unwrap().is_some(), "{file}");
    }

    let domains = &app.stores.domain_admin;
    domains.delete(domain, &actor(), app.now()).await.unwrap();
    app.sql(&format!(
        "UPDATE domains SET deleted_at = to_timestamp({}) WHERE deleted_at IS NOT NULL",
        app.now().unix_timestamp()
    ))
    .await;
    app.clock.advance(Duration::days(30));
    let database = connect(app.database.url()).await;
    let steps = database.groups().iter().flat_map(|group| group.upkeep);
    for step in steps.filter(|step| step.name == "domains that were deleted") {
        (step.run)(&database, app.now()).await.unwrap();
    }
    let handler: Arc<dyn JobHandler> = Arc::new(FileErasure {
        artefacts: Arc::clone(&artefacts),
    });
    let _crew = Crew::start(&database, "local", WorkerPace::default(), vec![handler]).await;
    app.reaches("EXISTS (SELECT FROM jobs WHERE kind = 'lab_erasure' AND state = 'succeeded')")
        .await;
    for file in &own {
        assert_eq!(artefacts.get(file).await.unwrap(), None, "{file}");
    }
    assert!(artefacts.get(&theirs).await.unwrap().is_some(), "another's");
}
