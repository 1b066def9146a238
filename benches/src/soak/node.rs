//! The nodes of a run, as processes.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};

use crate::{
    interrupt, machine,
    services::{self, Services},
};

/// How long a node may take until it is ready, and until it has ended.
const PATIENCE: Duration = Duration::from_secs(60);

/// A node that answers, collects, checks and works. Dropped, it is killed.
pub(super) struct Node {
    child: Child,
    pub(super) address: SocketAddr,
}

impl Node {
    /// Starts a node at a port that is free.
    pub(super) fn start(program: &Path, services: &Services) -> Result<Self> {
        let socket = TcpListener::bind("127.0.0.1:0").context("no port is free")?;
        let address = socket.local_addr()?;
        drop(socket);
        Self::start_at(address, program, services)
    }

    /// Starts it, and returns once it is ready.
    pub(super) fn start_at(address: SocketAddr, program: &Path, services: &Services) -> Result<Self> {
        let child = command(program, services)
            .args(["serve", "--roles", "api,ingest,scheduler,worker"])
            .args(["--listen", &address.to_string()])
            .spawn()
            .with_context(|| format!("{} can't be run", program.display()))?;
        let mut node = Self { child, address };
        let deadline = Instant::now() + PATIENCE;
        while !is_ready(address) {
            if let Some(status) = node.child.try_wait()? {
                bail!("a node ended ({status})");
            }
            if Instant::now() > deadline {
                bail!("a node is not ready in time");
            }
            if interrupt::came() {
                bail!("interrupted");
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(node)
    }

    /// The memory that it holds, in bytes.
    pub(super) fn memory(&self) -> Result<u64> {
        machine::memory(self.child.id())
    }

    /// Fails if it has ended.
    pub(super) fn is_alive(&mut self) -> Result<()> {
        match self.child.try_wait()? {
            Some(status) => bail!("a node ended by itself ({status})"),
            None => Ok(()),
        }
    }

    /// Ends it as a machine that fails does.
    pub(super) fn kill(mut self) -> Result<SocketAddr> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(self.address)
    }

    /// Has it finish what it does.
    pub(super) fn stop(mut self) -> Result<SocketAddr> {
        signal(self.child.id(), Signal::TERM)?;
        let deadline = Instant::now() + PATIENCE;
        while self.child.try_wait()?.is_none() {
            if Instant::now() > deadline {
                bail!("a node does not end");
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(self.address)
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
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
fn command(program: &Path, services: &Services) -> std::process::Command {
    let mut command = services::command(program);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("PHAROS_") {
            command.env_remove(name);
        }
    }
    command
        .env("PHAROS_DATABASE_URL", services.database_url())
        .env("PHAROS_REDIS_URL", services.redis_url())
        .env("PHAROS_REGION", "local")
        // Each beacon comes from another address, as through a proxy.
        .env("PHAROS_TRUSTED_HOPS", "1")
        .env("PHAROS_COLLECT_BEACONS_OF_SITE_PER_HOUR", "4000000000")
        // Nothing answers there: no run asks IANA.
        .env("PHAROS_RDAP_BOOTSTRAP_URL", "http://127.0.0.1:9/dns.json")
        .env("PHAROS_LOG", "error")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        // A Ctrl-C is for the bench, which then stops it.
        .process_group(0);
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
