//! The pages of a demo shop, with what a measured site has: campaigns, a search, a file, a sale, an error, requests one of which fails
//! at times, a tag of somebody else, and things that are slow on purpose.

pub(super) mod goods;
mod layout;
mod pages;
mod pictures;

use std::time::Duration;

use actix_web::{
    HttpRequest, HttpResponse,
    http::{Method, header},
};
use cookie::{Cookie, SameSite};
use maud::Markup;

use self::goods::Good;
use super::{robots, sitemaps};

/// How long the large picture of the first page takes.
const SLOW_PICTURE: Duration = Duration::from_millis(450);
/// One request for what is in stock of so many fails.
pub(super) const STOCK_FAILS: u8 = 14;
/// The pages that show what somebody buys: no cache keeps them, the back/forward cache included.
const PRIVATE: [&str; 3] = ["/cart", "/checkout", "/thank-you"];

/// A page's surroundings.
pub(super) struct Frame<'a> {
    /// The shop's name.
    pub(super) name: &'a str,
    /// The address of the script that measures it.
    pub(super) tracker: Option<&'a str>,
    /// The address of the tag of somebody else.
    pub(super) tag: &'a str,
}

/// Whether no cache keeps a page.
pub(super) fn is_private(path: &str) -> bool {
    PRIVATE.contains(&path)
}

/// The script of the tag.
pub(super) fn tag() -> HttpResponse {
    asset("text/javascript", layout::TAG.as_bytes())
}

/// Answers a request of a visitor; `form` is the body of a form.
pub(super) async fn answer(frame: &Frame<'_>, request: &HttpRequest, form: &str) -> HttpResponse {
    let path = request.path();
    if request.method() == Method::POST {
        return post(path, request, form);
    }
    if let Some(picture) = path
        .strip_prefix("/pictures/")
        .and_then(|name| name.strip_suffix(".svg"))
    {
        return picture_of(picture).await;
    }
    let cart = || cookie(request, "cart").and_then(|id| goods::find(&id));
    let page = match path {
        "/" => pages::landing(frame),
        "/search" => pages::search(frame, &parameter(request.query_string(), "q")),
        "/cart" => pages::cart(frame, cart()),
        "/checkout" => pages::checkout(frame, cart()),
        "/thank-you" => pages::thanks(frame, cart().zip(cookie(request, "order"))),
        "/robots.txt" => {
            let base = format!("http://{}/", request.connection_info().host());
            return asset("text/plain; charset=utf-8", robots::text(&base).as_bytes());
        }
        "/sitemap.xml" | "/sitemaps/pages.xml" | "/sitemaps/goods.xml" => {
            let base = format!("http://{}/", request.connection_info().host());
            let today = time::OffsetDateTime::now_utc().date();
            let file = sitemaps::file(path, &base, today).unwrap_or_default();
            return asset("application/xml", file.as_bytes());
        }
        "/style.css" => return asset("text/css", layout::STYLE.as_bytes()),
        "/shop.js" => return asset("text/javascript", layout::SCRIPT.as_bytes()),
        "/api/stock" => return stock(),
        "/api/voucher" => return asset("application/json", br#"{"text":"No voucher is needed"}"#),
        "/files/price-list.pdf" => {
            return asset("application/pdf", pictures::price_list().as_bytes());
        }
        _ => match path.strip_prefix("/product/").and_then(goods::find) {
            Some(good) => pages::product(frame, good),
            None => return html(HttpResponse::NotFound(), pages::missing(frame)),
        },
    };
    let mut response = HttpResponse::Ok();
    if is_private(path) {
        response.insert_header((header::CACHE_CONTROL, "no-store"));
    }
    html(response, page)
}

/// How many of a thing there are, which the shop is too busy to say at times.
fn stock() -> HttpResponse {
    if fastrand::u8(0..STOCK_FAILS) == 0 {
        return HttpResponse::ServiceUnavailable().body("Busy.\n");
    }
    asset("application/json", br#"{"left":7}"#)
}

/// Takes a form, and sends the browser on, so that a reload does nothing twice.
fn post(path: &str, request: &HttpRequest, form: &str) -> HttpResponse {
    let next = |to: &str, cookie: &Cookie<'_>| {
        HttpResponse::SeeOther()
            .insert_header((header::SET_COOKIE, cookie.to_string()))
            .insert_header((header::LOCATION, to))
            .finish()
    };
    match path {
        "/cart" => match goods::find(&parameter(form, "item")) {
            Some(good) => next("/cart", &kept("cart", good.id.to_owned())),
            None => HttpResponse::BadRequest().body("There is no such thing here.\n"),
        },
        "/checkout" if cookie(request, "cart").is_some() => {
            let number = fastrand::u32(100_000..1_000_000);
            next("/thank-you", &kept("order", format!("D-{number}")))
        }
        _ => HttpResponse::BadRequest().body("There is nothing to take here.\n"),
    }
}

async fn picture_of(name: &str) -> HttpResponse {
    let (picture, keep) = if name == "hero" {
        actix_web::rt::time::sleep(SLOW_PICTURE).await;
        // Whoever looks at the first page again waits again.
        (pictures::hero(), "no-cache")
    } else {
        match goods::find(name) {
            Some(Good { hue, .. }) => (pictures::lamp(*hue), "max-age=86400"),
            None => return HttpResponse::NotFound().finish(),
        }
    };
    kept_asset("image/svg+xml", picture.as_bytes(), keep)
}

fn asset(kind: &'static str, body: &[u8]) -> HttpResponse {
    kept_asset(kind, body, "no-cache")
}

/// A file, with what caches are told of it.
fn kept_asset(kind: &'static str, body: &[u8], keep: &'static str) -> HttpResponse {
    HttpResponse::Ok()
        .content_type(kind)
        .insert_header((header::CACHE_CONTROL, keep))
        .body(body.to_vec())
}

fn html(mut response: actix_web::HttpResponseBuilder, page: Markup) -> HttpResponse {
    response
        .content_type("text/html; charset=utf-8")
        .body(page.into_string())
}

/// A parameter of a query or a form; empty where it is missing.
fn parameter(pairs: &str, name: &str) -> String {
    url::form_urlencoded::parse(pairs.as_bytes())
        .find(|(key, _)| key == name)
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}

fn cookie(request: &HttpRequest, name: &str) -> Option<String> {
    let sent = request.headers().get(header::COOKIE)?.to_str().ok()?;
    Cookie::split_parse(sent)
        .filter_map(Result::ok)
        .find(|cookie| cookie.name() == name)
        .map(|cookie| cookie.value().to_owned())
}

fn kept(name: &'static str, value: String) -> Cookie<'static> {
    Cookie::build((name, value))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .build()
}
