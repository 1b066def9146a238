//! The caller, and what it can reach. Authentication makes it, and the gates read it.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

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
    /// The kind of a caller's credential.
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
    /// The user behind the credential: for a key, the user who created it.
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
    /// The granted scopes. They are a ceiling: the user's role may allow less.
    pub scopes: ScopeSet,
    /// The workspaces in reach, the oldest first.
    pub workspaces: Vec<ReachableWorkspace>,
    /// The workspace that pays if the request does not name one.
    pub default_workspace_id: Option<WorkspaceId>,
}

impl Identity {
    /// The identity of someone who has signed in to the console, in one workspace. It has no scope, since a session is no
    /// credential of the API. The console goes by the role, and its calls pass every gate except the one for scopes.
    #[must_use]
    pub fn of_session(user: UserId, workspace: ReachableWorkspace) -> Self {
        Self {
            kind: CredentialKind::OauthToken,
            credential_id: CredentialId(user.0),
            user_id: user,
            name: None,
            key_prefix: None,
            expires_at: None,
            client_id: None,
            audience: None,
            scopes: ScopeSet::default(),
            default_workspace_id: Some(workspace.id),
            workspaces: vec![workspace],
        }
    }

    /// Whether this is someone who has signed in to the console: it has the id of the user, which no key and no grant has.
    #[must_use]
    pub fn is_session(&self) -> bool {
        self.kind == CredentialKind::OauthToken && self.credential_id.0 == self.user_id.0
    }
}

/// A workspace in reach of a credential.
#[derive(Clone, Debug)]
pub struct ReachableWorkspace {
    /// The id by which paths and logs name the workspace.
    pub id: WorkspaceId,
    /// The role of the credential's user in it.
    pub role: Role,
    /// The state of its subscription.
    pub subscription: SubscriptionStatus,
    /// The modules of its plan.
    pub plan_modules: ModuleSet,
    /// Its domains that are not deleted, in the order of their ids. Cached identities share it.
    pub domains: Arc<[ReachableDomain]>,
}

/// A domain in reach of a credential.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReachableDomain {
    /// The id by which paths name the domain.
    pub id: DomainId,
    /// Its name, as the identity was read with it.
    pub hostname: Hostname,
}

impl ReachableWorkspace {
    /// Whether the plan has `module`.
    #[must_use]
    pub fn has_module(&self, module: Module) -> bool {
        module.is_in_every_plan() || self.plan_modules.contains(module)
    }
}

/// Proof that a caller may reach a workspace. Only an [`Identity`] that reaches the workspace can make it, so a port that takes
/// one can't be called before that was checked.
#[derive(Clone, Debug)]
pub struct WorkspaceAccess {
    identity: Arc<Identity>,
    at: usize,
}

impl WorkspaceAccess {
    /// The way into `id`, if the credential reaches it.
    #[must_use]
    pub fn open(identity: &Arc<Identity>, id: WorkspaceId) -> Option<Self> {
        let at = identity
            .workspaces
            .iter()
            .position(|workspace| workspace.id == id)?;
        Some(Self {
            identity: Arc::clone(identity),
            at,
        })
    }

    /// The accesses to all workspaces in reach, the oldest first.
    #[must_use]
    pub fn open_all(identity: &Arc<Identity>) -> Vec<Self> {
        (0..identity.workspaces.len())
            .map(|at| Self {
                identity: Arc::clone(identity),
                at,
            })
            .collect()
    }

    /// The workspace that it leads into.
    #[must_use]
    pub fn workspace(&self) -> &ReachableWorkspace {
        &self.identity.workspaces[self.at]
    }

    /// The caller.
    #[must_use]
    pub fn identity(&self) -> &Identity {
        &self.identity
    }
}

/// Proof that a caller may reach a domain; made like [`WorkspaceAccess`].
#[derive(Clone, Debug)]
pub struct DomainAccess {
    workspace: WorkspaceAccess,
    at: usize,
}

impl DomainAccess {
    /// The way into `id`, if the credential reaches it.
    #[must_use]
    pub fn open(identity: &Arc<Identity>, id: DomainId) -> Option<Self> {
        identity
            .workspaces
            .iter()
            .enumerate()
            .find_map(|(workspace, reachable)| {
                let at = reachable.domains.binary_search_by_key(&id, |domain| domain.id);
                let at = at.ok()?;
                Some(Self {
                    workspace: WorkspaceAccess {
                        identity: Arc::clone(identity),
                        at: workspace,
                    },
                    at,
                })
            })
    }

    /// The workspace that the domain belongs to.
    #[must_use]
    pub fn workspace(&self) -> &WorkspaceAccess {
        &self.workspace
    }

    /// The domain that it leads into.
    #[must_use]
    pub fn domain(&self) -> &ReachableDomain {
        &self.workspace.workspace().domains[self.at]
    }

    /// The domain's id.
    #[must_use]
    pub fn id(&self) -> DomainId {
        self.domain().id
    }

    /// The caller.
    #[must_use]
    pub fn identity(&self) -> &Identity {
        &self.workspace.identity
    }
}

