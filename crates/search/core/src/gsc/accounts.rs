//! The accounts of workspaces, and linking properties.

use async_trait::async_trait;
use pharos_domain::{
    audit::Actor,
    hostname::Hostname,
    ids::{DomainId, SearchAccountId, UserId, WorkspaceId},
    store::StoreError,
};
use thiserror::Error;
use time::OffsetDateTime;
use url::Url;

use super::property::{DOMAIN_PREFIX, Permission};
use crate::google::{
    account::{Account, AccountKind, Credentials},
    sites::Site,
};

/// How many accounts a workspace may have.
pub const MOST_ACCOUNTS: usize = 50;

/// An account, as it is listed: without what it proves with who it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountSummary {
    /// The id by which domains are linked to it.
    pub id: SearchAccountId,
    /// How it proves who it is.
    pub kind: AccountKind,
    /// Its name for people: an address.
    pub label: String,
    /// When it was added.
    pub created_at: OffsetDateTime,
    /// Who consented; `None`: whoever runs Pharos added it.
    pub given_by: Option<UserId>,
    /// The domains whose property it reads.
    pub domains: Vec<DomainId>,
}

/// An account that is added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAccount {
    /// The workspace whose domains it may be linked to.
    pub workspace: WorkspaceId,
    /// Its name for people: an address.
    pub label: String,
    /// The credentials that Google knows it by.
    pub credentials: Credentials,
    /// Who consented; `None`: the command line.
    pub created_by: Option<UserId>,
}

/// A link of a domain to a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLink {
    /// The domain that is linked.
    pub domain: DomainId,
    /// The account that reads the property.
    pub account: SearchAccountId,
    /// The property's name at the upstream.
    pub site_url: String,
    /// The account's permission for it.
    pub permission: Permission,
    /// Who links it; `None`: the command line.
    pub linked_by: Option<UserId>,
}

/// Why a link or an account was not changed.
#[derive(Debug, Error)]
pub enum LinkError {
    /// There is no such thing.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// The account is another workspace's.
    #[error("the account belongs to another workspace than the domain")]
    Foreign,
    /// Who consented is no member of the workspace any more.
    #[error("who consented for the account is no member of the workspace any more; connect another account")]
    GiverLeft,
    /// The account still reads a property.
    #[error("the account still reads the property of a domain; unlink that first")]
    InUse,
    /// The workspace has enough of them.
    #[error("a workspace may have {MOST_ACCOUNTS} accounts")]
    TooMany,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Whether a property is one of this domain: it covers the domain or what lies below it, and nothing else.
#[must_use]
pub fn is_of(site_url: &str, hostname: &Hostname) -> bool {
    if let Some(name) = site_url.strip_prefix(DOMAIN_PREFIX) {
        return hostname.covers(name);
    }
    Url::parse(site_url).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(|host| hostname.covers(host))
    })
}

/// Why a domain can't be linked to a property.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unlinkable {
    /// It is one of another site.
    #[error("{property} is no property of {hostname} or of what lies below it")]
    OtherSite {
        /// The property.
        property: String,
        /// The domain.
        hostname: Hostname,
    },
    /// The account has no such property.
    #[error("{account} may not see {property}")]
    Unseen {
        /// The account's name for people.
        account: String,
        /// The property.
        property: String,
    },
    /// The account sees its name alone.
    #[error("{account} has not proved that {property} is its own, and sees nothing of it")]
    Unverified {
        /// The account's name for people.
        account: String,
        /// The property.
        property: String,
    },
}

