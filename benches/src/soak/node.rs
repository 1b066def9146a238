//! The nodes of a run, as processes.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};

use crate::{
    machine,
    process::{self, Process, free_address},
    services::Services,
};

/// How long a node may take until it has ended.
const PATIENCE: Duration = Duration::from_secs(60);

/// A node that answers, collects, checks and works. Dropped, it is killed.
pub(super) struct Node {
    process: Process,
    pub(super) address: SocketAddr,
}

impl Node {
    /// Starts a node at a port that is free.
    pub(super) fn start(program: &Path, services: &Services) -> Result<Self> {
        Self::start_at(free_address()?, program, services)
    }

    /// Starts it, and returns once it is ready.
    pub(super) fn start_at(address: SocketAddr, program: &Path, services: &Services) -> Result<Self> {
        let mut command = command(program, services);
        command
            .args(["serve", "--roles", "api,ingest,scheduler,worker"])
            .args(["--listen", &address.to_string()]);
        let process = Process::start(&mut command, address, is_ready)?;
        Ok(Self { process, address })
    }

    /// The memory that it holds, in bytes.
    pub(super) fn memory(&self) -> Result<u64> {
        machine::memory(self.process.id())
    }

    /// Fails if it has ended.
    pub(super) fn is_alive(&mut self) -> Result<()> {
        match self.process.ended()? {
            Some(status) => bail!("a node ended by itself ({status})"),
            None => Ok(()),
        }
    }

    /// Ends it as a machine that fails does, which is how one ends that is dropped.
    pub(super) fn kill(self) -> SocketAddr {
        self.address
    }

    /// Has it finish what it does.
    pub(super) fn stop(mut self) -> Result<SocketAddr> {
        signal(self.process.id(), Signal::TERM)?;
        let deadline = Instant::now() + PATIENCE;
        while self.process.ended()?.is_none() {
            if Instant::now() > deadline {
                bail!("a node does not end");
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(self.address)
    }
}

/// Runs `pharos migrate` to its end.
pub(super) fn migrate(program: &Path, services: &Services) -> Result<()> {
    let status = command(program, services).arg("migrate").status()?;
    anyhow::ensure!(status.success(), "pharos migrate ended with {status}");
    Ok(())
}

/// Sends a signal to a process.
pub(super) fn signal(id: u32, signal: Signal) -> Result<()> {
    let id = Pid::from_raw(i32::try_from(id)?).context("a process has an id")?;
    Ok(kill_process(id, signal)?)
}

/// The program, with the settings of this run alone.
fn command(program: &Path, services: &Services) -> Command {
    let mut command = process::command(program);
    command
        .env("PHAROS_DATABASE_URL", services.database_url())
        .env("PHAROS_REDIS_URL", services.redis_url())
        .env("PHAROS_DATA_FOLDER", services.nodes_folder())
        .env("PHAROS_REGION", "local")
        // Each beacon comes from another address, as through a proxy.
        .env("PHAROS_TRUSTED_HOPS", "1")
        .env("PHAROS_COLLECT_ROWS_OF_SITE_PER_HOUR", "4000000000")
        // Nothing answers there: no run asks IANA.
        .env("PHAROS_RDAP_BOOTSTRAP_URL", "http://127.0.0.1:9/dns.json")
        .env("PHAROS_LOG", "error");
    command
}

fn is_ready(address: SocketAddr) -> bool {
    let mut answer = [0; 12];
    TcpStream::connect(address)
        .and_then(|mut stream| {
            stream.set_read_timeout(Some(Duration::from_secs(5)))?;
            stream.write_all(b"GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")?;
            stream.read_exact(&mut answer)
        })
        .is_ok_and(|()| answer.ends_with(b" 200"))
}
