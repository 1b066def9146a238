//! Inspector runs: what was asked for, what is left to do, what was found.

use std::collections::HashSet;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, IntoSql, OptionalExtension, QueryDsl, QueryResult, QueryableByName, dsl,
    sql_types::{Array, BigInt, Bool, Integer, Jsonb, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    credits::{Answering, Keyed},
    identity::DomainAccess,
    ids::{DomainId, IndexingUrlId, RunId, WorkspaceId},
    page::{Page, PageRequest, Position},
    quota::QuotaResource,
    settings::ChangeError,
    store::StoreError,
};
use pharos_persistence::{
    failure::{Abort, failure},
    metering::charged::charged,
    moment::not_ahead,
    names::count,
    pool::Database,
    quota as plan, runs,
    set_aside::Kind,
    sql,
};
use pharos_search::indexing::{
    inspection::Inspection,
    quota::{QuotaDay, exhausted},
    store::{
        runs::{
            InspectorRun, InspectorRuns, InspectorWork, MOST_RUNS, NewInspectorRun, RequestedRun,
            ResultStatus, RunOrder, RunOutcome, RunResult, Taken,
        },
        schedule::Attempt,
    },
};
use serde::Serialize;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::{
    PgIndexing, quota,
    row::{InspectorRunRow, RunResultRow, at, id, listed},
    settle::settle,
    stand::stand,
};
use crate::schema::{indexing_run_urls, indexing_runs};

#[derive(QueryableByName)]
struct OrderRow {
    #[diesel(sql_type = Text)]
    site_url: String,
    #[diesel(sql_type = BigInt)]
    total: i64,
    #[diesel(sql_type = BigInt)]
    completed: i64,
    #[diesel(sql_type = BigInt)]
    failed: i64,
}

/// Who asked for a run, and when.
#[derive(QueryableByName)]
struct AskedRow {
    #[diesel(sql_type = SqlUuid)]
    workspace_id: Uuid,
    #[diesel(sql_type = Timestamptz)]
    requested_at: OffsetDateTime,
}

/// The result of a URL, as the statement takes it.
#[derive(Serialize)]
struct Kept<'a> {
    place: i64,
    status: &'static str,
    error_code: Option<&'static str>,
    #[serde(with = "time::serde::rfc3339::option")]
    inspected_at: Option<OffsetDateTime>,
    inspection: Option<&'a Inspection>,
}

#[async_trait]
impl InspectorRuns for PgIndexing {
    async fn request(
        &self,
        domain: &Keyed<DomainAccess>,
        new: &NewInspectorRun,
        answer: &Answering<'_, RequestedRun>,
        now: OffsetDateTime,
    ) -> Result<RequestedRun, ChangeError> {
        let workspace = domain.workspace().workspace().id;
        charged(
            &self.database,
            domain.slip(),
            Some(answer),
            async move |connection| create(connection, workspace, new, now).await,
        )
        .await
    }

    async fn list(
        &self,
        domain: &DomainAccess,
        now: OffsetDateTime,
    ) -> Result<Vec<InspectorRun>, StoreError> {
        let query = sql!("list_runs.sql")
            .bind::<SqlUuid, _>(id(domain))
            .bind::<BigInt, _>(i64::from(MOST_RUNS));
        let reader = self.database.reader().await?;
        let rows: Vec<InspectorRunRow> = query.load(&mut &*reader).await.map_err(failure)?;
        drop(reader);
        let ended: Vec<InspectorRun> = self
            .database
            .readable(Kind::Inspection, rows, |row: &InspectorRunRow| row.run.id())
            .await;
        Ok(ended.into_iter().map(|run| at(run, now)).collect())
    }

    async fn find(
        &self,
        domain: &DomainAccess,
        run: RunId,
        now: OffsetDateTime,
    ) -> Result<Option<InspectorRun>, StoreError> {
        let query = sql!("find_run.sql")
            .bind::<SqlUuid, _>(id(domain))
            .bind::<SqlUuid, _>(run.0);
        let reader = self.database.reader().await?;
        let row: Option<InspectorRunRow> = query
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        row.map(|row| row.read(now)).transpose()
    }

    async fn results(
        &self,
        domain: &DomainAccess,
        run: RunId,
        page: &PageRequest<i64>,
    ) -> Result<Page<RunResult>, StoreError> {
        let after = page.after.as_ref().map_or(-1, |after| after.key);
        let query = sql!("run_results.sql")
            .bind::<SqlUuid, _>(run.0)
            .bind::<SqlUuid, _>(id(domain))
            .bind::<Integer, _>(i32::try_from(after).unwrap_or(i32::MAX))
            .bind::<BigInt, _>(page.rows());
        let reader = self.database.reader().await?;
        let rows: Vec<RunResultRow> = query.load(&mut &*reader).await.map_err(failure)?;
        drop(reader);
        let cut = Page::cut(rows, page, |row| Position {
            key: row.place.into(),
            id: Uuid::nil(),
        });
        let mut found: Page<RunResult> = self
            .database
            .readable_page(Kind::Inspection, cut, |row| row.url.id)
            .await;
        let ids: Vec<Uuid> = found.items.iter().map(|result| result.url.id.0).collect();
        let history = self.history_of(&ids).await?;
        for result in &mut found.items {
            result.history = history.get(&result.url.id).cloned().unwrap_or_default();
        }
        let names: Vec<&str> = found.items.iter().map(|result| result.url.url.as_str()).collect();
        if let Some(values) = self.values_of(domain.id(), &names).await? {
            for result in &mut found.items {
                result.url.value = values.get(&result.url.url).copied();
            }
        }
        Ok(found)
    }
}

