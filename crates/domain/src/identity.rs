//! Who calls, and what that reaches. Made by authentication, read by the gates.

use std::net::IpAddr;

use time::OffsetDateTime;

use crate::{
    hostname::Hostname,
    ids::{CredentialId, DomainId, UserId, WorkspaceId},
    module::Module,
    role::Role,
    scope::ScopeSet,
    wire_enum,
};

wire_enum! {
    /// What kind of credential a caller holds.
    CredentialKind {
        /// An API key.
        ApiKey = "api_key",
        /// An OAuth 2.1 access token.
        OauthToken = "oauth_token",
    }
}

wire_enum! {
    /// The state of a workspace's subscription.
    SubscriptionStatus {
        /// In its trial.
        Trialing = "trialing",
        /// Paid, or free of charge.
        Active = "active",
        /// A payment is late.
        PastDue = "past_due",
        /// Ended by its owner.
        Canceled = "canceled",
        /// Ran out.
        Expired = "expired",
    }
}

impl SubscriptionStatus {
    /// Whether writes and runs are served.
    #[must_use]
    pub const fn is_writable(self) -> bool {
        matches!(self, Self::Trialing | Self::Active)
    }
}

/// A set of modules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModuleSet(u32);

impl ModuleSet {
    /// Whether `module` is in the set.
    #[must_use]
    pub const fn contains(self, module: Module) -> bool {
        self.0 & (1 << module as u32) != 0
    }

    /// The modules of the set, in the order of [`Module::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Module> {
        Module::ALL
            .iter()
            .copied()
            .filter(move |module| self.contains(*module))
    }
}

impl FromIterator<Module> for ModuleSet {
    fn from_iter<I: IntoIterator<Item = Module>>(modules: I) -> Self {
        Self(
            modules
                .into_iter()
                .fold(0, |bits, module| bits | 1 << module as u32),
        )
    }
}

/// A caller: one credential, and everything that the gates need to know of it.
#[derive(Clone, Debug)]
pub struct Identity {
    /// A key or a token.
    pub kind: CredentialKind,
    /// A key's id, a token's grant. Rotation and refresh keep it.
    pub credential_id: CredentialId,
    /// The user behind the credential; of a key, who created it.
    pub user_id: UserId,
    /// The key's name.
    pub name: Option<String>,
    /// The first 16 characters of the key's secret.
    pub key_prefix: Option<String>,
    /// When the credential ends.
    pub expires_at: Option<OffsetDateTime>,
    /// The OAuth client.
    pub client_id: Option<String>,
    /// The OAuth resource.
    pub audience: Option<String>,
    /// As granted: a ceiling, not a grant.
    pub scopes: ScopeSet,
    /// The workspaces in reach, the oldest first.
    pub workspaces: Vec<ReachableWorkspace>,
    /// Who pays where the request does not say.
    pub default_workspace_id: Option<WorkspaceId>,
}

/// A workspace in reach of a credential.
#[derive(Clone, Debug)]
pub struct ReachableWorkspace {
    /// Its id.
    pub id: WorkspaceId,
    /// The role of the credential's user in it.
    pub role: Role,
    /// The state of its subscription.
    pub subscription: SubscriptionStatus,
    /// The modules of its plan.
    pub plan_modules: ModuleSet,
    /// Its domains that are not deleted.
    pub domains: Vec<ReachableDomain>,
}

/// A domain in reach of a credential.
#[derive(Clone, Debug)]
pub struct ReachableDomain {
    /// Its id.
    pub id: DomainId,
    /// Its name.
    pub hostname: Hostname,
}

impl ReachableWorkspace {
    /// Whether the plan has `module`.
    #[must_use]
    pub fn has_module(&self, module: Module) -> bool {
        module.is_in_every_plan() || self.plan_modules.contains(module)
    }
}

impl Identity {
    /// The workspace of that id, if the credential reaches it.
    #[must_use]
    pub fn workspace(&self, id: WorkspaceId) -> Option<&ReachableWorkspace> {
        self.workspaces.iter().find(|workspace| workspace.id == id)
    }

    /// The domain of that id and its workspace, if the credential reaches it.
    #[must_use]
    pub fn domain(&self, id: DomainId) -> Option<(&ReachableWorkspace, &ReachableDomain)> {
        self.workspaces.iter().find_map(|workspace| {
            workspace
                .domains
                .iter()
                .find(|domain| domain.id == id)
                .map(|domain| (workspace, domain))
        })
    }
}

/// Where a request comes from: the peer, or what the outermost trusted proxy saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source(pub Option<IpAddr>);
