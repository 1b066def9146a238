//! URLs of requests.

use pharos_crawl::robots::asked::url_of_site;
use pharos_http::problem::Fault;
use url::Url;

/// A URL of the site that this robots.txt speaks for.
pub(super) fn of_site(written: &str, robots_url: &str, pointer: &str) -> Result<Url, Fault> {
    url_of_site(written, robots_url).map_err(|why| Fault::pointer(pointer, why))
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
