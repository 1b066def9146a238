//! The pages that people read: what a problem's `type` resolves to, the reference, the document, guides.

pub mod guides;
mod operation;
mod robots;
mod script;

use std::{
    collections::HashMap,
    future::ready,
    sync::{Arc, OnceLock},
};

use actix_web::{HttpResponse, http::header, web};
use maud::{DOCTYPE, Markup, html};
use pharos_domain::{problem::Suffix, scope::Scope};
use serde::Deserialize;

use self::guides::{Guide, Kept};
use crate::{
    answer::Addresses,
    icon,
    openapi::document::{document, open_limit, rate_limits},
    public,
    registry::Registry,
    spec::{BASE_PATH, OperationSpec},
};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;\
color:#1b1f24;background:#fff}code{font:0.9em ui-monospace,monospace}table{border-collapse:collapse;width:100%}\
th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid #d8dee4;vertical-align:top}a{color:#0b5cad}\
.wide,pre{overflow-x:auto}h1,h2,h3,p,li,nav{overflow-wrap:anywhere}input,button,select,textarea{font:inherit;max-width:100%;box-sizing:border-box}\
textarea{width:100%;font-family:ui-monospace,monospace;font-size:.9em}small{overflow-wrap:anywhere}\
input[data-in],#try-key{width:26rem}\
article{max-width:52rem}.guides{columns:20rem;column-gap:2rem;padding-left:1.2rem}.here{font-weight:400}\
td a code{overflow-wrap:anywhere}tbody th{width:12rem}.wide td:first-child:has(a){min-width:14rem}\
@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}th,td{border-color:#30363d}a{color:#6cb6ff}}";

/// The policy of pages that are read.
const READING: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'";
/// The policy of the page of an operation: a script of this origin calls what is on this origin. Its form goes nowhere by itself, since
/// a key stands in it.
const CALLING: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; script-src 'self'; \
                       connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

/// How many words are looked for at once.
const MOST_WORDS: usize = 8;

/// The page for those whose site is asked: crawls name it in `User-Agent`.
pub const CRAWLER_PAGE: &str = "/docs/crawler";

/// The pages that are made of all operations, and those of guides. Each is made when it is first read, and all workers share it.
#[derive(Debug)]
pub struct Pages {
    openapi: OnceLock<web::Bytes>,
    reference: OnceLock<web::Bytes>,
    operations: OnceLock<HashMap<String, web::Bytes>>,
    make_guides: fn() -> Vec<Guide>,
    guides: OnceLock<Vec<Kept>>,
}

impl Pages {
    /// Pages of which none is made yet; `make_guides` makes the guides.
    pub fn new(make_guides: fn() -> Vec<Guide>) -> Self {
        Self {
            openapi: OnceLock::new(),
            reference: OnceLock::new(),
            operations: OnceLock::new(),
            make_guides,
            guides: OnceLock::new(),
        }
    }

    fn guides(&self) -> &[Kept] {
        let made = || (self.make_guides)().into_iter().map(Kept::new).collect();
        self.guides.get_or_init(made)
    }
}

/// The words that operations and guides are looked for by.
#[derive(Debug, Deserialize)]
struct Asked {
    q: Option<String>,
}

/// Mounts `/docs`, the page of each operation and each guide, `/docs/api/errors`, the page of each problem, the one about
/// crawls, `/openapi.json`, `/robots.txt` and the icon. `/` and `/docs/` lead to `/docs`.
pub(crate) fn configure(
    config: &mut web::ServiceConfig,
    pages: &Arc<Pages>,
    registry: &Arc<Registry>,
    addresses: &Arc<Addresses>,
) {
    let catalogue = web::Bytes::from(catalogue().into_string());
    let (made_once, operations) = (Arc::clone(pages), Arc::clone(registry));
    public::page(config, "/docs", move |asked: web::Query<Asked>| {
        let made = |q: &str| web::Bytes::from(reference(&operations, made_once.guides(), q).into_string());
        let asked = asked.q.as_deref().map(str::trim).filter(|q| !q.is_empty());
        ready(html_page(match asked {
            Some(q) => made(q),
            None => made_once.reference.get_or_init(|| made("")).clone(),
        }))
    });
    let (made_once, operations) = (Arc::clone(pages), Arc::clone(registry));
    let base = Arc::clone(addresses);
    public::page(config, "/docs/operations/{id}", move |id: web::Path<String>| {
        let made = || operation::pages(&document(&operations, &base.base_url));
        let page = made_once.operations.get_or_init(made).get(id.as_str());
        ready(page.map_or_else(nothing_here, |page| governed_page(page.clone(), CALLING)))
    });
    public::page(config, script::ROUTE, script::script);
    let made_once = Arc::clone(pages);
    public::page(config, "/docs/guides/{name}", move |name: web::Path<String>| {
        let mut guides = made_once.guides().iter();
        let guide = guides.find(|guide| guide.name == name.as_str());
        ready(guide.map_or_else(nothing_here, |guide| html_page(guide.page.clone())))
    });
    for beside in ["/", "/docs/"] {
        public::page(config, beside, || ready(to_docs()));
    }
    public::page(config, "/docs/api/errors", move || {
        ready(html_page(catalogue.clone()))
    });
    public::page(config, "/docs/api/errors/{suffix}", problem);
    let crawler = web::Bytes::from(crawler().into_string());
    public::page(config, CRAWLER_PAGE, move || ready(html_page(crawler.clone())));
    public::page(config, "/robots.txt", robots::robots);
    icon::configure(config);
    let (pages, registry, addresses) = (Arc::clone(pages), Arc::clone(registry), Arc::clone(addresses));
    public::document(config, "/openapi.json", move || {
        let made = || web::Bytes::from(document(&registry, &addresses.base_url).to_string());
        let mut response = HttpResponse::Ok();
        response.content_type("application/json");
        ready(response.body(pages.openapi.get_or_init(made).clone()))
    });
}

/// A page that is read, and does nothing.
fn html_page(page: impl actix_web::body::MessageBody + 'static) -> HttpResponse {
    governed_page(page, READING)
}

fn governed_page(page: impl actix_web::body::MessageBody + 'static, policy: &'static str) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header(("Content-Security-Policy", policy))
        .insert_header(("X-Content-Type-Options", "nosniff"))
        .body(page)
}

