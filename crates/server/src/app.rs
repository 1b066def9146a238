//! The ports, wired.

use std::{net::TcpListener, sync::Arc, time::Duration};

use actix_web::{
    App as ActixApp, HttpServer,
    dev::Server,
    http::header,
    middleware::{DefaultHeaders, from_fn},
    web::ServiceConfig,
};
use pharos_artefacts::{links::Links, store::Artefacts};
use pharos_auth::{
    authenticator::{CredentialAuthenticator, Credentials},
    keys::secret::Environment,
    last_used::LastUsed,
    oauth::{
        client_book::ClientBook, handle::HandleKey, key_ring::KeyRing, limits::OauthLimits,
        resource::Resources, server::AuthorizationServer, store::GrantStore,
    },
    sign_in::desk::{SignInDesk, SignInLimits},
};
use pharos_auth_api::oauth::Discovery;
use pharos_console::console::{self, Accounts, CONSENT_PATH, Console};
use pharos_domain::{
    clock::Clock,
    identity::TrustedHops,
    kept_answers::KeptAnswers,
    on_behalf::OnBehalf,
    ports::Ports,
    refusals::RefusalLog,
    switches::{Switchboard, Switches},
};
use pharos_egress::address_policy::AddressPolicy;
use pharos_http::{
    answer::Addresses,
    catalogue::Catalogue,
    effective::EffectiveScopes,
    flights::Flights,
    kit::Kit,
    metering::{CachedAnswers, CreditMeter, RateLimiter, ResponseCache},
    pages::Pages,
    registry::Registry,
    service,
};
use pharos_ingest::client::Agents;
use pharos_ingest_api::Collection;
use pharos_mcp::http::McpServer;
use pharos_metering::refusals::Refusals;
use pharos_persistence::{listener::Listener, pool::Database, switch_panel::SwitchPanel};
use pharos_reporting::results::Results;
use pharos_supervisor::Supervisor;
use rustls::ServerConfig;
use url::Url;

use crate::{artefacts, connection, groups, guides, probes, registry::registry_with};

/// How long requests and checks may run on after SIGTERM.
pub const DRAIN: Duration = Duration::from_secs(25);
/// How long the head of a request may take to arrive.
const READ_HEAD_WITHIN: Duration = Duration::from_secs(10);
/// How long browsers use TLS alone, in seconds: a year, as with the proxies of `deploy/`.
const KEEPS_TO_TLS: &str = "max-age=31536000";
/// The name of the shared secret by which MCP servers name their callers to the API.
pub const MCP_SECRET: &str = "callers of MCP servers";
/// The name of the shared secret that signs authorization requests and the tokens of forms.
pub const BROWSER_SECRET: &str = "browser requests";

