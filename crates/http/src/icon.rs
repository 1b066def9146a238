//! The icon of Pharos: as pages link it, and where browsers ask for one by themselves.

use std::{future::ready, sync::LazyLock};

use actix_web::{HttpResponse, http::header, web};
use maud::{Markup, html};

use crate::public::{self, digest_of, kept};

const DRAWN: &str = include_str!("icon/icon.svg");
/// The same for who reads no SVG: 32 pixels wide, and 180 without corners, which phones cut themselves.
const SMALL: &[u8] = include_bytes!("icon/favicon.ico");
const LARGE: &[u8] = include_bytes!("icon/apple-touch-icon.png");

static PATH: LazyLock<String> = LazyLock::new(|| format!("/icon/{}.svg", digest_of(DRAWN)));

/// The link in the head of a page. Its policy has to let pictures of its own origin be loaded.
#[must_use]
pub fn link() -> Markup {
    html! { link rel="icon" type="image/svg+xml" href=(PATH.as_str()); }
}

pub(crate) fn configure(config: &mut web::ServiceConfig) {
    public::page(config, "/icon/{digest}.svg", drawn);
    public::page(config, "/favicon.ico", || ready(picture("image/x-icon", SMALL)));
    for asked in ["/apple-touch-icon.png", "/apple-touch-icon-precomposed.png"] {
        public::page(config, asked, || ready(picture("image/png", LARGE)));
    }
}

async fn drawn(digest: web::Path<String>) -> HttpResponse {
    kept(&digest, "image/svg+xml", DRAWN)
}

/// A picture whose address stays when another takes its place.
fn picture(content_type: &'static str, bytes: &'static [u8]) -> HttpResponse {
    HttpResponse::Ok()
        .content_type(content_type)
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::CACHE_CONTROL, "public, max-age=86400"))
        .body(web::Bytes::from_static(bytes))
}