/// Another page may be the first one in a later version, so browsers don't keep this.
fn to_docs() -> HttpResponse {
    HttpResponse::Found()
        .insert_header((header::LOCATION, "/docs"))
        .finish()
}

async fn problem(suffix: web::Path<String>) -> HttpResponse {
    suffix.parse::<Suffix>().map_or_else(
        |_| nothing_here(),
        |suffix| html_page(explain(suffix).into_string()),
    )
}

fn layout(title: &str, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                title { (title) " · Pharos" }
                (icon::link())
                style { (maud::PreEscaped(STYLE)) }
            }
            body {
                nav { a href="/docs" { "API reference" } " · " a href="/docs#guides" { "Guides" } " · " a href="/docs/api/errors" { "Problems" } " · " a href="/openapi.json" { "openapi.json" } " · " a href="/console" { "Console" } }
                main { h1 { (title) } (content) }
            }
        }
    }
}

fn explain(suffix: Suffix) -> Markup {
    let content = html! {
        p { code { (suffix) } " is answered with status " strong { (suffix.status()) } "." }
        h2 { "What happened" }
        p { (prose(suffix.meaning())) }
        h2 { "What to do" }
        p { (prose(suffix.advice())) }
    };
    layout(suffix.title(), &content)
}

/// Text whose `code` stands between backticks.
fn prose(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

fn catalogue() -> Markup {
    let content = html! {
        p { "Every refusal is " code { "application/problem+json" } " (RFC 9457). Branch on the status first, then on the last segment of " code { "type" } "." }
        div.wide tabindex="0" { table {
            thead { tr { th { "Status" } th { "Suffix" } th { "Meaning" } } }
            tbody {
                @for suffix in Suffix::ALL {
                    tr {
                        td { (suffix.status()) }
                        td { a href={ "/docs/api/errors/" (suffix) } { code { (suffix) } } }
                        td { (prose(suffix.meaning())) }
                    }
                }
            }
        } }
    };
    layout("Problems", &content)
}

fn crawler() -> Markup {
    let content = html! {
        p { "Somebody who watches your site by this Pharos has its robots.txt and its sitemaps read. That is what asked, if your log "
            "names this page." }
        ul {
            li { "The robots.txt is fetched once an hour, and the sitemaps that it names every six hours; files that have not changed are asked for conditionally." }
            li { "Up to 100 pages of the sitemaps are asked for what they answer, with the sitemaps, in turns. The first 256 KiB of a page are read." }
            li { "A server is asked once a second at most, whether for its robots.txt, a sitemap or a page, by each machine that this Pharos runs on." }
            li { "Pages are asked for only as the robots.txt allows it, and not at all while that can't be fetched." }
        }
        p { "To keep it from pages, name it:" }
        pre { code { "User-agent: Pharos\nDisallow: /" } }
        p { "Whoever runs this Pharos says for whom it asks." }
    };
    layout("Pharos on your site", &content)
}

/// All guides and operations, or the guides that have each word of `q`, and the operations that have each in their names, paths
/// or summaries.
fn reference(registry: &Registry, guides: &[Kept], q: &str) -> Markup {
    let words: Vec<String> = q
        .split_whitespace()
        .take(MOST_WORDS)
        .map(str::to_lowercase)
        .collect();
    let is_meant = |id: &str, path: &str, summary: &str| {
        let text = format!("{id} {path} {summary}").to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    let specs: Vec<&OperationSpec> = registry
        .operations()
        .iter()
        .map(|operation| operation.spec)
        .filter(|spec| is_meant(spec.id, spec.path, spec.summary))
        .collect();
    let guides: Vec<&Kept> = guides.iter().filter(|guide| guide.has(&words)).collect();
    let content = html! {
        p { "Paths lie below " code { (BASE_PATH) } ". Send " code { "Authorization: Bearer <credential>" } " with every request. "
            "Each operation has a page with its parameters, its fields and a call; for programs they stand in "
            a href="/openapi.json" { "openapi.json" } "." }
        form action="/docs" {
            input type="search" name="q" value=(q) aria-label="Words of an operation or a guide";
            " " button { "Search" }
        }
        h2 id="guides" { "Guides" }
        @if guides.is_empty() { p { "No guide has all of these words." } }
        (guides::list(&guides))
        h2 id="operations" { "Operations" }
        @if specs.is_empty() {
            p { "No operation has all of these words." }
        } @else {
            div.wide tabindex="0" { table {
                thead { tr { th { "Operation" } th { "What it does" } th { "Scope" } th { "Role" } th { "Credits" } th { "Buckets" } } }
                tbody {
                    @for spec in specs {
                        tr id=(spec.id) {
                            td { a href={ "/docs/operations/" (spec.id) } { code { (spec.method.as_str()) " " (spec.path) } } }
                            td { (prose(spec.summary)) }
                            td { (spec.scope.map_or("–", Scope::as_str)) }
                            td { (spec.min_role) }
                            td { (spec.credits.price()) }
                            td { (rate_limits(spec).join(", ")) }
                        }
                    }
                }
            } }
        }
        h2 { "Without a credential" }
        div.wide tabindex="0" { table {
            thead { tr { th { "Operation" } th { "What it does" } th { "Limit" } } }
            tbody {
                @for open in registry.open() {
                    tr id=(open.spec.id) {
                        td { a href={ "/docs/operations/" (open.spec.id) } { code { (open.spec.method.as_str()) " " (open.spec.path) } } }
                        td { (prose(open.spec.summary)) }
                        td { (open_limit(open)) }
                    }
                }
            }
        } }
    };
    layout("API reference", &content)
}

/// 404 for what lies outside the contract.
fn nothing_here() -> HttpResponse {
    HttpResponse::NotFound()
        .content_type("text/plain; charset=utf-8")
        .body("Nothing is here.\n")
}
