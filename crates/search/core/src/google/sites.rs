//! The properties that an account may see.

use serde::Deserialize;
use time::OffsetDateTime;

use super::{account::Account, client::GoogleClient, error::GoogleError};
use crate::gsc::property::Permission;

/// How many properties are read, at most. An account has 1,000.
const MOST_SITES: usize = 2_000;

/// A property of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Its name: `sc-domain:ada.example` or `https://ada.example/`.
    pub site_url: String,
    /// The account's permission for it.
    pub permission: Permission,
}

/// The answer (`SitesListResponse`).
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sites {
    #[serde(default)]
    site_entry: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    site_url: String,
    permission_level: Option<String>,
}

impl GoogleClient {
    /// The properties that the account may see. Google spells permissions in two ways; properties without one are left out.
    ///
    /// # Errors
    /// Why there is no answer.
    pub async fn sites(&self, account: &Account, now: OffsetDateTime) -> Result<Vec<Site>, GoogleError> {
        let sites: Sites = self.get(account, &["webmasters", "v3", "sites"], now).await?;
        let entries = sites.site_entry.into_iter().take(MOST_SITES);
        Ok(entries
            .filter_map(|entry| {
                Some(Site {
                    permission: permission(entry.permission_level.as_deref()?)?,
                    site_url: entry.site_url,
                })
            })
            .collect())
    }
}

fn permission(level: &str) -> Option<Permission> {
    match level.replace('_', "").to_ascii_lowercase().as_str() {
        "siteowner" => Some(Permission::Owner),
        "sitefulluser" => Some(Permission::FullUser),
        "siterestricteduser" => Some(Permission::RestrictedUser),
        "siteunverifieduser" => Some(Permission::UnverifiedUser),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permissions_are_read_in_either_spelling() {
        for (guide, described, want) in [
            ("siteOwner", "SITE_OWNER", Permission::Owner),
            ("siteFullUser", "SITE_FULL_USER", Permission::FullUser),
            (
                "siteRestrictedUser",
                "SITE_RESTRICTED_USER",
                Permission::RestrictedUser,
            ),
            (
                "siteUnverifiedUser",
                "SITE_UNVERIFIED_USER",
                Permission::UnverifiedUser,
            ),
        ] {
            assert_eq!(permission(guide), Some(want));
            assert_eq!(permission(described), Some(want));
        }
        assert_eq!(permission("SITE_PERMISSION_LEVEL_UNSPECIFIED"), None);
    }
}
