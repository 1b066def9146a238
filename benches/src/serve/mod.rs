//! The servers that are compared, each run in a process of its own.

mod bare;
pub(crate) mod operations;
mod payloads;
mod pharos;
pub(crate) mod tables;

use std::{
    env,
    io::{BufRead, Write},
    net::TcpListener,
};

use actix_web::{App, HttpServer, dev::ServerHandle, rt::System, web::ServiceConfig};
use anyhow::{Context, Result};
use clap::ValueEnum;
use tokio::sync::oneshot;

/// Where the databases are.
pub(crate) const DATABASE_URL: &str = "PHAROS_BENCH_DATABASE_URL";
pub(crate) const REDIS_URL: &str = "PHAROS_BENCH_REDIS_URL";

/// Said to a server: finish. And its answer.
pub(crate) const STOP: &str = "stop";
pub(crate) const STOPPED: &str = "stopped";

const WORKERS: usize = 2;

/// The servers that can be measured: Pharos, and bases to compare it with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Variant {
    /// A ready body.
    Bare,
    /// The same after one INCR in Redis, on one connection that all share.
    BareIncr,
    /// A row of PostgreSQL, read on a pool.
    BareRead,
    /// The same row, read on connections that a worker's requests share.
    BarePipelined,
    /// A transaction that charges, on a pool.
    BareCharge,
    /// Pharos, counting in memory.
    Pharos,
    /// The same with a credit log that nobody writes.
    PharosUnlogged,
    /// Pharos, counting in memory, with a cache that has no room. It starts when a day does.
    PharosUncached,
    /// Pharos, counting and caching in Redis, with a credit log that nobody writes.
    PharosRedisUnlogged,
    /// Beacons, stored in groups as they are.
    BareCollect,
    /// The collection of Pharos.
    Collect,
}

impl Variant {
    /// The name on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value()
            .map(|value| value.get_name().to_owned())
            .unwrap_or_default()
    }
}

/// Serves until the parent says so, or is gone.
pub(crate) fn run(variant: Variant) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    System::with_tokio_rt(|| runtime).block_on(serve(variant))
}

async fn serve(variant: Variant) -> Result<()> {
    let socket = pharos_server::socket::listen(([127, 0, 0, 1], 0).into())?;
    let address = socket.local_addr()?;
    let database_url = variable(DATABASE_URL)?;
    let redis_url = variable(REDIS_URL)?;
    let (mut node, mut collection) = (None, None);
    let handle = match variant {
        Variant::Bare => listen(socket, bare::ready)?,
        Variant::BareIncr => {
            let redis = bare::Incr::connect(&redis_url).await?;
            listen(socket, move |config| redis.configure(config))?
        }
        Variant::BareRead => {
            let pool = bare::pool(&database_url)?;
            listen(socket, move |config| bare::reads(config, &pool))?
        }
        Variant::BarePipelined => listen(socket, move |config| bare::pipelined(config, &database_url))?,
        Variant::BareCharge => {
            let charges = bare::Charges::connect(bare::pool(&database_url)?).await?;
            listen(socket, move |config| charges.configure(config))?
        }
        Variant::Pharos
        | Variant::PharosUnlogged
        | Variant::PharosUncached
        | Variant::PharosRedisUnlogged => {
            let started = pharos::Node::start(variant, address, &database_url, &redis_url).await?;
            let app = started.app.clone();
            node = Some(started);
            listen(socket, move |config| app.configure(config))?
        }
        Variant::BareCollect => {
            let collecting = bare::Collecting::start(&database_url).await?;
            listen(socket, move |config| collecting.configure(config))?
        }
        Variant::Collect => {
            let (routes, running) = pharos::start_collection(&database_url).await?;
            collection = Some(running);
            listen(socket, move |config| routes.configure(config))?
        }
    };
    say(&address.to_string())?;
    told_to_stop().await?;
    handle.stop(true).await;
    if let Some(node) = node {
        node.stop().await;
    }
    if let Some(collection) = collection {
        collection.stop().await;
    }
    say(STOPPED)
}

fn variable(name: &str) -> Result<String> {
    env::var(name).with_context(|| format!("{name} is not set; run `cargo xtask bench`"))
}

fn listen(
    socket: TcpListener,
    configure: impl Fn(&mut ServiceConfig) + Clone + Send + 'static,
) -> Result<ServerHandle> {
    let server = HttpServer::new(move || App::new().configure(configure.clone()))
        .workers(WORKERS)
        .disable_signals()
        .listen(socket)?
        .run();
    let handle = server.handle();
    actix_web::rt::spawn(server);
    Ok(handle)
}

fn say(line: &str) -> Result<()> {
    let mut output = std::io::stdout().lock();
    writeln!(output, "{line}")?;
    Ok(output.flush()?)
}

/// Waits for the word of the parent. Where the parent ends without it, so does this process, at once.
async fn told_to_stop() -> Result<()> {
    let (tell, told) = oneshot::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(read) if read > 0 => drop(tell.send(())),
            _ => std::process::exit(0),
        }
    });
    told.await.context("the parent can't be heard")
}
