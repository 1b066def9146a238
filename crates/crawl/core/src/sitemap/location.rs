//! The address of a page in a sitemap, and what is wrong with it.

use std::borrow::Cow;

use url::Url;

use super::issue::SitemapIssue;

/// The longest address that is read. The protocol allows 2,048 characters; browsers and servers take more.
pub const LONGEST_URL: usize = 8_192;

/// Where a sitemap lies, and whose pages it may name.
#[derive(Clone, Debug)]
pub struct Home {
    /// The sitemap's own address.
    pub url: Url,
}

/// An address that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Location {
    /// In its one spelling.
    pub(super) url: String,
    /// Its faults, with which it can still be read.
    pub(super) issues: Vec<SitemapIssue>,
}

impl Home {
    /// Reads an address as it is written; the error says why nothing comes of it.
    pub(super) fn read(&self, written: &str) -> Result<Location, SitemapIssue> {
        let url = address(written)?;
        let mut issues = Vec::new();
        if url.host_str() != self.url.host_str() {
            issues.push(SitemapIssue::UrlOffHost);
        } else if url.scheme() != self.url.scheme() {
            issues.push(SitemapIssue::UrlWrongScheme);
        }
        let is_escaped = written.bytes().all(|byte| {
            byte.is_ascii_graphic()
                && !matches!(
                    byte,
                    b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}'
                )
        });
        if !is_escaped {
            issues.push(SitemapIssue::UrlNotEscaped);
        }
        Ok(Location {
            url: url.into(),
            issues,
        })
    }
}

/// Reads an address of any host. Names and passwords in it are nobody's business.
pub(super) fn address(written: &str) -> Result<Url, SitemapIssue> {
    if written.len() > LONGEST_URL {
        return Err(SitemapIssue::RelativeUrl);
    }
    let url = Url::parse(written).map_err(|_| SitemapIssue::RelativeUrl)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(SitemapIssue::UrlWrongScheme);
    }
    Ok(without_credentials(url))
}

/// An address as it is shown where something is wrong with it.
pub(super) fn shown(written: &str) -> Cow<'_, str> {
    match Url::parse(written) {
        Ok(url) if has_credentials(&url) => Cow::Owned(without_credentials(url).into()),
        _ => Cow::Borrowed(written),
    }
}

fn has_credentials(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}

fn without_credentials(mut url: Url) -> Url {
    if has_credentials(&url) {
        // Who can have them can also have none.
        let _ = url.set_username("");
        let _ = url.set_password(None);
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_passwords_are_neither_kept_nor_shown() {
        let home = Home {
            url: "https://shop.example/sitemap.xml".parse().unwrap(),
        };
        let read = |written| home.read(written).map(|location| location.url);
        for written in ["https://user:pw@shop.example/a", "https://user@shop.example/a"] {
            assert_eq!(read(written).as_deref(), Ok("https://shop.example/a"));
            assert_eq!(shown(written), "https://shop.example/a");
        }
        assert_eq!(shown("ftp://user:pw@shop.example/a"), "ftp://shop.example/a");
        assert_eq!(shown("/a?b=c@d"), "/a?b=c@d");
    }
}
