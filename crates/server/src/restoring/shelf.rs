//! Where artefacts lie: in a folder or in a bucket, and how a restore fills either beside what is there.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    time::SystemTime,
};

use anyhow::Context;
use pharos_artefacts::{
    bucket::LARGEST,
    folder::files,
    key::ArtefactKey,
    store::{ArtefactError, Artefacts},
};
use tokio::task::JoinSet;

use crate::{artefacts::in_bucket, config::Config, groups::bucket};

/// The folder of new artefacts, until their database is in place.
pub(super) const FRESH: &str = ".restoring";
/// How many artefacts are on their way into a bucket at once.
const AT_ONCE: usize = 4;

/// Where the artefacts of an installation lie.
#[derive(Clone, Debug)]
pub(crate) enum Shelf {
    /// In a folder.
    Folder(PathBuf),
    /// In a bucket.
    Bucket {
        /// The name that the service knows it by.
        name: String,
        /// The artefacts in it.
        artefacts: Artefacts,
    },
}

impl Shelf {
    /// The one that is configured. A bucket is not asked for anything yet.
    ///
    /// # Errors
    /// A setting of the bucket can't be what it says.
    pub(crate) fn of(config: &Config) -> anyhow::Result<Self> {
        Ok(match bucket(config)? {
            Some(bucket) => Self::Bucket {
                artefacts: in_bucket(&bucket)?,
                name: bucket.name,
            },
            None => Self::Folder(config.artefacts_folder()),
        })
    }

    /// The name of the bucket, where it is one.
    pub(crate) fn bucket(&self) -> Option<&str> {
        match self {
            Self::Folder(_) => None,
            Self::Bucket { name, .. } => Some(name),
        }
    }

    /// How many artefacts there are, and how long they are together.
    pub(crate) async fn held(&self) -> anyhow::Result<(usize, u64)> {
        let sizes: Vec<u64> = match self {
            Self::Folder(folder) => {
                let found = files(folder).context("listing the artefacts")?;
                found.iter().map(|file| file.bytes).collect()
            }
            Self::Bucket { artefacts, .. } => {
                let found = artefacts.list().await.context("listing the artefacts")?;
                found.iter().map(|listed| listed.bytes).collect()
            }
        };
        Ok((sizes.len(), sizes.iter().sum()))
    }

    /// Takes new artefacts, beside those that are there.
    pub(crate) fn beside(&self) -> Beside<'_> {
        match self {
            Self::Folder(folder) => Beside::Folder(folder),
            Self::Bucket { artefacts, .. } => Beside::Bucket {
                artefacts,
                uploads: JoinSet::new(),
            },
        }
    }
}

/// As it is told to people.
impl fmt::Display for Shelf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(f, "{}", folder.display()),
            Self::Bucket { name, .. } => write!(f, "the bucket {name}"),
        }
    }
}

/// Takes new artefacts beside those that are there. Dropped, it lets go of what is on its way.
pub(crate) enum Beside<'a> {
    /// Into a folder.
    Folder(&'a Path),
    /// Into a bucket, several at once, since each waits for its answer.
    Bucket {
        artefacts: &'a Artefacts,
        uploads: JoinSet<Result<(), ArtefactError>>,
    },
}

impl Beside<'_> {
    /// Puts an artefact beside the old ones, and says how long it is. In a folder it keeps its age; a bucket knows no age but its own.
    pub(crate) async fn put(
        &mut self,
        key: &ArtefactKey,
        modified: SystemTime,
        content: &mut impl Read,
    ) -> anyhow::Result<u64> {
        match self {
            Self::Folder(folder) => {
                let path = folder.join(FRESH).join(key.as_str());
                write(&path, modified, content).with_context(|| format!("writing {}", path.display()))
            }
            Self::Bucket { artefacts, uploads } => {
                let content = whole(content).with_context(|| format!("the artefact {key}"))?;
                let length = content.len() as u64;
                while uploads.len() >= AT_ONCE {
                    one(uploads).await?;
                }
                let (artefacts, key) = (Artefacts::clone(artefacts), key.clone());
                uploads.spawn(async move { artefacts.put_aside(&key, content.into()).await });
                Ok(length)
            }
        }
    }

    /// Waits for all that are on their way.
    pub(crate) async fn finish(self) -> anyhow::Result<()> {
        if let Self::Bucket { mut uploads, .. } = self {
            while !uploads.is_empty() {
                one(&mut uploads).await?;
            }
        }
        Ok(())
    }
}

/// Waits for one of the uploads.
async fn one(uploads: &mut JoinSet<Result<(), ArtefactError>>) -> anyhow::Result<()> {
    if let Some(done) = uploads.join_next().await {
        done?.context("writing the artefacts")?;
    }
    Ok(())
}

fn write(path: &Path, modified: SystemTime, content: &mut impl Read) -> io::Result<u64> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = File::create(path)?;
    let written = io::copy(content, &mut file)?;
    file.set_modified(modified)?;
    Ok(written)
}

/// An artefact that a bucket can hold.
fn whole(content: &mut impl Read) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    content.take(LARGEST as u64 + 1).read_to_end(&mut bytes)?;
    anyhow::ensure!(
        bytes.len() <= LARGEST,
        "it is longer than {} MiB, and could not be read from a bucket",
        LARGEST >> 20
    );
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_read_from_a_bucket_is_not_put_there() {
        assert_eq!(whole(&mut io::repeat(7).take(3)).unwrap(), [7; 3].as_slice());
        assert_eq!(
            whole(&mut io::repeat(7).take(LARGEST as u64)).unwrap().len(),
            LARGEST
        );
        let refused = whole(&mut io::repeat(7)).unwrap_err().to_string();
        assert!(refused.contains("longer than 64 MiB"), "{refused}");
    }
}
