//! URLs of requests.

use pharos_http::problem::Fault;
use url::Url;

/// A URL of the site that this robots.txt speaks for: it is that of one scheme, host and port.
pub(super) fn of_site(written: &str, robots_url: &str, pointer: &str) -> Result<Url, Fault> {
    let fault = |why: String| Fault::pointer(pointer, why);
    if written.contains(char::is_control) {
        return Err(fault("must not hold control characters".to_owned()));
    }
    let url = Url::parse(written).map_err(|error| fault(format!("not a URL: {error}")))?;
    let site = Url::parse(robots_url).map(|url| url.origin());
    if site.as_ref().is_ok_and(|site| *site == url.origin()) {
        return Ok(url);
    }
    let site = site.map(|site| site.ascii_serialization()).unwrap_or_default();
    Err(fault(format!(
        "not a URL of {site}: a robots.txt speaks for one scheme, host and port"
    )))
}

/// URLs of the site, with all faults.
pub(super) fn all_of_site(written: &[String], robots_url: &str) -> Result<Vec<Url>, Vec<Fault>> {
    let (urls, faults): (Vec<_>, Vec<_>) = written
        .iter()
        .enumerate()
        .map(|(at, url)| of_site(url, robots_url, &format!("/urls/{at}")))
        .partition(Result::is_ok);
    if faults.is_empty() {
        Ok(urls.into_iter().flatten().collect())
    } else {
        Err(faults.into_iter().filter_map(Result::err).collect())
    }
}