/// An account's permission for a property of its `sites`, if the domain can be linked to that.
///
/// # Errors
/// Why it can't.
pub fn linkable(
    sites: &[Site],
    account: &str,
    property: &str,
    hostname: &Hostname,
) -> Result<Permission, Unlinkable> {
    let (account, property) = (account.to_owned(), property.to_owned());
    if !is_of(&property, hostname) {
        let hostname = hostname.clone();
        return Err(Unlinkable::OtherSite { property, hostname });
    }
    let site = sites.iter().find(|site| site.site_url == property);
    match site.map(|site| site.permission) {
        None => Err(Unlinkable::Unseen { account, property }),
        Some(Permission::UnverifiedUser) => Err(Unlinkable::Unverified { account, property }),
        Some(permission) => Ok(permission),
    }
}

/// Keeps accounts, and links domains.
#[async_trait]
pub trait AccountStore: Send + Sync {
    /// Adds an account.
    async fn add(
        &self,
        account: &NewAccount,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<SearchAccountId, LinkError>;

    /// Adds an account of which somebody has just consented. If the workspace has one of this name, that gets the new token and is
    /// theirs, and its properties whose consent was missing are due at once.
    async fn consent(
        &self,
        account: &NewAccount,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<SearchAccountId, LinkError>;

    /// The accounts of a workspace, the oldest first.
    async fn list(&self, workspace: WorkspaceId) -> Result<Vec<AccountSummary>, StoreError>;

    /// An account with what it proves with who it is.
    async fn find(&self, id: SearchAccountId) -> Result<Option<Account>, StoreError>;

    /// Forgets an account that reads no property.
    async fn remove(&self, id: SearchAccountId, actor: &Actor, now: OffsetDateTime) -> Result<(), LinkError>;

    /// The domain's name and workspace; `None`: there is none, or it was deleted.
    async fn domain(&self, id: DomainId) -> Result<Option<(Hostname, WorkspaceId)>, StoreError>;

    /// Links a domain, in the place of the property that it was linked to. Its import begins at once. By a consent it is linked only
    /// while who gave it is a member of the workspace.
    async fn link(&self, link: &NewLink, actor: &Actor, now: OffsetDateTime) -> Result<(), LinkError>;

    /// Unlinks a domain. Imported data stay.
    async fn unlink(&self, domain: DomainId, actor: &Actor, now: OffsetDateTime) -> Result<(), LinkError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_property_is_of_the_domain_or_below_it() {
        let hostname: Hostname = "shop.example".parse().unwrap();
        for (site_url, want) in [
            ("sc-domain:shop.example", true),
            ("sc-domain:www.shop.example", true),
            ("https://shop.example/", true),
            ("http://www.shop.example/de/", true),
            ("sc-domain:example", false),
            ("sc-domain:myshop.example", false),
            ("https://shop.example.evil.example/", false),
            ("ftp://shop.example/", false),
            ("shop.example", false),
        ] {
            assert_eq!(is_of(site_url, &hostname), want, "{site_url}");
        }
    }

    #[test]
    fn a_domain_is_linked_to_a_property_of_its_own_that_the_account_reads() {
        let hostname: Hostname = "shop.example".parse().unwrap();
        let sites = [
            ("sc-domain:shop.example", Permission::RestrictedUser),
            ("https://shop.example/", Permission::UnverifiedUser),
            ("sc-domain:other.example", Permission::Owner),
        ]
        .map(|(site_url, permission)| Site {
            site_url: site_url.to_owned(),
            permission,
        });
        let told = |property: &str| {
            let linkable = linkable(&sites, "ada@shop.example", property, &hostname);
            linkable.map_err(|why| why.to_string())
        };
        assert_eq!(told("sc-domain:shop.example"), Ok(Permission::RestrictedUser));
        for (property, why) in [
            (
                "https://shop.example/",
                "ada@shop.example has not proved that https://shop.example/ is its own, and sees nothing of it",
            ),
            (
                "sc-domain:www.shop.example",
                "ada@shop.example may not see sc-domain:www.shop.example",
            ),
            (
                "sc-domain:other.example",
                "sc-domain:other.example is no property of shop.example or of what lies below it",
            ),
        ] {
            assert_eq!(told(property), Err(why.to_owned()));
        }
    }
}
