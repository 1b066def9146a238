//! The ports, wired.

use std::sync::Arc;

use actix_web::web::ServiceConfig;
use pharos_account::{domains::DomainStore, workspaces::WorkspaceStore};
use pharos_auth::{authenticator::KeyAuthenticator, keys::secret::Environment, last_used::LastUsed};
use pharos_domain::{clock::Clock, switches::Switches};
use pharos_http::{
    answer::Addresses,
    authenticator::Switchboard,
    effective::EffectiveScopes,
    extract::port::Port,
    registry::Registry,
    service::{self, Kit},
    source::TrustedHops,
};
use pharos_persistence::{listener::Listener, pool::Database, stores::Stores, switch_panel::SwitchPanel};
use pharos_uptime::{
    address_policy::AddressPolicy,
    store::{CheckStore, MonitorStore},
};

use crate::{probes, registry::registry};

/// What a node is wired from.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The database.
    pub database: Database,
    /// The ports that it implements.
    pub stores: Stores,
    /// What is heard of changes that other nodes make.
    pub listener: Arc<Listener>,
    /// Which keys are accepted.
    pub environment: Environment,
    /// The addresses that answers name.
    pub addresses: Addresses,
    /// The proxies in front.
    pub hops: TrustedHops,
    /// Where checks may go.
    pub policy: AddressPolicy,
}

/// The API of a node. Every worker thread configures its service from it.
#[derive(Clone)]
pub struct App {
    kit: Kit,
    database: Database,
    clock: Port<dyn Clock>,
    switchboard: Port<dyn Switchboard>,
    scopes: Port<EffectiveScopes>,
    policy: Port<AddressPolicy>,
    workspaces: Port<dyn WorkspaceStore>,
    domains: Port<dyn DomainStore>,
    monitors: Port<dyn MonitorStore>,
    checks: Port<dyn CheckStore>,
    last_used: Arc<LastUsed>,
    /// Held, since it hears for as long as it lives.
    _listener: Arc<Listener>,
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App")
            .field("kit", &self.kit)
            .finish_non_exhaustive()
    }
}

/// The switches as the listener keeps them.
struct Panel(Arc<SwitchPanel>);

impl Switchboard for Panel {
    fn switches(&self) -> Switches {
        self.0.switches()
    }
}

impl App {
    /// Wires a node that serves the whole registry.
    ///
    /// # Errors
    /// The registry contradicts itself.
    pub fn new(parts: Parts, clock: Arc<dyn Clock>) -> anyhow::Result<Self> {
        Ok(Self::serving(registry()?, parts, clock))
    }

    /// Wires a node that serves these operations.
    #[must_use]
    pub fn serving(registry: Registry, parts: Parts, clock: Arc<dyn Clock>) -> Self {
        let Parts {
            database,
            stores,
            listener,
            environment,
            addresses,
            hops,
            policy,
        } = parts;
        let last_used = Arc::new(LastUsed::default());
        let scopes = EffectiveScopes::of(&registry);
        let authenticator = KeyAuthenticator::new(
            environment,
            stores.credentials.clone(),
            Arc::clone(&clock),
            listener.invalidation(),
            Arc::clone(&last_used),
        );
        let switchboard: Arc<dyn Switchboard> = Arc::new(Panel(listener.panel()));
        Self {
            kit: Kit {
                registry: Arc::new(registry),
                authenticator: Arc::new(authenticator),
                switchboard: Arc::clone(&switchboard),
                hops,
                addresses: Arc::new(addresses),
            },
            database,
            clock: Port(clock),
            switchboard: Port(switchboard),
            scopes: Port(Arc::new(scopes)),
            policy: Port(Arc::new(policy)),
            workspaces: Port(stores.workspaces),
            domains: Port(stores.domains),
            monitors: Port(stores.monitors),
            checks: Port(stores.checks),
            last_used,
            _listener: listener,
        }
    }

    /// Mounts everything on an actix application.
    pub fn configure(&self, config: &mut ServiceConfig) {
        probes::configure(config, self.database.clone());
        config
            .app_data(self.clock.clone())
            .app_data(self.switchboard.clone())
            .app_data(self.scopes.clone())
            .app_data(self.policy.clone())
            .app_data(self.workspaces.clone())
            .app_data(self.domains.clone())
            .app_data(self.monitors.clone())
            .app_data(self.checks.clone());
        service::configure(config, self.kit.clone());
    }

    /// When keys were last used, still to be written.
    #[must_use]
    pub fn last_used(&self) -> Arc<LastUsed> {
        Arc::clone(&self.last_used)
    }
}
