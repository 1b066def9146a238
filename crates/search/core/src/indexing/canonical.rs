//! The page that a page declares as canonical, and the one that Google chose.

use pharos_domain::wire_enum;
use url::Url;

wire_enum! {
    /// How Google's canonical page differs from the declared one.
    CanonicalKind as "IndexingCanonicalKind" {
        /// The page declares one, and Google chose another on the same host.
        GoogleChoseOther = "google_chose_other",
        /// The page declares none, and Google chose another than the page.
        NoUserCanonical = "no_user_canonical",
        /// Google chose one on another host than the declared one, or than the page that declares none.
        CrossDomain = "cross_domain",
    }
}

/// Whether both are the same page; `None` where either is missing.
#[must_use]
pub fn matches(declared: Option<&str>, chosen: Option<&str>) -> Option<bool> {
    Some(is_same(declared?, chosen?))
}

/// How Google's choice differs; `None` where it does not, or is not known.
#[must_use]
pub fn kind(url: &str, declared: Option<&str>, chosen: Option<&str>) -> Option<CanonicalKind> {
    let chosen = chosen?;
    let wanted = declared.unwrap_or(url);
    if is_same(wanted, chosen) {
        return None;
    }
    Some(if host(wanted) != host(chosen) {
        CanonicalKind::CrossDomain
    } else if declared.is_some() {
        CanonicalKind::GoogleChoseOther
    } else {
        CanonicalKind::NoUserCanonical
    })
}

/// The same in normal form (WHATWG): case of the host, a port that goes without saying, an empty path.
fn is_same(one: &str, other: &str) -> bool {
    one == other
        || match (Url::parse(one), Url::parse(other)) {
            (Ok(one), Ok(other)) => one == other,
            _ => false,
        }
}

fn host(url: &str) -> Option<String> {
    Url::parse(url).ok()?.host_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonicals_are_compared_in_normal_form() {
        let page = "https://shop.example/a";
        assert_eq!(
            matches(Some(page), Some("https://SHOP.example:443/a")),
            Some(true)
        );
        assert_eq!(
            matches(Some("https://shop.example"), Some("https://shop.example/")),
            Some(true)
        );
        assert_eq!(matches(Some(page), Some("https://shop.example/A")), Some(false));
        assert_eq!(matches(None, Some(page)), None);
        assert_eq!(matches(Some(page), None), None);
    }

    #[test]
    fn a_mismatch_has_a_kind() {
        let page = "https://shop.example/a";
        let other = "https://shop.example/b";
        let of = |declared, chosen| kind(page, declared, chosen);
        assert_eq!(of(Some(page), Some(page)), None);
        assert_eq!(of(Some(page), None), None);
        assert_eq!(of(None, Some(page)), None);
        assert_eq!(of(None, Some(other)), Some(CanonicalKind::NoUserCanonical));
        assert_eq!(of(Some(page), Some(other)), Some(CanonicalKind::GoogleChoseOther));
        assert_eq!(of(Some(other), Some(other)), None);
        let elsewhere = "https://www.shop.example/a";
        assert_eq!(of(Some(page), Some(elsewhere)), Some(CanonicalKind::CrossDomain));
        assert_eq!(of(None, Some(elsewhere)), Some(CanonicalKind::CrossDomain));
    }
}
