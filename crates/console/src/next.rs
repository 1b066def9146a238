//! Where sign-in goes on to: a page of the console, never elsewhere.

use std::sync::LazyLock;

use url::Url;

/// Where the code of the second factor is asked for.
pub(crate) const SECOND_FACTOR: &str = "/console/sign-in/code";

/// A path below `/console`, query included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Next(String);

/// The base that paths are resolved against; nothing is ever requested from it.
static BASE: LazyLock<Option<Url>> = LazyLock::new(|| Url::parse("http://console.invalid").ok());

impl Default for Next {
    fn default() -> Self {
        Self("/console".to_owned())
    }
}

impl Next {
    /// The path in `text`, if a browser would stay below `/console` with it. Held against what the URL standard makes
    /// of it, so that nothing that is read in two ways passes.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let url = BASE.as_ref()?.join(text).ok()?;
        let path = url.path();
        let is_ours = path == "/console" || path.starts_with("/console/");
        (is_ours && &url[url::Position::BeforePath..] == text && url.fragment().is_none())
            .then(|| Self(text.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The sign-in page that goes on there.
    pub(crate) fn sign_in(&self) -> String {
        self.by_way_of("/console/sign-in")
    }

    /// The page that asks for the code of the second factor, and goes on there.
    pub(crate) fn second_factor(&self) -> String {
        self.by_way_of(SECOND_FACTOR)
    }

    fn by_way_of(&self, page: &str) -> String {
        let query: String = form_urlencoded::Serializer::new(String::new())
            .append_pair("next", &self.0)
            .finish();
        format!("{page}?{query}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_the_console_are_next() {
        for good in ["/console", "/console/apps", "/console/consent?request=a.b&x=%2F"] {
            assert_eq!(Next::parse(good).unwrap().as_str(), good);
        }
    }

    #[test]
    fn no_other_path_is_next() {
        for bad in [
            "",
            "/",
            "apps",
            "//evil.example/console/",
            "///evil.example/console/",
            r"/\evil.example/console/",
            r"\\evil.example/console/",
            r"/console\..\evil",
            "/console/../evil",
            "/console/%2e%2e/evil",
            "/console/..//evil.example",
            "/consoles",
            "https://evil.example/console/apps",
            "http://console.invalid/console/apps",
            "http:/console/apps",
            "javascript:alert(1)",
            "data:text/html,/console/",
            "/console/\tapps",
            "/console/apps\n",
            " /console/apps",
            "/console/apps#top",
        ] {
            assert_eq!(Next::parse(bad), None, "{bad:?}");
        }
    }
}
