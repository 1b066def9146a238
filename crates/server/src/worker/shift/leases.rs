//! Keeping leases, and giving them back.

use std::{collections::HashSet, time::Duration};

use pharos_domain::ids::JobId;
use tokio::time::timeout;

use super::{Shift, answer};

/// How long outcomes and releases may take when a worker ends.
const LAST_WORDS: Duration = Duration::from_secs(1);

impl Shift {
    /// Extends the leases of all that it has, and drops what another has by now.
    pub(in crate::worker) async fn beat(&mut self) {
        let ended = self.ended.iter().map(|ended| ended.attempt.job);
        let jobs: Vec<JobId> = self.held.values().map(|held| held.job).chain(ended).collect();
        if jobs.is_empty() {
            return;
        }
        let queue = &self.worker.queue;
        match answer(queue.extend(self.id, &jobs, self.lease())).await {
            Ok(kept) => {
                let kept: HashSet<JobId> = kept.into_iter().collect();
                for job in jobs.into_iter().filter(|job| !kept.contains(job)) {
                    tracing::warn!(%job, "the lease of a job is lost: another has it");
                    self.call_off(job);
                    self.ended.retain(|ended| ended.attempt.job != job);
                }
            }
            Err(error) => tracing::warn!(%error, "the leases of jobs can't be extended at the moment"),
        }
    }

    /// Stores what is done, and gives back what is not, so that another worker takes it at once.
    pub(in crate::worker) async fn hand_over(mut self) {
        self.running.abort_all();
        while self.next_end().await {}
        let unfinished: Vec<JobId> = self.held.drain().map(|(_, held)| held.job).collect();
        let last_words = async {
            self.settle().await;
            if unfinished.is_empty() {
                return;
            }
            match self.worker.queue.release(self.id, &unfinished).await {
                Ok(()) => tracing::info!(jobs = unfinished.len(), "unfinished jobs are handed over"),
                Err(error) => {
                    tracing::warn!(%error, "jobs could not be given back; their leases will end");
                }
            }
        };
        if timeout(LAST_WORDS, last_words).await.is_err() {
            tracing::warn!("the store did not take the last word on jobs; their leases will end");
        }
    }
}
