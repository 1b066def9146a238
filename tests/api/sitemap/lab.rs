//! A site on this machine whose sitemaps are whatever a test wants.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use pharos_crawl::sitemap::monitor::{
    checker::{BUDGET, SitemapChecker},
    fetch::SitemapClient,
    run::SitemapRuns,
    sample::Sampler,
    watch::SitemapWatch,
};
use pharos_domain::jobs::JobHandler;
use pharos_egress::{address_policy::AddressPolicy, resolver::NameResolver, trust::TrustAnchors};
use pharos_server::worker::WorkerPace;
use serde_json::Value;

use super::{get, urlset};
use crate::{
    harness::TestApp,
    jobs::{Crew, connect},
    robots::lab::{Lab, answer, caller},
};

/// The files by path: each is the whole answer.
type Files = Arc<Mutex<HashMap<String, Vec<u8>>>>;

pub(crate) struct Site {
    pub(super) lab: Lab,
    files: Files,
}

impl Site {
    /// A site of the app's domain, without any file.
    pub(crate) async fn of(app: &TestApp) -> Self {
        let lab = Lab::open().await;
        lab.is_site_of(app).await;
        let files = Files::default();
        let shown = Arc::clone(&files);
        lab.say(move |head| {
            let path = head.split_whitespace().nth(1).unwrap_or_default();
            let found = shown.lock().unwrap().get(path).cloned();
            let etag = head.lines().find_map(|line| {
                line.to_ascii_lowercase()
                    .strip_prefix("if-none-match: ")
                    .map(str::to_owned)
            });
            match found {
                Some(found)
                    if etag.as_ref().is_some_and(|etag| {
                        String::from_utf8_lossy(&found).contains(&format!("etag: {etag}\r\n"))
                    }) =>
                {
                    answer(304, "", b"")
                }
                Some(found) => found,
                None if path.ends_with(".xml") || path.ends_with(".txt") => answer(404, "", b"no such file"),
                // Its pages are in order.
                None => answer(200, "content-type: text/html\r\n", b"<title>A page</title>"),
            }
        });
        Self { lab, files }
    }

    /// The URL of a path.
    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.lab.address)
    }

    /// Lays a file down that is sent with these headers.
    pub(super) fn lay(&self, path: &str, status: u16, headers: &str, body: &[u8]) {
        let answer = answer(status, headers, body);
        self.files.lock().unwrap().insert(path.to_owned(), answer);
    }

    /// Lays a sitemap down.
    pub(super) fn xml(&self, path: &str, body: &str) {
        self.lay(path, 200, "content-type: application/xml\r\n", body.as_bytes());
    }

    /// Lays a sitemap of these pages down, each a path with what stands beside its address.
    pub(crate) fn pages(&self, path: &str, pages: &[(&str, &str)]) {
        let entries: String = pages
            .iter()
            .map(|(page, rest)| format!("<url><loc>{}</loc>{rest}</url>", self.url(page)))
            .collect();
        self.xml(path, &urlset(&entries));
    }

    pub(super) fn remove(&self, path: &str) {
        self.files.lock().unwrap().remove(path);
    }

    /// Has the app's robots.txt be this, as a fetch found it.
    pub(super) async fn robots(&self, app: &TestApp, body: &str) {
        self.lay(
            "/robots.txt",
            200,
            "content-type: text/plain\r\n",
            body.as_bytes(),
        );
        crate::robots::see_at(app, &self.url("/robots.txt"), 200, body, app.now()).await;
    }

    /// Looks at a page of the site once in this time.
    pub(super) fn sampler(&self, app: &TestApp, pace: Duration) -> Arc<Sampler> {
        let policy = AddressPolicy::public().permitting_exactly(self.lab.address);
        let resolver = NameResolver::system().unwrap();
        let sampler = Sampler::new(&caller(app), resolver, policy, &TrustAnchors::web(), pace);
        Arc::new(sampler.unwrap())
    }

    pub(super) fn checker(&self, app: &TestApp) -> SitemapChecker {
        let policy = AddressPolicy::public().permitting_exactly(self.lab.address);
        let resolver = NameResolver::system().unwrap();
        let caller = caller(app);
        let client = SitemapClient::new(&caller, resolver, policy, &TrustAnchors::web(), Duration::ZERO);
        SitemapChecker {
            client: Arc::new(client.unwrap()),
            clock: app.clock.clone(),
            archive: app.stores.ports.get().unwrap(),
            conflicts: app.stores.ports.get().unwrap(),
            languages: app.stores.ports.get().unwrap(),
            figures: app.stores.ports.get().unwrap(),
            hosts: app.stores.ports.get().unwrap(),
            sampler: self.sampler(app, Duration::ZERO),
            samples: app.stores.ports.get().unwrap(),
            budget: BUDGET,
        }
    }

    /// A worker that does the checks that were asked for.
    pub(crate) async fn worker(&self, app: &TestApp) -> Crew {
        let database = connect(app.database.url()).await;
        let handler: Arc<dyn JobHandler> = Arc::new(SitemapRuns {
            addresses: app.stores.ports.get().unwrap(),
            runs: app.stores.ports.get().unwrap(),
            checker: self.checker(app),
        });
        Crew::start(&database, "local", WorkerPace::default(), vec![handler]).await
    }

    /// Has the app check its domain once, as is due, a minute after the last time.
    pub(super) async fn check(&self, app: &TestApp) {
        app.clock.advance(time::Duration::MINUTE);
        let watch = SitemapWatch {
            store: app.stores.ports.get().unwrap(),
            addresses: app.stores.ports.get().unwrap(),
            checker: self.checker(app),
        };
        app.sql("UPDATE sitemap_sites SET next_check_at = '2026-01-01'")
            .await;
        assert_eq!(watch.round().await.unwrap(), 1);
    }

    /// The paths that were asked for since this was last called, in their order.
    pub(super) fn asked(&self) -> Vec<String> {
        let heads = std::mem::take(&mut *self.lab.heads.lock().unwrap());
        heads
            .iter()
            .map(|head| head.split_whitespace().nth(1).unwrap_or_default().to_owned())
            .collect()
    }
}

/// The kinds of findings, the gravest first.
pub(super) async fn issues(app: &TestApp) -> Vec<String> {
    super::each(&get(app, "issues").await.ok(), "code")
}

/// The changes, the newest first: kind and path.
pub(super) async fn changes(app: &TestApp, site: &Site) -> Vec<(String, String)> {
    let changes: Value = get(app, "changes").await.ok();
    let items = changes["items"].as_array().unwrap();
    let mut told: Vec<_> = items
        .iter()
        .map(|item| {
            let url = item["url"].as_str().unwrap();
            let path = url.strip_prefix(&site.url("")).unwrap_or(url);
            (item["change"].as_str().unwrap().to_owned(), path.to_owned())
        })
        .collect();
    told.sort();
    told
}
