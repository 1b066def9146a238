//! Takes results out of their place once they are no longer kept.

use std::{sync::Arc, time::Duration};

use pharos_domain::{clock::Clock, store::StoreError};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::{results::Results, store::ReportWork};

/// How many results one round looks at.
const AT_ONCE: usize = 500;
/// The pause between two rounds.
const PAUSE: Duration = Duration::from_secs(600);

/// Takes old results out.
#[derive(Clone)]
pub struct ResultUpkeep {
    /// Where it is written which there are.
    pub store: Arc<dyn ReportWork>,
    /// Where they lie.
    pub results: Results,
    /// The clock that tells how old they are.
    pub clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for ResultUpkeep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ResultUpkeep")
            .field("results", &self.results)
            .finish_non_exhaustive()
    }
}

impl ResultUpkeep {
    /// Works until `stop`.
    pub async fn run(self, stop: CancellationToken) {
        loop {
            match self.round().await {
                Ok(0) => {}
                Ok(gone) => tracing::info!(gone, "results of reports are no longer kept"),
                Err(error) => tracing::warn!(%error, "old results of reports stay for a while"),
            }
            tokio::select! {
                () = stop.cancelled() => return,
                () = sleep(PAUSE) => {}
            }
        }
    }

    /// Takes out what is no longer kept now, and says how many results that were. One that can't be taken out stays, and stops
    /// no other; operators hear of it by way of the store.
    ///
    /// # Errors
    /// The store failed.
    pub async fn round(&self) -> Result<usize, StoreError> {
        let (mut all, mut stuck, mut why_not) = (0, Vec::new(), None);
        loop {
            let old = self.store.old_results(self.clock.now(), &stuck, AT_ONCE).await?;
            let mut gone = Vec::with_capacity(old.len());
            for run in &old {
                match self.results.delete(*run).await {
                    Ok(()) => gone.push(*run),
                    Err(error) => {
                        tracing::warn!(%run, %error, "a result can't be taken out");
                        stuck.push(*run);
                        why_not.get_or_insert_with(|| {
                            format!("the result of {run} can't be taken out: {error}")
                        });
                    }
                }
            }
            self.store.gone(&gone).await?;
            all += gone.len();
            if old.len() < AT_ONCE {
                self.store.note_upkeep(why_not).await;
                return Ok(all);
            }
        }
    }
}
