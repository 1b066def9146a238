//! The actix service that ties routing, gates and answers together.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Instant};

use actix_web::{
    HttpRequest, HttpResponse,
    dev::Payload,
    http::{Method, StatusCode},
    web,
};
use futures_util::FutureExt;
use pharos_domain::ids::RequestId;

use crate::{
    answer::{self, Addresses},
    authenticator::{Authenticator, Switchboard},
    gates, pages,
    problem::Problem,
    registry::Registry,
    source::TrustedHops,
};

/// What the service needs. The server wires it once; every worker shares it.
#[derive(Clone)]
pub struct Kit {
    /// All operations.
    pub registry: Arc<Registry>,
    /// From a credential to an identity.
    pub authenticator: Arc<dyn Authenticator>,
    /// What the operator turned off.
    pub switchboard: Arc<dyn Switchboard>,
    /// The proxies in front.
    pub hops: TrustedHops,
    /// The addresses that answers name.
    pub addresses: Arc<Addresses>,
}

impl std::fmt::Debug for Kit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Kit")
            .field("hops", &self.hops)
            .field("addresses", &self.addresses)
            .finish_non_exhaustive()
    }
}

/// Mounts the service as actix's default: it sees every path that nothing else serves.
pub fn configure(config: &mut web::ServiceConfig, kit: Kit) {
    pages::configure(config, &kit);
    config
        .app_data(web::Data::new(kit))
        .default_service(web::to(serve));
}

async fn serve(request: HttpRequest, payload: web::Payload, kit: web::Data<Kit>) -> HttpResponse {
    let id = RequestId::generate();
    let started = Instant::now();
    let inbound = request
        .headers()
        .get("x-request-id")
        .and_then(|value| value.to_str().ok())
        .map(str::to_owned);
    let (operation, response) = answer_to(&kit, id, request.clone(), payload.into_inner()).await;
    let mut response = response;
    answer::finish(&mut response, id);
    tracing::info!(
        request_id = %id,
        inbound_request_id = inbound.as_deref().map(|id| id.chars().take(128).collect::<String>()),
        operation,
        method = %request.method(),
        status = response.status().as_u16(),
        micros = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX),
        "answered"
    );
    response
}

async fn answer_to(
    kit: &Kit,
    id: RequestId,
    request: HttpRequest,
    payload: Payload,
) -> (Option<&'static str>, HttpResponse) {
    let path = request.path().to_owned();
    if request.method() == Method::OPTIONS
        && let Some(allow) = kit.registry.allow(&path)
    {
        return (None, answer::preflight(&allow));
    }
    let matched = match kit.registry.route(request.method().as_str(), &path) {
        Ok(matched) => matched,
        Err(refusal) => return (None, refuse(kit, id, &request, &refusal)),
    };
    let operation = matched.operation;
    let passing = gates::pass(kit, operation, matched.path, request.clone(), payload);
    // A panic is a defect of one handler. It must not take the connection's worker with it, nor go unanswered.
    let outcome = AssertUnwindSafe(passing).catch_unwind().await;
    let response = match outcome {
        Ok(Ok(success)) => answer::json(&request, success.status, success.body, "application/json"),
        Ok(Err(refusal)) => refuse(kit, id, &request, &refusal),
        Err(_) => refuse(kit, id, &request, &Problem::internal("the handler panicked")),
    };
    (Some(operation.spec.id), response)
}

fn refuse(kit: &Kit, id: RequestId, request: &HttpRequest, refusal: &Problem) -> HttpResponse {
    let suffix = refusal.suffix;
    if let Some(cause) = &refusal.cause {
        tracing::error!(request_id = %id, %suffix, cause, "refused");
    }
    let (body, headers) = kit.addresses.write(id, request.path(), refusal);
    let status = StatusCode::from_u16(suffix.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = answer::json(request, status, body, "application/problem+json");
    for (name, value) in headers {
        response.headers_mut().insert(name, value);
    }
    response
}

/// 404 for what lies outside the contract.
pub(crate) fn nothing_here() -> HttpResponse {
    HttpResponse::NotFound()
        .content_type("text/plain; charset=utf-8")
        .body("Nothing is here.\n")
}
