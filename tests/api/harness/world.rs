//! Fixtures, made through the ports that the command line uses.

use std::sync::OnceLock;

use pharos_auth::keys::{
    manage::{self, KeyRequest},
    secret::Environment,
};
use pharos_domain::{
    audit::Actor,
    ids::{CredentialId, DomainId, IncidentId, UserId, WorkspaceId},
    patch::Patch,
    role::Role,
    scope::{Scope, ScopeSet, Tier},
};
use pharos_server::stores::Stores;
use pharos_uptime::history::RegionPlace;
use time::OffsetDateTime;

/// A key with its secret.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) id: CredentialId,
    pub(crate) secret: String,
}

/// One workspace, its owner, one domain, a key of all scopes.
pub(crate) struct World {
    pub(crate) workspace: WorkspaceId,
    pub(crate) owner: UserId,
    pub(crate) domain: DomainId,
    pub(crate) key: Key,
    /// Once a test has let one happen.
    pub(crate) incident: OnceLock<IncidentId>,
}

pub(crate) fn actor() -> Actor {
    Actor::command_line("test")
}

/// All scopes.
pub(crate) fn all_scopes() -> ScopeSet {
    Tier::ALL
        .iter()
        .map(|tier| tier.scopes())
        .fold(ScopeSet::default(), ScopeSet::union)
}

impl World {
    /// A world of its own; several can stand in one database.
    pub(crate) async fn create(stores: &Stores, now: OffsetDateTime) -> Self {
        let email = format!("owner-{}@example.org", uuid::Uuid::now_v7());
        let owner = stores
            .users
            .create(&email, "Owner", &actor(), now)
            .await
            .unwrap()
            .id;
        let workspace = stores
            .workspace_admin
            .create("Example", owner, "default", &actor(), now)
            .await
            .unwrap()
            .id;
        let hostname = "shop.example".parse().unwrap();
        let domain = stores
            .domain_admin
            .add(workspace, &hostname, None, &actor(), now)
            .await
            .unwrap()
            .id;
        stores
            .schedule
            .register_region(&RegionPlace::unnamed("local"), now)
            .await
            .unwrap();
        let key = create_key(stores, workspace, owner, all_scopes(), now).await;
        Self {
            workspace,
            owner,
            domain,
            key,
            incident: OnceLock::new(),
        }
    }

    /// A key of these scopes.
    pub(crate) async fn key(&self, stores: &Stores, scopes: &[Scope], now: OffsetDateTime) -> Key {
        create_key(
            stores,
            self.workspace,
            self.owner,
            scopes.iter().copied().collect(),
            now,
        )
        .await
    }

    /// A further key of all scopes of a member.
    pub(crate) async fn another_key(&self, stores: &Stores, creator: UserId, now: OffsetDateTime) -> Key {
        create_key(stores, self.workspace, creator, all_scopes(), now).await
    }

    /// A key of all scopes whose creator was made this afterwards. Only admins create keys, so they are admin first.
    pub(crate) async fn key_of(&self, stores: &Stores, role: Role, now: OffsetDateTime) -> (Key, UserId) {
        let email = format!("{role}-{}@example.org", uuid::Uuid::now_v7());
        let user = stores
            .users
            .create(&email, "Member", &actor(), now)
            .await
            .unwrap()
            .id;
        stores
            .members
            .put(self.workspace, user, Role::Admin, Patch::Keep, &actor(), now)
            .await
            .unwrap();
        let key = create_key(stores, self.workspace, user, all_scopes(), now).await;
        stores
            .members
            .put(self.workspace, user, role, Patch::Keep, &actor(), now)
            .await
            .unwrap();
        (key, user)
    }
}

async fn create_key(
    stores: &Stores,
    workspace: WorkspaceId,
    creator: UserId,
    scopes: ScopeSet,
    now: OffsetDateTime,
) -> Key {
    let request = KeyRequest {
        workspace,
        creator,
        name: "test".to_owned(),
        scopes,
        expires_at: None,
        allowlist: None,
    };
    let (key, secret) = manage::create(&*stores.keys, Environment::Development, &request, &actor(), now)
        .await
        .unwrap();
    Key {
        id: key.id,
        secret: secret.reveal().to_owned(),
    }
}
