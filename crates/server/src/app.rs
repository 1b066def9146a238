//! The ports, wired.

use std::{net::TcpListener, sync::Arc, time::Duration};

use actix_web::{App as ActixApp, HttpServer, dev::Server, web::ServiceConfig};
use pharos_account::{
    credits::CreditStore, domains::DomainStore, quotas::QuotaStore, reporters::ModuleReporters,
    workspaces::WorkspaceStore,
};
use pharos_auth::{
    authenticator::{CredentialAuthenticator, Credentials},
    keys::secret::Environment,
    last_used::LastUsed,
    oauth::{
        client_book::ClientBook, handle::HandleKey, http::Discovery, key_ring::KeyRing, limits::OauthLimits,
        resource::Resources, server::AuthorizationServer,
    },
    sign_in::desk::{SignInDesk, SignInLimits},
};
use pharos_console::console::{self, CONSENT_PATH, Console};
use pharos_domain::{clock::Clock, switches::Switches};
use pharos_http::{
    answer::Addresses,
    authenticator::Switchboard,
    catalogue::Catalogue,
    effective::EffectiveScopes,
    extract::port::Port,
    flights::Flights,
    kit::Kit,
    metering::{CreditMeter, RateLimiter, ResponseCache},
    registry::Registry,
    service,
    source::TrustedHops,
};
use pharos_persistence::{listener::Listener, pool::Database, switch_panel::SwitchPanel};
use pharos_supervisor::Supervisor;
use pharos_uptime::{
    address_policy::AddressPolicy,
    block::UptimeReporter,
    certificate::store::CertificateStore,
    history::HistoryStore,
    registration::store::RegistrationStore,
    store::{CheckStore, IncidentStore, MonitorStore, RunStore},
};

use crate::{probes, registry::registry_with, stores::Stores};

/// How long an end by SIGTERM lets requests and checks run on.
pub(crate) const DRAIN: Duration = Duration::from_secs(25);
/// How long the head of a request may take to arrive.
const READ_HEAD_WITHIN: Duration = Duration::from_secs(10);
/// What the secret is called that signs what travels through browsers.
pub const BROWSER_SECRET: &str = "browser requests";

/// What a node is wired from.
#[derive(Clone)]
pub struct Parts {
    /// The database.
    pub database: Database,
    /// The ports that it implements.
    pub stores: Stores,
    /// What is heard of changes that other nodes make.
    pub listener: Arc<Listener>,
    /// What runs the background tasks.
    pub supervisor: Supervisor,
    /// Which keys are accepted.
    pub environment: Environment,
    /// The addresses that answers name.
    pub addresses: Addresses,
    /// What access tokens are for.
    pub resources: Resources,
    /// How often one address may come to the authorization server.
    pub oauth_limits: OauthLimits,
    /// How often somebody may try to sign in.
    pub sign_in_limits: SignInLimits,
    /// What is signed that travels through browsers: the same on all nodes.
    pub browser_secret: [u8; 32],
    /// The proxies in front.
    pub hops: TrustedHops,
    /// Where checks may go.
    pub policy: AddressPolicy,
    /// What counts.
    pub metering: Metering,
}

impl std::fmt::Debug for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parts")
            .field("environment", &self.environment)
            .field("addresses", &self.addresses)
            .finish_non_exhaustive()
    }
}

/// What counts on the way of a request.
#[derive(Clone)]
pub struct Metering {
    /// Lets requests in.
    pub limiter: Arc<dyn RateLimiter>,
    /// Keeps answers for a while.
    pub cache: Arc<dyn ResponseCache>,
    /// Charges and logs.
    pub meter: Arc<dyn CreditMeter>,
}

impl std::fmt::Debug for Metering {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Metering").finish_non_exhaustive()
    }
}

