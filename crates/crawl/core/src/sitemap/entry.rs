//! The entries of a sitemap.

use time::OffsetDateTime;

names! {
    /// The form of a file.
    SitemapKind as "SitemapFileType" {
        /// A list of pages.
        UrlSet = "urlset",
        /// A list of sitemaps.
        Index = "sitemap_index",
        /// A feed in RSS.
        Rss = "rss",
        /// A feed in Atom.
        Atom = "atom",
        /// A page a line.
        Text = "text",
        /// None of these.
        Unknown = "unknown",
    }
}

names! {
    /// How often a page is said to change.
    ChangeFrequency as "SitemapChangeFrequency" {
        /// At every visit.
        Always = "always",
        /// Every hour.
        Hourly = "hourly",
        /// Every day.
        Daily = "daily",
        /// Every week.
        Weekly = "weekly",
        /// Every month.
        Monthly = "monthly",
        /// Every year.
        Yearly = "yearly",
        /// No more.
        Never = "never",
    }
}

/// The same page in another language.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "monitoring", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SitemapAlternate))]
pub struct Alternate {
    /// The language, such as `de-AT`, or `x-default`.
    pub hreflang: String,
    /// The address of the page in that language.
    pub href: String,
}

/// A page of a sitemap.
#[derive(Clone, Debug, PartialEq)]
pub struct UrlEntry {
    /// Its address, absolute and in its one spelling.
    pub url: String,
    /// When it last changed, as the sitemap says.
    pub lastmod: Option<OffsetDateTime>,
    /// How often it changes, as the sitemap says.
    pub change_frequency: Option<ChangeFrequency>,
    /// Its weight beside the site's other pages, from 0 to 1.
    pub priority: Option<f64>,
    /// How many images are named with it.
    pub images: u32,
    /// How many videos.
    pub videos: u32,
    /// Whether it is news.
    pub is_news: bool,
    /// The page in other languages, at most [`MOST_ALTERNATES`] of [`MOST_ALTERNATES_BYTES`].
    pub alternates: Vec<Alternate>,
}

/// So many alternates of a page are kept.
pub const MOST_ALTERNATES: usize = 200;
/// So many bytes their languages and addresses have together.
pub const MOST_ALTERNATES_BYTES: usize = 32 << 10;
/// The longest language that is read, as BCP 47 (section 4.4.1) has it.
const LONGEST_LANGUAGE: usize = 35;

/// Whether it has the form of a language: letters and digits in parts of one to eight, such as `de-AT`, or `x-default`.
#[must_use]
pub fn is_language(text: &str) -> bool {
    let is_part =
        |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    text.len() <= LONGEST_LANGUAGE && text.split('-').all(is_part)
}

/// A sitemap of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildEntry {
    /// Its address, absolute and in its one spelling.
    pub url: String,
    /// When it last changed, as the index says.
    pub lastmod: Option<OffsetDateTime>,
}

/// One entry, as the reader hands it on.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A page.
    Url(UrlEntry),
    /// A sitemap.
    Child(ChildEntry),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_a_form() {
        for text in ["de", "de-AT", "x-default", "zh-Hans-CN", "es-419"] {
            assert!(is_language(text), "{text}");
        }
        for text in [
            "",
            "-",
            "de-",
            "de_AT",
            "de AT",
            "deutschland",
            "\u{fc}",
            "de-de-de-de-de-de-de-de-de-de-de-de-de",
        ] {
            assert!(!is_language(text), "{text}");
        }
    }
}
