//! The robots.txt of a Pharos: crawlers may read the documentation and what is public, such as status pages.

use actix_web::{HttpResponse, http::header};

use crate::spec::BASE_PATH;

/// GET /robots.txt
pub(super) async fn robots() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::CACHE_CONTROL, "public, max-age=86400"))
        .body(format!(
            "User-agent: *\nDisallow: /console\nDisallow: {BASE_PATH}/\nDisallow: /oauth/\n"
        ))
}
