//! The roles of a node, and its end.

use std::{io::Write, net::TcpListener, sync::Arc, time::Duration};

use actix_web::dev::ServerHandle;
use anyhow::Context;
use pharos_domain::clock::Clock;
use pharos_egress::address_policy::AddressPolicy;
use pharos_http::source::TrustedHops;
use pharos_metering::credits::meter::Running;
use pharos_persistence::{
    clock::DatabaseClock,
    listener::Listener,
    pool::{Database, DatabaseOptions},
};
use pharos_supervisor::{Supervisor, Task};
use pharos_uptime::schedule::ScheduleStore;
use tokio::{
    signal::unix::{SignalKind, signal},
    task::JoinHandle,
    time::{interval, sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::{
    app::{App, BROWSER_SECRET, DRAIN, Parts},
    background::Background,
    config::Config,
    database::{Server, Sharing},
    demo,
    groups::{self, SCHEMAS, database_options},
    metering,
    metrics::{Admin, Sampled, families},
    role::Role,
    socket::listen,
};

const CLOCK: Task = Task::aside("clock");

/// How long an end by Ctrl-C takes at most, the database's own time aside.
const QUICK: Duration = Duration::from_secs(2);
/// How long a statement of a request may run. Longer than a duplicate waits for the request with its key.
const ANSWERS_WITHIN: Duration = Duration::from_secs(12);
/// How long a statement of the work behind may run.
const WORKS_WITHIN: Duration = Duration::from_secs(60);

/// Serves until a signal comes.
///
/// # Errors
/// The node could not start, two crates describe one metric, or ended by itself.
pub fn run(mut config: Config, with_demo: bool) -> anyhow::Result<()> {
    families::families()?;
    // Before the rest, since a port that is taken should not cost the start of a database.
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
    let admin = config.admin_address.map(Admin::open).transpose()?;
    let mut server = Server::open(&config, Sharing::Refused)?;
    // Checks run on all cores; each worker of the API has a runtime of its own besides.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the runtime can't be started")?;
    let system = actix_web::rt::System::with_tokio_rt(|| runtime);
    let served = system.block_on(node(&config, with_demo, socket, admin, &mut server));
    drop(system);
    server.close();
    served
}

async fn node(
    config: &Config,
    with_demo: bool,
    socket: Option<TcpListener>,
    admin: Option<Admin>,
    server: &mut Server,
) -> anyhow::Result<()> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
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
    let ports = groups::ports(&database);
    // However much is asked of the API, this goes on.
    let options = DatabaseOptions {
        pool_size: config.background_connections,
        statement_timeout: WORKS_WITHIN,
        pools: "background",
        ..options
    };
    let behind = Database::connect(server.url(), &options)
        .await
        .context("the database can't be used")?;
    let ports_behind = groups::ports(&behind);
    let supervisor = Supervisor::default();
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
    let (counting, counters) = metering::start(config, &database, &ports, &clock, &supervisor).await?;
    let (bell, schedule_bells) = (listener.jobs(), listener.schedule());
    let cache = Arc::clone(&counting.cache);
    let sampled = Sampled {
        database: database.clone(),
        behind: behind.clone(),
        listener: Arc::clone(&listener),
        queues: counters.queues(),
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
        policy: policy.clone(),
        metering: counting,
    };
    let app = App::new(parts, Arc::clone(&clock))?;

    if config.roles.contains(&Role::Scheduler) {
        // Registered here too, so that the demo's monitor finds its region.
        ports_behind
            .get::<dyn ScheduleStore>()?
            .register_region(&config.place(), clock.now())
            .await?;
    }
    let welcome = match &site {
        Some(site) => Some(demo::prepare(&ports_behind, config, site, clock.now()).await?),
        None => None,
    };
    let background = Background {
        config,
        database: behind,
        ports: ports_behind,
        bell,
        schedule_bells,
        cache,
        policy,
        last_used: app.last_used(),
        clock,
    };
    let work = background.start(&supervisor, &stop, &abandon)?;
    let admin = match admin {
        Some(admin) => Some(admin.start(sampled, &supervisor, &stop)?),
        None => None,
    };
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
        () = end(http, work, counters, within) => {}
        _ = interrupt.recv() => tracing::warn!("stopped at once"),
    }
    if let Some(admin) = admin {
        admin.stop(false).await;
    }
    ended.map(|_| ())
}

type Http = (ServerHandle, JoinHandle<std::io::Result<()>>);

fn http(config: &Config, app: &App, socket: TcpListener) -> anyhow::Result<Http> {
    let server = app.listen(socket, config.workers)?;
    Ok((server.handle(), actix_web::rt::spawn(server)))
}

async fn end(http: Option<Http>, work: Vec<JoinHandle<()>>, counters: Running, within: Duration) {
    if let Some((handle, running)) = http {
        if timeout(within, handle.stop(true)).await.is_err() {
            handle.stop(false).await;
        }
        let _ = timeout(Duration::from_secs(1), running).await;
    }
    // Nothing is answered any more: what was answered gets its rows.
    let _ = timeout(QUICK + QUICK, counters.stop()).await;
    for work in work {
        let _ = timeout(within + QUICK, work).await;
    }
}
