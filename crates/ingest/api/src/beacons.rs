//! A beacon's request and its answer.

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, HeaderName},
    web,
};
use pharos_http::source::source_of;
use pharos_ingest::{
    beacon::Content,
    client::Hints,
    collector::{Collector, Lane, Request},
};
use url::Url;

use crate::{
    body,
    collection::{Collection, finish},
    refusals::problem,
};

/// The header by which a server names its site.
const SECRET: &str = "x-pharos-site-secret";

/// Takes a beacon: 202 once it is durable, or where the site does not want it.
pub(crate) async fn take<T: Content>(
    request: HttpRequest,
    payload: web::Payload,
    collection: web::Data<Collection>,
) -> HttpResponse
where
    Collector: Lane<T>,
{
    let body = match body::read(&request, payload.into_inner()).await {
        Ok(body) => body,
        Err(refusal) => return collection.refuse(&request, &refusal),
    };
    let text = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let origin = origin(&request);
    let country = collection
        .country_header
        .as_deref()
        .filter(|_| collection.hops.0 > 0)
        .and_then(text);
    let beacon = Request {
        body: &body,
        source: source_of(&request, collection.hops),
        user_agent: text("user-agent"),
        hints: Hints {
            platform_version: text("sec-ch-ua-platform-version"),
        },
        origin: origin.as_deref(),
        secret: text(SECRET),
        country,
        asks_not_to_be_tracked: text("dnt") == Some("1") || text("sec-gpc") == Some("1"),
    };
    match collection.collector.collect::<T>(&beacon).await {
        Ok(_) => {
            let mut response = HttpResponse::Accepted().finish();
            finish(&mut response);
            response
        }
        Err(refusal) => collection.refuse(&request, &problem(refusal)),
    }
}

/// The host of `Origin`, else of `Referer`; an empty one for what is no address of the web, such as the `null` of a page
/// without an origin.
fn origin(request: &HttpRequest) -> Option<String> {
    let host = |name: HeaderName| {
        let value = request.headers().get(name)?;
        let url = value.to_str().ok().and_then(|text| Url::parse(text).ok());
        let host = url.and_then(|url| url.host_str().map(|host| host.trim_end_matches('.').to_owned()));
        Some(host.unwrap_or_default())
    };
    host(header::ORIGIN).or_else(|| host(header::REFERER))
}
