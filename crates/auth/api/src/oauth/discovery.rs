//! Discovery: what clients find before they know anything (RFC 8414, RFC 9728), and the keys.

use std::sync::Arc;

use actix_web::{HttpResponse, web};
use pharos_auth::oauth::{resource::Resources, server::AuthorizationServer, signing::PUBLISHED_FOR};
use pharos_http::{public, spec::BASE_PATH};
use url::Url;

use super::metadata::{resource_metadata, server_metadata};

const SERVER: &str = "/.well-known/oauth-authorization-server";
const RESOURCE: &str = "/.well-known/oauth-protected-resource";
const KEYS: &str = "/.well-known/jwks.json";

/// The discovery documents of an installation.
#[derive(Clone, Debug)]
pub struct Discovery {
    pages: Vec<(String, web::Bytes)>,
}

impl Discovery {
    /// The documents, made once.
    #[must_use]
    pub fn new(resources: &Resources, docs_url: &str) -> Self {
        let Resources { issuer, api, mcp } = resources;
        let server = server_metadata(
            resources,
            &format!("{issuer}{BASE_PATH}"),
            &format!("{issuer}{KEYS}"),
            docs_url,
        );
        let server = web::Bytes::from(server.to_string());
        let of =
            |resource: &str| web::Bytes::from(resource_metadata(resources, resource, docs_url).to_string());
        // At the root, and with the path of the identifier inserted (RFC 8414, section 3.1; RFC 9728, section 3.1).
        let mut pages = vec![
            (SERVER.to_owned(), server.clone()),
            (RESOURCE.to_owned(), of(api)),
        ];
        for (prefix, identifier, page) in [
            (SERVER, issuer, server),
            (RESOURCE, api, of(api)),
            (RESOURCE, mcp, of(mcp)),
        ] {
            let path = Url::parse(identifier).map_or_else(|_| String::new(), |url| url.path().to_owned());
            let path = format!("{prefix}{}", path.trim_end_matches('/'));
            if !pages.iter().any(|(known, _)| *known == path) {
                pages.push((path, page));
            }
        }
        Self { pages }
    }

    /// Mounts the documents and the keys.
    pub fn configure(&self, config: &mut web::ServiceConfig, server: Arc<AuthorizationServer>) {
        for (path, page) in self.pages.clone() {
            public::document(config, &path, move || std::future::ready(kept(page.clone())));
        }
        public::document(config, KEYS, move || keys(Arc::clone(&server)));
    }
}

async fn keys(server: Arc<AuthorizationServer>) -> HttpResponse {
    match server.jwks().await {
        Ok(keys) => kept(keys.to_string()),
        Err(error) => {
            tracing::error!(%error, "the signing keys can't be read");
            HttpResponse::ServiceUnavailable()
                .insert_header(("Retry-After", "5"))
                .content_type("text/plain; charset=utf-8")
                .body("The keys can't be read at the moment.\n")
        }
    }
}

/// Kept for as long as a new key waits before it signs.
fn kept(body: impl Into<web::Bytes>) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("application/json")
        .insert_header(("X-Content-Type-Options", "nosniff"))
        .insert_header((
            "Cache-Control",
            format!("public, max-age={}", PUBLISHED_FOR.whole_seconds()),
        ))
        .body(body.into())
}
