//! A database that is slow, and one that stands still for seconds at a time.

use std::{
    thread,
    time::{Duration, Instant},
};

use anyhow::Result;
use diesel::{QueryableByName, sql_query, sql_types::Integer};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use rustix::process::Signal;

use super::node;

/// How long it stands still at a time.
const AT_A_TIME: Duration = Duration::from_secs(2);
/// How long the backends of the nodes are stopped, and then let go on, where they have half of the time.
const TURN: Duration = Duration::from_millis(10);
/// How long these are the same backends: nodes open further connections.
const SAME: Duration = Duration::from_secs(1);

/// Gives the processes behind the connections of the nodes half of the time, for a second.
pub(super) async fn halve(url: &str) -> Result<()> {
    let backends = backends(url).await?;
    let end = Instant::now() + SAME;
    while Instant::now() < end {
        for signal in [Signal::STOP, Signal::CONT] {
            for pid in &backends {
                // It may have ended meanwhile.
                let _ = node::signal(*pid, signal);
            }
            thread::sleep(TURN);
        }
    }
    Ok(())
}

/// Holds a lock that every reader and writer of settings waits for.
pub(super) async fn hold_lock(url: &str) -> Result<()> {
    let mut connection = AsyncPgConnection::establish(url).await?;
    let seconds = AT_A_TIME.as_secs();
    connection
        .batch_execute(&format!(
            "BEGIN; LOCK TABLE uptime_monitors IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep({seconds}); ROLLBACK"
        ))
        .await?;
    Ok(())
}

#[derive(QueryableByName)]
struct Backend {
    #[diesel(sql_type = Integer)]
    pid: i32,
}

/// Stops the process behind one connection of a node, as a disk that hangs does, and lets it go on.
pub(super) async fn stop_backend(url: &str) -> Result<()> {
    // It may have ended meanwhile.
    if let Some(pid) = fastrand::choice(backends(url).await?)
        && node::signal(pid, Signal::STOP).is_ok()
    {
        thread::sleep(AT_A_TIME);
        let _ = node::signal(pid, Signal::CONT);
    }
    Ok(())
}

/// The processes behind the connections of the nodes.
async fn backends(url: &str) -> Result<Vec<u32>> {
    let mut connection = AsyncPgConnection::establish(url).await?;
    let backends: Vec<Backend> = sql_query(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'pharos' AND pid <> pg_backend_pid()",
    )
    .load(&mut connection)
    .await?;
    let pids = backends.into_iter().map(|Backend { pid }| u32::try_from(pid));
    Ok(pids.collect::<Result<_, _>>()?)
}
