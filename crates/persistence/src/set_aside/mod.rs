//! Rows that can't be stored or read are set aside, so that one bad row stops no other.

mod batch;
pub(crate) mod kind;
mod readable;

use std::{
    collections::BTreeSet,
    fmt::{Debug, Display},
};

use diesel::{
    QueryResult, QueryableByName,
    sql_types::{BigInt, Bool, Nullable, Text, Timestamptz},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::store::StoreError;
use time::{Duration, OffsetDateTime};

pub use self::{
    batch::{Batch, Fault, write},
    kind::Kind,
};
use crate::{
    failure::failure,
    metrics,
    pool::Database,
    sql,
    text::{beginning, without_nul},
};

/// The longest subject in bytes, since an index holds it.
const LONGEST_SUBJECT: usize = 500;
/// The longest reason that is kept, in bytes.
const LONGEST_REASON: usize = 1_000;
/// How many bytes of a row that could not be stored are kept.
const LARGEST_PAYLOAD: usize = 8_192;
/// How long a row is remembered after it was last set aside.
const KEPT: Duration = Duration::days(30);

/// A thing that is set aside.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SetAside {
    kind: Kind,
    subject: String,
    reason: String,
    payload: Option<String>,
}

impl SetAside {
    /// A row that can't be read, and stays where it is. All notes of one `subject` share a row, so callers choose subjects of
    /// which there are few.
    pub fn unread(kind: Kind, subject: &dyn Display, why: &dyn Display) -> Self {
        Self {
            kind,
            subject: beginning(without_nul(subject.to_string()), LONGEST_SUBJECT),
            reason: beginning(without_nul(why.to_string()), LONGEST_REASON),
            payload: None,
        }
    }

    /// A row that can't be stored. The beginning of its text is kept.
    pub fn unstored(kind: Kind, subject: &dyn Display, why: &dyn Display, row: &dyn Debug) -> Self {
        Self {
            payload: Some(beginning(without_nul(format!("{row:?}")), LARGEST_PAYLOAD)),
            ..Self::unread(kind, subject, why)
        }
    }

    /// Records it by the database's clock, since the node's may be what is wrong.
    async fn note(self, connection: &mut AsyncPgConnection) -> QueryResult<()> {
        let Self {
            kind,
            subject,
            reason,
            payload,
        } = self;
        metrics::set_aside(kind);
        let kind = kind.as_str();
        tracing::error!(kind, subject, reason, "set aside; `pharos doctor` shows it");
        let query = sql!("note.sql")
            .bind::<Text, _>(kind)
            .bind::<Text, _>(subject)
            .bind::<Text, _>(reason)
            .bind::<Nullable<Text>, _>(payload);
        query.execute(connection).await.map(|_| ())
    }
}

/// Records what is set aside, in an order that all callers share, so that they can't deadlock.
pub async fn note_all(
    connection: &mut AsyncPgConnection,
    set_aside: impl IntoIterator<Item = SetAside>,
) -> QueryResult<()> {
    let in_order: BTreeSet<SetAside> = set_aside.into_iter().collect();
    for set_aside in in_order {
        set_aside.note(connection).await?;
    }
    Ok(())
}

/// The rows of one kind that were set aside.
#[derive(Debug, QueryableByName)]
pub struct Summary {
    /// The kind of thing that was set aside.
    #[diesel(sql_type = Text)]
    pub kind: String,
    /// How many different things there are.
    #[diesel(sql_type = BigInt)]
    pub things: i64,
    /// How often they were set aside in all.
    #[diesel(sql_type = BigInt)]
    pub times: i64,
    /// The last time.
    #[diesel(sql_type = Timestamptz)]
    pub last_at: OffsetDateTime,
    /// Which it was then.
    #[diesel(sql_type = Text)]
    pub subject: String,
    /// And why.
    #[diesel(sql_type = Text)]
    pub reason: String,
    /// Whether that was within a day.
    #[diesel(sql_type = Bool)]
    pub is_recent: bool,
}

impl Database {
    /// The rows that were set aside and are still remembered, by kind.
    ///
    /// # Errors
    /// The database could not say.
    pub async fn set_aside(&self) -> Result<Vec<Summary>, StoreError> {
        let mut connection = self.connection().await?;
        sql!("summary.sql").load(&mut connection).await.map_err(failure)
    }

    /// Records in a transaction of its own what is set aside.
    pub async fn note(&self, set_aside: SetAside) -> Result<(), StoreError> {
        let mut connection = self.claiming().await?;
        set_aside.note(&mut connection).await.map_err(failure)
    }
}

/// Forgets what has not happened for long.
pub(crate) async fn forget(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    let query = sql!(text "DELETE FROM set_aside WHERE last_at <= $1")
        .bind::<Timestamptz, _>(now.saturating_sub(KEPT));
    query.execute(&mut connection).await.map(|_| ()).map_err(failure)
}
