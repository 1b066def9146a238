//! The processes of a run besides the database: a node that answers, and the MCP server in front of it.

use std::{
    net::{SocketAddr, TcpListener, TcpStream},
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

use crate::services;

/// How long a process may take until it listens.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server. Dropped, it is killed.
pub(crate) struct Process {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Process {
    /// `pharos serve --roles api`.
    pub(crate) fn api(program: &Path, database_url: &str) -> Result<Self> {
        let address = free_address()?;
        let listen = address.to_string();
        let arguments = ["serve", "--roles", "api", "--listen", &listen];
        Self::start(
            program,
            &arguments,
            &[("PHAROS_DATABASE_URL", database_url)],
            address,
        )
    }

    /// `pharos-mcp serve`, for the node at that address.
    pub(super) fn mcp(program: &Path, api: SocketAddr) -> Result<Self> {
        let address = free_address()?;
        let (listen, url) = (address.to_string(), format!("http://{api}"));
        let resource = format!("http://{address}/mcp");
        let arguments = [
            "--url",
            &url,
            "--resource",
            &resource,
            "serve",
            "--listen",
            &listen,
        ];
        Self::start(program, &arguments, &[], address)
    }

    fn start(
        program: &Path,
        arguments: &[&str],
        environment: &[(&str, &str)],
        address: SocketAddr,
    ) -> Result<Self> {
        let mut command = services::command(program);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("PHAROS_") {
                command.env_remove(name);
            }
        }
        let child = command
            .args(arguments)
            .envs(environment.iter().copied())
            .env("PHAROS_LOG", "warn")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            // A Ctrl-C is for the bench, which then stops it.
            .process_group(0)
            .spawn()
            .with_context(|| format!("{} can't be run", program.display()))?;
        let mut process = Self { child, address };
        let deadline = Instant::now() + PATIENCE;
        while TcpStream::connect(address).is_err() {
            if let Some(status) = process.child.try_wait()? {
                bail!("{} ended ({status})", program.display());
            }
            if Instant::now() > deadline {
                bail!("{} does not listen", program.display());
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(process)
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_address() -> Result<SocketAddr> {
    let socket = TcpListener::bind("127.0.0.1:0").context("no port is free")?;
    Ok(socket.local_addr()?)
}
