//! The visits of the demo's own pages.

use std::net::SocketAddr;

use serde_json::json;
use uuid::Uuid;

use super::Demo;
use crate::harness::{Request, raw};

const CHROME: &str =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/// Its pages load the script of their site, which measures what visitors do and what they feel; and a beacon of them is taken in.
pub(super) async fn are_collected(demo: &Demo) {
    let status = demo.ask("uptime/status").await;
    let site = status["checked_url"].as_str().unwrap();
    let port = site.strip_prefix("http://demo.localhost:").unwrap();
    let port: u16 = port.trim_end_matches('/').parse().unwrap();
    has_what_the_history_tells_of(port).await;
    let page = page(port, "demo.localhost", "/").await;
    let (_, rest) = page.split_once("/js/").expect("the page has a script");
    let (key, _) = rest.split_once(".js").unwrap();

    let request = Request::new(demo.node.address, "GET", &format!("//js/{key}.js"));
    let script = request.send_unchecked().await;
    assert_eq!(script.status, 200);
    let text = String::from_utf8_lossy(&script.body);
    for module in [r#""events":{"#, r#""vitals":{"#] {
        assert!(text.contains(module), "{module} in {text:.600}");
    }

    let beacon = json!({
        "site": key,
        "beacon": Uuid::new_v4(),
        "load": "9f86d081884c7d65",
        "events": [{ "type": "pageview", "url": format!("http://demo.localhost:{port}/seen-by-a-test") }],
    });
    let request = Request::new(demo.node.address, "POST", "//collect/events")
        .header("user-agent", CHROME)
        .header("origin", format!("http://demo.localhost:{port}"))
        .json(&beacon);
    assert_eq!(request.send_unchecked().await.status, 202);
    let now = demo.ask("analytics/realtime").await;
    let pages = now["pages"].as_array().unwrap();
    assert!(
        pages.iter().any(|page| page["page"] == "/seen-by-a-test"),
        "{now}"
    );
}

/// The answer of the site, its head in lower case.
async fn page(port: u16, host: &str, path: &str) -> String {
    let asked = format!("GET {path} HTTP/1.1\r\nhost: {host}:{port}\r\nconnection: close\r\n\r\n");
    let answer = raw(SocketAddr::from(([127, 0, 0, 1], port)), asked.as_bytes()).await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    format!("{}\r\n\r\n{body}", head.to_lowercase())
}

/// Whoever visits the shop loads the tag of another site, makes requests, and finds pages that no browser restores, as the visitors
/// of the history did.
async fn has_what_the_history_tells_of(port: u16) {
    let of_shop = async |path: &str| page(port, "demo.localhost", path).await;
    let product = of_shop("/product/arc").await;
    for had in [
        format!("src=\"http://tags.localhost:{port}/tag.js\""),
        "id=\"stock\" data-item=\"arc\"".to_owned(),
        "server-timing: shop;dur=".to_owned(),
    ] {
        assert!(product.contains(&had), "{had} in {product}");
    }
    let tag = page(port, "tags.localhost", "/tag.js").await;
    assert!(
        tag.starts_with("http/1.1 200") && tag.contains("performance.now()"),
        "{tag}"
    );
    let script = of_shop("/shop.js").await;
    for path in ["/api/stock", "/api/voucher"] {
        assert!(script.contains(path), "{path} in {script}");
        let answer = of_shop(path).await;
        let is_busy = answer.starts_with("http/1.1 503") && path == "/api/stock";
        assert!(is_busy || answer.starts_with("http/1.1 200"), "{path}: {answer}");
    }
    for (path, kept) in [
        ("/", true),
        ("/cart", false),
        ("/checkout", false),
        ("/thank-you", false),
    ] {
        assert_eq!(
            !of_shop(path).await.contains("cache-control: no-store"),
            kept,
            "{path}"
        );
    }
    assert!(
        of_shop("/pictures/arc.svg")
            .await
            .contains("cache-control: max-age=86400")
    );
}
