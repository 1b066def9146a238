//! What every answer carries: its headers, compression, CORS.

use std::io::Write;

use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        StatusCode,
        header::{self, HeaderName, HeaderValue},
    },
};
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use pharos_domain::{ids::RequestId, problem::Suffix};

use crate::problem::{Problem, ProblemBody};

/// Bodies above this are compressed where the caller accepts it.
const COMPRESS_ABOVE_BYTES: usize = 1024;

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
            (suffix, _) if suffix.status() == 401 => Some(hint),
            _ => None,
        }
    }
}

/// A JSON answer, compressed where it is worth it and accepted.
pub(crate) fn json(
    request: &HttpRequest,
    status: StatusCode,
    body: Bytes,
    kind: &'static str,
) -> HttpResponse {
    let mut response = HttpResponse::build(status);
    response
        .content_type(kind)
        .insert_header((header::VARY, "Accept-Encoding"));
    if body.len() > COMPRESS_ABOVE_BYTES
        && accepts_gzip(request)
        && let Ok(compressed) = gzip(&body)
    {
        return response
            .insert_header((header::CONTENT_ENCODING, "gzip"))
            .body(compressed);
    }
    response.body(body)
}

fn gzip(body: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 4), Compression::fast());
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
                       X-Credits-Remaining, X-Cache, Retry-After, WWW-Authenticate, Idempotent-Replayed";

/// The answer to OPTIONS: what the path answers, and leave for scripts of any origin (no credentials).
pub(crate) fn preflight(allow: &str) -> HttpResponse {
    HttpResponse::NoContent()
        .insert_header((header::ALLOW, allow))
        .insert_header((header::ACCESS_CONTROL_ALLOW_METHODS, allow))
        .insert_header((
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "Authorization, Content-Type, Idempotency-Key",
        ))
        .insert_header((header::ACCESS_CONTROL_MAX_AGE, "86400"))
        .finish()
}

/// The headers of every answer of the contract.
pub(crate) fn finish(response: &mut HttpResponse, id: RequestId) {
    let headers = response.headers_mut();
    let mut set = |name: &'static str, value: HeaderValue| {
        headers.insert(HeaderName::from_static(name), value);
    };
    if let Ok(id) = HeaderValue::from_str(&id.to_string()) {
        set("x-request-id", id);
    }
    // Nothing is charged and nothing is cached yet; both gates have their place in `gates::pass`.
    set("x-credits-cost", HeaderValue::from_static("0"));
    set("x-cache", HeaderValue::from_static("MISS"));
    set("cache-control", HeaderValue::from_static("private, no-store"));
    set("x-content-type-options", HeaderValue::from_static("nosniff"));
    set("access-control-allow-origin", HeaderValue::from_static("*"));
    set("access-control-expose-headers", HeaderValue::from_static(EXPOSED));
}

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
