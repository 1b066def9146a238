//! `pharos restore`.

use std::{fs::File, io::Read, path::Path, time::Duration};

use anyhow::Context;
use pharos_embedded::{find_clients, holds_data};
use pharos_persistence::{
    backup::{Contents, Part, Swap, contents, libpq},
    migrate::versions,
};
use serde_json::json;
use tokio::{io::AsyncWriteExt, task::yield_now, time::sleep};

use super::{
    archive::{Checked, Kind, Member, Members, check, kind},
    program::Program,
    progress::{Progress, say, size},
    signals::unless_stopped,
};
use crate::{
    answer::Answer,
    artefacts::{KEY_FILE, fingerprint, fingerprint_of},
    config::Config,
    database::{Server, Sharing},
    demo::NOTES,
    groups::{SCHEMAS, database_options},
    restoring::{
        files::{Files, KEY_FILES},
        plan::Plan,
        shelf::Shelf,
    },
    sentence::sentence,
};

const CHUNK: usize = 256 << 10;
/// A server's version as a number is 150018 for 15.18.
const MAJOR: u32 = 10_000;
/// How often the databases are exchanged before whoever is connected is taken to stay: PostgreSQL waits 5 s each time.
const EXCHANGES: usize = 3;
/// How often it is looked whether others are still connected.
const LOOKS: usize = 10;
const LOOK_EVERY: Duration = Duration::from_millis(200);
const AS_BEFORE: &str = "nothing was restored, and the data are as they were";

/// Brings back what a backup holds, in the place of what is there only with `replace`. A new PostgreSQL of Pharos's own begins only
/// in a data folder that somebody has named.
///
/// # Errors
/// There is no Pharos, and nobody has named a folder for one; the file is no whole backup of this version or an older one; somebody
/// works on the data, or something can't be written. Everything is as it was.
pub fn restore(config: &Config, is_named: bool, path: &Path, replace: bool) -> anyhow::Result<Answer> {
    anyhow::ensure!(
        is_named || config.database_url.is_some() || holds_data(&config.data_folder),
        "there is no Pharos in {}, and nobody has named a folder or a database: say with --data-folder where a new one is to \
         begin, or with PHAROS_DATABASE_URL which database is to be filled",
        config.data_folder.display()
    );
    let file = File::open(path).with_context(|| path.display().to_string())?;
    say(&format!("checking {}", path.display()));
    let known = versions(SCHEMAS)?;
    let checked = check(&file, &known).with_context(|| path.display().to_string())?;
    let artefacts = Shelf::of(config)?;
    let server = Server::open(config, Sharing::Refused)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let restoring = Restoring {
        config,
        url: server.url(),
        file: &file,
        checked: &checked,
        files: Files {
            data: config.data_folder.clone(),
            artefacts,
        },
    };
    let restored = runtime.block_on(restoring.restore(replace));
    let bucket = restoring.files.artefacts.bucket().map(str::to_owned);
    drop(runtime);
    server.close();
    let migrations = restored?;
    let upgraded = match migrations {
        0 => String::new(),
        more => format!(" Its schema was brought up to date by {more} migrations."),
    };
    let answer = Answer::new(json!({
        "file": path.display().to_string(),
        "created_at": checked.manifest.created_at,
        "artefacts": checked.artefacts,
        "migrations": migrations,
        "bucket": bucket,
    }))?;
    let place = bucket.map_or_else(String::new, |bucket| format!(" in the bucket {bucket}"));
    Ok(answer.in_words(format!(
        "Restored {} of {}, with {} artefacts{place}.{upgraded} `pharos serve` starts with it.",
        path.display(),
        checked.manifest.created_at,
        checked.artefacts,
    )))
}

struct Restoring<'a> {
    config: &'a Config,
    url: &'a str,
    file: &'a File,
    checked: &'a Checked,
    files: Files,
}

