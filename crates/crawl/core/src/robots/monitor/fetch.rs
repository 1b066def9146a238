//! One fetch of a robots.txt: every hop judged, five redirects at most, the first 500 KiB.

use std::time::Duration;

use http::{
    HeaderMap, HeaderName, HeaderValue, StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED},
};
use pharos_egress::{
    address_policy::AddressPolicy,
    client::{Answer, Answers, Client, ClientSettings, EgressError, Limits, Redirects, Request, Schemes},
    pace::Pace,
    resolver::NameResolver,
    trust::{TlsSetupError, TrustAnchors},
};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use tokio::time::{Instant, timeout, timeout_at};
use url::Url;

use crate::{
    caller::Caller,
    robots::{line::READ_BYTES, outcome::MOST_REDIRECTS},
};

const ACCEPT: &str = "text/plain, */*;q=0.5";
/// The most time for a whole fetch, redirects included.
const TIME: Duration = Duration::from_secs(20);
/// The longest that all requests of a fetch may wait for their servers' turns: as long as all checks and samples of a node take
/// that query one server at once. A fetch that would wait longer fails as unreachable.
const WAITING: Duration = Duration::from_secs(120);
/// The longest header that is kept.
const HEADER_CHARACTERS: usize = 500;
/// The most time for all sitemaps of a file together, so that silent servers do not hold a check up for longer.
const ASKING: Duration = Duration::from_secs(60);
/// How many sitemaps of a file are requested.
pub const MOST_SITEMAPS: usize = 10;

names! {
    /// Why there is no answer.
    FetchFailure as "RobotsFetchFailure" {
        /// The name has no address.
        Dns = "dns",
        /// No connection came about.
        Connect = "connect",
        /// The connection can't be encrypted.
        Tls = "tls",
        /// The answer did not come in time.
        Timeout = "timeout",
        /// The connection broke off.
        Broken = "broken",
        /// The answer is not one of HTTP.
        Invalid = "invalid",
        /// The URL, or where it redirects to, is one that Pharos does not ask: another scheme, an internal name or address.
        Refused = "refused",
    }
}

/// A redirect on the way to the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedirectStep {
    /// The URL that redirects.
    pub url: String,
    /// The status by which it does.
    pub status_code: u16,
}

/// The headers that are kept of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileHeaders {
    /// `Content-Type`.
    pub content_type: Option<String>,
    /// `ETag`.
    pub etag: Option<String>,
    /// `Last-Modified`.
    pub last_modified: Option<String>,
    /// `Cache-Control`.
    pub cache_control: Option<String>,
}

impl FileHeaders {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let text = |name: HeaderName| {
            let text = String::from_utf8_lossy(headers.get(name)?.as_bytes()).into_owned();
            Some(text.chars().take(HEADER_CHARACTERS).collect())
        };
        Self {
            content_type: text(CONTENT_TYPE),
            etag: text(ETAG),
            last_modified: text(LAST_MODIFIED),
            cache_control: text(CACHE_CONTROL),
        }
    }
}

/// The URL and headers of the last good fetch, so that the server sends the file only if it changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validators {
    /// The URL that gave the file.
    pub final_url: String,
    /// The headers of the answer that the validators came with.
    pub headers: FileHeaders,
}

/// The end of a fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FetchEnd {
    /// An answer.
    Answer {
        /// The status that the request was answered with.
        status: u16,
        /// The URL that gave it.
        final_url: String,
        /// The headers that are kept of the answer.
        headers: FileHeaders,
        /// Its body, one byte more than is read at most.
        body: Vec<u8>,
        /// Whether its host is another than the requested one.
        is_off_host: bool,
    },
    /// The file is what it was.
    NotModified,
    /// There are more redirects than are followed, or they go in a circle.
    TooManyRedirects {
        /// The status of the last.
        status: u16,
        /// The last URL.
        final_url: String,
    },
    /// No answer.
    Failed(FetchFailure),
}

/// A fetch.
#[derive(Clone, Debug, PartialEq)]
pub struct Fetched {
    /// The requested URL.
    pub robots_url: Url,
    /// When it began, its server's turn awaited.
    pub fetched_at: OffsetDateTime,
    /// How long it took from then on, redirects included; `None` without an answer.
    pub response_ms: Option<f64>,
    /// The redirects.
    pub redirects: Vec<RedirectStep>,
    /// How it ended.
    pub end: FetchEnd,
    /// The sitemaps that the file names, as far as they were asked for; `None`: they were not.
    pub sitemaps: Option<Vec<SitemapAnswer>>,
}

/// The answer to a request for a sitemap that a file names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SitemapAnswer {
    /// The URL, as the file has it.
    pub url: String,
    /// The status; `None` without an answer.
    pub status_code: Option<u16>,
}

impl SitemapAnswer {
    /// Whether it can be fetched.
    #[must_use]
    pub fn is_reachable(&self) -> bool {
        self.status_code
            .is_some_and(|status| (200..300).contains(&status))
    }
}

