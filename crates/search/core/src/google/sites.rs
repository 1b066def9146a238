//! The properties that an account may see.

use serde::Deserialize;
use serde_json::Value;
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
    /// Each is read by itself, so that one that can't be read spoils no other.
    #[serde(default)]
    site_entry: Vec<Value>,
}

impl GoogleClient {
    /// The properties that the account may see. Google spells permissions in two ways; properties without one are left out, and
    /// so are those without a name.
    ///
    /// # Errors
    /// Why there is no answer.
    pub async fn sites(&self, account: &Account, now: OffsetDateTime) -> Result<Vec<Site>, GoogleError> {
        let sites: Sites = self.get(account, &["webmasters", "v3", "sites"], now).await?;
        Ok(read(&sites))
    }
}

fn read(sites: &Sites) -> Vec<Site> {
    let entries = sites.site_entry.iter().take(MOST_SITES);
    entries.filter_map(site).collect()
}

fn site(entry: &Value) -> Option<Site> {
    Some(Site {
        permission: permission(entry["permissionLevel"].as_str()?)?,
        site_url: entry["siteUrl"].as_str()?.to_owned(),
    })
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
    use serde_json::json;

    use super::*;

    #[test]
    fn a_property_that_nobody_can_read_hides_no_other() {
        let good = json!({ "siteUrl": "sc-domain:ada.example", "permissionLevel": "siteOwner" });
        let unnamed = json!({ "permissionLevel": "siteOwner" });
        let odd = json!({ "siteUrl": 7, "permissionLevel": "siteOwner" });
        let answer = json!({ "siteEntry": [unnamed, odd, null, good] });
        let sites = read(&serde_json::from_value(answer).unwrap());
        let names: Vec<&str> = sites.iter().map(|site| site.site_url.as_str()).collect();
        assert_eq!(names, ["sc-domain:ada.example"]);
    }

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
