//! Waits until every node has dropped what it had cached before a change.
//!
//! The change's triggers have notified the nodes already. Notifications arrive in the order of their commits, so a node that
//! answers a request sent after the commit has heard of the change. A node that does not answer has not heard its own heartbeat
//! since then either, and bypasses its memory before [`PATIENCE`] is over.

use std::{
    collections::HashSet,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use pharos_domain::store::StoreError;
use tokio::{
    sync::Mutex,
    time::{Instant, sleep_until, timeout_at},
};
use uuid::Uuid;

use crate::{connector::Connector, wire::Session};

/// The channel on which every change is announced.
pub(crate) const CHANGES: &str = "pharos_changes";

/// The `application_name` of a listener that hears everything.
pub(crate) const LISTENER: &str = "pharos listener";

/// A request for acknowledgement on [`CHANGES`] begins with it; the channel for the answers follows.
pub(crate) const ACK_REQUEST: &str = "ack:";

/// A node that has heard nothing for 3 s bypasses its memory (`pharos_domain::invalidation::MOST_SILENCE`). This is a second
/// more.
const PATIENCE: Duration = Duration::from_secs(4);

/// Asks the nodes for acknowledgement, over one connection. Changes that are committed while a request is under way share the
/// next request.
#[derive(Default)]
pub(crate) struct Announcer {
    /// How many changes were to be announced so far.
    changes: AtomicU64,
    round: Mutex<Round>,
}

#[derive(Default)]
struct Round {
    /// The connection of the last request, unless that failed or its caller stopped waiting.
    session: Option<Session>,
    /// So many of the changes are known to every node.
    known: u64,
}

impl Announcer {
    /// Returns once no node uses what it had cached before the change that was just committed, or after [`PATIENCE`].
    pub(crate) async fn await_acknowledgement(&self, connector: &Connector) {
        let until = Instant::now() + PATIENCE;
        match timeout_at(until, self.announce(connector)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::warn!(%error, "the nodes can't be asked whether they know of a change; waiting instead");
                sleep_until(until).await;
            }
            Err(_) => {
                tracing::warn!("a node did not say that it knows of a change; it trusts nothing by now")
            }
        }
    }

    async fn announce(&self, connector: &Connector) -> Result<(), StoreError> {
        let change = self.changes.fetch_add(1, Ordering::SeqCst) + 1;
        let mut round = self.round.lock().await;
        if change <= round.known {
            return Ok(());
        }
        let known = self.changes.load(Ordering::SeqCst);
        let mut session = match round.session.take() {
            Some(session) if session.is_open() => session,
            _ => Session::open(connector, "pharos announcement").await?,
        };
        ask_listeners(&mut session).await?;
        *round = Round {
            session: Some(session),
            known,
        };
        Ok(())
    }
}

async fn ask_listeners(session: &mut Session) -> Result<(), StoreError> {
    // Each request has a channel of its own, since a node may only now answer the request before.
    let channel = format!("pharos_ack_{}", Uuid::new_v4().simple());
    // A listener takes its name once it hears everything, and only then fills its memory. A listener that is not in this list
    // yet will read the state after the change.
    let listeners = session
        .run(&format!(
            "UNLISTEN *; LISTEN {channel}; SELECT pid FROM pg_stat_activity \
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
    session
        .notify(CHANGES, &format!("{ACK_REQUEST}{channel}"))
        .await?;
    // A listener whose session ends meanwhile is still waited for: its node may not know that yet.
    while !waiting.is_empty() {
        let answer = session.notifications.recv().await.ok_or_else(lost)?;
        if answer.channel() == channel {
            waiting.remove(answer.payload());
        }
    }
    Ok(())
}

/// The connection ended.
pub(crate) fn lost() -> StoreError {
    StoreError::Unavailable("the connection to the database ended".into())
}
