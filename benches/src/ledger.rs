//! The credit log, as it is seen from outside.

use std::time::Instant;

use anyhow::Result;
use diesel::QueryDsl;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};

use crate::{runtime, serve::tables::credit_log};

/// How many commits tell how long one takes.
const COMMITS: usize = 101;

/// Empties the log, and has PostgreSQL write out whatever it has not yet: no figure pays for the one before it.
pub(crate) fn empty(database_url: &str) -> Result<()> {
    run(async {
        let mut connection = AsyncPgConnection::establish(database_url).await?;
        // Apart, since a checkpoint can't be part of a transaction.
        connection.batch_execute("TRUNCATE credit_log").await?;
        connection.batch_execute("CHECKPOINT").await?;
        Ok(())
    })
}

/// How long PostgreSQL takes to make a few bytes durable, in milliseconds: the median of some commits, one after the
/// other.
pub(crate) fn commit_ms(database_url: &str) -> Result<f64> {
    run(async {
        let mut connection = AsyncPgConnection::establish(database_url).await?;
        let mut lasted = Vec::with_capacity(COMMITS);
        for _ in 0..COMMITS {
            let began = Instant::now();
            // It writes to the log of the database, and nowhere else.
            let write = "SELECT pg_logical_emit_message(true, 'bench', 'commit')";
            connection.batch_execute(write).await?;
            lasted.push(began.elapsed().as_secs_f64() * 1_000.0);
        }
        lasted.sort_by(f64::total_cmp);
        Ok(lasted[COMMITS / 2])
    })
}

/// How many rows it has.
pub(crate) fn rows(database_url: &str) -> Result<u64> {
    run(async {
        let mut connection = AsyncPgConnection::establish(database_url).await?;
        let rows: i64 = credit_log::table.count().get_result(&mut connection).await?;
        Ok(u64::try_from(rows)?)
    })
}

fn run<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    runtime::of_this_thread()?.block_on(work)
}
