//! Beacons that come late, by clocks that are wrong, or in pieces.

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use uuid::Uuid;

use super::{CHROME, Collecting};

const WEEK_MS: i64 = 7 * 86_400_000;
const YEAR_MS: i64 = 365 * 86_400_000;

/// A site that wants everything.
async fn wanting() -> Collecting {
    let collecting = Collecting::start(&[]).await;
    let app = &collecting.app;
    for module in ["analytics", "rum"] {
        let config = format!("/domains/{}/{module}/config", app.world.domain);
        let enabled = json!({ "enabled": true });
        app.put(&config, &app.world.key, &enabled).send().await.ok();
    }
    collecting
}

impl Collecting {
    /// A beacon of a page that was viewed so long ago.
    fn viewed(&self, path: &str, age_ms: i64) -> Value {
        let url = format!("https://shop.example{path}");
        let event = json!({ "type": "pageview", "url": url, "age_ms": age_ms });
        self.beacon(&json!({ "beacon": Uuid::new_v4(), "events": [event] }))
    }

    /// The paths of the pages that were viewed.
    async fn paths(&self) -> Vec<Vec<Option<String>>> {
        let pages = "SELECT page.value FROM analytics_hits AS h
            JOIN analytics_values AS page ON page.id = h.page ORDER BY page.value";
        self.app.sql(pages).await
    }
}

/// The page load of then is over, so that its view tells nothing.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_a_week_or_a_year_old_counts_when_it_comes_and_a_view_of_then_does_not() {
    let collecting = wanting().await;
    for (path, age_ms) in [("/week", WEEK_MS), ("/year", YEAR_MS)] {
        let viewed = collecting.send(&collecting.viewed(path, age_ms)).await;
        assert_eq!(viewed.status, 202, "{path}");
        let felt = json!({
            "site": collecting.key, "beacon": Uuid::new_v4(), "load": "9f86d081884c7d65",
            "view": { "url": "https://shop.example/", "age_ms": age_ms, "lcp": { "value": 700 } },
        });
        let request = collecting.request("POST", "/collect/vitals").json(&felt);
        assert_eq!(request.send_unchecked().await.status, 202, "{path}");
    }
    let ahead = collecting.send(&collecting.viewed("/ahead", -YEAR_MS)).await;
    assert_eq!(ahead.faults(), ["/events/0/age_ms"]);
    let paths = ["/week", "/year"].map(|path| vec![Some(path.to_owned())]);
    assert_eq!(collecting.paths().await, paths);
    let older = "SELECT FROM analytics_hits WHERE at < now() - interval '1 hour'";
    assert!(collecting.app.sql(older).await.is_empty());
    assert!(collecting.app.sql("SELECT FROM rum_views").await.is_empty());
}

/// One comes byte by byte, and the connection of another ends in the middle of it.
#[tokio::test(flavor = "multi_thread")]
async fn a_beacon_in_pieces_holds_up_no_other_and_a_part_of_one_is_none() {
    let collecting = wanting().await;
    let request = |path: &str| {
        let body = collecting.viewed(path, 0).to_string();
        format!(
            "POST /collect/events HTTP/1.1\r\nhost: localhost\r\nuser-agent: {CHROME}\r\nconnection: close\r\n\
             content-type: text/plain\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let connect = || TcpStream::connect(collecting.node.address);
    let (slow, broken) = (request("/slow"), request("/broken"));
    let (begin, rest) = slow.split_at(slow.len() - 40);
    let mut stream = connect().await.unwrap();
    stream.write_all(begin.as_bytes()).await.unwrap();
    let mut breaking = connect().await.unwrap();
    let part = &broken.as_bytes()[..broken.len() - 1];
    breaking.write_all(part).await.unwrap();
    drop(breaking);
    let whole = collecting.send(&collecting.viewed("/whole", 0)).await;
    assert_eq!(whole.status, 202);

    for byte in rest.as_bytes() {
        stream.write_all(&[*byte]).await.unwrap();
    }
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 202 "), "{answer}");
    let paths = ["/slow", "/whole"].map(|path| vec![Some(path.to_owned())]);
    assert_eq!(collecting.paths().await, paths);
}
