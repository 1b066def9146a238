//! The frame of every page, and its headers.

use std::sync::LazyLock;

use actix_web::{
    HttpResponse,
    http::{StatusCode, header},
    web,
};
use maud::{DOCTYPE, Markup, html};
use ring::digest;
use time::{OffsetDateTime, format_description::well_known::Rfc3339, macros::format_description};

use crate::token;

const STYLE: &str = include_str!("style.css");
/// The stylesheet's route. Its name says what is in it, so it may be kept for good.
pub(crate) const STYLE_ROUTE: &str = "/style/{digest}.css";

static STYLE_PATH: LazyLock<String> = LazyLock::new(|| {
    let digest = digest::digest(&digest::SHA256, STYLE.as_bytes());
    let name: String = digest.as_ref()[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("/console/style/{name}.css")
});

/// The user whose page it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner<'a> {
    pub(crate) email: &'a str,
    /// The token of the form that signs out.
    pub(crate) token: &'a str,
}

/// A page before its content.
#[derive(Debug)]
pub(crate) struct Page<'a> {
    status: StatusCode,
    title: &'a str,
    /// `None` while nobody has signed in.
    owner: Option<Owner<'a>>,
    /// Whether its forms may lead to other origins.
    leads_away: bool,
}

impl<'a> Page<'a> {
    /// A page that is in order.
    pub(crate) fn new(title: &'a str, owner: Option<Owner<'a>>) -> Self {
        Self {
            status: StatusCode::OK,
            title,
            owner,
            leads_away: false,
        }
    }

    /// The same with another status.
    pub(crate) fn status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// The same with forms that may lead to other origins.
    ///
    /// Browsers hold every redirect after a form to `form-action`, also those of the sites that it leads to, and an app
    /// may send its users on wherever it likes, so no list would do. Without the directive markup that somebody
    /// smuggled in could send a form to another site; no other page gives that up (ADR 14).
    pub(crate) fn leading_away(self) -> Self {
        Self {
            leads_away: true,
            ..self
        }
    }

    /// The answer.
    pub(crate) fn with(self, content: &Markup) -> HttpResponse {
        let form_action = if self.leads_away {
            ""
        } else {
            "; form-action 'self'"
        };
        let policy = format!(
            "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'{form_action}"
        );
        HttpResponse::build(self.status)
            .content_type("text/html; charset=utf-8")
            .insert_header((header::CONTENT_SECURITY_POLICY, policy))
            .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
            // Nothing leaves the origin. With no-referrer browsers would send `Origin: null` along with our own forms
            // (Fetch, "append a request Origin header"), and no form could be told from one of another site.
            .insert_header((header::REFERRER_POLICY, "same-origin"))
            .insert_header((header::CACHE_CONTROL, "no-store"))
            .body(self.document(content).into_string())
    }

    fn document(&self, content: &Markup) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) " · Pharos" }
                    link rel="stylesheet" href=(STYLE_PATH.as_str());
                }
                body {
                    a.skip href="#main" { "Skip to the content" }
                    header {
                        div.bar {
                            span.brand { "Pharos" }
                            @if let Some(owner) = self.owner {
                                nav aria-label="Console" {
                                    a href="/console/apps" { "Connected apps" }
                                    a href="/console/channels" { "Alert channels" }
                                }
                                form.leave method="post" action="/console/sign-out" {
                                    (token::field(owner.token))
                                    span.who { (owner.email) }
                                    button.quiet type="submit" { "Sign out" }
                                }
                            }
                        }
                    }
                    main id="main" tabindex="-1" {
                        h1 { (self.title) }
                        (content)
                    }
                }
            }
        }
    }
}

/// The stylesheet.
pub(crate) async fn style() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/css; charset=utf-8")
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::CACHE_CONTROL, "public, max-age=31536000, immutable"))
        .body(web::Bytes::from_static(STYLE.as_bytes()))
}

/// Sends the browser on by GET.
pub(crate) fn go(location: &str) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, location))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::REFERRER_POLICY, "same-origin"))
        .finish()
}

/// The message above a form that says what is wrong with it.
pub(crate) fn fault(text: Option<&str>) -> Markup {
    html! {
        @if let Some(text) = text {
            div.fault role="alert" { p { (text) } }
        }
    }
}

/// A moment for people and machines.
pub(crate) fn moment(at: OffsetDateTime) -> Markup {
    let shown = at.format(format_description!(
        "[day padding:none] [month repr:long] [year], [hour]:[minute] UTC"
    ));
    html! {
        time datetime=(at.format(&Rfc3339).unwrap_or_default()) { (shown.unwrap_or_default()) }
    }
}

/// So many seconds as people say it, in minutes rounded up.
pub(crate) fn wait(seconds: u32) -> String {
    match seconds.div_ceil(60) {
        0 | 1 => "a minute".to_owned(),
        minutes => format!("{minutes} minutes"),
    }
}
