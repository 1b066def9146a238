//! `pharos backup` and `pharos restore`, as an operator runs them.

mod bucket;
mod elsewhere;
mod embedded;
mod external;
mod files;
mod killed;

use std::{
    collections::BTreeMap,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

use pharos_embedded::{EmbeddedOptions, running_database_url};
use pharos_persistence::testing::{URL_VARIABLE, look};
use tempfile::TempDir;

use crate::harness::binary;

/// The tables, partitions as one: how many rows, and a digest of them in whatever order.
type Tables = BTreeMap<String, (u64, String)>;

/// All tables but that of the salts of visitors, which no backup holds.
const TABLES: &str = "SELECT relname FROM pg_class
    WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace
        AND relname <> 'collect_salts'";

/// Every table of a database.
async fn tables(url: &str) -> Tables {
    let mut tables = Tables::new();
    for row in look(url, TABLES).await.unwrap() {
        let name = row[0].clone().unwrap();
        let digest = format!(
            "SELECT count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) FROM \"{name}\" AS t"
        );
        let digest = look(url, &digest).await.unwrap().remove(0);
        let rows = digest[0].as_ref().unwrap().parse().unwrap();
        tables.insert(name, (rows, digest[1].clone().unwrap()));
    }
    assert!(tables.len() > 50, "a Pharos has more tables: {tables:?}");
    tables
}

/// An empty database of the tests' server, gone with this.
struct Empty {
    name: String,
    url: String,
}

impl Empty {
    async fn create() -> Self {
        let server = std::env::var(URL_VARIABLE).unwrap();
        let name = format!("pharos_empty_{}", uuid::Uuid::now_v7().simple());
        look(&server, &format!("CREATE DATABASE {name}")).await.unwrap();
        let (address, query) = server
            .split_once('?')
            .map_or((&*server, String::new()), |(address, query)| {
                (address, format!("?{query}"))
            });
        let base = match address.split_once("://").unwrap().1.find('/') {
            Some(at) => &address[..address.find("://").unwrap() + 3 + at],
            None => address,
        };
        let url = format!("{base}/{name}{query}");
        Self { name, url }
    }

    /// The databases that begin with its name.
    async fn beside(&self) -> Vec<String> {
        let asked = format!(
            "SELECT datname FROM pg_database WHERE starts_with(datname, '{}') ORDER BY 1",
            self.name
        );
        let rows = look(&self.url, &asked).await.unwrap();
        rows.into_iter().map(|mut row| row.remove(0).unwrap()).collect()
    }

    async fn drop(self) {
        let server = std::env::var(URL_VARIABLE).unwrap();
        for ending in ["", "_restoring", "_replaced"] {
            let drop = format!("DROP DATABASE IF EXISTS {}{ending} WITH (FORCE)", self.name);
            look(&server, &drop).await.unwrap();
        }
    }
}

/// A place for the data of an installation, and for backups.
struct Place {
    folder: TempDir,
    /// The database, where it is not Pharos's own.
    database_url: Option<String>,
    /// The settings of the bucket that its artefacts lie in; none: they lie in a folder.
    bucket: Vec<(&'static str, String)>,
}

impl Place {
    fn own() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // As root, PostgreSQL runs under another account.
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        Self {
            folder,
            database_url: None,
            bucket: Vec::new(),
        }
    }

    fn at(url: &str) -> Self {
        Self {
            database_url: Some(url.to_owned()),
            ..Self::own()
        }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The address of Pharos's own database, while a node runs.
    fn url(&self) -> String {
        if let Some(url) = &self.database_url {
            return url.clone();
        }
        running_database_url(&EmbeddedOptions::new(self.data()))
            .unwrap()
            .unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command
            .args(arguments)
            .arg("--data-folder")
            .arg(self.data())
            .envs(self.database_url.iter().map(|url| ("PHAROS_DATABASE_URL", url)))
            .envs(self.bucket.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn backup(&self, file: &Path) -> Output {
        self.run(&["backup", file.to_str().unwrap()])
    }

    fn restore(&self, file: &Path, more: &[&str]) -> Output {
        let mut arguments = vec!["restore", file.to_str().unwrap()];
        arguments.extend(more);
        self.run(&arguments)
    }

    /// A restore that was begun: its note is written.
    fn begin_restore(&self, file: &Path, more: &[&str]) -> Child {
        let mut command = self.command(&["restore", file.to_str().unwrap()]);
        let child = command
            .args(more)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let note = self.data().join("restore.json");
        wait_for(|| std::fs::metadata(&note).is_ok_and(|note| note.len() > 0));
        child
    }
}

fn wait_for(is_there: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_there() {
        assert!(Instant::now() < deadline, "it does not come about");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn signal(child: &Child, name: &str) {
    let done = Command::new("kill")
        .args([format!("-{name}"), child.id().to_string()])
        .status()
        .unwrap();
    assert!(done.success());
}

/// The output of a command, which must have succeeded.
fn done(output: &Output) -> String {
    let (out, error) = (said(&output.stdout), said(&output.stderr));
    assert!(output.status.success(), "{out}{error}");
    out
}

/// Why it refused.
fn refused(output: &Output) -> String {
    let error = said(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    error
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// All files below a folder, with their contents.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for entry in std::fs::read_dir(&at).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(
                    path.strip_prefix(folder).unwrap().to_owned(),
                    std::fs::read(&path).unwrap(),
                );
            }
        }
    }
    found
}

/// Puts artefacts where a node would.
fn put_artefacts(data: &Path) {
    for (key, content) in [
        ("synthetic/a/frame-0.jpg", "a frame"),
        ("reporting/march.pdf", "a report"),
    ] {
        let path = data.join("artefacts").join(key);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        let made = std::time::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        std::fs::File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_modified(made)
            .unwrap();
    }
}
