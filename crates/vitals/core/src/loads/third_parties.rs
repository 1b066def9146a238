//! Third parties.

use pharos_domain::timestamp::Timestamp;
use serde::{Deserialize, Serialize};

use crate::providers::{ProviderCategory, provider_of, site_of};

/// The resources of one provider that views loaded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumThirdPartyFigures))]
pub struct ThirdParty {
    /// The provider; where Pharos knows none, the site that its hosts belong to.
    pub provider: String,
    /// The purpose that the provider serves.
    pub category: ProviderCategory,
    /// Its hosts, the most frequent first: 20 at most.
    #[cfg_attr(feature = "openapi", schema(max_items = 20))]
    pub hosts: Vec<String>,
    /// How many resources of it were loaded.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub requests: u64,
    /// On how many pages.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub pages_count: u64,
    /// The share of views that loaded some, in all views; null without a view.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub share_of_views_pct: Option<f64>,
    /// The bytes on the network in all; null where it lets no page know them.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub transfer_bytes: Option<u64>,
    /// The 75th percentile of how long a resource took, in milliseconds; null without any.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub p75_duration_ms: Option<f64>,
    /// How many of its resources a page waited for before it was shown.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub render_blocking_requests: u64,
    /// How long the animation frames took in which its scripts ran, in milliseconds; null where no browser tells.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub long_task_ms: Option<f64>,
    /// How long its scripts ran within long animation frames, in milliseconds; null where no browser tells.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub script_duration_ms: Option<f64>,
    /// How many errors its scripts had.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub error_count: u64,
    /// When the first view of the window began that loaded some.
    pub first_seen_at: Timestamp,
}

/// Whom a host of a third party belongs to: the provider that Pharos knows, or the site above it.
#[must_use]
pub fn party_of(host: &str) -> (&str, ProviderCategory) {
    match provider_of(host) {
        Some(provider) => (provider.name, provider.category),
        None => (site_of(host), ProviderCategory::Other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_one_site_are_one_party() {
        assert_eq!(
            party_of("a.b.other.co.uk"),
            ("other.co.uk", ProviderCategory::Other)
        );
        assert_eq!(
            party_of("www.googletagmanager.com"),
            ("Google Tag Manager", ProviderCategory::TagManager)
        );
        assert_eq!(party_of("localhost"), ("localhost", ProviderCategory::Other));
        // Two numbers of the network are two sites, though both end alike.
        for host in ["10.0.1.2", "10.9.1.2"] {
            assert_eq!(party_of(host), (host, ProviderCategory::Other));
        }
    }
}
