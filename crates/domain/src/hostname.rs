//! A domain name in its one spelling.

use thiserror::Error;

/// A domain name: ASCII (IDNA, UTS 46), lower case, without a trailing dot, 1 to 253 bytes. Never an address.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hostname(String);

impl Hostname {
    /// The name in its one spelling.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether `host` is this name or lies below it.
    #[must_use]
    pub fn covers(&self, host: &str) -> bool {
        let host = host.strip_suffix('.').unwrap_or(host);
        let Some(rest) = host
            .len()
            .checked_sub(self.0.len())
            .and_then(|at| host.split_at_checked(at))
        else {
            return false;
        };
        rest.1.eq_ignore_ascii_case(&self.0) && (rest.0.is_empty() || rest.0.ends_with('.'))
    }
}

impl std::fmt::Display for Hostname {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text is no domain name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("not a domain name such as shop.example (no scheme, port or path; no IP address)")]
pub struct MalformedHostname;

impl std::str::FromStr for Hostname {
    type Err = MalformedHostname;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.strip_suffix('.').unwrap_or(text);
        let ascii = idna::domain_to_ascii_strict(text).map_err(|_| MalformedHostname)?;
        let is_address = ascii
            .rsplit('.')
            .next()
            .is_some_and(|label| label.bytes().all(|b| b.is_ascii_digit()));
        if ascii.is_empty() || is_address {
            return Err(MalformedHostname);
        }
        Ok(Self(ascii))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_spelling() {
        for (given, want) in [
            ("Shop.Example.", "shop.example"),
            ("bücher.example", "xn--bcher-kva.example"),
        ] {
            assert_eq!(given.parse::<Hostname>().unwrap().as_str(), want);
        }
        for bad in [
            "",
            ".",
            "a..b",
            "127.0.0.1",
            "[::1]",
            "http://shop.example",
            "shop.example/x",
            "a b",
            "-a.example",
        ] {
            assert!(bad.parse::<Hostname>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_name_covers_itself_and_what_lies_below() {
        let name: Hostname = "shop.example".parse().unwrap();
        for inside in [
            "shop.example",
            "www.shop.example",
            "WWW.Shop.Example",
            "shop.example.",
        ] {
            assert!(name.covers(inside), "{inside}");
        }
        for outside in [
            "example",
            "myshop.example",
            "shop.example.org",
            "shop.example.evil",
            "",
            "ü",
        ] {
            assert!(!name.covers(outside), "{outside}");
        }
    }
}
