//! A status page, as everybody sees it without signing in.

mod known;
mod view;

use actix_web::{HttpResponse, http::header, web};
use maud::Markup;
use pharos_uptime::status_page::Slug;

use self::known::Known;
use crate::{
    assets::{SCRIPT_PATH, STYLE_PATH},
    console::Console,
    refusal::Refusal,
    status_cache::{self, View},
};

/// GET /status/{slug}
pub(crate) async fn show(
    slug: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let made = |known: &Known| view::page(known, &STYLE_PATH, &SCRIPT_PATH);
    kept(&slug, View::Page, &console, "text/html; charset=utf-8", made).await
}

/// GET /status/{slug}/incidents
pub(crate) async fn incidents(
    slug: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let made = |known: &Known| view::incidents(known, &STYLE_PATH, &SCRIPT_PATH);
    kept(&slug, View::Incidents, &console, "text/html; charset=utf-8", made).await
}

/// GET /status/{slug}/feed.xml
pub(crate) async fn feed(
    slug: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let base_url = console.parts.base_url.clone();
    let made = |known: &Known| view::feed(known, &base_url);
    kept(
        &slug,
        View::Feed,
        &console,
        "application/rss+xml; charset=utf-8",
        made,
    )
    .await
}

async fn kept(
    slug: &str,
    view: View,
    console: &Console,
    content_type: &str,
    make: impl FnOnce(&Known) -> Markup,
) -> Result<HttpResponse, Refusal> {
    let slug: Slug = slug.parse().map_err(|_| Refusal::NoOpenPage)?;
    let now = console.parts.clock.now();
    let making = async {
        let known = Known::read(console, &slug, now)
            .await?
            .ok_or(Refusal::NoOpenPage)?;
        Ok::<_, Refusal>(web::Bytes::from(make(&known).into_string()))
    };
    let body = console.status_cache.get(&slug, view, now, making).await?;
    let policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; frame-ancestors 'none'; \
                  base-uri 'none'; form-action 'none'";
    Ok(HttpResponse::Ok()
        .content_type(content_type)
        .insert_header((header::CONTENT_SECURITY_POLICY, policy))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::REFERRER_POLICY, "same-origin"))
        .insert_header((
            header::CACHE_CONTROL,
            format!("public, max-age={}", status_cache::KEPT.whole_seconds()),
        ))
        .body(body))
}
