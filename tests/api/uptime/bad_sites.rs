//! Sites that misbehave: from POST /domains/{domain_id}/uptime/check to what GET /uptime/checks tells of them.

use pharos_uptime::address_policy::MAX_URL_LENGTH;
use serde_json::{Value, json};
use time::Duration;

use super::check::{accepted, polled, run, watching, worker};
use crate::harness::Site;

fn redirect(location: &str) -> String {
    format!("HTTP/1.1 302 Found\r\nlocation: {location}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
}

fn misbehave(path: &str) -> String {
    match path {
        "/circle" => redirect("/circle"),
        "/private" => redirect("http://169.254.169.254/latest/meta-data/"),
        "/file" => redirect("file:///etc/passwd"),
        "/password" => redirect("https://user:hunter2@shop.example/"),
        "/long" => redirect(&"x".repeat(MAX_URL_LENGTH)),
        "/header" => format!("HTTP/1.1 200 OK\r\nx-large: {}\r\n\r\n", "x".repeat(1_000_000)),
        "/noise" => "SSH-2.0-OpenSSH_9.6\r\n\r\n".to_owned(),
        countdown => {
            let left: u32 = countdown[1..].parse().unwrap();
            redirect(&format!("/{}", left - 1))
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_site_does_wrong_is_told_and_where_it_points_is_not_gone_to() {
    let mut site = Site::saying(misbehave).await;
    let app = watching(&site, &["local"]).await;
    let _worker = worker(&app, &site, "local").await;
    for (path, class, redirects, asks, says) in [
        ("/circle", "too_many_redirects", 0, 1, "circle"),
        ("/1000", "too_many_redirects", 10, 11, "more than 10 redirects"),
        ("/private", "unknown", 0, 1, "only public addresses"),
        ("/file", "unknown", 0, 1, "other than http or https"),
        ("/password", "unknown", 0, 1, "user name or password"),
        ("/long", "unknown", 0, 1, "too long"),
        ("/header", "unknown", 0, 1, "longer headers"),
        ("/noise", "unknown", 0, 1, "not valid HTTP"),
    ] {
        let url = format!("http://{}{path}", site.address);
        app.sql(&format!(
            "UPDATE uptime_monitors SET settings = settings || '{{\"url\": \"{url}\"}}'"
        ))
        .await;
        let asked = accepted(&run(&app, &app.world.key, path, &json!({})).send().await);
        let checks = polled(&app, &asked, 1).await;
        let check = &checks[0];
        assert_eq!(
            (&check["outcome"], &check["error_class"], &check["redirect_count"]),
            (&json!("down"), &json!(class), &json!(redirects)),
            "{path}"
        );
        assert_eq!(
            check["response_ms"].is_null(),
            path == "/header" || path == "/noise",
            "{path}"
        );
        let message = check["error_message"].as_str().unwrap();
        assert!(message.contains(says), "{path}: {message}");
        let end = check["final_url"].as_str().unwrap();
        assert!(end.starts_with(&format!("http://{}/", site.address)), "{end}");
        for secret in ["169.254", "passwd", "hunter2"] {
            assert!(!Value::to_string(check).contains(secret), "{check}");
        }
        assert_eq!(site.asks(), asks, "{path}");
        app.clock.advance(Duration::MINUTE);
    }
}
