//! The tracker, as browsers fetch it.

use std::io::Read;

use flate2::read::GzDecoder;
use serde_json::json;

use super::Collecting;

#[tokio::test(flavor = "multi_thread")]
async fn the_script_is_kept_for_five_minutes_and_asked_for_by_its_tag() {
    let collecting = Collecting::start(&[]).await;
    let path = format!("/js/{}.js", collecting.key);
    let reply = collecting.request("GET", &path).send_unchecked().await;
    assert_eq!(reply.status, 200);
    assert_eq!(
        reply.header("content-type"),
        Some("text/javascript; charset=utf-8")
    );
    assert_eq!(reply.header("cache-control"), Some("public, max-age=300"));
    assert_eq!(reply.header("vary"), Some("Accept-Encoding"));
    // A page may ask for it by CORS, so that browsers tell it of errors in it.
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
    let script = std::str::from_utf8(&reply.body).unwrap();
    let begins = format!(r#"var pharosSite={{"site":"{}","#, collecting.key);
    assert!(script.starts_with(&begins), "{script:.200}");

    let packed = collecting
        .request("GET", &path)
        .header("accept-encoding", "gzip, br");
    let packed = packed.send_unchecked().await;
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert!(packed.body.len() < 3_000, "{} bytes", packed.body.len());

    let tag = reply.header("etag").unwrap();
    let again = collecting
        .request("GET", &path)
        .header("if-none-match", tag)
        .send_unchecked()
        .await;
    assert_eq!(
        (again.status, again.body.len(), again.header("etag")),
        (304, 0, Some(tag))
    );
    assert_eq!(again.header("access-control-allow-origin"), Some("*"));
    let head = collecting.request("HEAD", &path).send_unchecked().await;
    assert_eq!(
        (head.status, head.body.len(), head.header("etag")),
        (200, 0, Some(tag))
    );
    for unknown in ["/js/pst_zzzzzzzzzzzzzzzzzzzzzz.js", "/js/x", "/js/.js"] {
        let reply = collecting.request("GET", unknown).send_unchecked().await;
        assert_eq!(
            (reply.status, reply.suffix().as_str()),
            (404, "not-found"),
            "{unknown}"
        );
    }
}

/// As a node sends it, of a site whose settings nobody has changed.
#[tokio::test(flavor = "multi_thread")]
async fn the_script_has_less_than_3_kb_for_visits_and_12_kb_with_what_visitors_feel() {
    for (modules, most) in [(&["analytics"][..], 3_000), (&["analytics", "rum"][..], 12_000)] {
        let collecting = Collecting::start(&[]).await;
        let app = &collecting.app;
        for module in modules {
            let config = format!("/domains/{}/{module}/config", app.world.domain);
            let enabled = json!({ "enabled": true });
            app.put(&config, &app.world.key, &enabled).send().await.ok();
        }
        let path = format!("/js/{}.js", collecting.key);
        let request = collecting.request("GET", &path).header("accept-encoding", "gzip");
        let packed = request.send_unchecked().await;
        assert_eq!(packed.header("content-encoding"), Some("gzip"));
        let mut script = String::new();
        let mut decoder = GzDecoder::new(&packed.body[..]);
        decoder.read_to_string(&mut script).unwrap();
        for (module, settings) in [("analytics", r#""events":{""#), ("rum", r#""vitals":{""#)] {
            let is_on = script.contains(settings);
            assert_eq!(is_on, modules.contains(&module), "{settings} in {script:.600}");
        }
        assert!(
            packed.body.len() < most,
            "{modules:?}: {} bytes",
            packed.body.len()
        );
    }
}

/// A key that nobody has costs a look into the database.
#[tokio::test(flavor = "multi_thread")]
async fn scripts_are_limited_by_address_apart_from_beacons() {
    let collecting = Collecting::start(&[("PHAROS_COLLECT_ROWS_PER_HOUR", "20")]).await;
    for (key, status) in [('x', 404), ('y', 404), ('z', 429)] {
        let path = format!("/js/pst_{}.js", String::from(key).repeat(22));
        let reply = collecting.request("GET", &path).send_unchecked().await;
        assert_eq!(reply.status, status, "{path}");
    }
    let beacon = collecting.beacon(&serde_json::json!({}));
    assert_eq!(collecting.send(&beacon).await.status, 202);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_secret_is_shown_once_and_stored_as_a_digest() {
    let collecting = Collecting::start(&[]).await;
    let shown = collecting.site(&["--secret"]);
    let secret = shown["secret"].as_str().unwrap();
    assert!(secret.starts_with("pss_") && secret.len() == 47);
    assert_eq!(shown["site_key"], collecting.key.as_str());
    assert!(
        shown["script"]
            .as_str()
            .unwrap()
            .ends_with(&format!("/js/{}.js\"></script>", collecting.key))
    );
    assert_eq!(collecting.site(&[])["secret"], serde_json::Value::Null);
    let found =
        "SELECT count(*) FROM collect_sites WHERE secret_digest = sha256(convert_to('SECRET', 'UTF8'))";
    let rows = collecting.app.sql(&found.replace("SECRET", secret)).await;
    assert_eq!(rows[0][0].as_deref(), Some("1"));
    let beacon = serde_json::json!({
        "beacon": "0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11",
        "client": {"ip": "203.0.113.7"},
        "events": [{"type": "pageview", "url": "https://shop.example/"}],
    });
    let request = collecting
        .request("POST", "/collect/events")
        .header("x-pharos-site-secret", secret);
    assert_eq!(request.json(&beacon).send_unchecked().await.status, 202);
}
