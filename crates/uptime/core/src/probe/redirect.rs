//! Where an answer sends the probe next.

use http::StatusCode;
use http::header::{HeaderMap, LOCATION};
use url::Url;

use super::error_class::ErrorClass;
use super::report::ProbeError;
use crate::address_policy::{AddressPolicy, UrlFault};

/// The redirects of one probe.
pub(super) struct Trail {
    been: Vec<Url>,
    limit: u32,
}

impl Trail {
    pub(super) fn new(start: &Url, limit: u32) -> Self {
        Self {
            been: vec![without_fragment(start.clone())],
            limit,
        }
    }

    /// Takes the step to `next`, unless the trail is too long or has been there before. A probe carries
    /// no cookies from hop to hop, so the same URL would give the same answer again.
    pub(super) fn step(&mut self, next: &Url) -> Result<(), ProbeError> {
        let message = if self.been.contains(next) {
            "The redirects go in a circle.".to_owned()
        } else if self.been.len() > usize::try_from(self.limit).unwrap_or(usize::MAX) {
            format!("There are more than {} redirects.", self.limit)
        } else {
            self.been.push(next.clone());
            return Ok(());
        };
        Err(ProbeError::new(ErrorClass::TooManyRedirects, message))
    }
}

/// The URL that an answer redirects to; `None` if it does not redirect, or does not say where to.
pub(super) fn target(
    status: StatusCode,
    headers: &HeaderMap,
    from: &Url,
    policy: &AddressPolicy,
) -> Result<Option<Url>, ProbeError> {
    if !matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(location) = headers.get(LOCATION) else {
        return Ok(None);
    };
    let target = std::str::from_utf8(location.as_bytes())
        .ok()
        .and_then(|location| from.join(location).ok())
        .ok_or_else(|| ProbeError::unknown("The server redirects to something that is not a URL."))?;
    let target = without_fragment(target);
    policy.check_target(&target).map_err(refusal)?;
    Ok(Some(target))
}

/// Whether headers of the user, given for `from`, may also be sent to `to`: to the same host and port,
/// where changing from http to https on their usual ports does no harm and the way back does.
pub(super) fn keeps_headers(from: &Url, to: &Url) -> bool {
    let upgrade =
        from.scheme() == "http" && to.scheme() == "https" && from.port().is_none() && to.port().is_none();
    from.host() == to.host() && (from.origin() == to.origin() || upgrade)
}

fn refusal(fault: UrlFault) -> ProbeError {
    ProbeError::unknown(match fault {
        UrlFault::Scheme => "The server redirects to something other than http or https.",
        UrlFault::Userinfo => "The server redirects to a URL with a user name or password.",
        UrlFault::Length => "The server redirects to a URL that is too long.",
        UrlFault::InternalName | UrlFault::Address(_) => {
            "The server redirects to an address that is not allowed: only public addresses can be checked."
        }
        _ => "The server redirects to a URL that cannot be checked.",
    })
}

fn without_fragment(mut url: Url) -> Url {
    url.set_fragment(None);
    url
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::keeps_headers;

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