/// How many proxies of our own stand before a server. Each appends the address that it saw to `X-Forwarded-For`, so the client
/// is that many entries from the right; whatever stands further left was written by the client and means nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrustedHops(pub usize);

impl TrustedHops {
    /// The source of a request, from the peer of its connection and the values of its `X-Forwarded-For` headers, `None` for a
    /// value that is no text. The source holds `None` if fewer proxies have written an entry than are configured: then the
    /// address is unknown, and an allowlist denies.
    #[must_use]
    pub fn source<'a>(
        self,
        peer: Option<IpAddr>,
        forwarded: impl IntoIterator<Item = Option<&'a str>>,
    ) -> Source {
        if self.0 == 0 {
            Source(peer.map(|peer| peer.to_canonical()))
        } else {
            Source(self.forwarded(forwarded))
        }
    }

    fn forwarded<'a>(self, values: impl IntoIterator<Item = Option<&'a str>>) -> Option<IpAddr> {
        let entries: Vec<&str> = values
            .into_iter()
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .flat_map(|value| value.split(','))
            .map(str::trim)
            .collect();
        let at = entries.len().checked_sub(self.0)?;
        entries.get(at).copied().and_then(parse_address)
    }
}

/// An entry of `X-Forwarded-For`: an address, or one with a port as some proxies write it.
fn parse_address(entry: &str) -> Option<IpAddr> {
    let address = entry
        .parse::<IpAddr>()
        .or_else(|_| entry.parse::<SocketAddr>().map(|socket| socket.ip()))
        .or_else(|_| entry.trim_start_matches('[').trim_end_matches(']').parse())
        .ok()?;
    Some(address.to_canonical())
}

/// Where a request comes from: the peer, or what the outermost trusted proxy saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source(pub Option<IpAddr>);

impl Source {
    /// The addresses that limits count as one client: an IPv4 address, the /64 of an IPv6 address, since a customer of
    /// the internet has at least that. An IPv4 address that is written as IPv6 is that IPv4 address.
    #[must_use]
    pub fn network(self) -> Network {
        let mut bytes = [0; 9];
        match self.0.map(|address| address.to_canonical()) {
            None => {}
            Some(IpAddr::V4(address)) => {
                bytes[0] = 4;
                bytes[1..5].copy_from_slice(&address.octets());
            }
            Some(IpAddr::V6(address)) => {
                bytes[0] = 6;
                bytes[1..].copy_from_slice(&address.octets()[..8]);
            }
        }
        Network(bytes)
    }
}

/// One client, as far as addresses tell: the version of the protocol (0 where the address is not known), then the address or
/// its first half. It is made to be hashed, since storing it would store an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Network([u8; 9]);

impl Network {
    /// The input for a keyed hash.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(address: &str) -> Network {
        Source(Some(address.parse().unwrap())).network()
    }

    #[test]
    fn an_ipv4_address_counts_for_itself_however_it_is_written() {
        assert_eq!(network("203.0.113.7"), network("::ffff:203.0.113.7"));
        assert_ne!(network("203.0.113.7"), network("203.0.113.8"));
    }

    #[test]
    fn an_ipv6_address_counts_for_its_64() {
        assert_eq!(network("2001:db8:1:2::1"), network("2001:db8:1:2:ffff::9"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
    }

    #[test]
    fn what_is_not_known_is_no_address() {
        assert_ne!(Source(None).network(), network("0.0.0.0"));
        assert_ne!(Source(None).network(), network("::"));
        assert_ne!(network("0.0.0.0"), network("::1"));
    }

    fn source(hops: usize, forwarded: &[&str]) -> Option<String> {
        let peer = Some("192.0.2.1".parse().unwrap());
        let source = TrustedHops(hops).source(peer, forwarded.iter().copied().map(Some));
        source.0.map(|address| address.to_string())
    }

    #[test]
    fn without_a_proxy_the_header_means_nothing() {
        assert_eq!(source(0, &["203.0.113.9"]).as_deref(), Some("192.0.2.1"));
    }

    #[test]
    fn the_client_is_as_many_entries_from_the_right_as_there_are_proxies() {
        for (hops, forwarded, client) in [
            (1, &["198.51.100.7, 203.0.113.9"][..], "203.0.113.9"),
            (2, &["198.51.100.7, 203.0.113.9"], "198.51.100.7"),
            (1, &["198.51.100.7", "203.0.113.9"], "203.0.113.9"),
            (1, &["[2001:db8::1]:443"], "2001:db8::1"),
            (1, &["::ffff:203.0.113.9"], "203.0.113.9"),
        ] {
            assert_eq!(source(hops, forwarded).as_deref(), Some(client), "{forwarded:?}");
        }
    }

    #[test]
    fn a_chain_that_is_too_short_or_malformed_tells_no_address() {
        assert_eq!(source(2, &["203.0.113.9"]), None);
        assert_eq!(source(1, &[]), None);
        assert_eq!(source(1, &["unknown"]), None);
        assert_eq!(TrustedHops(1).source(None, [None]).0, None);
    }
}