impl Restoring<'_> {
    /// How many migrations it took to bring the schema up to date.
    async fn restore(&self, replace: bool) -> anyhow::Result<usize> {
        let (swap, server_major) = self.begin(replace).await.context(AS_BEFORE)?;
        let forgotten = if self.checked.keys.contains(&NOTES) {
            Vec::new()
        } else {
            // It names a key that is gone with the old database.
            vec![NOTES.to_owned()]
        };
        let plan = Plan::begin(&self.files, forgotten).await.context(AS_BEFORE)?;
        let filled = Box::pin(unless_stopped(self.fill(&swap, server_major))).await;
        let done = match filled {
            Ok(migrated) => exchange(&swap).await.map(|()| migrated),
            Err(error) => Err(error),
        };
        // Whether it is done is asked of the server: an answer can be lost.
        match (plan.settle(&swap).await, done) {
            (Ok(true), Ok(migrated)) => Ok(migrated),
            (Ok(true), Err(_)) => Ok(0),
            (Ok(false), Err(error)) => Err(error.context(AS_BEFORE)),
            (Ok(false), Ok(_)) => anyhow::bail!(AS_BEFORE),
            (Err(left), done) => {
                let why = done
                    .err()
                    .map_or_else(String::new, |error| format!(" ({})", sentence(&error)));
                Err(left.context(format!(
                    "the restore did not end{why}; the next start finishes or forgets it"
                )))
            }
        }
    }

    /// Takes the lock, and refuses what would not come to a good end.
    async fn begin(&self, replace: bool) -> anyhow::Result<(Swap, u32)> {
        self.refuse_another_key()?;
        let swap = Swap::begin(self.url).await?;
        let swap = swap.context("another restore is under way on this database; wait for its end")?;
        let old = contents(self.url).await?;
        self.refuse_another_server(&swap, &old).await?;
        self.refuse_to_lose(&old, replace).await?;
        Ok((swap, old.server_version / MAJOR))
    }

    /// The secrets in the database are worth nothing without the key that sealed them.
    fn refuse_another_key(&self) -> anyhow::Result<()> {
        let Some(sealed_by) = &self.checked.manifest.sealed_by else {
            return Ok(());
        };
        let ours = match &self.config.secret_key {
            Some(_) => fingerprint(self.config)?,
            // The backup's own key comes with it.
            None if self.checked.keys.contains(&KEY_FILE) => return Ok(()),
            None => fingerprint(self.config)?,
        };
        anyhow::ensure!(
            ours.as_ref() == Some(sealed_by),
            "the secrets in the backup are sealed by a key that {}: set PHAROS_SECRET_KEY to the one that was set where \
             it was made",
            match ours {
                Some(_) => "is not the one that is set or lies in the data folder",
                None => "is neither in it nor here",
            }
        );
        Ok(())
    }

    async fn refuse_another_server(&self, swap: &Swap, old: &Contents) -> anyhow::Result<()> {
        let (theirs, ours) = (self.checked.manifest.postgresql, old.server_version / MAJOR);
        anyhow::ensure!(
            theirs <= ours,
            "the backup is of PostgreSQL {theirs}, and here is {ours}, which is older: restore it on that version or a \
             newer one"
        );
        let mut others = swap.others().await?;
        for _ in 0..LOOKS {
            if others.is_empty() {
                break;
            }
            // A session ends a moment after its connection.
            sleep(LOOK_EVERY).await;
            others = swap.others().await?;
        }
        if !others.is_empty() {
            let who: Vec<String> = others
                .iter()
                .map(|other| format!("{} ({})", other.application, other.origin))
                .collect();
            anyhow::bail!(
                "the database {} is in use: stop the nodes and whatever else is connected: {}",
                old.database,
                who.join("; ")
            );
        }
        anyhow::ensure!(
            !swap.has(Part::Replaced).await?,
            "there is a database {}: another restore was killed when it was nearly done; start Pharos once where that \
             ran, or drop that database",
            swap.name(Part::Replaced)
        );
        anyhow::ensure!(
            !swap.is_taken().await?,
            "there is a database {} that no restore has made, and the backup is to be filled into one of that name: rename \
             or drop it",
            swap.name(Part::Fresh)
        );
        Ok(())
    }

    /// Says what is lost, and refuses unless that is wanted.
    async fn refuse_to_lose(&self, old: &Contents, replace: bool) -> anyhow::Result<()> {
        anyhow::ensure!(
            old.tables == 0 || old.is_pharos,
            "the database {} has {} tables that are not Pharos's: name one of its own",
            old.database,
            old.tables
        );
        let mut lost = Vec::new();
        if old.tables > 0 {
            let mut database = format!("the database {} ({}", old.database, size(old.bytes));
            if let Some((users, workspaces, domains)) = old.holds {
                database.push_str(&format!(
                    ": {users} users, {workspaces} workspaces, {domains} domains"
                ));
            }
            lost.push(database + ")");
        }
        let (artefacts, bytes) = self.files.artefacts.held().await?;
        if artefacts > 0 {
            let place = &self.files.artefacts;
            lost.push(format!("{artefacts} artefacts ({}) in {place}", size(bytes)));
        }
        let keys = KEY_FILES.map(|name| self.files.data.join(name));
        lost.extend(
            keys.iter()
                .filter(|path| path.exists() && self.is_lost(path))
                .map(|path| path.display().to_string()),
        );
        if lost.is_empty() {
            return Ok(());
        }
        let lost = lost.join(", ");
        anyhow::ensure!(
            replace,
            "this installation is not empty. With --replace the backup takes the place of what is here, which is \
             deleted: {lost}"
        );
        say(&format!("deleting, once the backup is in place: {lost}"));
        Ok(())
    }

    /// Whether a key goes, or another takes its place.
    fn is_lost(&self, path: &Path) -> bool {
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if name != KEY_FILE {
            return true;
        }
        // The key that the backup was sealed by may lie there, put by hand.
        let same = std::fs::read_to_string(path)
            .is_ok_and(|key| self.checked.manifest.sealed_by.as_ref() == Some(&fingerprint_of(&key)));
        self.checked.keys.contains(&KEY_FILE) && !same
    }

    /// Fills the fresh database, and puts the files beside the old ones.
    async fn fill(&self, swap: &Swap, server_major: u32) -> anyhow::Result<usize> {
        swap.create().await.context(
            "no second database can be made beside the old one: the account needs CREATEDB and to own the old one, and \
             the disk room for both",
        )?;
        let mut archive = Members::archive(self.file)?;
        let mut members = Members::of(&mut archive)?;
        // The manifest was read.
        members.next()?;
        let mut progress = Progress::of("copying the artefacts", None);
        let mut beside = self.files.artefacts.beside();
        for _ in 0..=(self.checked.artefacts + self.checked.keys.len()) {
            let mut member = members.next()?.context("the file was cut off meanwhile")?;
            match kind(&member.name)? {
                Kind::Dump => self.fill_database(swap, server_major, &mut member).await?,
                Kind::Key(name) => self.files.put_key(name, &mut member)?,
                Kind::Artefact(key) => {
                    let written = beside.put(&key, member.modified, &mut member).await?;
                    progress.add(usize::try_from(written).unwrap_or(usize::MAX));
                }
            }
            // A signal is heard here.
            yield_now().await;
        }
        beside.finish().await?;
        // Each file that was written, and the folders that name them.
        rustix::fs::sync();
        say("bringing the schema up to date");
        let migrated = swap.migrate(&database_options(), SCHEMAS).await?;
        swap.analyze().await?;
        Ok(migrated)
    }

    async fn fill_database(
        &self,
        swap: &Swap,
        server_major: u32,
        dump: &mut Member<'_>,
    ) -> anyhow::Result<()> {
        let least = self.checked.manifest.pg_dump.max(server_major);
        let clients = find_clients(self.config.postgres_bin.as_deref(), least)?;
        let name = swap.name(Part::Fresh);
        say(&format!(
            "restoring the database ({}, compressed)",
            size(dump.length)
        ));
        let mut program = Program::start(
            &clients.pg_restore(),
            [
                "--exit-on-error",
                "--no-owner",
                "--no-privileges",
                "--dbname",
                &libpq::dbname(&name),
            ],
            libpq::environment(self.url, Some(&name), "pharos restore")?,
        )?;
        let mut input = program.input()?;
        let mut progress = Progress::of("restoring the database", Some(dump.length));
        let mut chunk = vec![0; CHUNK];
        loop {
            let read = dump.read(&mut chunk).context("reading the backup")?;
            // One that ended says why at its end.
            if read == 0 || input.write_all(&chunk[..read]).await.is_err() {
                break;
            }
            progress.add(read);
        }
        drop(input);
        program.end().await
    }
}

