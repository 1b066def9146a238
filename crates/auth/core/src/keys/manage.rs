//! Creating, rotating and revoking keys: the rules and their port.

use async_trait::async_trait;
use pharos_domain::{
    audit::Actor,
    ids::{CredentialId, UserId, WorkspaceId},
    line::is_one_line,
    role::Role,
    scope::ScopeSet,
    store::StoreError,
};
use serde::Serialize;
use thiserror::Error;
use time::{Duration, OffsetDateTime};

use super::{
    allowlist,
    secret::{Environment, KeySecret},
};
use crate::secret::{NoRandomness, SecretDigest};

/// How many live keys a workspace may have. Live keys are neither revoked nor expired.
pub const MOST_LIVE_KEYS: u32 = 10;
/// The most addresses and ranges of an allowlist.
pub const MOST_ALLOWLIST_ENTRIES: usize = 100;

/// How long the old secret still works after a rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grace {
    /// Not at all.
    None,
    /// 1 hour.
    OneHour,
    /// 24 hours.
    OneDay,
    /// 3 days.
    ThreeDays,
    /// 7 days.
    SevenDays,
}

impl Grace {
    /// All, the shortest first.
    pub const ALL: [Self; 5] = [
        Self::None,
        Self::OneHour,
        Self::OneDay,
        Self::ThreeDays,
        Self::SevenDays,
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::OneHour => "1h",
            Self::OneDay => "24h",
            Self::ThreeDays => "3d",
            Self::SevenDays => "7d",
        }
    }

    /// How long the old secret still works.
    #[must_use]
    pub const fn duration(self) -> Duration {
        match self {
            Self::None => Duration::ZERO,
            Self::OneHour => Duration::HOUR,
            Self::OneDay => Duration::DAY,
            Self::ThreeDays => Duration::days(3),
            Self::SevenDays => Duration::days(7),
        }
    }
}

/// The settings of a new key.
#[derive(Clone, Debug)]
pub struct KeyRequest {
    /// The one workspace that it reaches.
    pub workspace: WorkspaceId,
    /// The user who creates it, who must be owner or admin of the workspace.
    pub creator: UserId,
    /// Free text.
    pub name: String,
    /// The operations that it may call.
    pub scopes: ScopeSet,
    /// When it ends; `None`: never.
    pub expires_at: Option<OffsetDateTime>,
    /// Where it may be used from; `None`: anywhere.
    pub allowlist: Option<Vec<String>>,
}

/// A new secret, as it is stored.
#[derive(Clone, Debug)]
pub struct NewSecret {
    /// The only part of the secret that is stored, beside what is shown.
    pub digest: SecretDigest,
    /// Its first 16 characters.
    pub shown: String,
}

impl From<&KeySecret> for NewSecret {
    fn from(secret: &KeySecret) -> Self {
        Self {
            digest: secret.digest(),
            shown: secret.shown().to_owned(),
        }
    }
}

/// A key as lists show it.
#[derive(Clone, Debug, Serialize)]
pub struct KeyDetails {
    /// Its id; rotation keeps it.
    pub id: CredentialId,
    /// The workspace that pays for its calls.
    pub workspace_id: WorkspaceId,
    /// The user who created it.
    pub created_by: UserId,
    /// The words by which members know it.
    pub name: String,
    /// The first 16 characters of its newest secret.
    pub prefix: String,
    /// The scopes that it was given.
    pub scopes: ScopeSet,
    /// Where it may be used from.
    pub allowlist: Option<Vec<String>>,
    /// When it was created.
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
    /// When it ends.
    #[serde(with = "time::serde::rfc3339::option")]
    pub expires_at: Option<OffsetDateTime>,
    /// When it was revoked.
    #[serde(with = "time::serde::rfc3339::option")]
    pub revoked_at: Option<OffsetDateTime>,
    /// When it was last used, to the minute.
    #[serde(with = "time::serde::rfc3339::option")]
    pub last_used_at: Option<OffsetDateTime>,
}

impl KeyDetails {
    /// Whether it is neither revoked nor expired.
    #[must_use]
    pub fn is_live(&self, now: OffsetDateTime) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|at| now < at)
    }
}

