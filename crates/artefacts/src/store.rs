//! The store of artefacts.

use std::{
    fs::{self, DirBuilder},
    io::{self, ErrorKind},
    os::unix::fs::DirBuilderExt,
    path::Path,
    sync::Arc,
    time::SystemTime,
};

use bytes::Bytes;
use futures_util::StreamExt;
use object_store::{
    Error, ObjectStore, ObjectStoreExt, PutPayload, local::LocalFileSystem, path::Path as ObjectPath,
};
use tokio::task::spawn_blocking;

use crate::{bucket::S3Bucket, key::ArtefactKey, replacement::lies_aside};

/// How many artefacts are deleted at once.
const DELETED_AT_ONCE: usize = 8;

/// A store of artefacts. Clones share it.
#[derive(Clone, Debug)]
pub struct Artefacts {
    pub(crate) store: Arc<dyn ObjectStore>,
    /// Where they lie; `None`: in a bucket.
    pub(crate) folder: Option<Arc<Path>>,
}

/// An artefact as its store lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The key that it is stored by.
    pub key: ArtefactKey,
    /// How long it is.
    pub bytes: u64,
    /// When it was written.
    pub modified: SystemTime,
}

/// The store can't do what it was asked for.
#[derive(Debug, thiserror::Error)]
#[error("the store of artefacts failed: {0}")]
pub struct ArtefactError(#[from] Error);

/// The folder of artefacts can't be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// It can't be made.
    #[error("the folder of artefacts can't be made")]
    Made(#[from] io::Error),
    /// It can't be opened.
    #[error("the folder of artefacts can't be opened")]
    Opened(#[from] Error),
}

impl Artefacts {
    /// The artefacts in a folder, which is made where it is missing, for nobody else to read.
    ///
    /// # Errors
    /// It can't be made or opened.
    pub fn in_folder(folder: &Path) -> Result<Self, FolderError> {
        made(folder)?;
        let store = LocalFileSystem::new_with_prefix(folder)?
            .with_automatic_cleanup(true)
            .with_fsync(true);
        Ok(Self {
            store: Arc::new(store),
            folder: Some(Arc::from(folder)),
        })
    }

    /// The artefacts in a bucket. It is not asked for anything yet.
    ///
    /// # Errors
    /// A part of it can't be what it says.
    pub fn in_bucket(bucket: &S3Bucket) -> Result<Self, ArtefactError> {
        Ok(Self {
            store: Arc::new(bucket.open()?),
            folder: None,
        })
    }

    /// Whether the store answers, and has what artefacts lie in.
    ///
    /// # Errors
    /// It does not answer, or refuses.
    pub async fn look(&self) -> Result<(), ArtefactError> {
        self.store.list(None).next().await.transpose()?;
        Ok(())
    }

    /// All artefacts, in the order of their keys. A file without the name of an artefact is somebody else's, and is left out.
    ///
    /// # Errors
    /// The store failed.
    pub async fn list(&self) -> Result<Vec<Listed>, ArtefactError> {
        let mut objects = self.store.list(None);
        let mut found = Vec::new();
        while let Some(object) = objects.next().await.transpose()? {
            if let Ok(key) = object.location.as_ref().parse::<ArtefactKey>()
                && !lies_aside(&key)
            {
                found.push(Listed {
                    key,
                    bytes: object.size,
                    modified: object.last_modified.into(),
                });
            }
        }
        found.sort_by(|one, other| one.key.cmp(&other.key));
        Ok(found)
    }

    /// Keeps an artefact, in the place of one with the same key.
    ///
    /// # Errors
    /// The store failed.
    pub async fn put(&self, key: &ArtefactKey, content: Bytes) -> Result<(), ArtefactError> {
        self.store.put(&path(key), PutPayload::from(content)).await?;
        Ok(())
    }

    /// An artefact; `None`: there is none, or no more.
    ///
    /// # Errors
    /// The store failed.
    pub async fn get(&self, key: &ArtefactKey) -> Result<Option<Bytes>, ArtefactError> {
        match self.store.get(&path(key)).await {
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
        match self.store.delete(&path(key)).await {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Deletes all that is below `prefix`. An artefact that can't be deleted keeps no other from going.
    ///
    /// # Errors
    /// The store failed. The artefacts that were deleted stay so.
    pub async fn delete_all(&self, prefix: &ArtefactKey) -> Result<(), ArtefactError> {
        self.delete_below(&path(prefix)).await?;
        if let Some(folder) = &self.folder {
            let place = folder.join(prefix.as_str());
            let swept = spawn_blocking(move || sweep(&place)).await;
            swept.map_err(io::Error::other).flatten().map_err(of_folder)?;
        }
        Ok(())
    }

    pub(crate) async fn delete_below(&self, prefix: &ObjectPath) -> Result<(), ArtefactError> {
        let listed = self.store.list(Some(prefix));
        let deleted = listed
            .map(|found| async { self.store.delete(&found?.location).await })
            .buffer_unordered(DELETED_AT_ONCE)
            .filter(|deleted| std::future::ready(!matches!(deleted, Err(Error::NotFound { .. }))))
            .fold(Ok(()), |all, deleted| std::future::ready(all.and(deleted)));
        Ok(deleted.await?)
    }
}

/// Deletes what was being written below a place when its writer was killed: the store lists no such file. No name of an artefact
/// has a `#`.
fn sweep(place: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(place) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sweep(&entry.path())?;
        } else if entry.file_name().to_string_lossy().contains('#')
            && let Err(error) = fs::remove_file(entry.path())
            && error.kind() != ErrorKind::NotFound
        {
            return Err(error);
        }
    }
    // Where something else is in it, it stays.
    let _ = fs::remove_dir(place);
    Ok(())
}

fn of_folder(error: io::Error) -> Error {
    Error::Generic {
        store: "folder",
        source: Box::new(error),
    }
}

/// Makes a folder where it is missing. Its files are of customers, while PostgreSQL, which runs under another account, passes
/// through the data folder above it.
fn made(folder: &Path) -> io::Result<()> {
    if let Some(above) = folder.parent() {
        fs::create_dir_all(above)?;
    }
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        made => made,
    }
}

pub(crate) fn path(key: &ArtefactKey) -> ObjectPath {
    ObjectPath::from(key.as_str())
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use async_trait::async_trait;
    use futures_util::stream::BoxStream;
    use object_store::{
        CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, PutMultipartOptions,
        PutOptions, PutResult, memory::InMemory,
    };

    use super::*;

    #[test]
    fn a_folder_is_made_for_nobody_else_to_read_and_one_that_is_there_stays_as_it_is() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().unwrap();
        let mode = |folder: &Path| fs::metadata(folder).unwrap().permissions().mode() & 0o777;
        let folder = place.path().join("data/artefacts");
        Artefacts::in_folder(&folder).unwrap();
        assert_eq!(mode(&folder), 0o700);
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o750)).unwrap();
        Artefacts::in_folder(&folder).unwrap();
        assert_eq!(mode(&folder), 0o750);
        let file = place.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(matches!(Artefacts::in_folder(&file), Err(FolderError::Made(_))));
    }

    /// A store that deletes nothing called `stuck.jpg`.
    #[derive(Debug)]
    struct Sticky(InMemory);

    impl fmt::Display for Sticky {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("sticky")
        }
    }

    #[async_trait]
    impl ObjectStore for Sticky {
        async fn put_opts(
            &self,
            location: &ObjectPath,
            payload: PutPayload,
            options: PutOptions,
        ) -> Result<PutResult, Error> {
            self.0.put_opts(location, payload, options).await
        }

        async fn put_multipart_opts(
            &self,
            location: &ObjectPath,
            options: PutMultipartOptions,
        ) -> Result<Box<dyn MultipartUpload>, Error> {
            self.0.put_multipart_opts(location, options).await
        }

        async fn get_opts(&self, location: &ObjectPath, options: GetOptions) -> Result<GetResult, Error> {
            self.0.get_opts(location, options).await
        }

        fn delete_stream(
            &self,
            locations: BoxStream<'static, Result<ObjectPath, Error>>,
        ) -> BoxStream<'static, Result<ObjectPath, Error>> {
            let locations = locations.map(|location| match location? {
                stuck if stuck.filename() == Some("stuck.jpg") => Err(Error::Generic {
                    store: "sticky",
                    source: "it is stuck".into(),
                }),
                location => Ok(location),
            });
            self.0.delete_stream(locations.boxed())
        }

        fn list(&self, prefix: Option<&ObjectPath>) -> BoxStream<'static, Result<ObjectMeta, Error>> {
            self.0.list(prefix)
        }

        async fn list_with_delimiter(&self, prefix: Option<&ObjectPath>) -> Result<ListResult, Error> {
            self.0.list_with_delimiter(prefix).await
        }

        async fn copy_opts(
            &self,
            from: &ObjectPath,
            to: &ObjectPath,
            options: CopyOptions,
        ) -> Result<(), Error> {
            self.0.copy_opts(from, to, options).await
        }
    }

    #[tokio::test]
    async fn an_artefact_that_cant_be_deleted_keeps_no_other_from_going() {
        let artefacts = Artefacts {
            store: Arc::new(Sticky(InMemory::new())),
            folder: None,
        };
        let key = |run: usize, name: &str| format!("lab/{run:02}/{name}.jpg").parse::<ArtefactKey>().unwrap();
        // The stuck one is listed first, and more come after it than are deleted at once.
        let stuck = key(0, "stuck");
        let others: Vec<ArtefactKey> = (1..4 * DELETED_AT_ONCE).map(|run| key(run, "one")).collect();
        for key in std::iter::once(&stuck).chain(&others) {
            artefacts.put(key, Bytes::from_static(b"left")).await.unwrap();
        }
        let why = artefacts.delete_all(&"lab".parse().unwrap()).await.unwrap_err();
        assert!(why.to_string().contains("it is stuck"), "{why}");
        for other in &others {
            assert_eq!(artefacts.get(other).await.unwrap(), None, "{other}");
        }
        assert!(artefacts.get(&stuck).await.unwrap().is_some());
    }

    #[tokio::test]
    async fn what_was_being_written_when_its_writer_was_killed_goes_with_the_others() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("artefacts");
        let artefacts = Artefacts::in_folder(&folder).unwrap();
        let key = |text: &str| text.parse::<ArtefactKey>().unwrap();
        artefacts
            .put(&key("lab/run/one.jpg"), Bytes::from_static(b"first"))
            .await
            .unwrap();
        artefacts
            .put(&key("lab/other/one.jpg"), Bytes::from_static(b"first"))
            .await
            .unwrap();
        let left = [
            "lab/run/one.jpg#1",
            "lab/run/deeper/two.jpg#2",
            "lab/other/one.jpg#1",
        ]
        .map(|name| folder.join(name));
        fs::create_dir(folder.join("lab/run/deeper")).unwrap();
        for file in &left {
            fs::write(file, "fir").unwrap();
        }
        artefacts.delete_all(&key("lab/run")).await.unwrap();
        assert!(!folder.join("lab/run").exists());
        assert!(left[2].exists(), "another prefix");
        assert!(artefacts.get(&key("lab/other/one.jpg")).await.unwrap().is_some());
        // Nothing is there any more, which is as good.
        artefacts.delete_all(&key("lab/run")).await.unwrap();
    }

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
