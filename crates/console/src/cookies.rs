//! Reading and writing cookies (RFC 6265; the prefix `__Host-` of its successor, draft-ietf-httpbis-rfc6265bis).

use actix_web::{HttpRequest, http::header};
use cookie::{Cookie, SameSite, time::Duration};
use pharos_auth::{
    secret::Secret,
    sign_in::session::{LIFETIME, PENDING_FOR, PENDING_PREFIX, SESSION_PREFIX},
};

/// The beginning of the secrets that tell visitors apart before they sign in.
pub(crate) const VISITOR_PREFIX: &str = "pvi_";

/// How long a browser may take to follow a redirect to the page that shows a value.
const SHOWN_WITHIN: Duration = Duration::minutes(1);

/// The cookies of the console: secrets alone, for this host alone, out of reach of scripts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cookies {
    is_secure: bool,
}

/// The kinds of cookies, by the secret that they hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The secret of a session.
    Session,
    /// The secret of a sign-in that waits for the second factor.
    Pending,
    /// A secret that means nothing but that this browser was given a form.
    Visitor,
}

impl Cookies {
    /// The cookies of an origin.
    pub(crate) fn of(origin: &str) -> Self {
        Self {
            is_secure: origin.starts_with("https://"),
        }
    }

    fn name(self, kind: Kind) -> &'static str {
        match (kind, self.is_secure) {
            (Kind::Session, true) => "__Host-pharos_session",
            (Kind::Session, false) => "pharos_session",
            (Kind::Pending, true) => "__Host-pharos_pending",
            (Kind::Pending, false) => "pharos_pending",
            (Kind::Visitor, true) => "__Host-pharos_visitor",
            (Kind::Visitor, false) => "pharos_visitor",
        }
    }

    /// The secret that a browser brings, if it has the form of one.
    pub(crate) fn read(self, request: &HttpRequest, kind: Kind) -> Option<Secret> {
        let prefix = match kind {
            Kind::Session => SESSION_PREFIX,
            Kind::Pending => PENDING_PREFIX,
            Kind::Visitor => VISITOR_PREFIX,
        };
        brought(request)
            .find(|cookie| cookie.name() == self.name(kind))
            .and_then(|cookie| Secret::parse(cookie.value(), prefix))
    }

    /// The header that sets a cookie.
    pub(crate) fn set(self, kind: Kind, secret: &Secret) -> String {
        let cookie = self.build(kind, secret.reveal().to_owned());
        match kind {
            Kind::Session => cookie.max_age(Duration::seconds(LIFETIME.whole_seconds())),
            Kind::Pending => cookie.max_age(Duration::seconds(PENDING_FOR.whole_seconds())),
            // Gone with the browser.
            Kind::Visitor => cookie,
        }
        .build()
        .to_string()
    }

    /// The header that takes a cookie away.
    pub(crate) fn remove(self, kind: Kind) -> String {
        self.build(kind, String::new())
            .max_age(Duration::ZERO)
            .build()
            .to_string()
    }

    /// The header that keeps a value for the page at that path, which a redirect leads to, and for no longer than that takes.
    pub(crate) fn show_once(self, path: &str, value: &str) -> String {
        self.of_page(path, value.to_owned())
            .max_age(SHOWN_WITHIN)
            .build()
            .to_string()
    }

    /// The value that the page is to show.
    pub(crate) fn shown_once(self, request: &HttpRequest) -> Option<String> {
        brought(request)
            .find(|cookie| cookie.name() == self.shown_name())
            .map(|cookie| cookie.value().to_owned())
    }

    /// The header that takes it away, once it is shown.
    pub(crate) fn forget_shown_once(self, path: &str) -> String {
        self.of_page(path, String::new())
            .max_age(Duration::ZERO)
            .build()
            .to_string()
    }

    /// The prefix `__Host-` is for cookies of all paths.
    fn shown_name(self) -> &'static str {
        if self.is_secure {
            "__Secure-pharos_shown"
        } else {
            "pharos_shown"
        }
    }

    fn of_page(self, path: &str, value: String) -> cookie::CookieBuilder<'static> {
        Cookie::build((self.shown_name(), value))
            .path(path.to_owned())
            .http_only(true)
            .secure(self.is_secure)
            .same_site(SameSite::Strict)
    }

    fn build(self, kind: Kind, value: String) -> cookie::CookieBuilder<'static> {
        Cookie::build((self.name(kind), value))
            .path("/")
            .http_only(true)
            .secure(self.is_secure)
            .same_site(SameSite::Lax)
    }
}

/// The cookies that a browser brings.
fn brought(request: &HttpRequest) -> impl Iterator<Item = Cookie<'_>> {
    let values = request.headers().get_all(header::COOKIE);
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(Cookie::split_parse)
        .filter_map(Result::ok)
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_cookie_is_for_this_host_and_no_script() {
        let secret = Secret::generate(SESSION_PREFIX).unwrap();
        let value = secret.reveal();
        assert_eq!(
            Cookies::of("https://pharos.example").set(Kind::Session, &secret),
            format!("__Host-pharos_session={value}; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=1209600")
        );
        assert_eq!(
            Cookies::of("http://127.0.0.1:7070").set(Kind::Visitor, &secret),
            format!("pharos_visitor={value}; HttpOnly; SameSite=Lax; Path=/")
        );
    }

    #[test]
    fn what_is_shown_once_is_for_its_page_and_goes_with_it() {
        let cookies = Cookies::of("https://pharos.example");
        let path = "/console/channels/1";
        assert_eq!(
            cookies.show_once(path, "whsec_a+b/c="),
            "__Secure-pharos_shown=whsec_a+b/c=; HttpOnly; SameSite=Strict; Secure; Path=/console/channels/1; Max-Age=60"
        );
        assert_eq!(
            cookies.forget_shown_once(path),
            "__Secure-pharos_shown=; HttpOnly; SameSite=Strict; Secure; Path=/console/channels/1; Max-Age=0"
        );
        let request =
            TestRequest::default().insert_header(("cookie", "a=b; __Secure-pharos_shown=whsec_a+b/c="));
        let shown = cookies.shown_once(&request.to_http_request());
        assert_eq!(shown.as_deref(), Some("whsec_a+b/c="));
    }

    #[test]
    fn a_cookie_is_found_among_others_and_only_in_its_form() {
        let cookies = Cookies::of("http://127.0.0.1:7070");
        let secret = Secret::generate(SESSION_PREFIX).unwrap();
        let read = |header: String| {
            let request = TestRequest::default().insert_header(("cookie", header));
            let found = cookies.read(&request.to_http_request(), Kind::Session);
            found.map(|secret| secret.reveal().to_owned())
        };
        let value = secret.reveal();
        assert_eq!(
            read(format!("a=b; pharos_session={value}; c")).as_deref(),
            Some(value)
        );
        assert_eq!(read("pharos_session=secret".to_owned()), None);
        assert_eq!(read(format!("pharos_visitor={value}")), None);
        assert_eq!(read(format!("__Host-pharos_session={value}")), None);
    }
}
