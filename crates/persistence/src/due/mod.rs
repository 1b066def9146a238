//! Tables of things with a due time: the statements that claim what is due, give it back, and look ahead.
//!
//! Such a table has a column that says when a thing is due, `leased_until` (null: nobody has it) and `workspace_id` (whose
//! turn it takes; null: nobody's), and for each lane three indexes: by due time, by `leased_until` where it is not null, and
//! by workspace and due time. A claim is told from others by its `leased_until`.

mod claim;
mod table;
mod turns;

use diesel::{
    QueryResult, QueryableByName,
    query_builder::SqlQuery,
    sql_types::{Array, BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::store::StoreError;
use time::OffsetDateTime;
use uuid::Uuid;

pub use self::{
    claim::{Claimed, ClaimedRow, claim},
    table::DueTable,
    turns::Turns,
};
use crate::{failure::failure, jobs::backlog::Backlog, pool::Database, sql, statement::Statement};

/// The channel on which it is announced, by lane, that something is due sooner, or otherwise, than it was claimed.
pub(crate) const DUE: &str = "pharos_due";
/// As many due things of a lane are counted at most: so few are read by index, though whether each is live is looked up elsewhere.
const MOST: i64 = 1_000;

/// Rings the bells of everybody who works in these lanes, once the transaction is committed: something about the thing
/// called `subject` (`DueWork::subject`) has changed, and whoever has claimed it claims it anew. Without a name: something is
/// due sooner than it was.
///
/// # Errors
/// The connection is lost.
pub async fn announce(
    connection: &mut AsyncPgConnection,
    lanes: &[String],
    subject: &str,
) -> QueryResult<()> {
    let query =
        sql!(text "SELECT pg_notify('pharos_due', $2 || ' ' || lane) FROM unnest($1) AS lanes (lane)")
            .bind::<Array<Text>, _>(lanes)
            .bind::<Text, _>(subject);
    query.execute(connection).await.map(|_| ())
}

#[derive(QueryableByName)]
struct NextDueRow {
    #[diesel(sql_type = Nullable<Timestamptz>)]
    next_due: Option<OffsetDateTime>,
}

/// When the next thing of a lane is due that nobody has, by the clock that says that it is `now`. The text
/// of `statement` is the `next_due` of a [`DueTable`].
///
/// # Errors
/// The statement failed.
pub async fn next_due<Name: Send + 'static>(
    connection: &mut AsyncPgConnection,
    statement: Statement<Name, SqlQuery>,
    lane: &str,
    now: OffsetDateTime,
) -> QueryResult<Option<OffsetDateTime>> {
    let query = statement.bind::<Text, _>(lane).bind::<Timestamptz, _>(now);
    let row: NextDueRow = query.get_result(connection).await?;
    Ok(row.next_due)
}

/// The things of a lane that could be claimed by now; at most 1,000 are counted. The text of `statement` is the `backlog` of a
/// [`DueTable`].
///
/// # Errors
/// The database could not say.
pub async fn backlog<Name: Send + 'static>(
    database: &Database,
    statement: Statement<Name, SqlQuery>,
    lane: &str,
) -> Result<Backlog, StoreError> {
    let mut pooled = database.connection().await?;
    let connection: &mut AsyncPgConnection = &mut pooled;
    let query = statement.bind::<Text, _>(lane).bind::<BigInt, _>(MOST);
    let found: QueryResult<Backlog> = query.get_result(connection).await;
    found.map_err(failure)
}

/// Gives claims back of things that nobody got to, each by its key and its lease: others get them at once. The text of
/// `statement` is the `release` of a [`DueTable`] whose key is a UUID.
///
/// # Errors
/// The statement failed.
pub async fn release<Name: Send + 'static>(
    connection: &mut AsyncPgConnection,
    statement: Statement<Name, SqlQuery>,
    lane: &str,
    claimed: impl Iterator<Item = (Uuid, OffsetDateTime)>,
) -> QueryResult<()> {
    let (keys, leases): (Vec<Uuid>, Vec<OffsetDateTime>) = claimed.unzip();
    let query = statement
        .bind::<Text, _>(lane)
        .bind::<Array<SqlUuid>, _>(keys)
        .bind::<Array<Timestamptz>, _>(leases);
    query.execute(connection).await.map(|_| ())
}
