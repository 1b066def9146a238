//! The property of Search Console that a domain is linked to.

use std::collections::BTreeMap;

use async_trait::async_trait;
use pharos_domain::{identity::DomainAccess, ids::UserId, store::StoreError, wire_enum};
use time::{Date, OffsetDateTime};

use super::figures::SearchType;

wire_enum! {
    /// What a property covers.
    PropertyType as "SearchPropertyType" {
        /// All of a domain: every host below it, by http and https.
        Domain = "domain",
        /// What begins with a URL.
        UrlPrefix = "url_prefix",
    }
}

wire_enum! {
    /// What the linked account may do with the property.
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
    /// What the account may do with it.
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
    /// The newest day whose figures are final.
    pub data_through: Option<Date>,
    /// The newest day that has figures which may still change.
    pub provisional_through: Option<Date>,
    /// The first day that the upstream calls incomplete.
    pub first_incomplete_date: Option<Date>,
    /// The first hour that the upstream calls incomplete.
    pub first_incomplete_hour: Option<OffsetDateTime>,
    /// The oldest day that was imported of every search type.
    pub backfill_from: Option<Date>,
    /// The oldest day of each search type, as far as it is known.
    pub reached: BTreeMap<SearchType, Date>,
    /// The search types that are imported.
    pub search_types: Vec<SearchType>,
}

impl Property {
    /// What it covers.
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
}

/// Whose days the upstream's are.
pub const SOURCE_TIMEZONE: &str = "America/Los_Angeles";

/// How names of properties begin that cover a domain.
pub const DOMAIN_PREFIX: &str = "sc-domain:";

/// Reads what domains are linked to.
#[async_trait]
pub trait PropertyStore: Send + Sync {
    /// The property of a domain; `None`: it is not linked.
    async fn property(&self, domain: &DomainAccess) -> Result<Option<Property>, StoreError>;
}
