//! `/livez` and `/readyz`: for whoever runs Pharos, outside the contract and without a credential.

use actix_web::{HttpResponse, web};
use pharos_persistence::pool::Database;

/// Mounts both.
pub fn configure(config: &mut web::ServiceConfig, database: Database) {
    config
        .app_data(web::Data::new(database))
        .route(
            "/livez",
            web::get().to(async || HttpResponse::Ok().body("alive\n")),
        )
        .route("/readyz", web::get().to(ready));
}

/// Ready: the database answers and has every migration.
async fn ready(database: web::Data<Database>) -> HttpResponse {
    match database.pending_migrations().await {
        Ok(pending) if pending.is_empty() => HttpResponse::Ok().body("ready\n"),
        Ok(pending) => {
            HttpResponse::ServiceUnavailable().body(format!("{} migrations are missing\n", pending.len()))
        }
        Err(_) => HttpResponse::ServiceUnavailable().body("the database does not answer\n"),
    }
}
