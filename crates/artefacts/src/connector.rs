//! The way to an object store: hyper with rustls on `ring`, as all else that goes out here.

use std::{error::Error, time::Duration};

use async_trait::async_trait;
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::{
    client::legacy::{Client, connect},
    rt::{TokioExecutor, TokioTimer},
};
use object_store::{
    ClientOptions,
    client::{
        HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody, HttpResponse,
        HttpResponseBody, HttpService,
    },
};
use pharos_egress::trust::TrustAnchors;
use tokio::time::timeout;

use crate::bucket::LARGEST;

/// How long a connection may take.
const CONNECTS_WITHIN: Duration = Duration::from_secs(5);
/// How long a connection that nobody uses is kept.
const IDLE: Duration = Duration::from_secs(30);

/// Makes clients.
#[derive(Clone, Debug)]
pub(crate) struct Connector {
    /// Whom they trust.
    pub(crate) trust: TrustAnchors,
    /// How long an answer as a whole may take, with the connection.
    pub(crate) answers_within: Duration,
}

#[derive(Debug)]
struct Http {
    client: Client<HttpsConnector<connect::HttpConnector>, HttpRequestBody>,
    answers_within: Duration,
}

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        let tls = self.trust.client_config();
        let mut tls = tls.map_err(|error| object_store::Error::Generic {
            store: "S3",
            source: Box::new(error),
        })?;
        // The builder offers those that it is told to enable.
        tls.alpn_protocols.clear();
        let mut connector = connect::HttpConnector::new();
        connector.enforce_http(false);
        connector.set_connect_timeout(Some(CONNECTS_WITHIN));
        connector.set_nodelay(true);
        let connector = hyper_rustls::HttpsConnectorBuilder::new()
            .with_tls_config(tls)
            .https_or_http()
            .enable_http1()
            .wrap_connector(connector);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .build(connector);
        Ok(HttpClient::new(Http {
            client,
            answers_within: self.answers_within,
        }))
    }
}

#[async_trait]
impl HttpService for Http {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let exchange = async {
            let response = self.client.request(request).await.map_err(|error| {
                let kind = if error.is_connect() {
                    HttpErrorKind::Connect
                } else {
                    HttpErrorKind::Request
                };
                HttpError::new(kind, error)
            })?;
            let (head, body) = response.into_parts();
            // Artefacts are read whole.
            let body = whole(body, LARGEST).await?;
            Ok::<_, HttpError>(HttpResponse::from_parts(head, HttpResponseBody::from(body)))
        };
        timeout(self.answers_within, exchange)
            .await
            .unwrap_or_else(|late| Err(HttpError::new(HttpErrorKind::Timeout, late)))
    }
}

/// A body, if it is not too large. One that is would be so again.
async fn whole<B>(body: B, most: usize) -> Result<Bytes, HttpError>
where
    B: BodyExt,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    match Limited::new(body, most).collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => {
            Err(HttpError::new_boxed(HttpErrorKind::Decode, error))
        }
        Err(error) => Err(HttpError::new_boxed(HttpErrorKind::Interrupted, error)),
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::Full;

    use super::*;

    #[tokio::test]
    async fn a_body_is_read_up_to_a_size() {
        let read = |most| whole(Full::new(Bytes::from_static(b"picture")), most);
        assert_eq!(read(7).await.unwrap(), "picture");
        let refused = read(6).await.unwrap_err();
        assert!(matches!(refused.kind(), HttpErrorKind::Decode), "{refused}");
    }
}
