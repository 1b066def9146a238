//! The headers of every answer, compression, CORS.

use std::io::Write;

use actix_web::{
    HttpRequest, HttpResponse,
    body::BoxBody,
    http::{
        StatusCode,
        header::{self, HeaderName, HeaderValue},
    },
};
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use pharos_domain::{credits::CacheOutcome, ids::RequestId, log_pace::LogPace, problem::Suffix};
use uuid::Uuid;

use crate::{
    link,
    metering::Standing,
    operation::Success,
    problem::{Problem, ProblemBody},
    request_context::RequestContext,
    spec::OperationSpec,
};

/// Bodies above this are compressed where the caller accepts it.
const COMPRESS_ABOVE_BYTES: usize = 1024;

/// The header of a request that an answer's body depends on.
const VARY: &str = "Accept-Encoding";

/// How many headers an answer has at most.
const MOST_HEADERS: usize = 20;

/// The addresses that answers name.
#[derive(Clone, Debug)]
pub struct Addresses {
    /// `{base_url}`, without a slash at its end.
    pub base_url: String,
    /// `{docs_url}`, which prefixes the `type` of every problem.
    pub docs_url: String,
}

impl Addresses {
    /// The body of a refusal, and the headers that are its own.
    pub(crate) fn write(
        &self,
        id: RequestId,
        path: &str,
        refusal: &Problem,
    ) -> (Bytes, Vec<(HeaderName, HeaderValue)>) {
        let suffix = refusal.suffix;
        let body = ProblemBody {
            kind: format!("{}/api/errors/{suffix}", self.docs_url),
            title: suffix.title(),
            status: suffix.status(),
            detail: &refusal.detail,
            instance: path,
            request_id: id.to_string(),
            extras: &refusal.extras,
        };
        let body = serde_json::to_vec(&body).unwrap_or_default().into();
        let mut headers = Vec::new();
        let mut add = |name: HeaderName, value: String| {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.push((name, value));
            }
        };
        if let Some(seconds) = refusal.retry_after {
            add(header::RETRY_AFTER, seconds.to_string());
        }
        if let Some(allow) = &refusal.allow {
            add(header::ALLOW, allow.clone());
        }
        if let Some(challenge) = self.challenge(refusal) {
            add(header::WWW_AUTHENTICATE, challenge);
        }
        (body, headers)
    }

    /// RFC 9728, section 5.1; RFC 6750, section 3.
    fn challenge(&self, refusal: &Problem) -> Option<String> {
        let hint = format!(
            r#"Bearer resource_metadata="{}/.well-known/oauth-protected-resource""#,
            self.base_url
        );
        match (refusal.suffix, refusal.extras.required_scope) {
            (Suffix::InsufficientScope, Some(scope)) => {
                Some(format!(r#"{hint}, error="insufficient_scope", scope="{scope}""#))
            }
            // A request that brought nothing is told no error (RFC 6750, section 3.1).
            (Suffix::MissingCredential, _) => Some(hint),
            (suffix, _) if suffix.status() == 401 => Some(format!(r#"{hint}, error="invalid_token""#)),
            _ => None,
        }
    }
}

/// A refusal as `application/problem+json`, with the headers that are its own. Its cause is logged.
#[must_use]
pub fn problem(
    addresses: &Addresses,
    id: RequestId,
    request: &HttpRequest,
    refusal: &Problem,
) -> HttpResponse {
    let suffix = refusal.suffix;
    if let Some(cause) = &refusal.cause {
        log_cause(id, suffix, cause);
    }
    let (body, headers) = addresses.write(id, request.path(), refusal);
    let status = StatusCode::from_u16(suffix.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = text(request, status, body, "application/problem+json");
    for (name, value) in headers {
        response.headers_mut().insert(name, value);
    }
    response
}

/// Logs why a request was refused that was none of its caller's faults. A dependency that is away refuses all requests alike, so
/// that is told once a second for each problem, with how many were refused and not told. The counter of refusals has them all.
pub(crate) fn log_cause(id: RequestId, suffix: Suffix, cause: &str) {
    static AWAY: [LogPace; Suffix::ALL.len()] = [const { LogPace::new() }; Suffix::ALL.len()];
    let pace = AWAY.get(suffix as usize);
    match pace.filter(|_| suffix.status() == 503).map(LogPace::turn) {
        None => tracing::error!(request_id = %id, %suffix, cause, "refused"),
        Some(Some(held_back)) => {
            tracing::error!(request_id = %id, %suffix, cause, held_back, "refused");
        }
        Some(None) => {}
    }
}

/// A success, with its entity tag and the link to the next page. Where the cache has the answer that `If-None-Match` names
/// it is 304, without a body. One that had to be computed is given whole: it is charged, and no 304 is.
pub(crate) fn success(
    addresses: &Addresses,
    request: &HttpRequest,
    spec: &OperationSpec,
    success: Success,
    cache: CacheOutcome,
) -> HttpResponse {
    let Success {
        status,
        body,
        tag,
        next,
        kept: _,
    } = success;
    let is_known = cache == CacheOutcome::Hit && tag.as_ref().is_some_and(|tag| tag.is_known_to(request));
    let mut response = if is_known {
        let mut response = HttpResponse::new(StatusCode::NOT_MODIFIED);
        response
            .headers_mut()
            .insert(header::VARY, HeaderValue::from_static(VARY));
        response
    } else {
        text(request, status, body, "application/json")
    };
    let headers = response.headers_mut();
    if let Some(tag) = tag {
        headers.insert(header::ETAG, tag.header());
    }
    let link = next.and_then(|next| link::next(&addresses.base_url, request, spec.paging, &next));
    if let Some(link) = link {
        headers.insert(header::LINK, link);
    }
    response
}

/// An answer of text, such as JSON, compressed where it is worth it and accepted.
#[must_use]
pub fn text(request: &HttpRequest, status: StatusCode, body: Bytes, kind: &'static str) -> HttpResponse {
    packed_text(request, status, body, kind, Compression::fast())
}

/// The same compressed as far as it goes, which takes about three times as long: for what every visitor of a site loads.
#[must_use]
pub fn small_text(
    request: &HttpRequest,
    status: StatusCode,
    body: Bytes,
    kind: &'static str,
) -> HttpResponse {
    packed_text(request, status, body, kind, Compression::best())
}

fn packed_text(
    request: &HttpRequest,
    status: StatusCode,
    body: Bytes,
    kind: &'static str,
    level: Compression,
) -> HttpResponse {
    let packed = (body.len() > COMPRESS_ABOVE_BYTES && accepts_gzip(request))
        .then(|| gzip(&body, level).ok())
        .flatten();
    let is_packed = packed.is_some();
    let mut response = HttpResponse::with_body(status, BoxBody::new(packed.map_or(body, Bytes::from)));
    let headers = response.headers_mut();
    headers.reserve(MOST_HEADERS);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::VARY, HeaderValue::from_static(VARY));
    if is_packed {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

fn gzip(body: &[u8], level: Compression) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 4), level);
    encoder.write_all(body)?;
    encoder.finish()
}

/// Whether `Accept-Encoding` names gzip, or all, with a weight above 0 (RFC 9110, section 12.5.3).
fn accepts_gzip(request: &HttpRequest) -> bool {
    let mut any = None;
    for value in request
        .headers()
        .get_all(header::ACCEPT_ENCODING)
        .filter_map(|value| value.to_str().ok())
    {
        for item in value.split(',') {
            let mut parts = item.split(';').map(str::trim);
            let coding = parts.next().unwrap_or("");
            let weight = parts
                .find_map(|part| part.strip_prefix("q="))
                .map_or(Some(1.0), |q| q.parse::<f32>().ok());
            let accepted = weight.is_some_and(|weight| weight > 0.0);
            match coding {
                _ if coding.eq_ignore_ascii_case("gzip") => return accepted,
                "*" => any = Some(accepted),
                _ => {}
            }
        }
    }
    any.unwrap_or(false)
}

const EXPOSED: &str = "X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Credits-Cost, \
                       X-Credits-Remaining, X-Cache, ETag, Link, Retry-After, WWW-Authenticate, \
                       Idempotent-Replayed";

/// The answer to OPTIONS: what the path answers, and leave for scripts of any origin (no credentials).
pub(crate) fn preflight(allow: &str) -> HttpResponse {
    HttpResponse::NoContent()
        .insert_header((header::ALLOW, allow))
        .insert_header((header::ACCESS_CONTROL_ALLOW_METHODS, allow))
        .insert_header((
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "Authorization, Content-Type, Idempotency-Key, If-None-Match, MCP-Protocol-Version",
        ))
        .insert_header((header::ACCESS_CONTROL_MAX_AGE, "86400"))
        .finish()
}

/// The headers of every answer of the contract.
pub(crate) fn finish(response: &mut HttpResponse, context: &RequestContext) {
    let headers = response.headers_mut();
    // Whoever keeps an answer with a tag asks whether it still holds before it is used; no other answer is kept.
    let keeping = if headers.contains_key(header::ETAG) {
        "private, no-cache"
    } else {
        "private, no-store"
    };
    let mut set = |name: HeaderName, value: HeaderValue| {
        headers.insert(name, value);
    };
    let mut id = Uuid::encode_buffer();
    if let Ok(id) = HeaderValue::from_str(context.id.0.hyphenated().encode_lower(&mut id)) {
        set(REQUEST_ID, id);
    }
    set(CREDITS_COST, context.cost.into());
    if let Some(remaining) = context.remaining {
        set(CREDITS_REMAINING, remaining.into());
    }
    if let Some(Standing {
        limit,
        remaining,
        reset,
    }) = context.standing
    {
        set(RATE_LIMIT_LIMIT, limit.into());
        set(RATE_LIMIT_REMAINING, remaining.into());
        set(RATE_LIMIT_RESET, reset.into());
    }
    let cache = match context.cache {
        CacheOutcome::Hit => "HIT",
        CacheOutcome::Miss => "MISS",
        CacheOutcome::Unavailable => "UNAVAILABLE",
    };
    set(CACHE, HeaderValue::from_static(cache));
    if context.replayed {
        set(REPLAYED, HeaderValue::from_static("true"));
    }
    set(header::CACHE_CONTROL, HeaderValue::from_static(keeping));
    set(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    if context.is_for_scripts {
        set(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        set(
            header::ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static(EXPOSED),
        );
    }
}

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const CREDITS_COST: HeaderName = HeaderName::from_static("x-credits-cost");
const CREDITS_REMAINING: HeaderName = HeaderName::from_static("x-credits-remaining");
const RATE_LIMIT_LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const RATE_LIMIT_REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RATE_LIMIT_RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
const CACHE: HeaderName = HeaderName::from_static("x-cache");
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::accepts_gzip;

    #[test]
    fn gzip_is_used_where_it_is_accepted() {
        let accepts = |value: &'static str| {
            accepts_gzip(
                &TestRequest::default()
                    .insert_header(("accept-encoding", value))
                    .to_http_request(),
            )
        };
        for yes in ["gzip", "br, GZIP;q=0.5", "*", "*;q=0, gzip"] {
            assert!(accepts(yes), "{yes}");
        }
        for no in ["", "br", "gzip;q=0", "*;q=0", "gzip;q=0, *", "identity"] {
            assert!(!accepts(no), "{no}");
        }
    }
}
