//! One fetch of a sitemap file: every hop judged, five redirects at most, as much as a file may have.

use std::time::Duration;

use http::StatusCode;
use pharos_domain::ids::{DomainId, WorkspaceId};
use pharos_egress::{
    address_policy::AddressPolicy,
    client::{Answers, Client, ClientSettings, Limits, Place, Redirects, Schemes},
    exchange::ExchangeLimits,
    pace::Pace,
    resolver::NameResolver,
    trust::{TlsSetupError, TrustAnchors},
};
use time::OffsetDateTime;
use url::Url;

use super::claims::{Claim, Claims};
use crate::{
    caller::Caller,
    robots::monitor::fetch::{FetchFailure, FileHeaders, Validators, failure, request},
    sitemap::read::MOST_BYTES,
};

const ACCEPT: &str = "application/xml, text/xml, application/gzip, text/plain;q=0.9, */*;q=0.5";
/// For a whole fetch, redirects included.
const TIME: Duration = Duration::from_secs(60);
/// The time from one request to a server to the next.
pub const PACE: Duration = Duration::from_secs(1);
/// How long a fetch waits for its turn at a server.
const PATIENCE: Duration = Duration::from_secs(300);
/// How many files are held in memory at once, whoever asks for them: their bytes, and the pages that are read from them until
/// those are stored.
const AT_ONCE: usize = 4;
/// How many of them are of one workspace: servers that are slow on purpose leave a place for the sites of others.
const SHARE: usize = 3;
/// As much of a file as is read, and a byte more, which tells that there is more.
const READ_BYTES: usize = 52_428_801;
const _: () = assert!(
    READ_BYTES as u64 == MOST_BYTES + 1,
    "a byte more than a file may have"
);

/// The end of a fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FetchEnd {
    /// An answer.
    Answer {
        /// Its status, after all redirects.
        status: u16,
        /// The URL that gave it.
        final_url: String,
        /// The headers that are kept of the answer.
        headers: FileHeaders,
        /// Its body; empty unless the status is a success.
        body: Vec<u8>,
    },
    /// The file is what it was.
    NotModified,
    /// No answer.
    Failed(FetchFailure),
}

/// A fetch.
#[derive(Clone, Debug, PartialEq)]
pub struct Fetched {
    /// When it began, its server's turn awaited.
    pub fetched_at: OffsetDateTime,
    /// How long it took in milliseconds from then on, redirects included; `None` without an answer.
    pub response_ms: Option<f64>,
    /// How it ended.
    pub end: FetchEnd,
}

/// Fetches sitemap files.
#[derive(Debug)]
pub struct SitemapClient {
    client: Client,
    /// The domains that are checked right now.
    checked: Claims,
}

/// The outcome of a fetch, with its place among the files that are held in memory at once. Dropped, it gives the place back.
#[derive(Debug)]
pub(super) struct Held<T> {
    pub(super) outcome: T,
    _place: Option<Place>,
}

impl<T> Held<T> {
    /// An outcome without a fetch, which takes no place.
    pub(super) const fn of_nothing(outcome: T) -> Self {
        Self {
            outcome,
            _place: None,
        }
    }
}

impl SitemapClient {
    /// Prepares what all fetches share. A server is asked once in `pace` at most.
    ///
    /// # Errors
    /// TLS can't be set up with these trust anchors.
    pub fn new(
        caller: &Caller,
        resolver: NameResolver,
        policy: AddressPolicy,
        trust: &TrustAnchors,
        pace: Duration,
    ) -> Result<Self, TlsSetupError> {
        let settings = ClientSettings {
            user_agent: caller.user_agent(),
            schemes: Schemes::Any,
            redirects: Redirects::Follow(5),
            answers: Answers::Beginning,
            between: pace,
            patience: PATIENCE,
            limits: Limits {
                time: TIME,
                sent_bytes: READ_BYTES,
                body_bytes: READ_BYTES,
                exchange: ExchangeLimits::of_body(READ_BYTES),
                ..Limits::default()
            },
        };
        Ok(Self {
            client: Client::new(resolver, policy, trust, settings)?.holding(AT_ONCE, SHARE),
            checked: Claims::default(),
        })
    }

    /// The same with turns that others share who ask the same servers.
    #[must_use]
    pub fn paced_by(self, pace: &Pace) -> Self {
        Self {
            client: self.client.paced_by(pace),
            ..self
        }
    }

    /// The right to check a domain; `None`: it is checked already.
    pub(super) fn claim(&self, domain: DomainId) -> Option<Claim<'_>> {
        self.checked.claim(domain)
    }

    /// Fetches a file, and has `then` make of it what is stored. Until what came of it is dropped the file takes one of four
    /// places in memory: however many sites are checked, no more files than that are held, and no more than three of them are of
    /// one workspace.
    pub(super) async fn fetch<T>(
        &self,
        workspace: WorkspaceId,
        url: &Url,
        known: Option<&Validators>,
        now: OffsetDateTime,
        then: impl AsyncFnOnce(Fetched) -> T,
    ) -> Held<T> {
        let request = request(url, known, ACCEPT).on_behalf_of(workspace.0.as_u128());
        let answer = self.client.send(request, now).await;
        let place = answer.as_ref().ok().and_then(|answer| answer.place.clone());
        let times = answer.as_ref().ok().map(|answer| (answer.waited, answer.took));
        let end = match answer {
            Ok(answer) if answer.status == StatusCode::NOT_MODIFIED && known.is_some() => {
                FetchEnd::NotModified
            }
            Ok(answer) => FetchEnd::Answer {
                status: answer.status.as_u16(),
                final_url: answer.url.into(),
                headers: FileHeaders::of(&answer.headers),
                body: if answer.status.is_success() {
                    answer.body
                } else {
                    Vec::new()
                },
            },
            Err(error) => FetchEnd::Failed(failure(&error)),
        };
        let outcome = then(Fetched {
            fetched_at: times.map_or(now, |(waited, _)| now + waited),
            response_ms: times.map(|(_, took)| took.as_secs_f64() * 1_000.0),
            end,
        })
        .await;
        Held {
            outcome,
            _place: place,
        }
    }
}
