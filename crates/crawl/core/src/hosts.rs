//! Further hosts of a domain: their robots.txt and their sitemaps are watched beside those of its site.

use async_trait::async_trait;
use pharos_domain::{
    credits::Charged,
    hostname::Hostname,
    identity::DomainAccess,
    ids::DomainId,
    settings::{ChangeError, SettingFault},
    store::StoreError,
};
use time::OffsetDateTime;
use url::Url;

use crate::robots::{
    monitor::{
        complete::{Known, settle},
        fetch::Fetched,
        site::{effective, named},
    },
    outcome::RobotsState,
};

/// How many a domain lists at most.
pub const MOST_HOSTS: usize = 10;

/// A host that a domain lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedHost {
    /// Scheme, host and port: a robots.txt speaks for one of each.
    pub origin: String,
    /// Its robots.txt; `None`: it was not fetched yet.
    pub robots: Option<HostRobots>,
}

/// The robots.txt of a host, as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostRobots {
    /// How it stood at the last fetch.
    pub state: RobotsState,
    /// When that began.
    pub checked_at: OffsetDateTime,
    /// The sitemaps that the last good fetch named.
    pub sitemaps: Vec<String>,
}

/// The result of a fetch of a host's robots.txt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenHost {
    /// How it stands.
    pub state: RobotsState,
    /// When the fetch began.
    pub checked_at: OffsetDateTime,
    /// The sitemaps that it names; `None`: the fetch failed, and those that are known stand.
    pub sitemaps: Option<Vec<String>>,
}

impl SeenHost {
    /// Reads the result from a fetch.
    #[must_use]
    pub fn of(fetched: &Fetched) -> Self {
        let settled = settle(&Known::default(), fetched, fetched.fetched_at);
        let state = settled.state;
        let content = settled
            .good
            .map(|good| good.version.and_then(|version| version.content));
        let sitemaps = content.map(|content| {
            let urls = named(effective(state, content.as_deref()));
            urls.into_iter().map(String::from).collect()
        });
        Self {
            state,
            checked_at: fetched.fetched_at,
            sitemaps,
        }
    }
}

/// Reads a host on the domain or below it, which may be written without a scheme. The error says what is wrong with it.
///
/// # Errors
/// It is none, or lies elsewhere.
pub fn origin(written: &str, hostname: &Hostname) -> Result<String, String> {
    let url = if written.contains("://") {
        Url::parse(written)
    } else {
        Url::parse(&format!("https://{written}"))
    };
    let url = url.map_err(|error| format!("{written} is no host: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("{written} is neither http nor https"));
    }
    if !url.host_str().is_some_and(|host| hostname.covers(host)) {
        return Err(format!("{written} does not lie on {hostname} or below it"));
    }
    Ok(url.origin().ascii_serialization())
}

/// A pure function from the origins of the hosts that a domain lists to those that it will list. The store calls it in the
/// transaction of the change.
pub type HostsChange<'a> = dyn Fn(&[String]) -> Result<Vec<String>, Vec<SettingFault>> + Send + Sync + 'a;

/// Which hosts domains list, and what is known of them.
#[async_trait]
pub trait HostStore: Send + Sync {
    /// The hosts that a domain lists, in their order.
    async fn of(&self, domain: DomainId) -> Result<Vec<ListedHost>, StoreError>;

    /// Changes which hosts the domain lists by a function of those that it lists at that time: nobody else changes them meanwhile.
    /// Hosts that are listed already keep their state.
    async fn change(
        &self,
        domain: &Charged<DomainAccess>,
        change: &HostsChange<'_>,
    ) -> Result<(), ChangeError>;

    /// Records a fetch. Nothing is kept if the host is no longer listed.
    async fn saw(&self, domain: DomainId, origin: &str, seen: &SeenHost) -> Result<(), StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_lies_on_the_domain() {
        let hostname: Hostname = "shop.example".parse().unwrap();
        let of = |written| origin(written, &hostname);
        assert_eq!(of("www.shop.example").as_deref(), Ok("https://www.shop.example"));
        assert_eq!(
            of("http://shop.example:8080/a?b=c").as_deref(),
            Ok("http://shop.example:8080")
        );
        for elsewhere in [
            "other.example",
            "ftp://shop.example",
            "https://",
            "10.0.0.1",
            "notshop.example",
        ] {
            assert!(of(elsewhere).is_err(), "{elsewhere}");
        }
    }
}
