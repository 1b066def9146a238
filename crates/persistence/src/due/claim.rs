//! Claiming what is due.

use diesel::{
    QueryResult, QueryableByName,
    pg::Pg,
    query_builder::SqlQuery,
    sql_types::{BigInt, Double, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_due::work::DueClaim;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::Turns;
use crate::statement::Statement;

/// The claim of one thing: when that is due, and until when it is held. Part of a user's row (`#[diesel(embed)]`).
#[derive(Clone, Copy, Debug, QueryableByName)]
pub struct Claimed {
    /// When the thing is due.
    #[diesel(sql_type = Timestamptz)]
    pub due_at: OffsetDateTime,
    /// When the claim ends. This moment also identifies the claim.
    #[diesel(sql_type = Timestamptz)]
    pub leased_until: OffsetDateTime,
    /// How long after the claim it is due; less than nothing where it was due before.
    #[diesel(sql_type = Double)]
    due_in: f64,
    /// The last workspace that was looked at; `None` where there was none after it, or none had to be looked at.
    #[diesel(sql_type = Nullable<SqlUuid>)]
    visited: Option<Uuid>,
}

impl Claimed {
    /// How long after the claim the thing is due; less than nothing where it was due before.
    #[must_use]
    pub fn due_in(&self) -> Duration {
        Duration::checked_seconds_f64(self.due_in).unwrap_or(Duration::ZERO)
    }
}

/// A row that a claim gives.
pub trait ClaimedRow: QueryableByName<Pg> + Send + 'static {
    /// The claim that it was handed out under.
    fn claimed(&self) -> Claimed;
}

/// Claims what is due in a lane: the longest due first, and where there is not room for all, workspaces in turns. The text
/// of `statement` is the `claim` of a [`DueTable`](super::DueTable).
///
/// # Errors
/// The statement failed.
pub async fn claim<Name: Send + 'static, Row: ClaimedRow>(
    connection: &mut AsyncPgConnection,
    statement: Statement<Name, SqlQuery>,
    lane: &str,
    claim: &DueClaim,
    turns: &Turns,
) -> QueryResult<Vec<Row>> {
    let query = statement
        .bind::<Text, _>(lane)
        .bind::<Timestamptz, _>(claim.now)
        .bind::<Double, _>(claim.ahead.as_seconds_f64())
        .bind::<Double, _>(claim.lease.as_seconds_f64())
        .bind::<BigInt, _>(i64::try_from(claim.limit).unwrap_or(i64::MAX))
        .bind::<SqlUuid, _>(turns.last())
        .bind::<BigInt, _>(Turns::visits(claim.limit));
    let rows: Vec<Row> = query.load(connection).await?;
    turns.go_on(rows.iter().find_map(|row| row.claimed().visited));
    Ok(rows)
}
