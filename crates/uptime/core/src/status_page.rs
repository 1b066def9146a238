//! Status pages: what a workspace shows to everybody of some of its sites.

use std::str::FromStr;

use async_trait::async_trait;
use pharos_domain::{
    audit::Actor,
    identity::WorkspaceAccess,
    ids::{DomainId, StatusPageId, WorkspaceId},
    settings::{SettingFault, SettingsChange},
    store::StoreError,
};
use thiserror::Error;
use time::OffsetDateTime;

/// How many days of a site's past a status page shows.
pub const STATUS_DAYS: u16 = 90;
/// How many status pages a workspace can have.
pub const MOST_PAGES: usize = 50;
/// How many sites one can show.
pub const MOST_SITES: usize = 100;

/// The name of a status page in its address: 3 to 63 letters, digits and hyphens between them, lower case.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Slug(String);

/// The text can't be the name of a status page in its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("3 to 63 lower-case letters, digits and hyphens; a hyphen neither begins nor ends it")]
pub struct MalformedSlug;

impl FromStr for Slug {
    type Err = MalformedSlug;

    fn from_str(text: &str) -> Result<Self, MalformedSlug> {
        let is_known = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let is_good = (3..=63).contains(&text.len())
            && text.bytes().all(is_known)
            && !text.starts_with('-')
            && !text.ends_with('-');
        is_good.then(|| Self(text.to_owned())).ok_or(MalformedSlug)
    }
}

impl Slug {
    /// As it stands in the address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The settings of a status page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusPageSettings {
    /// Its name in its address. No two pages have the same.
    pub slug: Slug,
    /// The title that readers see.
    pub title: String,
    /// The sites that it shows, in their order.
    pub domains: Vec<DomainId>,
}

/// A status page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusPage {
    /// By which the console names it.
    pub id: StatusPageId,
    /// The settings that people gave it.
    pub settings: StatusPageSettings,
    /// When it was made.
    pub created_at: OffsetDateTime,
}

/// A status page as everybody sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicStatusPage {
    /// The workspace that shows it.
    pub workspace: WorkspaceId,
    /// The title that readers see.
    pub title: String,
    /// Its sites that are not deleted, in their order, with the names that people know them by.
    pub sites: Vec<(DomainId, String)>,
}

/// Why a status page was not stored.
#[derive(Debug, Error)]
pub enum StatusPageError {
    /// The workspace has no such page.
    #[error("there is no such status page")]
    NotFound,
    /// Another page has that address.
    #[error("another status page has this address; choose another")]
    Taken,
    /// The workspace has as many as it can have.
    #[error("a workspace has at most {MOST_PAGES} status pages")]
    TooMany,
    /// A site is none of the workspace's, or was deleted.
    #[error("a chosen domain is none of this workspace, or was deleted")]
    NoSuchDomain,
    /// The settings would not be in order.
    #[error("the settings of the status page have faults")]
    Faults(Vec<SettingFault>),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Keeps status pages. Every change writes its audit row in the same transaction.
#[async_trait]
pub trait StatusPageStore: Send + Sync {
    /// The pages of a workspace, the oldest first.
    async fn list(&self, workspace: &WorkspaceAccess) -> Result<Vec<StatusPage>, StoreError>;

    /// A page of the workspace.
    async fn find(
        &self,
        workspace: &WorkspaceAccess,
        id: StatusPageId,
    ) -> Result<Option<StatusPage>, StoreError>;

    /// The page of that address, for everybody.
    async fn public(&self, slug: &Slug) -> Result<Option<PublicStatusPage>, StoreError>;

    /// Makes a page.
    async fn create(
        &self,
        workspace: &WorkspaceAccess,
        settings: &StatusPageSettings,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<StatusPage, StatusPageError>;

    /// Changes a page by a function of its settings at that time: nobody else changes them meanwhile.
    async fn update(
        &self,
        workspace: &WorkspaceAccess,
        id: StatusPageId,
        change: &SettingsChange<'_, StatusPageSettings>,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<(), StatusPageError>;

    /// Deletes a page.
    async fn delete(
        &self,
        workspace: &WorkspaceAccess,
        id: StatusPageId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<(), StatusPageError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_plain() {
        for good in ["abc", "shop-24", "a--b"] {
            assert_eq!(good.parse::<Slug>().unwrap().as_str(), good);
        }
        let long = "a".repeat(64);
        for bad in [
            "", "ab", "-abc", "abc-", "Shop", "a b", "a/b", "a.b", "ü-page", &long,
        ] {
            assert_eq!(bad.parse::<Slug>(), Err(MalformedSlug), "{bad}");
        }
    }
}
