//! The processes of a run besides the database: the sites, and Pharos.

use std::{
    io::{BufRead, BufReader, Write},
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};

use super::{REGION, script::Manner};
use crate::services;

/// How long Pharos may take to end.
const PATIENCE: Duration = Duration::from_secs(60);

/// The sites. Dropped, they are gone.
pub(super) struct Target {
    process: Child,
    ports: Vec<u16>,
}

impl Target {
    /// Starts them, and returns once they listen. They write what vouches for them to `authority`.
    pub(super) fn start(sites: usize, minutes: u32, authority: &Path) -> Result<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .arg("target")
            .args([sites.to_string(), minutes.to_string()])
            .arg(authority)
            // Its end is the child's: so it lives no longer than we do.
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .context("the sites can't be started")?;
        let said = process.stdout.take().context("the sites say nothing")?;
        let mut line = String::new();
        BufReader::new(said).read_line(&mut line)?;
        let ports: Vec<u16> = line.split_whitespace().flat_map(str::parse).collect();
        if ports.len() != Manner::ALL.len() {
            let _ = process.kill();
            bail!("the sites did not start ({})", process.wait()?);
        }
        Ok(Self { process, ports })
    }

    /// The port of the sites of a manner.
    pub(super) fn port(&self, manner: Manner) -> u16 {
        let at = Manner::ALL.iter().position(|known| *known == manner);
        at.map_or(0, |at| self.ports[at])
    }

    /// Tells them when the counted time begins, in milliseconds since 1970.
    pub(super) fn tell(&mut self, begins: i64) -> Result<()> {
        let input = self.process.stdin.as_mut().context("sites that hear nothing")?;
        writeln!(input, "{begins}").context("the sites are gone")
    }

    pub(super) fn id(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// `pharos serve --roles scheduler`. Dropped, it is killed.
pub(super) struct Pharos {
    process: Child,
}

impl Pharos {
    pub(super) fn start(program: &Path, database_url: &str, authority: &Path) -> Result<Self> {
        let mut command = services::command(program);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("PHAROS_") {
                command.env_remove(name);
            }
        }
        let process = command
            .args(["serve", "--roles", "scheduler", "--region", REGION])
            .env("PHAROS_DATABASE_URL", database_url)
            .env("PHAROS_PROBE_NETWORKS", r#"["127.0.0.0/8","::1/128"]"#)
            .env("PHAROS_PROBE_ROOTS", authority)
            // Nothing answers there: names below localhost are not registered.
            .env("PHAROS_RDAP_BOOTSTRAP_URL", "http://127.0.0.1:9/dns.json")
            .env("PHAROS_LOG", "warn")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            // A Ctrl-C is for the bench, which then stops it.
            .process_group(0)
            .spawn()
            .with_context(|| format!("{} can't be run", program.display()))?;
        Ok(Self { process })
    }

    pub(super) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Fails if it has ended.
    pub(super) fn is_alive(&mut self) -> Result<()> {
        match self.process.try_wait()? {
            Some(status) => bail!("pharos ended ({status})"),
            None => Ok(()),
        }
    }

    /// Has it finish what it does.
    pub(super) fn stop(mut self) -> Result<()> {
        let id = i32::try_from(self.process.id())?;
        let id = Pid::from_raw(id).context("a process has an id")?;
        kill_process(id, Signal::TERM)?;
        let deadline = Instant::now() + PATIENCE;
        while self.process.try_wait()?.is_none() {
            if Instant::now() > deadline {
                bail!("pharos does not end");
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

impl Drop for Pharos {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
