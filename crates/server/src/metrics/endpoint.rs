//! `GET /metrics` on the admin address, in Prometheus' text format, and nothing else.

use std::{net::TcpListener, time::Duration};

use actix_web::{App, HttpResponse, HttpServer, dev::Server, http::header::CONTENT_TYPE, web};
use metrics_exporter_prometheus::PrometheusHandle;

/// How many connections it has at once. Others wait.
const CONNECTIONS: usize = 32;
/// How long the head of a request may take to arrive.
const READ_HEAD_WITHIN: Duration = Duration::from_secs(5);
/// The text format, in its version.
const TEXT_FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";
/// The answer to all other requests, by which the doctor knows whose address it is.
pub const ELSEWHERE: &str = "The metrics of Pharos are at /metrics.\n";

/// Serves what is recorded, on one thread: scrapes wait for each other, and for nothing that answers the API.
///
/// # Errors
/// The socket can't be listened on.
pub fn serve(socket: TcpListener, recorder: PrometheusHandle) -> std::io::Result<Server> {
    let server = HttpServer::new(move || {
        App::new()
            .app_data(web::Data::new(recorder.clone()))
            .service(
                web::resource("/metrics")
                    .route(web::get().to(scrape))
                    .default_service(web::to(elsewhere)),
            )
            .default_service(web::to(elsewhere))
    });
    Ok(server
        .workers(1)
        .max_connections(CONNECTIONS)
        .client_request_timeout(READ_HEAD_WITHIN)
        .disable_signals()
        .listen(socket)?
        .run())
}

async fn scrape(recorder: web::Data<PrometheusHandle>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, TEXT_FORMAT))
        .body(recorder.render())
}

async fn elsewhere() -> HttpResponse {
    HttpResponse::NotFound().body(ELSEWHERE)
}
