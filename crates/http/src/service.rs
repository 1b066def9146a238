//! The actix service that ties routing, gates and answers together.

use std::{
    panic::AssertUnwindSafe,
    time::{Duration, Instant},
};

use actix_web::{HttpRequest, HttpResponse, dev::Payload, http::Method, web};
use futures_util::FutureExt;
use pharos_domain::ids::RequestId;
use pharos_traces::span::Span;

use crate::{
    answer, gates,
    kit::Kit,
    metrics::OperationMetrics,
    open::OpenOperation,
    pages,
    problem::Problem,
    registry::{Routed, Unrouted},
    request_context::RequestContext,
    spec::{BASE_PATH, OperationSpec},
};

/// Mounts the service as actix's default: it sees every path that nothing else serves.
pub fn configure(config: &mut web::ServiceConfig, kit: Kit) {
    pages::configure(config, &kit.pages, &kit.registry, &kit.addresses);
    config
        .app_data(kit.ports.clone())
        .app_data(web::Data::new(kit))
        .default_service(web::to(serve));
}

async fn serve(request: HttpRequest, payload: web::Payload, kit: web::Data<Kit>) -> HttpResponse {
    let started = Instant::now();
    let mut context = RequestContext::new(RequestId::generate());
    let mut span = Span::request(traceparent(&request));
    let Answered {
        operation,
        route,
        metrics,
        mut response,
    } = span
        .within(answer_to(&kit, &request, payload.into_inner(), &mut context))
        .await;
    answer::finish(&mut response, &context);
    let took = started.elapsed();
    let status = response.status().as_u16();
    metrics.answered(status, took);
    log_request(&context, operation, &request, status, took);
    if span.is_some() {
        tell(&mut span, &context, operation, route, &request, status);
    }
    response
}

/// The trace that the request says it belongs to. Whether that counts is up to the tracer. Two of them tell nothing.
fn traceparent(request: &HttpRequest) -> Option<&str> {
    let mut said = request.headers().get_all("traceparent");
    let header = said.next()?;
    match said.next() {
        None => header.to_str().ok(),
        Some(_) => None,
    }
}

/// Tells the span of a request what is known of it by its end, by the semantic conventions for HTTP. Path and query are left out, as
/// in the log, and the method is one that an operation has.
fn tell(
    span: &mut Span,
    context: &RequestContext,
    operation: Option<&'static str>,
    route: Option<&'static str>,
    request: &HttpRequest,
    status: u16,
) {
    let method = match operation {
        Some(_) => request.method().to_string(),
        None => "_OTHER".to_owned(),
    };
    span.rename(|| match route {
        Some(route) => format!("{method} {route}"),
        None => "HTTP".to_owned(),
    });
    span.set("http.request.method", method);
    if let Some(route) = route {
        span.set("http.route", route);
    }
    if let Some(operation) = operation {
        span.set("pharos.operation", operation);
    }
    span.set("http.response.status_code", status);
    span.set("pharos.request_id", context.id.to_string());
    if let Some(identity) = &context.identity {
        span.set("pharos.credential_id", identity.credential_id.to_string());
    }
    if status >= 500 {
        span.fail();
    }
}

/// A line for a request: at info, but at debug where nobody known sent it, since anybody can send as many as they like. Path and
/// query are left out: they hold values of callers, and links of people.
fn log_request(
    context: &RequestContext,
    operation: Option<&'static str>,
    request: &HttpRequest,
    status: u16,
    took: Duration,
) {
    macro_rules! line {
        ($level:ident) => {
            tracing::$level!(
                request_id = %context.id,
                inbound_request_id = request
                    .headers()
                    .get("x-request-id")
                    .and_then(|value| value.to_str().ok())
                    .map(|id| id.chars().take(128).collect::<String>()),
                operation,
                method = %request.method(),
                status,
                micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
                credential_id = context
                    .identity
                    .as_ref()
                    .map(|identity| tracing::field::display(identity.credential_id)),
                cost = context.cost,
                "answered"
            )
        };
    }
    if context.identity.is_some() || status >= 500 {
        line!(info);
    } else {
        line!(debug);
    }
}

/// An answer, and whose it is.
struct Answered<'k> {
    operation: Option<&'static str>,
    /// The path as the operation declares it.
    route: Option<&'static str>,
    metrics: &'k OperationMetrics,
    response: HttpResponse,
}

