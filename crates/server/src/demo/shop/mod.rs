//! The pages of a demo shop, with what a measured site has: campaigns, a search, a file, a sale, an error, and things that are
//! slow on purpose.

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

/// A page's surroundings.
pub(super) struct Frame<'a> {
    /// The shop's name.
    pub(super) name: &'a str,
    /// The address of the script that measures it.
    pub(super) tracker: Option<&'a str>,
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
        "/files/price-list.pdf" => {
            return asset("application/pdf", pictures::price_list().as_bytes());
        }
        _ => match path.strip_prefix("/product/").and_then(goods::find) {
            Some(good) => pages::product(frame, good),
            None => return html(HttpResponse::NotFound(), pages::missing(frame)),
        },
    };
    html(HttpResponse::Ok(), page)
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
    let picture = if name == "hero" {
        actix_web::rt::time::sleep(SLOW_PICTURE).await;
        pictures::hero()
    } else {
        match goods::find(name) {
            Some(Good { hue, .. }) => pictures::lamp(*hue),
            None => return HttpResponse::NotFound().finish(),
        }
    };
    asset("image/svg+xml", picture.as_bytes())
}

fn asset(kind: &'static str, body: &[u8]) -> HttpResponse {
    HttpResponse::Ok()
        .content_type(kind)
        .insert_header((header::CACHE_CONTROL, "no-cache"))
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
