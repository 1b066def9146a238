//! Reports progress to a caller while a run goes on, and finds out whether the caller is still there.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use rmcp::{
    RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
    service::{Peer, RequestContext},
};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

/// Tells the caller of a tool how far it is.
pub(crate) struct Progress {
    told_to: Option<(Peer<RoleServer>, ProgressToken)>,
    cancelled: CancellationToken,
    told: Rising,
}

/// Values that only grow, as the protocol requires of progress.
#[derive(Default)]
struct Rising(Mutex<Option<f64>>);

impl Rising {
    /// Whether a value is larger than all before it, so that it may be sent.
    fn takes(&self, value: f64) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let rises = last.is_none_or(|last| value > last);
        if rises {
            *last = Some(value);
        }
        rises
    }
}

impl Progress {
    /// The progress of a request. A caller that named no token for it gets no reports.
    pub(crate) fn of(context: &RequestContext<RoleServer>) -> Self {
        let token = context.meta.get_progress_token();
        Self {
            told_to: token.map(|token| (context.peer.clone(), token)),
            cancelled: context.ct.clone(),
            told: Rising::default(),
        }
    }

    /// Reports how much is done, of 100. A value that is no larger than the last one is not sent.
    pub(crate) async fn tell(&self, done: f64, message: &str) {
        let Some((peer, token)) = &self.told_to else {
            return;
        };
        if self.told.takes(done) {
            let told = ProgressNotificationParam::new(token.clone(), done)
                .with_total(100.0)
                .with_message(message);
            // A caller that has gone away gets no more reports.
            drop(peer.notify_progress(told).await);
        }
    }

    /// Waits; `false`: the caller has cancelled, or hung up.
    pub(crate) async fn pause(&self, pause: Duration) -> bool {
        self.while_there(sleep(pause)).await.is_some()
    }

    /// Runs the work to its result; `None`: the caller has cancelled or hung up, and the work is given up.
    pub(crate) async fn while_there<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        self.cancelled.run_until_cancelled(work).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_is_given_up_when_its_caller_has_gone() {
        let progress = Progress {
            told_to: None,
            cancelled: CancellationToken::new(),
            told: Rising::default(),
        };
        assert_eq!(progress.while_there(async { 1 }).await, Some(1));
        progress.cancelled.cancel();
        assert_eq!(progress.while_there(std::future::pending::<i32>()).await, None);
    }

    #[test]
    fn progress_only_rises() {
        let told = Rising::default();
        let values = [8.0, 8.0, 0.0, 25.0, 12.0, f64::NAN, 25.5, 100.0, 100.0];
        let taken: Vec<f64> = values.into_iter().filter(|value| told.takes(*value)).collect();
        assert_eq!(taken, [8.0, 25.0, 25.5, 100.0]);
    }
}
