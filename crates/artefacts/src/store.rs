//! The store of artefacts.

use std::{path::Path, sync::Arc};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use object_store::{
    Error, ObjectStore, ObjectStoreExt, PutPayload, local::LocalFileSystem, path::Path as ObjectPath,
};

use crate::{bucket::S3Bucket, key::ArtefactKey};

/// How many artefacts are deleted at once.
const DELETED_AT_ONCE: usize = 8;

/// A store of artefacts. Clones share it.
#[derive(Clone, Debug)]
pub struct Artefacts(Arc<dyn ObjectStore>);

/// The store can't do what it was asked for.
#[derive(Debug, thiserror::Error)]
#[error("the store of artefacts failed: {0}")]
pub struct ArtefactError(#[from] Error);

/// The folder of artefacts can't be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// It can't be made.
    #[error("the folder of artefacts can't be made")]
    Made(#[from] std::io::Error),
    /// It can't be opened.
    #[error("the folder of artefacts can't be opened")]
    Opened(#[from] Error),
}

impl Artefacts {
    /// The artefacts in a folder, which is made where it is missing.
    ///
    /// # Errors
    /// It can't be made or opened.
    pub fn in_folder(folder: &Path) -> Result<Self, FolderError> {
        std::fs::create_dir_all(folder)?;
        let store = LocalFileSystem::new_with_prefix(folder)?
            .with_automatic_cleanup(true)
            .with_fsync(true);
        Ok(Self(Arc::new(store)))
    }

    /// The artefacts in a bucket. It is not asked for anything yet.
    ///
    /// # Errors
    /// A part of it can't be what it says.
    pub fn in_bucket(bucket: &S3Bucket) -> Result<Self, ArtefactError> {
        Ok(Self(Arc::new(bucket.open()?)))
    }

    /// Whether the store answers, and has what artefacts lie in.
    ///
    /// # Errors
    /// It does not answer, or refuses.
    pub async fn look(&self) -> Result<(), ArtefactError> {
        self.0.list(None).next().await.transpose()?;
        Ok(())
    }

    /// Keeps an artefact, in the place of one with the same key.
    ///
    /// # Errors
    /// The store failed.
    pub async fn put(&self, key: &ArtefactKey, content: Bytes) -> Result<(), ArtefactError> {
        self.0.put(&path(key), PutPayload::from(content)).await?;
        Ok(())
    }

    /// An artefact; `None`: there is none, or no more.
    ///
    /// # Errors
    /// The store failed.
    pub async fn get(&self, key: &ArtefactKey) -> Result<Option<Bytes>, ArtefactError> {
        match self.0.get(&path(key)).await {
            Ok(found) => Ok(Some(found.bytes().await?)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Deletes an artefact, if there is one.
    ///
    /// # Errors
    /// The store failed.
    pub async fn delete(&self, key: &ArtefactKey) -> Result<(), ArtefactError> {
        match self.0.delete(&path(key)).await {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Deletes all that is below `prefix`.
    ///
    /// # Errors
    /// The store failed. The artefacts that were deleted by then stay so.
    pub async fn delete_all(&self, prefix: &ArtefactKey) -> Result<(), ArtefactError> {
        let listed = self.0.list(Some(&path(prefix)));
        let deleted = listed
            .map(|found| async { self.0.delete(&found?.location).await })
            .buffer_unordered(DELETED_AT_ONCE)
            .filter(|deleted| std::future::ready(!matches!(deleted, Err(Error::NotFound { .. }))))
            .try_for_each(|()| std::future::ready(Ok(())));
        deleted.await?;
        Ok(())
    }
}

fn path(key: &ArtefactKey) -> ObjectPath {
    ObjectPath::from(key.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_artefact_is_there_until_it_is_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let artefacts = Artefacts::in_folder(&folder.path().join("artefacts")).unwrap();
        let key = |text: &str| text.parse::<ArtefactKey>().unwrap();
        let (one, other, theirs) = (
            key("lab/run/one.jpg"),
            key("lab/run/other.jpg"),
            key("report/one.jpg"),
        );
        for key in [&one, &other, &theirs] {
            artefacts.put(key, Bytes::from_static(b"first")).await.unwrap();
        }
        artefacts.put(&one, Bytes::from_static(b"second")).await.unwrap();
        assert_eq!(
            artefacts.get(&one).await.unwrap().as_deref(),
            Some(b"second".as_slice())
        );
        artefacts.delete(&one).await.unwrap();
        artefacts.delete(&one).await.unwrap();
        assert_eq!(artefacts.get(&one).await.unwrap(), None);
        artefacts.delete_all(&key("lab/ru")).await.unwrap();
        assert!(artefacts.get(&other).await.unwrap().is_some(), "a part of a name");
        artefacts.delete_all(&key("lab")).await.unwrap();
        assert_eq!(artefacts.get(&other).await.unwrap(), None);
        assert!(artefacts.get(&theirs).await.unwrap().is_some(), "another prefix");
        artefacts.delete_all(&key("report")).await.unwrap();
        assert_eq!(artefacts.get(&theirs).await.unwrap(), None);
    }
}
