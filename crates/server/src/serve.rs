//! The roles of a node, and its end.

use std::{
    io::Write,
    net::{SocketAddr, TcpListener},
    sync::Arc,
    time::Duration,
};

use actix_web::dev::ServerHandle;
use anyhow::Context;
use pharos_domain::clock::{Clock, SystemClock};
use pharos_http::source::TrustedHops;
use pharos_metering::credits::meter::Running;
use pharos_persistence::{
    listener::Listener,
    migrate::SCHEMAS,
    pool::{Database, DatabaseOptions},
};
use pharos_supervisor::Supervisor;
use pharos_uptime::address_policy::AddressPolicy;
use socket2::{Domain, Protocol, Socket, Type};
use tokio::{
    signal::unix::{SignalKind, signal},
    task::JoinHandle,
    time::{interval, sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::{
    app::{App, BROWSER_SECRET, DRAIN, Parts},
    background::Background,
    config::{Config, Role},
    database::{Server, Sharing},
    demo,
    groups::database_options,
    metering,
    stores::Stores,
};

/// How long an end by Ctrl-C takes at most, the database's own time aside.
const QUICK: Duration = Duration::from_secs(2);
/// How long a statement of a request may run. Longer than a duplicate waits for the request with its key.
const ANSWERS_WITHIN: Duration = Duration::from_secs(12);
/// How long a statement of the work behind may run.
const WORKS_WITHIN: Duration = Duration::from_secs(60);

/// Serves until a signal comes.
///
/// # Errors
/// What kept the node from starting, or ended it.
pub fn run(mut config: Config, with_demo: bool) -> anyhow::Result<()> {
    // First of all, since a port that is taken should not cost the start of a database.
    let socket = if config.roles.contains(&Role::Api) {
        let socket = listen(config.listen).with_context(|| {
            format!(
                "can't listen on {}; choose another address with --listen",
                config.listen
            )
        })?;
        config.listen = socket.local_addr()?;
        Some(socket)
    } else {
        None
    };
    let mut server = Server::open(&config, Sharing::Refused)?;
    // Checks run on all cores; each worker of the API has a runtime of its own besides.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the runtime can't be started")?;
    let system = actix_web::rt::System::with_tokio_rt(|| runtime);
    let served = system.block_on(node(&config, with_demo, socket, &mut server));
    drop(system);
    server.close();
    served
}

async fn node(
    config: &Config,
    with_demo: bool,
    socket: Option<TcpListener>,
    server: &mut Server,
) -> anyhow::Result<()> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let options = DatabaseOptions {
        pool_size: config.database_connections,
        long_reads: config.long_read_connections,
        statement_timeout: ANSWERS_WITHIN,
        ..database_options()
    };
    let database = Database::connect(server.url(), &options)
        .await
        .context("the database can't be used")?;
    database
        .migrate(SCHEMAS)
        .await
        .context("the database can't be brought up to date")?;
    let stores = Stores::new(&database);
    // However much is asked of the API, this goes on.
    let options = DatabaseOptions {
        pool_size: config.background_connections,
        statement_timeout: WORKS_WITHIN,
        ..options
    };
    let behind = Database::connect(server.url(), &options)
        .await
        .context("the database can't be used")?;
    let stores_behind = Stores::new(&behind);
    let supervisor = Supervisor::default();
    let listener = Arc::new(Listener::start(&behind, &supervisor).await?);

    let mut policy = AddressPolicy::public();
    if !config.probe_networks.is_empty() {
        policy = policy.permitting(config.probe_networks.clone());
    }
    let site = if with_demo {
        Some(demo::site::Site::start()?)
    } else {
        None
    };
    if let Some(site) = &site {
        policy = site.permit(policy);
    }
    let (counting, tallies) = metering::start(config, &database, &stores, &clock, &supervisor).await?;
    let (bell, cache) = (listener.jobs(), Arc::clone(&counting.cache));
    let parts = Parts {
        database: database.clone(),
        stores: stores.clone(),
        listener,
        supervisor: supervisor.clone(),
        environment: config.environment,
        addresses: config.addresses(),
        resources: config.resources(),
        oauth_limits: config.into(),
        sign_in_limits: config.into(),
        browser_secret: database.shared_secret(BROWSER_SECRET).await?,
        hops: TrustedHops(config.trusted_hops),
        policy: policy.clone(),
        metering: counting,
    };
    let app = App::new(parts, Arc::clone(&clock))?;

    let (stop, abandon) = (CancellationToken::new(), CancellationToken::new());
    if config.roles.contains(&Role::Scheduler) {
        // Registered here too, so that the demo's monitor finds its region.
        stores
            .schedule
            .register_region(&config.place(), clock.now())
            .await?;
    }
    let welcome = match &site {
        Some(site) => Some(demo::prepare(&stores, config, site, clock.now()).await?),
        None => None,
    };
    let background = Background {
        config,
        database: behind,
        stores: &stores_behind,
        bell,
        cache,
        policy,
        last_used: app.last_used(),
        clock,
    };
    let work = background.start(&supervisor, &stop, &abandon)?;
    let http = match socket {
        Some(socket) => Some(http(config, &app, socket)?),
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
        () = end(http, work, tallies, within) => {}
        _ = interrupt.recv() => tracing::warn!("stopped at once"),
    }
    ended.map(|_| ())
}

/// How many connections may wait to be accepted. The standard library has 128 wait; the next one of a burst would try
/// again after a second. The kernel's own limit (net.core.somaxconn) is 4,096.
const BACKLOG: i32 = 4_096;

/// A socket that listens at the address.
///
/// # Errors
/// The address can't be had.
pub fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    // Connections that have ended keep no server from starting again.
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    Ok(socket.into())
}

type Http = (ServerHandle, JoinHandle<std::io::Result<()>>);

fn http(config: &Config, app: &App, socket: TcpListener) -> anyhow::Result<Http> {
    let server = app.listen(socket, config.workers)?;
    Ok((server.handle(), actix_web::rt::spawn(server)))
}

async fn end(http: Option<Http>, work: Vec<JoinHandle<()>>, tallies: Running, within: Duration) {
    if let Some((handle, running)) = http {
        if timeout(within, handle.stop(true)).await.is_err() {
            handle.stop(false).await;
        }
        let _ = timeout(Duration::from_secs(1), running).await;
    }
    // Nothing is answered any more: what was answered gets its rows.
    let _ = timeout(QUICK + QUICK, tallies.stop()).await;
    for work in work {
        let _ = timeout(within + QUICK, work).await;
    }
}
