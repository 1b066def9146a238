//! The tracker in a real Chromium. See `tests/browser/README.md`.

mod causes;
mod shop;

use std::{env, path::Path, time::Duration};

use tokio::{process::Command, time::timeout};

/// Names Chromium's program; without it Debian's place is tried.
const CHROMIUM: &str = "PHAROS_TEST_CHROMIUM";

/// For a whole file of tests on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// Runs a program of Node.js below tests/browser, and returns what it said.
async fn node(arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let browser = Path::new(env!("CARGO_MANIFEST_DIR")).join("browser");
    assert!(
        browser.join("node_modules").exists(),
        "{} has no node_modules; run `cargo xtask test`",
        browser.display()
    );
    let run = Command::new("node")
        .args(arguments)
        .current_dir(&browser)
        .env(
            "CHROMIUM",
            env::var_os(CHROMIUM).unwrap_or_else(|| "/usr/bin/chromium".into()),
        )
        .envs(variables.iter().copied())
        .kill_on_drop(true)
        .output();
    let done = timeout(PATIENCE, run).await.expect("in time").expect("Node.js");
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    let faults = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}{faults}");
    said
}

#[tokio::test]
async fn visits_are_told_as_they_were() {
    node(&["--test", "tracker/events.test.mjs"], &[]).await;
}

#[tokio::test]
async fn what_visitors_feel_is_told_as_the_library_measures_it() {
    node(&["--test", "tracker/vitals.test.mjs"], &[]).await;
}

#[tokio::test]
async fn the_bundles_are_those_of_the_sources_and_small() {
    node(&["../../tracker/build.mjs", "--check"], &[]).await;
}
