//! Runs of wide pulls, and their rows. PostgreSQL works them out and keeps them in one statement, so that a report of whatever
//! size takes no memory of a node.

mod row;

use std::future::ready;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryResult,
    sql_types::{Array, BigInt, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use futures_util::future::BoxFuture;
use pharos_domain::{
    credits::{Answering, Keyed, SettleError},
    identity::DomainAccess,
    ids::{DomainId, RunId},
    page::{OffsetRequest, Page, PageRequest, Position},
    runs::RunStatus,
    store::StoreError,
    wide_pull::{Cell, Family, Filled, NewWidePull, RunFilter, WidePull, WidePullStore},
    window::DateRange,
};
use time::OffsetDateTime;
use uuid::Uuid;

use self::row::{CellsRow, OverRow, TakenRow, WidePullRow, at};
use crate::{
    failure::{Abort, failure, read_failure},
    json::{self, Json},
    metering::charged::charged,
    pool::Database,
    runs,
    schema::wide_pulls,
    set_aside::Kind,
    sql,
};

/// How many rows upkeep takes out at once, so that no statement takes long.
const CHUNK: usize = 50_000;

/// The report that the rows of a run belong to.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted<F: Family> {
    /// The run that asked for it.
    pub id: RunId,
    /// Whose data they are of.
    pub domain: DomainId,
    /// The report.
    pub report: F::Key,
    /// The days that are requested.
    pub window: DateRange,
    /// The parameters besides.
    pub asked: F::Asked,
}

impl<F: Family> Wanted<F> {
    /// How many rows are stored: one more than are kept, which tells that there were more.
    #[must_use]
    pub fn limit(&self) -> i64 {
        i64::from(F::MOST_ROWS) + 1
    }
}

/// The data that a run needs and that are computed before its transaction begins.
#[derive(Debug)]
pub enum Prepared<P> {
    /// It is there.
    Ready(P),
    /// It can't be had, whatever is tried: why, for whoever asked.
    Refused(&'static str),
}

/// Computes what a run needs, outside of a transaction.
pub type Prepare<F, P> =
    for<'a> fn(&'a Database, &'a Wanted<F>) -> BoxFuture<'a, Result<Prepared<P>, StoreError>>;

/// Stores the rows of a run in `wide_pull_rows`, [`Wanted::limit`] at most, numbered from 1 without a gap; gives their number.
pub type Insert<F, P> = for<'a> fn(
    &'a mut AsyncPgConnection,
    &'a Wanted<F>,
    &'a P,
) -> BoxFuture<'a, Result<usize, Abort<StoreError>>>;

/// Runs of a module's reports in PostgreSQL.
pub struct PgWidePullStore<F: Family, P = ()> {
    database: Database,
    prepare: Prepare<F, P>,
    insert: Insert<F, P>,
}

impl<F: Family, P> std::fmt::Debug for PgWidePullStore<F, P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PgWidePullStore").finish_non_exhaustive()
    }
}

impl<F: Family> PgWidePullStore<F> {
    /// The runs of `database`, whose rows `insert` stores.
    #[must_use]
    pub const fn new(database: Database, insert: Insert<F, ()>) -> Self {
        Self::prepared(database, nothing, insert)
    }
}

impl<F: Family, P> PgWidePullStore<F, P> {
    /// The runs of `database`, whose rows `insert` stores by what `prepare` computes before.
    #[must_use]
    pub const fn prepared(database: Database, prepare: Prepare<F, P>, insert: Insert<F, P>) -> Self {
        Self {
            database,
            prepare,
            insert,
        }
    }
}

/// A run that needs nothing before.
fn nothing<'a, F: Family>(
    _: &'a Database,
    _: &'a Wanted<F>,
) -> BoxFuture<'a, Result<Prepared<()>, StoreError>> {
    Box::pin(ready(Ok(Prepared::Ready(()))))
}

