//! Idempotency: was the key's request answered before? Then that answer; 409 where the key was another request's, or
//! its request still runs.

use std::time::Duration;

use actix_web::{HttpRequest, http::header::HeaderValue};
use pharos_domain::{
    credits::{RequestKey, StoredAnswer},
    ids::CredentialId,
    replays::{Replay, ReplayStore},
};
use ring::digest::{Context, SHA256, digest};
use time::OffsetDateTime;
use tokio::time::timeout;

use crate::{
    flights::{Flight, Flights, Turn},
    problem::{Fault, Problem, key_in_progress, key_reused},
    spec::OperationSpec,
};

const HEADER: &str = "Idempotency-Key";
/// The longest key, in characters.
const MAX_KEY_LENGTH: usize = 255;
/// How long a duplicate waits for the first request.
const PATIENCE: Duration = Duration::from_secs(10);

/// Asks what the key was answered.
pub(super) struct IdempotencyGate<'a> {
    pub(super) replays: &'a dyn ReplayStore,
    pub(super) flights: &'a Flights,
    pub(super) credential: CredentialId,
    pub(super) now: OffsetDateTime,
}

/// The first answer to a key, or the turn to give it.
pub(super) enum KeyOutcome {
    /// The request is the first; duplicates wait until the turn is dropped.
    First(Turn),
    /// The answer that it was given.
    Answer(StoredAnswer),
}

impl IdempotencyGate<'_> {
    pub(super) async fn pass(&self, key: &RequestKey) -> Result<KeyOutcome, Problem> {
        let flight = Flight::Key(self.credential, key.key.clone());
        let turn = timeout(PATIENCE, self.flights.join(flight))
            .await
            .map_err(|_| key_in_progress())?;
        match self.replays.find(self.credential, key, self.now).await? {
            Replay::Unknown => Ok(KeyOutcome::First(turn)),
            Replay::Answer(answer) => Ok(KeyOutcome::Answer(answer)),
            Replay::Reused => Err(key_reused()),
        }
    }
}

/// The key of a request with the fingerprint of method, path and body: every byte of the body counts.
pub(super) fn request_key(request: &HttpRequest, body: &[u8]) -> Result<RequestKey, Vec<Fault>> {
    let values: Vec<&HeaderValue> = request.headers().get_all(HEADER).collect();
    let mut faults = Vec::new();
    let mut add = |why: &str| faults.push(Fault::parameter(HEADER, why));
    if values.is_empty() {
        add("missing; send a key of your own, a new one for each new request");
    }
    if values.len() > 1 {
        add("given more than once");
    }
    if values.iter().any(|value| value.is_empty()) {
        add("empty");
    }
    if values.iter().any(|value| value.len() > MAX_KEY_LENGTH) {
        add("longer than 255 characters");
    }
    let visible = |value: &&HeaderValue| value.to_str().is_ok_and(|key| !key.contains('\t'));
    if !values.iter().all(visible) {
        add("holds characters other than visible ASCII and spaces");
    }
    let [Ok(key)] = values.iter().map(|value| value.to_str()).collect::<Vec<_>>()[..] else {
        return Err(faults);
    };
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(RequestKey {
        key: key.to_owned(),
        fingerprint: fingerprint(&[request.method().as_str(), request.path()], body),
    })
}

/// The key of a form at the console, with the fingerprint of the call that it makes.
pub(super) fn form_key(
    key: &str,
    operation: &OperationSpec,
    path: &[(&'static str, String)],
    body: &[u8],
) -> RequestKey {
    let values = path.iter().map(|(_, value)| value.as_str());
    let parts: Vec<&str> = [operation.id].into_iter().chain(values).collect();
    RequestKey {
        key: key.to_owned(),
        fingerprint: fingerprint(&parts, body),
    }
}

fn fingerprint(parts: &[&str], body: &[u8]) -> [u8; 32] {
    let mut fingerprint = Context::new(&SHA256);
    for part in parts {
        fingerprint.update(part.as_bytes());
        fingerprint.update(&[0]);
    }
    fingerprint.update(digest(&SHA256, body).as_ref());
    let mut bytes = [0; 32];
    bytes.copy_from_slice(fingerprint.finish().as_ref());
    bytes
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn key(method: actix_web::http::Method, path: &str, body: &[u8]) -> RequestKey {
        let request = TestRequest::with_uri(path)
            .method(method)
            .insert_header((HEADER, "k"));
        request_key(&request.to_http_request(), body).unwrap()
    }

    #[test]
    fn the_fingerprint_tells_methods_paths_and_every_byte_of_the_body_apart() {
        use actix_web::http::Method;
        let first = key(Method::POST, "/a", b"{}");
        assert_eq!(first, key(Method::POST, "/a", b"{}"));
        for other in [
            key(Method::PUT, "/a", b"{}"),
            key(Method::POST, "/b", b"{}"),
            key(Method::POST, "/a", b"{ }"),
            key(Method::POST, "/a{}", b""),
        ] {
            assert_ne!(first.fingerprint, other.fingerprint);
        }
    }

    #[test]
    fn a_key_is_one_to_255_visible_characters_given_once() {
        let with = |keys: &[&str]| {
            let mut request = TestRequest::default();
            for key in keys {
                request = request.append_header((HEADER, *key));
            }
            request_key(&request.to_http_request(), b"")
        };
        let longest = "k".repeat(255);
        for good in ["k", "a b", &longest] {
            assert_eq!(with(&[good]).unwrap().key, good);
        }
        let too_long = "k".repeat(256);
        for bad in [&[][..], &[""], &["a\tb"], &["é"], &[&*too_long], &["a", "a"]] {
            assert_eq!(with(bad).unwrap_err().len(), 1, "{bad:?}");
        }
        let both = format!("{longest}\t");
        assert_eq!(with(&[&both]).unwrap_err().len(), 2);
        assert_eq!(with(&["a", &both]).unwrap_err().len(), 3);
    }
}
