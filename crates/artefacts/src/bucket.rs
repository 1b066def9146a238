//! Artefacts in a bucket of a store that speaks the protocol of Amazon S3.

use std::{fmt, time::Duration};

use object_store::{
    RetryConfig,
    aws::{AmazonS3, AmazonS3Builder},
};
use pharos_egress::trust::TrustAnchors;

use crate::connector::Connector;

/// The largest artefact that can be read from a bucket, in bytes: far more than any has.
pub const LARGEST: usize = 64 * 1024 * 1024;
/// How often a request is tried again.
const TRIES: usize = 3;

/// How long stores are waited for.
const BOUNDS: Bounds = Bounds {
    answer: Duration::from_secs(30),
    tries: Duration::from_secs(30),
};

/// How long a store is waited for, which may accept a connection and say nothing. Somebody waits for the answer.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// For the answer to a request.
    answer: Duration,
    /// How long after the first request it is tried again.
    tries: Duration,
}

/// A bucket, and how it is reached.
#[derive(Clone)]
pub struct S3Bucket {
    /// The name that the service knows it by.
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
        self.within(BOUNDS)
    }

    fn within(&self, bounds: Bounds) -> object_store::Result<AmazonS3> {
        let connector = Connector {
            trust: self.trust.clone(),
            answers_within: bounds.answer,
        };
        let retry = RetryConfig {
            max_retries: TRIES,
            retry_timeout: bounds.tries,
            ..RetryConfig::default()
        };
        let mut builder = AmazonS3Builder::new()
            .with_http_connector(connector)
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
    use object_store::{ObjectStoreExt, PutPayload, path::Path};
    use tokio::{io::AsyncWriteExt, net::TcpListener, time::timeout};

    use super::*;

    fn bucket(endpoint: String) -> S3Bucket {
        S3Bucket {
            name: "artefacts".to_owned(),
            endpoint: Some(endpoint),
            region: "us-east-1".to_owned(),
            key: Some(("pharos".to_owned(), "swordfish".to_owned())),
            trust: TrustAnchors::web(),
        }
    }

    #[test]
    fn the_key_is_not_shown() {
        let bucket = bucket("http://127.0.0.1:9000".to_owned());
        assert!(!format!("{bucket:?}").contains("swordfish"));
        let store = bucket.open().unwrap();
        assert!(!format!("{store:?}").contains("swordfish"), "{store:?}");
    }

    /// It accepts every connection, answers a request by this, and says nothing more.
    async fn silent_after(beginning: &'static str) -> (String, tokio::task::JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let server = tokio::spawn(async move {
            let mut held = Vec::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                stream.readable().await.unwrap();
                stream.write_all(beginning.as_bytes()).await.unwrap();
                held.push(stream);
            }
            drop(held);
        });
        (endpoint, server)
    }

    #[tokio::test]
    async fn a_store_that_says_nothing_holds_nobody() {
        // Far longer than all tries take, on however busy a machine.
        let patience = Duration::from_secs(60);
        let bounds = Bounds {
            answer: Duration::from_millis(200),
            tries: Duration::from_secs(1),
        };
        let half = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\nETag: \"1\"\r\n\r\npic";
        for beginning in ["", half] {
            let (endpoint, server) = silent_after(beginning).await;
            let store = bucket(endpoint).within(bounds).unwrap();
            let path = Path::from("picture");
            let read = timeout(patience, store.get(&path)).await.expect("a read ends");
            assert!(read.is_err(), "{beginning:?}: {read:?}");
            let content = PutPayload::from_static(b"picture");
            let written = timeout(patience, store.put(&path, content)).await;
            let written = written.expect("a write ends");
            assert!(written.is_err(), "{beginning:?}: {written:?}");
            server.abort();
        }
    }
}
