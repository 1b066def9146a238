//! Copies artefacts and other files into the archive.

use std::{
    fs::File,
    io::{ErrorKind, Read, Write},
    path::Path,
};

use anyhow::Context;
use futures_util::{StreamExt, stream};
use pharos_artefacts::{
    folder::{ArtefactFile, files},
    key::ArtefactKey,
    store::{ArtefactError, Artefacts, Listed},
};
use tokio::task::yield_now;

use super::{
    archive::{ARTEFACTS, ArchiveWriter},
    progress::{Progress, say, size},
};
use crate::restoring::shelf::Shelf;

/// How many bytes are read at a time.
pub(super) const CHUNK: usize = 256 << 10;
/// The step that failed when the archive can't be written.
pub(super) const WRITING: &str = "writing the backup";
const LISTING: &str = "listing the artefacts";
/// How many artefacts of a bucket are read at once, each whole.
const READ_AT_ONCE: usize = 4;

/// The artefacts that were copied.
#[derive(Default)]
pub(super) struct Copied {
    /// How many they are.
    pub(super) artefacts: usize,
    /// How long they are together.
    pub(super) bytes: u64,
    /// How many were listed, and not there any more.
    pub(super) gone: usize,
}

impl Copied {
    /// Counts one: so long, or not there any more.
    fn add(&mut self, length: Option<u64>) {
        match length {
            Some(length) => {
                self.artefacts += 1;
                self.bytes += length;
            }
            None => self.gone += 1,
        }
    }
}

/// Copies the artefacts into the archive, wherever they lie.
pub(super) async fn copy_artefacts(archive: &mut ArchiveWriter, shelf: &Shelf) -> anyhow::Result<Copied> {
    match shelf {
        Shelf::Folder(folder) => copy_folder(archive, folder).await,
        Shelf::Bucket { artefacts, .. } => copy_bucket(archive, artefacts).await,
    }
}

async fn copy_folder(archive: &mut ArchiveWriter, folder: &Path) -> anyhow::Result<Copied> {
    let found = files(folder).context(LISTING)?;
    let mut progress = begin(found.len(), found.iter().map(|file| file.bytes).sum());
    let mut copied = Copied::default();
    for ArtefactFile { key, path, .. } in found {
        copied.add(copy(archive, &member_name(&key), &path, &mut progress).await?);
    }
    Ok(copied)
}

/// Each artefact is in memory until it is written.
async fn copy_bucket(archive: &mut ArchiveWriter, artefacts: &Artefacts) -> anyhow::Result<Copied> {
    let found = artefacts.list().await.context(LISTING)?;
    let mut progress = begin(found.len(), found.iter().map(|listed| listed.bytes).sum());
    let mut copied = Copied::default();
    let mut read = stream::iter(found)
        .map(|listed| async move {
            let content = artefacts.get(&listed.key).await?;
            Ok::<_, ArtefactError>((listed, content))
        })
        .buffered(READ_AT_ONCE);
    while let Some(next) = read.next().await {
        let (Listed { key, modified, .. }, content) = next.context("reading the artefacts")?;
        copied.add(content.as_ref().map(|content| content.len() as u64));
        let Some(content) = content else { continue };
        let mut member = archive.member(&member_name(&key), modified).context(WRITING)?;
        member.write_all(&content).context(WRITING)?;
        member.finish().context(WRITING)?;
        progress.add(content.len());
    }
    Ok(copied)
}

fn begin(artefacts: usize, bytes: u64) -> Progress {
    say(&format!("copying {artefacts} artefacts ({})", size(bytes)));
    Progress::of("copying the artefacts", Some(bytes))
}

fn member_name(key: &ArtefactKey) -> String {
    format!("{ARTEFACTS}{key}")
}

/// Copies a file into the archive, and says how long it is; `None`: it is not there any more.
pub(super) async fn copy(
    archive: &mut ArchiveWriter,
    name: &str,
    path: &Path,
    progress: &mut Progress,
) -> anyhow::Result<Option<u64>> {
    let mut file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file.with_context(|| path.display().to_string())?,
    };
    let modified = file.metadata()?.modified()?;
    let mut member = archive.member(name, modified).context(WRITING)?;
    let (mut chunk, mut copied) = (vec![0; CHUNK], 0);
    loop {
        let read = file
            .read(&mut chunk)
            .with_context(|| path.display().to_string())?;
        if read == 0 {
            break;
        }
        member.write_all(&chunk[..read]).context(WRITING)?;
        copied += read as u64;
        progress.add(read);
        // A signal is heard here.
        yield_now().await;
    }
    member.finish().context(WRITING)?;
    Ok(Some(copied))
}
