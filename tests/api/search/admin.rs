//! `pharos admin search`, through the real binary.

use std::{
    fs,
    process::{Command, Output},
};

use pharos_domain::timestamp::Timestamp;
use serde_json::json;

use super::{
    google::{Google, Instead, SITE, Steady},
    official_client::key_file,
    read,
};
use crate::{
    admin::{done, refused},
    harness::{TestApp, binary},
};

fn search(app: &TestApp, google: &Google, arguments: &[&str]) -> Output {
    asking(app, [&google.url(""), &google.url("token")], arguments)
}

/// The same where the API and tokens are asked for at these addresses.
fn asking(app: &TestApp, [api, token]: [&str; 2], arguments: &[&str]) -> Output {
    let mut command = Command::new(binary());
    command
        .env("PHAROS_DATABASE_URL", app.database.url())
        .env("PHAROS_PROBE_NETWORKS", "[\"127.0.0.0/8\"]")
        .env("PHAROS_GOOGLE_SEARCH_URL", api)
        .env("PHAROS_GOOGLE_TOKEN_URL", token)
        .args(["admin", "--json", "search"])
        .args(arguments);
    command.output().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_account_is_added_linked_and_taken_away() {
    let app = TestApp::start().await;
    let google = Google::of(Steady, app.clock.clone()).await;
    let run = |arguments: &[&str]| search(&app, &google, arguments);
    let (workspace, domain) = (app.world.workspace.to_string(), app.world.domain.to_string());
    let folder = tempfile::tempdir().unwrap();
    let add = |text: &str| {
        let file = folder.path().join("key.json");
        fs::write(&file, text).unwrap();
        run(&["add", &workspace, "--key-file", file.to_str().unwrap()])
    };
    let large = " ".repeat(20_000);
    let unsigned =
        json!({ "type": "service_account", "client_email": "pharos@shop.example", "private_key": "secret" })
            .to_string();
    for (text, why) in [
        (
            "-----BEGIN PRIVATE KEY-----",
            "the file is not the JSON that Google gives out as a key",
        ),
        ("{\"type\": \"authorized_user\"}", "credentials of another type"),
        ("{\"type\": \"service_account\"}", "the file has no client_email"),
        (unsigned.as_str(), "no RSA key in PEM"),
        (large.as_str(), "is larger than any key file"),
    ] {
        refused(&add(text), why);
    }
    let (text, _) = key_file();
    let nobody = text.replace("pharos@shop.iam.gserviceaccount.com", "no-at");
    refused(&add(&nobody), "the client_email of the file is no e-mail address");
    let added = done(&add(&text));
    assert_eq!(added["label"], "pharos@shop.iam.gserviceaccount.com");
    let account = added["id"].as_str().unwrap();
    let listed = run(&["accounts", &workspace]);
    assert!(!String::from_utf8_lossy(&listed.stdout).contains("PRIVATE KEY"));
    let listed = done(&listed);
    assert_eq!(listed[0]["kind"], "service_account");
    let created = listed[0]["created_at"].as_str().unwrap();
    assert!(created.parse::<Timestamp>().is_ok(), "{created}");

    let properties = done(&run(&["properties", account]));
    assert_eq!(properties[0], json!({ "property": SITE, "permission": "owner" }));
    let link = |property: &str| run(&["link", &domain, account, property]);
    refused(&link("https://other.example/"), "is no property of shop.example");
    refused(
        &link("sc-domain:www.shop.example"),
        "may not see sc-domain:www.shop.example",
    );
    // Nothing listens there.
    let nowhere = |arguments: &[&str]| {
        let services = ["http://127.0.0.1:9/", "http://127.0.0.1:9/token"];
        asking(&app, services, arguments)
    };
    refused(
        &nowhere(&["properties", account]),
        "no answer came of http://127.0.0.1:9/token or http://127.0.0.1:9/: ",
    );
    refused(
        &nowhere(&["link", &domain, account, "shop.example"]),
        "shop.example is no property of shop.example or of what lies below it",
    );
    done(&link(SITE));
    assert_eq!(read(&app, "property").await["status"], "pending");
    refused(&run(&["remove", account]), "the account still reads the property");
    done(&run(&["unlink", &domain]));

    // The key was deleted at Google.
    google.answers(Instead {
        path: "token",
        holds: "assertion=",
        status: 400,
        headers: "",
        body: json!({ "error": "invalid_grant" }).to_string(),
    });
    refused(
        &run(&["properties", account]),
        "Google does not take the account's consent or key any more",
    );
    done(&run(&["remove", account]));
    assert_eq!(done(&run(&["accounts", &workspace])), json!([]));
}
