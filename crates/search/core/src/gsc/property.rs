//! The property of Search Console that a domain is linked to.

use async_trait::async_trait;
use pharos_domain::{identity::DomainAccess, ids::UserId, store::StoreError, wire_enum};
use time::{Date, Duration, OffsetDateTime};

use super::{figures::SearchType, pacific, reach::Reach};

/// How far back the upstream's data reach: 16 months.
pub(super) const HISTORY: Duration = Duration::days(486);

wire_enum! {
    /// The part of a site that a property covers.
    PropertyType as "SearchPropertyType" {
        /// All of a domain: every host below it, by http and https.
        Domain = "domain",
        /// The URLs that begin with one URL.
        UrlPrefix = "url_prefix",
    }
}

wire_enum! {
    /// The linked account's permission for the property.
    Permission as "SearchPermission" {
        /// It owns the property.
        Owner = "owner",
        /// It sees all data.
        FullUser = "full_user",
        /// It sees most data.
        RestrictedUser = "restricted_user",
        /// It has not proved that the site is its own, and sees nothing.
        UnverifiedUser = "unverified_user",
    }
}

wire_enum! {
    /// Whether data come in.
    PropertyStatus {
        /// They do.
        Connected = "connected",
        /// The account's consent was revoked or has expired: somebody has to link it again.
        ReauthorizationRequired = "reauthorization_required",
        /// The account may not read the property any more.
        PermissionLost = "permission_lost",
        /// It was linked and nothing was imported yet.
        Pending = "pending",
    }
}

wire_enum! {
    /// How an import ended.
    SyncStatus as "SearchSyncStatus" {
        /// Every day that was asked for was imported.
        Succeeded = "succeeded",
        /// Some of them were.
        Partial = "partial",
        /// None was.
        Failed = "failed",
    }
}

/// A domain's property. Days are the upstream's, in Pacific time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name at the upstream: `sc-domain:ada.example` or `https://ada.example/`.
    pub site_url: String,
    /// The account's permission for it.
    pub permission: Permission,
    /// Whether data come in.
    pub status: PropertyStatus,
    /// When it was linked.
    pub linked_at: OffsetDateTime,
    /// Who linked it; `None`: the command line.
    pub linked_by: Option<UserId>,
    /// When the last import ended.
    pub last_sync_at: Option<OffsetDateTime>,
    /// How it ended.
    pub last_sync_status: Option<SyncStatus>,
    /// Why not all was imported last, for people; `None`: all was.
    pub last_failure: Option<String>,
    /// The newest day whose figures are final.
    pub data_through: Option<Date>,
    /// The newest day that has figures which may still change.
    pub provisional_through: Option<Date>,
    /// The first day that the upstream calls incomplete.
    pub first_incomplete_date: Option<Date>,
    /// The first hour that the upstream calls incomplete.
    pub first_incomplete_hour: Option<OffsetDateTime>,
    /// The days of each search type that were imported.
    pub reach: Reach,
    /// The search types that are imported.
    pub search_types: Vec<SearchType>,
}

impl Property {
    /// The part of a site that it covers.
    #[must_use]
    pub fn property_type(&self) -> PropertyType {
        if self.site_url.starts_with(DOMAIN_PREFIX) {
            PropertyType::Domain
        } else {
            PropertyType::UrlPrefix
        }
    }

    /// Its name for people: `ada.example` or `https://ada.example/`.
    #[must_use]
    pub fn site_label(&self) -> &str {
        self.site_url
            .strip_prefix(DOMAIN_PREFIX)
            .unwrap_or(&self.site_url)
    }

    /// The day from which on every search type is imported that has begun to be; `None` before the first import.
    #[must_use]
    pub fn imported_from(&self) -> Option<Date> {
        let tracked = self.search_types.iter();
        let oldest = tracked.filter_map(|search_type| self.reach.oldest(*search_type));
        oldest.max()
    }

