//! A server in a process of its own: this program again, as `serve VARIANT`.

use std::{
    io::{BufRead, BufReader, Write},
    net::SocketAddr,
    process::{Child, ChildStdout, Command, Stdio},
};

use anyhow::{Context, Result, bail};

use crate::{
    serve::{DATABASE_URL, REDIS_URL, STOP, STOPPED, Variant},
    services::Services,
};

/// A running server. Dropped, it ends at once.
#[derive(Debug)]
pub(crate) struct Server {
    process: Child,
    said: BufReader<ChildStdout>,
    pub(crate) address: SocketAddr,
}

impl Server {
    /// Starts it, and returns once it listens.
    pub(crate) fn start(variant: Variant, services: &Services) -> Result<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .args(["serve", &variant.name()])
            .env(DATABASE_URL, services.database_url())
            .env(REDIS_URL, services.redis_url())
            // Its end is the child's: so it lives no longer than we do.
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("a server can't be started")?;
        let stdout = process.stdout.take().context("a server says nothing")?;
        let mut said = BufReader::new(stdout);
        let mut line = String::new();
        said.read_line(&mut line)?;
        let Ok(address) = line.trim().parse() else {
            let status = process.wait()?;
            bail!("the server {} did not start ({status})", variant.name());
        };
        Ok(Self {
            process,
            said,
            address,
        })
    }

    /// Has it finish what it still has to write, and returns once that is done.
    pub(crate) fn stop(mut self) -> Result<()> {
        let input = self
            .process
            .stdin
            .as_mut()
            .context("a server that hears nothing")?;
        writeln!(input, "{STOP}").context("the server ended")?;
        let mut line = String::new();
        self.said.read_line(&mut line)?;
        if line.trim() != STOPPED {
            bail!("the server ended before it had written all");
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
