//! The URLs that are inspected: below the linked property, in normal form.

use pharos_domain::{hostname::Hostname, settings::Faults, wire_enum};
use url::Url;

use crate::gsc::property::DOMAIN_PREFIX;

/// How long a URL may be in its normal form, in bytes.
pub const MOST_URL_BYTES: usize = 2_000;
/// How many URLs one request may name.
pub const MOST_AT_ONCE: usize = 200;
/// How many URLs of a domain may be monitored, whatever its plan says. A rotation through all of them takes four weeks.
pub const MOST_URLS: u32 = 50_000;

wire_enum! {
    /// How a URL came to be known.
    Source as "IndexingUrlSource" {
        /// Somebody added it.
        Manual = "manual",
        /// A sitemap of the domain lists it.
        Sitemap = "sitemap",
        /// It was among the results of the search.
        GscPages = "gsc_pages",
        /// Somebody visited it.
        Analytics = "analytics",
        /// An inspector run named it; it is inspected again when another does.
        Inspector = "inspector",
    }
}

/// Whether a URL lies below a property: anywhere below a domain, or behind exactly that prefix.
#[must_use]
pub fn is_below(url: &Url, site_url: &str) -> bool {
    match site_url.strip_prefix(DOMAIN_PREFIX) {
        Some(domain) => domain
            .parse::<Hostname>()
            .is_ok_and(|domain| url.host_str().is_some_and(|host| domain.covers(host))),
        None => Url::parse(site_url).is_ok_and(|prefix| url.as_str().starts_with(prefix.as_str())),
    }
}

/// A URL in normal form, without its fragment; `None` where it is none that is inspected.
#[must_use]
pub fn normal(text: &str, site_url: &str) -> Option<String> {
    parse(text, site_url).ok()
}

/// The URLs in normal form, in their order, repeated ones included. All faults are told.
pub fn urls(member: &str, texts: &[String], site_url: &str, faults: &mut Faults) -> Vec<String> {
    let mut urls = Vec::with_capacity(texts.len());
    faults.within(member, |faults| {
        for (at, text) in texts.iter().enumerate() {
            match parse(text, site_url) {
                Ok(url) => urls.push(url),
                Err(fault) => faults.add(at, fault),
            }
        }
    });
    urls
}

fn parse(text: &str, site_url: &str) -> Result<String, String> {
    let mut url = Url::parse(text).map_err(|_| "not a URL, such as https://shop.example/".to_owned())?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("neither http nor https".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("a user or a password has no place in it".to_owned());
    }
    url.set_fragment(None);
    if !is_below(&url, site_url) {
        return Err(match site_url.strip_prefix(DOMAIN_PREFIX) {
            Some(domain) => format!("not on {domain} or below it, which the linked property covers"),
            None => format!("does not begin with {site_url}, as all URLs of the linked property do"),
        });
    }
    if url.as_str().len() > MOST_URL_BYTES {
        return Err(format!("longer than {MOST_URL_BYTES} bytes in its normal form"));
    }
    Ok(url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_property_covers_all_below_it() {
        let of = |url| normal(url, "sc-domain:shop.example");
        assert_eq!(
            of("HTTP://Shop.Example:80/ä#top").as_deref(),
            Some("http://shop.example/%C3%A4")
        );
        assert!(of("https://www.shop.example/?q=1").is_some());
        for bad in [
            "https://other.example/",
            "https://noshop.example/",
            "ftp://shop.example/",
            "https://user@shop.example/",
            "https://shop.example.evil.example/",
            "/a",
            "",
        ] {
            assert_eq!(of(bad), None, "{bad}");
        }
        assert_eq!(of(&format!("https://shop.example/{}", "a".repeat(2_000))), None);
    }

    #[test]
    fn a_prefix_property_covers_exactly_its_scheme_host_and_path() {
        let of = |url| normal(url, "https://shop.example/blog/");
        assert!(of("https://shop.example/blog/a").is_some());
        for bad in [
            "http://shop.example/blog/a",
            "https://www.shop.example/blog/a",
            "https://shop.example/blog",
            "https://shop.example/",
        ] {
            assert_eq!(of(bad), None, "{bad}");
        }
    }

    #[test]
    fn all_faults_are_told_by_their_place() {
        let mut faults = Faults::default();
        let texts = ["nowhere", "https://shop.example/", "https://other.example/"].map(str::to_owned);
        let found = urls("urls", &texts, "sc-domain:shop.example", &mut faults);
        assert_eq!(found, ["https://shop.example/"]);
        let told = faults.or(|| ()).unwrap_err();
        let pointers: Vec<&str> = told.iter().map(|fault| fault.pointer.as_str()).collect();
        assert_eq!(pointers, ["/urls/0", "/urls/2"]);
    }
}
