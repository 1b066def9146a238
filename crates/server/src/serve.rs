//! The roles of a node, and its end.

use std::{io::Write, net::TcpListener, sync::Arc, time::Duration};

use actix_web::{App as ActixApp, HttpServer, dev::ServerHandle};
use anyhow::Context;
use pharos_domain::clock::{Clock, SystemClock};
use pharos_http::source::TrustedHops;
use pharos_persistence::{
    listener::Listener,
    pool::{Database, DatabaseOptions},
    stores::Stores,
};
use pharos_uptime::{
    address_policy::AddressPolicy,
    probe::{NameResolver, ProbeLimits, Prober, TrustAnchors},
    scheduler::Scheduler,
};
use tokio::{
    signal::unix::{SignalKind, signal},
    task::JoinHandle,
    time::{interval, sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::{
    app::{App, Parts},
    config::{Config, Role},
    database::{Server, Sharing},
    demo,
};

/// How long an end by Ctrl-C takes at most, the database's own time aside.
const QUICK: Duration = Duration::from_secs(2);
/// How long an end by SIGTERM lets requests and checks run on.
const DRAIN: Duration = Duration::from_secs(25);
/// How often the use of keys is written.
const FLUSH: Duration = Duration::from_secs(5);

/// Serves until a signal comes.
///
/// # Errors
/// What kept the node from starting, or ended it.
pub fn run(mut config: Config, with_demo: bool) -> anyhow::Result<()> {
    // First of all, since a port that is taken should not cost the start of a database.
    let socket = if config.roles.contains(&Role::Api) {
        let socket = TcpListener::bind(config.listen).with_context(|| {
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
        ..DatabaseOptions::default()
    };
    let database = Database::connect(server.url(), &options)
        .await
        .context("the database can't be used")?;
    database
        .migrate()
        .await
        .context("the database can't be brought up to date")?;
    let stores = Stores::new(&database);
    let listener = Arc::new(Listener::start(&database).await?);

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
    let parts = Parts {
        database,
        stores: stores.clone(),
        listener,
        environment: config.environment,
        addresses: config.addresses(),
        hops: TrustedHops(config.trusted_hops),
        policy: policy.clone(),
    };
    let app = App::new(parts, Arc::clone(&clock))?;

    let (stop, abandon) = (CancellationToken::new(), CancellationToken::new());
    let scheduler = if config.roles.contains(&Role::Scheduler) {
        let scheduler = Scheduler {
            store: stores.schedule.clone(),
            prober: Arc::new(prober(config, policy)?),
            clock: Arc::clone(&clock),
            region: config.region.clone(),
            concurrency: config.check_concurrency,
        };
        // Registered here too, so that the demo's monitor finds its region.
        scheduler
            .store
            .register_region(&config.region, clock.now())
            .await?;
        Some(scheduler)
    } else {
        None
    };
    let welcome = match &site {
        Some(site) => Some(demo::prepare(&stores, config, site, clock.now()).await?),
        None => None,
    };
    let checks = scheduler.map(|scheduler| tokio::spawn(scheduler.run(stop.clone(), abandon.clone())));
    let http = match socket {
        Some(socket) => Some(http(config, &app, socket)?),
        None => None,
    };
    let flusher = tokio::spawn(flush(app.clone(), stores.clone(), stop.clone()));
    match (&welcome, &http) {
        // Nobody may be reading; that is no reason not to serve.
        (Some(welcome), Some(_)) => drop(writeln!(std::io::stdout(), "{welcome}")),
        (_, Some(_)) => tracing::info!(listen = %config.listen, "Pharos serves the API"),
        _ => tracing::info!(region = config.region, "Pharos runs checks"),
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
        () = end(http, checks, flusher, within) => {}
        _ = interrupt.recv() => tracing::warn!("stopped at once"),
    }
    ended.map(|_| ())
}

fn prober(config: &Config, policy: AddressPolicy) -> anyhow::Result<Prober> {
    let mut trust = TrustAnchors::web();
    if let Some(file) = &config.probe_roots {
        let pem = std::fs::read(file).with_context(|| format!("probe_roots {}", file.display()))?;
        trust = trust
            .with_extra(&pem)
            .with_context(|| format!("probe_roots {}", file.display()))?;
    }
    let resolver = NameResolver::system().context("the system's name servers can't be read")?;
    Ok(Prober::new(resolver, policy, &trust, ProbeLimits::default())?)
}

type Http = (ServerHandle, JoinHandle<std::io::Result<()>>);

fn http(config: &Config, app: &App, socket: TcpListener) -> anyhow::Result<Http> {
    let app = app.clone();
    let mut server = HttpServer::new(move || {
        let app = app.clone();
        ActixApp::new().configure(move |config| app.configure(config))
    })
    .disable_signals()
    .client_request_timeout(Duration::from_secs(10))
    .shutdown_timeout(DRAIN.as_secs());
    if let Some(workers) = config.workers {
        server = server.workers(workers);
    }
    let server = server.listen(socket)?.run();
    Ok((server.handle(), actix_web::rt::spawn(server)))
}

/// Writes when keys were last used, now and then and at the end.
async fn flush(app: App, stores: Stores, stop: CancellationToken) {
    let last_used = app.last_used();
    loop {
        let stopping = timeout(FLUSH, stop.cancelled()).await.is_ok();
        if let Err(error) = last_used.flush(&*stores.credentials).await {
            tracing::warn!(%error, "the use of keys can't be written at the moment");
        }
        if stopping {
            return;
        }
    }
}

async fn end(http: Option<Http>, checks: Option<JoinHandle<()>>, flusher: JoinHandle<()>, within: Duration) {
    if let Some((handle, running)) = http {
        if timeout(within, handle.stop(true)).await.is_err() {
            handle.stop(false).await;
        }
        let _ = timeout(Duration::from_secs(1), running).await;
    }
    if let Some(checks) = checks {
        let _ = timeout(within + QUICK, checks).await;
    }
    let _ = timeout(Duration::from_secs(1), flusher).await;
}
