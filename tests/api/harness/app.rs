//! A server of one's own, on a database of one's own.

use std::{
    collections::BTreeMap,
    net::{SocketAddr, TcpListener},
    path::Path,
    sync::Arc,
    time::Duration,
};

use actix_web::dev::ServerHandle;
use pharos_account::admin::plans::Plan;
use pharos_artefacts::store::Artefacts;
use pharos_auth::{
    keys::secret::Environment,
    oauth::{limits::OauthLimits, resource::Resources, server::AuthorizationServer},
    sign_in::{desk::SignInLimits, link_mail::LinkMailer},
};
use pharos_domain::{
    clock::{Clock, ManualClock},
    identity::TrustedHops,
    kept_answers::KeptAnswers,
    on_behalf::OnBehalf,
    ports::Ports,
};
use pharos_egress::{address_policy::AddressPolicy, trust::TrustAnchors};
use pharos_http::{answer::Addresses, operation::Operation, registry::Registry};
use pharos_mcp::http::McpServer;
use pharos_metering::{
    cache::{memory::MemoryResponseCache, redis::RedisResponseCache},
    credits::meter::Meter,
    limits::{memory::MemoryRateLimiter, redis::RedisRateLimiter},
    redis::Redis,
};
use pharos_persistence::{
    listener::Listener,
    pool::{Database, DatabaseOptions},
    testing::{TestDatabase, look},
};
use pharos_server::{
    app::{App, Metering, Parts},
    artefacts::Keeping,
    config::Config,
    groups::{SCHEMAS, database_options, open_operations, operations, ports, with_outgoing},
};
use pharos_supervisor::Supervisor;
use pharos_tests::stores::Stores;
use pharos_uptime::store::MonitorStore;
use time::{OffsetDateTime, macros::datetime};
use tokio::time::{Instant, sleep};

use super::{Request, World, actor};

/// As long something may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// How an app differs from the usual one.
#[derive(Default)]
pub(crate) struct Options {
    hops: usize,
    extra: Vec<Operation>,
    redis: Option<String>,
    oauth_limits: OauthLimits,
    sign_in_limits: SignInLimits,
    wrap: Option<Box<Wrap>>,
    artefacts: Option<Artefacts>,
    supervisor: Supervisor,
}

/// Puts something between an app and its ports.
type Wrap = dyn FnOnce(Ports) -> Ports + Send;

/// A running server.
pub(crate) struct TestApp {
    pub(crate) address: SocketAddr,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) stores: Stores,
    pub(crate) app: App,
    pub(crate) world: World,
    pub(crate) database: TestDatabase,
    handle: ServerHandle,
}

impl TestApp {
    /// A server with one workspace, its owner and one domain.
    pub(crate) async fn start() -> Self {
        Self::start_with(Options::default()).await
    }

    /// The same behind proxies.
    pub(crate) async fn behind(hops: usize) -> Self {
        Self::start_with(Options {
            hops,
            ..Options::default()
        })
        .await
    }

    /// The same with operations that Pharos does not have.
    pub(crate) async fn with(extra: Vec<Operation>) -> Self {
        Self::start_with(Options {
            extra,
            ..Options::default()
        })
        .await
    }

    /// The same with another store of artefacts than the folder that all apps share.
    pub(crate) async fn keeping(artefacts: Artefacts) -> Self {
        Self::start_with(Options {
            artefacts: Some(artefacts),
            ..Options::default()
        })
        .await
    }

    /// The same with limits and cache on Redis.
    pub(crate) async fn on_redis(url: &str, extra: Vec<Operation>) -> Self {
        Self::start_with(Options {
            extra,
            redis: Some(url.to_owned()),
            ..Options::default()
        })
        .await
    }

    /// The same with other limits of whoever is not known yet.
    pub(crate) async fn limited(oauth_limits: OauthLimits, sign_in_limits: SignInLimits) -> Self {
        Self::start_with(Options {
            oauth_limits,
            sign_in_limits,
            ..Options::default()
        })
        .await
    }

    /// The same with other limits of sign-in, and a mail server for links.
    pub(crate) async fn mailing(sign_in_limits: SignInLimits, mailer: Arc<dyn LinkMailer>) -> Self {
        Self::start_with(Options {
            sign_in_limits,
            wrap: Some(Box::new(|ports: Ports| ports.with(mailer))),
            ..Options::default()
        })
        .await
    }

    /// The same with a store of monitors that `wrap` makes of the usual one. The app's `stores` stay as they are.
    pub(crate) async fn with_monitors(
        wrap: impl FnOnce(Arc<dyn MonitorStore>) -> Arc<dyn MonitorStore> + Send + 'static,
    ) -> Self {
        Self::supervised_by(Supervisor::default(), |ports| {
            let monitors = ports.get().unwrap();
            ports.with_instead(wrap(monitors))
        })
        .await
    }