/// Puts the fresh database in the place of the old one, unless somebody stays connected to that.
async fn exchange(swap: &Swap) -> anyhow::Result<()> {
    let mut tried = 1;
    while let Err(error) = swap.exchange().await {
        if tried == EXCHANGES {
            return Err(error).context("the new database can't take the place of the old one");
        }
        tried += 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The refusal of a file that is not there says that the folder or the database was fine.
    #[test]
    fn a_new_installation_begins_where_somebody_has_named_a_place() {
        let top = tempfile::tempdir().unwrap();
        let (data, file) = (top.path().join("data"), top.path().join("no.backup"));
        let why = |is_named: bool, database_url: Option<&str>| {
            let config = Config {
                data_folder: data.clone(),
                database_url: database_url.map(|url| url.to_owned().into()),
                ..Config::default()
            };
            format!("{:#}", restore(&config, is_named, &file, false).unwrap_err())
        };
        let unnamed = why(false, None);
        assert!(
            unnamed.contains("nobody has named") && unnamed.contains("--data-folder"),
            "{unnamed}"
        );
        assert!(!data.exists());
        for named in [why(true, None), why(false, Some("postgres://127.0.0.1/pharos"))] {
            assert!(named.contains("no.backup"), "{named}");
        }
        fs::create_dir_all(data.join("cluster")).unwrap();
        fs::write(data.join("cluster/PG_VERSION"), "15\n").unwrap();
        let there = why(false, None);
        assert!(there.contains("no.backup"), "{there}");
    }
}
