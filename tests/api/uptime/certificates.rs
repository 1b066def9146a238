//! GET /domains/{domain_id}/ssl/certificate and /ssl/history

use std::sync::Arc;

use pharos_domain::ids::RunId;
use pharos_egress::{address_policy::AddressPolicy, resolver::NameResolver, trust::TrustAnchors};
use pharos_uptime::{
    certificate::{Encounter, Sighting},
    checker::{Checker, Occasion},
    finished::FinishedCheck,
    monitor::settings::MonitorSettings,
    probe::{ProbeLimits, Prober},
};
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

use super::{check, finished, path};
use crate::harness::{
    TestApp,
    openssl::{TlsSite, Vault, told},
};

fn ssl(app: &TestApp, what: &str) -> String {
    format!("/domains/{}/ssl/{what}", app.world.domain)
}

async fn shown(app: &TestApp, what: &str) -> Value {
    app.get(&ssl(app, what), &app.world.key).send().await.ok()
}

/// Stores a check that found the world's site over plain http.
pub(crate) async fn see_plain(app: &TestApp) {
    let done = FinishedCheck {
        sighting: Some(Arc::new(Sighting {
            host: "shop.example".to_owned(),
            port: 80,
            encounter: Encounter::Plain,
        })),
        ..finished(check(app.world.domain, app.now(), 200))
    };
    app.stores.schedule.complete(&[done], app.now()).await.unwrap();
}

async fn watched() -> TestApp {
    let app = TestApp::start().await;
    app.put(&path(&app, "config"), &app.world.key, &json!({}))
        .send()
        .await
        .ok();
    app
}

#[tokio::test]
async fn without_a_monitor_or_a_check_there_is_nothing_to_show() {
    let app = TestApp::start().await;
    for what in ["certificate", "history"] {
        let asked = app.get(&ssl(&app, what), &app.world.key).send().await;
        asked.problem(404, "uptime-not-found");
    }
    app.put(&path(&app, "config"), &app.world.key, &json!({}))
        .send()
        .await
        .ok();
    for what in ["certificate", "history"] {
        let asked = app.get(&ssl(&app, what), &app.world.key).send().await;
        asked.problem(404, "check-data-not-found");
    }
}

#[tokio::test]
async fn a_site_over_plain_http_has_no_certificate() {
    let app = watched().await;
    see_plain(&app).await;
    let open = |code: &str| json!({ "code": code, "passed": null, "detail": null });
    let want = json!({
        "state": "none",
        "checked_at": "2026-03-31T09:15:00Z",
        "host": "shop.example",
        "port": 80,
        "error_class": null,
        "subject_common_name": null,
        "subject_alt_names": [],
        "subject_alt_names_count": null,
        "issuer_common_name": null,
        "issuer_organization": null,
        "serial_number": null,
        "fingerprint_sha256": null,
        "valid_from": null,
        "valid_until": null,
        "days_remaining": null,
        "lifetime_days": null,
        "key_algorithm": null,
        "key_bits": null,
        "signature_algorithm": null,
        "protocol": null,
        "cipher_suite": null,
        "alpn": null,
        "hsts_max_age_seconds": null,
        "hsts_include_subdomains": null,
        "hsts_preload": null,
        "chain": [],
        "chain_complete": null,
        "checks": [
            open("not_expired"),
            open("name_matches"),
            open("chain_trusted"),
            open("strong_key"),
            open("strong_signature"),
            open("modern_protocol"),
        ],
    });
    assert_eq!(shown(&app, "certificate").await, want);
    let empty = json!({ "items": [], "next_cursor": null, "has_more": false });
    assert_eq!(shown(&app, "history").await, empty);
}

/// Checks the site as a scheduler does, with a prober that trusts the vault's authority.
pub(crate) async fn check_site(app: &TestApp, vault: &Vault, site: &TlsSite, verify_tls: bool) {
    let address = std::net::SocketAddr::from(([127, 0, 0, 1], site.port));
    let trust = TrustAnchors::web().with_extra(&vault.read("root.pem")).unwrap();
    let prober = Prober::new(
        NameResolver::system().unwrap(),
        AddressPolicy::public().permitting_exactly(address),
        &trust,
        ProbeLimits::default(),
    );
    let checker = Checker {
        prober: Arc::new(prober.unwrap()),
        clock: app.clock.clone(),
        region: "local".to_owned(),
    };
    let hostname = "shop.example".parse().unwrap();
    let mut settings = MonitorSettings::defaults(&hostname, &["local".to_owned()]);
    settings.url = format!("https://{address}/page");
    settings.verify_tls = verify_tls;
    let now = app.now();
    let done = checker
        .check(app.world.domain, &settings, Occasion::Run(RunId::generate()))
        .await
        .unwrap();
    app.stores.schedule.complete(&[done], now).await.unwrap();
    app.clock.advance(Duration::MINUTE);
}

