//! A node with users, apps and what they granted them.

use std::{
    net::{SocketAddr, TcpListener},
    sync::Arc,
};

use anyhow::{Context, Result};
use async_trait::async_trait;
use pharos_account::admin::{users::UserAdmin, workspaces::WorkspaceAdmin};
use pharos_auth::{
    authenticator::{CredentialAuthenticator, Credentials},
    keys::{
        manage::{self, KeyRequest, KeyStore},
        secret::Environment,
    },
    last_used::LastUsed,
    oauth::{
        client::AuthMethod,
        limits::OauthLimits,
        parameters::Parameters,
        resource::Resources,
        server::{AuthorizationServer, Proof},
        token::Tokens,
    },
    sign_in::desk::SignInLimits,
};
use pharos_domain::{
    audit::Actor,
    clock::{Clock, SystemClock},
    hourly_limit::{HourlyAdmission, HourlyLimit, HourlyLimiter, HourlyRequest},
    identity::TrustedHops,
    ids::{UserId, WorkspaceId},
    on_behalf::OnBehalf,
    ports::Ports,
    scope::Tier,
};
use pharos_egress::address_policy::AddressPolicy;
use pharos_http::{
    answer::Addresses,
    metering::{Admission, LimitRequest, RateLimiter, Standing},
};
use pharos_metering::{
    cache::memory::MemoryResponseCache, credits::meter::Meter, limits::memory::MemoryRateLimiter,
};
use pharos_persistence::{listener::Listener, pool::Database};
use pharos_server::{
    app::{App, Metering, Parts},
    artefacts::{self, Keeping},
    config::Config,
    groups::{self, SCHEMAS, database_options},
};
use pharos_supervisor::Supervisor;
use time::OffsetDateTime;
use url::Url;

use super::{
    chains::{Chain, Chains},
    checks::Checks,
};

/// RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const REDIRECT_URI: &str = "https://app.example/callback";

/// Counts, and lets everybody in.
struct Unlimited(MemoryRateLimiter);

#[async_trait]
impl RateLimiter for Unlimited {
    async fn admit(&self, request: &LimitRequest) -> Admission {
        self.0.admit(request).await
    }

    async fn standing(&self, request: &LimitRequest) -> Option<Standing> {
        self.0.standing(request).await
    }
}

#[async_trait]
impl HourlyLimiter for Unlimited {
    async fn admit_hourly(&self, request: &HourlyRequest<'_>) -> HourlyAdmission {
        let limit = HourlyLimit {
            per_hour: u32::MAX,
            ..request.limit
        };
        self.0.admit_hourly(&HourlyRequest { limit, ..*request }).await
    }
}

/// The node, and whom it knows.
pub(super) struct Installation {
    address: SocketAddr,
    ports: Ports,
    listener: Arc<Listener>,
    server: Arc<AuthorizationServer>,
    user: UserId,
    workspace: WorkspaceId,
}

