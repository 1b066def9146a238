//! The actix service that ties routing, gates and answers together.

use std::{panic::AssertUnwindSafe, time::Instant};

use actix_web::{
    HttpRequest, HttpResponse,
    dev::Payload,
    http::{Method, StatusCode},
    web,
};
use futures_util::FutureExt;
use pharos_domain::ids::RequestId;

use crate::{
    answer, gates,
    kit::Kit,
    open::OpenOperation,
    pages,
    passage::Passage,
    problem::Problem,
    registry::Routed,
    spec::{BASE_PATH, OperationSpec},
};

/// Mounts the service as actix's default: it sees every path that nothing else serves.
pub fn configure(config: &mut web::ServiceConfig, kit: Kit) {
    pages::configure(config, &kit);
    config
        .app_data(web::Data::new(kit))
        .default_service(web::to(serve));
}

async fn serve(request: HttpRequest, payload: web::Payload, kit: web::Data<Kit>) -> HttpResponse {
    let started = Instant::now();
    let mut passage = Passage::new(RequestId::generate());
    let (operation, mut response) = answer_to(&kit, &request, payload.into_inner(), &mut passage).await;
    answer::finish(&mut response, &passage);
    // The log of requests is the credit log; this is for whoever looks into one of them.
    tracing::debug!(
        request_id = %passage.id,
        inbound_request_id = request
            .headers()
            .get("x-request-id")
            .and_then(|value| value.to_str().ok())
            .map(|id| id.chars().take(128).collect::<String>()),
        operation = operation.map(|spec| spec.id),
        method = %request.method(),
        status = response.status().as_u16(),
        micros = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX),
        "answered"
    );
    response
}

async fn answer_to(
    kit: &Kit,
    request: &HttpRequest,
    payload: Payload,
    passage: &mut Passage,
) -> (Option<&'static OperationSpec>, HttpResponse) {
    if request.method() == Method::OPTIONS
        && let Some(allow) = kit.registry.allow(request.path())
    {
        return (None, answer::preflight(&allow));
    }
    let matched = match kit.registry.route(request.method().as_str(), request.path()) {
        Ok(Routed::Operation(matched)) => matched,
        Ok(Routed::Open(operation)) => {
            passage.is_for_scripts = operation.spec.is_for_scripts;
            return (None, open(kit, operation, request, payload, passage.id).await);
        }
        Err(unrouted) => {
            if request.path().starts_with(BASE_PATH) {
                gates::unrouted::recognise(kit, &unrouted.path, request, passage).await;
                show_balance(kit, passage).await;
            }
            return (None, refuse(kit, passage.id, request, &unrouted.refusal));
        }
    };
    let (operation, path) = (matched.operation, matched.path);
    let passing = gates::pass(kit, operation, path, request.clone(), payload, passage);
    // A panic is a defect of one handler. It must not take the connection's worker with it, nor go unanswered.
    let outcome = AssertUnwindSafe(passing).catch_unwind().await;
    let response = match outcome {
        Ok(Ok(success)) => answer::json(request, success.status, success.body, "application/json"),
        Ok(Err(refusal)) => refuse(kit, passage.id, request, &refusal),
        Err(_) => refuse(
            kit,
            passage.id,
            request,
            &Problem::internal("the handler panicked"),
        ),
    };
    account(kit, operation.spec, &response, passage).await;
    (Some(operation.spec), response)
}

async fn open(
    kit: &Kit,
    operation: &OpenOperation,
    request: &HttpRequest,
    payload: Payload,
    id: RequestId,
) -> HttpResponse {
    let source = kit.hops.source(request);
    let answering = operation.answer(&*kit.limiter, source, request.clone(), payload, kit.clock.now());
    AssertUnwindSafe(answering)
        .catch_unwind()
        .await
        .unwrap_or_else(|_| refuse(kit, id, request, &Problem::internal("the handler panicked")))
}

/// Logs what cost nothing, and looks up what is left to the payer.
async fn account(kit: &Kit, spec: &'static OperationSpec, response: &HttpResponse, passage: &mut Passage) {
    if !passage.logged
        && let Some(entry) = passage.entry(spec, response.status().as_u16(), 0, kit.clock.now())
    {
        kit.meter.log(entry).await;
    }
    show_balance(kit, passage).await;
}

async fn show_balance(kit: &Kit, passage: &mut Passage) {
    if let Some(payer) = passage.payer()
        && passage.remaining.is_none()
    {
        passage.remaining = kit.meter.remaining(payer, kit.clock.now()).await;
    }
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