/// The run with its URLs. Each is known from now on, if not monitored; of both quotas what it needs is taken, or nothing is done.
async fn create(
    connection: &mut AsyncPgConnection,
    workspace: WorkspaceId,
    new: &NewInspectorRun,
    now: OffsetDateTime,
) -> Result<RequestedRun, Abort<ChangeError>> {
    let domain = new.run.run.domain_id;
    let mut seen = HashSet::new();
    let first: Vec<bool> = new.urls.iter().map(|url| seen.insert(url.as_str())).collect();
    let wanted = u32::try_from(seen.len()).unwrap_or(u32::MAX);
    let run = runs::create(connection, &new.run).await.map_err(Abort::widen)?;
    let day = QuotaDay::of(now);
    let of_property = quota::take_for_run(connection, &new.site_url, day, wanted)
        .await
        .map_err(Abort::widen)?;
    if let Err(full) = of_property {
        return Err(Abort::Port(ChangeError::Quota(exhausted(full, wanted))));
    }
    let of_plan = plan::take(connection, workspace, QuotaResource::InspectorUrls, wanted, now).await?;
    if let Err(full) = of_plan {
        return Err(Abort::Port(ChangeError::Quota(full)));
    }
    diesel::insert_into(indexing_runs::table)
        .values((
            indexing_runs::run_id.eq(run.id.0),
            indexing_runs::domain_id.eq(domain.0),
            indexing_runs::site_url.eq(&new.site_url),
            indexing_runs::label.eq(&new.label),
            indexing_runs::quota_day.eq(day.day),
            indexing_runs::unspent.eq(number(wanted)),
        ))
        .execute(connection)
        .await?;
    let ids: Vec<Uuid> = new.urls.iter().map(|_| IndexingUrlId::generate().0).collect();
    let query = sql!("know.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Array<SqlUuid>, _>(ids)
        .bind::<Array<Text>, _>(&new.urls)
        .bind::<Array<Bool>, _>(&first)
        .bind::<Timestamptz, _>(run.requested_at);
    query.execute(connection).await?;
    let query = sql!("order_urls.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<SqlUuid, _>(run.id.0)
        .bind::<Array<Text>, _>(&new.urls)
        .bind::<Array<Bool>, _>(&first);
    query.execute(connection).await?;
    let left = quota::read(connection, workspace, &new.site_url, now)
        .await
        .map_err(Abort::widen)?;
    let run = InspectorRun {
        run,
        label: new.label.clone(),
    };
    Ok((run, left))
}

#[async_trait]
impl InspectorWork for PgIndexing {
    async fn order(&self, run: RunId) -> Result<Option<RunOrder>, StoreError> {
        let mut connection = self.database.connection().await?;
        let row: Option<OrderRow> = sql!("order.sql")
            .bind::<SqlUuid, _>(run.0)
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        let Some(row) = row else { return Ok(None) };
        let waiting: Vec<(i32, String)> = indexing_run_urls::table
            .filter(indexing_run_urls::run_id.eq(run.0))
            .filter(indexing_run_urls::status.is_null())
            .order(indexing_run_urls::place)
            .select((indexing_run_urls::place, indexing_run_urls::url))
            .load(&mut connection)
            .await
            .map_err(failure)?;
        Ok(Some(RunOrder {
            site_url: row.site_url,
            waiting: waiting
                .into_iter()
                .map(|(place, url)| (place.into(), url))
                .collect(),
            total: count(row.total)?,
            completed: count(row.completed)?,
            failed: count(row.failed)?,
        }))
    }

    async fn take(&self, run: RunId, day: QuotaDay, most: u32) -> Result<Taken, StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| take(connection, run, day, most).await)
            .await
            .map_err(Abort::answer)
    }

    async fn put_back(&self, run: RunId, unused: u32) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        diesel::update(indexing_runs::table.find(run.0))
            .set(indexing_runs::unspent.eq(indexing_runs::unspent + number(unused)))
            .execute(&mut connection)
            .await
            .map(|_| ())
            .map_err(failure)
    }

    async fn release(&self, run: RunId) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| release(connection, run).await)
            .await
            .map_err(Abort::answer)
    }

    async fn keep(&self, run: RunId, domain: DomainId, outcomes: &[RunOutcome]) -> Result<(), StoreError> {
        if outcomes.is_empty() {
            return Ok(());
        }
        keep(&self.database, run, domain, outcomes).await
    }

    async fn stand(&self, domain: DomainId, newest: OffsetDateTime) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        let newest = not_ahead(&mut connection, newest).await.map_err(failure)?;
        stand(&mut connection, domain, newest).await.map_err(failure)
    }
}

