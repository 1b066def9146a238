//! `pharos doctor` on an installation: what it sees of nodes, clocks and settings; and what other commands refuse to start with.

use std::{
    process::{Command, Output},
    time::{Duration, Instant},
};

use pharos_synthetic::profile::LIGHTHOUSE_VERSION;
use serde_json::Value;

use crate::harness::{
    ClockBehind, Node, TestApp, binary,
    openssl::{TlsSite, Vault},
};

/// A command of the program, with nothing configured but this.
fn pharos(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    Command::new(binary())
        .args(arguments)
        .envs(environment.iter().copied())
        .output()
        .unwrap()
}

/// The findings on a subject: whether each is well, and its words.
pub(crate) fn findings(environment: &[(&str, &str)], subject: &str) -> Vec<(bool, String)> {
    let output = pharos(&["doctor", "--json"], environment);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let all_well = findings.iter().all(|finding| finding["well"] == true);
    assert_eq!(output.status.success(), all_well, "{findings:?}");
    findings
        .iter()
        .filter(|finding| finding["what"] == subject)
        .map(|finding| {
            let detail = finding["detail"].as_str().unwrap();
            (finding["well"] == true, detail.to_owned())
        })
        .collect()
}

#[track_caller]
pub(crate) fn only(findings: Vec<(bool, String)>) -> (bool, String) {
    assert_eq!(findings.len(), 1, "{findings:?}");
    findings.into_iter().next().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_node_without_redis_is_told() {
    let app = TestApp::start().await;
    let url = app.database.url();
    let environment = [("PHAROS_DATABASE_URL", url)];
    let (is_well, alone) = only(findings(&environment, "Redis"));
    assert!(is_well && alone.starts_with("none"), "{alone}");
    // The tests' own node is one.
    let _second = Node::start(&["--roles", "api"], &environment);
    // A node listens for changes soon after it answers.
    let deadline = Instant::now() + Duration::from_secs(30);
    let (is_well, two) = loop {
        let found = only(findings(&environment, "Redis"));
        if found.1.contains("2 nodes") || Instant::now() > deadline {
            break found;
        }
    };
    assert!(
        !is_well && two.contains("2 nodes") && two.contains("PHAROS_REDIS_URL"),
        "{two}"
    );
    let gone = [
        environment[0],
        ("PHAROS_REDIS_URL", "redis://:swordfish@127.0.0.1:9"),
    ];
    let (is_well, gone) = only(findings(&gone, "Redis"));
    assert!(
        !is_well && gone.contains("does not answer") && !gone.contains("swordfish"),
        "{gone}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_lab_tests_lack_is_told_with_what_to_install() {
    let app = TestApp::start().await;
    let database = ("PHAROS_DATABASE_URL", app.database.url());
    let (is_well, nothing) = only(findings(&[database], "lab tests"));
    assert!(
        is_well && nothing.contains("install Chromium, run `npm ci`") && nothing.contains("set lab_folder"),
        "{nothing}"
    );
    let empty = tempfile::tempdir().unwrap();
    let folder = ("PHAROS_LAB_FOLDER", empty.path().to_str().unwrap());
    let (is_well, without) = only(findings(&[database, folder], "lab tests"));
    assert!(
        !is_well
            && without.contains("Lighthouse")
            && without.contains("run `npm ci` in crates/synthetic/core/lab"),
        "{without}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lab_is_told_with_its_versions_and_how_fast_a_browser_is() {
    let app = TestApp::start().await;
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/synthetic/core/lab");
    let chromium = std::env::var("PHAROS_TEST_CHROMIUM").unwrap_or_else(|_| "/usr/bin/chromium".to_owned());
    let environment = [
        ("PHAROS_DATABASE_URL", app.database.url()),
        ("PHAROS_LAB_FOLDER", folder),
        ("PHAROS_CHROMIUM", chromium.as_str()),
    ];
    let (is_well, told) = only(findings(&environment, "lab tests"));
    let versions = format!("Lighthouse {LIGHTHOUSE_VERSION}, Chromium ");
    assert!(is_well && told.starts_with(&versions), "{told}");
    let (_, index) = told.rsplit_once("; the benchmark index is ").unwrap();
    let (index, advice) = index.split_once(": ").unwrap_or((index, ""));
    let index: u32 = index.parse().unwrap();
    assert!(index > 0, "{told}");
    assert_eq!(index < 1_000, advice.contains("faster machine"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_behind_is_told() {
    let app = TestApp::start().await;
    let url = app.database.url();
    let (is_well, agrees) = only(findings(&[("PHAROS_DATABASE_URL", url)], "clock"));
    assert!(is_well, "{agrees}");
    let behind = ClockBehind::new();
    let (preload, library) = behind.environment();
    let (is_well, behind) = only(findings(
        &[("PHAROS_DATABASE_URL", url), (preload, &library)],
        "clock",
    ));
    assert!(
        !is_well && behind.contains("behind the database's") && behind.contains("NTP"),
        "{behind}"
    );
}

/// Upkeep that fails, and days that nobody rolls up. The tests' own node does no upkeep.
#[tokio::test(flavor = "multi_thread")]
async fn failing_upkeep_and_late_roll_ups_are_told() {
    let app = TestApp::start().await;
    let environment = [("PHAROS_DATABASE_URL", app.database.url())];
    app.sql("UPDATE uptime_monitors SET created_at = now()").await;
    let told = |subject: &str| only(findings(&environment, subject));
    assert_eq!(told("upkeep"), (true, "no step fails".to_owned()));
    let (is_well, none) = told("roll-ups");
    assert!(is_well, "{none}");

    app.sql("INSERT INTO upkeep_failures (step, reason, times) VALUES ('runs', 'the reason', 3)")
        .await;
    let (is_well, failing) = told("upkeep");
    assert!(
        !is_well && failing.starts_with("the step runs has failed 3 times") && failing.contains("the reason"),
        "{failing}"
    );
    let progress = format!(
        "INSERT INTO rum_progress (domain_id, first_at, last_at, rolled_until)
         VALUES ('{}', now() - interval '9 days', now(), now() - interval '4 days')",
        app.world.domain
    );
    app.sql(&progress).await;
    let (is_well, late) = told("roll-ups");
    assert!(!is_well && late.contains("(1 of vitals)"), "{late}");
    app.sql("UPDATE rum_progress SET rolled_until = date_trunc('day', now(), 'UTC') - interval '1 day'")
        .await;
    let (is_well, recent) = told("roll-ups");
    assert!(is_well, "{recent}");
}

/// Nothing of a secret is printed, and nothing that only who wrote the program knows.
#[test]
fn what_is_in_force_is_told_without_secrets_and_types() {
    let secrets = [
        (
            "PHAROS_DATABASE_URL",
            "postgres://pharos:swordfish@127.0.0.1:9/pharos",
        ),
        ("PHAROS_REDIS_URL", "redis://:swordfish@127.0.0.1:9"),
        ("PHAROS_CRUX_API_KEY", "swordfish"),
        ("PHAROS_GOOGLE_CLIENT_ID", "a client"),
        ("PHAROS_GOOGLE_CLIENT_SECRET", "swordfish"),
        ("PHAROS_SMTP_URL", "smtps://pharos:swordfish@127.0.0.1:9"),
        ("PHAROS_MAIL_FROM", "pharos@mail.example"),
        (
            "PHAROS_SECRET_KEY",
            "c3dvcmRmaXNoc3dvcmRmaXNoc3dvcmRmaXNoISEhISE=",
        ),
    ];
    for arguments in [&["doctor"][..], &["doctor", "--json"]] {
        let output = pharos(arguments, &secrets);
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(!output.status.success(), "{said}");
        assert_eq!(said.matches("(set)").count(), 6, "{said}");
        for word in [
            "swordfish",
            "c3dvcmRm",
            "::",
            "Option",
            "Some(",
            "Config",
            "Flags",
        ] {
            assert!(!said.contains(word), "{word}: {said}");
        }
    }
}

/// The help ends with each setting, its value and where that came from.
#[test]
fn the_help_says_what_is_in_force() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pharos.toml");
    std::fs::write(&file, "region = \"helsinki\"\n").unwrap();
    let environment = [
        (
            "PHAROS_DATABASE_URL",
            "postgres://pharos:swordfish@127.0.0.1:9/pharos",
        ),
        ("PHAROS_TRUSTED_HOPS", "2"),
        ("PHAROS_CONFIG", file.to_str().unwrap()),
    ];
    // Each line without the spaces that align it.
    let told = |arguments: &[&str], environment: &[(&str, &str)]| {
        let output = pharos(arguments, environment);
        assert!(output.status.success(), "{arguments:?}");
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(!told.contains("swordfish"), "{told}");
        told.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let listens = ["serve", "--listen", "127.0.0.1:7199", "--help"];
    for (arguments, listen) in [
        (&["--help"][..], "listen 127.0.0.1:7070 (default)"),
        (&["help", "serve"], "listen 127.0.0.1:7070 (default)"),
        (&listens, "listen 127.0.0.1:7199 (flag)"),
    ] {
        let help = told(arguments, &environment);
        let from_file = format!("region helsinki (file {})", file.display());
        for line in [
            listen,
            &from_file,
            "trusted_hops 2 (environment, PHAROS_TRUSTED_HOPS)",
            "database_url (set) (environment, PHAROS_DATABASE_URL)",
            "redis_url – (default)",
        ] {
            assert!(help.contains(line), "{arguments:?}: {line}: {help}");
        }
    }
    let broken = told(&["--help"], &[("PHAROS_TRUSTED_HOPS", "many")]);
    assert!(
        broken.contains("No settings are in force:") && broken.contains("PHAROS_TRUSTED_HOPS"),
        "{broken}"
    );
    let backup = told(&["backup", "--help"], &environment);
    assert!(!backup.contains("trusted_hops"), "{backup}");
}

#[test]
fn an_unknown_variable_keeps_every_command_from_starting() {
    let misspelled = [("PHAROS_DATABSE_URL", "postgres://127.0.0.1:9/pharos")];
    for arguments in [
        &["serve"][..],
        &["migrate"],
        &["admin", "plan", "list"],
        &["healthcheck"],
    ] {
        let output = pharos(arguments, &misspelled);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{arguments:?}");
        assert!(
            error.contains("PHAROS_DATABSE_URL sets nothing; perhaps PHAROS_DATABASE_URL is meant"),
            "{arguments:?}: {error}"
        );
    }
    let (is_well, told) = only(findings(&misspelled, "configuration"));
    assert!(!is_well && told.contains("PHAROS_DATABASE_URL"), "{told}");
}

#[test]
fn an_unknown_setting_and_a_file_that_is_not_there_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pharos.toml");
    let named = file.to_str().unwrap();
    let refused = |text: Option<&str>| {
        if let Some(text) = text {
            std::fs::write(&file, text).unwrap();
        }
        let output = pharos(&["serve", "--config", named], &[]);
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let missing = refused(None);
    assert!(
        missing.contains("(os error 2) (from file ") && missing.contains("pharos.toml"),
        "{missing}"
    );
    let unknown = refused(Some("redis = \"redis://127.0.0.1\"\n"));
    assert!(
        unknown.contains("there is no setting redis; perhaps redis_url is meant"),
        "{unknown}"
    );
    assert!(unknown.contains("pharos.toml"), "{unknown}");
    // As a file has it, and a variable too.
    let no_list = refused(Some("roles = \"api\"\n"));
    assert!(no_list.contains("such as [\"api\"]"), "{no_list}");
    let wrong = refused(Some("check_concurrency = 0\n"));
    assert!(
        wrong.contains("check_concurrency is a whole number from 1 to 100,000, not 0"),
        "{wrong}"
    );
}

#[test]
fn a_fault_is_told_once_and_with_what_to_do() {
    let nobody = [(
        "PHAROS_DATABASE_URL",
        "postgres://pharos:swordfish@127.0.0.1:9/pharos",
    )];
    let (is_well, why) = only(findings(&nobody, "database"));
    assert!(
        !is_well && why.contains("Connection refused") && why.ends_with("; check PHAROS_DATABASE_URL"),
        "{why}"
    );
    assert_eq!(why.matches("error connecting to server").count(), 1, "{why}");
    assert!(!why.contains("swordfish"), "{why}");

    let no_filter = pharos(&["doctor"], &[("PHAROS_LOG", "pharos=loud")]);
    let said = String::from_utf8(no_filter.stdout).unwrap();
    assert!(!no_filter.status.success(), "{said}");
    assert_eq!(said.matches("error parsing level filter").count(), 1, "{said}");
    assert!(!said.contains("\n\n\n"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_is_asked_by_its_own_program() {
    let app = TestApp::start().await;
    let node = Node::start(
        &["--roles", "api"],
        &[("PHAROS_DATABASE_URL", app.database.url())],
    );
    let address = node.address.to_string();
    let asked = || {
        pharos(&["healthcheck"], &[("PHAROS_LISTEN", &address)])
            .status
            .success()
    };
    assert!(asked());
    drop(node);
    assert!(!asked());
}

#[test]
fn shells_complete_the_command_line() {
    for shell in ["bash", "zsh", "fish"] {
        let output = pharos(&["completions", shell], &[]);
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(
            output.status.success() && script.contains("healthcheck"),
            "{shell}: {script}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_answers_by_the_authorities_that_its_own_setting_names() {
    let app = TestApp::start().await;
    let vault = Vault::new("Store-CA");
    vault.issue("store", "-newkey ec -pkeyopt ec_paramgen_curve:P-256", 30);
    let listed = "<ListBucketResult><KeyCount>0</KeyCount></ListBucketResult>";
    let length = listed.len();
    let answer = format!("HTTP/1.0 200 OK\r\nContent-Length: {length}\r\n\r\n{listed}");
    std::fs::write(vault.path("pictures?list-type=2"), answer).unwrap();
    let store = TlsSite::start(&vault, "store", &[]);
    let endpoint = format!("https://127.0.0.1:{}", store.port);
    let looked = |roots: Option<&str>| {
        let mut environment = vec![
            ("PHAROS_DATABASE_URL", app.database.url()),
            ("PHAROS_ARTEFACTS_BUCKET", "pictures"),
            ("PHAROS_ARTEFACTS_ENDPOINT", endpoint.as_str()),
            ("PHAROS_ARTEFACTS_ACCESS_KEY_ID", "pharos"),
            ("PHAROS_ARTEFACTS_SECRET_ACCESS_KEY", "swordfish"),
        ];
        environment.extend(roots.map(|roots| ("PHAROS_ARTEFACTS_ROOTS", roots)));
        only(findings(&environment, "artefacts"))
    };
    let roots = vault.path("root.pem");
    assert_eq!(
        looked(Some(&roots)),
        (true, "the bucket pictures answers".to_owned())
    );
    let (is_well, why) = looked(None);
    assert!(
        !is_well
            && why.starts_with("the bucket pictures: ")
            && why.contains("; check PHAROS_ARTEFACTS_ENDPOINT"),
        "{why}"
    );
    let (is_well, why) = looked(Some("/nowhere.pem"));
    assert!(
        !is_well && why.starts_with("artefacts_roots /nowhere.pem: "),
        "{why}"
    );
}
