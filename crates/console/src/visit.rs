//! Who asks for a page.

use actix_web::{HttpRequest, HttpResponse, http::header};
use maud::Markup;
use pharos_auth::{
    secret::Secret,
    sign_in::{
        desk::Entry,
        store::{Session, SessionOrigin},
    },
};
use pharos_domain::{audit::Actor, identity::Source};
use pharos_http::source::source_of;

use crate::{
    console::Console,
    cookies::{Kind, VISITOR_PREFIX},
    form::Form,
    next::Next,
    page::{self, Owner},
    refusal::Refusal,
    token,
};

/// How many characters of a browser's name are kept.
const LONGEST_NAME: usize = 100;

/// A user who has signed in.
#[derive(Debug)]
pub(crate) struct SignedIn {
    pub(crate) session: Session,
    pub(crate) secret: Secret,
    token: String,
    source: Source,
}

/// A browser of which nothing is known but that it was given a form.
#[derive(Debug)]
pub(crate) struct Visitor {
    secret: Secret,
    token: String,
    is_new: bool,
}

impl Console {
    /// Who has signed in, if anybody.
    pub(crate) async fn signed_in(&self, request: &HttpRequest) -> Result<Option<SignedIn>, Refusal> {
        let Some(secret) = self.cookies.read(request, Kind::Session) else {
            return Ok(None);
        };
        let session = self.parts.desk.session(&secret).await?;
        Ok(session.map(|session| SignedIn {
            token: self.tokens.token(&secret),
            source: source_of(request, self.parts.hops),
            session,
            secret,
        }))
    }

    /// The browser, before anybody has signed in.
    pub(crate) fn visitor(&self, request: &HttpRequest) -> Result<Visitor, Refusal> {
        let known = self.cookies.read(request, Kind::Visitor);
        let is_new = known.is_none();
        let secret = known.map_or_else(|| Secret::generate(VISITOR_PREFIX), Ok)?;
        Ok(Visitor {
            token: self.tokens.token(&secret),
            secret,
            is_new,
        })
    }

    /// Where a session begins that the browser is let in with.
    pub(crate) fn origin(&self, request: &HttpRequest) -> SessionOrigin {
        let agent = request.headers().get(header::USER_AGENT);
        let agent = agent.and_then(|agent| agent.to_str().ok());
        let name = agent.and_then(|agent| self.parts.browsers.name(agent));
        SessionOrigin {
            source: source_of(request, self.parts.hops),
            browser: name.map(|name| name.chars().take(LONGEST_NAME).collect()),
        }
    }

    /// Sends the browser on with what a right password has got it: a session, or the question for the second factor.
    pub(crate) fn enter(&self, entry: &Entry, next: &Next) -> HttpResponse {
        match entry {
            Entry::Session(session) => self.let_in(session, next),
            Entry::Pending(pending) => {
                self.going(&next.second_factor(), &[self.cookies.set(Kind::Pending, pending)])
            }
        }
    }

    /// Sends the browser on with a session, and takes away what it had before it.
    pub(crate) fn let_in(&self, session: &Secret, next: &Next) -> HttpResponse {
        self.going(
            next.as_str(),
            &[
                self.cookies.set(Kind::Session, session),
                self.cookies.remove(Kind::Visitor),
                self.cookies.remove(Kind::Pending),
            ],
        )
    }

    /// Sends the browser on without a session.
    pub(crate) fn let_out(&self) -> HttpResponse {
        self.going("/console/sign-in", &[self.cookies.remove(Kind::Session)])
    }

    fn going(&self, location: &str, cookies: &[String]) -> HttpResponse {
        let mut response = page::go(location);
        for cookie in cookies {
            if let Ok(value) = header::HeaderValue::from_str(cookie) {
                response.headers_mut().append(header::SET_COOKIE, value);
            }
        }
        response
    }
}

impl SignedIn {
    /// The user, as a page's header needs it.
    pub(crate) fn owner(&self) -> Owner<'_> {
        Owner {
            email: &self.session.email,
            token: &self.token,
            is_operator: self.session.is_operator,
        }
    }

    /// Where the user is.
    pub(crate) fn source(&self) -> Source {
        self.source
    }

    /// The user as who makes a change, from where they are.
    pub(crate) fn actor(&self) -> Actor {
        Actor::user(self.session.user).from(self.source)
    }

    /// The field of a form that says that this session was given it.
    pub(crate) fn token_field(&self) -> Markup {
        token::field(&self.token)
    }

    /// Refuses a form that this session was not given.
    pub(crate) fn check(&self, form: &Form, console: &Console) -> Result<(), Refusal> {
        form.check(console, &self.secret)
    }
}

impl Visitor {
    /// The field of a form that says that this browser was given it.
    pub(crate) fn token_field(&self) -> Markup {
        token::field(&self.token)
    }

    /// Refuses a form that this browser was not given.
    pub(crate) fn check(&self, form: &Form, console: &Console) -> Result<(), Refusal> {
        form.check(console, &self.secret)
    }

    /// The page, with the cookie that its form needs.
    pub(crate) fn keep(&self, console: &Console, mut page: HttpResponse) -> HttpResponse {
        if self.is_new
            && let Ok(value) =
                header::HeaderValue::from_str(&console.cookies.set(Kind::Visitor, &self.secret))
        {
            page.headers_mut().append(header::SET_COOKIE, value);
        }
        page
    }
}
