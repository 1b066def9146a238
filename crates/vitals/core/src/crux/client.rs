//! Asks the API of the Chrome UX Report.

use std::{sync::Arc, time::Duration};

use http::{HeaderValue, StatusCode};
use pharos_domain::{secret::Secret, store::StoreError};
use pharos_egress::{
    address_policy::AddressPolicy,
    client::{Answer, Answers, Client, ClientSettings, EgressError, Limits, Redirects, Request, Schemes},
    resolver::NameResolver,
    trust::{TlsSetupError, TrustAnchors},
};
use serde::{Deserialize, Serialize};
use time::{Date, OffsetDateTime, UtcOffset};
use tokio::time::sleep;
use url::Url;

use super::{
    FormFactor, metrics,
    record::Subject,
    turns::{CruxTurns, Turn},
    upstream::{self, Answered, Malformed},
};

/// Where Google serves it.
pub const SERVICE: &str = "https://chromeuxreport.googleapis.com/";
/// How many weekly periods the API gives, at most.
pub const MOST_PERIODS: u8 = 40;

const USER_AGENT: HeaderValue =
    HeaderValue::from_static(concat!("Pharos/", env!("CARGO_PKG_VERSION"), " (+crux)"));
/// The time between two requests: 150 a minute, as many as a project has.
const BETWEEN: Duration = Duration::from_millis(400);
/// How long a request waits for its turn; one that would wait longer is not made.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long the API is left alone where it asks for that without saying for how long: its quota is one of a minute.
const PAUSE: Duration = Duration::from_secs(60);

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum CruxError {
    /// No answer came.
    #[error(transparent)]
    Egress(#[from] EgressError),
    /// The API refuses the request.
    #[error("the Chrome UX Report answered {status}{}", reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default())]
    Refused {
        /// The status that the report answered with.
        status: StatusCode,
        /// Google's word for the reason, such as `API_KEY_INVALID`.
        reason: Option<String>,
    },
    /// The answer is not as it is documented.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// No turn could be taken, so that nothing was sent.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Asks the API with a project's key, within the project's quota of requests a minute.
pub struct CruxClient {
    client: Client,
    service: Url,
    key: Secret,
    turns: Arc<dyn CruxTurns>,
}

impl std::fmt::Debug for CruxClient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CruxClient")
            .field("service", &self.service.as_str())
            .finish_non_exhaustive()
    }
}

/// A request's body (`QueryRequest`, `QueryHistoryRequest`).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Query<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    form_factor: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    collection_period_count: Option<u8>,
}

/// An error of a Google API (`google.rpc.Status`).
#[derive(Deserialize)]
struct Refusal {
    error: Status,
}

#[derive(Deserialize)]
struct Status {
    status: Option<String>,
    #[serde(default)]
    details: Vec<Detail>,
}

#[derive(Deserialize)]
struct Detail {
    reason: Option<String>,
}

impl CruxClient {
    /// A client of `service`, which asks at the `turns` that all nodes share. If the service is on https, so is every request.
    ///
    /// # Errors
    /// TLS can't be set up with these trust anchors.
    pub fn new(
        resolver: NameResolver,
        policy: AddressPolicy,
        trust: &TrustAnchors,
        service: Url,
        key: Secret,
        turns: Arc<dyn CruxTurns>,
    ) -> Result<Self, TlsSetupError> {
        let settings = ClientSettings {
            answers: Answers::Whole,
            user_agent: USER_AGENT,
            schemes: match service.scheme() {
                "http" => Schemes::Any,
                _ => Schemes::Https,
            },
            redirects: Redirects::Refuse,
            // The turns of all nodes are the pace. A pause that the report asks for holds here, too.
            between: Duration::ZERO,
            patience: PATIENCE,
            limits: Limits::default(),
        };
        Ok(Self {
            client: Client::new(resolver, policy, trust, settings)?,
            service,
            key,
            turns,
        })
    }

