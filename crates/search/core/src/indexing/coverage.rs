//! Why a page is in the index, or is not: the upstream's sentence, and the reason that programs branch on.
//!
//! The upstream says it in a sentence for people, which is asked for in English. Its API lists none of them; those here are the
//! ones of Search Console's help: "Page indexing report" (<https://support.google.com/webmasters/answer/7440203>), "URL
//! Inspection tool" (<https://support.google.com/webmasters/answer/9012289>), and the report "Index coverage" as that help had
//! it from 2018 to 2022, whose sentences are marked as old. The upstream rewords them now and then: what is not known is
//! `other`, and the sentence is kept word for word.

use pharos_domain::wire_enum;

wire_enum! {
    /// Why a page is in the index, or is not. More reasons may come.
    CoverageReason as "IndexingCoverageReason" {
        /// It is, and a sitemap lists it.
        SubmittedAndIndexed = "submitted_and_indexed",
        /// It is, and no sitemap lists it.
        IndexedNotSubmitted = "indexed_not_submitted",
        /// It is, and hardly anybody searches for it.
        IndexedLowInterest = "indexed_low_interest",
        /// It was fetched, and Google chose not to index it.
        CrawledNotIndexed = "crawled_not_indexed",
        /// Google knows it, and has not fetched it yet.
        DiscoveredNotIndexed = "discovered_not_indexed",
        /// Google has never seen it.
        UnknownToGoogle = "unknown_to_google",
        /// It is like another page, and declares no canonical one.
        DuplicateNoCanonical = "duplicate_no_canonical",
        /// It declares a canonical page, and Google chose another.
        DuplicateGoogleChoseOther = "duplicate_google_chose_other",
        /// A sitemap lists it, and Google chose another as canonical.
        DuplicateSubmittedNotCanonical = "duplicate_submitted_not_canonical",
        /// It is the alternate of the page that it declares as canonical.
        AlternateWithCanonical = "alternate_with_canonical",
        /// It says noindex.
        ExcludedNoindex = "excluded_noindex",
        /// robots.txt forbids to fetch it.
        BlockedRobots = "blocked_robots",
        /// It is in the index, though robots.txt forbids to fetch it.
        IndexedThoughBlocked = "indexed_though_blocked",
        /// It answered 404.
        NotFound404 = "not_found_404",
        /// It says that it is not there, with a status that says otherwise.
        Soft404 = "soft_404",
        /// It redirects.
        Redirect = "redirect",
        /// It redirects, and that leads nowhere.
        RedirectError = "redirect_error",
        /// It answered 5xx.
        ServerError5xx = "server_error_5xx",
        /// It answered 401.
        Blocked401 = "blocked_401",
        /// It answered 403.
        Blocked403 = "blocked_403",
        /// It answered another status of 4xx.
        BlockedOther4xx = "blocked_other_4xx",
        /// Somebody had it removed by the tool for that.
        BlockedPageRemoval = "blocked_page_removal",
        /// Something that has no reason here yet: `coverage_state` says it.
        Other = "other",
    }
}

use CoverageReason::{
    AlternateWithCanonical, Blocked401, Blocked403, BlockedOther4xx, BlockedPageRemoval, BlockedRobots,
    CrawledNotIndexed, DiscoveredNotIndexed, DuplicateGoogleChoseOther, DuplicateNoCanonical,
    DuplicateSubmittedNotCanonical, ExcludedNoindex, IndexedLowInterest, IndexedNotSubmitted,
    IndexedThoughBlocked, NotFound404, Other, Redirect, RedirectError, ServerError5xx, Soft404,
    SubmittedAndIndexed, UnknownToGoogle,
};

