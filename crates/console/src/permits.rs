//! Permits for pages that read much. A node has so many, and each workspace has a share of them, so that no workspace waits for
//! another's crowd.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use pharos_domain::ids::WorkspaceId;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use crate::refusal::Refusal;

/// How long a page waits for its permit, and then for its figures. A late part of the page says so, and the rest is shown.
pub(crate) const WITHIN: Duration = Duration::from_secs(8);

/// How long a page that shows all of its figures or none may read.
const ALL_WITHIN: Duration = Duration::from_secs(20);

/// How many such pages are read at once on a node.
const OF_A_NODE: usize = 3;
/// The same of pages about all that was seen of sites: half of the connections for short reads that a node has at first.
const ABOUT_SITES: usize = 8;
/// How many of them are of one workspace.
const OF_A_WORKSPACE: usize = 2;

/// The permits of a node.
#[derive(Debug)]
pub(crate) struct PagePermits {
    node: Arc<Semaphore>,
    /// The permits of workspaces in which somebody reads or waits.
    workspaces: Mutex<HashMap<WorkspaceId, Arc<Semaphore>>>,
}

/// A permit to read, until it is dropped. Work that outlives its page takes the permit along.
#[derive(Debug)]
pub(crate) struct PagePermit {
    _node: Option<OwnedSemaphorePermit>,
    _workspace: Option<OwnedSemaphorePermit>,
}

impl Default for PagePermits {
    fn default() -> Self {
        Self::of_node(OF_A_NODE)
    }
}

impl PagePermits {
    /// Those of pages about all that was seen of sites.
    pub(crate) fn about_sites() -> Self {
        Self::of_node(ABOUT_SITES)
    }

    fn of_node(permits: usize) -> Self {
        Self {
            node: Arc::new(Semaphore::new(permits)),
            workspaces: Mutex::default(),
        }
    }

    /// Waits a while for a permit, since others read their pages too.
    ///
    /// # Errors
    /// None came in time.
    pub(crate) async fn turn(&self, workspace: WorkspaceId) -> Result<PagePermit, Refusal> {
        let taken = timeout(WITHIN, self.take(workspace)).await;
        taken.map_err(|_| Refusal::TooOften {
            retry_after_seconds: 5,
        })
    }

    /// Reads the figures of a page with a permit. Late figures are given up, so that the page does not hold up others.
    ///
    /// # Errors
    /// No permit came in time, or not all figures did, or they can't be read.
    pub(crate) async fn read<T>(
        &self,
        workspace: WorkspaceId,
        figures: impl Future<Output = Result<T, Refusal>>,
    ) -> Result<T, Refusal> {
        self.read_within(ALL_WITHIN, workspace, figures).await
    }

    async fn read_within<T>(
        &self,
        within: Duration,
        workspace: WorkspaceId,
        figures: impl Future<Output = Result<T, Refusal>>,
    ) -> Result<T, Refusal> {
        let _permit = self.turn(workspace).await?;
        timeout(within, figures).await.unwrap_or(Err(Refusal::TooLong))
    }

    /// Waits for a permit. Those who wait for a permit of the workspace hold none of the node, and those of the node are given
    /// in the order of the requests: a workspace never has more than its share before another.
    pub(crate) async fn take(&self, workspace: WorkspaceId) -> PagePermit {
        // Neither semaphore is ever closed.
        let of_workspace = self.of_workspace(workspace).acquire_owned().await.ok();
        PagePermit {
            _node: Arc::clone(&self.node).acquire_owned().await.ok(),
            _workspace: of_workspace,
        }
    }

    fn of_workspace(&self, workspace: WorkspaceId) -> Arc<Semaphore> {
        let mut known = self.workspaces.lock().unwrap_or_else(PoisonError::into_inner);
        // Those who read or wait hold a permit, too.
        known.retain(|_, permits| Arc::strong_count(permits) > 1);
        let permits = known
            .entry(workspace)
            .or_insert_with(|| Arc::new(Semaphore::new(OF_A_WORKSPACE)));
        Arc::clone(permits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn try_take(permits: &PagePermits, workspace: WorkspaceId) -> Option<PagePermit> {
        let taken = timeout(Duration::from_millis(20), permits.take(workspace)).await;
        taken.ok()
    }

    #[tokio::test]
    async fn a_crowd_of_one_workspace_leaves_a_permit_for_others() {
        let permits = PagePermits::default();
        let [crowded, other, third] = [(); 3].map(|()| WorkspaceId::generate());
        let first = try_take(&permits, crowded).await.unwrap();
        let _second = try_take(&permits, crowded).await.unwrap();
        assert!(try_take(&permits, crowded).await.is_none());
        let of_other = try_take(&permits, other).await.unwrap();
        assert!(try_take(&permits, third).await.is_none(), "the node is full");
        drop(first);
        let of_third = try_take(&permits, third).await.unwrap();
        drop((of_other, of_third));
        assert!(try_take(&permits, crowded).await.is_some());
    }

    #[tokio::test]
    async fn a_page_that_is_late_gives_its_permit_back() {
        let permits = PagePermits::default();
        let workspace = WorkspaceId::generate();
        let read = permits.read(workspace, async { Ok(7) }).await;
        assert!(matches!(read, Ok(7)));
        for _ in 0..=OF_A_WORKSPACE {
            let never = std::future::pending::<Result<(), Refusal>>();
            let late = permits.read_within(Duration::from_millis(20), workspace, never);
            assert!(matches!(late.await, Err(Refusal::TooLong)));
        }
        assert!(try_take(&permits, workspace).await.is_some());
    }

    #[tokio::test]
    async fn workspaces_of_which_nobody_reads_are_forgotten() {
        let permits = PagePermits::default();
        for _ in 0..100 {
            drop(try_take(&permits, WorkspaceId::generate()).await.unwrap());
        }
        assert_eq!(permits.workspaces.lock().unwrap().len(), 1);
    }
}
