//! The words of an inspection, each from a closed list.
//!
//! The names of the upstream are those of `searchconsole.v1.json`, the discovery document of its API; its guides write the same
//! in camel case. Both are read, and a name that is not known yet is `unknown`.

use pharos_domain::{page_facts::IndexVerdict, wire_enum};

/// A closed list that the upstream has names for.
pub trait OfUpstream {
    /// The value that the upstream calls so, in either spelling; `Unknown` where it is none that is known.
    #[must_use]
    fn of_upstream(name: &str) -> Self;

    /// The value that is stored under this name; `Unknown` where only a later version of Pharos knows it: nodes are upgraded one by
    /// one.
    #[must_use]
    fn named(name: &str) -> Self;
}

/// Declares what the upstream calls the values of an enum whose first one is `Unknown`.
macro_rules! upstream {
    ($name:ident { $($upstream:literal => $variant:ident),+ $(,)? }) => {
        impl OfUpstream for $name {
            fn of_upstream(name: &str) -> Self {
                match squeezed(name).as_str() {
                    $($upstream => Self::$variant,)+
                    _ => Self::Unknown,
                }
            }

            fn named(name: &str) -> Self {
                name.parse().unwrap_or(Self::Unknown)
            }
        }
    };
}

/// A name without what spellings differ in: case and underscores. No name of the upstream is longer than 64 bytes.
fn squeezed(name: &str) -> String {
    name.chars()
        .take(64)
        .filter(|sign| *sign != '_')
        .map(|sign| sign.to_ascii_lowercase())
        .collect()
}

upstream!(IndexVerdict {
    "pass" => Pass,
    "partial" => Partial,
    "fail" => Fail,
    "neutral" => Neutral,
});

wire_enum! {
    /// Whether robots.txt lets Google fetch a page.
    RobotsState as "IndexingRobotsState" {
        /// The upstream does not say.
        Unknown = "unknown",
        /// It does.
        Allowed = "allowed",
        /// It does not.
        Disallowed = "disallowed",
    }
}

upstream!(RobotsState { "allowed" => Allowed, "disallowed" => Disallowed });

wire_enum! {
    /// Whether a page lets itself be indexed.
    IndexingState {
        /// The upstream does not say.
        Unknown = "unknown",
        /// It does.
        IndexingAllowed = "indexing_allowed",
        /// A robots meta tag says noindex.
        BlockedByMetaTag = "blocked_by_meta_tag",
        /// The header `X-Robots-Tag` says noindex.
        BlockedByHttpHeader = "blocked_by_http_header",
        /// Reserved by the upstream.
        BlockedByRobotsTxt = "blocked_by_robots_txt",
    }
}

upstream!(IndexingState {
    "indexingallowed" => IndexingAllowed,
    "blockedbymetatag" => BlockedByMetaTag,
    "blockedbyhttpheader" => BlockedByHttpHeader,
    "blockedbyrobotstxt" => BlockedByRobotsTxt,
});

wire_enum! {
    /// Whether Google could fetch a page.
    FetchState as "IndexingFetchState" {
        /// The upstream does not say.
        Unknown = "unknown",
        /// It could.
        Successful = "successful",
        /// The page says that it is not there, with a status that says otherwise.
        Soft404 = "soft_404",
        /// robots.txt forbids it.
        BlockedRobotsTxt = "blocked_robots_txt",
        /// 404.
        NotFound = "not_found",
        /// 401.
        AccessDenied = "access_denied",
        /// 5xx.
        ServerError = "server_error",
        /// A redirect that leads nowhere.
        RedirectError = "redirect_error",
        /// 403.
        AccessForbidden = "access_forbidden",
        /// Another status of 4xx.
        Blocked4xx = "blocked_4xx",
        /// Google failed.
        InternalCrawlError = "internal_crawl_error",
        /// It is no URL that can be fetched.
        InvalidUrl = "invalid_url",
    }
}

upstream!(FetchState {
    "successful" => Successful,
    "soft404" => Soft404,
    "blockedrobotstxt" => BlockedRobotsTxt,
    "notfound" => NotFound,
    "accessdenied" => AccessDenied,
    "servererror" => ServerError,
    "redirecterror" => RedirectError,
    "accessforbidden" => AccessForbidden,
    "blocked4xx" => Blocked4xx,
    "internalcrawlerror" => InternalCrawlError,
    "invalidurl" => InvalidUrl,
});

