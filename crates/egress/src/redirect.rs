//! Where an answer sends a client next.

use std::fmt;

use http::header::{HeaderMap, LOCATION};
use http::{Method, StatusCode};
use url::Url;

use crate::address_policy::{AddressPolicy, UrlFault};

/// Why a redirect is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RedirectFault {
    /// It leads to something that is not a URL.
    #[error("the server redirects to something that is not a URL")]
    NotAUrl,
    /// The policy refuses the URL.
    #[error("the server redirects to a URL that is refused: {0}")]
    Refused(#[from] UrlFault),
    /// It leads back to where the client has been.
    #[error("the redirects go in a circle")]
    Circle,
    /// It is one more than are followed.
    #[error("there are more than {0} redirects")]
    TooMany(u32),
}

/// The requests that redirects led to.
pub struct Trail {
    been: Vec<(Method, Url)>,
    limit: u32,
}

/// Without the URLs, which may hold secrets.
impl fmt::Debug for Trail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trail")
            .field("been", &self.been.len())
            .field("limit", &self.limit)
            .finish()
    }
}

impl Trail {
    /// Begins with this request, and takes so many steps at most.
    #[must_use]
    pub fn new(method: &Method, start: &Url, limit: u32) -> Self {
        Self {
            been: vec![(method.clone(), without_fragment(start.clone()))],
            limit,
        }
    }

    /// Takes the step to `next`. A client carries no cookies from hop to hop, so the same request would get the same
    /// answer again.
    ///
    /// # Errors
    /// The trail is too long, or has been there before.
    pub fn step(&mut self, method: &Method, next: &Url) -> Result<(), RedirectFault> {
        let step = (method.clone(), next.clone());
        if self.been.contains(&step) {
            Err(RedirectFault::Circle)
        } else if self.been.len() > usize::try_from(self.limit).unwrap_or(usize::MAX) {
            Err(RedirectFault::TooMany(self.limit))
        } else {
            self.been.push(step);
            Ok(())
        }
    }
}

/// Whether this status sends a client elsewhere.
#[must_use]
pub fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// The URL that an answer redirects to; `None` if it does not redirect, or does not say where to.
///
/// # Errors
/// It is not a URL, or one that the policy refuses.
pub fn target(
    status: StatusCode,
    headers: &HeaderMap,
    from: &Url,
    policy: &AddressPolicy,
) -> Result<Option<Url>, RedirectFault> {
    let Some(location) = headers.get(LOCATION).filter(|_| is_redirect(status)) else {
        return Ok(None);
    };
    let target = std::str::from_utf8(location.as_bytes())
        .ok()
        .and_then(|location| from.join(location).ok())
        .ok_or(RedirectFault::NotAUrl)?;
    let target = without_fragment(target);
    policy.check_target(&target)?;
    Ok(Some(target))
}

/// Whether headers of the user, given for `from`, may also be sent to `to`: to the same host and port,
/// where changing from http to https on their usual ports does no harm and the way back does.
#[must_use]
pub fn keeps_headers(from: &Url, to: &Url) -> bool {
    let upgrade =
        from.scheme() == "http" && to.scheme() == "https" && from.port().is_none() && to.port().is_none();
    from.host() == to.host() && (from.origin() == to.origin() || upgrade)
}

fn without_fragment(mut url: Url) -> Url {
    url.set_fragment(None);
    url
}

#[cfg(test)]
mod tests {
    use http::Method;
    use url::Url;

    use super::{RedirectFault, Trail, keeps_headers};

    #[test]
    fn what_a_post_leads_to_may_be_read_at_the_same_url_once() {
        let url = Url::parse("https://a.example/form").unwrap();
        let mut trail = Trail::new(&Method::POST, &url, 5);
        assert_eq!(trail.step(&Method::GET, &url), Ok(()));
        assert_eq!(trail.step(&Method::GET, &url), Err(RedirectFault::Circle));
    }

    #[test]
    fn headers_stay_with_their_origin() {
        let keeps =
            |from: &str, to: &str| keeps_headers(&Url::parse(from).unwrap(), &Url::parse(to).unwrap());
        assert!(keeps("https://a.example/x", "https://a.example/y"));
        assert!(keeps("http://a.example/", "https://a.example/"));
        for (from, to) in [
            ("https://a.example/", "http://a.example/"),
            ("https://a.example/", "https://b.example/"),
            ("https://a.example/", "https://www.a.example/"),
            ("https://a.example/", "https://a.example:8443/"),
            ("http://a.example:8080/", "https://a.example/"),
            ("http://a.example/", "https://a.example:8443/"),
        ] {
            assert!(!keeps(from, to), "{from} to {to}");
        }
    }
}
