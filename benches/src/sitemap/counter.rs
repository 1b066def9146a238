//! In the place of the database: it counts pages, and keeps none.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use pharos_crawl::{
    hosts::{HostStore, HostsChange, ListedHost, SeenHost},
    sitemap::{
        entry::SitemapKind,
        monitor::{
            figures::{FigureArchive, PageSlice},
            languages::{LanguageArchive, NamingPage, NoReturn},
            outcome::{Content, FileOutcome},
            sample::{Sample, SampleArchive},
            site::{AskedBy, CheckCounts, ListedPage, SiteRobots, WatchedFile},
            store::{Concluded, ConflictArchive, FoundConflicts, SitemapArchive},
        },
    },
};
use pharos_domain::{
    credits::Charged,
    identity::DomainAccess,
    ids::{DomainId, WorkspaceId},
    settings::ChangeError,
    store::StoreError,
};
use time::OffsetDateTime;
use url::Url;
use uuid::Uuid;

use super::files::Pages;

/// By what the index is known.
const INDEX: Uuid = Uuid::from_u128(1);

/// Counts what one check reads.
#[derive(Debug, Default)]
pub(super) struct Counter(Mutex<Found>);

#[derive(Debug, Default)]
struct Found {
    pages: Pages,
    files: Vec<WatchedFile>,
}

impl Counter {
    pub(super) fn pages(&self) -> Pages {
        self.found().pages
    }

    fn found(&self) -> MutexGuard<'_, Found> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl SitemapArchive for Counter {
    async fn begin(&self, _: DomainId) -> Result<Option<WorkspaceId>, StoreError> {
        Ok(Some(WorkspaceId(Uuid::nil())))
    }

    async fn robots(&self, _: DomainId) -> Result<Option<SiteRobots>, StoreError> {
        Ok(None)
    }

    async fn declare(&self, _: DomainId, _: &[Url], _: OffsetDateTime) -> Result<(), StoreError> {
        Ok(())
    }

    async fn keep_usual(&self, _: DomainId, _: &[Url]) -> Result<(), StoreError> {
        Ok(())
    }

    async fn watched(
        &self,
        _: DomainId,
        parent: Option<Uuid>,
        _: AskedBy,
    ) -> Result<Vec<WatchedFile>, StoreError> {
        Ok(match parent {
            Some(INDEX) => std::mem::take(&mut self.found().files),
            _ => Vec::new(),
        })
    }

    async fn knows(&self, _: DomainId, _: &Url) -> Result<bool, StoreError> {
        Ok(false)
    }

    async fn adopt(&self, _: DomainId, _: &Url, _: OffsetDateTime) -> Result<Uuid, StoreError> {
        Ok(INDEX)
    }

    async fn import(
        &self,
        _: DomainId,
        _: AskedBy,
        _: &WatchedFile,
        outcome: &FileOutcome,
    ) -> Result<CheckCounts, StoreError> {
        let mut found = self.found();
        if let Content::Read(read) = &outcome.content {
            for page in &read.pages {
                found.pages.add(&page.url);
            }
            let children = (2..).zip(&read.children).map(|(id, child)| WatchedFile {
                id: Uuid::from_u128(id),
                url: child.url.clone(),
                is_child: true,
                depth: 2,
                kind: SitemapKind::Unknown,
                validators: None,
                sha256: None,
                is_done: false,
            });
            found.files.extend(children);
        }
        Ok(CheckCounts {
            files: 1,
            failed: u64::from(outcome.status.is_failure()),
            ..CheckCounts::default()
        })
    }

    async fn sweep(&self, _: DomainId, _: OffsetDateTime) -> Result<CheckCounts, StoreError> {
        Ok(CheckCounts::default())
    }

    async fn conclude(&self, _: DomainId, _: &Concluded, _: OffsetDateTime) -> Result<(), StoreError> {
        Ok(())
    }

    async fn weigh_samples(&self, _: DomainId, _: OffsetDateTime) -> Result<(), StoreError> {
        Ok(())
    }
}

#[async_trait]
impl ConflictArchive for Counter {
    async fn is_stale(&self, _: DomainId) -> Result<bool, StoreError> {
        Ok(false)
    }

    async fn listed(&self, _: DomainId, _: Uuid, _: usize) -> Result<Vec<ListedPage>, StoreError> {
        Ok(Vec::new())
    }

    async fn put(&self, _: DomainId, _: &FoundConflicts) -> Result<(), StoreError> {
        Ok(())
    }
}

#[async_trait]
impl LanguageArchive for Counter {
    async fn is_stale(&self, _: DomainId) -> Result<bool, StoreError> {
        Ok(false)
    }

    async fn naming(&self, _: DomainId, _: (Uuid, Uuid), _: usize) -> Result<Vec<NamingPage>, StoreError> {
        Ok(Vec::new())
    }

    async fn put(
        &self,
        _: DomainId,
        _: &BTreeMap<Uuid, NoReturn>,
        _: OffsetDateTime,
    ) -> Result<(), StoreError> {
        Ok(())
    }
}

#[async_trait]
impl FigureArchive for Counter {
    async fn slice(&self, _: DomainId, _: Uuid) -> Result<PageSlice, StoreError> {
        Ok(PageSlice::default())
    }

    async fn entries(&self, _: DomainId) -> Result<u64, StoreError> {
        Ok(0)
    }
}

#[async_trait]
impl HostStore for Counter {
    async fn of(&self, _: DomainId) -> Result<Vec<ListedHost>, StoreError> {
        Ok(Vec::new())
    }

    async fn change(&self, _: &Charged<DomainAccess>, _: &HostsChange<'_>) -> Result<(), ChangeError> {
        Ok(())
    }

    async fn saw(&self, _: DomainId, _: &str, _: &SeenHost) -> Result<(), StoreError> {
        Ok(())
    }
}

#[async_trait]
impl SampleArchive for Counter {
    async fn next(&self, _: DomainId, _: usize) -> Result<Vec<ListedPage>, StoreError> {
        Ok(Vec::new())
    }

    async fn keep(&self, _: DomainId, _: &[Sample], _: Option<Uuid>) -> Result<(), StoreError> {
        Ok(())
    }
}
