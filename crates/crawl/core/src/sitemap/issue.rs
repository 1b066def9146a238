//! Faults of a sitemap as it is written.

use std::collections::BTreeMap;

codes! {
    /// The kind of a finding.
    SitemapIssue as "SitemapIssueCode" {
        /// Nobody answers, or the answer is no file.
        Unreachable = "unreachable", Error;
        /// It is no XML, or it ends in the middle. A document type is refused too.
        InvalidXml = "invalid_xml", Error;
        /// Its root is not in the namespace of sitemaps.
        WrongNamespace = "wrong_namespace", Error;
        /// Its `Content-Type` is that of something else.
        WrongContentType = "wrong_content_type", Info;
        /// It has more than 50,000 entries.
        TooManyUrls = "too_many_urls", Error;
        /// It has more than 52,428,800 bytes, uncompressed.
        TooLarge = "too_large", Error;
        /// A page on another host.
        UrlOffHost = "url_off_host", Error;
        /// An address that is neither http nor https, or not the one that the sitemap itself has.
        UrlWrongScheme = "url_wrong_scheme", Error;
        /// An address without scheme and host, or one that is longer than any that is read.
        RelativeUrl = "relative_url", Error;
        /// An address with characters that have to be escaped.
        UrlNotEscaped = "url_not_escaped", Warning;
        /// A page that stands twice in the file.
        DuplicateUrl = "duplicate_url", Info;
        /// A date that is none of W3C's forms.
        InvalidLastmod = "invalid_lastmod", Warning;
        /// A date in the future.
        LastmodInFuture = "lastmod_in_future", Warning;
        /// All pages have the same date, which tells nothing.
        AllLastmodIdentical = "all_lastmod_identical", Info;
        /// A weight that is no number from 0 to 1.
        InvalidPriority = "invalid_priority", Info;
        /// An index that an index names.
        NestedIndex = "nested_index", Error;
        /// It has no entry.
        Empty = "empty", Warning;
        /// A page that answers with an error.
        Non200Url = "non_200_url", Error;
        /// A page that redirects.
        RedirectingUrl = "redirecting_url", Warning;
        /// A page that asks not to be indexed.
        NoindexUrl = "noindex_url", Warning;
        /// A page that names another as the one to be indexed.
        CanonicalisedUrl = "canonicalised_url", Info;
        /// A page that robots.txt keeps Googlebot from.
        BlockedByRobots = "blocked_by_robots", Error;
        /// A file that no index names, nor robots.txt.
        NotInRobotsTxt = "not_in_robots_txt", Info;
        /// A page names another in a language, and that one does not name it back.
        HreflangNoReturn = "hreflang_no_return", Warning;
        /// It is compressed, and breaks off or is damaged.
        CompressionError = "compression_error", Error;
    }
}

impl SitemapIssue {
    /// Whether reading the file tells, as against fetching it, asking its pages, or holding several files against each other.
    #[must_use]
    pub const fn is_of_content(self) -> bool {
        match self {
            Self::InvalidXml
            | Self::WrongNamespace
            | Self::WrongContentType
            | Self::TooManyUrls
            | Self::TooLarge
            | Self::UrlOffHost
            | Self::UrlWrongScheme
            | Self::RelativeUrl
            | Self::UrlNotEscaped
            | Self::DuplicateUrl
            | Self::InvalidLastmod
            | Self::LastmodInFuture
            | Self::AllLastmodIdentical
            | Self::InvalidPriority
            | Self::NestedIndex
            | Self::Empty
            | Self::CompressionError => true,
            Self::Unreachable
            | Self::Non200Url
            | Self::RedirectingUrl
            | Self::NoindexUrl
            | Self::CanonicalisedUrl
            | Self::BlockedByRobots
            | Self::NotInRobotsTxt
            | Self::HreflangNoReturn => false,
        }
    }
}

/// How often something is wrong, and the first places.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Finding {
    /// How often.
    pub count: u64,
    /// The first ten places: addresses, values, or what the reader says of them. Each is at most 500 characters long.
    pub examples: Vec<String>,
}

/// The findings of a file.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Findings(pub BTreeMap<SitemapIssue, Finding>);

const EXAMPLES: usize = 10;
const EXAMPLE_CHARACTERS: usize = 500;

impl Findings {
    pub(crate) fn add(&mut self, issue: SitemapIssue, example: &str) {
        let finding = self.0.entry(issue).or_default();
        finding.count += 1;
        if finding.examples.len() < EXAMPLES && !example.is_empty() {
            finding
                .examples
                .push(example.chars().take(EXAMPLE_CHARACTERS).collect());
        }
    }
}
