//! A body that is ready.

use actix_web::{
    HttpResponse,
    http::header::ContentType,
    web::{self, Bytes, ServiceConfig},
};
use pharos_http::operation::Example;
use serde::Serialize;

use super::path_of;
use crate::serve::{operations::CACHED, payloads::Report};

/// Mounts it.
pub(in crate::serve) fn ready(config: &mut ServiceConfig) {
    let body = bytes(&Report::example());
    config
        .app_data(web::Data::new(body))
        .route(&path_of(&CACHED), web::get().to(answer));
}

async fn answer(body: web::Data<Bytes>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header(ContentType::json())
        .body(Bytes::clone(&body))
}

pub(super) fn bytes(payload: &impl Serialize) -> Bytes {
    serde_json::to_vec(payload).unwrap_or_default().into()
}