#[async_trait]
impl<F: Family, P: Send + Sync + 'static> WidePullStore<F> for PgWidePullStore<F, P> {
    async fn request(
        &self,
        domain: &Keyed<DomainAccess>,
        new: &NewWidePull<F>,
        answer: &Answering<'_, WidePull<F>>,
    ) -> Result<WidePull<F>, SettleError> {
        charged(
            &self.database,
            domain.slip(),
            Some(answer),
            async move |connection| create(connection, new).await.map_err(Abort::widen),
        )
        .await
    }

    async fn list(
        &self,
        domain: &DomainAccess,
        filter: RunFilter<F>,
        page: &PageRequest,
        now: OffsetDateTime,
    ) -> Result<Page<WidePull<F>>, StoreError> {
        let after = page.after.unwrap_or(Position::START);
        let statuses: Vec<&str> = RunStatus::ALL.iter().map(|status| status.as_str()).collect();
        let query = sql!("list.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Timestamptz, _>(after.key)
            .bind::<SqlUuid, _>(after.id)
            .bind::<Nullable<Text>, _>(filter.report.map(|report| report.to_string()))
            .bind::<Nullable<Text>, _>(filter.status.map(|status| status.as_str()))
            .bind::<Timestamptz, _>(now)
            .bind::<BigInt, _>(page.rows())
            .bind::<Text, _>(F::RUNS.as_str())
            .bind::<Array<Text>, _>(statuses);
        let rows: Vec<WidePullRow> = if filter.report.is_some() || filter.status.is_some() {
            // A report may be rare: then all runs of the domain are looked at.
            let mut connection = self.database.long_read().await?;
            query.load(&mut connection).await.map_err(read_failure)?
        } else {
            let reader = self.database.reader().await?;
            query.load(&mut &*reader).await.map_err(failure)?
        };
        let cut = Page::cut(rows, page, |row| Position {
            key: row.run.requested_at(),
            id: row.run.id().0,
        });
        let ended: Page<WidePull<F>> = self
            .database
            .readable_page(Kind::Job, cut, |row: &WidePullRow| row.run.id())
            .await;
        Ok(ended.map(|ended| at(ended, now)))
    }

    async fn find(
        &self,
        domain: &DomainAccess,
        id: RunId,
        now: OffsetDateTime,
    ) -> Result<Option<WidePull<F>>, StoreError> {
        let query = sql!("one.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<SqlUuid, _>(id.0)
            .bind::<Text, _>(F::RUNS.as_str());
        let reader = self.database.reader().await?;
        let row: Option<WidePullRow> = query
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        row.map(|row| row.read(now)).transpose()
    }

    async fn rows(
        &self,
        domain: &DomainAccess,
        id: RunId,
        page: OffsetRequest,
    ) -> Result<Vec<Vec<Cell>>, StoreError> {
        let place = |place: i64| i32::try_from(place).unwrap_or(i32::MAX);
        let query = sql!("rows.sql")
            .bind::<SqlUuid, _>(id.0)
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Integer, _>(place(page.offset))
            .bind::<Integer, _>(place(page.offset.saturating_add(page.limit.into())));
        let mut connection = self.database.long_read().await?;
        let rows: Vec<CellsRow> = query.load(&mut connection).await.map_err(read_failure)?;
        rows.into_iter().map(CellsRow::read).collect()
    }

    async fn fill(&self, id: RunId) -> Result<Filled, StoreError> {
        let mut connection = self.database.long_read().await?;
        let taken = take::<F>(&mut connection, id).await.map_err(failure)?;
        drop(connection);
        let wanted = match taken {
            None => return Ok(Filled::Unwanted),
            Some(taken) if taken.is_done() => return Ok(Filled::Done),
            Some(taken) => taken.read(id)?,
        };
        let prepared = match (self.prepare)(&self.database, &wanted).await? {
            Prepared::Ready(prepared) => prepared,
            Prepared::Refused(why) => return Ok(Filled::Refused(why)),
        };
        let insert = self.insert;
        let mut connection = self.database.long_read().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                fill(connection, insert, id, &prepared).await
            })
            .await
            .map_err(Abort::answer)
    }
}

