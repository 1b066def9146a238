//! The services and settings that the routes need, and the headers of their answers.

use std::{fmt, sync::Arc};

use actix_web::{HttpRequest, HttpResponse, http::header};
use pharos_domain::{identity::TrustedHops, ids::RequestId};
use pharos_http::{
    answer::{self, Addresses},
    problem::Problem,
};
use pharos_ingest::collector::Collector;

/// The routes of collection.
#[derive(Clone)]
pub struct Collection {
    /// Takes the beacons.
    pub collector: Arc<Collector>,
    /// The addresses that refusals name.
    pub addresses: Addresses,
    /// The proxies in front.
    pub hops: TrustedHops,
    /// The header in which they name the country of a request, such as `CF-IPCountry`. Without a proxy it is not looked at.
    pub country_header: Option<String>,
}

impl fmt::Debug for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Collection")
            .field("collector", &self.collector)
            .field("hops", &self.hops)
            .finish_non_exhaustive()
    }
}

impl Collection {
    pub(crate) fn refuse(&self, request: &HttpRequest, refusal: &Problem) -> HttpResponse {
        let mut response = answer::problem(&self.addresses, RequestId::generate(), request, refusal);
        finish(&mut response);
        response
    }
}

/// The headers of every answer: scripts of any origin may read it, and nobody keeps it.
pub(crate) fn finish(response: &mut HttpResponse) {
    let headers = response.headers_mut();
    let mut set = |name, value| {
        headers.insert(name, header::HeaderValue::from_static(value));
    };
    set(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    set(header::ACCESS_CONTROL_EXPOSE_HEADERS, "Retry-After");
    set(header::CACHE_CONTROL, "no-store");
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
}