    /// The same with background tasks that `supervisor` runs, on ports that `wrap` makes of the usual ones.
    pub(crate) async fn supervised_by(
        supervisor: Supervisor,
        wrap: impl FnOnce(Ports) -> Ports + Send + 'static,
    ) -> Self {
        Self::start_with(Options {
            supervisor,
            wrap: Some(Box::new(wrap)),
            ..Options::default()
        })
        .await
    }

    /// Another node on the same database, with caches of its own.
    pub(crate) async fn sibling(&self) -> Sibling {
        self.sibling_for(Resources::at(&format!("http://{}", self.address)))
            .await
    }

    /// The same for other resources.
    pub(crate) async fn sibling_for(&self, resources: Resources) -> Sibling {
        let socket = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = socket.local_addr().unwrap();
        let (app, _) = wire(
            &mut Options::default(),
            self.database.url(),
            resources,
            &self.clock,
        )
        .await;
        Sibling {
            address,
            handle: serve(app.clone(), socket),
            app,
        }
    }

    /// The app's authorization server.
    pub(crate) fn authorization(&self) -> Arc<AuthorizationServer> {
        self.app.authorization()
    }

    async fn start_with(mut options: Options) -> Self {
        let database = TestDatabase::create(SCHEMAS)
            .await
            .expect("PHAROS_TEST_DATABASE_URL; run `cargo xtask test`");
        let clock = Arc::new(ManualClock::at(datetime!(2026-03-31 09:15:00 UTC)));
        let socket = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = socket.local_addr().unwrap();
        let base_url = format!("http://{address}");
        let resources = Resources::at(&base_url);
        let (app, stores) = wire(&mut options, database.url(), resources, &clock).await;
        let handle = serve(app.clone(), socket);
        let world = World::create(&stores, clock.now()).await;
        Self {
            address,
            clock,
            stores,
            app,
            world,
            database,
            handle,
        }
    }

    /// Runs SQL on the app's database, as nobody outside a test would.
    pub(crate) async fn sql(&self, statement: &str) -> Vec<Vec<Option<String>>> {
        look(self.database.url(), statement).await.unwrap()
    }

    /// Waits until a condition of SQL holds.
    pub(crate) async fn reaches(&self, condition: &str) {
        self.reaches_within(PATIENCE, condition).await;
    }