/// Fetches robots.txt files.
#[derive(Debug)]
pub struct RobotsClient {
    files: Client,
    sitemaps: Client,
    /// The most time for a whole fetch, redirects and waiting included.
    time: Duration,
}

/// The requests that lead to the end of a fetch.
#[derive(Debug, Default)]
struct Way {
    redirects: Vec<RedirectStep>,
    /// How long the first request waited for its server's turn; `None`: none was answered yet.
    waited: Option<Duration>,
    /// How long they took, beside waiting.
    took: Duration,
}

impl RobotsClient {
    /// Prepares what all fetches share.
    ///
    /// # Errors
    /// TLS can't be set up with these trust anchors.
    pub fn new(
        caller: &Caller,
        resolver: NameResolver,
        policy: AddressPolicy,
        trust: &TrustAnchors,
    ) -> Result<Self, TlsSetupError> {
        let settings = ClientSettings {
            user_agent: caller.user_agent(),
            schemes: Schemes::Any,
            redirects: Redirects::Return,
            answers: Answers::Beginning,
            between: Duration::ZERO,
            patience: WAITING,
            limits: Limits {
                time: TIME,
                sent_bytes: READ_BYTES + 1,
                body_bytes: READ_BYTES + 1,
                ..Limits::default()
            },
        };
        let of_sitemaps = ClientSettings {
            redirects: Redirects::Follow(5),
            answers: Answers::Status,
            between: Duration::from_secs(1),
            patience: ASKING,
            ..settings.clone()
        };
        Ok(Self {
            files: Client::new(resolver.clone(), policy.clone(), trust, settings)?,
            sitemaps: Client::new(resolver, policy, trust, of_sitemaps)?,
            time: TIME,
        })
    }

    /// The same client with turns that it shares with others who query the same servers.
    #[must_use]
    pub fn paced_by(self, pace: &Pace) -> Self {
        Self {
            files: self.files.paced_by(pace),
            sitemaps: self.sitemaps.paced_by(pace),
            time: TIME + WAITING,
        }
    }

    /// Fetches the file at this URL. However the site behaves, the fetch ends within 20 seconds and the two minutes that it may
    /// wait for shared turns, and it keeps 500 KiB and a byte.
    pub async fn fetch(&self, url: &Url, known: Option<&Validators>, now: OffsetDateTime) -> Fetched {
        let mut way = Way::default();
        let end = timeout(self.time, self.follow(url, known, now, &mut way))
            .await
            .unwrap_or(FetchEnd::Failed(FetchFailure::Timeout));
        let has_answer = !matches!(end, FetchEnd::Failed(_));
        let Way {
            redirects,
            waited,
            took,
        } = way;
        Fetched {
            robots_url: url.clone(),
            fetched_at: now + waited.unwrap_or_default(),
            response_ms: has_answer.then_some(took.as_secs_f64() * 1_000.0),
            redirects,
            end,
            sitemaps: None,
        }
    }

    async fn follow(
        &self,
        url: &Url,
        known: Option<&Validators>,
        now: OffsetDateTime,
        way: &mut Way,
    ) -> FetchEnd {
        let mut at = url.clone();
        loop {
            let known = known.filter(|known| known.final_url == at.as_str());
            let answer = match self.files.send(request(&at, known, ACCEPT), now).await {
                Ok(answer) => answer,
                Err(error) => return FetchEnd::Failed(failure(&error)),
            };
            way.waited.get_or_insert(answer.waited);
            way.took += answer.took;
            // Each request has its time, and all of them have no more together.
            if way.took > TIME {
                return FetchEnd::Failed(FetchFailure::Timeout);
            }
            let Some(next) = answer.redirect.clone() else {
                return end(answer, url, known);
            };
            let status = answer.status.as_u16();
            way.redirects.push(RedirectStep {
                url: at.to_string(),
                status_code: status,
            });
            let was_there = way.redirects.iter().any(|step| step.url == next.as_str());
            if way.redirects.len() > MOST_REDIRECTS || was_there {
                return FetchEnd::TooManyRedirects {
                    status,
                    final_url: at.into(),
                };
            }
            at = next;
        }
    }

    /// Requests the first sitemaps that a file names, one after the other, for a minute at most. Sitemaps that are not reached
    /// within it are not among the answers.
    pub async fn ask_sitemaps(&self, urls: &[String], now: OffsetDateTime) -> Vec<SitemapAnswer> {
        let until = Instant::now() + ASKING;
        let mut answers: Vec<SitemapAnswer> = Vec::new();
        for url in urls.iter().take(MOST_SITEMAPS) {
            let Ok(parsed) = Url::parse(url) else { continue };
            if answers.iter().any(|asked| asked.url == *url) {
                continue;
            }
            let asked = self.sitemaps.send(Request::get(parsed), now);
            let Ok(answer) = timeout_at(until, asked).await else {
                break;
            };
            // Nobody was asked, which says nothing of the sitemap.
            if matches!(answer, Err(EgressError::NotYet { .. })) {
                continue;
            }
            answers.push(SitemapAnswer {
                url: url.clone(),
                status_code: answer.ok().map(|answer| answer.status.as_u16()),
            });
        }
        answers
    }
}

