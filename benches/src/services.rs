//! The databases of a run: a PostgreSQL as Pharos brings it along, and a Redis that keeps nothing, in a folder that
//! is deleted afterwards.

use std::{
    fs::{self, Permissions},
    io::{Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use pharos_embedded::{Embedded, EmbeddedOptions};
use tempfile::TempDir;

/// How long a start may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Where the programs are.
#[derive(Debug)]
pub(crate) struct Programs {
    pub(crate) redis_server: PathBuf,
    pub(crate) postgres_bin: Option<PathBuf>,
    pub(crate) pharos: PathBuf,
    pub(crate) python: PathBuf,
}

/// PostgreSQL and Redis of a run. Dropped, they are stopped, and their folder is deleted.
#[derive(Debug)]
pub(crate) struct Services {
    postgres: Embedded,
    redis: Redis,
    // Last, since the others lie in it.
    folder: TempDir,
}

impl Services {
    /// Starts both, and says so. It blocks, so call it from the main thread.
    pub(crate) fn start(programs: &Programs) -> Result<Self> {
        eprintln!("starting PostgreSQL and Redis");
        let is_root = rustix::process::geteuid().is_root();
        // As root the database runs under an account that may be barred from root's own temporary folder.
        let parent = if is_root {
            PathBuf::from("/tmp")
        } else {
            std::env::temp_dir()
        };
        let folder = tempfile::Builder::new()
            .prefix("pharos-bench-")
            .permissions(Permissions::from_mode(0o711))
            .tempdir_in(&parent)
            .with_context(|| format!("no folder can be made in {}", parent.display()))?;
        let postgres = start_postgres(programs, &folder.path().join("postgres"))?;
        let redis = Redis::start(&programs.redis_server, &folder.path().join("redis")).context("Redis")?;
        Ok(Self {
            postgres,
            redis,
            folder,
        })
    }

    /// Starts PostgreSQL anew with further settings, lines as in `postgresql.conf`. Blocks, as a start does.
    pub(crate) fn with_settings(self, programs: &Programs, settings: &str) -> Result<Self> {
        let Self {
            postgres,
            redis,
            folder,
        } = self;
        let data = postgres.data_folder().to_owned();
        postgres.stop(PATIENCE)?;
        let path = data.join("postgresql.conf");
        let configuration = fs::read_to_string(&path).context("postgresql.conf can't be read")?;
        fs::write(&path, configuration + settings).context("postgresql.conf can't be written")?;
        Ok(Self {
            postgres: start_postgres(programs, &data)?,
            redis,
            folder,
        })
    }

    /// The address of the database. It holds the password: never log it.
    pub(crate) fn database_url(&self) -> &str {
        self.postgres.database_url()
    }

    pub(crate) fn postgres_version(&self) -> &str {
        self.postgres.version()
    }

    /// The data folder of nodes, which they make: none of them touches one of this machine.
    pub(crate) fn nodes_folder(&self) -> PathBuf {
        self.folder.path().join("nodes")
    }

    pub(crate) fn redis_url(&self) -> String {
        format!("redis://{}", self.redis.address)
    }
}

fn start_postgres(programs: &Programs, folder: &Path) -> Result<Embedded> {
    let options = EmbeddedOptions {
        bin_folder: programs.postgres_bin.clone(),
        ..EmbeddedOptions::new(folder)
    };
    Embedded::start(&options).context("PostgreSQL")
}

#[derive(Debug)]
struct Redis {
    process: Child,
    address: SocketAddr,
}

impl Redis {
    fn start(program: &Path, folder: &Path) -> Result<Self> {
        fs::create_dir(folder)?;
        // Between finding a port that is free and taking it, another may take it.
        for _ in 0..3 {
            let address = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?;
            let process = command(program)
                .args(["--bind", "127.0.0.1", "--port", &address.port().to_string()])
                .args(["--save", "", "--appendonly", "no", "--daemonize", "no"])
                .arg("--dir")
                .arg(folder)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                // A Ctrl-C is for the bench, which then stops it.
                .process_group(0)
                .spawn()
                .with_context(|| format!("{} can't be run", program.display()))?;
            let mut redis = Self { process, address };
            if redis.is_ready()? {
                return Ok(redis);
            }
        }
        bail!("it does not start")
    }

    /// Waits for its first answer. False: it ended.
    fn is_ready(&mut self) -> Result<bool> {
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            if self.process.try_wait()?.is_some() {
                return Ok(false);
            }
            if self.ping().is_ok_and(|answer| &answer == b"+PONG\r\n") {
                return Ok(true);
            }
            thread::sleep(Duration::from_millis(5));
        }
        bail!("it does not answer")
    }

    fn ping(&self) -> std::io::Result<[u8; 7]> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(1)))?;
        stream.write_all(b"PING\r\n")?;
        let mut answer = [0; 7];
        stream.read_exact(&mut answer)?;
        Ok(answer)
    }
}

/// A program that ends when this process is killed outright, where util-linux is there.
pub(crate) fn command(program: &Path) -> Command {
    let has_setpriv = Command::new("setpriv")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if has_setpriv {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL"]).arg(program);
        command
    } else {
        Command::new(program)
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        // It keeps nothing, so there is nothing that it would have to write.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