/// An app whose clock says what the machine's says: certificates are made now.
pub(crate) async fn watched_now() -> TestApp {
    let app = watched().await;
    app.clock.advance(OffsetDateTime::now_utc() - app.now());
    app
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_is_shown_as_openssl_reads_it() {
    let vault = Vault::new("Test_Root");
    vault.issue("site", "-newkey rsa:2048", 90);
    let site = TlsSite::start(&vault, "site", &[]);
    let app = watched_now().await;
    check_site(&app, &vault, &site, true).await;
    let shown = shown(&app, "certificate").await;

    let printed = vault.openssl(
        "x509 -in site.pem -noout -serial -fingerprint -sha256 -startdate -enddate -dateopt iso_8601 -text",
    );
    let fingerprint = told(&printed, "sha256 Fingerprint=")
        .replace(':', "")
        .to_lowercase();
    assert_eq!(shown["fingerprint_sha256"], fingerprint);
    assert_eq!(shown["serial_number"], told(&printed, "serial=").to_lowercase());
    assert_eq!(
        shown["valid_from"],
        told(&printed, "notBefore=").replace(' ', "T")
    );
    assert_eq!(
        shown["valid_until"],
        told(&printed, "notAfter=").replace(' ', "T")
    );
    assert_eq!(
        shown["signature_algorithm"],
        told(&printed, "Signature Algorithm: ")
    );
    assert_eq!(told(&printed, "Public-Key: "), "(2048 bit)");

    let mut rest = shown.clone();
    for checked in [
        "fingerprint_sha256",
        "serial_number",
        "valid_from",
        "valid_until",
        "checked_at",
    ] {
        rest[checked] = Value::Null;
    }
    let (own, root) = (&shown["fingerprint_sha256"], "Test_Root");
    let passed = |code: &str| json!({ "code": code, "passed": true, "detail": null });
    let suite = rest["cipher_suite"].take();
    assert!(suite.as_str().unwrap().starts_with("TLS_"), "{suite}");
    let want = json!({
        "state": "valid",
        "checked_at": null,
        "host": "127.0.0.1",
        "port": site.port,
        "error_class": null,
        "subject_common_name": "shop.example",
        "subject_alt_names": ["127.0.0.1", "shop.example"],
        "subject_alt_names_count": 2,
        "issuer_common_name": root,
        "issuer_organization": null,
        "serial_number": null,
        "fingerprint_sha256": null,
        "valid_from": null,
        "valid_until": null,
        // A minute has passed since it was made for 90 days.
        "days_remaining": 89,
        "lifetime_days": 90,
        "key_algorithm": "rsa",
        "key_bits": 2048,
        "signature_algorithm": "ecdsa-with-SHA256",
        "protocol": "tls1.3",
        "cipher_suite": null,
        "alpn": "http/1.1",
        "hsts_max_age_seconds": 600,
        "hsts_include_subdomains": false,
        "hsts_preload": true,
        "chain": [{
            "position": 0,
            "common_name": "shop.example",
            "issuer_common_name": root,
            "valid_until": shown["valid_until"],
            "fingerprint_sha256": own,
            "is_root": false,
        }],
        "chain_complete": true,
        "checks": [
            passed("not_expired"),
            passed("name_matches"),
            passed("chain_trusted"),
            passed("strong_key"),
            passed("strong_signature"),
            passed("modern_protocol"),
        ],
    });
    assert_eq!(rest, want);
}

/// The state follows the clock, without another check.
#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_ages_though_nobody_checks() {
    let vault = Vault::new("Test_Root");
    vault.issue("site", "-newkey ec -pkeyopt ec_paramgen_curve:P-384", 90);
    let site = TlsSite::start(&vault, "site", &["-tls1_2"]);
    let app = watched_now().await;
    check_site(&app, &vault, &site, true).await;
    let state = async || {
        let shown = shown(&app, "certificate").await;
        (shown["state"].clone(), shown["days_remaining"].clone())
    };
    let first = shown(&app, "certificate").await;
    assert_eq!(
        (&first["protocol"], &first["key_algorithm"], &first["key_bits"]),
        (&json!("tls1.2"), &json!("ecdsa"), &json!(384))
    );
    assert_eq!(state().await, (json!("valid"), json!(89)));
    app.clock.advance(Duration::days(59));
    assert_eq!(state().await, (json!("expiring_soon"), json!(30)));
    app.clock.advance(Duration::days(31));
    assert_eq!(state().await, (json!("expired"), json!(-1)));
    let status = app.get(&path(&app, "status"), &app.world.key).send().await.ok();
    assert_eq!(status["ssl_days_remaining"], -1);
}

