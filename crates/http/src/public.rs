//! Resources that anybody may read outside the contract: GET and HEAD, and for documents that scripts of any origin read
//! OPTIONS. Stylesheets and scripts of pages have names that say what is in them, so they may be kept for good.

use actix_web::{
    FromRequest, Handler, HttpResponse, Resource, Responder, guard,
    http::{Method, header},
    middleware::DefaultHeaders,
    web,
};
use pharos_domain::hex::hex;
use ring::digest;

use crate::answer;

const PAGE: &str = "GET, HEAD";
const DOCUMENT: &str = "GET, HEAD, OPTIONS";

/// Mounts what people read.
pub fn page<F, Args>(config: &mut web::ServiceConfig, path: &str, handler: F)
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    config.service(read(path, PAGE, handler));
}

/// Mounts what programs read, scripts of any origin among them (CORS).
pub fn document<F, Args>(config: &mut web::ServiceConfig, path: &str, handler: F)
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    let preflight = web::method(Method::OPTIONS).to(async || answer::preflight(DOCUMENT));
    let for_scripts = DefaultHeaders::new().add((header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"));
    config.service(read(path, DOCUMENT, handler).route(preflight).wrap(for_scripts));
}

/// The name of a text by what is in it.
#[must_use]
pub fn digest_of(text: &str) -> String {
    let digest = digest::digest(&digest::SHA256, text.as_bytes());
    hex(&digest.as_ref()[..8])
}

/// A text whose address has its name by what is in it. Under another name it is asked for by a page that a node of another version
/// has made, and nobody may keep it in the place of theirs.
#[must_use]
pub fn kept(name: &str, content_type: &'static str, text: &'static str) -> HttpResponse {
    let keeping = if name == digest_of(text) {
        "public, max-age=31536000, immutable"
    } else {
        "no-store"
    };
    HttpResponse::Ok()
        .content_type(content_type)
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::CACHE_CONTROL, keeping))
        .body(web::Bytes::from_static(text.as_bytes()))
}

fn read<F, Args>(path: &str, allow: &'static str, handler: F) -> Resource
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    let reading = guard::Any(guard::Get()).or(guard::Head());
    web::resource(path)
        .route(web::route().guard(reading).to(handler))
        .default_service(web::to(move || std::future::ready(other_method(allow))))
}

fn other_method(allow: &'static str) -> HttpResponse {
    HttpResponse::MethodNotAllowed()
        .insert_header((header::ALLOW, allow))
        .content_type("text/plain; charset=utf-8")
        .body(format!("This address answers {allow}.\n"))
}
