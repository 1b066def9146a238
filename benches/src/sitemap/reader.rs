//! Whoever reads the files: a process of its own, so that its memory is that of reading and storing alone.

use std::{
    io::{self, BufRead, BufReader, Write},
    net::SocketAddr,
    os::unix::process::CommandExt,
    process::{Child, ChildStdout, Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use pharos_crawl::{
    caller::Caller,
    sitemap::monitor::{checker::SitemapChecker, fetch::SitemapClient, sample::Sampler, site::CheckCounts},
};
use pharos_domain::{clock::SystemClock, ids::DomainId};
use pharos_egress::{address_policy::AddressPolicy, resolver::NameResolver, trust::TrustAnchors};
use pharos_persistence::pool::Database;
use pharos_server::groups::{database_options, ports};
use serde::{Deserialize, Serialize};
use tokio::runtime::Runtime;
use uuid::Uuid;

use super::{counter::Counter, files::Pages};
use crate::{machine, serve::DATABASE_URL};

/// A check here goes through all files, however long that takes.
const BUDGET: Duration = Duration::from_secs(24 * 60 * 60);

/// The arguments of the process that reads.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where the site listens
    address: SocketAddr,
    /// The domain whose sitemaps they are; without one pages are counted and not stored
    #[arg(long)]
    domain: Option<Uuid>,
}

/// A check that is over, as the process tells it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Said {
    pub(super) seconds: f64,
    /// The most that the process has held so far, in bytes.
    pub(super) memory: u64,
    pub(super) files: u64,
    pub(super) failed: u64,
    /// The pages that were counted; of a check that stores them the database has them.
    pub(super) pages: u64,
    pub(super) digest: u64,
}

/// Checks the site once for each line that it is told, and says in a line what came of it.
pub(crate) fn run(args: &Args) -> Result<()> {
    let runtime = Runtime::new()?;
    let mut line = String::new();
    while io::stdin().read_line(&mut line)? > 0 {
        line.clear();
        let said = runtime.block_on(once(args))?;
        let mut output = io::stdout();
        writeln!(output, "{}", serde_json::to_string(&said)?)?;
        output.flush()?;
    }
    Ok(())
}

async fn once(args: &Args) -> Result<Said> {
    let counter = Arc::new(Counter::default());
    let (domain, checker) = match args.domain {
        Some(domain) => (DomainId(domain), storing(args.address).await?),
        None => (DomainId(Uuid::nil()), counting(args.address, &counter)?),
    };
    let base = format!("http://{}/", args.address);
    let began = Instant::now();
    let end = checker.check(domain, &base, None).await?;
    let seconds = began.elapsed().as_secs_f64();
    let end = end.context("the domain is gone")?;
    if !end.is_whole {
        bail!("the check was cut off");
    }
    let CheckCounts { files, failed, .. } = end.counts;
    let Pages { count, digest } = counter.pages();
    Ok(Said {
        seconds,
        memory: machine::most_memory(std::process::id())?,
        files,
        failed,
        pages: count,
        digest,
    })
}

/// A checker as a node has it, but for the pause between two requests to a server.
async fn storing(address: SocketAddr) -> Result<SitemapChecker> {
    let url = std::env::var(DATABASE_URL).context("no database")?;
    let ports = ports(&Database::connect(&url, &database_options()).await?);
    let (client, sampler) = clients(address)?;
    Ok(SitemapChecker {
        client,
        clock: Arc::new(SystemClock),
        archive: ports.get()?,
        conflicts: ports.get()?,
        languages: ports.get()?,
        figures: ports.get()?,
        hosts: ports.get()?,
        sampler,
        samples: ports.get()?,
        budget: BUDGET,
    })
}

fn counting(address: SocketAddr, counter: &Arc<Counter>) -> Result<SitemapChecker> {
    let (client, sampler) = clients(address)?;
    Ok(SitemapChecker {
        client,
        clock: Arc::new(SystemClock),
        archive: counter.clone(),
        conflicts: counter.clone(),
        languages: counter.clone(),
        figures: counter.clone(),
        hosts: counter.clone(),
        sampler,
        samples: counter.clone(),
        budget: BUDGET,
    })
}

fn clients(address: SocketAddr) -> Result<(Arc<SitemapClient>, Arc<Sampler>)> {
    let policy = AddressPolicy::public().permitting_exactly(address);
    let (resolver, trust) = (NameResolver::system()?, TrustAnchors::web());
    let caller = Caller::with_page("https://pharos.example/docs/crawler");
    let sampler = Sampler::new(&caller, resolver.clone(), policy.clone(), &trust, Duration::ZERO)?;
    let client = SitemapClient::new(&caller, resolver, policy, &trust, Duration::ZERO)?;
    Ok((Arc::new(client), Arc::new(sampler)))
}

/// The running process. Dropped, it is gone.
pub(super) struct Reader {
    process: Child,
    said: BufReader<ChildStdout>,
}

impl Reader {
    /// Starts it. With a domain and the address of a database it stores what it reads.
    pub(super) fn start(address: SocketAddr, stores: Option<(Uuid, &str)>) -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("sitemap-read").arg(address.to_string());
        if let Some((domain, database_url)) = stores {
            command
                .args(["--domain", &domain.to_string()])
                .env(DATABASE_URL, database_url);
        }
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .context("the reader can't be started")?;
        let said = process.stdout.take().context("the reader says nothing")?;
        Ok(Self {
            process,
            said: BufReader::new(said),
        })
    }

    /// Has it check the site once.
    pub(super) fn check(&mut self) -> Result<Said> {
        let input = self
            .process
            .stdin
            .as_mut()
            .context("a reader that hears nothing")?;
        writeln!(input).context("the reader is gone")?;
        let mut line = String::new();
        self.said.read_line(&mut line)?;
        serde_json::from_str(&line).context("the reader failed")
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
