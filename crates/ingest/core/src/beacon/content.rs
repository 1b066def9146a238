//! The part of a beacon that differs by its kind.

use pharos_domain::{
    collect::{
        OLDEST, PageLoadId, path_pattern,
        site::{CollectionSettings, Site},
    },
    settings::Faults,
};
use time::{Duration, OffsetDateTime};

use super::Members;

/// The facts about a beacon before its content is read.
#[derive(Clone, Copy, Debug)]
pub struct Received<'a> {
    /// The site.
    pub site: &'a Site,
    /// The settings that say what is stored of it.
    pub settings: &'a CollectionSettings,
    /// When it arrived, by the database's clock.
    pub at: OffsetDateTime,
    /// The page load that the envelope names.
    pub load: Option<PageLoadId>,
}

impl Received<'_> {
    /// Whether pages of that host belong to the site: its name, what lies below it, and the hosts that its settings add, of
    /// which `*.shop.example` adds all below `shop.example`.
    #[must_use]
    pub fn has_host(&self, host: &str) -> bool {
        has_host(self.site, self.settings, host)
    }

    /// When something was that is so old: `age_ms` of the members. An age beyond [`OLDEST`] counts at the receipt, as a missing
    /// one does.
    pub fn moment(&self, members: Members<'_>, faults: &mut Faults) -> OffsetDateTime {
        // Far more than any age that counts.
        const MOST_MS: f64 = 1e15;
        let age = members.number("age_ms", 0.0..=MOST_MS, faults).unwrap_or(0.0);
        let age = Duration::seconds_f64(age / 1_000.0);
        if age > OLDEST { self.at } else { self.at - age }
    }

    /// Whether nothing is stored of that path, given without a query.
    #[must_use]
    pub fn leaves_out(&self, path: &str) -> bool {
        self.settings
            .excluded_paths
            .iter()
            .any(|pattern| matches(&path_pattern(pattern), path))
    }
}

/// Whether pages of that host belong to the site.
pub(crate) fn has_host(site: &Site, settings: &CollectionSettings, host: &str) -> bool {
    site.hostname.covers(host)
        || settings
            .allowed_hosts
            .iter()
            .any(|allowed| match allowed.strip_prefix("*.") {
                Some(parent) => host
                    .strip_suffix(parent)
                    .is_some_and(|rest| rest.len() > 1 && rest.ends_with('.')),
                None => allowed.eq_ignore_ascii_case(host),
            })
}

/// The fault of a page whose host is none of the site.
pub(crate) fn foreign(host: &str) -> String {
    format!("{host} is no host of the site; allowed_hosts of its settings adds some")
}

/// Whether the text is as the pattern says, in which `*` stands for any text.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        match text.find(part) {
            Some(at) => text = text.get(at + part.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    text.ends_with(last)
}

/// The content of a beacon of one kind.
pub trait Content: Send + Sync + Sized + 'static {
    /// The kind: the last segment of its path, and its label in metrics.
    const KIND: &'static str;

    /// The settings of its kind.
    fn settings(known: &crate::sites::Known) -> Option<&CollectionSettings>;

    /// Reads it, without what the site's settings leave out; `None` where nothing is left or it is at fault.
    fn read(members: Members<'_>, received: &Received<'_>, faults: &mut Faults) -> Option<Self>;

    /// How many rows the members ask the store to write, before it is known whether anything is wrong with them. A row beyond a
    /// bound is not stored and does not count.
    fn rows(members: Members<'_>) -> usize;

    /// The part that happened before a moment, and the part that came after.
    fn split(self, at: OffsetDateTime) -> (Option<Self>, Option<Self>);
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_any_text() {
        for (pattern, text, want) in [
            ("/admin", "/admin", true),
            ("/admin", "/admin/x", false),
            ("/admin/*", "/admin/", true),
            ("/admin/*", "/admin", false),
            ("*/print", "/a/print", true),
            ("/*/edit", "/a/b/edit", true),
            ("/*/edit", "/edit", false),
            ("/a*b*c", "/a1b2c", true),
            ("/a*b*c", "/a1c", false),
            ("/ab*ba", "/aba", false),
            ("*", "", true),
        ] {
            assert_eq!(matches(pattern, text), want, "{pattern} {text}");
        }
    }
}