/// Stores keys. Every change writes its audit row in the same transaction.
#[async_trait]
pub trait KeyStore: Send + Sync {
    /// Stores a key, unless the workspace has `most_live` already, or there is a key of that id. Checks the creator's role.
    async fn create(
        &self,
        id: CredentialId,
        key: &KeyRequest,
        secret: &NewSecret,
        most_live: u32,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<KeyDetails, KeyError>;

    /// Adds a secret to a live key and ends the others at `others_until`, unless they end before.
    async fn rotate(
        &self,
        id: CredentialId,
        secret: &NewSecret,
        others_until: OffsetDateTime,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<KeyDetails, KeyError>;

    /// Revokes a key, and returns once every node has dropped what it had cached of the key.
    async fn revoke(
        &self,
        id: CredentialId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<KeyDetails, KeyError>;

    /// The keys of a workspace, the newest first.
    async fn list(&self, workspace: WorkspaceId) -> Result<Vec<KeyDetails>, StoreError>;
}

/// Why a key was not created, rotated or revoked.
#[derive(Debug, Error)]
pub enum KeyError {
    /// The name is empty or too long.
    #[error("a key's name has 1 to 100 characters in one line, none of them hidden")]
    Name,
    /// No scope at all.
    #[error("a key needs at least one scope")]
    NoScopes,
    /// An entry of the allowlist is neither address nor range.
    #[error("{0:?} is neither an IP address nor a range such as 203.0.113.0/24")]
    Allowlist(String),
    /// The allowlist has too many entries.
    #[error("an allowlist has at most {MOST_ALLOWLIST_ENTRIES} addresses and ranges")]
    LongAllowlist,
    /// The expiry has passed.
    #[error("the expiry lies in the past")]
    Expiry,
    /// There is no such workspace.
    #[error("there is no such workspace")]
    NoWorkspace,
    /// The creator is no owner or admin of the workspace.
    #[error("only an owner or admin of the workspace creates keys")]
    NotAdmin,
    /// The workspace is full.
    #[error("the workspace has {0} live keys, and no more are allowed; revoke one first")]
    TooMany(u32),
    /// The same request was carried out before.
    #[error("the key was created already, and its secret was shown")]
    CreatedAlready,
    /// There is no such key.
    #[error("there is no such key")]
    NotFound,
    /// The key was revoked before, or has expired.
    #[error("the key is no longer live")]
    NotLive,
    /// No randomness.
    #[error(transparent)]
    NoRandomness(#[from] NoRandomness),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Creates a key, and returns its secret, which is never shown again.
///
/// # Errors
/// Why it was not created.
pub async fn create(
    store: &dyn KeyStore,
    environment: Environment,
    request: &KeyRequest,
    actor: &Actor,
    now: OffsetDateTime,
) -> Result<(KeyDetails, KeySecret), KeyError> {
    create_once(store, environment, CredentialId::generate(), request, actor, now).await
}

/// Creates a key under an id that the caller chose, so that a repeated request makes one key.
///
/// # Errors
/// Why it was not created; [`KeyError::CreatedAlready`] where it came before.
pub async fn create_once(
    store: &dyn KeyStore,
    environment: Environment,
    id: CredentialId,
    request: &KeyRequest,
    actor: &Actor,
    now: OffsetDateTime,
) -> Result<(KeyDetails, KeySecret), KeyError> {
    let length = request.name.chars().count();
    if !(1..=100).contains(&length) || !is_one_line(&request.name) {
        return Err(KeyError::Name);
    }
    if request.scopes.is_empty() {
        return Err(KeyError::NoScopes);
    }
    if request.expires_at.is_some_and(|at| at <= now) {
        return Err(KeyError::Expiry);
    }
    if request
        .allowlist
        .as_ref()
        .is_some_and(|entries| entries.len() > MOST_ALLOWLIST_ENTRIES)
    {
        return Err(KeyError::LongAllowlist);
    }
    let entries = request.allowlist.iter().flatten();
    if let Some(bad) = entries
        .into_iter()
        .find(|entry| allowlist::parse_entry(entry).is_none())
    {
        return Err(KeyError::Allowlist(bad.clone()));
    }
    let secret = KeySecret::generate(environment)?;
    let key = store
        .create(id, request, &NewSecret::from(&secret), MOST_LIVE_KEYS, actor, now)
        .await?;
    Ok((key, secret))
}

/// Whether somebody may get a new secret of a key. A key acts with its creator's role, so nobody gets the secret of a key whose
/// creator has a higher role.
#[must_use]
pub fn may_rotate(role: Role, creator: Role) -> bool {
    role >= Role::Admin && role >= creator
}

/// Gives a key a new secret. The old one still works for `grace`.
///
/// # Errors
/// Why it was not rotated.
pub async fn rotate(
    store: &dyn KeyStore,
    environment: Environment,
    id: CredentialId,
    grace: Grace,
    actor: &Actor,
    now: OffsetDateTime,
) -> Result<(KeyDetails, KeySecret), KeyError> {
    let secret = KeySecret::generate(environment)?;
    let key = store
        .rotate(id, &NewSecret::from(&secret), now + grace.duration(), actor, now)
        .await?;
    Ok((key, secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_gets_a_secret_of_somebody_above_them() {
        let allowed: Vec<(Role, Role)> = Role::ALL
            .iter()
            .flat_map(|role| Role::ALL.iter().map(|creator| (*role, *creator)))
            .filter(|(role, creator)| may_rotate(*role, *creator))
            .collect();
        assert_eq!(
            allowed,
            [
                (Role::Admin, Role::Viewer),
                (Role::Admin, Role::Member),
                (Role::Admin, Role::Admin),
                (Role::Owner, Role::Viewer),
                (Role::Owner, Role::Member),
                (Role::Owner, Role::Admin),
                (Role::Owner, Role::Owner),
            ]
        );
    }
}