async fn create<F: Family>(
    connection: &mut AsyncPgConnection,
    new: &NewWidePull<F>,
) -> Result<WidePull<F>, Abort<StoreError>> {
    let NewWidePull {
        run,
        report,
        window,
        asked,
    } = new;
    let (first_day, last_day) = (DateRange::first(*window), DateRange::last(*window));
    let run = runs::create(connection, run).await?;
    let asked = json::written(asked).map_err(Abort::Port)?;
    diesel::insert_into(wide_pulls::table)
        .values((
            wide_pulls::run_id.eq(run.id.0),
            wide_pulls::report.eq(report.to_string()),
            wide_pulls::first_day.eq(first_day),
            wide_pulls::last_day.eq(last_day),
            wide_pulls::asked.eq(Json::of(asked)),
        ))
        .execute(connection)
        .await?;
    Ok(WidePull {
        run,
        report: *report,
        window: *window,
        total_rows: None,
        is_truncated: false,
    })
}

/// The run that a job has to fill, locked until the transaction ends.
async fn take<F: Family>(connection: &mut AsyncPgConnection, id: RunId) -> QueryResult<Option<TakenRow>> {
    sql!("take.sql")
        .bind::<SqlUuid, _>(id.0)
        .bind::<Text, _>(F::RUNS.as_str())
        .get_result(connection)
        .await
        .optional()
}

async fn fill<F: Family, P>(
    connection: &mut AsyncPgConnection,
    insert: Insert<F, P>,
    id: RunId,
    prepared: &P,
) -> Result<Filled, Abort<StoreError>> {
    let Some(taken) = take::<F>(connection, id).await? else {
        return Ok(Filled::Unwanted);
    };
    if taken.is_done() {
        return Ok(Filled::Done);
    }
    let wanted: Wanted<F> = taken.read(id).map_err(Abort::Port)?;
    let stored = match insert(connection, &wanted, prepared).await {
        Ok(stored) => stored,
        Err(Abort::Database(error)) => return Err(Abort::Port(read_failure(error))),
        Err(abort) => return Err(abort),
    };
    let most = i64::from(F::MOST_ROWS);
    sql!(text "DELETE FROM wide_pull_rows WHERE run_id = $1 AND place > $2")
        .bind::<SqlUuid, _>(id.0)
        .bind::<BigInt, _>(most)
        .execute(connection)
        .await?;
    sql!("done.sql")
        .bind::<SqlUuid, _>(id.0)
        .bind::<BigInt, _>(i64::try_from(stored).unwrap_or(i64::MAX))
        .bind::<BigInt, _>(most)
        .execute(connection)
        .await?;
    Ok(Filled::Done)
}

/// The domain is deleted: its results are kept no longer, and upkeep takes them out.
pub(crate) async fn expire(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    sql!("expire.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(now)
        .execute(connection)
        .await?;
    Ok(())
}

/// Takes out the rows of runs whose result is no longer kept.
pub(crate) async fn forget(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    loop {
        let over: Option<OverRow> = sql!("over.sql")
            .bind::<Timestamptz, _>(now)
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        let Some(OverRow { run_id }) = over else {
            return Ok(());
        };
        forget_rows(&mut connection, run_id).await.map_err(failure)?;
    }
}

async fn forget_rows(connection: &mut AsyncPgConnection, run: Uuid) -> QueryResult<()> {
    loop {
        let query = sql!(text "DELETE FROM wide_pull_rows WHERE run_id = $1 AND place IN (
                SELECT place FROM wide_pull_rows WHERE run_id = $1 LIMIT 50000)")
        .bind::<SqlUuid, _>(run);
        if query.execute(connection).await? < CHUNK {
            break;
        }
    }
    sql!(text "UPDATE wide_pulls SET has_rows = false WHERE run_id = $1")
        .bind::<SqlUuid, _>(run)
        .execute(connection)
        .await
        .map(|_| ())
}
