//! The stylesheet and the script. Their names say what is in them, so they may be kept for good.

use std::sync::LazyLock;

use actix_web::{HttpResponse, web};
use pharos_http::public::{digest_of, kept};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The stylesheet's route.
pub(crate) const STYLE_ROUTE: &str = "/style/{digest}.css";
/// The script's route.
pub(crate) const SCRIPT_ROUTE: &str = "/script/{digest}.js";

/// Where the stylesheet is.
pub(crate) static STYLE_PATH: LazyLock<String> =
    LazyLock::new(|| format!("/console/style/{}.css", digest_of(STYLE)));
/// Where the script is.
pub(crate) static SCRIPT_PATH: LazyLock<String> =
    LazyLock::new(|| format!("/console/script/{}.js", digest_of(SCRIPT)));

/// GET /console/style/{digest}.css
pub(crate) async fn style(digest: web::Path<String>) -> HttpResponse {
    kept(&digest, "text/css; charset=utf-8", STYLE)
}

/// GET /console/script/{digest}.js
pub(crate) async fn script(digest: web::Path<String>) -> HttpResponse {
    kept(&digest, "text/javascript; charset=utf-8", SCRIPT)
}
