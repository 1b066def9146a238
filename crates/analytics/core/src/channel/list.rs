//! The list of sources, as the data file has it.

use std::{collections::HashMap, sync::LazyLock};

/// The kind of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Ai,
    Email,
    Search,
    Shopping,
    Social,
    Video,
}

impl Kind {
    fn of(name: &str) -> Option<Self> {
        match name {
            "ai" => Some(Self::Ai),
            "email" => Some(Self::Email),
            "search" => Some(Self::Search),
            "shopping" => Some(Self::Shopping),
            "social" => Some(Self::Social),
            "video" => Some(Self::Video),
            _ => None,
        }
    }
}

/// A source of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
}

/// The file, by what is looked up in it.
struct List {
    version: &'static str,
    /// By whole host.
    hosts: HashMap<&'static str, Listed>,
    /// By the label before any ending, such as `google` of `google.*`.
    labels: HashMap<&'static str, Listed>,
    /// By name or tag.
    tags: HashMap<&'static str, Listed>,
}

static LIST: LazyLock<List> = LazyLock::new(|| read(include_str!("sources.txt")));

fn read(text: &'static str) -> List {
    let mut list = List {
        version: "",
        hosts: HashMap::new(),
        labels: HashMap::new(),
        tags: HashMap::new(),
    };
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        match (words.next(), words.next()) {
            (Some("version"), Some(version)) => list.version = version,
            (Some(kind), Some(name)) => {
                let Some(kind) = Kind::of(kind) else { continue };
                let listed = Listed { name, kind };
                list.tags.entry(name).or_insert(listed);
                for word in words {
                    if let Some(label) = word.strip_suffix(".*") {
                        list.labels.entry(label).or_insert(listed);
                    } else if word.contains('.') {
                        list.hosts.entry(word).or_insert(listed);
                    } else {
                        list.tags.entry(word).or_insert(listed);
                    }
                }
            }
            _ => {}
        }
    }
    list
}

/// The version of the list.
pub(super) fn version() -> &'static str {
    LIST.version
}

/// The source of a host, in lower case and without `www.`.
pub(super) fn of_host(host: &str) -> Option<Listed> {
    let host = host.strip_prefix("www.").unwrap_or(host);
    if let Some(listed) = LIST.hosts.get(host) {
        return Some(*listed);
    }
    // `google.co.uk`: one or two labels after the name. `google.com.evil.example` has more.
    let (label, ending) = host.split_once('.')?;
    let is_ending = ending.split('.').count() <= 2 && ending.split('.').all(|label| label.len() <= 4);
    is_ending.then(|| LIST.labels.get(label).copied()).flatten()
}

/// The source that a tag names: by its name, or by its host.
pub(super) fn of_tag(tag: &str) -> Option<Listed> {
    LIST.tags.get(tag).copied().or_else(|| of_host(tag))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_line_is_understood_and_nothing_is_listed_twice() {
        let mut seen = HashSet::new();
        for line in include_str!("sources.txt").lines() {
            if line.is_empty() || line.starts_with('#') || line.starts_with("version ") {
                continue;
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            assert!(Kind::of(words[0]).is_some() && words.len() > 2, "{line}");
            for word in &words[1..] {
                assert!(seen.insert(*word) || *word == words[1], "{word}");
                assert_eq!(*word, word.to_lowercase());
            }
        }
        assert_eq!(version(), "2026-11-24");
    }

    #[test]
    fn hosts_are_found_whole_and_by_their_label_before_any_ending() {
        let name = |host| of_host(host).map(|listed| listed.name);
        assert_eq!(name("www.google.co.uk"), Some("google"));
        assert_eq!(name("google.de"), Some("google"));
        assert_eq!(name("l.facebook.com"), Some("facebook"));
        assert_eq!(name("mail.google.com"), Some("gmail"));
        assert_eq!(name("gemini.google.com"), Some("gemini"));
        assert_eq!(name("google.example.com"), None);
        assert_eq!(name("google.com.evil.example"), None);
        assert_eq!(name("notgoogle.com"), None);
    }
}