    /// The newest record of a subject. `None`: it has too few visitors to be in the report.
    ///
    /// # Errors
    /// Why there is no answer that is about this subject.
    pub async fn record(
        &self,
        subject: &Subject,
        form_factor: FormFactor,
        now: OffsetDateTime,
    ) -> Result<Option<Answered>, CruxError> {
        let query = query(subject, form_factor, None);
        let read = |body: &[u8], today| upstream::record(body, subject, form_factor.upstream(), today);
        let answered = self.ask("v1/records:queryRecord", &query, read, now).await;
        metrics::asked(&answered);
        answered
    }

    /// The last weekly periods of a subject, at most so many. `None`: it is not in the report.
    ///
    /// # Errors
    /// Why there is no answer that is about this subject.
    pub async fn history(
        &self,
        subject: &Subject,
        form_factor: FormFactor,
        periods: u8,
        now: OffsetDateTime,
    ) -> Result<Option<Answered>, CruxError> {
        let query = query(subject, form_factor, Some(periods.clamp(1, MOST_PERIODS)));
        let read = |body: &[u8], today| upstream::history(body, subject, form_factor.upstream(), today);
        let answered = self.ask("v1/records:queryHistoryRecord", &query, read, now).await;
        metrics::asked(&answered);
        answered
    }

    async fn ask(
        &self,
        method: &str,
        query: &Query<'_>,
        read: impl Fn(&[u8], Date) -> Result<Answered, Malformed> + Send,
        now: OffsetDateTime,
    ) -> Result<Option<Answered>, CruxError> {
        let mut url = self.service.join(method).map_err(|_| EgressError::Unusable)?;
        url.query_pairs_mut().append_pair("key", self.key.reveal());
        let request = Request::post(url)
            .accept("application/json")
            .json(query)
            .map_err(|_| EgressError::Unusable)?;
        match self.turns.take(BETWEEN, PATIENCE).await? {
            Turn::In(wait) => sleep(wait).await,
            Turn::NotYet(wait) => return Err(EgressError::NotYet { wait }.into()),
        }
        let answered = self.client.send(request, now).await;
        let busy = match &answered {
            Err(EgressError::RateLimited { retry_after }) => Some(*retry_after),
            _ => None,
        };
        if let Some(retry_after) = busy {
            if retry_after.is_none() {
                self.client.hold(&self.service, PAUSE);
            }
            // This node leaves it alone all the same.
            if let Err(error) = self.turns.hold(retry_after.unwrap_or(PAUSE)).await {
                tracing::warn!(%error, "other nodes are not told that the report asks for a pause");
            }
        }
        let answer = answered?;
        match answer.status {
            StatusCode::OK => {
                let today = now.to_offset(UtcOffset::UTC).date();
                Ok(Some(read(&answer.body, today)?))
            }
            StatusCode::NOT_FOUND if refused(&answer).as_deref() == Some("NOT_FOUND") => Ok(None),
            status => Err(CruxError::Refused {
                status,
                reason: refused(&answer),
            }),
        }
    }
}

fn query(subject: &Subject, form_factor: FormFactor, periods: Option<u8>) -> Query<'_> {
    let (origin, url) = match subject {
        Subject::Origin(origin) => (Some(origin.as_str()), None),
        Subject::Url(url) => (None, Some(url.as_str())),
    };
    Query {
        origin,
        url,
        form_factor: form_factor.upstream(),
        collection_period_count: periods,
    }
}

/// Google's word for why it refuses a request. Nothing else of the answer is repeated: it may hold the key.
fn refused(answer: &Answer) -> Option<String> {
    let refusal: Refusal = answer.json().ok()?;
    let Status { status, details } = refusal.error;
    let is_word = |word: &String| {
        word.len() <= 64 && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    };
    let reason = details.into_iter().find_map(|detail| detail.reason);
    reason.or(status).filter(is_word)
}