async fn answer_to<'k>(
    kit: &'k Kit,
    request: &HttpRequest,
    payload: Payload,
    context: &mut RequestContext,
) -> Answered<'k> {
    let unrouted = |response| Answered {
        operation: None,
        route: None,
        metrics: &kit.metrics.unrouted,
        response,
    };
    if request.method() == Method::OPTIONS
        && let Some(allow) = kit.registry.allow(request.path())
    {
        return unrouted(answer::preflight(&allow));
    }
    let matched = match kit.registry.route(request.method().as_str(), request.path()) {
        Ok(Routed::Operation(matched)) => matched,
        Ok(Routed::Open(operation)) => {
            context.is_for_scripts = operation.spec.is_for_scripts;
            return Answered {
                operation: Some(operation.spec.id),
                route: Some(operation.spec.path),
                metrics: &operation.metrics,
                response: open(kit, operation, request, payload, context.id).await,
            };
        }
        Err(Unrouted { refusal, path }) => {
            if request.path().starts_with(BASE_PATH) {
                gates::unrouted::recognise(kit, &path, request, context).await;
                show_balance(kit, context).await;
            }
            return unrouted(refuse_and_note(kit, context, None, request, &refusal));
        }
    };
    let (operation, path) = (matched.operation, matched.path);
    let passing = gates::pass(kit, operation, path, request.clone(), payload, context);
    // A panic is a defect of one handler. It must not take the connection's worker with it, nor go unanswered.
    let outcome = AssertUnwindSafe(passing).catch_unwind().await;
    let response = match outcome {
        Ok(Ok(success)) => answer::success(&kit.addresses, request, operation.spec, success, context.cache),
        Ok(Err(refusal)) => refuse_and_note(kit, context, Some(operation.spec.id), request, &refusal),
        Err(_) => {
            let panicked = Problem::internal("the handler panicked");
            refuse_and_note(kit, context, Some(operation.spec.id), request, &panicked)
        }
    };
    account(kit, operation.spec, &response, context).await;
    Answered {
        operation: Some(operation.spec.id),
        route: Some(operation.spec.path),
        metrics: &operation.metrics,
        response,
    }
}

async fn open(
    kit: &Kit,
    operation: &OpenOperation,
    request: &HttpRequest,
    payload: Payload,
    id: RequestId,
) -> HttpResponse {
    let source = kit.source(request);
    let answering = operation.answer(&*kit.limiter, source, request.clone(), payload, kit.clock.now());
    AssertUnwindSafe(answering)
        .catch_unwind()
        .await
        .unwrap_or_else(|_| refuse(kit, id, request, &Problem::internal("the handler panicked")))
}

/// Logs a request that was not logged with its charge, and looks up the credits left to the payer.
async fn account(
    kit: &Kit,
    spec: &'static OperationSpec,
    response: &HttpResponse,
    context: &mut RequestContext,
) {
    if !context.logged
        && let Some(entry) = context.entry(spec, response.status().as_u16(), 0, kit.clock.now())
    {
        kit.meter.log(entry).await;
    }
    show_balance(kit, context).await;
}

async fn show_balance(kit: &Kit, context: &mut RequestContext) {
    if let Some(payer) = context.payer()
        && context.remaining.is_none()
    {
        context.remaining = kit.meter.remaining(payer, kit.clock.now()).await;
    }
}

/// Refuses a request, and has that noted for people of the caller's workspace where it is known.
fn refuse_and_note(
    kit: &Kit,
    context: &RequestContext,
    operation: Option<&'static str>,
    request: &HttpRequest,
    refusal: &Problem,
) -> HttpResponse {
    let source = kit.source(request);
    if let Some(refused) = context.refused(operation, refusal, source, kit.clock.now()) {
        kit.refusals.note(refused);
    }
    refuse(kit, context.id, request, refusal)
}

fn refuse(kit: &Kit, id: RequestId, request: &HttpRequest, refusal: &Problem) -> HttpResponse {
    kit.metrics.refused(refusal.suffix);
    answer::problem(&kit.addresses, id, request, refusal)
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_request_belongs_to_one_trace() {
        let cases: [(&[&str], Option<&str>); 3] =
            [(&[], None), (&["00-a"], Some("00-a")), (&["00-a", "00-b"], None)];
        for (said, known) in cases {
            let mut request = TestRequest::default();
            for header in said {
                request = request.append_header(("traceparent", *header));
            }
            assert_eq!(traceparent(&request.to_http_request()), known, "{said:?}");
        }
    }
}
