//! `/livez` and `/readyz`: for whoever runs Pharos, outside the contract and without a credential.

use std::time::Duration;

use actix_web::{HttpResponse, web};
use pharos_http::public;
use pharos_persistence::pool::Database;
use pharos_supervisor::Supervisor;
use tokio::time::timeout;

use crate::groups::SCHEMAS;

/// How long the database has for its sign of life.
const WITHIN: Duration = Duration::from_secs(3);

/// Mounts `/livez` and `/readyz`.
pub fn configure(config: &mut web::ServiceConfig, database: Database, supervisor: Supervisor) {
    config
        .app_data(web::Data::new(database))
        .app_data(web::Data::new(supervisor));
    public::page(config, "/livez", async || HttpResponse::Ok().body("alive\n"));
    public::page(config, "/readyz", ready);
}

/// Ready: the database answers and has every migration and function, and no task is down or stuck that answers
/// need. Below it is a line for each task that panicked lately or is stuck; one that answers do without does not make the node
/// unready.
async fn ready(database: web::Data<Database>, supervisor: web::Data<Supervisor>) -> HttpResponse {
    let mut lines = Vec::new();
    match timeout(WITHIN, database.pending_migrations(SCHEMAS)).await {
        Ok(Ok(pending)) if pending.is_empty() => {}
        Ok(Ok(pending)) => lines.push(format!("{} migrations and functions are missing", pending.len())),
        Ok(Err(_)) | Err(_) => lines.push("the database does not answer".to_owned()),
    }
    let (failing, stuck) = (supervisor.failing(), supervisor.stuck());
    let mut hindered = failing
        .iter()
        .filter(|failing| failing.is_down)
        .map(|failing| failing.task)
        .chain(stuck.iter().map(|stuck| stuck.task));
    let is_ready = lines.is_empty() && !hindered.any(|task| task.is_needed_to_answer);
    if is_ready {
        lines.push("ready".to_owned());
    }
    lines.extend(failing.iter().map(ToString::to_string));
    lines.extend(stuck.iter().map(ToString::to_string));
    let body = lines.join("\n") + "\n";
    if is_ready {
        HttpResponse::Ok().body(body)
    } else {
        HttpResponse::ServiceUnavailable().body(body)
    }
}
