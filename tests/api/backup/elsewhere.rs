//! A restore needs a thing that a backup does not hold: a key that is set.

use std::process::Output;

use serde_json::{Value, json};

use super::{Place, done, refused};
use crate::harness::TestApp;

const KEY: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

/// Runs a command with a setting beside those of the place.
fn with(place: &Place, arguments: &[&str], setting: (&str, &str)) -> Output {
    let mut command = place.command(arguments);
    tokio::task::block_in_place(|| command.env(setting.0, setting.1).output().unwrap())
}

/// Whoever runs it without the node's settings would learn at the restore, when it is too late.
#[tokio::test(flavor = "multi_thread")]
async fn a_backup_whose_secrets_nobody_could_read_is_refused() {
    let app = TestApp::start().await;
    let world = &app.world;
    let place = Place::at(app.database.url());
    std::fs::create_dir(place.data()).unwrap();
    let sealed = [
        (
            "second_factors",
            format!(
                "INSERT INTO second_factors (user_id, secret, made_at, last_step) VALUES ('{}', '\\x01', now(), 0)",
                world.owner
            ),
        ),
        (
            "synthetic_urls",
            format!(
                "INSERT INTO synthetic_urls (id, domain_id, workspace_id, settings, secrets, has_basic_auth, has_cookie, created_at, updated_at)
                 VALUES (gen_random_uuid(), '{}', '{}', '{{}}', '\\x01', true, false, now(), now())",
                world.domain, world.workspace
            ),
        ),
    ];
    for (table, insert) in &sealed {
        app.sql(insert).await;
        let file = place.file(table);
        let why = tokio::task::block_in_place(|| refused(&place.backup(&file)));
        for told in ["no backup was made", *table, "PHAROS_SECRET_KEY", "secret.key"] {
            assert!(why.contains(told), "{told} is missing: {why}");
        }
        assert!(!file.exists());
        app.sql(&format!("DELETE FROM {table}")).await;
    }
    app.sql(&sealed[0].1).await;
    let file = place.file("of the setting");
    // One that lies there from before is not the key of these secrets.
    std::fs::write(place.data().join("secret.key"), "of another time").unwrap();
    let path = file.to_str().unwrap();
    let setting = ("PHAROS_SECRET_KEY", KEY);
    let told = done(&with(&place, &["backup", path], setting));
    assert!(
        told.contains("no key file") && told.contains("Not in it: the key that is set as secret_key"),
        "{told}"
    );
    std::fs::remove_file(&file).unwrap();
    let told: Value =
        serde_json::from_str(&done(&with(&place, &["backup", path, "--json"], setting))).unwrap();
    assert_eq!(
        (&told["keys"], &told["is_key_elsewhere"]),
        (&json!([]), &json!(true))
    );

    std::fs::write(place.data().join("secret.key"), KEY).unwrap();
    let told = tokio::task::block_in_place(|| done(&place.backup(&place.file("of the folder"))));
    assert!(
        told.contains("secret.key") && !told.contains("Not in it"),
        "{told}"
    );
}
