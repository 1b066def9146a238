//! Collection, as pages and servers meet it: on a node that does nothing else.

mod counted;
mod countries;
mod full;
mod killed;
mod late;
mod orders;
mod privacy;
mod refusals;
mod script;
mod vitals;

use std::process::Command;

use serde_json::{Value, json};

use crate::harness::{Node, Reply, Request, TestApp, binary};

/// The user agent of a person.
const CHROME: &str =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/// A node that collects, and the site that it collects of.
struct Collecting {
    app: TestApp,
    node: Node,
    key: String,
}

impl Collecting {
    async fn start(environment: &[(&str, &str)]) -> Self {
        let app = TestApp::start().await;
        let mut all = vec![("PHAROS_DATABASE_URL", app.database.url())];
        all.extend_from_slice(environment);
        let node = Node::start(&["--roles", "ingest"], &all);
        let mut collecting = Self {
            app,
            node,
            key: String::new(),
        };
        collecting.key = collecting.site(&[])["site_key"].as_str().unwrap().to_owned();
        collecting
    }

    /// The answer of `pharos admin site key`.
    fn site(&self, arguments: &[&str]) -> Value {
        let domain = self.app.world.domain.to_string();
        let output = Command::new(binary())
            .env("PHAROS_DATABASE_URL", self.app.database.url())
            .args(["admin", "--json", "site", "key", &domain])
            .args(arguments)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn request(&self, method: &str, path: &str) -> Request {
        Request::new(self.node.address, method, &format!("/{path}")).header("user-agent", CHROME)
    }

    /// A beacon with these members besides the usual ones.
    fn beacon(&self, members: &Value) -> Value {
        let mut beacon = json!({
            "site": self.key,
            "beacon": "0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11",
            "load": "9f86d081884c7d65",
            "events": [{"type": "pageview", "url": "https://shop.example/"}],
        });
        beacon
            .as_object_mut()
            .unwrap()
            .extend(members.as_object().unwrap().clone());
        beacon
    }

    async fn send(&self, beacon: &Value) -> Reply {
        let request = self.request("POST", "/collect/events");
        request
            .body("text/plain;charset=UTF-8", beacon.to_string())
            .send_unchecked()
            .await
    }
}
