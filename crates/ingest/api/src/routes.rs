//! Where the routes are mounted.

use actix_web::{
    HttpRequest, HttpResponse, Resource, guard,
    http::{Method, header},
    web,
};
use pharos_domain::{
    collect::{event::Events, view::View},
    problem::Suffix,
};
use pharos_http::problem::Problem;

use crate::{beacons, collection::Collection, script};

const BEACON: &str = "POST, OPTIONS";
const SCRIPT: &str = "GET, HEAD, OPTIONS";

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
