//! The progress that a caller is told while a run goes on, and whether the caller is still there.

use std::time::Duration;

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
}

impl Progress {
    /// The progress of a request. Who named no token for it is told nothing.
    pub(crate) fn of(context: &RequestContext<RoleServer>) -> Self {
        let token = context.meta.get_progress_token();
        Self {
            told_to: token.map(|token| (context.peer.clone(), token)),
            cancelled: context.ct.clone(),
        }
    }

    /// Says how much is done, of 100.
    pub(crate) async fn tell(&self, done: f64, message: &str) {
        if let Some((peer, token)) = &self.told_to {
            let told = ProgressNotificationParam::new(token.clone(), done)
                .with_total(100.0)
                .with_message(message);
            // Whoever has gone away is told nothing any more.
            drop(peer.notify_progress(told).await);
        }
    }

    /// Waits; `false`: the caller has cancelled, or hung up.
    pub(crate) async fn pause(&self, pause: Duration) -> bool {
        self.cancelled.run_until_cancelled(sleep(pause)).await.is_some()
    }
}
