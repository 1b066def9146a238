//! The settings of real-user monitoring, which a site's owner makes.

use pharos_domain::{
    collect::{path_pattern, site::CollectionSettings},
    settings::{Faults, SettingFault},
};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::{redact::redacted_path, url_pattern::Places};

/// How many entries a list may have.
pub const MOST_ENTRIES: usize = 100;
/// How many characters an entry of a list may have.
pub const MOST_OF_ENTRY: usize = 200;
/// How many months views are kept.
pub const RETENTION_MONTHS: u8 = 16;

/// The settings of a site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VitalsSettings {
    /// Whether anything is stored at all.
    pub enabled: bool,
    /// Which share of page loads is measured, from 0 to 1.
    pub sample_rate: f64,
    /// Whether pages say what caused a value.
    pub collect_attribution: bool,
    /// Whether pages tell what they load.
    pub collect_resources: bool,
    /// Whether pages tell of errors.
    pub collect_errors: bool,
    /// Whether route changes within a page count as views of their own.
    pub soft_navigations: bool,
    /// Names of the query that never count: a route change that changes no more than these is no view of its own. No query is stored.
    pub ignored_query_params: Vec<String>,
    /// Pages that count as one; the first pattern that fits counts.
    pub url_groups: Vec<UrlGroup>,
    /// Paths of which nothing is stored; `*` stands for any text.
    pub excluded_paths: Vec<String>,
    /// Countries of which nothing is stored, ISO 3166-1 alpha-2.
    pub excluded_countries: Vec<String>,
    /// Whether browsers that ask not to be tracked are left alone, by web analytics, too.
    pub respect_dnt: bool,
}

/// Pages that count as one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = RumUrlGroup))]
pub struct UrlGroup {
    /// Their paths; `*` stands for any text without a slash, `**` for any text.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 200))]
    pub pattern: String,
    /// The path that stands for them all.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 200))]
    pub label: String,
}

impl Default for VitalsSettings {
    /// The settings of a site of which nobody has said anything, but that it is on.
    fn default() -> Self {
        Self {
            enabled: true,
            sample_rate: 1.0,
            collect_attribution: true,
            collect_resources: true,
            collect_errors: true,
            soft_navigations: false,
            ignored_query_params: Vec::new(),
            url_groups: Vec::new(),
            excluded_paths: Vec::new(),
            excluded_countries: Vec::new(),
            respect_dnt: true,
        }
    }
}

impl VitalsSettings {
    /// Judges them.
    ///
    /// # Errors
    /// All faults, each with the pointer of its member.
    pub fn checked(self) -> Result<Self, Vec<SettingFault>> {
        let mut faults = Faults::default();
        if !(0.0..=1.0).contains(&self.sample_rate) {
            faults.add("sample_rate", "a number of 0 to 1");
        }
        list(
            &mut faults,
            "ignored_query_params",
            &self.ignored_query_params,
            is_name,
            "a name of 1 to 200 characters",
        );
        list(&mut faults, "excluded_paths", &self.excluded_paths, is_path, PATH);
        list(
            &mut faults,
            "excluded_countries",
            &self.excluded_countries,
            is_country,
            "a code of ISO 3166-1, such as DE",
        );
        if self.url_groups.len() > MOST_ENTRIES {
            faults.add("url_groups", format!("at most {MOST_ENTRIES} entries"));
        }
        faults.within("url_groups", |faults| {
            for (place, group) in self.url_groups.iter().enumerate() {
                faults.within(place, |faults| {
                    for (member, text) in [("pattern", &group.pattern), ("label", &group.label)] {
                        if !is_path(text) {
                            faults.add(member, PATH);
                        }
                    }
                });
            }
        });
        faults.or(|| self)
    }

    /// The part of the settings that collection reads.
    #[must_use]
    pub fn for_collection(self) -> CollectionSettings {
        CollectionSettings {
            allowed_hosts: Vec::new(),
            excluded_paths: self.excluded_paths,
            excluded_networks: Vec::new(),
            excluded_countries: self.excluded_countries,
            excluded_query_params: self.ignored_query_params,
            search_params: Vec::new(),
            download_extensions: Vec::new(),
            store_page_titles: false,
            store_search_terms: false,
            sample_rate: self.sample_rate,
            attribution: self.collect_attribution,
            resources: self.collect_resources,
            errors: self.collect_errors,
            soft_navigations: self.soft_navigations,
            respect_dnt: self.respect_dnt,
        }
    }

