//! The settings of analytics, which a site's owner makes.

use std::{net::IpAddr, ops::RangeInclusive};

use ipnet::IpNet;
use pharos_domain::{
    collect::site::CollectionSettings,
    ids::UserId,
    settings::{Faults, SettingFault},
};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::currency::is_currency;

/// How many entries a list may have.
pub const LIST_LENGTH: RangeInclusive<u32> = 0..=100;
/// How long an entry of a list may be, in characters.
pub const ENTRY_LENGTH: RangeInclusive<u32> = 1..=200;

/// The currency of a site that does not say.
const DEFAULT_CURRENCY: &str = "USD";
/// The names of the query that carry a search in most shops and blogs.
const SEARCH_PARAMS: [&str; 7] = ["q", "s", "search", "query", "keyword", "keywords", "term"];
/// Extensions of files that count as downloads, in lower case.
const DOWNLOAD_EXTENSIONS: [&str; 39] = [
    "pdf", "xlsx", "xls", "docx", "doc", "txt", "rtf", "csv", "exe", "key", "pps", "ppt", "pptx", "7z",
    "pkg", "rar", "gz", "zip", "avi", "mov", "mp4", "mpeg", "wmv", "midi", "mp3", "wav", "wma", "dmg", "iso",
    "msi", "apk", "deb", "rpm", "tar", "tgz", "epub", "odt", "ods", "odp",
];

/// The settings of a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalyticsSettings {
    /// Whether anything is stored at all.
    pub enabled: bool,
    /// The currency of the site's shop, ISO 4217.
    pub currency: String,
    /// Whether titles of pages are stored.
    pub store_page_titles: bool,
    /// Whether terms of searches are stored.
    pub store_search_terms: bool,
    /// Names of the query that carry a search of the site.
    pub search_params: Vec<String>,
    /// Extensions of files whose links count as downloads, in lower case.
    pub download_extensions: Vec<String>,
    /// Hosts whose pages may send beacons, beside the domain and what lies below it; `*.` before a host stands for all below that.
    pub allowed_hosts: Vec<String>,
    /// Paths of which nothing is stored; `*` stands for any text.
    pub excluded_paths: Vec<String>,
    /// Networks of which nothing is stored.
    pub excluded_ips: Vec<IpNet>,
    /// Names of the query that are taken out of addresses.
    pub excluded_query_params: Vec<String>,
}

impl Default for AnalyticsSettings {
    /// The settings of a site of which nobody has said anything, but that it is on.
    fn default() -> Self {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Self {
            enabled: true,
            currency: DEFAULT_CURRENCY.to_owned(),
            store_page_titles: true,
            store_search_terms: false,
            search_params: texts(&SEARCH_PARAMS),
            download_extensions: texts(&DOWNLOAD_EXTENSIONS),
            allowed_hosts: Vec::new(),
            excluded_paths: Vec::new(),
            excluded_ips: Vec::new(),
            excluded_query_params: Vec::new(),
        }
    }
}

impl AnalyticsSettings {
    /// Judges them, with other networks to leave out where `excluded_ips` has some.
    ///
    /// # Errors
    /// All faults, each with the pointer of its member.
    pub fn checked(mut self, excluded_ips: Option<&[String]>) -> Result<Self, Vec<SettingFault>> {
        let mut faults = Faults::default();
        if let Some(networks) = excluded_ips {
            self.excluded_ips = read_networks(networks, &mut faults);
        }
        if !is_currency(&self.currency) {
            faults.add(
                "currency",
                "the code of a currency in use (ISO 4217): three capital letters, such as EUR",
            );
        }
        let lists: [List<'_>; 5] = [
            ("search_params", &self.search_params, is_name, NAME),
            (
                "download_extensions",
                &self.download_extensions,
                is_extension,
                EXTENSION,
            ),
            ("allowed_hosts", &self.allowed_hosts, is_host, HOST),
            ("excluded_paths", &self.excluded_paths, is_path, PATH),
            (
                "excluded_query_params",
                &self.excluded_query_params,
                is_name,
                NAME,
            ),
        ];
        for (member, entries, is_sound, should) in lists {
            in_bounds(&mut faults, member, entries.len());
            faults.within(member, |faults| {
                for (place, entry) in entries.iter().enumerate() {
                    if !has_length(entry) || !is_sound(entry) {
                        faults.add(place, should);
                    }
                }
            });
        }
        faults.or(|| self)
    }

    /// The part of the settings that collection reads.
    #[must_use]
    pub fn for_collection(self) -> CollectionSettings {
        CollectionSettings {
            allowed_hosts: self.allowed_hosts,
            excluded_paths: self.excluded_paths,
            excluded_networks: self.excluded_ips,
            excluded_countries: Vec::new(),
            excluded_query_params: self.excluded_query_params,
            search_params: self.search_params,
            download_extensions: self.download_extensions,
            store_page_titles: self.store_page_titles,
            store_search_terms: self.store_search_terms,
            sample_rate: 1.0,
            attribution: false,
            resources: false,
            errors: false,
            soft_navigations: true,
            // It is a setting of real-user monitoring, which holds for visits where that is switched on.
            respect_dnt: false,
        }
    }
}

