//! Waiting until every node has dropped what it knew before a change.
//!
//! The change's triggers have notified the nodes already. Notifications arrive in the order of their commits, so a
//! node that answers a question asked after the commit has heard of the change. A node that does not answer has not
//! heard its own heartbeat since then either, and bypasses what it keeps in memory before [`PATIENCE`] is over.

use std::{collections::HashSet, time::Duration};

use pharos_domain::store::StoreError;
use tokio::time::Instant;
use uuid::Uuid;

use crate::{pool::Database, wire::Session};

/// The channel that every change is told on.
pub(crate) const CHANGES: &str = "pharos_changes";

/// What a listener that hears everything calls itself.
pub(crate) const LISTENER: &str = "pharos listener";

/// What a question on [`CHANGES`] begins with; the channel for the answers follows.
pub(crate) const QUESTION: &str = "ack:";

/// A node that has heard nothing for 3 s trusts nothing (`pharos_auth::cache::MOST_SILENCE`), and a second more.
const PATIENCE: Duration = Duration::from_secs(4);

impl Database {
    /// Returns once no node uses what it knew before the change that was just committed. The change stands whatever
    /// happens here, so nothing here fails: where the nodes can't be asked, their patience is waited out.
    pub(crate) async fn await_acknowledgement(&self) {
        let until = Instant::now() + PATIENCE;
        match tokio::time::timeout_at(until, self.ask_listeners()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::warn!(%error, "the nodes can't be asked whether they know of a change; waiting instead");
                tokio::time::sleep_until(until).await;
            }
            Err(_) => {
                tracing::warn!("a node did not say that it knows of a change; it trusts nothing by now")
            }
        }
    }

    async fn ask_listeners(&self) -> Result<(), StoreError> {
        let mut session = Session::open(self.connector(), "pharos announcement").await?;
        let channel = format!("pharos_ack_{}", Uuid::new_v4().simple());
        // A listener takes its name once it hears everything, and only then reads what it keeps: one that is not in
        // this list yet will read what the change left.
        let listeners = session
            .run(&format!(
                "LISTEN {channel}; SELECT pid FROM pg_stat_activity \
                 WHERE datname = current_database() AND application_name = '{LISTENER}'"
            ))
            .await?;
        let mut waiting: HashSet<String> = listeners
            .iter()
            .filter_map(|message| match message {
                tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
                _ => None,
            })
            .collect();
        if waiting.is_empty() {
            return Ok(());
        }
        session.notify(CHANGES, &format!("{QUESTION}{channel}")).await?;
        // A listener whose session ends meanwhile is waited for all the same: its node may not know that yet.
        while !waiting.is_empty() {
            let answer = session.notifications.recv().await.ok_or_else(lost)?;
            waiting.remove(answer.payload());
        }
        Ok(())
    }
}

/// The connection ended.
pub(crate) fn lost() -> StoreError {
    StoreError::Unavailable("the connection to the database ended".into())
}
