//! Programs of Pharos as processes, with the settings of a run alone.

use std::{
    net::{SocketAddr, TcpListener, TcpStream},
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

use crate::{interrupt, services};

/// How long a process may take until it answers.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server. Dropped, it is killed.
pub(crate) struct Process {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Process {
    /// `pharos serve --roles api`.
    pub(crate) fn api(program: &Path, database_url: &str) -> Result<Self> {
        Self::node(program, "api", database_url)
    }

    /// `pharos serve` in these roles, of which `api` is one.
    pub(crate) fn node(program: &Path, roles: &str, database_url: &str) -> Result<Self> {
        let address = free_address()?;
        let mut command = command(program);
        command
            .args(["serve", "--roles", roles, "--listen", &address.to_string()])
            .env("PHAROS_DATABASE_URL", database_url)
            .env("PHAROS_LOG", "warn");
        Self::start(&mut command, address, listens)
    }

    /// Starts a server that will be at this address, and returns once it is up.
    pub(crate) fn start(
        command: &mut Command,
        address: SocketAddr,
        is_up: fn(SocketAddr) -> bool,
    ) -> Result<Self> {
        let child = command
            .spawn()
            .with_context(|| format!("the server for {address} can't be run"))?;
        let mut process = Self { child, address };
        let deadline = Instant::now() + PATIENCE;
        while !is_up(address) {
            if let Some(status) = process.ended()? {
                bail!("the server for {address} ended ({status})");
            }
            if Instant::now() > deadline {
                bail!("the server for {address} does not answer in time");
            }
            if interrupt::came() {
                bail!("interrupted");
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(process)
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// How it ended; `None`: it runs.
    pub(crate) fn ended(&mut self) -> Result<Option<ExitStatus>> {
        Ok(self.child.try_wait()?)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program without settings of this environment, and silent.
pub(crate) fn command(program: &Path) -> Command {
    let mut command = services::command(program);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("PHAROS_") {
            command.env_remove(name);
        }
    }
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        // A Ctrl-C is for the bench, which then stops it.
        .process_group(0);
    command
}

pub(crate) fn free_address() -> Result<SocketAddr> {
    let socket = TcpListener::bind("127.0.0.1:0").context("no port is free")?;
    Ok(socket.local_addr()?)
}

/// Whether something listens there.
pub(crate) fn listens(address: SocketAddr) -> bool {
    TcpStream::connect(address).is_ok()
}
