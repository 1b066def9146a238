//! A database that is slow for seconds at a time.

use std::{thread, time::Duration};

use anyhow::Result;
use diesel::{QueryableByName, sql_query, sql_types::Integer};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use rustix::process::Signal;

use super::node;

/// How long it is slow at a time.
const AT_A_TIME: Duration = Duration::from_secs(2);

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
    let mut connection = AsyncPgConnection::establish(url).await?;
    let backends: Vec<Backend> = sql_query(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'pharos' AND pid <> pg_backend_pid() \
         ORDER BY random() LIMIT 1",
    )
    .load(&mut connection)
    .await?;
    for Backend { pid } in backends {
        let pid = u32::try_from(pid)?;
        // It may have ended meanwhile.
        if node::signal(pid, Signal::STOP).is_ok() {
            thread::sleep(AT_A_TIME);
            let _ = node::signal(pid, Signal::CONT);
        }
    }
    Ok(())
}