    /// The page that a path counts as: that of the first group that it falls into, or itself, redacted.
    #[must_use]
    pub fn page_of(&self, path: &str) -> String {
        if self.url_groups.is_empty() {
            return redacted_path(path);
        }
        let places = Places::of(path);
        let group = self
            .url_groups
            .iter()
            .find(|group| places.fit(&path_pattern(&group.pattern)));
        group.map_or_else(|| redacted_path(path), |group| group.label.clone())
    }
}

const PATH: &str = "a path that begins with a slash, 1 to 200 characters";

fn list(faults: &mut Faults, member: &str, entries: &[String], is_sound: fn(&str) -> bool, should: &str) {
    if entries.len() > MOST_ENTRIES {
        faults.add(member, format!("at most {MOST_ENTRIES} entries"));
    }
    faults.within(member, |faults| {
        for (place, entry) in entries.iter().enumerate() {
            if !is_sound(entry) {
                faults.add(place, should);
            }
        }
    });
}

fn is_short(text: &str) -> bool {
    (1..=MOST_OF_ENTRY).contains(&text.chars().count()) && !text.chars().any(char::is_control)
}

fn is_name(text: &str) -> bool {
    is_short(text) && !text.contains(|c: char| c.is_whitespace() || matches!(c, '&' | '=' | '#'))
}

fn is_path(text: &str) -> bool {
    is_short(text) && text.starts_with('/')
}

fn is_country(text: &str) -> bool {
    text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// The settings of a site, with when they last changed.
#[derive(Clone, Debug, PartialEq)]
pub struct VitalsSite {
    /// The settings that are in force.
    pub settings: VitalsSettings,
    /// When they last changed.
    pub updated_at: OffsetDateTime,
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn the_first_group_that_fits_names_the_page() {
        let group = |pattern: &str, label: &str| UrlGroup {
            pattern: pattern.to_owned(),
            label: label.to_owned(),
        };
        let settings = VitalsSettings {
            url_groups: vec![
                group("/p/new", "/p/new"),
                group("/p/*", "/p/:product"),
                group("/süße sachen/*", "/süße sachen/:sache"),
            ],
            ..VitalsSettings::default()
        };
        // As browsers write it.
        assert_eq!(
            settings.page_of("/s%C3%BC%C3%9Fe%20sachen/1"),
            "/süße sachen/:sache"
        );
        assert_eq!(settings.page_of("/p/new"), "/p/new");
        assert_eq!(settings.page_of("/p/1"), "/p/:product");
        assert_eq!(settings.page_of("/u/ada@shop.example"), "/u/[redacted]");
    }

    /// A hundred are as many as a site may have, and no path is longer.
    #[test]
    fn a_view_is_held_against_a_hundred_groups_in_no_time() {
        let group = UrlGroup {
            pattern: format!("/**{}q", "a**b**".repeat(32)),
            label: "/x".to_owned(),
        };
        let settings = VitalsSettings {
            url_groups: vec![group; MOST_ENTRIES],
            ..VitalsSettings::default()
        };
        assert!(settings.clone().checked().is_ok());
        let path = format!("/{}", "ab".repeat(511));
        let begun = Instant::now();
        assert!((0..50).all(|_| settings.page_of(&path) != "/x"));
        assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    }

    #[test]
    fn every_fault_is_named() {
        let faults = VitalsSettings {
            sample_rate: f64::NAN,
            excluded_countries: vec!["DE".to_owned(), "de".to_owned()],
            excluded_paths: vec!["admin".to_owned()],
            ignored_query_params: vec!["a b".to_owned()],
            url_groups: vec![UrlGroup {
                pattern: String::new(),
                label: "/x".to_owned(),
            }],
            ..VitalsSettings::default()
        }
        .checked()
        .unwrap_err();
        let pointers: Vec<_> = faults.iter().map(|fault| fault.pointer.as_str()).collect();
        let wanted = [
            "/sample_rate",
            "/ignored_query_params/0",
            "/excluded_paths/0",
            "/excluded_countries/1",
            "/url_groups/0/pattern",
        ];
        assert_eq!(pointers, wanted);
        assert!(VitalsSettings::default().checked().is_ok());
    }
}
