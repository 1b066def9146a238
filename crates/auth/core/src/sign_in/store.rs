//! The port to what is stored of passwords, sessions and links.

use async_trait::async_trait;
use pharos_domain::{audit::Actor, identity::Source, ids::UserId, store::StoreError};
use time::OffsetDateTime;

use super::{forgotten::Forgotten, password::PasswordHash};
use crate::secret::SecretDigest;

/// Someone who can sign in: a user who is enabled and has a password.
#[derive(Clone, Debug)]
pub struct Account {
    /// Who.
    pub user: UserId,
    /// The hash of the password.
    pub password: PasswordHash,
}

/// Someone who has signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Who.
    pub user: UserId,
    /// Their e-mail address.
    pub email: String,
    /// The name that pages show.
    pub name: String,
    /// When they signed in.
    pub signed_in_at: OffsetDateTime,
    /// When the session was last used, to the minute.
    pub last_used_at: OffsetDateTime,
    /// Whether they look after the installation itself.
    pub is_operator: bool,
}

/// The session or the sign-in that a right password may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ways {
    /// The session of somebody who has no second factor.
    pub session: SecretDigest,
    /// The sign-in that waits for one.
    pub pending: SecretDigest,
}

/// The one that a right password has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The session.
    Session,
    /// The sign-in that waits.
    Pending,
}

/// A session in the list of its user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedSession {
    /// The digest of its secret, which names it.
    pub digest: SecretDigest,
    /// When the user signed in.
    pub signed_in_at: OffsetDateTime,
    /// When it was last used, to the minute.
    pub last_used_at: OffsetDateTime,
    /// Where it began.
    pub origin: SessionOrigin,
}

/// The place that a user signed in from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionOrigin {
    /// The address.
    pub source: Source,
    /// The browser by its name, in at most 100 characters; `None`: it has none that is known.
    pub browser: Option<String>,
}

/// Stores passwords, sessions and links. It gets digests of secrets, never the secrets.
#[async_trait]
pub trait SignInStore: Send + Sync {
    /// The account of an e-mail address, whatever its case.
    async fn account(&self, email: &str) -> Result<Option<Account>, StoreError>;

    /// Begins a session, or, where the user has a second factor, a sign-in that waits for it. `None` where the password was
    /// changed, or the user disabled, since the account was read.
    async fn begin(
        &self,
        ways: &Ways,
        account: &Account,
        origin: &SessionOrigin,
        now: OffsetDateTime,
    ) -> Result<Option<Way>, StoreError>;

    /// The session, unless its user was disabled. Whether it still holds is the caller's to judge.
    async fn session(&self, session: &SecretDigest) -> Result<Option<Session>, StoreError>;

    /// Writes down that a session was used.
    async fn touch(&self, session: &SecretDigest, now: OffsetDateTime) -> Result<(), StoreError>;

    /// Ends a session.
    async fn end(&self, session: &SecretDigest) -> Result<(), StoreError>;

    /// The sessions of a user that hold at `now`, the last used first.
    async fn sessions(&self, user: UserId, now: OffsetDateTime) -> Result<Vec<ListedSession>, StoreError>;

    /// Ends one session of a user. `false` where they have none of that digest.
    async fn end_of_user(&self, session: &SecretDigest, user: UserId) -> Result<bool, StoreError>;

    /// Puts another password in the place of the one that the account was read with, and ends all sessions of the user but
    /// `kept`, and their link. `false` where it was changed meanwhile, or the user was disabled.
    async fn change_password(
        &self,
        account: &Account,
        password: &PasswordHash,
        kept: &SecretDigest,
        source: Source,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError>;

    /// Makes a link for a user, in the place of one that they may have. `false` where the user is disabled.
    async fn issue_link(
        &self,
        link: &SecretDigest,
        user: UserId,
        expires_at: OffsetDateTime,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError>;

    /// The other users who can know the password of a user, or set it: who made the link that it was last set by, and who
    /// made the one that is good at `now`.
    async fn link_makers(&self, user: UserId, now: OffsetDateTime) -> Result<Vec<UserId>, StoreError>;

    /// The user of an e-mail address, whatever its case; `None` where nobody has it, or they are disabled.
    async fn user(&self, email: &str) -> Result<Option<UserId>, StoreError>;

    /// Asks for the job that mails a link to who has an address, if anybody does.
    async fn forgot(&self, forgotten: &Forgotten) -> Result<(), StoreError>;

    /// The e-mail address of the user of a link that is still good.
    async fn link(&self, link: &SecretDigest, now: OffsetDateTime) -> Result<Option<String>, StoreError>;

    /// Uses a link up: sets its user's password, ends all their sessions, and lets them in as [`SignInStore::begin`] does.
    /// `None` where the link is not good any more.
    async fn set_password(
        &self,
        link: &SecretDigest,
        password: &PasswordHash,
        ways: &Ways,
        origin: &SessionOrigin,
        now: OffsetDateTime,
    ) -> Result<Option<Way>, StoreError>;
}
