//! A body that is ready, after one INCR in Redis.

use actix_web::{
    HttpResponse,
    error::ErrorInternalServerError,
    http::header::ContentType,
    web::{self, Bytes, ServiceConfig},
};
use anyhow::Result;
use pharos_http::operation::Example;
use redis::{AsyncTypedCommands, Client, aio::MultiplexedConnection};

use super::path_of;
use crate::serve::{operations::CACHED, payloads::Report};

/// One connection that all workers share.
#[derive(Clone)]
pub(in crate::serve) struct Incr {
    connection: MultiplexedConnection,
    body: Bytes,
}

impl Incr {
    pub(in crate::serve) async fn connect(redis_url: &str) -> Result<Self> {
        let client = Client::open(redis_url)?;
        Ok(Self {
            connection: client.get_multiplexed_async_connection().await?,
            body: super::ready::bytes(&Report::example()),
        })
    }

    /// Mounts it.
    pub(in crate::serve) fn configure(&self, config: &mut ServiceConfig) {
        config
            .app_data(web::Data::new(self.clone()))
            .route(&path_of(&CACHED), web::get().to(answer));
    }
}

async fn answer(incr: web::Data<Incr>) -> actix_web::Result<HttpResponse> {
    let mut connection = incr.connection.clone();
    connection
        .incr("bench", 1)
        .await
        .map_err(ErrorInternalServerError)?;
    Ok(HttpResponse::Ok()
        .insert_header(ContentType::json())
        .body(Bytes::clone(&incr.body)))
}
