//! The address of a sitemap that somebody asks to have watched.

use pharos_domain::hostname::Hostname;
use url::Url;

use crate::sitemap::location::LONGEST_URL;

/// Reads it, without its fragment. It lies on the domain, below it, or on the host of `site`, which is the address of its site.
///
/// # Errors
/// The fault in words, for whoever wrote it.
pub fn watched(written: &str, hostname: &Hostname, site: Option<&str>) -> Result<Url, String> {
    let mut url = Url::parse(written).map_err(|error| format!("not a URL: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("neither http nor https".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("a user or a password has no place in it".to_owned());
    }
    let site = site.and_then(|site| Url::parse(site).ok());
    let is_of_site = site.is_some_and(|site| site.host() == url.host());
    if !is_of_site && !url.host_str().is_some_and(|host| hostname.covers(host)) {
        return Err(format!("not on {hostname} or below it"));
    }
    url.set_fragment(None);
    if url.as_str().len() > LONGEST_URL {
        return Err(format!("longer than {LONGEST_URL} bytes in its normal form"));
    }
    Ok(url)
}
