//! The ports to stored clients, grants and signing keys.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    audit::Actor,
    identity::Identity,
    ids::{ClientId, CredentialId, UserId, WorkspaceId},
    role::Role,
    scope::ScopeSet,
    store::StoreError,
};
use thiserror::Error;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    client::{AuthMethod, Client},
    error::OauthError,
    signing::StoredKey,
    token::Tokens,
};
use crate::secret::SecretDigest;

/// A client as an operator sees it.
#[derive(Clone, Debug)]
pub struct ListedClient {
    /// The `client_id` that it registered under.
    pub id: ClientId,
    /// The name that it gave itself.
    pub name: Option<String>,
    /// Where users may be sent back to.
    pub redirect_uris: Vec<String>,
    /// How it authenticates.
    pub auth_method: AuthMethod,
    /// Whether an operator has looked into it.
    pub is_verified: bool,
    /// When it registered.
    pub created_at: OffsetDateTime,
    /// How many grants it has that are not revoked.
    pub grants: u64,
    /// When one of these was used last, to the minute.
    pub last_used_at: Option<OffsetDateTime>,
}

/// Stores clients.
#[async_trait]
pub trait ClientStore: Send + Sync {
    /// Stores a client.
    async fn register(&self, client: &Client) -> Result<(), StoreError>;

    /// The client of that id.
    async fn find(&self, id: ClientId) -> Result<Option<Client>, StoreError>;

    /// Marks a client as looked into by an operator, or not, and returns once every node knows. `false`: there is no such
    /// client.
    async fn set_verified(
        &self,
        id: ClientId,
        is_verified: bool,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError>;

    /// At most `limit` clients, the newest registrations first; with `before` only those that registered before that client.
    async fn list(&self, before: Option<ClientId>, limit: u32) -> Result<Vec<ListedClient>, StoreError>;

    /// Deletes a client with its codes and grants, and returns once no node uses what it had cached of them. The answer is how
    /// many grants ended that were not revoked; `None`: there is no such client.
    async fn delete(
        &self,
        id: ClientId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<Option<usize>, StoreError>;
}

/// A workspace that a user can tick at consent.
#[derive(Clone, Debug)]
pub struct ConsentWorkspace {
    /// The id by which a decision names the workspace.
    pub id: WorkspaceId,
    /// The name that the consent screen shows.
    pub name: String,
    /// The user's role in it.
    pub role: Role,
}

/// A user's consent, and the code that it gives the app.
#[derive(Clone, Debug)]
pub struct Approval {
    /// The request, which may be decided once.
    pub request: Uuid,
    /// Who gets the code.
    pub client: ClientId,
    /// Who agreed.
    pub user: UserId,
    /// Where the code goes.
    pub redirect_uri: String,
    /// The granted scopes.
    pub scopes: ScopeSet,
    /// The resource that the tokens are for.
    pub resource: String,
    /// The PKCE challenge that the verifier has to meet.
    pub code_challenge: String,
    /// The workspaces in reach; the first is the default.
    pub workspaces: Vec<WorkspaceId>,
    /// The digest of the code.
    pub code: SecretDigest,
    /// When the code lapses.
    pub expires_at: OffsetDateTime,
}

/// Why a decision was not recorded.
#[derive(Debug, Error)]
pub enum DecideError {
    /// It was decided before.
    #[error("the request was decided before")]
    Decided,
    /// The user is not, or no longer, a member of one of the workspaces, or was disabled.
    #[error("the user is no member of the workspace")]
    NotMember,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A code that a client brings, with what it has to match.
#[derive(Clone, Debug)]
pub struct CodeExchange<'a> {
    /// The digest of the code.
    pub code: SecretDigest,
    /// The client that brings it.
    pub client: ClientId,
    /// The redirect URI, which must be that of the authorization; `None`: the client left it out, as OAuth 2.1 has it.
    pub redirect_uri: Option<&'a str>,
    /// The resource, which must be that of the authorization; `None`: one that is not served here.
    pub resource: Option<&'a str>,
    /// The PKCE challenge that the client's verifier meets.
    pub code_challenge: &'a str,
    /// The id of the grant that it becomes.
    pub grant: CredentialId,
    /// The digest of the grant's first refresh token.
    pub refresh_token: SecretDigest,
    /// When that one ends.
    pub refresh_until: OffsetDateTime,
}

/// A refresh token that a client brings, and the one that takes its place.
#[derive(Clone, Debug)]
pub struct Rotation<'a> {
    /// The digest of the one that it brings.
    pub token: SecretDigest,
    /// The client that brings it.
    pub client: ClientId,
    /// The resource, which must be that of the authorization; `None`: one that is not served here.
    pub resource: Option<&'a str>,
    /// The digest of the next.
    pub next: SecretDigest,
    /// When that one ends.
    pub next_until: OffsetDateTime,
}

/// A grant that tokens are issued under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issued {
    /// The grant as a credential, by which calls are charged and revoked.
    pub grant: CredentialId,
    /// Whose it is.
    pub user: UserId,
    /// The granted scopes.
    pub scopes: ScopeSet,
}

/// Makes the tokens for what is issued, or says why it can't. The store calls it before it commits anything.
pub type Mint<'a> = &'a (dyn Fn(&Issued) -> Result<Tokens, OauthError> + Send + Sync);

