//! The pages of sitemaps, and how they change.

use time::OffsetDateTime;
use uuid::Uuid;

use crate::sitemap::entry::{Alternate, ChangeFrequency};

/// A page of sitemaps.
#[derive(Clone, Debug, PartialEq)]
pub struct SitemapPage {
    /// The digest of its URL, by which it is stored.
    pub key: Uuid,
    /// The address, as the file lists it.
    pub url: String,
    /// The file that names it: the first of several.
    pub file_id: Uuid,
    /// When it last changed, as that file says.
    pub lastmod: Option<OffsetDateTime>,
    /// How often it changes.
    pub change_frequency: Option<ChangeFrequency>,
    /// The weight that the file gives it.
    pub priority: Option<f64>,
    /// Images that are named with it.
    pub images: u32,
    /// Videos.
    pub videos: u32,
    /// Whether it is news.
    pub is_news: bool,
    /// The page in other languages.
    pub alternates: Vec<Alternate>,
    /// When a file of the domain first named it.
    pub first_seen_at: OffsetDateTime,
    /// When a good fetch last found it.
    pub last_seen_at: OffsetDateTime,
    /// The second good fetch in a row that did not; `None`: it is there.
    pub removed_at: Option<OffsetDateTime>,
    /// Whether robots.txt keeps Googlebot from it; `None` where that was not computed.
    pub is_blocked: Option<bool>,
    /// How many files name it now.
    pub in_files: u32,
    /// Its newest answer; `None`: it was not asked.
    pub answered: Option<Answered>,
}

/// The answer of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The status that it answered with.
    pub status_code: u16,
    /// Where it redirected to.
    pub redirects_to: Option<String>,
    /// Whether it names itself as the page to be indexed; `None`: it names none.
    pub is_canonical: Option<bool>,
}

names! {
    /// Whether pages are there.
    Presence as "SitemapUrlPresence" {
        /// A file names them.
        Present = "present",
        /// Two good fetches in a row did not find them any more.
        Removed = "removed",
    }
}

/// Which pages are listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageFilter {
    /// Those of this file.
    pub file: Option<Uuid>,
    /// Those that are there, or were; `None`: both.
    pub presence: Option<Presence>,
    /// Those with this in their address.
    pub search: Option<String>,
}

names! {
    /// How a page changed.
    ChangeKind as "SitemapChangeKind" {
        /// It is new.
        Added = "added",
        /// Two good fetches in a row did not find it.
        Removed = "removed",
        /// It has another date.
        LastmodChanged = "lastmod_changed",
        /// Another file names it now.
        MovedFile = "moved_file",
    }
}

/// A change of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageChange {
    /// The id by which lists go on behind it.
    pub id: Uuid,
    /// When a fetch found it.
    pub changed_at: OffsetDateTime,
    /// How it changed.
    pub change: ChangeKind,
    /// The address of the page that changed.
    pub url: String,
    /// The file that was fetched; of a page that moved, the one that names it now.
    pub file_id: Uuid,
    /// The date or the file before.
    pub before: Option<String>,
    /// The same after.
    pub after: Option<String>,
}

/// Which changes are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChangeFilter {
    /// Those of this kind.
    pub change: Option<ChangeKind>,
    /// Those of this file.
    pub file: Option<Uuid>,
}
