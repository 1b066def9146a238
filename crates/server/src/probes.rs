//! `/livez` and `/readyz`: for whoever runs Pharos, outside the contract and without a credential.

use std::time::Duration;

use actix_web::{HttpResponse, web};
use pharos_http::public;
use pharos_persistence::pool::Database;
use tokio::time::timeout;

/// How long the database has for its sign of life.
const WITHIN: Duration = Duration::from_secs(3);

/// Mounts both.
pub fn configure(config: &mut web::ServiceConfig, database: Database) {
    config.app_data(web::Data::new(database));
    public::page(config, "/livez", async || HttpResponse::Ok().body("alive\n"));
    public::page(config, "/readyz", ready);
}

/// Ready: the database answers and has every migration.
async fn ready(database: web::Data<Database>) -> HttpResponse {
    match timeout(WITHIN, database.pending_migrations()).await {
        Ok(Ok(pending)) if pending.is_empty() => HttpResponse::Ok().body("ready\n"),
        Ok(Ok(pending)) => {
            HttpResponse::ServiceUnavailable().body(format!("{} migrations are missing\n", pending.len()))
        }
        Ok(Err(_)) | Err(_) => HttpResponse::ServiceUnavailable().body("the database does not answer\n"),
    }
}
