//! The address of a page in a sitemap, and what is wrong with it.

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
        if written.len() > LONGEST_URL {
            return Err(SitemapIssue::RelativeUrl);
        }
        let url = Url::parse(written).map_err(|_| SitemapIssue::RelativeUrl)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(SitemapIssue::UrlWrongScheme);
        }
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