fn read_networks(networks: &[String], faults: &mut Faults) -> Vec<IpNet> {
    in_bounds(faults, "excluded_ips", networks.len());
    let mut read = Vec::new();
    faults.within("excluded_ips", |faults| {
        for (place, network) in networks.iter().enumerate() {
            let address = network.parse::<IpAddr>().map(IpNet::from);
            match network.parse::<IpNet>().or(address) {
                Ok(network) => read.push(network.trunc()),
                Err(_) => faults.add(place, NETWORK),
            }
        }
    });
    read
}

/// A member, its entries, whether one is sound, and what it should be.
type List<'a> = (&'a str, &'a [String], fn(&str) -> bool, &'a str);

const NAME: &str = "a name of the query, 1 to 200 characters without spaces, & and =";
const EXTENSION: &str = "an extension of 1 to 20 lower-case letters and digits, without the dot";
const HOST: &str = "a host such as shop.example, or *.shop.example for all below it, in lower case";
const NETWORK: &str = "an address, or a network in CIDR notation such as 192.0.2.0/24";
const PATH: &str = "a path that begins with a slash, 1 to 200 characters; * stands for any text";

fn in_bounds(faults: &mut Faults, member: &str, entries: usize) {
    if entries > *LIST_LENGTH.end() as usize {
        faults.add(member, format!("at most {} entries", LIST_LENGTH.end()));
    }
}

fn has_length(entry: &str) -> bool {
    u32::try_from(entry.chars().count()).is_ok_and(|length| ENTRY_LENGTH.contains(&length))
}

fn is_name(name: &str) -> bool {
    !name
        .chars()
        .any(|c| c.is_whitespace() || c.is_control() || matches!(c, '&' | '=' | '#'))
}

fn is_extension(extension: &str) -> bool {
    extension.len() <= 20
        && extension
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// Labels of RFC 1123 in lower case, the last one beginning with a letter, so that it is no address; after `*.` all hosts below.
fn is_host(host: &str) -> bool {
    let host = host.strip_prefix("*.").unwrap_or(host);
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    host.split('.').all(is_label) && last.starts_with(|first: char| first.is_ascii_lowercase())
}

fn is_path(path: &str) -> bool {
    path.starts_with('/') && !path.chars().any(char::is_control)
}

/// The settings of a site, with who said so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalyticsSite {
    /// The settings that are in force.
    pub settings: AnalyticsSettings,
    /// When they last changed.
    pub updated_at: OffsetDateTime,
    /// Who changed them; `None`: Pharos itself.
    pub updated_by: Option<UserId>,
    /// Whether ecommerce was ever recorded.
    pub has_commerce: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pointers(settings: AnalyticsSettings) -> Vec<String> {
        match settings.checked(Some(&["192.0.2.7".to_owned(), "here".to_owned()])) {
            Ok(_) => Vec::new(),
            Err(faults) => faults.into_iter().map(|fault| fault.pointer).collect(),
        }
    }

    #[test]
    fn defaults_are_sound() {
        assert_eq!(pointers(AnalyticsSettings::default()), ["/excluded_ips/1"]);
        assert!(AnalyticsSettings::default().checked(None).is_ok());
    }

    #[test]
    fn three_capital_letters_that_are_no_currency_are_refused() {
        let settings = AnalyticsSettings {
            currency: "ZZZ".to_owned(),
            ..AnalyticsSettings::default()
        };
        let faults = settings.checked(None).unwrap_err();
        assert_eq!(faults[0].pointer, "/currency");
    }

    #[test]
    fn each_fault_is_told_by_its_place() {
        let settings = AnalyticsSettings {
            currency: "eur".to_owned(),
            search_params: vec!["q".to_owned(), "a b".to_owned(), String::new()],
            download_extensions: vec![".pdf".to_owned()],
            allowed_hosts: [
                "shop.example",
                "https://shop.example",
                "*.cdn.example",
                "*",
                "a.*.example",
            ]
            .map(str::to_owned)
            .to_vec(),
            excluded_paths: vec!["admin".to_owned(), "/a\0".to_owned(), "/*".to_owned()],
            excluded_query_params: vec!["x".repeat(201); 101],
            ..AnalyticsSettings::default()
        };
        let found = pointers(settings);
        let expected = [
            "/excluded_ips/1",
            "/currency",
            "/search_params/1",
            "/search_params/2",
            "/download_extensions/0",
            "/allowed_hosts/1",
            "/allowed_hosts/3",
            "/allowed_hosts/4",
            "/excluded_paths/0",
            "/excluded_paths/1",
            "/excluded_query_params",
            "/excluded_query_params/0",
        ];
        assert_eq!(found[..expected.len()], expected);
    }
}
