//! `pharos backup`.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    time::SystemTime,
};

use anyhow::Context;
use pharos_domain::timestamp::Timestamp;
use pharos_embedded::find_clients;
use pharos_persistence::backup::{Snapshot, libpq};
use serde_json::json;
use time::OffsetDateTime;
use tokio::io::AsyncReadExt;

use super::{
    archive::{ArchiveWriter, DUMP, FORMAT, KEYS, Manifest},
    copy::{CHUNK, WRITING, copy, copy_artefacts},
    program::Program,
    progress::{Progress, say, size},
    signals::unless_stopped,
};
use crate::{
    answer::Answer,
    artefacts::{KEY_FILE, fingerprint},
    config::Config,
    database::Server,
    groups::sealed_by_installation,
    restoring::{
        files::{KEY_FILES, sync},
        shelf::Shelf,
    },
};

/// The salts of visitors stay out of the dump: who has that of a day can compute the ids of its visitors, and a backup
/// outlives the day.
const SALTS_APART: &str = "--exclude-table-data=public.collect_salts";

/// Writes a backup, while Pharos runs or not.
///
/// # Errors
/// There is nothing to back up, the file is there already, or something can't be read or written: no file comes about.
pub fn backup(config: &Config, file: &Path) -> anyhow::Result<Answer> {
    anyhow::ensure!(
        !fs::exists(file).with_context(|| file.display().to_string())?,
        "{} is there already: name another file",
        file.display()
    );
    let server = Server::open_for_command(config)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let made = runtime.block_on(unless_stopped(make(config, server.url(), file)));
    drop(runtime);
    server.close();
    made.with_context(|| format!("no backup was made, and {} is not there", file.display()))
}

async fn make(config: &Config, url: &str, file: &Path) -> anyhow::Result<Answer> {
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let mut draft_name: OsString = ".".into();
    draft_name.push(file.file_name().context("that is no name for a file")?);
    draft_name.push(".partial-");
    clear_drafts(&folder, &draft_name);
    // Nobody else may read it, and it goes when this fails.
    let draft = tempfile::Builder::new().prefix(&draft_name).tempfile_in(&folder);
    let draft = draft.with_context(|| format!("writing into {}", folder.display()))?;
    draft.as_file().try_lock().context("locking the file")?;

    let shelf = Shelf::of(config)?;
    let snapshot = Snapshot::take(url)
        .await?
        .context("the database holds no Pharos")?;
    let sealed_by = fingerprint(config)?;
    if sealed_by.is_none() {
        refuse_without_key(&snapshot, config).await?;
    }
    let major = snapshot.server_version / 10_000;
    let clients = find_clients(config.postgres_bin.as_deref(), major)?;
    let manifest = Manifest {
        format: FORMAT,
        pharos: env!("CARGO_PKG_VERSION").to_owned(),
        created_at: Timestamp::from(OffsetDateTime::now_utc()),
        postgresql: major,
        pg_dump: clients.major(),
        migrations: snapshot.migrations.clone(),
        sealed_by,
    };
    let mut archive = ArchiveWriter::begin(draft.as_file().try_clone()?, &manifest)?;

    say(&format!(
        "dumping the database ({} on disk)",
        size(snapshot.bytes)
    ));
    let mut dump = Program::start(
        &clients.pg_dump(),
        ["--format=custom", SALTS_APART, "--snapshot", &snapshot.id],
        libpq::environment(url, None, "pharos backup")?,
    )?;
    let dumped = write_dump(&mut archive, &mut dump).await?;
    dump.end().await?;
    drop(snapshot);

    // Only now: whatever the dump names was there before it.
    let copied = copy_artefacts(&mut archive, &shelf).await?;
    let mut progress = Progress::of("copying the keys", None);
    let mut keys = Vec::new();
    // A key that is set takes the place of the file, which would be taken for the right one by a restore.
    let is_used = |name: &&str| *name != KEY_FILE || config.secret_key.is_none();
    for name in KEY_FILES.into_iter().filter(is_used) {
        let (member, path) = (format!("{KEYS}{name}"), config.data_folder.join(name));
        let copied = copy(&mut archive, &member, &path, &mut progress).await?;
        keys.extend(copied.map(|_| name));
    }

    let written = archive.finish()?;
    written.sync_all()?;
    let length = written.metadata()?.len();
    let kept = draft.persist_noclobber(file).map_err(|error| error.error);
    kept.with_context(|| file.display().to_string())?;
    sync(&folder)?;
    let answer = Answer::new(json!({
        "file": file.display().to_string(),
        "bytes": length,
        "database_bytes": dumped,
        "artefacts": copied.artefacts,
        "artefact_bytes": copied.bytes,
        "artefacts_gone": copied.gone,
        "keys": keys,
        "bucket": shelf.bucket(),
        "is_key_elsewhere": config.secret_key.is_some(),
    }))?;
    let keys = if keys.is_empty() {
        "no key file".to_owned()
    } else {
        keys.join(" and ")
    };
    Ok(answer.in_words(format!(
        "Wrote {} ({}): the database ({}), {} artefacts ({}), {keys}. It holds secrets: keep it where nobody else \
         reads.{}{}",
        file.display(),
        size(length),
        size(dumped),
        copied.artefacts,
        size(copied.bytes),
        gone(copied.gone),
        left_out(config),
    )))
}

/// The secrets in the database would be lost with the key, so a backup that nobody could read whole is none.
async fn refuse_without_key(snapshot: &Snapshot, config: &Config) -> anyhow::Result<()> {
    for column in sealed_by_installation() {
        anyhow::ensure!(
            !snapshot.holds(column).await?,
            "the database has secrets (in {}) that can't be read without the key of the installation, and that is neither set \
             nor in {}: set PHAROS_SECRET_KEY to the one that the nodes have, or name their data folder by --data-folder",
            column.table,
            config.data_folder.join(KEY_FILE).display()
        );
    }
    Ok(())
}

/// A sentence about artefacts that were listed, and deleted before they were read.
fn gone(many: usize) -> String {
    match many {
        0 => String::new(),
        many => format!(
            " Not in it: {many} artefacts that were deleted meanwhile, since they had reached their age."
        ),
    }
}

/// A sentence about what a restore also needs and the file does not have.
const fn left_out(config: &Config) -> &'static str {
    if config.secret_key.is_some() {
        " Not in it: the key that is set as secret_key, without which its secrets can't be read."
    } else {
        ""
    }
}

async fn write_dump(archive: &mut ArchiveWriter, dump: &mut Program) -> anyhow::Result<u64> {
    let mut output = dump.output()?;
    let mut member = archive.member(DUMP, SystemTime::now())?;
    let mut progress = Progress::of("dumping the database, compressed", None);
    let mut chunk = vec![0; CHUNK];
    loop {
        let read = output.read(&mut chunk).await.context("reading from pg_dump")?;
        if read == 0 {
            break;
        }
        member.write_all(&chunk[..read]).context(WRITING)?;
        progress.add(read);
    }
    member.finish().context(WRITING)?;
    Ok(progress.done())
}

/// Deletes what backups into the same file have left that were killed: nobody holds their lock.
fn clear_drafts(folder: &Path, prefix: &OsString) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name.as_encoded_bytes().starts_with(prefix.as_encoded_bytes())
            && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}