    /// Waits that long until a condition of SQL holds.
    pub(crate) async fn reaches_within(&self, patience: Duration, condition: &str) {
        let deadline = Instant::now() + patience;
        loop {
            let rows = self.sql(&format!("SELECT ({condition})::text")).await;
            if rows[0][0].as_deref() == Some("true") {
                return;
            }
            assert!(Instant::now() < deadline, "{condition} does not come about");
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Moves the world's workspace to a plan that grants so many credits a cycle.
    pub(crate) async fn grant(&self, credits: i64) {
        let plan = Plan {
            key: format!("grants-{credits}"),
            name: "Grants".to_owned(),
            credits_per_cycle: credits,
            modules: pharos_domain::module::Module::ALL.to_vec(),
            quotas: BTreeMap::new(),
        };
        self.stores.plans.put(&plan, &actor(), self.now()).await.unwrap();
        self.stores
            .workspace_admin
            .set_plan(self.world.workspace, &plan.key, &actor(), self.now())
            .await
            .unwrap();
    }

    /// The answers that the app keeps.
    pub(crate) fn answers(&self) -> Arc<dyn KeptAnswers> {
        self.app.answers()
    }

    /// The time of the app's clock.
    pub(crate) fn now(&self) -> OffsetDateTime {
        self.clock.now()
    }

    /// Moves the world's workspace to a plan that has no module.
    pub(crate) async fn move_to_plan_without_uptime(&self) {
        let plan = Plan {
            key: "bare".to_owned(),
            name: "Bare".to_owned(),
            credits_per_cycle: 0,
            modules: Vec::new(),
            quotas: BTreeMap::new(),
        };
        self.stores.plans.put(&plan, &actor(), self.now()).await.unwrap();
        self.stores
            .workspace_admin
            .set_plan(self.world.workspace, "bare", &actor(), self.now())
            .await
            .unwrap();
    }

    /// A request to a path below the API's base, without a credential.
    pub(crate) fn request(&self, method: &str, path: &str) -> Request {
        Request::new(self.address, method, path)
    }

    /// GET with a key.
    pub(crate) fn get(&self, path: &str, key: &super::Key) -> Request {
        self.request("GET", path).key(key)
    }

    /// PUT with a key and a JSON body.
    pub(crate) fn put(&self, path: &str, key: &super::Key, body: &serde_json::Value) -> Request {
        self.request("PUT", path).key(key).json(body)
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        drop(self.handle.stop(false));
    }
}

/// A node besides the first.
pub(crate) struct Sibling {
    address: SocketAddr,
    app: App,
    handle: ServerHandle,
}

impl Sibling {
    /// The node's authorization server.
    pub(crate) fn authorization(&self) -> Arc<AuthorizationServer> {
        self.app.authorization()
    }

    /// A request to a path below the API's base, without a credential.
    pub(crate) fn request(&self, method: &str, path: &str) -> Request {
        Request::new(self.address, method, path)
    }
}

impl Drop for Sibling {
    fn drop(&mut self) {
        drop(self.handle.stop(false));
    }
}

/// A node on the database, and the stores that it was wired from.
async fn wire(
    options: &mut Options,
    database: &str,
    resources: Resources,
    clock: &Arc<ManualClock>,
) -> (App, Stores) {
    let pool = DatabaseOptions {
        pool_size: 4,
        ..database_options()
    };
    let connected = Database::connect(database, &pool).await.unwrap();
    let ports = ports(&connected);
    let listener = Arc::new(Listener::start(&connected, &options.supervisor).await.unwrap());
    let base_url = resources.issuer.clone();
    let artefacts = match options.artefacts.take() {
        Some(artefacts) => artefacts,
        None => Artefacts::in_folder(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("artefacts")).unwrap(),
    };
    let keeping = Keeping {
        // All apps share it: artefacts are named by ids that nothing else has.
        folder: Path::new(env!("CARGO_TARGET_TMPDIR")),
        artefacts: &artefacts,
        secret_key: None,
        link_secret: &[7; 32],
        base_url: &base_url,
        place: &Config::default().lab_place(),
    };
    let ports = keeping.add_to(ports).unwrap();
    let ports = with_outgoing(ports, &Config::default(), &AddressPolicy::public()).unwrap();
    let stores = Stores::of(&ports);
    let served = match options.wrap.take() {
        Some(wrap) => wrap(ports),
        None => ports,
    };
    let metering = metering(options, &served, clock).await;
    let parts = Parts {
        database: connected,
        ports: served,
        listener,
        supervisor: options.supervisor.clone(),
        environment: Environment::Development,
        resources,
        oauth_limits: options.oauth_limits,
        sign_in_limits: options.sign_in_limits,
        browser_secret: [7; 32],
        addresses: Addresses {
            docs_url: format!("{base_url}/docs"),
            base_url,
        },
        hops: TrustedHops(options.hops),
        on_behalf: OnBehalf::sharing(&[9; 32]),
        policy: AddressPolicy::public(),
        metering,
    };
    let mcp = pharos_mcp::http::Settings {
        api: parts.addresses.base_url.clone(),
        base_url: parts.addresses.base_url.clone(),
        resource: parts.resources.mcp.clone(),
        hops: TrustedHops(options.hops),
        on_behalf: Some(OnBehalf::sharing(&[9; 32])),
        trust: TrustAnchors::web(),
    };
    let limits = options.oauth_limits;
    let mut operations = operations();
    operations.append(&mut options.extra);
    let app = App::serving(
        Registry::with_open(operations, open_operations(limits)).unwrap(),
        parts,
        Arc::clone(clock) as Arc<dyn Clock>,
    )
    .unwrap();
    let mcp = McpServer::new(&mcp).unwrap();
    (app.assisting(mcp), stores)
}

async fn metering(options: &Options, ports: &Ports, clock: &Arc<ManualClock>) -> Metering {
    let (meter, _) = Meter::start(ports.get().unwrap(), &options.supervisor).unwrap();
    match &options.redis {
        Some(url) => {
            let redis = Redis::connect(url, &options.supervisor).await.unwrap();
            Metering {
                limiter: Arc::new(RedisRateLimiter::new(redis.clone(), &[7; 32])),
                cache: Arc::new(RedisResponseCache::new(redis)),
                meter,
            }
        }
        None => Metering {
            limiter: Arc::new(MemoryRateLimiter::new()),
            cache: Arc::new(MemoryResponseCache::new(
                1 << 20,
                Arc::clone(clock) as Arc<dyn Clock>,
            )),
            meter,
        },
    }
}

fn serve(app: App, socket: TcpListener) -> ServerHandle {
    let (send, receive) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            let server = app.listen(socket, Some(2)).unwrap();
            send.send(server.handle()).unwrap();
            server.await.unwrap();
        });
    });
    receive.recv().unwrap()
}