/// The sentences, as [`plain`] writes them, with their reasons.
const SENTENCES: &[(&str, CoverageReason)] = &[
    ("submitted and indexed", SubmittedAndIndexed),
    ("indexed, not submitted in sitemap", IndexedNotSubmitted),
    ("indexed, low interest", IndexedLowInterest), // Old.
    ("indexed, though blocked by robots.txt", IndexedThoughBlocked),
    ("crawled - currently not indexed", CrawledNotIndexed),
    ("discovered - currently not indexed", DiscoveredNotIndexed),
    ("url is unknown to google", UnknownToGoogle),
    ("duplicate without user-selected canonical", DuplicateNoCanonical),
    ("duplicate page without canonical tag", DuplicateNoCanonical), // Old.
    (
        "duplicate, google chose different canonical than user",
        DuplicateGoogleChoseOther,
    ),
    (
        "google chose different canonical than user",
        DuplicateGoogleChoseOther,
    ), // Old.
    (
        "duplicate, submitted url not selected as canonical",
        DuplicateSubmittedNotCanonical,
    ),
    (
        "submitted url not selected as canonical",
        DuplicateSubmittedNotCanonical,
    ), // Old.
    ("alternate page with proper canonical tag", AlternateWithCanonical),
    ("excluded by noindex tag", ExcludedNoindex),
    ("url marked noindex", ExcludedNoindex),
    ("submitted url marked noindex", ExcludedNoindex), // Old.
    ("blocked by robots.txt", BlockedRobots),
    ("url blocked by robots.txt", BlockedRobots),
    ("submitted url blocked by robots.txt", BlockedRobots), // Old.
    ("not found (404)", NotFound404),
    ("submitted url not found (404)", NotFound404), // Old.
    ("soft 404", Soft404),
    ("submitted url seems to be a soft 404", Soft404), // Old.
    ("page with redirect", Redirect),
    ("redirect error", RedirectError),
    ("submitted url has redirect error", RedirectError), // Old.
    ("server error (5xx)", ServerError5xx),
    ("submitted url has server error (5xx)", ServerError5xx), // Old.
    ("blocked due to unauthorized request (401)", Blocked401),
    ("submitted url returns unauthorized request (401)", Blocked401), // Old.
    ("blocked due to access forbidden (403)", Blocked403),
    ("submitted url returned 403", Blocked403), // Old.
    ("blocked due to other 4xx issue", BlockedOther4xx),
    ("url blocked due to other 4xx issue", BlockedOther4xx),
    ("submitted url blocked due to other 4xx issue", BlockedOther4xx), // Old.
    ("blocked by page removal tool", BlockedPageRemoval),
    ("url removed by page removal tool", BlockedPageRemoval), // Old.
];

/// No sentence is longer; the rest of one that is says nothing more.
const LONGEST: usize = 200;

impl CoverageReason {
    /// The reason of a sentence; [`Other`] where it is not known.
    #[must_use]
    pub fn of_sentence(sentence: &str) -> Self {
        let sentence = plain(sentence);
        let known = SENTENCES.iter().find(|(known, _)| *known == sentence);
        known.map_or(Other, |(_, reason)| *reason)
    }

    /// The reason of this name; [`Other`] where only a later version of Pharos knows it: nodes are upgraded one by one.
    #[must_use]
    pub fn named(name: &str) -> Self {
        name.parse().unwrap_or(Other)
    }

    /// Whether a page of it is in the index.
    #[must_use]
    pub const fn is_indexed(self) -> bool {
        matches!(
            self,
            SubmittedAndIndexed | IndexedNotSubmitted | IndexedLowInterest | IndexedThoughBlocked
        )
    }

    /// Whether a page of it stays out of the index because its site says so: such a page seldom changes.
    #[must_use]
    pub const fn is_on_purpose(self) -> bool {
        matches!(
            self,
            AlternateWithCanonical | ExcludedNoindex | BlockedRobots | Redirect | BlockedPageRemoval
        )
    }
}

/// A sentence without what its spellings differ in: case, quotes, the kind of dash, spaces, and a full stop.
fn plain(sentence: &str) -> String {
    let mut plain = String::with_capacity(sentence.len().min(LONGEST));
    for sign in sentence.chars().take(LONGEST) {
        match sign {
            '\'' | '"' | '‘' | '’' | '“' | '”' => {}
            '–' | '—' | '‑' | '−' => plain.push('-'),
            sign if sign.is_whitespace() => {
                if !plain.ends_with(' ') {
                    plain.push(' ');
                }
            }
            sign => plain.extend(sign.to_lowercase()),
        }
    }
    plain.trim().trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_told_apart_whatever_their_dashes_and_quotes() {
        for (sentence, reason) in [
            ("Submitted and indexed", SubmittedAndIndexed),
            ("Crawled - currently not indexed", CrawledNotIndexed),
            ("Crawled – currently not indexed", CrawledNotIndexed),
            ("Excluded by ‘noindex’ tag", ExcludedNoindex),
            ("Excluded by 'noindex' tag.", ExcludedNoindex),
            ("URL is unknown to Google", UnknownToGoogle),
            (
                "Duplicate, Google chose different canonical than user",
                DuplicateGoogleChoseOther,
            ),
            ("Eingereicht und indexiert", Other),
            ("Page indexed without content", Other),
            ("", Other),
        ] {
            assert_eq!(CoverageReason::of_sentence(sentence), reason, "{sentence}");
        }
    }

    #[test]
    fn every_reason_but_the_open_end_has_a_sentence_and_every_sentence_is_plain() {
        for reason in CoverageReason::ALL.iter().filter(|reason| **reason != Other) {
            assert!(SENTENCES.iter().any(|(_, known)| known == reason), "{reason}");
        }
        for (at, (sentence, _)) in SENTENCES.iter().enumerate() {
            assert_eq!(plain(sentence), *sentence);
            assert!(
                SENTENCES[..at].iter().all(|(other, _)| other != sentence),
                "{sentence}"
            );
        }
    }

    #[test]
    fn a_sentence_of_a_megabyte_is_no_more_work() {
        assert_eq!(CoverageReason::of_sentence(&"x".repeat(1_000_000)), Other);
    }
}
