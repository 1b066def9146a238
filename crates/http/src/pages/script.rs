//! The script by which the page of an operation makes its call.

use std::sync::LazyLock;

use actix_web::{HttpResponse, web};

use crate::public::{digest_of, kept};

const SCRIPT: &str = include_str!("try.js");

/// Its route.
pub(super) const ROUTE: &str = "/docs/script/{digest}.js";

/// Where it is.
pub(super) static PATH: LazyLock<String> = LazyLock::new(|| format!("/docs/script/{}.js", digest_of(SCRIPT)));

/// GET /docs/script/{digest}.js
pub(super) async fn script(digest: web::Path<String>) -> HttpResponse {
    kept(&digest, "text/javascript; charset=utf-8", SCRIPT)
}
