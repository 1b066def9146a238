//! PageSpeed Insights: Lighthouse on a machine of Google's, for who has a key and no browser.
//!
//! It loads a page as anybody sees it, as a phone or as a computer, so a page with a password, a cookie or blocked URLs needs a
//! browser of one's own.

use std::time::Duration;

use http::{HeaderValue, StatusCode};
use pharos_domain::{jobs::JobFailure, secret::Secret};
use pharos_egress::{
    address_policy::AddressPolicy,
    client::{Answer, Answers, Client, ClientSettings, EgressError, Limits, Redirects, Request, Schemes},
    exchange::ExchangeLimits,
    resolver::NameResolver,
    trust::{TlsSetupError, TrustAnchors},
};
use serde::Deserialize;
use serde_json::{Value, json};
use time::OffsetDateTime;
use tokio::task::spawn_blocking;
use url::Url;

use crate::{
    lab::{LOAD_WITHIN, LoadOrder},
    lhr,
    page::Category,
    profile::{FormFactor, ThrottlingMethod},
};

/// Where Google serves it.
pub const SERVICE: &str = "https://pagespeedonline.googleapis.com/";
/// How many pages are measured at once.
pub const AT_ONCE: usize = 4;
/// The warning that a run gets beside its result, so that nobody compares it with one of another machine unawares.
pub const WARNING: &str = "PageSpeed Insights measured the page, on a machine of Google's.";

const USER_AGENT: HeaderValue =
    HeaderValue::from_static(concat!("Pharos/", env!("CARGO_PKG_VERSION"), " (+lab)"));
/// The time between two requests: 240 a minute, as many as a project has.
const BETWEEN: Duration = Duration::from_millis(250);
/// How long a request waits for its turn; one that would wait longer is not made.
const PATIENCE: Duration = Duration::from_secs(60);
/// The pause after a refusal for the quota that names none.
const PAUSE: time::Duration = time::Duration::minutes(5);
/// The largest answer that is read, in bytes.
const LARGEST_ANSWER: usize = 16 * 1024 * 1024;
/// How the message begins where Lighthouse could not measure a page; its code follows.
const LIGHTHOUSE_ERROR: &str = "Lighthouse returned error: ";
/// Google's words for a quota that is used up.
const QUOTA: [&str; 6] = [
    "RATE_LIMIT_EXCEEDED",
    "RESOURCE_EXHAUSTED",
    "rateLimitExceeded",
    "userRateLimitExceeded",
    "quotaExceeded",
    "dailyLimitExceeded",
];

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum PageSpeedError {
    /// The page wants what PageSpeed Insights can't do.
    #[error("PageSpeed Insights can't measure this page as it is set: it {0}")]
    Unfit(&'static str),
    /// No answer came.
    #[error("PageSpeed Insights could not be asked: {0}")]
    Egress(#[from] EgressError),
    /// The project's quota is used up.
    #[error("the quota of PageSpeed Insights is used up for now")]
    Quota,
    /// The API refuses the request.
    #[error("PageSpeed Insights answered {status}{}", reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default())]
    Refused {
        /// The status that it answered with.
        status: StatusCode,
        /// Google's word for the reason, such as `API_KEY_INVALID`.
        reason: Option<String>,
    },
    /// The answer has no result of Lighthouse.
    #[error("the answer of PageSpeed Insights has no result of Lighthouse")]
    NoResult,
}

impl PageSpeedError {
    /// How the job goes on where another attempt may help; `None`: it ends with this error.
    #[must_use]
    pub fn again(&self) -> Option<JobFailure> {
        match self {
            Self::Quota => Some(JobFailure::put_off(PAUSE, self.to_string())),
            Self::Egress(error @ (EgressError::RateLimited { .. } | EgressError::NotYet { .. })) => {
                let pause = error
                    .retry_after()
                    .and_then(|pause| time::Duration::try_from(pause).ok());
                Some(JobFailure::put_off(pause.unwrap_or(PAUSE), self.to_string()))
            }
            _ if self.took_all_its_time() => None,
            Self::Egress(EgressError::TooLarge) => None,
            Self::Egress(_) => Some(JobFailure::retry(self.to_string())),
            Self::Refused { status, .. } if status.is_server_error() => {
                Some(JobFailure::retry(self.to_string()))
            }
            Self::Unfit(_) | Self::Refused { .. } | Self::NoResult => None,
        }
    }

    /// Whether the page took all the time that Google's machine was waited for, as it would again.
    #[must_use]
    pub const fn took_all_its_time(&self) -> bool {
        matches!(
            self,
            Self::Egress(EgressError::Silent { .. } | EgressError::Timeout)
        )
    }
}

/// Asks the API with a project's key, within the project's quota of requests a minute.
pub struct PageSpeed {
    client: Client,
    service: Url,
    key: Secret,
}

impl std::fmt::Debug for PageSpeed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PageSpeed")
            .field("service", &self.service.as_str())
            .finish_non_exhaustive()
    }
}

