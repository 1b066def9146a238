//! The inspection of URLs, played in the form of the upstream's answers: what it is told of a URL, else that it is indexed.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use pharos_domain::ids::DomainId;
use pharos_search::{
    gsc::property::Permission,
    indexing::{
        inspection::{Inspection, parse},
        inspector::{InspectError, Inspecting, Inspector},
    },
};
use serde_json::{Value, json};

#[derive(Default)]
pub(super) struct Played {
    script: Arc<Script>,
    sessions: Mutex<usize>,
    /// Why the account can't be opened.
    closed: Mutex<Option<InspectError>>,
    permission: Mutex<Option<Permission>>,
    site_url: Mutex<Option<String>>,
}

#[derive(Default)]
struct Script {
    answers: Mutex<HashMap<String, Result<Value, InspectError>>>,
    /// The answer for every URL, whatever is known of it.
    instead: Mutex<Option<InspectError>>,
    asked: Mutex<Vec<String>>,
}

impl Played {
    pub(super) fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Sets the answer for a URL from now on.
    pub(super) fn says(&self, url: &str, answer: Value) {
        let mut answers = self.script.answers.lock().unwrap();
        answers.insert(url.to_owned(), Ok(answer));
    }

    /// A URL of which nothing is said but this.
    pub(super) fn fails(&self, url: &str, error: InspectError) {
        let mut answers = self.script.answers.lock().unwrap();
        answers.insert(url.to_owned(), Err(error));
    }

    /// Says this whatever is asked, or not any more.
    pub(super) fn says_to_all(&self, error: Option<InspectError>) {
        *self.script.instead.lock().unwrap() = error;
    }

    /// The account can't be opened from now on.
    pub(super) fn is_closed(&self, error: InspectError) {
        *self.closed.lock().unwrap() = Some(error);
    }

    /// Tells another permission of the account from now on.
    pub(super) fn permits(&self, permission: Permission) {
        *self.permission.lock().unwrap() = Some(permission);
    }

    /// The property that is asked for, where it is not that of the domain's name.
    pub(super) fn is_of(&self, site_url: &str) {
        *self.site_url.lock().unwrap() = Some(site_url.to_owned());
    }

    /// The URLs that were asked for since it was asked last, in their order.
    pub(super) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.script.asked.lock().unwrap())
    }

    /// How often the account was opened since it was asked last.
    pub(super) fn opened(&self) -> usize {
        std::mem::take(&mut *self.sessions.lock().unwrap())
    }
}

#[async_trait]
impl Inspector for Played {
    async fn session(&self, _: DomainId, site_url: &str) -> Result<Box<dyn Inspecting>, InspectError> {
        let expected = self.site_url.lock().unwrap().clone();
        assert_eq!(site_url, expected.as_deref().unwrap_or("sc-domain:shop.example"));
        *self.sessions.lock().unwrap() += 1;
        if let Some(error) = self.closed.lock().unwrap().clone() {
            return Err(error);
        }
        Ok(Box::new(Opened(Arc::clone(&self.script))))
    }

    async fn permission(&self, _: DomainId, _: &str) -> Result<Option<Permission>, InspectError> {
        Ok(*self.permission.lock().unwrap())
    }
}

struct Opened(Arc<Script>);

#[async_trait]
impl Inspecting for Opened {
    async fn inspect(&self, url: &str) -> Result<Inspection, InspectError> {
        let Self(script) = self;
        script.asked.lock().unwrap().push(url.to_owned());
        if let Some(error) = script.instead.lock().unwrap().clone() {
            return Err(error);
        }
        let known = script.answers.lock().unwrap().get(url).cloned();
        let answer = known.unwrap_or_else(|| Ok(indexed(url, "2026-03-29T08:00:00Z")))?;
        Ok(parse(answer.to_string().as_bytes())?)
    }
}

/// The answer of a page that is indexed, and was fetched at a moment.
pub(super) fn indexed(url: &str, fetched_at: &str) -> Value {
    json!({ "inspectionResult": { "inspectionResultLink": "https://search.google.com/search-console/inspect", "indexStatusResult": {
        "verdict": "PASS", "coverageState": "Submitted and indexed", "robotsTxtState": "ALLOWED",
        "indexingState": "INDEXING_ALLOWED", "pageFetchState": "SUCCESSFUL", "crawledAs": "MOBILE",
        "lastCrawlTime": fetched_at, "googleCanonical": url, "userCanonical": url,
        "sitemap": ["https://shop.example/sitemap.xml"], "referringUrls": ["https://shop.example/"],
    } } })
}

/// The answer of a page that is not, for a reason, and was fetched so.
pub(super) fn not_indexed(coverage: &str, fetch: &str) -> Value {
    json!({ "inspectionResult": { "indexStatusResult": {
        "verdict": "NEUTRAL", "coverageState": coverage, "robotsTxtState": "ALLOWED",
        "indexingState": "INDEXING_ALLOWED", "pageFetchState": fetch,
    } } })
}

/// An answer with some members of its `indexStatusResult` otherwise.
pub(super) fn with(mut answer: Value, members: &Value) -> Value {
    for (name, value) in members.as_object().unwrap() {
        answer["inspectionResult"]["indexStatusResult"][name] = value.clone();
    }
    answer
}
