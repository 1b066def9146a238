//! Sitemaps of which one has changed, and of which a page is blocked by robots.txt.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_crawl::{
    robots::monitor::fetch::FileHeaders,
    sitemap::monitor::{
        conflicts,
        fetch::{FetchEnd, Fetched},
        figures::{self, FigureArchive},
        outcome::FileOutcome,
        site::CheckCounts,
        store::{Concluded, ConflictArchive, SitemapArchive},
    },
};
use time::{Duration, OffsetDateTime};
use url::Url;

use super::urlset;
use crate::{fixtures::Fixtures, harness::TestApp};

/// As many files as sweeps delete.
const FILES: usize = 12;

pub(crate) struct Sitemaps;

#[async_trait]
impl Fixtures for Sitemaps {
    async fn fill(&self, app: &TestApp) {
        let now = app.now();
        see(app, &["/", "/cart"], now - Duration::DAY).await;
        see(app, &["/", "/cart", "/shoes"], now).await;
        let archive: Arc<dyn SitemapArchive> = app.stores.ports.get().unwrap();
        for file in archive.watched(app.world.domain, None, None).await.unwrap() {
            app.world.identify("file_id", file.id);
        }
    }
}

/// Has all sitemap files of the app's domain name these pages at that moment, each in a folder of its own.
pub(crate) async fn see(app: &TestApp, pages: &[&str], at: OffsetDateTime) {
    let archive: Arc<dyn SitemapArchive> = app.stores.ports.get().unwrap();
    let store: Arc<dyn ConflictArchive> = app.stores.ports.get().unwrap();
    let domain = app.world.domain;
    assert!(archive.begin(domain).await.unwrap().is_some());
    let named: Vec<Url> = (0..FILES)
        .map(|number| format!("https://shop.example/{number}.xml").parse().unwrap())
        .collect();
    archive.declare(domain, &named, at).await.unwrap();
    let mut counts = CheckCounts::default();
    for (number, file) in (0..).zip(archive.watched(domain, None, None).await.unwrap()) {
        let entry = |page: &&str| match number {
            0 => format!("<url><loc>https://shop.example{page}</loc></url>"),
            _ => format!("<url><loc>https://shop.example/{number}{page}</loc></url>"),
        };
        let body = urlset(&pages.iter().map(entry).collect::<String>());
        let fetched = Fetched {
            fetched_at: at,
            response_ms: Some(84.25),
            end: FetchEnd::Answer {
                status: 200,
                final_url: file.url.clone(),
                headers: FileHeaders::default(),
                body: body.into_bytes(),
            },
        };
        let outcome = FileOutcome::of(&file, fetched).await;
        let told = archive.import(domain, None, &file, &outcome).await.unwrap();
        counts = counts.and(told);
    }
    let site = (app.world.workspace, domain);
    let recomputed = conflicts::recompute(&*archive, &*store, site, at).await;
    assert!(recomputed.unwrap());
    let counted: Arc<dyn FigureArchive> = app.stores.ports.get().unwrap();
    let concluded = Concluded {
        counts,
        is_declared: Some(true),
        figures: Some(figures::count(&*counted, domain).await.unwrap()),
        is_compared: true,
    };
    archive.conclude(domain, &concluded, at).await.unwrap();
}