/// A refused certificate, a server that does not speak TLS, and a renewal.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_is_shown_and_what_follows_is_remembered() {
    let vault = Vault::new("Test_Root");
    vault.issue("old", "-newkey ed25519", 20);
    vault.issue("new", "-newkey ec -pkeyopt ec_paramgen_curve:P-256", 90);
    let foreign = Vault::new("Other_Root");
    let app = watched_now().await;
    let begin = app.now();
    // The checks lie a second apart: the database's clock stamps what is too far ahead of it.
    let back = || app.clock.advance(-Duration::seconds(59));
    {
        let site = TlsSite::start(&vault, "old", &[]);
        check_site(&app, &foreign, &site, true).await;
        back();
        let refused = shown(&app, "certificate").await;
        assert_eq!(refused["state"], "untrusted");
        assert_eq!(refused["key_algorithm"], "ed25519");
        assert_eq!(
            (&refused["protocol"], &refused["hsts_max_age_seconds"]),
            (&Value::Null, &Value::Null),
            "nothing is asked of a server that is not trusted"
        );
        assert_eq!(refused["chain_complete"], false);
        let check = &refused["checks"][2];
        assert_eq!(
            (&check["code"], &check["passed"]),
            (&json!("chain_trusted"), &json!(false))
        );
        assert!(check["detail"].as_str().unwrap().contains("trusted authority"));
    }
    {
        let site = TlsSite::start(&vault, "new", &["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"]);
        check_site(&app, &vault, &site, true).await;
        back();
        let unreachable = shown(&app, "certificate").await;
        assert_eq!(
            (
                &unreachable["state"],
                &unreachable["error_class"],
                &unreachable["fingerprint_sha256"]
            ),
            (&json!("unreachable"), &json!("tls_handshake"), &Value::Null)
        );
        let history = shown(&app, "history").await;
        assert_eq!(history["items"][0]["is_current"], true, "nothing has replaced it");
    }
    let site = TlsSite::start(&vault, "new", &[]);
    check_site(&app, &vault, &site, true).await;
    let page = shown(&app, "history").await;
    let [new, old] = page["items"].as_array().unwrap().as_slice() else {
        panic!("{page}");
    };
    for (file, seen) in [("new", new), ("old", old)] {
        let printed = vault.openssl(&format!(
            "x509 -in {file}.pem -noout -fingerprint -sha256 -startdate -enddate -dateopt iso_8601"
        ));
        let fingerprint = told(&printed, "sha256 Fingerprint=")
            .replace(':', "")
            .to_lowercase();
        assert_eq!(seen["fingerprint_sha256"], fingerprint);
        assert_eq!(seen["valid_from"], told(&printed, "notBefore=").replace(' ', "T"));
        assert_eq!(seen["valid_until"], told(&printed, "notAfter=").replace(' ', "T"));
        assert_eq!(seen["issuer_common_name"], "Test_Root");
        assert_eq!(seen["subject_alt_names_count"], 2);
    }
    assert_eq!(
        (&new["is_current"], &new["replaced_days_before_expiry"]),
        (&json!(true), &Value::Null)
    );
    assert_eq!(
        (&old["is_current"], &old["replaced_days_before_expiry"]),
        (&json!(false), &json!(19))
    );
    let at =
        |second| pharos_domain::timestamp::Timestamp::from(begin + Duration::seconds(second)).to_string();
    assert_eq!(
        (&old["first_seen_at"], &old["last_seen_at"]),
        (&json!(at(0)), &json!(at(0)))
    );
    assert_eq!(
        (&new["first_seen_at"], &new["last_seen_at"]),
        (&json!(at(2)), &json!(at(2)))
    );
}
