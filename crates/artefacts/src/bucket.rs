//! Artefacts in a bucket of a store that speaks the protocol of Amazon S3.

use std::{fmt, time::Duration};

use object_store::{
    RetryConfig,
    aws::{AmazonS3, AmazonS3Builder},
};
use pharos_egress::trust::TrustAnchors;

use crate::connector::Connector;

/// How often a request is tried again, and until when. Somebody waits for the answer.
const TRIES: usize = 3;
const TRIED_WITHIN: Duration = Duration::from_secs(30);

/// A bucket, and how it is reached.
#[derive(Clone)]
pub struct S3Bucket {
    /// Its name.
    pub name: String,
    /// Where the store is; `None`: at Amazon, in that region.
    pub endpoint: Option<String>,
    /// The region that requests are signed for.
    pub region: String,
    /// The id of a key, and the key itself; `None`: the role that Amazon gives the machine.
    pub key: Option<(String, String)>,
    /// Who vouches for its certificate.
    pub trust: TrustAnchors,
}

/// The key is a secret.
impl fmt::Debug for S3Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("S3Bucket")
            .field("name", &self.name)
            .field("endpoint", &self.endpoint)
            .field("region", &self.region)
            .finish_non_exhaustive()
    }
}

impl S3Bucket {
    pub(crate) fn open(&self) -> object_store::Result<AmazonS3> {
        let retry = RetryConfig {
            max_retries: TRIES,
            retry_timeout: TRIED_WITHIN,
            ..RetryConfig::default()
        };
        let mut builder = AmazonS3Builder::new()
            .with_http_connector(Connector(self.trust.clone()))
            .with_bucket_name(&self.name)
            .with_region(&self.region)
            .with_retry(retry)
            // Not every store deletes many at once.
            .with_disable_bulk_delete(true);
        if let Some(endpoint) = &self.endpoint {
            builder = builder
                .with_endpoint(endpoint)
                .with_allow_http(endpoint.starts_with("http://"));
        }
        if let Some((id, secret)) = &self.key {
            builder = builder.with_access_key_id(id).with_secret_access_key(secret);
        }
        builder.build()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_not_shown() {
        let bucket = S3Bucket {
            name: "artefacts".to_owned(),
            endpoint: Some("http://127.0.0.1:9000".to_owned()),
            region: "us-east-1".to_owned(),
            key: Some(("pharos".to_owned(), "swordfish".to_owned())),
            trust: TrustAnchors::web(),
        };
        assert!(!format!("{bucket:?}").contains("swordfish"));
        let store = bucket.open().unwrap();
        assert!(!format!("{store:?}").contains("swordfish"), "{store:?}");
    }
}
