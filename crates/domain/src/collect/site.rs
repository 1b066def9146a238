//! The settings of collection that a site's owner chose.

use async_trait::async_trait;
use time::OffsetDateTime;

use crate::{hostname::Hostname, identity::DomainAccess, ids::DomainId, store::StoreError};

/// The public name of a site in its pages: `pst_` and 22 letters and digits. It is no secret.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SiteKey(pub String);

impl SiteKey {
    /// The tag by which pages of the site load the script of the Pharos at this address.
    #[must_use]
    pub fn script_tag(&self, base_url: &str) -> String {
        format!(r#"<script defer src="{base_url}/js/{}.js"></script>"#, self.0)
    }
}

/// A site, as collection knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The domain that beacons of the site count for.
    pub domain: DomainId,
    /// Its name. Beacons of its pages, and of pages on hosts below it, are accepted.
    pub hostname: Hostname,
    /// The key that its beacons bear.
    pub key: SiteKey,
}

/// Knows the keys of sites.
#[async_trait]
pub trait SiteKeys: Send + Sync {
    /// The key of the domain. The first call makes it.
    async fn of(&self, domain: &DomainAccess) -> Result<SiteKey, StoreError>;
}

/// Switches the collection of `T` on for a site that Pharos itself brings, such as the demo, without a charge.
#[async_trait]
pub trait CollectionSwitch<T>: Send + Sync {
    /// Switches it on with the default settings; a site that has settings keeps them.
    async fn switch_on(&self, domain: DomainId, now: OffsetDateTime) -> Result<(), StoreError>;
}

/// The settings by which a module stores a site's beacons. Members that the module lacks are empty.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectionSettings {
    /// Hosts whose pages may send beacons, beside the domain and hosts below it.
    pub allowed_hosts: Vec<String>,
    /// Paths of which nothing is stored; `*` stands for any text.
    pub excluded_paths: Vec<String>,
    /// Networks of which nothing is stored.
    pub excluded_networks: Vec<ipnet::IpNet>,
    /// Countries of which nothing is stored, ISO 3166-1 alpha-2.
    pub excluded_countries: Vec<String>,
    /// Names of the query that are taken out of addresses.
    pub excluded_query_params: Vec<String>,
    /// Names of the query that carry a search of the site.
    pub search_params: Vec<String>,
    /// Extensions of files whose links count as downloads, in lower case.
    pub download_extensions: Vec<String>,
    /// Whether titles of pages are stored.
    pub store_page_titles: bool,
    /// Whether terms of searches are stored.
    pub store_search_terms: bool,
    /// Which share of page loads is measured, from 0 to 1.
    pub sample_rate: f64,
    /// Whether the tracker says what caused a value.
    pub attribution: bool,
    /// Whether the tracker reports resources and requests.
    pub resources: bool,
    /// Whether the tracker reports errors.
    pub errors: bool,
    /// Whether route changes within a page count as loads of their own.
    pub soft_navigations: bool,
    /// Whether browsers that ask not to be tracked are left alone; collection takes what real-user monitoring says, where that is on.
    pub respect_dnt: bool,
}