/// An answer (`PagespeedApiPagespeedResponseV5`), as far as it is read.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Analysis {
    #[serde(default, deserialize_with = "lhr::depth::value")]
    lighthouse_result: Option<Value>,
}

/// An error of a Google API.
#[derive(Deserialize)]
struct Refusal {
    error: Status,
}

#[derive(Deserialize)]
struct Status {
    #[serde(default)]
    message: String,
    status: Option<String>,
    #[serde(default)]
    errors: Vec<Detail>,
    #[serde(default)]
    details: Vec<Detail>,
}

#[derive(Deserialize)]
struct Detail {
    reason: Option<String>,
}

impl PageSpeed {
    /// A client of `service`. If that is on https, so is every request.
    ///
    /// # Errors
    /// TLS can't be set up with these trust anchors.
    pub fn new(
        resolver: NameResolver,
        policy: AddressPolicy,
        trust: &TrustAnchors,
        service: Url,
        key: Secret,
    ) -> Result<Self, TlsSetupError> {
        let settings = ClientSettings {
            answers: Answers::Whole,
            user_agent: USER_AGENT,
            schemes: match service.scheme() {
                "http" => Schemes::Any,
                _ => Schemes::Https,
            },
            redirects: Redirects::Refuse,
            between: BETWEEN,
            patience: PATIENCE,
            limits: Limits {
                time: LOAD_WITHIN,
                sent_bytes: LARGEST_ANSWER,
                body_bytes: LARGEST_ANSWER,
                exchange: ExchangeLimits::of_body(LARGEST_ANSWER),
                ..Limits::default()
            },
        };
        Ok(Self {
            client: Client::new(resolver, policy, trust, settings)?,
            service,
            key,
        })
    }

    /// The result of Lighthouse as Google's machine wrote it. A page that could not be measured has one, which says so.
    ///
    /// # Errors
    /// There is none.
    pub async fn result(&self, order: LoadOrder<'_>, now: OffsetDateTime) -> Result<Vec<u8>, PageSpeedError> {
        if let Some(why) = unfit(&order) {
            return Err(PageSpeedError::Unfit(why));
        }
        let asked = self.ask(&order, now).await;
        crate::metrics::asked(&asked);
        asked
    }

    async fn ask(&self, order: &LoadOrder<'_>, now: OffsetDateTime) -> Result<Vec<u8>, PageSpeedError> {
        let began = tokio::time::Instant::now();
        let request = Request::get(self.url(order)?).accept("application/json");
        let answer = self.client.send(request, now).await?;
        crate::metrics::loaded(began.elapsed());
        let url = order.page.url.clone();
        // An answer has megabytes.
        let read = spawn_blocking(move || result_in(&answer, &url)).await;
        read.unwrap_or(Err(PageSpeedError::NoResult))
    }

    fn url(&self, order: &LoadOrder<'_>) -> Result<Url, PageSpeedError> {
        let mut url = self
            .service
            .join("pagespeedonline/v5/runPagespeed")
            .map_err(|_| EgressError::Unusable)?;
        let strategy = match order.profile.form_factor {
            FormFactor::Mobile => "MOBILE",
            FormFactor::Desktop => "DESKTOP",
        };
        let mut query = url.query_pairs_mut();
        query
            .append_pair("url", &order.page.url)
            .append_pair("strategy", strategy)
            .append_pair("locale", "en-US");
        for category in &order.page.categories {
            let name = match category {
                Category::Performance => "PERFORMANCE",
                Category::Accessibility => "ACCESSIBILITY",
                Category::BestPractices => "BEST_PRACTICES",
                Category::Seo => "SEO",
            };
            query.append_pair("category", name);
        }
        query.append_pair("key", self.key.reveal());
        drop(query);
        Ok(url)
    }
}

