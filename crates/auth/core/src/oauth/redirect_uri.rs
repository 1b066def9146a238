//! Where a browser may be sent back to.
//!
//! Matched by exact string, port included (RFC 9700, section 2.1; the exception for loopback ports of RFC 8252,
//! section 7.3, is not made).

use serde::Serialize;
use url::{Host, Url};

/// How long a redirect URI is at most.
pub const MOST_CHARACTERS: usize = 2048;

/// A redirect URI that may be registered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct RedirectUri(String);

impl RedirectUri {
    /// The URI in `text`.
    ///
    /// # Errors
    /// Why it is refused, as the end of a sentence that begins with the URI.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        if text.len() > MOST_CHARACTERS {
            return Err("is longer than 2,048 characters");
        }
        // A URI has no others (RFC 3986, section 2), and browsers take a backslash for a slash.
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) || text.contains(['\\', '"', '<', '>', '`']) {
            return Err("has a character that a URI does not have");
        }
        if text.contains('*') {
            return Err("has a wildcard; register each URI that is used");
        }
        if text.contains('#') {
            return Err("has a fragment");
        }
        let url = Url::parse(text).map_err(|_| "is not an absolute URI")?;
        let is_secure = match url.scheme() {
            "https" => true,
            "http" => false,
            _ => return Err("is neither https nor http"),
        };
        let authority = text.split_once("://").map_or("", |(_, rest)| rest);
        if authority.is_empty() || authority.starts_with('/') {
            return Err("has no host");
        }
        let authority = authority.split(['/', '?']).next().unwrap_or_default();
        if authority.contains('@') {
            return Err("has a user name or password");
        }
        let host = url.host().ok_or("has no host")?;
        // Escaped, or an address as a number, in hexadecimal or octal: the user would read another host than the
        // browser goes to.
        if !url
            .host_str()
            .is_some_and(|host| host.eq_ignore_ascii_case(without_port(authority)))
        {
            return Err("has a host that is written in an unusual way");
        }
        if !is_secure && !is_loopback(&host) {
            return Err("is http on a host other than 127.0.0.1, [::1] and localhost; use https");
        }
        Ok(Self(text.to_owned()))
    }

    /// One that was registered.
    #[must_use]
    pub fn registered(text: String) -> Self {
        Self(text)
    }

    /// As it was registered.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The URI with parameters added to its query, those of its own kept (RFC 6749, section 4.1.2).
    #[must_use]
    pub fn with(&self, parameters: &[(&str, &str)]) -> String {
        let separator = if self.0.contains('?') { '&' } else { '?' };
        let added: String = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(parameters)
            .finish();
        format!("{}{separator}{added}", self.0)
    }

    /// The host as browsers read it, with the port where it is not the scheme's.
    #[must_use]
    pub fn host(&self) -> Option<String> {
        let url = Url::parse(&self.0).ok()?;
        let host = url.host_str()?;
        Some(
            url.port()
                .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")),
        )
    }

    /// Whether it leads to the user's own computer.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        Url::parse(&self.0).is_ok_and(|url| url.host().is_some_and(|host| is_loopback(&host)))
    }
}

fn is_loopback(host: &Host<&str>) -> bool {
    match host {
        Host::Ipv4(address) => address.octets() == [127, 0, 0, 1],
        Host::Ipv6(address) => address.is_loopback(),
        Host::Domain(name) => *name == "localhost",
    }
}

fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        // Colons stand within the brackets of an IPv6 address, too.
        Some((host, port)) if !port.ends_with(']') => host,
        _ => authority,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_is_the_one_that_a_browser_asks() {
        for (uri, host, is_loopback) in [
            ("https://App.Example/cb?x=1", "app.example", false),
            ("https://app.example:443/cb", "app.example", false),
            ("https://app.example:8443/cb", "app.example:8443", false),
            (
                "https://accounts.example.com.evil.example/",
                "accounts.example.com.evil.example",
                false,
            ),
            ("https://xn--80ak6aa92e.example/", "xn--80ak6aa92e.example", false),
            ("https://localhost.example/", "localhost.example", false),
            ("http://localhost:1234/cb", "localhost:1234", true),
            ("http://127.0.0.1/cb", "127.0.0.1", true),
            ("http://[::1]:1234/cb", "[::1]:1234", true),
        ] {
            let uri = RedirectUri::parse(uri).unwrap();
            assert_eq!(
                (uri.host().as_deref(), uri.is_loopback()),
                (Some(host), is_loopback)
            );
        }
    }

    #[test]
    fn https_anywhere_and_http_on_loopback_are_taken_as_they_stand() {
        for good in [
            "https://app.example/callback",
            "https://app.example:8443/callback?tenant=a",
            "https://app.example",
            "http://127.0.0.1:53682/callback",
            "http://[::1]:8080/",
            "http://localhost/cb",
            "https://APP.example/cb",
            "https://[2001:db8::1]/cb",
            "https://203.0.113.7/cb%20",
        ] {
            assert_eq!(RedirectUri::parse(good).unwrap().as_str(), good);
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for bad in [
            "",
            "callback",
            "//app.example/cb",
            "https:///cb",
            "https:app.example",
            "https://app.example/*",
            "https://*.app.example/cb",
            "https://app.example/cb#top",
            "https://app.example/cb#",
            "https://user@app.example/cb",
            "https://user:pass@app.example/cb",
            "https://@app.example/cb",
            "http://app.example/cb",
            "http://127.0.0.1.app.example/cb",
            "http://127.0.0.2/cb",
            "http://localhost.app.example/cb",
            "http://localhost@app.example/cb",
            r"https:\\app.example\cb",
            r"http://localhost\@app.example/cb",
            "https://%61pp.example/cb",
            "https://app%2eexample/cb",
            "http://2130706433/cb",
            "http://0x7f000001:8080/cb",
            "http://0x7f.0.0.1/cb",
            "http://0177.0.0.1/cb",
            "http://127.1/cb",
            "http://127.0.0.1./cb",
            "http://[0:0:0:0:0:0:0:1]/cb",
            "http://[::ffff:127.0.0.1]/cb",
            "http://%6cocalhost/cb",
            "https://3405803783/cb",
            "com.example.app:/cb",
            "javascript:alert(1)",
            "data:text/html,hello",
            "https://app.example/c b",
            "https://app.example/\u{202e}cb",
            "https://app.example/cb\n",
        ] {
            assert!(RedirectUri::parse(bad).is_err(), "{bad}");
        }
        let long = format!("https://app.example/{}", "a".repeat(MOST_CHARACTERS - 20));
        assert_eq!(long.len(), MOST_CHARACTERS);
        assert!(RedirectUri::parse(&long).is_ok());
        assert!(RedirectUri::parse(&format!("{long}a")).is_err());
    }

    #[test]
    fn parameters_are_added_to_those_that_the_uri_has() {
        let with = |uri: &str| {
            RedirectUri::parse(uri)
                .unwrap()
                .with(&[("code", "a b"), ("state", "&=#")])
        };
        assert_eq!(
            with("https://app.example/cb"),
            "https://app.example/cb?code=a+b&state=%26%3D%23"
        );
        assert_eq!(
            with("https://app.example/cb?t=1"),
            "https://app.example/cb?t=1&code=a+b&state=%26%3D%23"
        );
    }
}
