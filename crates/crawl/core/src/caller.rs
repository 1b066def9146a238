//! Who asks sites, as they see it.

use http::HeaderValue;

/// Pharos with the page that says what it asks sites for. Their robots.txt may speak to `Pharos`.
#[derive(Clone, Debug)]
pub struct Caller(HeaderValue);

impl Caller {
    /// The one whose page lies at this URL. A URL that no header can hold is left out.
    #[must_use]
    pub fn with_page(url: &str) -> Self {
        let version = env!("CARGO_PKG_VERSION");
        let named = format!("Pharos/{version} (+{url})");
        let plain = || HeaderValue::from_static(concat!("Pharos/", env!("CARGO_PKG_VERSION")));
        Self(HeaderValue::from_str(&named).unwrap_or_else(|_| plain()))
    }

    /// The value of `User-Agent`.
    pub(crate) fn user_agent(&self) -> HeaderValue {
        self.0.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_is_named_with_its_page() {
        let named = |url| Caller::with_page(url).user_agent();
        let told = named("https://pharos.example/docs/crawler");
        let told = told.to_str().unwrap();
        assert!(told.starts_with("Pharos/") && told.ends_with(" (+https://pharos.example/docs/crawler)"));
        assert!(!named("https://pharos.example/\n").to_str().unwrap().contains('('));
    }
}
