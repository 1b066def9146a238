//! The origins and pages whose field data is collected.

use pharos_domain::{hostname::Hostname, ids::CruxUrlId, settings::Faults, wire_enum};
use time::{Date, OffsetDateTime};
use url::Url;

/// The longest URL in its normal form, in bytes.
pub const MOST_URL_BYTES: usize = 2_000;
/// The longest label, in characters.
pub const MOST_LABEL: usize = 100;
/// How many pages a domain may follow, whatever its plan says.
pub const MOST_URLS: i64 = 500;

wire_enum! {
    /// Which origin answered.
    OriginSource as "CruxOriginSource" {
        /// It is the domain's own, on https.
        Exact = "exact",
        /// The domain's own is not in the report; that of `www.` is.
        WwwFallback = "www_fallback",
        /// The API made another out of the domain's own.
        Normalized = "normalized",
    }
}

wire_enum! {
    /// The state of the collection of a page.
    TargetStatus as "CruxUrlStatus" {
        /// It was in the report when it was last asked for.
        Active = "active",
        /// It was not in the report when there last was an answer, since it has too few visitors, or was not asked for yet.
        NoData = "no_data",
        /// Its collection is held back. Nothing holds one back today.
        Paused = "paused",
        /// The last request failed, of one that was in the report or never had an answer. The next is made by itself.
        Error = "error",
    }
}

/// An origin or a page whose field data is collected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The id by which it is looked up.
    pub id: CruxUrlId,
    /// The page; `None`: the domain's origin.
    pub url: Option<String>,
    /// A name for people.
    pub label: Option<String>,
    /// The state of its collection.
    pub status: TargetStatus,
    /// The origin that answered, and which one it is; `None` for a page, and before the first answer.
    pub origin: Option<(String, OriginSource)>,
    /// The URL that the API normalised the page's to, if it is another.
    pub url_normalized: Option<String>,
    /// When it was last queried with success, whether it was in the report or not.
    pub fetched_at: Option<OffsetDateTime>,
    /// The end of the first period that had figures.
    pub first_seen_data_on: Option<Date>,
    /// The ends of the first periods of the present runs of passes, of phones and of computers.
    pub passing_since: PassingSince,
    /// Since when it is collected.
    pub created_at: OffsetDateTime,
}

/// When the present run of passes of Core Web Vitals began; `None`: it does not pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassingSince {
    /// On phones.
    pub mobile: Option<Date>,
    /// On computers.
    pub desktop: Option<Date>,
}

/// A page that is to be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTarget {
    /// Its URL in normal form.
    pub url: String,
    /// A name for people.
    pub label: Option<String>,
}

/// The domain's own origin, which is queried first.
#[must_use]
pub fn own_origin(hostname: &Hostname) -> String {
    format!("https://{hostname}")
}

/// The origin that is queried if the domain's own is not in the report; `None` if that is one of `www.` itself.
#[must_use]
pub fn www_origin(hostname: &Hostname) -> Option<String> {
    let name = hostname.as_str();
    (!name.starts_with("www.")).then(|| format!("https://www.{name}"))
}

/// A page's URL in normal form: without its fragment. It lies on the domain or below it.
pub fn page(member: &str, text: &str, hostname: &Hostname, faults: &mut Faults) -> Option<String> {
    let url = parse(member, text, hostname, faults)?;
    let url = url.to_string();
    if url.len() > MOST_URL_BYTES {
        faults.add(
            member,
            format!("longer than {MOST_URL_BYTES} bytes in its normal form"),
        );
        return None;
    }
    Some(url)
}

/// An origin in normal form: `https://host`, with its port where that is not the usual one.
pub fn origin(member: &str, text: &str, hostname: &Hostname, faults: &mut Faults) -> Option<String> {
    let url = parse(member, text, hostname, faults)?;
    if url.path() != "/" || url.query().is_some() {
        faults.add(member, "an origin has no path and no query; give a page as `url`");
        return None;
    }
    Some(url.origin().ascii_serialization())
}

fn parse(member: &str, text: &str, hostname: &Hostname, faults: &mut Faults) -> Option<Url> {
    let Ok(mut url) = Url::parse(text) else {
        faults.add(member, format!("not a URL, such as https://{hostname}/"));
        return None;
    };
    if !matches!(url.scheme(), "http" | "https") {
        faults.add(member, "neither http nor https");
        return None;
    }
    if !url.username().is_empty() || url.password().is_some() {
        faults.add(member, "a user or a password has no place in it");
        return None;
    }
    if !url.host_str().is_some_and(|host| hostname.covers(host)) {
        faults.add(member, format!("not on {hostname} or below it"));
        return None;
    }
    url.set_fragment(None);
    Some(url)
}

/// A name for people: some visible characters, and no control characters.
pub fn label(text: Option<&str>, faults: &mut Faults) -> Option<String> {
    let text = text?.trim();
    if text.is_empty() || text.chars().count() > MOST_LABEL || text.chars().any(char::is_control) {
        faults.add(
            "label",
            format!("1 to {MOST_LABEL} characters, and no control characters; null for none"),
        );
        return None;
    }
    Some(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(text: &str) -> Result<Option<String>, Vec<String>> {
        let mut faults = Faults::default();
        let hostname: Hostname = "shop.example".parse().unwrap();
        let url = page("url", text, &hostname, &mut faults);
        let told = |faults: Vec<pharos_domain::settings::SettingFault>| {
            faults.into_iter().map(|fault| fault.detail).collect()
        };
        faults.or(|| url).map_err(told)
    }

    #[test]
    fn a_page_lies_on_the_domain_and_has_no_fragment() {
        for (text, normal) in [
            ("https://shop.example", "https://shop.example/"),
            (
                "HTTPS://Shop.Example:443/Blue?x=1#top",
                "https://shop.example/Blue?x=1",
            ),
            ("http://www.shop.example/ä", "http://www.shop.example/%C3%A4"),
        ] {
            assert_eq!(judged(text).unwrap().as_deref(), Some(normal));
        }
        let long = format!("https://shop.example/{}", "a".repeat(2_000));
        for bad in [
            "",
            "/blue",
            "ftp://shop.example/",
            "javascript:alert(1)",
            "https://other.example/",
            "https://shop.example.evil.example/",
            "https://user@shop.example/",
            "https://127.0.0.1/",
            &long,
        ] {
            assert_eq!(judged(bad).unwrap_err().len(), 1, "{bad}");
        }
    }

    #[test]
    fn an_origin_has_no_path() {
        let hostname: Hostname = "shop.example".parse().unwrap();
        let judged = |text: &str| {
            let mut faults = Faults::default();
            let found = origin("origin", text, &hostname, &mut faults);
            faults.or(|| found).ok().flatten()
        };
        assert_eq!(
            judged("https://www.shop.example:8443/").as_deref(),
            Some("https://www.shop.example:8443")
        );
        assert_eq!(judged("https://shop.example/blue"), None);
        assert_eq!(judged("https://shop.example/?x=1"), None);
    }

    #[test]
    fn www_stands_in_for_a_name_without_it() {
        assert_eq!(
            www_origin(&"shop.example".parse().unwrap()).as_deref(),
            Some("https://www.shop.example")
        );
        assert_eq!(www_origin(&"www.shop.example".parse().unwrap()), None);
    }
}
