//! An answer that is there as a whole.

use std::{fmt, sync::Arc, time::Duration};

use http::{HeaderMap, StatusCode};
use serde::de::DeserializeOwned;
use tokio::sync::OwnedSemaphorePermit;
use url::Url;

use super::server_of;

/// A whole answer. `Debug` shows who gave it and how much it is, and nothing that stands in it.
#[derive(Clone)]
pub struct Answer {
    /// The URL that answered, after all redirects.
    pub url: Url,
    /// The status of the last answer, after all redirects.
    pub status: StatusCode,
    /// The headers of the last answer.
    pub headers: HeaderMap,
    /// Its body, decompressed. Empty where the status is no success and the body could not be read.
    pub body: Vec<u8>,
    /// Where it redirects to, with [`super::Redirects::Return`]. The policy has not refused it yet, nor allowed it.
    pub redirect: Option<Url>,
    /// How long the first request waited for its server's turn.
    pub waited: Duration,
    /// How long it took, redirects included, beside waiting for turns and for a place.
    pub took: Duration,
    /// Its place among the answers that are held at once, with [`super::Client::holding`].
    pub place: Option<Place>,
}

/// A place among the answers that are held at once. The last clone gives it back.
#[derive(Clone, Debug)]
pub struct Place {
    _permits: Arc<[Option<OwnedSemaphorePermit>; 2]>,
}

impl Place {
    /// Holds a place of a share, and one of all.
    pub(super) fn new(permits: [Option<OwnedSemaphorePermit>; 2]) -> Self {
        Self {
            _permits: Arc::new(permits),
        }
    }
}

/// A body is not the JSON that was expected. Nothing of it is repeated: it may be a secret, or a person's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the answer is not as expected from line {line}, column {column} on")]
pub struct NotJson {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

impl Answer {
    /// The body, read as JSON.
    ///
    /// # Errors
    /// Where it is something else.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, NotJson> {
        Ok(serde_json::from_slice(&self.body)?)
    }
}

impl From<serde_json::Error> for NotJson {
    fn from(error: serde_json::Error) -> Self {
        Self {
            line: error.line(),
            column: error.column(),
        }
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer")
            .field("server", &server_of(&self.url))
            .field("status", &self.status)
            .field("body_bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}