    /// How much of the past is imported, in whole percent of the days that the upstream had when the property was linked, those of
    /// all search types together; `None` before the first import.
    #[must_use]
    pub fn imported_percent(&self) -> Option<i64> {
        let newest = self.data_through?;
        let oldest = pacific::day(self.linked_at) - HISTORY;
        let days = |from: Date| (newest - from).whole_days() + 1;
        let wanted = days(oldest).max(1);
        let begun = self.search_types.iter();
        let begun: Vec<Date> = begun
            .filter_map(|search_type| self.reach.oldest(*search_type))
            .collect();
        if begun.is_empty() {
            return None;
        }
        // A property that was linked long ago has more days by now than it had then, and a type that was added a moment ago may have
        // none that is final.
        let imported: i64 = begun.into_iter().map(|from| days(from).clamp(0, wanted)).sum();
        let types = i64::try_from(self.search_types.len()).unwrap_or(i64::MAX);
        Some(100 * imported / wanted.saturating_mul(types))
    }
}

/// How names of properties begin that cover a domain.
pub const DOMAIN_PREFIX: &str = "sc-domain:";

/// Reads what domains are linked to.
#[async_trait]
pub trait PropertyStore: Send + Sync {
    /// The property of a domain; `None`: it is not linked.
    async fn property(&self, domain: &DomainAccess) -> Result<Option<Property>, StoreError>;
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use time::macros::{date, datetime};

    use super::*;

    /// Linked on 31 March 2026: 486 days before that is 30 November 2024, and the days up to 28 March 2026 are 484.
    #[test]
    fn the_past_is_told_in_percent_of_the_days_that_there_were() {
        let property = |from: Option<Date>, data_through| Property {
            site_url: "sc-domain:shop.example".to_owned(),
            permission: Permission::Owner,
            status: PropertyStatus::Connected,
            linked_at: datetime!(2026-03-31 10:00 UTC),
            linked_by: None,
            last_sync_at: None,
            last_sync_status: None,
            last_failure: None,
            data_through,
            provisional_through: None,
            first_incomplete_date: None,
            first_incomplete_hour: None,
            reach: Reach {
                reached: from.map(|from| (SearchType::Web, from)).into_iter().collect(),
                ..Reach::default()
            },
            search_types: vec![SearchType::Web],
        };
        let through = Some(date!(2026 - 03 - 28));
        for (from, through, want) in [
            (None, None, None),
            (None, through, None),
            (Some(date!(2026 - 03 - 19)), through, Some(2)),
            (Some(date!(2025 - 07 - 30)), through, Some(50)),
            (Some(date!(2024 - 12 - 01)), through, Some(99)),
            (Some(date!(2024 - 11 - 30)), through, Some(100)),
            (Some(date!(2024 - 01 - 01)), through, Some(100)),
        ] {
            assert_eq!(property(from, through).imported_percent(), want, "{from:?}");
        }
        // Days of all types count. News is not imported any more.
        let half = date!(2025 - 07 - 30);
        let going_on = Property {
            search_types: vec![SearchType::Web, SearchType::Image],
            reach: Reach {
                reached: BTreeMap::from([
                    (SearchType::Web, date!(2024 - 11 - 30)),
                    (SearchType::Image, half),
                    (SearchType::News, date!(2026 - 03 - 01)),
                ]),
                ..Reach::default()
            },
            ..property(Some(date!(2026 - 03 - 19)), through)
        };
        assert_eq!(going_on.imported_from(), Some(half));
        assert_eq!(going_on.imported_percent(), Some(75), "484 and 242 of twice 484");
        // One that was put back in a moment ago, and has no final day yet, does not take away what the others have.
        let put_back = Property {
            search_types: vec![
                SearchType::Web,
                SearchType::Image,
                SearchType::Video,
                SearchType::Discover,
            ],
            reach: Reach {
                reached: BTreeMap::from([
                    (SearchType::Web, date!(2024 - 11 - 30)),
                    (SearchType::Image, date!(2024 - 11 - 30)),
                    (SearchType::Discover, date!(2026 - 03 - 30)),
                ]),
                ..Reach::default()
            },
            ..going_on.clone()
        };
        assert_eq!(put_back.imported_percent(), Some(50), "two of four types");
        let others = Property {
            search_types: vec![SearchType::Video],
            ..going_on
        };
        assert_eq!(
            others.imported_from(),
            None,
            "nothing of the new type is imported"
        );
    }
}
