//! Artefacts that take the place of all others of a bucket, for restores.
//!
//! A bucket renames nothing, so they are put aside, and copied once their database is in place. The exchange may be done again
//! after it was cut off anywhere, since what lies aside stays there until it is discarded.

use std::collections::HashSet;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::{ObjectStoreExt, PutPayload, path::Path as ObjectPath};

use crate::{
    key::ArtefactKey,
    store::{ArtefactError, Artefacts, path},
};

/// How many artefacts are copied or deleted at once.
const AT_ONCE: usize = 8;
/// The prefix of what lies aside. No group is called so.
const ASIDE: &str = ".restoring/";

impl Artefacts {
    /// Puts an artefact aside, where no other is.
    ///
    /// # Errors
    /// The store failed.
    pub async fn put_aside(&self, key: &ArtefactKey, content: Bytes) -> Result<(), ArtefactError> {
        self.store.put(&aside(key), PutPayload::from(content)).await?;
        Ok(())
    }

    /// Puts what lies aside in the place of all others, which are deleted.
    ///
    /// # Errors
    /// The store failed. It is to be done again.
    pub async fn exchange_aside(&self) -> Result<(), ArtefactError> {
        let mut fresh = HashSet::new();
        let mut objects = self.store.list(Some(&ObjectPath::from(ASIDE)));
        while let Some(object) = objects.next().await.transpose()? {
            let key = object.location.as_ref().strip_prefix(ASIDE);
            fresh.extend(key.and_then(|key| key.parse::<ArtefactKey>().ok()));
        }
        stream::iter(fresh.iter().map(Ok::<_, ArtefactError>))
            .try_for_each_concurrent(AT_ONCE, |key| async move {
                self.store.copy(&aside(key), &path(key)).await?;
                Ok(())
            })
            .await?;
        let listed = self.list().await?;
        let old = listed.iter().filter(|old| !fresh.contains(&old.key));
        stream::iter(old.map(Ok))
            .try_for_each_concurrent(AT_ONCE, |old| self.delete(&old.key))
            .await
    }

    /// Deletes what lies aside.
    ///
    /// # Errors
    /// The store failed.
    pub async fn discard_aside(&self) -> Result<(), ArtefactError> {
        self.delete_below(&ObjectPath::from(ASIDE)).await
    }
}

/// Whether it lies aside, and so is none of the artefacts.
pub(crate) fn lies_aside(key: &ArtefactKey) -> bool {
    key.as_str().starts_with(ASIDE)
}

fn aside(key: &ArtefactKey) -> ObjectPath {
    ObjectPath::from(format!("{ASIDE}{key}"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use object_store::memory::InMemory;

    use super::*;

    fn key(text: &str) -> ArtefactKey {
        text.parse().unwrap()
    }

    /// A bucket with three artefacts, and two that lie aside, one of them under the name of an old one.
    async fn prepared() -> Artefacts {
        let artefacts = Artefacts {
            store: Arc::new(InMemory::new()),
            folder: None,
        };
        for name in ["lab/both.jpg", "lab/old.jpg", "report/old.pdf"] {
            artefacts
                .put(&key(name), Bytes::from_static(b"old"))
                .await
                .unwrap();
        }
        for name in ["lab/both.jpg", "lab/new.jpg"] {
            artefacts
                .put_aside(&key(name), Bytes::from_static(b"new"))
                .await
                .unwrap();
        }
        artefacts
    }

    async fn held(artefacts: &Artefacts) -> Vec<(String, Bytes)> {
        let mut held = Vec::new();
        for listed in artefacts.list().await.unwrap() {
            let content = artefacts.get(&listed.key).await.unwrap().unwrap();
            assert_eq!(listed.bytes, content.len() as u64);
            held.push((listed.key.to_string(), content));
        }
        held
    }

    fn all(names: &[&str], content: &'static str) -> Vec<(String, Bytes)> {
        let content = Bytes::from_static(content.as_bytes());
        names
            .iter()
            .map(|name| ((*name).to_owned(), content.clone()))
            .collect()
    }

    async fn objects(artefacts: &Artefacts) -> usize {
        artefacts.store.list(None).count().await
    }

    #[tokio::test]
    async fn what_lies_aside_takes_the_place_of_all_others_and_twice_is_as_once() {
        let artefacts = prepared().await;
        let old = ["lab/both.jpg", "lab/old.jpg", "report/old.pdf"];
        assert_eq!(held(&artefacts).await, all(&old, "old"));
        for _ in 0..2 {
            artefacts.exchange_aside().await.unwrap();
            assert_eq!(
                held(&artefacts).await,
                all(&["lab/both.jpg", "lab/new.jpg"], "new")
            );
        }
        artefacts.discard_aside().await.unwrap();
        assert_eq!(
            held(&artefacts).await,
            all(&["lab/both.jpg", "lab/new.jpg"], "new")
        );
        assert_eq!(objects(&artefacts).await, 2, "nothing lies aside");
    }

    #[tokio::test]
    async fn an_exchange_that_was_cut_off_anywhere_goes_on() {
        // Cut off after one is copied, and after one is deleted.
        for steps in 1..=2 {
            let artefacts = prepared().await;
            let copied = key("lab/new.jpg");
            artefacts
                .store
                .copy(&aside(&copied), &path(&copied))
                .await
                .unwrap();
            if steps > 1 {
                artefacts.delete(&key("lab/old.jpg")).await.unwrap();
            }
            artefacts.exchange_aside().await.unwrap();
            assert_eq!(
                held(&artefacts).await,
                all(&["lab/both.jpg", "lab/new.jpg"], "new")
            );
        }
    }

    #[tokio::test]
    async fn what_was_put_aside_goes_without_a_trace() {
        let artefacts = prepared().await;
        artefacts.discard_aside().await.unwrap();
        assert_eq!(objects(&artefacts).await, 3);
        let old = ["lab/both.jpg", "lab/old.jpg", "report/old.pdf"];
        assert_eq!(held(&artefacts).await, all(&old, "old"));
    }
}
