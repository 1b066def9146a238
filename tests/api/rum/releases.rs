//! Releases: pharos admin release, and the widget of reports that lists them.

use std::process::Output;

use serde_json::{Value, json};

use crate::{
    admin::{done, pharos, refused},
    harness::TestApp,
};

fn run(app: &TestApp, command: &str, more: &[&str]) -> Output {
    let domain = app.world.domain.to_string();
    let mut arguments = vec!["release", command, &domain];
    arguments.extend(more);
    pharos(app, &arguments)
}

fn listed(app: &TestApp) -> Value {
    done(&run(app, "list", &[]))
}

fn release(name: &str, at: &str) -> Value {
    json!({ "name": name, "released_at": at })
}

#[tokio::test(flavor = "multi_thread")]
async fn releases_are_noted_listed_and_forgotten() {
    let app = TestApp::start().await;
    assert_eq!(listed(&app), json!([]));
    for (name, at) in [
        ("2.4.0", "2026-03-12T09:30:00Z"),
        ("Größe 7", "2026-03-20T02:00:00+02:00"),
    ] {
        let added = done(&run(&app, "add", &[name, "--at", at]));
        assert_eq!(
            (&added["name"], &added["older_ones_removed"]),
            (&json!(name), &json!(0))
        );
    }
    let first = release("2.4.0", "2026-03-12T09:30:00Z");
    let second = release("Größe 7", "2026-03-20T00:00:00Z");
    assert_eq!(listed(&app), json!([second, first]));
    let again = done(&run(&app, "add", &["2.4.0"]));
    assert_eq!(again["released_at"], first["released_at"], "it keeps its moment");
    done(&run(&app, "add", &["2.4.0", "--at", "2026-03-21T00:00:00Z"]));
    assert_eq!(
        listed(&app),
        json!([release("2.4.0", "2026-03-21T00:00:00Z"), second])
    );

    let now = done(&run(&app, "add", &["now"]));
    assert_eq!(listed(&app)[0]["released_at"], now["released_at"]);
    assert_eq!(done(&run(&app, "remove", &["now"]))["removed"], true);
    refused(&run(&app, "remove", &["now"]), "has no release now");
    assert_eq!(listed(&app).as_array().unwrap().len(), 2);
    let audited = app
        .sql("SELECT action, count(*) FROM audit_log WHERE action LIKE 'release.%' GROUP BY action ORDER BY action")
        .await;
    let told = |action: &str, times: &str| [Some(action.to_owned()), Some(times.to_owned())];
    assert_eq!(audited, [told("release.add", "5"), told("release.remove", "1")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_release_that_can_not_be_is_refused() {
    let app = TestApp::start().await;
    let long = "a".repeat(101);
    for name in ["", " ", " 1", "a\nb", &long] {
        refused(&run(&app, "add", &[name]), "a release is named by");
    }
    let add = |at: &str| run(&app, "add", &["1", "--at", at]);
    refused(&add("9999-12-31T23:59:59Z"), "still to come");
    refused(&add("soon"), "not an RFC 3339 time");
    let nobody = "019aa5e2-7b6c-7d10-8e9f-0123456789ab";
    refused(
        &pharos(&app, &["release", "add", nobody, "1"]),
        "there is no such domain",
    );
    assert_eq!(listed(&app), json!([]));
}
