//! The roles of a node, and its end.

use std::{
    io::Write,
    net::{SocketAddr, TcpListener},
    sync::Arc,
    time::Duration,
};

use actix_web::dev::ServerHandle;
use anyhow::Context;
use pharos_domain::{clock::Clock, hourly_limit::HourlyLimiter, identity::TrustedHops, on_behalf::OnBehalf};
use pharos_egress::address_policy::AddressPolicy;
use pharos_mcp::http::McpServer;
use pharos_metering::credits::meter::Running;
use pharos_persistence::{
    clock::DatabaseClock,
    listener::Listener,
    pool::{Database, DatabaseOptions},
};
use pharos_supervisor::{Supervisor, Task};
use pharos_uptime::schedule::ScheduleStore;
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    task::JoinHandle,
    time::{interval, sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::{
    app::{App, BROWSER_SECRET, DRAIN, MCP_SECRET, Parts},
    artefacts::{self, Keeping, LINK_SECRET},
    background::Background,
    beside,
    collection::{self, RunningCollection},
    config::Config,
    database::{Server, Sharing},
    demo,
    groups::{self, SCHEMAS, database_options},
    metering,
    metrics::{Admin, Sampled, families},
    reload::{Reload, Reread},
    role::Role,
    sentence::sentence,
    settings::variable,
    socket::listen,
    tls::{CertificateFiles, Presented},
    traces::Traces,
};

const CLOCK: Task = Task::aside("clock");

/// How long an end by Ctrl-C takes at most, the database's own time aside.
const QUICK: Duration = Duration::from_secs(2);
/// How long a statement of a request may run. Longer than a duplicate waits for the request with its key.
const ANSWERS_WITHIN: Duration = Duration::from_secs(12);
/// How long a statement of the work behind may run.
const WORKS_WITHIN: Duration = Duration::from_secs(60);

/// Serves until a signal comes. On SIGHUP it has `reread` read the configuration, and takes of it what needs no restart.
///
/// # Errors
/// The node could not start, two crates describe one metric, or ended by itself.
pub fn run(mut config: Config, with_demo: bool, reread: &Reread<'_>) -> anyhow::Result<()> {
    families::families()?;
    let reload = Reload::new(reread, &config);
    // Before the rest, since a port that is taken should not cost the start of a database.
    let answers = [Role::Api, Role::Ingest, Role::Mcp]
        .iter()
        .any(|role| config.roles.contains(role));
    let sockets = if answers {
        let plain = listen(config.listen).with_context(|| {
            format!(
                "can't listen on {}; choose another address with --listen",
                config.listen
            )
        })?;
        config.listen = plain.local_addr()?;
        let tls = config.tls().map(Tls::open).transpose()?;
        Some(Sockets { plain, tls })
    } else {
        None
    };
    let admin = config.admin_address.map(Admin::open).transpose()?;
    let mut server = Server::open(&config, Sharing::Refused)?;
    if sockets.is_some()
        && let Err(error) = beside::note(&config)
    {
        let error = sentence(&error);
        tracing::warn!(error, "commands beside this node don't know its address");
    }
    // Checks run on all cores; each worker of the API has a runtime of its own besides.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the runtime can't be started")?;
    let system = actix_web::rt::System::with_tokio_rt(|| runtime);
    let served = system.block_on(node(&config, with_demo, &reload, sockets, admin, &mut server));
    drop(system);
    server.close();
    served
}

async fn node(
    config: &Config,
    with_demo: bool,
    reload: &Reload<'_>,
    sockets: Option<Sockets>,
    admin: Option<Admin>,
    server: &mut Server,
) -> anyhow::Result<()> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    // Before the databases, so that a mistake costs no look at them.
    let traces = Traces::open(config).context("nothing can be traced like that")?;
    let opened = databases_unless_stopped(config, server.url(), &mut interrupt, &mut terminate).await?;
    let Some((database, behind)) = opened else {
        return Ok(());
    };
    let addresses = config.addresses();
    let (link_secret, place) = (database.shared_secret(LINK_SECRET).await?, config.lab_place());
    let artefacts = artefacts::open(config)?;
    let keeping = Keeping {
        folder: &config.data_folder,
        artefacts: &artefacts,
        secret_key: config.secret_key.as_ref(),
        link_secret: &link_secret,
        base_url: &addresses.base_url,
        place: &place,
    };
    let ports = keeping.add_to(groups::ports(&database))?;
    let ports_behind = keeping.add_to(groups::ports(&behind))?;
    let supervisor = Supervisor::default();
    let exporter = traces.map(|traces| traces.start(&supervisor));
    let (stop, abandon) = (CancellationToken::new(), CancellationToken::new());
    let of_database = Arc::new(
        DatabaseClock::of(behind.clone())
            .await
            .context("the database does not tell the time")?,
    );
    let (kept, stopping) = (Arc::clone(&of_database), stop.clone());
    supervisor.spawn(CLOCK, &stop, move || {
        let (kept, stopping) = (Arc::clone(&kept), stopping.clone());
        async move { kept.run(stopping).await }
    });
    let clock: Arc<dyn Clock> = of_database;
    let listener = Arc::new(Listener::start(&behind, &supervisor).await?);

    let mut policy = address_policy(config);
    let site = if with_demo {
        Some(demo::site::Site::start()?)
    } else {
        None
    };
    let google = match &site {
        Some(site) => Some(demo::google::Google::start(site)?),
        None => None,
    };
    let config = &google
        .as_ref()
        .map_or_else(|| config.clone(), |google| google.configured(config));
    if let Some(google) = &google {
        policy = google.permit(policy);
    }
    if let Some(site) = &site {
        policy = demo::site::permit_measuring(site.permit(policy), config.listen);
    }
    let ports = groups::with_outgoing(ports, config, &policy)?;
    let ports_behind = groups::with_outgoing(ports_behind, config, &policy)?;
    let (counting, counters) = metering::start(config, &database, &ports, &clock, &supervisor).await?;
    let (bell, lab_bell, schedule_bells) = (listener.jobs(), listener.jobs(), listener.schedule());
    let cache = Arc::clone(&counting.cache);
    let limiter: Arc<dyn HourlyLimiter> = counting.limiter.clone();
    let (collection, collecting) = if config.roles.contains(&Role::Ingest) {
        let (collection, running) =
            collection::start(config, server.url(), limiter, &clock, &supervisor).await?;
        (Some(collection), Some(running))
    } else {
        (None, None)
    };
    let sampled = Sampled {
        collection: collecting
            .as_ref()
            .map(|running| (running.collector(), running.database())),
        database: database.clone(),
        behind: behind.clone(),
        listener: Arc::clone(&listener),
        queues: counters.queues(),
    };
    let on_behalf = match &config.mcp_secret {
        Some(secret) => OnBehalf::sharing(secret.reveal().as_bytes()),
        None => OnBehalf::sharing(&database.shared_secret(MCP_SECRET).await?),
    };
    let parts = Parts {
        database: database.clone(),
        ports,
        listener,
        supervisor: supervisor.clone(),
        environment: config.environment,
        addresses: config.addresses(),
        resources: config.resources(),
        oauth_limits: config.into(),
        sign_in_limits: config.into(),
        browser_secret: database.shared_secret(BROWSER_SECRET).await?,
        hops: TrustedHops(config.trusted_hops),
        on_behalf: on_behalf.clone(),
        policy: policy.clone(),
        metering: counting,
    };
    let mut app = App::new(parts, Arc::clone(&clock))?;
    if let Some(collection) = collection {
        app = app.collecting(collection);
    }
    if config.roles.contains(&Role::Mcp) {
        app = app.assisting(McpServer::new(&config.mcp(on_behalf))?);
    }
    if !config.roles.contains(&Role::Api) {
        app = app.without_api();
    }

    if config.roles.contains(&Role::Scheduler) {
        // Registered here too, so that the demo's monitor finds its region.
        ports_behind
            .get::<dyn ScheduleStore>()?
            .register_region(&config.place(), clock.now())
            .await?;
    }
    let welcome = match &site {
        Some(site) => {
            // The months of the history that the demo generates.
            behind
                .ensure_partitions(demo::begin_of_history(clock.now()))
                .await?;
            let parts = groups::demo_parts();
            Some(demo::prepare(&ports_behind, &behind, config, site, parts, clock.now()).await?)
        }
        None => None,
    };
    let background = Background {
        config,
        database: behind,
        ports: ports_behind,
        bell,
        lab_bell,
        schedule_bells,
        cache,
        policy,
        last_used: app.last_used(),
        refusals: app.refusals(),
        clock,
    };
    let work = background.start(&supervisor, &stop, &abandon)?;
    let admin = match admin {
        Some(admin) => Some(admin.start(sampled, &supervisor, &stop)?),
        None => None,
    };
    let presented = sockets
        .as_ref()
        .and_then(|sockets| Some(Arc::clone(&sockets.tls.as_ref()?.presented)));
    let http = match sockets {
        Some(sockets) => Some(http(config, &app, sockets)?),
        None => None,
    };
    match (&welcome, &http) {
        // Nobody may be reading; that is no reason not to serve.
        (Some(welcome), Some(_)) => drop(writeln!(std::io::stdout(), "{welcome}")),
        (_, Some(_)) => tracing::info!(listen = %config.listen, "Pharos serves the API"),
        _ => tracing::info!(region = config.region, "Pharos works"),
    }

    let mut watch = interval(Duration::from_secs(1));
    let ended = loop {
        tokio::select! {
            _ = interrupt.recv() => break Ok(QUICK),
            _ = terminate.recv() => break Ok(DRAIN),
            _ = hangup.recv() => reload.run(presented.as_deref()),
            _ = watch.tick() => if let Server::Own(own) = server && own.has_ended() {
                break Err(anyhow::anyhow!("PostgreSQL ended by itself; start Pharos again, and it recovers"));
            },
        }
    };
    let within = *ended.as_ref().unwrap_or(&QUICK);
    tracing::info!("stopping");
    stop.cancel();
    tokio::spawn(async move {
        sleep(within).await;
        abandon.cancel();
    });
    tokio::select! {
        () = end(http, work, counters, collecting, within) => {}
        _ = interrupt.recv() => tracing::warn!("stopped at once"),
    }
    if let Some(exporter) = exporter {
        exporter.stop().await;
    }
    if let Some(admin) = admin {
        admin.stop(false).await;
    }
    ended.map(|_| ())
}

