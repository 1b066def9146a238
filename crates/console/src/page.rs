//! The frame of every page, and its headers.

use actix_web::{
    HttpResponse,
    http::{StatusCode, header},
};
use maud::{DOCTYPE, Markup, html};
use pharos_http::icon;
use time::{OffsetDateTime, UtcOffset, format_description::well_known::Rfc3339, macros::format_description};

use crate::{
    assets::{SCRIPT_PATH, STYLE_PATH},
    nav::{self, Place},
    token,
};

/// The user whose page it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner<'a> {
    pub(crate) email: &'a str,
    /// The token of the form that signs out.
    pub(crate) token: &'a str,
    /// Whether they look after the installation itself.
    pub(crate) is_operator: bool,
}

/// A page before its content.
#[derive(Debug)]
pub(crate) struct Page<'a> {
    status: StatusCode,
    title: &'a str,
    /// Tells the page from others of its title, for tabs and bookmarks.
    part: Option<&'a str>,
    /// `None` while nobody has signed in.
    owner: Option<Owner<'a>>,
    /// Whether its forms may lead to other origins.
    leads_away: bool,
    /// Whether it shows a page of this console in a frame.
    has_frame: bool,
    place: Option<Place<'a>>,
    /// The pages above it: path and name.
    crumbs: Vec<(String, String)>,
    mark: Option<Markup>,
    lead: Option<Markup>,
    actions: Option<Markup>,
    tabs: Option<Markup>,
    is_wide: bool,
}

impl<'a> Page<'a> {
    /// A page that is in order: one column of text and forms.
    pub(crate) fn new(title: &'a str, owner: Option<Owner<'a>>) -> Self {
        Self {
            status: StatusCode::OK,
            title,
            part: None,
            owner,
            leads_away: false,
            has_frame: false,
            place: None,
            crumbs: Vec::new(),
            mark: None,
            lead: None,
            actions: None,
            tabs: None,
            is_wide: false,
        }
    }

    /// The same as a page of a workspace, with its ways on.
    pub(crate) fn at(self, place: Place<'a>) -> Self {
        Self {
            place: Some(place),
            ..self
        }
    }

    /// The same below another page, which a link above the title leads back to. The outermost first.
    pub(crate) fn below(mut self, path: impl Into<String>, name: impl Into<String>) -> Self {
        self.crumbs.push((path.into(), name.into()));
        self
    }

    /// The same as this one of several pages that have the title.
    pub(crate) fn part(self, part: &'a str) -> Self {
        Self {
            part: Some(part),
            ..self
        }
    }

    /// The same with a mark beside the title, such as a state.
    pub(crate) fn mark(self, mark: Markup) -> Self {
        Self {
            mark: Some(mark),
            ..self
        }
    }

    /// The same with a line below the title.
    pub(crate) fn lead(self, lead: Markup) -> Self {
        Self {
            lead: Some(lead),
            ..self
        }
    }

    /// The same with links or forms beside the title.
    pub(crate) fn actions(self, actions: Markup) -> Self {
        Self {
            actions: Some(actions),
            ..self
        }
    }

    /// The same with tabs below the title.
    pub(crate) fn tabs(self, tabs: Markup) -> Self {
        Self {
            tabs: Some(tabs),
            ..self
        }
    }

    /// The same with room for tables and pictures.
    pub(crate) fn wide(self) -> Self {
        Self {
            is_wide: true,
            ..self
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

    /// The same with a frame that shows a page of this console.
    pub(crate) fn framing(self) -> Self {
        Self {
            has_frame: true,
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
        let frames = if self.has_frame { "; frame-src 'self'" } else { "" };
        let policy = format!(
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; frame-ancestors 'none'; \
             base-uri 'none'{form_action}{frames}"
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
                    title {
                        @if let Some(part) = self.part { (part) " · " }
                        (self.title) " · Pharos"
                    }
                    (icon::link())
                    link rel="stylesheet" href=(STYLE_PATH.as_str());
                    script src=(SCRIPT_PATH.as_str()) defer {}
                }
                body.inside[self.owner.is_some()] {
                    a.skip href="#main" { "Skip to the content" }
                    header.side {
                        @match self.owner {
                            Some(owner) => {
                                a.brand href="/console" { "Pharos" }
                                (nav::ways(self.place.as_ref(), self.outermost(), owner.is_operator))
                                form.leave method="post" action="/console/sign-out" {
                                    (token::field(owner.token))
                                    span.who { (owner.email) }
                                    button.quiet type="submit" { "Sign out" }
                                }
                            }
                            None => { span.brand { "Pharos" } }
                        }
                    }
                    main id="main" tabindex="-1" .wide[self.is_wide] {
                        (self.head())
                        (content)
                    }
                }
            }
        }
    }

    /// The title of the page that it lies below in the end, or its own.
    fn outermost(&self) -> &str {
        self.crumbs.first().map_or(self.title, |(_, name)| name.as_str())
    }

    fn head(&self) -> Markup {
        html! {
            @if !self.crumbs.is_empty() {
                nav.crumbs aria-label="Breadcrumbs" {
                    ol { @for (path, name) in &self.crumbs { li { a href=(path) { bdi { (name) } } } } }
                }
            }
            div.head {
                div {
                    h1 { bdi { (self.title) } }
                    @if let Some(mark) = &self.mark { " " (mark) }
                }
                @if let Some(actions) = &self.actions { div.actions { (actions) } }
            }
            @if let Some(lead) = &self.lead { p.lead { (lead) } }
            @if let Some(tabs) = &self.tabs { (tabs) }
        }
    }
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

/// A moment for people and machines, in UTC. The script puts the reader's own time before it.
pub(crate) fn moment(at: OffsetDateTime) -> Markup {
    let shown = at.to_offset(UtcOffset::UTC).format(format_description!(
        "[day padding:none] [month repr:long] [year], [hour]:[minute] UTC"
    ));
    html! {
        time datetime=(at.format(&Rfc3339).unwrap_or_default()) data-moment { (shown.unwrap_or_default()) }
    }
}

/// So many seconds as people say it, in minutes rounded up.
pub(crate) fn wait(seconds: u32) -> String {
    match seconds.div_ceil(60) {
        0 | 1 => "a minute".to_owned(),
        minutes => format!("{minutes} minutes"),
    }
}
