//! From a hostname to the name that was registered.

use pharos_domain::hostname::Hostname;
use psl::{Psl, Type};

/// The name that was registered for this host: one label more than its registry's suffix.
///
/// Only the registries' part of the public suffix list counts (ICANN). Below the suffixes of its private
/// part, such as `github.io`, names are given out without a registration. A host that is itself a registry's suffix
/// stands for itself.
#[must_use]
pub fn registrable(host: &Hostname) -> Hostname {
    let name = host.as_str();
    let labels = name.split('.').count();
    let of_suffix = registry_suffix(name).map_or(1, |suffix| suffix.split('.').count());
    let cut = name.splitn(labels.saturating_sub(of_suffix + 1) + 1, '.').last();
    cut.and_then(|name| name.parse().ok())
        .unwrap_or_else(|| host.clone())
}

/// The longest suffix that a registry gives names out below.
fn registry_suffix(name: &str) -> Option<&str> {
    let found = psl::List.suffix(name.as_bytes())?;
    let suffix = name.get(name.len() - found.as_bytes().len()..)?;
    match found.typ() {
        Some(Type::Private) => registry_suffix(suffix.split_once('.')?.1),
        Some(Type::Icann) | None => Some(suffix),
    }
}

/// The name in Unicode; `None` where that is how it is spelled anyway.
#[must_use]
pub fn unicode(name: &Hostname) -> Option<String> {
    let (unicode, decoded) = idna::domain_to_unicode(name.as_str());
    (decoded.is_ok() && unicode != name.as_str()).then_some(unicode)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first ones are from the list's own test vectors (publicsuffix.org, test_psl.txt); those of its private
    /// part differ on purpose.
    #[test]
    fn the_cut_is_by_the_registries_part_of_the_list() {
        for (host, name) in [
            ("example.com", "example.com"),
            ("a.b.example.com", "example.com"),
            ("test.jp", "test.jp"),
            ("www.test.ac.jp", "test.ac.jp"),
            ("a.b.c.kobe.jp", "b.c.kobe.jp"),
            ("www.city.kobe.jp", "city.kobe.jp"),
            ("b.c.ck", "b.c.ck"),
            ("www.www.ck", "www.ck"),
            ("www.example.co.uk", "example.co.uk"),
            ("食狮.公司.cn", "食狮.公司.cn"),
            ("www.食狮.中国", "食狮.中国"),
            // Not on the list: one label is the suffix.
            ("www.shop.example", "shop.example"),
            // The private part.
            ("someone.github.io", "github.io"),
            ("a.b.example.uk.com", "uk.com"),
            ("x.eu-west-1.compute.amazonaws.com", "amazonaws.com"),
            // A suffix stands for itself.
            ("co.uk", "co.uk"),
            ("com", "com"),
            ("localhost", "localhost"),
        ] {
            let (host, name): (Hostname, Hostname) = (host.parse().unwrap(), name.parse().unwrap());
            assert_eq!(registrable(&host), name, "{host}");
        }
    }

    #[test]
    fn only_a_name_that_is_spelled_otherwise_has_a_unicode_form() {
        assert_eq!(
            unicode(&"bücher.example".parse().unwrap()).as_deref(),
            Some("bücher.example")
        );
        assert_eq!(unicode(&"books.example".parse().unwrap()), None);
    }
}