impl FetchState {
    /// Whether a fetch failed. One that robots.txt forbids was not made.
    #[must_use]
    pub const fn is_error(self) -> bool {
        !matches!(self, Self::Unknown | Self::Successful | Self::BlockedRobotsTxt)
    }
}

wire_enum! {
    /// The crawler that fetched a page.
    CrawledAs as "IndexingCrawler" {
        /// The upstream does not say, or it was never fetched.
        Unknown = "unknown",
        /// That of desktops.
        Desktop = "desktop",
        /// That of phones.
        Mobile = "mobile",
    }
}

upstream!(CrawledAs { "desktop" => Desktop, "mobile" => Mobile });

wire_enum! {
    /// How grave an issue of a rich result or an AMP page is.
    Severity as "IndexingIssueSeverity" {
        /// The upstream does not say.
        Unknown = "unknown",
        /// It may be shown all the same.
        Warning = "warning",
        /// It is not shown.
        Error = "error",
    }
}

upstream!(Severity { "warning" => Warning, "error" => Error });

wire_enum! {
    /// Whether an AMP page lets itself be indexed.
    AmpIndexingState {
        /// The upstream does not say.
        Unknown = "unknown",
        /// It does.
        AmpIndexingAllowed = "amp_indexing_allowed",
        /// It says noindex.
        BlockedDueToNoindex = "blocked_due_to_noindex",
        /// Its `unavailable_after` is over.
        BlockedDueToExpiredUnavailableAfter = "blocked_due_to_expired_unavailable_after",
    }
}

upstream!(AmpIndexingState {
    "ampindexingallowed" => AmpIndexingAllowed,
    "blockedduetonoindex" => BlockedDueToNoindex,
    "blockedduetoexpiredunavailableafter" => BlockedDueToExpiredUnavailableAfter,
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_are_read_and_what_is_new_is_unknown() {
        assert_eq!(FetchState::of_upstream("SOFT_404"), FetchState::Soft404);
        assert_eq!(FetchState::of_upstream("soft404"), FetchState::Soft404);
        assert_eq!(
            IndexingState::of_upstream("blockedByMetaTag"),
            IndexingState::BlockedByMetaTag
        );
        assert_eq!(
            IndexVerdict::of_upstream("VERDICT_UNSPECIFIED"),
            IndexVerdict::Unknown
        );
        assert_eq!(IndexVerdict::of_upstream("EXCELLENT"), IndexVerdict::Unknown);
        assert_eq!(CrawledAs::of_upstream(&"m".repeat(1_000_000)), CrawledAs::Unknown);
    }

    /// Every name of the discovery document, but those that say that nothing is said, is told apart.
    #[test]
    fn every_name_of_the_discovery_document_is_known() {
        let names = "SUCCESSFUL SOFT_404 BLOCKED_ROBOTS_TXT NOT_FOUND ACCESS_DENIED SERVER_ERROR REDIRECT_ERROR \
                     ACCESS_FORBIDDEN BLOCKED_4XX INTERNAL_CRAWL_ERROR INVALID_URL";
        for name in names.split_whitespace() {
            let state = FetchState::of_upstream(name);
            assert_eq!(state.as_str(), name.to_ascii_lowercase());
        }
        for name in [
            "INDEXING_ALLOWED",
            "BLOCKED_BY_META_TAG",
            "BLOCKED_BY_HTTP_HEADER",
            "BLOCKED_BY_ROBOTS_TXT",
        ] {
            assert_eq!(
                IndexingState::of_upstream(name).as_str(),
                name.to_ascii_lowercase()
            );
        }
        for name in [
            "AMP_INDEXING_ALLOWED",
            "BLOCKED_DUE_TO_NOINDEX",
            "BLOCKED_DUE_TO_EXPIRED_UNAVAILABLE_AFTER",
        ] {
            assert_eq!(
                AmpIndexingState::of_upstream(name).as_str(),
                name.to_ascii_lowercase()
            );
        }
        for name in ["PASS", "PARTIAL", "FAIL", "NEUTRAL"] {
            assert_eq!(
                IndexVerdict::of_upstream(name).as_str(),
                name.to_ascii_lowercase()
            );
        }
    }
}
