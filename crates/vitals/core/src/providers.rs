//! Who is behind the host of a third party, by the list of the project third-party-web.

use std::{collections::HashMap, sync::LazyLock};

use pharos_domain::wire_enum;

/// Lines of name, category and hosts.
const LIST: &str = include_str!("../data/providers.txt");

static PROVIDERS: LazyLock<HashMap<&'static str, Provider>> = LazyLock::new(|| {
    let mut providers = HashMap::new();
    for line in LIST.lines() {
        let mut columns = line.split('\t');
        let (Some(name), Some(category), Some(hosts)) = (columns.next(), columns.next(), columns.next())
        else {
            continue;
        };
        let category = category_of(category);
        providers.extend(hosts.split(' ').map(|host| (host, Provider { name, category })));
    }
    providers
});

wire_enum! {
    /// The purpose of a third party.
    ProviderCategory as "RumProviderCategory" {
        /// Advertising.
        Ad = "ad",
        /// Measuring visits.
        Analytics = "analytics",
        /// Serving files of many.
        Cdn = "cdn",
        /// Content, such as articles and maps.
        Content = "content",
        /// Chat, support, feedback.
        CustomerSuccess = "customer_success",
        /// Hosting of sites.
        Hosting = "hosting",
        /// Forms, mail, sales.
        Marketing = "marketing",
        /// Social networks.
        Social = "social",
        /// Managers of tags.
        TagManager = "tag_manager",
        /// Tools for developers, fonts.
        Utility = "utility",
        /// Players of video.
        Video = "video",
        /// Consent to cookies.
        Consent = "consent",
        /// Anything else.
        Other = "other",
    }
}

/// Somebody whose files many sites load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Provider {
    /// The name, such as `Google Analytics`.
    pub name: &'static str,
    /// The purpose that it serves.
    pub category: ProviderCategory,
}

fn category_of(word: &str) -> ProviderCategory {
    match word {
        "consent-provider" => ProviderCategory::Consent,
        word => word.replace('-', "_").parse().unwrap_or(ProviderCategory::Other),
    }
}

/// Who is behind a host, in lower case; `None` for nobody that the list knows.
#[must_use]
pub fn provider_of(host: &str) -> Option<Provider> {
    if let Some(provider) = PROVIDERS.get(host) {
        return Some(*provider);
    }
    let above = std::iter::successors(Some(host), |host| host.split_once('.').map(|(_, rest)| rest));
    above
        .filter_map(|host| PROVIDERS.get(format!("*.{host}").as_str()))
        .next()
        .copied()
}

/// The host of an address.
#[must_use]
pub fn host_of(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split(['/', ':']).next().unwrap_or_default()
}

/// Whether an address is of another site than a host's. Hosts of one registrable domain are of one site: `static.shop.example` is
/// of that of `app.shop.example`, while two names below `github.io` are of two.
#[must_use]
pub fn is_third_party(address: &str, host: &str) -> bool {
    let Some(other) = address
        .split("://")
        .nth(1)
        .and_then(|rest| rest.split(['/', ':']).next())
    else {
        return false;
    };
    site_of(other) != site_of(host.strip_prefix("www.").unwrap_or(host))
}

/// The registrable domain of a host; the host itself where it has none, as a number of the network.
pub(crate) fn site_of(host: &str) -> &str {
    if host.parse::<std::net::Ipv4Addr>().is_ok() {
        return host;
    }
    psl::domain_str(host).unwrap_or(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_list_is_read() {
        assert!(LIST.lines().all(|line| line.split('\t').count() == 3));
        let unknown = LIST
            .lines()
            .filter_map(|line| line.split('\t').nth(1))
            .find(|word| category_of(word) == ProviderCategory::Other && *word != "other");
        assert_eq!(unknown, None);
    }

    #[test]
    fn well_known_hosts_have_a_provider() {
        let known = |host| provider_of(host).map(|provider| (provider.name, provider.category));
        assert_eq!(
            known("www.googletagmanager.com"),
            Some(("Google Tag Manager", ProviderCategory::TagManager))
        );
        assert_eq!(
            known("fonts.gstatic.com"),
            Some(("Google Fonts", ProviderCategory::Cdn))
        );
        assert_eq!(known("shop.example"), None);
        assert_eq!(known(""), None);
    }

    #[test]
    fn the_host_of_an_address_is_read() {
        for (address, host) in [
            ("https://cdn.example:8443/a.js", "cdn.example"),
            ("https://cdn.example", "cdn.example"),
            ("cdn.example/a", "cdn.example"),
        ] {
            assert_eq!(host_of(address), host);
        }
    }

    #[test]
    fn scripts_of_other_sites_are_told_apart() {
        for own in ["https://shop.example/a.js", "https://cdn.shop.example/a.js"] {
            assert!(!is_third_party(own, "www.shop.example"));
        }
        assert!(is_third_party("https://eshop.example/a.js", "shop.example"));
        assert!(!is_third_party(
            "https://static.shop.example/a.js",
            "app.shop.example"
        ));
        assert!(is_third_party("https://ada.github.io/a.js", "bob.github.io"));
        assert!(!is_third_party("https://ada.github.io/a.js", "ada.github.io"));
        assert!(is_third_party("http://10.0.1.2/a.js", "10.9.1.2"));
    }
}
