//! The credit log, as it is seen from outside.

use anyhow::Result;
use diesel::QueryDsl;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};

use crate::serve::tables::credit_log;

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

/// How many rows it has.
pub(crate) fn rows(database_url: &str) -> Result<u64> {
    run(async {
        let mut connection = AsyncPgConnection::establish(database_url).await?;
        let rows: i64 = credit_log::table.count().get_result(&mut connection).await?;
        Ok(u64::try_from(rows)?)
    })
}

fn run<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(work)
}
