//! The admin address: its answers, the addresses that are refused, and the warning of one that others reach.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Command, Stdio},
};

use serde_json::Value;

use super::Recording;
use crate::harness::{Request, TestApp, binary, free_address};

#[tokio::test(flavor = "multi_thread")]
async fn the_admin_address_answers_scrapes_and_nothing_else() {
    let app = TestApp::start().await;
    let recording = Recording::start(&app, "api");
    for (method, path) in [
        ("GET", "//"),
        ("GET", "//metrics/"),
        ("POST", "//metrics"),
        ("DELETE", "//metrics"),
        ("GET", "//livez"),
        ("GET", "/me"),
    ] {
        let asked = Request::new(recording.admin, method, path).key(&app.world.key);
        assert_eq!(asked.send_unchecked().await.status, 404, "{method} {path}");
    }
    let api = Request::new(recording.node.address, "GET", "//metrics");
    assert_eq!(api.send_unchecked().await.status, 404, "the API tells nobody");

    // A head that never ends is not waited for, and keeps no scrape from its answer.
    let mut slow: Vec<TcpStream> = (0..40)
        .map(|_| {
            let mut slow = TcpStream::connect(recording.admin).unwrap();
            slow.write_all(b"GET /metrics HTTP/1.1\r\nhost:").unwrap();
            slow
        })
        .collect();
    recording.scrape().await;
    let mut answer = Vec::new();
    let given_up = slow[0].read_to_end(&mut answer);
    assert!(
        given_up.is_err() || answer.starts_with(b"HTTP/1.1 408 "),
        "{answer:?}"
    );

    let doctor = Command::new(binary())
        .args(["doctor", "--json"])
        .env("PHAROS_DATABASE_URL", app.database.url())
        .env("PHAROS_ADMIN_ADDRESS", recording.admin.to_string())
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&doctor.stdout).unwrap();
    let find = |list: &str, by: &str| {
        let mut found = report[list].as_array().unwrap().iter();
        found.find(|one| one[by] == "admin_address").unwrap().clone()
    };
    let detail = format!("Pharos runs on {}", recording.admin);
    assert_eq!(find("findings", "what")["detail"], detail);
    let setting = find("settings", "name");
    assert_eq!(setting["value"], recording.admin.to_string());
    assert!(
        setting["from"].as_str().unwrap().contains("environment"),
        "{setting}"
    );
}

/// The complaint of `pharos serve` when it does not start.
fn refused(arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let output = Command::new(binary())
        .arg("serve")
        .args(arguments)
        .envs(environment.iter().copied())
        .output()
        .unwrap();
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn an_address_that_can_not_be_had_is_named() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let listen = free_address().to_string();
    let said = refused(&["--listen", &listen, "--admin-address", &address], &[]);
    let want = format!("can't serve metrics on {address}; choose another address with --admin-address");
    assert!(said.contains(&want), "{said}");

    let said = refused(&["--listen", &listen, "--admin-address", &listen], &[]);
    let want = format!("admin_address is another than listen, {listen}");
    assert!(said.contains(&want), "{said}");

    for bad in ["9100", "localhost:9100", "127.0.0.1", "127.0.0.1:99999"] {
        let said = refused(&["--admin-address", bad], &[]);
        assert!(said.contains(bad) && said.contains("--admin-address"), "{said}");
        let said = refused(&[], &[("PHAROS_ADMIN_ADDRESS", bad)]);
        assert!(said.to_lowercase().contains("admin_address"), "{said}");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pharos.toml");
    std::fs::write(&file, "admin_address = \"everywhere\"\n").unwrap();
    let said = refused(&["--config", file.to_str().unwrap()], &[]);
    assert!(
        said.contains("admin_address") && said.contains("pharos.toml"),
        "{said}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_others_reach_is_warned_of() {
    let app = TestApp::start().await;
    let mut node = Command::new(binary())
        .args(["serve", "--roles", "api", "--listen", "127.0.0.1:0"])
        .args(["--admin-address", "0.0.0.0:0"])
        .env("PHAROS_DATABASE_URL", app.database.url())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(node.stderr.take().unwrap()).lines();
    let warned = lines
        .map_while(Result::ok)
        .take_while(|line| !line.contains("Pharos serves the API"))
        .any(|line| line.contains("WARN") && line.contains("it asks for no credential"));
    node.kill().unwrap();
    node.wait().unwrap();
    assert!(warned);
}
