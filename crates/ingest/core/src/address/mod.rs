//! Addresses of pages: what is kept of them, where a visit came from, what was searched for.

mod tags;

use pharos_domain::collect::{event::Origin, kept_path, site::CollectionSettings, tag::Tag};
use url::Url;

use self::tags::note;

/// The address of a page, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// The host, in lower case, without a dot at its end.
    pub(crate) host: String,
    /// The path, and what is kept of the query.
    pub(crate) path: String,
    /// The tags.
    pub(crate) origin: Origin,
    /// The term that was searched for, as it was typed.
    pub(crate) search: Option<String>,
}

impl Address {
    /// Takes an address apart: tags, click ids, searches and what the settings name are taken out of the query, in whose
    /// order the others stay; the fragment is dropped.
    pub(crate) fn of(url: &Url, settings: &CollectionSettings) -> Self {
        let mut origin = Origin::default();
        let mut search = None;
        let mut kept: Vec<&str> = Vec::new();
        for pair in url
            .query()
            .unwrap_or_default()
            .split('&')
            .filter(|pair| !pair.is_empty())
        {
            let (name, value) = form_urlencoded::parse(pair.as_bytes()).next().unwrap_or_default();
            if let Some(tag) = Tag::of(&name) {
                note(tag, &mut origin, &value);
            } else if names(&settings.search_params, &name) {
                search = search.or(Some(value.into_owned()));
            } else if !names(&settings.excluded_query_params, &name) {
                kept.push(pair);
            }
        }
        let mut path = url.path().to_owned();
        if !kept.is_empty() {
            path = format!("{path}?{}", kept.join("&"));
        }
        Self {
            host: host(url),
            path: clipped(path),
            origin,
            search,
        }
    }
}

fn names(list: &[String], name: &str) -> bool {
    list.iter().any(|listed| listed.eq_ignore_ascii_case(name))
}

/// The host of an address, without a dot at its end.
pub(crate) fn host(url: &Url) -> String {
    url.host_str()
        .unwrap_or_default()
        .trim_end_matches('.')
        .to_owned()
}

/// The text, as far as it is kept.
pub(crate) fn clipped(mut text: String) -> String {
    text.truncate(kept_path(&text).len());
    text
}

/// Host, without `www.`, and path of a referrer. Pages of the site itself are none, and what is no address of a page or an
/// app is passed over, since browsers write it and not the site.
pub(crate) fn referrer(text: &str, is_own: impl Fn(&str) -> bool) -> Option<(String, String)> {
    let url = Url::parse(text).ok()?;
    if !matches!(url.scheme(), "https" | "http" | "android-app" | "ios-app") {
        return None;
    }
    let host = host(&url).to_ascii_lowercase();
    if host.is_empty() || host.len() > 253 || is_own(&host) {
        return None;
    }
    let host = host.strip_prefix("www.").unwrap_or(&host).to_owned();
    let path = if url.path().is_empty() { "/" } else { url.path() };
    Some((host, clipped(path.to_owned())))
}

#[cfg(test)]
mod tests {
    use pharos_domain::collect::LONGEST_PATH;

    use super::*;
    use crate::testing::settings;

    fn address(url: &str, settings: &CollectionSettings) -> Address {
        Address::of(&Url::parse(url).unwrap(), settings)
    }

    #[test]
    fn tags_searches_and_what_the_site_names_are_taken_out_of_the_query() {
        let mut settings = settings();
        settings.search_params = vec!["q".to_owned()];
        settings.excluded_query_params = vec!["session".to_owned()];
        let url = "https://Shop.example/List/?b=2&utm_source=News+Letter&UTM_Medium=email&q=red+shoes&session=7&a=1&gclid=xyz#top";
        let Address {
            host,
            path,
            origin,
            search,
        } = address(url, &settings);
        assert_eq!(host, "shop.example");
        assert_eq!(path, "/List/?b=2&a=1");
        assert_eq!(search.as_deref(), Some("red shoes"));
        assert_eq!(origin.source.as_deref(), Some("News Letter"));
        assert_eq!(origin.medium.as_deref(), Some("email"));
        assert_eq!(
            origin.click_id,
            Some(pharos_domain::collect::event::ClickId::Google)
        );
    }

    #[test]
    fn source_and_ref_stand_for_utm_source_unless_it_is_there() {
        let source = |query: &str| {
            let url = format!("https://shop.example/?{query}");
            let address = address(&url, &settings());
            assert_eq!(address.path, "/");
            address.origin.source
        };
        assert_eq!(source("ref=friend").as_deref(), Some("friend"));
        assert_eq!(source("source=mail&ref=friend").as_deref(), Some("mail"));
        assert_eq!(source("ref=friend&utm_source=news").as_deref(), Some("news"));
        assert_eq!(source("utm_source="), None);
    }

    #[test]
    fn a_trailing_slash_is_kept_and_a_long_path_is_cut() {
        assert_eq!(address("https://shop.example/a/", &settings()).path, "/a/");
        assert_eq!(address("https://shop.example", &settings()).path, "/");
        let long = format!("https://shop.example/{}", "ü".repeat(2_000));
        assert_eq!(address(&long, &settings()).path.len(), LONGEST_PATH);
    }

    #[test]
    fn a_referrer_is_a_host_without_www_and_a_path() {
        let of = |text: &str| {
            referrer(text, |host| {
                host == "shop.example" || host.ends_with(".shop.example")
            })
        };
        let some = |host: &str, path: &str| Some((host.to_owned(), path.to_owned()));
        assert_eq!(
            of("https://www.Google.com/search?q=x#a"),
            some("google.com", "/search")
        );
        assert_eq!(
            of("android-app://com.google.android.gm/"),
            some("com.google.android.gm", "/")
        );
        assert_eq!(of("https://news.example"), some("news.example", "/"));
        for none in [
            "",
            "about:blank",
            "https://shop.example/a",
            "https://www.shop.example/",
            "not an address",
            "file:///etc/passwd",
        ] {
            assert_eq!(of(none), None, "{none}");
        }
    }
}