/// Why no token is issued.
#[derive(Debug, Error)]
pub enum IssueError {
    /// Unknown, or made for another client.
    #[error("unknown, or made for another client")]
    Unknown,
    /// It has lapsed.
    #[error("it has expired")]
    Expired,
    /// It was used before. By now everything that its first use issued is revoked.
    #[error("it was used before, so the grant is revoked")]
    Used,
    /// The grant was revoked, or its user disabled.
    #[error("the grant is revoked")]
    Revoked,
    /// Another redirect URI than at authorization.
    #[error("redirect_uri differs from that of the authorization request")]
    OtherRedirectUri,
    /// Another resource than at authorization.
    #[error("resource differs from that of the authorization request")]
    OtherResource,
    /// The verifier does not meet the challenge.
    #[error("code_verifier does not meet the code challenge")]
    WrongVerifier,
    /// The store was lost while it committed, and did not tell in time what became of it. No tokens are sent: those of a
    /// refresh are taken back, and the token that it was by is good again then.
    #[error("whether it was used is not known")]
    InDoubt,
    /// No tokens could be made of it.
    #[error(transparent)]
    Unminted(#[from] OauthError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A token's grant, as authentication reads it.
#[derive(Clone, Debug)]
pub struct GrantRecord {
    /// The caller that it stands for, with the workspaces of which the user is still a member.
    pub identity: Arc<Identity>,
    /// Whether it was revoked.
    pub is_revoked: bool,
    /// Whether its user may act.
    pub user_is_enabled: bool,
}

/// A grant of a user, with the app that it was given to.
#[derive(Clone, Debug)]
pub struct ConnectedApp {
    /// The grant as a credential, by which it is revoked.
    pub grant: CredentialId,
    /// The app that the user has connected.
    pub client: ClientId,
    /// The app's name.
    pub client_name: Option<String>,
    /// Whether an operator has looked into it.
    pub is_verified: bool,
    /// The granted scopes.
    pub scopes: ScopeSet,
    /// Where, by name, the default first.
    pub workspaces: Vec<String>,
    /// The resource that its tokens are for.
    pub resource: String,
    /// When it was connected.
    pub created_at: OffsetDateTime,
    /// When it called last, to the minute.
    pub last_used_at: Option<OffsetDateTime>,
}

/// Stores decisions, grants and refresh tokens.
///
/// Methods that revoke a grant return once every node has dropped what it had cached of the grant. A code or refresh token that
/// was used before ends its grant, before anything else about it is checked.
#[async_trait]
pub trait GrantStore: Send + Sync {
    /// The workspaces of a user, the oldest first; none where the user is disabled.
    async fn workspaces(&self, user: UserId) -> Result<Vec<ConsentWorkspace>, StoreError>;

    /// Whether a request was decided.
    async fn is_decided(&self, request: Uuid) -> Result<bool, StoreError>;

    /// Records an approval, with its code.
    async fn approve(&self, approval: &Approval, now: OffsetDateTime) -> Result<(), DecideError>;

    /// Records a denial.
    async fn deny(&self, request: Uuid, lapses_at: OffsetDateTime) -> Result<(), DecideError>;

    /// Exchanges a code for a grant with its first refresh token. If no tokens can be made, the code stays valid.
    async fn exchange(
        &self,
        exchange: &CodeExchange<'_>,
        mint: Mint<'_>,
        now: OffsetDateTime,
    ) -> Result<Tokens, IssueError>;

    /// Replaces a refresh token by the next one. If no tokens can be made, the old one stays valid.
    async fn rotate(
        &self,
        rotation: &Rotation<'_>,
        mint: Mint<'_>,
        now: OffsetDateTime,
    ) -> Result<Tokens, IssueError>;

    /// Revokes the grant of a refresh token of this client, if there is one.
    async fn revoke_by_token(
        &self,
        token: &SecretDigest,
        client: ClientId,
        now: OffsetDateTime,
    ) -> Result<(), StoreError>;

    /// Revokes a grant of this client, if there is one.
    async fn revoke_of_client(
        &self,
        grant: CredentialId,
        client: ClientId,
        now: OffsetDateTime,
    ) -> Result<(), StoreError>;

    /// Revokes a grant of this user. `false`: the user has no such grant.
    async fn revoke_of_user(
        &self,
        grant: CredentialId,
        user: UserId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError>;

    /// Revokes everything that this user gave an app: its grants, and codes that have not become one. `false`: it has no grant.
    async fn revoke_app_of_user(
        &self,
        client: ClientId,
        user: UserId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError>;

    /// The grants that a user gave and did not revoke, the newest first.
    async fn connected(&self, user: UserId) -> Result<Vec<ConnectedApp>, StoreError>;

    /// A grant with the identity that it stands for, in one read.
    async fn find(&self, grant: CredentialId) -> Result<Option<GrantRecord>, StoreError>;
}

/// Stores the keys that sign.
#[async_trait]
pub trait SigningKeyStore: Send + Sync {
    /// Loads all keys by which a token can still be valid. If there is none, `first` becomes the first.
    async fn load(
        &self,
        first: &(dyn Fn() -> Option<StoredKey> + Send + Sync),
    ) -> Result<Vec<StoredKey>, StoreError>;

    /// The keys as they are.
    async fn list(&self) -> Result<Vec<StoredKey>, StoreError>;

    /// Adds the next key, and returns once every node knows it. With `at_once` all other keys go, which ends every access token
    /// that they signed.
    async fn rotate(
        &self,
        next: &StoredKey,
        at_once: bool,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<(), StoreError>;
}