/// The ports, services and settings that a node is wired from.
#[derive(Clone)]
pub struct Parts {
    /// The pools that all stores share.
    pub database: Database,
    /// The ports on it.
    pub ports: Ports,
    /// Hears of changes that other nodes make.
    pub listener: Arc<Listener>,
    /// Runs the background tasks.
    pub supervisor: Supervisor,
    /// Which keys are accepted.
    pub environment: Environment,
    /// The addresses that answers name.
    pub addresses: Addresses,
    /// The resources that access tokens are for.
    pub resources: Resources,
    /// How often one address may request something of the authorization server.
    pub oauth_limits: OauthLimits,
    /// How often somebody may try to sign in.
    pub sign_in_limits: SignInLimits,
    /// Signs authorization requests and the tokens of forms: the same on all nodes.
    pub browser_secret: [u8; 32],
    /// The proxies in front.
    pub hops: TrustedHops,
    /// Verifies whom MCP servers ask for.
    pub on_behalf: OnBehalf,
    /// Where checks may go.
    pub policy: AddressPolicy,
    /// The limiter, the response cache and the credit meter.
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

/// The services that count, keep and charge requests.
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
    authorization: Arc<AuthorizationServer>,
    discovery: Discovery,
    console: Console,
    last_used: Arc<LastUsed>,
    refusals: Arc<Refusals>,
    collection: Option<Collection>,
    mcp: Option<McpServer>,
    artefacts: (Arc<Artefacts>, Arc<Links>),
    /// Whether the public API and the console are served.
    has_api: bool,
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
        Self::serving(registry_with(parts.oauth_limits)?, parts, clock)
    }

    /// Wires a node that serves these operations.
    ///
    /// # Errors
    /// An operation, a reporter or the server itself needs a port that is missing, or a port was added twice.
    pub fn serving(registry: Registry, parts: Parts, clock: Arc<dyn Clock>) -> anyhow::Result<Self> {
        let Parts {
            database,
            ports,
            listener,
            supervisor,
            environment,
            addresses,
            resources,
            oauth_limits,
            sign_in_limits,
            browser_secret,
            hops,
            on_behalf,
            policy,
            metering:
                Metering {
                    limiter,
                    cache,
                    meter,
                },
        } = parts;
        ports.added_once()?;
        let grants = ports.get::<dyn GrantStore>()?;
        let last_used = Arc::new(LastUsed::default());
        let refusals = Arc::new(Refusals::default());
        let scopes = EffectiveScopes::of(&registry);
        let catalogue = Catalogue::of(&registry);
        let discovery = Discovery::new(&resources, &addresses.docs_url);
        let authorization = Arc::new(AuthorizationServer::new(
            resources,
            format!("{}{CONSENT_PATH}", addresses.base_url),
            ClientBook::new(ports.get()?, listener.invalidation()),
            Arc::clone(&grants),
            KeyRing::new(ports.get()?, listener.invalidation()),
            HandleKey::new(&browser_secret),
            Arc::clone(&clock),
        ));
        let ports = ports.with(Arc::clone(&clock));
        let ports = ports.clone().with(Arc::new(groups::reporters(&ports)?));
        let report_catalogue = Arc::new(groups::report_catalogue(&ports)?);
        let alert_metrics = groups::alert_metrics(&ports)?;
        let console = Console::new(console::Parts {
            accounts: Accounts::new(&ports, environment)?,
            desk: Arc::new(SignInDesk::new(
                ports.get()?,
                (ports.get()?, ports.get()?),
                limiter.clone(),
                sign_in_limits,
                Arc::clone(&clock),
            )),
            browsers: Arc::new(Agents::default()),
            server: Arc::clone(&authorization),
            grants: Arc::clone(&grants),
            reach: ports.get()?,
            link_mailer: ports.get().ok(),
            sites: ports.get()?,
            monitors: console::Monitors::new(&ports)?,
            crawl: console::Crawl::new(&ports)?,
            widgets: Arc::clone(&report_catalogue),
            lab: ports.get()?,
            runs: ports.get()?,
            reports: console::Reports::new(&ports)?,
            links: ports.get()?,
            alerts: ports.get()?,
            experiments: ports.get()?,
            notifications: ports.get()?,
            rules: ports.get()?,
            alert_metrics: alert_metrics.clone(),
            channels: ports.get()?,
            jobs: ports.get()?,
            collection: console::Collection::new(&ports)?,
            search: console::Search::new(&ports)?,
            answers: Arc::new(CachedAnswers(Arc::clone(&cache))),
            policy: policy.clone(),
            domains: ports.get()?,
            ownership: ports.get()?,
            site_keys: ports.get()?,
            switches: ports.get()?,
            unsubscribe: ports.get()?,
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
                keys: ports.get()?,
                server: Arc::clone(&authorization),
                grants,
            },
            Arc::clone(&clock),
            listener.invalidation(),
            Arc::clone(&last_used),
        );
        let kept: (Arc<Artefacts>, Arc<Links>) = (ports.get()?, ports.get()?);
        let results = Results::new(Artefacts::clone(&kept.0));
        let switchboard: Arc<dyn Switchboard> = Arc::new(Panel(listener.panel()));
        let ports = ports
            .with(report_catalogue)
            .with(Arc::new(results))
            .with(Arc::clone(&switchboard))
            .with(Arc::clone(&cache))
            .with(Arc::clone(&authorization))
            .with(Arc::new(scopes))
            .with(Arc::new(catalogue))
            .with(Arc::new(policy))
            .with(Arc::new(alert_metrics));
        registry.check_ports(&ports)?;
        Ok(Self {
            kit: Kit {
                registry: Arc::new(registry),
                pages: Arc::new(Pages::new(guides::pages)),
                authenticator: Arc::new(authenticator),
                switchboard,
                limiter,
                cache,
                meter,
                replays: ports.get()?,
                refusals: Arc::clone(&refusals) as Arc<dyn RefusalLog>,
                clock,
                hops,
                on_behalf,
                addresses: Arc::new(addresses),
                ports,
                flights: Flights::default(),
                metrics: Arc::default(),
            },
            database,
            supervisor,
            authorization,
            discovery,
            console,
            last_used,
            refusals,
            collection: None,
            mcp: None,
            artefacts: kept,
            has_api: true,
            _listener: listener,
        })
    }

    /// The same with the routes of collection.
    #[must_use]
    pub fn collecting(self, collection: Collection) -> Self {
        Self {
            collection: Some(collection),
            ..self
        }
    }

    /// The same with the MCP server.
    #[must_use]
    pub fn assisting(self, mcp: McpServer) -> Self {
        Self {
            mcp: Some(mcp),
            ..self
        }
    }

    /// The same without the public API and the console.
    #[must_use]
    pub fn without_api(self) -> Self {
        Self {
            has_api: false,
            ..self
        }
    }

    /// Serves on a socket, with so many threads, or one a core.
    ///
    /// # Errors
    /// The socket can't be listened on.
    pub fn listen(&self, socket: TcpListener, workers: Option<usize>) -> std::io::Result<Server> {
        self.listen_on(socket, None, workers)
    }

    /// The same on a second socket by TLS, where there is one.
    ///
    /// # Errors
    /// A socket can't be listened on.
    pub fn listen_on(
        &self,
        socket: TcpListener,
        tls: Option<(TcpListener, ServerConfig)>,
        workers: Option<usize>,
    ) -> std::io::Result<Server> {
        let app = self.clone();
        let keeps_to_tls = tls.is_some() && self.has_its_host();
        let mut server = HttpServer::new(move || {
            let app = app.clone();
            let mut headers = DefaultHeaders::new();
            if keeps_to_tls {
                headers = headers.add((header::STRICT_TRANSPORT_SECURITY, KEEPS_TO_TLS));
            }
            ActixApp::new()
                .wrap(from_fn(connection::bound))
                .wrap(headers)
                .configure(move |config| app.configure(config))
        })
        .on_connect(connection::count)
        .disable_signals()
        .client_request_timeout(READ_HEAD_WITHIN)
        .shutdown_timeout(DRAIN.as_secs())
        // A client that hangs up ends its request: the work stops, and gives its permit back.
        .h1_allow_half_closed(false);
        if let Some(workers) = workers {
            server = server.workers(workers);
        }
        server = server.listen(socket)?;
        if let Some((socket, config)) = tls {
            server = server.listen_rustls_0_23(socket, config)?;
        }
        Ok(server.run())
    }

    /// Whether callers reach this node at the standard port. At another port its host may also have sites without TLS, which
    /// browsers would no longer open.
    fn has_its_host(&self) -> bool {
        Url::parse(&self.kit.addresses.base_url).is_ok_and(|url| url.port().is_none())
    }

    /// Mounts everything on an actix application.
    pub fn configure(&self, config: &mut ServiceConfig) {
        probes::configure(config, self.database.clone(), self.supervisor.clone());
        if let Some(collection) = &self.collection {
            collection.configure(config);
        }
        if let Some(mcp) = &self.mcp {
            mcp.configure(config);
        }
        if !self.has_api {
            return;
        }
        let (kept, links) = self.artefacts.clone();
        artefacts::configure(config, kept, links, Arc::clone(&self.kit.clock));
        self.discovery.configure(config, Arc::clone(&self.authorization));
        self.console.configure(config);
        service::configure(config, self.kit.clone());
    }

    /// The authorization server of this node.
    #[must_use]
    pub fn authorization(&self) -> Arc<AuthorizationServer> {
        Arc::clone(&self.authorization)
    }

    /// The cached answers of this node, for background work that outdates them.
    #[must_use]
    pub fn answers(&self) -> Arc<dyn KeptAnswers> {
        Arc::new(CachedAnswers(Arc::clone(&self.kit.cache)))
    }

    /// When keys were last used, still to be written.
    #[must_use]
    pub fn last_used(&self) -> Arc<LastUsed> {
        Arc::clone(&self.last_used)
    }

    /// The refused requests that are still to be written.
    #[must_use]
    pub fn refusals(&self) -> Arc<Refusals> {
        Arc::clone(&self.refusals)
    }
}
