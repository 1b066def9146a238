//! Operations of the module `robots`.

mod bad_sites;
mod check;
pub(crate) mod fixtures;
pub(crate) mod lab;
mod questions;
mod reads;
mod versions;

use std::sync::Arc;

use pharos_crawl::robots::monitor::{
    fetch::{FetchEnd, Fetched, FileHeaders},
    store::{FinishedCheck, RobotsSchedule},
};
use time::OffsetDateTime;

use crate::harness::{Reply, TestApp};

pub(crate) fn path(app: &TestApp, rest: &str) -> String {
    format!("/domains/{}/robots/{rest}", app.world.domain)
}

pub(crate) async fn get(app: &TestApp, rest: &str) -> Reply {
    app.get(&path(app, rest), &app.world.key).send().await
}

/// Has the app's domain give this answer at that moment.
pub(crate) async fn see(app: &TestApp, status: u16, body: &str, at: OffsetDateTime) {
    see_at(app, URL, status, body, at).await;
}

const URL: &str = "https://shop.example/robots.txt";

/// Has this URL give this answer at that moment.
pub(crate) async fn see_at(app: &TestApp, url: &str, status: u16, body: &str, at: OffsetDateTime) {
    let end = FetchEnd::Answer {
        status,
        final_url: url.to_owned(),
        headers: FileHeaders {
            content_type: Some("text/plain".to_owned()),
            ..FileHeaders::default()
        },
        body: body.as_bytes().to_vec(),
        is_off_host: false,
    };
    end_at(app, url, end, at).await;
}

async fn end_at(app: &TestApp, url: &str, end: FetchEnd, at: OffsetDateTime) {
    let schedule: Arc<dyn RobotsSchedule> = app.stores.ports.get().unwrap();
    schedule.enrol(at, 100).await.unwrap();
    let finished = FinishedCheck {
        domain: app.world.domain,
        turn: None,
        run: None,
        fetched: Some(Fetched {
            robots_url: url.parse().unwrap(),
            fetched_at: at,
            response_ms: Some(84.25),
            redirects: Vec::new(),
            end,
            sitemaps: None,
        }),
    };
    assert_eq!(schedule.complete(&[finished]).await.unwrap(), 0);
}