pub(crate) fn request(url: &Url, known: Option<&Validators>, accept: &'static str) -> Request {
    let mut request = Request::get(url.clone()).accept(accept);
    let conditions = known.into_iter().flat_map(|known| {
        [
            (IF_NONE_MATCH, known.headers.etag.as_ref()),
            (IF_MODIFIED_SINCE, known.headers.last_modified.as_ref()),
        ]
    });
    for (name, value) in conditions {
        if let Some(value) = value.and_then(|value| HeaderValue::from_str(value).ok()) {
            request = request.header(name, value);
        }
    }
    request
}

fn end(answer: Answer, asked: &Url, known: Option<&Validators>) -> FetchEnd {
    if answer.status == StatusCode::NOT_MODIFIED && known.is_some() {
        return FetchEnd::NotModified;
    }
    FetchEnd::Answer {
        status: answer.status.as_u16(),
        headers: FileHeaders::of(&answer.headers),
        is_off_host: answer.url.host() != asked.host(),
        final_url: answer.url.into(),
        body: if answer.status.is_success() {
            answer.body
        } else {
            Vec::new()
        },
    }
}

pub(crate) fn failure(error: &EgressError) -> FetchFailure {
    match error {
        EgressError::Dns(_) => FetchFailure::Dns,
        EgressError::Connect(_) | EgressError::NotYet { .. } => FetchFailure::Connect,
        EgressError::Tls(_) => FetchFailure::Tls,
        EgressError::Silent { .. } | EgressError::Timeout => FetchFailure::Timeout,
        EgressError::Broken => FetchFailure::Broken,
        EgressError::Forbidden(_)
        | EgressError::Insecure
        | EgressError::Unusable
        | EgressError::Redirected
        | EgressError::TooManyRedirects(_) => FetchFailure::Refused,
        EgressError::TooLarge | EgressError::RateLimited { .. } | EgressError::Invalid(_) => {
            FetchFailure::Invalid
        }
    }
}

/// The URL of the robots.txt of the site that this URL lies on: the file is that of a scheme, host and port.
#[must_use]
pub fn robots_url(site: &str) -> Option<Url> {
    let mut url = Url::parse(site).ok()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    url.set_path("/robots.txt");
    url.set_query(None);
    url.set_fragment(None);
    Some(url)
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    /// Their time alone would be more than three minutes.
    #[tokio::test(start_paused = true)]
    async fn sitemaps_that_nobody_answers_for_hold_a_check_up_for_a_minute() {
        let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = silent.local_addr().unwrap();
        let client = RobotsClient::new(
            &Caller::with_page("https://pharos.example/docs/crawler"),
            NameResolver::system().unwrap(),
            AddressPolicy::public().permitting_exactly(address),
            &TrustAnchors::web(),
        )
        .unwrap();
        let urls: Vec<String> = (0..MOST_SITEMAPS)
            .map(|number| format!("http://{address}/{number}.xml"))
            .collect();
        let began = Instant::now();
        let answers = client.ask_sitemaps(&urls, OffsetDateTime::UNIX_EPOCH).await;
        assert!(began.elapsed() <= ASKING + Duration::from_secs(1));
        assert!(!answers.is_empty() && answers.len() < urls.len());
        assert!(answers.iter().all(|answer| answer.status_code.is_none()));
    }

    /// The silent server is never asked: that would take until the time is over.
    #[tokio::test(start_paused = true)]
    async fn those_who_share_a_pace_wait_for_each_other() {
        let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = silent.local_addr().unwrap();
        let pace = Pace::new(Duration::from_secs(1), Duration::ZERO);
        let client = RobotsClient::new(
            &Caller::with_page("https://pharos.example/docs/crawler"),
            NameResolver::system().unwrap(),
            AddressPolicy::public().permitting_exactly(address),
            &TrustAnchors::web(),
        )
        .unwrap()
        .paced_by(&pace);
        // Somebody else has the server left alone for longer than anybody waits.
        pace.hold(&address.to_string(), Duration::from_secs(3_600));
        let url = robots_url(&format!("http://{address}/")).unwrap();
        let fetched = client.fetch(&url, None, OffsetDateTime::UNIX_EPOCH).await;
        assert_eq!(
            fetched.end,
            FetchEnd::Failed(FetchFailure::Connect),
            "nobody was asked"
        );
        let urls = [format!("http://{address}/1.xml")];
        let began = Instant::now();
        let answers = client.ask_sitemaps(&urls, OffsetDateTime::UNIX_EPOCH).await;
        assert!(answers.is_empty(), "{answers:?}");
        assert_eq!(began.elapsed(), Duration::ZERO, "nobody was asked");
    }
}
