//! The demo, as it shows itself. Its history takes a minute or so, so that one node is asked for everything that there is to see.

mod experiment;
mod field_data;
mod investigation;
mod lab;
mod measured;
mod searches;
mod vitals;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::Value;
use time::{Date, OffsetDateTime};
use tokio::time::{Instant, sleep};

use crate::{
    doctor::{findings, only},
    harness::{Key, Node, Request},
    processes::{data_folder, demo},
    synthetic::real,
};

/// How long the demo may take to generate its history.
const PATIENCE: Duration = Duration::from_secs(400);

/// A demo that was started for the first time.
struct Demo {
    node: Node,
    key: Key,
    /// The path of the status of its first shop.
    status: String,
    data: PathBuf,
    /// The days on which it may have been started: it may have been shortly before midnight.
    days: [Date; 2],
}

impl Demo {
    fn start(data: PathBuf) -> Self {
        let today = || OffsetDateTime::now_utc().date();
        let before = today();
        let (lighthouse, browser) = (real::folder(), real::chromium());
        let lab = [
            ("PHAROS_LAB_FOLDER", lighthouse.to_str().unwrap()),
            ("PHAROS_CHROMIUM", browser.to_str().unwrap()),
        ];
        let (node, key, status) = demo(&data, &lab);
        Self {
            node,
            key,
            status,
            data,
            days: [before, today()],
        }
    }

    /// The path of a read of its first shop.
    fn at(&self, rest: &str) -> String {
        self.status.replace("uptime/status", rest)
    }

    async fn ask(&self, rest: &str) -> Value {
        let request = Request::new(self.node.address, "GET", &self.at(rest));
        request.key(&self.key).send().await.ok()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_demo_has_searches_field_and_lab_data_an_experiment_vitals_and_a_slow_release_that_tools_find() {
    let folder = data_folder();
    let demo = Demo::start(folder.path().join("data"));
    measured::are_collected(&demo).await;
    searches::say_who_played_them(&demo).await;
    field_data::say_who_played_them(&demo).await;
    lab::measures_the_shop(&demo).await;
    has_history(&demo.data).await;
    is_rolled_up(&demo.data);
    experiment::has_a_verdict(&demo).await;
    investigation::finds_the_slow_release_by_tools_alone(&demo).await;
    vitals::have_something_to_show_in_every_read(&demo).await;
}

/// Waits until the demo has noted that its history is there.
async fn has_history(data: &Path) {
    let deadline = Instant::now() + PATIENCE;
    while !data.join("demo-history").exists() {
        assert!(Instant::now() < deadline, "the demo has no history");
        sleep(Duration::from_millis(500)).await;
    }
}

/// The days of the history are rolled up with it, and not by the upkeep of an hour later.
fn is_rolled_up(data: &Path) {
    let environment = [("PHAROS_DATA_FOLDER", data.to_str().unwrap())];
    let (is_well, told) = only(findings(&environment, "roll-ups"));
    assert!(is_well, "{told}");
}
