//! Runs of wide pulls, and their rows. PostgreSQL works them out and keeps them in one statement, so that a report of whatever
//! size takes no memory of a node.

mod row;

use std::marker::PhantomData;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryResult,
    sql_types::{BigInt, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use futures_util::future::BoxFuture;
use pharos_domain::{
    credits::{Answering, Keyed, SettleError},
    identity::DomainAccess,
    ids::{DomainId, RunId},
    page::{OffsetRequest, Page, PageRequest, Position},
    store::StoreError,
    wide_pull::{Cell, Family, Filled, NewWidePull, RunFilter, WidePull, WidePullStore},
    window::DateRange,
};
use time::OffsetDateTime;
use uuid::Uuid;

use self::row::{CellsRow, OverRow, TakenRow, WidePullRow};
use crate::{
    failure::{Abort, failure, read_failure},
    json::{self, Json},
    metering::charged::charged,
    pool::Database,
    runs,
    schema::wide_pulls,
    sql,
};

/// How many rows upkeep takes out at once, so that no statement takes long.
const CHUNK: usize = 50_000;

/// What the rows of a run are of.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted<F: Family> {
    /// The run.
    pub id: RunId,
    /// Whose data they are of.
    pub domain: DomainId,
    /// The report.
    pub report: F::Key,
    /// The days.
    pub window: DateRange,
    /// What they are about besides.
    pub asked: F::Asked,
}

impl<F: Family> Wanted<F> {
    /// How many rows are stored: one more than are kept, which tells that there were more.
    #[must_use]
    pub fn limit(&self) -> i64 {
        i64::from(F::MOST_ROWS) + 1
    }
}

/// Stores the rows of a run in `wide_pull_rows`, [`Wanted::limit`] at most, numbered from 1 without a gap; gives their number.
pub type Insert<F> =
    for<'a> fn(&'a mut AsyncPgConnection, &'a Wanted<F>) -> BoxFuture<'a, Result<usize, Abort<StoreError>>>;

/// Runs of a module's reports in PostgreSQL.
#[derive(Clone)]
pub struct PgWidePullStore<F: Family> {
    database: Database,
    insert: Insert<F>,
    family: PhantomData<F>,
}

impl<F: Family> std::fmt::Debug for PgWidePullStore<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PgWidePullStore").finish_non_exhaustive()
    }
}

impl<F: Family> PgWidePullStore<F> {
    /// The runs of `database`, whose rows `insert` stores.
    #[must_use]
    pub const fn new(database: Database, insert: Insert<F>) -> Self {
        Self {
            database,
            insert,
            family: PhantomData,
        }
    }
}

#[async_trait]
impl<F: Family> WidePullStore<F> for PgWidePullStore<F> {
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
        let query = sql!("list.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Timestamptz, _>(after.key)
            .bind::<SqlUuid, _>(after.id)
            .bind::<Nullable<Text>, _>(filter.report.map(|report| report.to_string()))
            .bind::<Nullable<Text>, _>(filter.status.map(|status| status.as_str()))
            .bind::<Timestamptz, _>(now)
            .bind::<BigInt, _>(page.rows())
            .bind::<Text, _>(F::RUNS.as_str());
        let rows: Vec<WidePullRow> = if filter.report.is_some() || filter.status.is_some() {
            // A report may be rare: then all runs of the domain are looked at.
            let mut connection = self.database.long_read().await?;
            query.load(&mut connection).await.map_err(read_failure)?
        } else {
            let reader = self.database.reader().await?;
            query.load(&mut &*reader).await.map_err(failure)?
        };
        let runs: Result<Vec<WidePull<F>>, _> = rows.into_iter().map(|row| row.read(now)).collect();
        Ok(Page::cut(runs?, page, |run| Position {
            key: run.run.requested_at,
            id: run.run.id.0,
        }))
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
        let insert = self.insert;
        let mut connection = self.database.long_read().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| fill(connection, insert, id).await)
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

async fn fill<F: Family>(
    connection: &mut AsyncPgConnection,
    insert: Insert<F>,
    id: RunId,
) -> Result<Filled, Abort<StoreError>> {
    let taken: Option<TakenRow> = sql!("take.sql")
        .bind::<SqlUuid, _>(id.0)
        .bind::<Text, _>(F::RUNS.as_str())
        .get_result(connection)
        .await
        .optional()?;
    let Some(taken) = taken else {
        return Ok(Filled::Unwanted);
    };
    if taken.is_done() {
        return Ok(Filled::Done);
    }
    let wanted: Wanted<F> = taken.read(id).map_err(Abort::Port)?;
    let stored = match insert(connection, &wanted).await {
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