impl Installation {
    pub(super) async fn start(database_url: &str) -> Result<Self> {
        let database = Database::connect(database_url, &database_options()).await?;
        database.migrate(SCHEMAS).await?;
        let socket = TcpListener::bind("127.0.0.1:0")?;
        let address = socket.local_addr()?;
        let base_url = format!("http://{address}");
        let config = Config {
            artefacts_folder: Some(std::env::temp_dir().join("pharos-bench/artefacts")),
            ..Config::default()
        };
        let keeping = Keeping {
            folder: &std::env::temp_dir().join("pharos-bench"),
            artefacts: &artefacts::open(&config)?,
            secret_key: None,
            link_secret: &[7; 32],
            base_url: &base_url,
            place: &config.lab_place(),
        };
        let ports = keeping.add_to(groups::ports(&database))?;
        let ports = groups::with_outgoing(ports, &config, &AddressPolicy::public())?;
        let supervisor = Supervisor::default();
        let listener = Arc::new(Listener::start(&database, &supervisor).await?);
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let (meter, _) = Meter::start(ports.get()?, &supervisor)?;
        let parts = Parts {
            database,
            ports: ports.clone(),
            listener: Arc::clone(&listener),
            supervisor,
            environment: Environment::Development,
            resources: Resources::at(&base_url),
            oauth_limits: OauthLimits::default(),
            sign_in_limits: SignInLimits::default(),
            browser_secret: [7; 32],
            addresses: Addresses {
                docs_url: format!("{base_url}/docs"),
                base_url,
            },
            hops: TrustedHops(0),
            on_behalf: OnBehalf::sharing(&[9; 32]),
            policy: AddressPolicy::public(),
            metering: Metering {
                limiter: Arc::new(Unlimited(MemoryRateLimiter::new())),
                cache: Arc::new(MemoryResponseCache::new(1 << 20, Arc::clone(&clock))),
                meter,
            },
        };
        let app = App::new(parts, clock)?;
        let server = app.authorization();
        std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move { app.listen(socket, Some(2))?.await })
        });
        let (actor, now) = (Actor::command_line("bench"), OffsetDateTime::now_utc());
        let user = ports
            .get::<dyn UserAdmin>()?
            .create("user@example.org", "User", &actor, now)
            .await?
            .id;
        let workspaces = ports.get::<dyn WorkspaceAdmin>()?;
        let workspace = workspaces.create("Bench", user, "default", &actor, now).await?.id;
        Ok(Self {
            address,
            ports,
            listener,
            server,
            user,
            workspace,
        })
    }

    /// Each chain is a client of its own.
    pub(super) async fn chains(&self, chains: usize) -> Result<Chains> {
        let mut begun = Vec::new();
        for _ in 0..chains {
            let (client_id, tokens) = self.connect().await?;
            begun.push(Chain {
                client_id,
                refresh_token: tokens.refresh_token,
                links: 0,
            });
        }
        Ok(Chains::new(self.address, begun))
    }

    pub(super) async fn checks(&self) -> Result<Checks> {
        let (_, tokens) = self.connect().await?;
        let request = KeyRequest {
            workspace: self.workspace,
            creator: self.user,
            name: "bench".to_owned(),
            scopes: Tier::Read.scopes(),
            expires_at: None,
            allowlist: None,
        };
        let actor = Actor::command_line("bench");
        let now = OffsetDateTime::now_utc();
        let (_, secret) = manage::create(
            &*self.ports.get::<dyn KeyStore>()?,
            Environment::Development,
            &request,
            &actor,
            now,
        )
        .await?;
        let authenticator = CredentialAuthenticator::new(
            Credentials {
                environment: Environment::Development,
                keys: self.ports.get()?,
                server: Arc::clone(&self.server),
                grants: self.ports.get()?,
            },
            Arc::new(SystemClock),
            self.listener.invalidation(),
            Arc::new(LastUsed::default()),
        );
        Ok(Checks {
            authenticator: Arc::new(authenticator),
            key: secret.reveal().to_owned(),
            token: tokens.access_token,
        })
    }

    /// Registers an app, has the user agree, and exchanges the code.
    async fn connect(&self) -> Result<(String, Tokens)> {
        let body = serde_json::json!({ "redirect_uris": [REDIRECT_URI] });
        let client = self.server.register(body.to_string().as_bytes()).await?.client;
        let client_id = client.id.to_string();
        let resource = &self.server.resources().api;
        let query = form(&[
            ("response_type", "code"),
            ("client_id", &client_id),
            ("redirect_uri", REDIRECT_URI),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("resource", resource),
        ]);
        let consent = self.server.authorize(&query).await?;
        let handle = parameter(&consent, "request")?;
        let back = self
            .server
            .approve(&handle, self.user, Tier::Read.scopes(), vec![self.workspace])
            .await?;
        let code = parameter(&back, "code")?;
        let form = form(&[
            ("grant_type", "authorization_code"),
            ("code", &code),
            ("redirect_uri", REDIRECT_URI),
            ("code_verifier", VERIFIER),
            ("resource", resource),
        ]);
        let proof = Proof {
            method: AuthMethod::None,
            client_id: &client_id,
            secret: None,
        };
        let tokens = self.server.issue(&form, &proof).await?;
        Ok((client_id, tokens))
    }
}

fn form(pairs: &[(&str, &str)]) -> Parameters {
    let encoded = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(pairs)
        .finish();
    Parameters::parse(encoded.as_bytes())
}

fn parameter(url: &str, name: &str) -> Result<String> {
    let url = Url::parse(url)?;
    let mut pairs = url.query_pairs();
    let found = pairs
        .find(|(known, _)| known == name)
        .map(|(_, value)| value.into_owned());
    found.with_context(|| format!("{url} has no {name}"))
}