/// The API of a node. Every worker thread configures its service from it.
#[derive(Clone)]
pub struct App {
    kit: Kit,
    database: Database,
    supervisor: Supervisor,
    clock: Port<dyn Clock>,
    switchboard: Port<dyn Switchboard>,
    scopes: Port<EffectiveScopes>,
    catalogue: Port<Catalogue>,
    policy: Port<AddressPolicy>,
    workspaces: Port<dyn WorkspaceStore>,
    domains: Port<dyn DomainStore>,
    credits: Port<dyn CreditStore>,
    quotas: Port<dyn QuotaStore>,
    monitors: Port<dyn MonitorStore>,
    checks: Port<dyn CheckStore>,
    incidents: Port<dyn IncidentStore>,
    history: Port<dyn HistoryStore>,
    certificates: Port<dyn CertificateStore>,
    runs: Port<dyn RunStore>,
    registrations: Port<dyn RegistrationStore>,
    reporters: Port<ModuleReporters>,
    cache: Port<dyn ResponseCache>,
    authorization: Port<AuthorizationServer>,
    discovery: Discovery,
    console: Console,
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
        Ok(Self::serving(registry_with(parts.oauth_limits)?, parts, clock))
    }

    /// Wires a node that serves these operations.
    #[must_use]
    pub fn serving(registry: Registry, parts: Parts, clock: Arc<dyn Clock>) -> Self {
        let Parts {
            database,
            stores,
            listener,
            supervisor,
            environment,
            addresses,
            resources,
            oauth_limits,
            sign_in_limits,
            browser_secret,
            hops,
            policy,
            metering:
                Metering {
                    limiter,
                    cache,
                    meter,
                },
        } = parts;
        let last_used = Arc::new(LastUsed::default());
        let cache_port = Port(Arc::clone(&cache));
        let scopes = EffectiveScopes::of(&registry);
        let catalogue = Catalogue::of(&registry);
        let discovery = Discovery::new(&resources, &addresses.docs_url);
        let authorization = Arc::new(AuthorizationServer::new(
            resources,
            format!("{}{CONSENT_PATH}", addresses.base_url),
            ClientBook::new(stores.oauth_clients, listener.invalidation()),
            Arc::clone(&stores.oauth_grants),
            KeyRing::new(stores.oauth_signing_keys, listener.invalidation()),
            HandleKey::new(&browser_secret),
            Arc::clone(&clock),
        ));
        let console = Console::new(console::Parts {
            desk: Arc::new(SignInDesk::new(
                stores.sign_in,
                Arc::clone(&limiter),
                sign_in_limits,
                Arc::clone(&clock),
            )),
            server: Arc::clone(&authorization),
            grants: Arc::clone(&stores.oauth_grants),
            limiter: Arc::clone(&limiter),
            consents_per_hour: oauth_limits.consent,
            clock: Arc::clone(&clock),
            hops,
            base_url: addresses.base_url.clone(),
            browser_secret,
        });
        let authenticator = CredentialAuthenticator::new(
            Credentials {
                environment,
                keys: stores.credentials.clone(),
                server: Arc::clone(&authorization),
                grants: stores.oauth_grants,
            },
            Arc::clone(&clock),
            listener.invalidation(),
            Arc::clone(&last_used),
        );
        let reporters = ModuleReporters::new(vec![Arc::new(UptimeReporter::new(
            Arc::clone(&stores.monitors),
            Arc::clone(&stores.history),
            Arc::clone(&stores.certificates),
        ))]);
        let switchboard: Arc<dyn Switchboard> = Arc::new(Panel(listener.panel()));
        Self {
            kit: Kit {
                registry: Arc::new(registry),
                authenticator: Arc::new(authenticator),
                switchboard: Arc::clone(&switchboard),
                limiter,
                cache,
                meter,
                replays: stores.replays,
                clock: Arc::clone(&clock),
                hops,
                addresses: Arc::new(addresses),
                flights: Flights::default(),
            },
            database,
            supervisor,
            clock: Port(clock),
            switchboard: Port(switchboard),
            scopes: Port(Arc::new(scopes)),
            catalogue: Port(Arc::new(catalogue)),
            policy: Port(Arc::new(policy)),
            workspaces: Port(stores.workspaces),
            domains: Port(stores.domains),
            credits: Port(stores.credits),
            quotas: Port(stores.quotas),
            monitors: Port(stores.monitors),
            checks: Port(stores.checks),
            incidents: Port(stores.incidents),
            history: Port(stores.history),
            certificates: Port(stores.certificates),
            runs: Port(stores.runs),
            registrations: Port(stores.registrations),
            reporters: Port(Arc::new(reporters)),
            cache: cache_port,
            authorization: Port(authorization),
            discovery,
            console,
            last_used,
            _listener: listener,
        }
    }

    /// Serves on a socket, by so many threads or one a core.
    ///
    /// # Errors
    /// The socket can't be listened on.
    pub fn listen(&self, socket: TcpListener, workers: Option<usize>) -> std::io::Result<Server> {
        let app = self.clone();
        let mut server = HttpServer::new(move || {
            let app = app.clone();
            ActixApp::new().configure(move |config| app.configure(config))
        })
        .disable_signals()
        .client_request_timeout(READ_HEAD_WITHIN)
        .shutdown_timeout(DRAIN.as_secs())
        // Whoever hangs up waits for nothing: the work ends, and gives its place among the heavy queries back.
        .h1_allow_half_closed(false);
        if let Some(workers) = workers {
            server = server.workers(workers);
        }
        Ok(server.listen(socket)?.run())
    }

    /// Mounts everything on an actix application.
    pub fn configure(&self, config: &mut ServiceConfig) {
        probes::configure(config, self.database.clone(), self.supervisor.clone());
        config
            .app_data(self.clock.clone())
            .app_data(self.switchboard.clone())
            .app_data(self.scopes.clone())
            .app_data(self.catalogue.clone())
            .app_data(self.policy.clone())
            .app_data(self.workspaces.clone())
            .app_data(self.domains.clone())
            .app_data(self.credits.clone())
            .app_data(self.quotas.clone())
            .app_data(self.monitors.clone())
            .app_data(self.checks.clone())
            .app_data(self.incidents.clone())
            .app_data(self.history.clone())
            .app_data(self.certificates.clone())
            .app_data(self.runs.clone())
            .app_data(self.registrations.clone())
            .app_data(self.reporters.clone())
            .app_data(self.cache.clone())
            .app_data(self.authorization.clone());
        self.discovery
            .configure(config, Arc::clone(&self.authorization.0));
        self.console.configure(config);
        service::configure(config, self.kit.clone());
    }

    /// The authorization server of this node.
    #[must_use]
    pub fn authorization(&self) -> Arc<AuthorizationServer> {
        Arc::clone(&self.authorization.0)
    }

    /// When keys were last used, still to be written.
    #[must_use]
    pub fn last_used(&self) -> Arc<LastUsed> {
        Arc::clone(&self.last_used)
    }
}