/// The databases of a node; `None` where a signal came before they were ready.
async fn databases_unless_stopped(
    config: &Config,
    url: &str,
    interrupt: &mut Signal,
    terminate: &mut Signal,
) -> anyhow::Result<Option<(Database, Database)>> {
    let stop = CancellationToken::new();
    let mut opening = Box::pin(databases(config, url, &stop));
    tokio::select! {
        opened = &mut opening => return opened.map(Some),
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    stop.cancel();
    tracing::info!("stopping; of the schema nothing is left half done, and the next start goes on with it");
    if let Err(error) = opening.await {
        let error = sentence(&error);
        tracing::debug!(error, "the databases were not opened");
    }
    Ok(None)
}

/// The database of requests, brought up to date, and that of the work behind them. Each has pools of its own: however much is
/// asked of the API, the work goes on. That of the work has a pool for claims, too, which no work holds.
///
/// # Errors
/// The database can't be used, or can't be brought up to date, before `stop` is cancelled or because it is.
pub async fn databases(
    config: &Config,
    url: &str,
    stop: &CancellationToken,
) -> anyhow::Result<(Database, Database)> {
    let options = DatabaseOptions {
        pool_size: config.database_connections,
        long_reads: config.long_read_connections,
        statement_timeout: ANSWERS_WITHIN,
        ..database_options()
    };
    let requests = Database::connect(url, &options)
        .await
        .context("the database can't be used")?;
    requests
        .migrate_until(SCHEMAS, stop)
        .await
        .context("the database can't be brought up to date")?;
    let options = DatabaseOptions {
        pool_size: config.background_connections,
        claims: Some(config.claim_connections),
        statement_timeout: WORKS_WITHIN,
        pools: "background",
        ..options
    };
    let behind = Database::connect(url, &options)
        .await
        .context("the database can't be used")?;
    Ok((requests, behind))
}

/// The sockets that requests come in by.
struct Sockets {
    plain: TcpListener,
    tls: Option<Tls>,
}

/// A socket that TLS is spoken on, and the certificate that it presents.
struct Tls {
    socket: TcpListener,
    presented: Arc<Presented>,
}

impl Tls {
    fn open((address, files): (SocketAddr, CertificateFiles)) -> anyhow::Result<Self> {
        let presented = Arc::new(Presented::open(files)?);
        let socket = listen(address).with_context(|| {
            let setting = variable("tls_listen");
            format!("can't listen on {address}; choose another address with {setting}")
        })?;
        Ok(Self { socket, presented })
    }
}

type Http = (ServerHandle, JoinHandle<std::io::Result<()>>);

fn http(config: &Config, app: &App, Sockets { plain, tls }: Sockets) -> anyhow::Result<Http> {
    let tls = match tls {
        Some(Tls { socket, presented }) => Some((socket, presented.server_config()?)),
        None => None,
    };
    let server = app.listen_on(plain, tls, config.workers)?;
    Ok((server.handle(), actix_web::rt::spawn(server)))
}

async fn end(
    http: Option<Http>,
    work: Vec<JoinHandle<()>>,
    counters: Running,
    collecting: Option<RunningCollection>,
    within: Duration,
) {
    if let Some((handle, running)) = http {
        if timeout(within, handle.stop(true)).await.is_err() {
            handle.stop(false).await;
        }
        let _ = timeout(Duration::from_secs(1), running).await;
    }
    // Nothing is answered any more: what was answered gets its rows.
    let _ = timeout(QUICK + QUICK, counters.stop()).await;
    // Whoever hung up is answered by nobody, and their beacons still wait.
    if let Some(collecting) = collecting {
        let _ = timeout(within + QUICK, collecting.stop()).await;
    }
    for work in work {
        let _ = timeout(within + QUICK, work).await;
    }
}

/// Where requests may go: the internet, and the private networks that are configured.
pub(crate) fn address_policy(config: &Config) -> AddressPolicy {
    let policy = AddressPolicy::public();
    if config.probe_networks.is_empty() {
        policy
    } else {
        policy.permitting(config.probe_networks.clone())
    }
}
