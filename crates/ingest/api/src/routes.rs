//! Where the routes are mounted.

use std::{fmt, sync::Arc};

use actix_web::{
    HttpRequest, HttpResponse, Resource, guard,
    http::{Method, header},
    web,
};
use pharos_domain::{
    collect::{event::Events, view::View},
    identity::TrustedHops,
    ids::RequestId,
    problem::Suffix,
};
use pharos_http::{
    answer::{self, Addresses},
    problem::Problem,
};
use pharos_ingest::collector::Collector;

use crate::{beacons, script};

const BEACON: &str = "POST, OPTIONS";
const SCRIPT: &str = "GET, HEAD, OPTIONS";

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
    /// Mounts `/collect/events`, `/collect/vitals` and `/js/{site_key}.js`.
    pub fn configure(&self, config: &mut web::ServiceConfig) {
        let post = guard::Post;
        let events = self
            .resource("/collect/events", BEACON)
            .route(web::route().guard(post()).to(beacons::take::<Events>));
        let vitals = self
            .resource("/collect/vitals", BEACON)
            .route(web::route().guard(post()).to(beacons::take::<View>));
        let reading = guard::Any(guard::Get()).or(guard::Head());
        let script = self
            .resource("/js/{file}", SCRIPT)
            .route(web::route().guard(reading).to(script::get));
        config.service(events).service(vitals).service(script);
    }

    /// A resource that answers OPTIONS, and other methods than it has with 405.
    fn resource(&self, path: &str, allow: &'static str) -> Resource {
        web::resource(path)
            .app_data(web::Data::new(self.clone()))
            .route(web::method(Method::OPTIONS).to(move || std::future::ready(preflight(allow))))
            .default_service(web::to(
                move |request: HttpRequest, collection: web::Data<Self>| {
                    let refusal = Problem {
                        allow: Some(allow.to_owned()),
                        ..Problem::new(Suffix::MethodNotAllowed, format!("This address answers {allow}."))
                    };
                    std::future::ready(collection.refuse(&request, &refusal))
                },
            ))
    }

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

/// The answer to OPTIONS. A site's secret has no business in a page, so its header is not allowed.
fn preflight(allow: &'static str) -> HttpResponse {
    HttpResponse::NoContent()
        .insert_header((header::ALLOW, allow))
        .insert_header((header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .insert_header((header::ACCESS_CONTROL_ALLOW_METHODS, allow))
        .insert_header((
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "Content-Type, Content-Encoding",
        ))
        .insert_header((header::ACCESS_CONTROL_MAX_AGE, "86400"))
        .finish()
}