/// The inspections of its property that a run holds, locked.
type Held = (String, Option<Date>, i32);

async fn held(connection: &mut AsyncPgConnection, run: RunId) -> QueryResult<Option<Held>> {
    indexing_runs::table
        .find(run.0)
        .for_update()
        .select((
            indexing_runs::site_url,
            indexing_runs::quota_day,
            indexing_runs::unspent,
        ))
        .first(connection)
        .await
        .optional()
}

async fn hold(
    connection: &mut AsyncPgConnection,
    run: RunId,
    day: Option<Date>,
    unspent: u32,
) -> QueryResult<()> {
    diesel::update(indexing_runs::table.find(run.0))
        .set((
            indexing_runs::quota_day.eq(day),
            indexing_runs::unspent.eq(number(unspent)),
        ))
        .execute(connection)
        .await
        .map(|_| ())
}

async fn take(
    connection: &mut AsyncPgConnection,
    run: RunId,
    day: QuotaDay,
    most: u32,
) -> Result<Taken, Abort<StoreError>> {
    let Some((site_url, taken_of, unspent)) = held(connection, run).await? else {
        return Ok(Taken::DayUsed);
    };
    let mut unspent: u32 = count(unspent).map_err(Abort::Port)?;
    if let Some(over) = taken_of.filter(|taken_of| *taken_of != day.day) {
        quota::give_back_of_run(connection, &site_url, over, unspent).await?;
        unspent = quota::take_anew(connection, &site_url, day.day, unspent).await?;
    }
    let (taken, left) = quota::take_of_held(connection, &site_url, day.day, unspent, most).await?;
    hold(connection, run, Some(day.day), left).await?;
    Ok(taken)
}

/// The plan's inspections are given back to the day on which they were taken.
async fn release(connection: &mut AsyncPgConnection, run: RunId) -> Result<(), Abort<StoreError>> {
    let Some((site_url, taken_of, unspent)) = held(connection, run).await? else {
        return Ok(());
    };
    let unspent: u32 = count(unspent).map_err(Abort::Port)?;
    let Some(day) = taken_of.filter(|_| unspent > 0) else {
        return Ok(());
    };
    quota::give_back_of_run(connection, &site_url, day, unspent).await?;
    hold(connection, run, Some(day), 0).await?;
    let query = sql!(text "SELECT d.workspace_id, r.requested_at
        FROM runs AS r
        JOIN domains AS d ON d.id = r.domain_id
        WHERE r.id = $1")
    .bind::<SqlUuid, _>(run.0);
    let asked: AskedRow = query.get_result(connection).await?;
    let resource = QuotaResource::InspectorUrls;
    plan::give_back(
        connection,
        WorkspaceId(asked.workspace_id),
        resource,
        unspent,
        asked.requested_at,
    )
    .await?;
    Ok(())
}

fn number(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

async fn keep(
    database: &Database,
    run: RunId,
    domain: DomainId,
    outcomes: &[RunOutcome],
) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            let present: OffsetDateTime = diesel::select(dsl::now.into_sql::<Timestamptz>())
                .get_result(connection)
                .await?;
            let kept: Vec<Kept<'_>> = outcomes.iter().map(|outcome| kept(outcome, present)).collect();
            let query = sql!("keep.sql")
                .bind::<SqlUuid, _>(run.0)
                .bind::<Jsonb, _>(listed(&kept).map_err(Abort::Port)?);
            query.execute(connection).await?;
            let made: Vec<Attempt> = outcomes
                .iter()
                .filter(|outcome| is_of_the_url(outcome))
                .map(|outcome| Attempt {
                    at: outcome.attempt.at.min(present),
                    ..outcome.attempt.clone()
                })
                .collect();
            settle(connection, domain, &made).await.map(|_| ())
        })
        .await
        .map_err(Abort::answer)
}

fn kept(outcome: &RunOutcome, present: OffsetDateTime) -> Kept<'_> {
    let (inspection, error_code) = match &outcome.attempt.outcome {
        Ok(inspection) => (Some(inspection.as_ref()), None),
        Err(failure) => (None, Some(failure.code.as_str())),
    };
    Kept {
        place: outcome.place,
        status: outcome.status.as_str(),
        error_code,
        inspected_at: inspection.map(|_| outcome.attempt.at.min(present)),
        inspection,
    }
}

/// Whether the upstream was asked for this URL, and said something of it.
fn is_of_the_url(outcome: &RunOutcome) -> bool {
    match &outcome.attempt.outcome {
        Ok(_) => outcome.status == ResultStatus::Done,
        Err(failure) => failure.is_of_the_url,
    }
}
