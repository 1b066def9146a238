//! Actions: the events, links, downloads and searches of sessions.

use pharos_domain::window::DateRange;
use time::OffsetDateTime;

use crate::{
    filter::Filters,
    overview::{Totals, ratio},
};

/// The kinds of actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActionKind {
    /// An event of the site's own.
    Event,
    /// A link to another host was followed.
    Outbound,
    /// A file was downloaded.
    Download,
    /// The site was searched.
    Search,
}

/// The most rows that a list of actions without pages has.
pub const MOST_ACTIONS: usize = 1_000;

/// The question: a page of the list of what was done, most often first and then by name.
#[derive(Clone, Debug)]
pub struct ActionsQuery<'a> {
    /// The days that the figures are of.
    pub window: DateRange,
    /// Which sessions.
    pub filters: &'a Filters,
    /// The kind of action.
    pub kind: ActionKind,
    /// Only this event, link or term.
    pub name: Option<&'a str>,
    /// How many rows.
    pub rows: i64,
    /// After the row that was done so often and is called so.
    pub after: Option<(i64, &'a str)>,
    /// The currency of `revenue_cents`.
    pub currency: &'a str,
}

/// The figures of one action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionFigures {
    /// The event, address or term.
    pub name: String,
    /// How often.
    pub count: u64,
    /// Visitors who did it: of each UTC day those that are distinct, added up.
    pub visitors: u64,
    /// Sessions in which it was done.
    pub sessions: u64,
    /// How often no page was viewed after it in its session.
    pub exits: u64,
    /// How many results the last search had that said so; `None` for other kinds.
    pub results: Option<u32>,
    /// When it was done last.
    pub last_at: OffsetDateTime,
    /// The page on which a link or download was followed most often.
    pub top_page: Option<String>,
    /// Orders less refunds of an event, in hundredths; `None`: it is none of a sale.
    pub revenue_cents: Option<i64>,
    /// The names of an event's properties, in order.
    pub properties: Vec<String>,
}

impl ActionFigures {
    /// The share of the times after which no page was viewed in the session, in percent.
    #[must_use]
    pub fn exit_rate_pct(&self) -> Option<f64> {
        ratio(self.exits, self.count).map(|share| share * 100.0)
    }
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Actions {
    /// The rows.
    pub rows: Vec<ActionFigures>,
    /// How many there are in all.
    pub total: u64,
    /// How often all of them were done.
    pub count: u64,
    /// How often files of each extension were downloaded, most often first.
    pub extensions: Vec<(String, u64)>,
    /// The totals of the window's sessions that fit the filters.
    pub totals: Totals,
    /// The visitors of the window that fit the filters, whatever event they ask for.
    pub visitors_of_any: u64,
    /// Whether any event was ever recorded.
    pub ever_recorded: bool,
    /// The newest moment of which anything was received; `None`: nothing ever was.
    pub last_at: Option<OffsetDateTime>,
}

/// The last part of an address's path: the name of a file. Empty where it ends with a slash.
#[must_use]
pub fn file_name(url: &str) -> &str {
    url.rsplit('/').next().unwrap_or_default()
}

/// The extension of a file's address in lower case; empty without one.
#[must_use]
pub fn extension(url: &str) -> String {
    let extension = file_name(url)
        .rsplit_once('.')
        .map_or("", |(_, extension)| extension);
    extension.to_ascii_lowercase()
}

/// The host of an address.
#[must_use]
pub fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_hosts_files_and_extensions() {
        let url = "https://files.shop.example/2026/Price.List.PDF";
        assert_eq!(
            (host(url), file_name(url), extension(url).as_str()),
            ("files.shop.example", "Price.List.PDF", "pdf")
        );
        let bare = "https://shop.example";
        assert_eq!(
            (host(bare), extension("https://shop.example/a/")),
            ("shop.example", String::new())
        );
    }
}
