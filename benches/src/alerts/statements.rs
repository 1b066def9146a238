//! The statements that others send, as pg_stat_statements counts them.

use anyhow::Result;
use diesel::{
    QueryableByName, sql_query,
    sql_types::{BigInt, Bool, Double, Text},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};

/// The settings by which PostgreSQL counts them.
pub(super) const SETTINGS: &str = "
shared_preload_libraries = 'pg_stat_statements'
pg_stat_statements.track = 'all'
pg_stat_statements.max = 10000
";

/// A connection that looks on. Its own statements are not counted, since it has another role.
pub(super) struct Observer {
    pub(super) connection: AsyncPgConnection,
    counts: bool,
}

/// How many statements there were.
#[derive(Clone, Copy, Debug, Default, QueryableByName)]
pub(super) struct Counted {
    /// Those that came from outside.
    #[diesel(sql_type = BigInt)]
    pub(super) sent: i64,
    /// Those inside functions and triggers.
    #[diesel(sql_type = BigInt)]
    pub(super) nested: i64,
}

/// The statements of one text.
#[derive(QueryableByName)]
struct WorstRow {
    #[diesel(sql_type = BigInt)]
    calls: i64,
    #[diesel(sql_type = Double)]
    seconds: f64,
    #[diesel(sql_type = Text)]
    text: String,
}

#[derive(QueryableByName)]
struct IsThereRow {
    #[diesel(sql_type = Bool)]
    is_there: bool,
}

/// Whether this PostgreSQL has what counts statements; some are installed without.
pub(super) async fn can_be_counted(database_url: &str) -> Result<bool> {
    let mut connection = AsyncPgConnection::establish(database_url).await?;
    let query =
        "SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_stat_statements') AS is_there";
    let row: IsThereRow = sql_query(query).get_result(&mut connection).await?;
    Ok(row.is_there)
}

impl Observer {
    /// Connects. `counts`: the server has the [`SETTINGS`].
    pub(super) async fn connect(database_url: &str, counts: bool) -> Result<Self> {
        let mut connection = AsyncPgConnection::establish(database_url).await?;
        if counts {
            connection
                .batch_execute("CREATE EXTENSION pg_stat_statements")
                .await?;
        }
        let role = "CREATE ROLE bench_observer SUPERUSER; SET ROLE bench_observer";
        connection.batch_execute(role).await?;
        Ok(Self { connection, counts })
    }

    /// Counts from here on.
    pub(super) async fn reset(&mut self) -> Result<()> {
        if self.counts {
            self.connection
                .batch_execute("SELECT pg_stat_statements_reset()")
                .await?;
        }
        Ok(())
    }

    /// The statements since the last reset; `None`: they can't be counted here.
    pub(super) async fn counted(&mut self) -> Result<Option<Counted>> {
        if !self.counts {
            return Ok(None);
        }
        let query = "
            SELECT coalesce(sum(calls) FILTER (WHERE toplevel), 0)::bigint AS sent,
                coalesce(sum(calls) FILTER (WHERE NOT toplevel), 0)::bigint AS nested
            FROM pg_stat_statements
            WHERE userid <> 'bench_observer'::regrole";
        Ok(Some(sql_query(query).get_result(&mut self.connection).await?))
    }

    /// Those that took longest since the last reset, a line each.
    pub(super) async fn worst(&mut self) -> Result<String> {
        if !self.counts {
            return Ok(String::new());
        }
        let query = "
            SELECT sum(calls)::bigint AS calls, sum(total_exec_time)::float8 / 1000 AS seconds,
                left(regexp_replace(query, '\\s+', ' ', 'g'), 80) AS text
            FROM pg_stat_statements
            WHERE userid <> 'bench_observer'::regrole AND toplevel
            GROUP BY text
            ORDER BY seconds DESC
            LIMIT 12";
        let rows: Vec<WorstRow> = sql_query(query).load(&mut self.connection).await?;
        Ok(rows
            .iter()
            .map(|row| format!("  {:>8.3} s  {:>4}  {}\n", row.seconds, row.calls, row.text))
            .collect())
    }
}