/// Why a page can't be measured there, in a sentence that begins with "it".
fn unfit(order: &LoadOrder<'_>) -> Option<&'static str> {
    if order.secrets.basic_auth.is_some() || order.secrets.cookie.is_some() {
        Some("has no way to pages that are not public")
    } else if !order.page.blocked_url_patterns.is_empty() {
        Some("blocks no URLs")
    } else if order.profile.throttling_method != ThrottlingMethod::Simulate {
        Some("has the profiles mobile and desktop alone")
    } else {
        None
    }
}

/// The result in an answer.
fn result_in(answer: &Answer, url: &str) -> Result<Vec<u8>, PageSpeedError> {
    if !answer.status.is_success() {
        return refused(answer, url);
    }
    let analysis: Analysis = answer.json().map_err(|_| PageSpeedError::NoResult)?;
    let result = analysis.lighthouse_result.filter(Value::is_object);
    let result = result.ok_or(PageSpeedError::NoResult)?;
    serde_json::to_vec(&result).map_err(|_| PageSpeedError::NoResult)
}

/// Reads a refusal: a page that Lighthouse could not measure has a result that says so.
fn refused(answer: &Answer, url: &str) -> Result<Vec<u8>, PageSpeedError> {
    let status = answer.status;
    let Ok(Refusal { error }) = answer.json::<Refusal>() else {
        return Err(PageSpeedError::Refused { status, reason: None });
    };
    if let Some(code) = lighthouse_code(&error.message) {
        let result = json!({
            "requestedUrl": url,
            "runtimeError": { "code": code, "message": error.message },
        });
        return serde_json::to_vec(&result).map_err(|_| PageSpeedError::NoResult);
    }
    let Status {
        status: word,
        errors,
        details,
        ..
    } = error;
    let reason = details.into_iter().chain(errors).find_map(|detail| detail.reason);
    // Nothing else of the answer is repeated: it may hold the key.
    let is_word = |word: &String| {
        word.len() <= 64
            && word
                .bytes()
                .all(|byte| byte.is_ascii_alphabetic() || byte == b'_')
    };
    let reason = reason.or(word).filter(is_word);
    if reason.as_deref().is_some_and(|reason| QUOTA.contains(&reason)) {
        return Err(PageSpeedError::Quota);
    }
    Err(PageSpeedError::Refused { status, reason })
}

/// The code of Lighthouse in a message such as `Lighthouse returned error: NO_FCP. The page did not paint any content.`
fn lighthouse_code(message: &str) -> Option<&str> {
    let rest = message.strip_prefix(LIGHTHOUSE_ERROR)?;
    let code = rest
        .split(|letter: char| !letter.is_ascii_uppercase() && letter != '_')
        .next()?;
    (!code.is_empty()).then_some(code)
}

/// Reads such a result, and says where it comes from.
///
/// # Errors
/// It is something else.
pub(crate) fn read(result: &[u8]) -> Result<lhr::Load, lhr::Unreadable> {
    let mut load = lhr::read(result)?;
    load.summary.run_warnings.push(WARNING.to_owned());
    Ok(load)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_of_lighthouse_is_told_from_other_words() {
        assert_eq!(
            lighthouse_code("Lighthouse returned error: NO_FCP. The page did not paint any content."),
            Some("NO_FCP")
        );
        assert_eq!(lighthouse_code("Lighthouse returned error: something"), None);
        assert_eq!(lighthouse_code("API key not valid."), None);
    }

    #[test]
    fn a_result_is_taken_out_of_an_answer() {
        let result = |body: &str| {
            let answer = Answer {
                url: Url::parse(SERVICE).unwrap(),
                status: StatusCode::OK,
                headers: http::HeaderMap::new(),
                body: body.as_bytes().to_vec(),
                redirect: None,
                waited: Duration::ZERO,
                took: Duration::ZERO,
                place: None,
            };
            result_in(&answer, "https://shop.example/").ok()
        };
        let whole = result(r#"{ "kind": "k", "lighthouseResult": { "audits":  {} } }"#);
        assert_eq!(whole.as_deref(), Some(&br#"{"audits":{}}"#[..]));
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        let cut = result(&format!(
            r#"{{"lighthouseResult":{{"audits":{deep},"finalUrl":"https://shop.example/"}}}}"#
        ));
        let cut: Value = serde_json::from_slice(&cut.unwrap()).unwrap();
        assert_eq!(
            cut["finalUrl"], "https://shop.example/",
            "the rest of it is there"
        );
        assert_eq!(
            cut["audits"].pointer(&"/0".repeat(150)),
            None,
            "it is cut where it is too deep"
        );
        for none in [
            "{}",
            r#"{"lighthouseResult":null}"#,
            r#"{"lighthouseResult":[{}]}"#,
            "<html>",
        ] {
            assert_eq!(result(none), None, "{none}");
        }
    }

    #[test]
    fn a_quota_that_is_used_up_is_no_attempt() {
        use pharos_domain::jobs::Retry;
        let retry = |error: PageSpeedError| error.again().map(|failure| failure.retry);
        assert_eq!(retry(PageSpeedError::Quota), Some(Retry::PutOff(PAUSE)));
        let limited = EgressError::RateLimited {
            retry_after: Some(Duration::from_secs(90)),
        };
        assert_eq!(
            retry(limited.into()),
            Some(Retry::PutOff(time::Duration::seconds(90)))
        );
        let refused = |status| PageSpeedError::Refused { status, reason: None };
        assert_eq!(retry(refused(StatusCode::BAD_GATEWAY)), Some(Retry::Backoff));
        assert_eq!(retry(refused(StatusCode::BAD_REQUEST)), None);
        assert_eq!(retry(EgressError::Timeout.into()), None);
        let silent = EgressError::Silent {
            within: Duration::from_secs(60),
        };
        assert_eq!(retry(silent.into()), None);
    }
}
