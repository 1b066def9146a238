//! Pages that are tracked.

use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryResult, dsl, select,
    sql_types::{Array, Nullable, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    credits::{Charged, SettleError},
    identity::DomainAccess,
    ids::{DomainId, SyntheticUrlId, WorkspaceId},
    quota::QuotaResource,
    settings::{ChangeError, SettingFault},
    store::StoreError,
};
use pharos_persistence::{
    due,
    failure::{Abort, failure},
    hold,
    json::written,
    metering::charged::charged,
    missing::{Undone, found},
    moment::not_ahead,
    pool::Database,
    quota, runs,
    set_aside::Kind,
    sql,
};
use pharos_synthetic::{
    page::{MOST_PAGES, TrackedPage},
    store::{ChangedPage, NewPage, PageChange, SealedSecrets},
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    row::PageRow,
    schema::{synthetic_budgets, synthetic_runs, synthetic_urls},
};

/// Pages have one lane.
pub(crate) const LANE: &str = "";

pub(crate) async fn list(database: &Database, domain: DomainId) -> Result<Vec<TrackedPage>, StoreError> {
    let rows = {
        let reader = database.reader().await?;
        let query = sql!("sql/pages.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<Nullable<SqlUuid>, _>(None::<Uuid>);
        query.load(&mut &*reader).await.map_err(failure)?
    };
    Ok(database
        .readable(Kind::LabTest, rows, |row: &PageRow| row.id)
        .await)
}

pub(crate) async fn one(
    database: &Database,
    domain: DomainId,
    id: SyntheticUrlId,
) -> Result<Option<TrackedPage>, StoreError> {
    let reader = database.reader().await?;
    let query = sql!("sql/pages.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Nullable<SqlUuid>, _>(Some(id.0));
    let rows: Vec<PageRow> = query.load(&mut &*reader).await.map_err(failure)?;
    rows.into_iter().next().map(TrackedPage::try_from).transpose()
}

async fn read(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    id: SyntheticUrlId,
) -> Result<Option<TrackedPage>, Abort<StoreError>> {
    let query = sql!("sql/pages.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Nullable<SqlUuid>, _>(Some(id.0));
    let rows: Vec<PageRow> = query.load(connection).await?;
    rows.into_iter()
        .next()
        .map(TrackedPage::try_from)
        .transpose()
        .map_err(Abort::Port)
}

pub(crate) async fn is_configured(database: &Database, domain: DomainId) -> Result<bool, StoreError> {
    let reader = database.reader().await?;
    let tracked = synthetic_urls::table.filter(synthetic_urls::domain_id.eq(domain.0));
    select(dsl::exists(tracked))
        .get_result(&mut &*reader)
        .await
        .map_err(failure)
}

pub(crate) async fn track(
    database: &Database,
    domain: &Charged<DomainAccess>,
    page: &NewPage,
    now: OffsetDateTime,
) -> Result<TrackedPage, ChangeError> {
    let workspace = domain.workspace().workspace().id;
    charged(database, domain.slip(), None, async move |connection| {
        insert(connection, domain.id(), workspace, page, now).await
    })
    .await
}

/// The domain is locked, so that no two requests both track the last page that it may have.
async fn insert(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    workspace: WorkspaceId,
    page: &NewPage,
    now: OffsetDateTime,
) -> Result<TrackedPage, Abort<ChangeError>> {
    // Until the transaction ends nobody else tracks a page of the domain, lets one go or changes a budget.
    hold::domain(connection, domain).await?;
    let now = not_ahead(connection, now).await?;
    let count: i64 = synthetic_urls::table
        .filter(synthetic_urls::domain_id.eq(domain.0))
        .filter(synthetic_urls::deleted_at.is_null())
        .count()
        .get_result(connection)
        .await?;
    if count >= MOST_PAGES {
        let detail = format!(
            "the domain has {MOST_PAGES} tracked URLs, as many as it may; stop tracking one of them first"
        );
        return Err(Abort::Port(ChangeError::Faults(vec![SettingFault::new(
            "", detail,
        )])));
    }
    if let Err(full) = quota::take(connection, workspace, QuotaResource::TrackedUrlsSynthetic, 1, now).await?
    {
        return Err(Abort::Port(ChangeError::Quota(full)));
    }
    store(connection, domain, workspace, page, now)
        .await
        .map_err(Abort::widen)?;
    let made = read(connection, domain, page.id).await.map_err(Abort::widen)?;
    made.ok_or_else(|| Abort::port(StoreError::Failed("a page that was tracked is gone".into())))
}

async fn store(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    workspace: WorkspaceId,
    page: &NewPage,
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let NewPage {
        id,
        settings,
        secrets:
            SealedSecrets {
                sealed,
                has_basic_auth,
                has_cookie,
            },
        next_run_at,
    } = page;
    diesel::insert_into(synthetic_urls::table)
        .values((
            synthetic_urls::id.eq(id.0),
            synthetic_urls::domain_id.eq(domain.0),
            synthetic_urls::workspace_id.eq(workspace.0),
            synthetic_urls::settings.eq(written(settings).map_err(Abort::Port)?),
            synthetic_urls::secrets.eq(sealed),
            synthetic_urls::has_basic_auth.eq(has_basic_auth),
            synthetic_urls::has_cookie.eq(has_cookie),
            synthetic_urls::next_run_at.eq(next_run_at),
            synthetic_urls::created_at.eq(now),
            synthetic_urls::updated_at.eq(now),
        ))
        .execute(connection)
        .await?;
    due::announce(connection, &[LANE.to_owned()], "").await?;
    Ok(())
}

pub(crate) async fn adopt(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    workspace: WorkspaceId,
    page: &NewPage,
    now: OffsetDateTime,
) -> Result<bool, Abort<ChangeError>> {
    // Until the transaction ends nobody else tracks a page of the domain, lets one go or changes a budget.
    hold::domain(connection, domain).await?;
    let tracked = synthetic_urls::table.filter(synthetic_urls::domain_id.eq(domain.0));
    if select(dsl::exists(tracked)).get_result(connection).await? {
        return Ok(false);
    }
    let now = not_ahead(connection, now).await?;
    if let Err(full) = quota::take(connection, workspace, QuotaResource::TrackedUrlsSynthetic, 1, now).await?
    {
        return Err(Abort::Port(ChangeError::Quota(full)));
    }
    store(connection, domain, workspace, page, now)
        .await
        .map_err(Abort::widen)?;
    Ok(true)
}

/// The ids of the pages of a domain.
pub(crate) async fn tracked(connection: &mut AsyncPgConnection, domain: DomainId) -> QueryResult<Vec<Uuid>> {
    synthetic_urls::table
        .filter(synthetic_urls::domain_id.eq(domain.0))
        .filter(synthetic_urls::deleted_at.is_null())
        .select(synthetic_urls::id)
        .load(connection)
        .await
}

pub(crate) async fn change(
    database: &Database,
    domain: &Charged<DomainAccess>,
    id: SyntheticUrlId,
    change: &PageChange<'_>,
    now: OffsetDateTime,
) -> Result<Option<TrackedPage>, ChangeError> {
    let done = charged(database, domain.slip(), None, async move |connection| {
        rewrite(connection, domain.id(), id, change, now).await
    })
    .await;
    found(done)
}

async fn rewrite(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    id: SyntheticUrlId,
    change: &PageChange<'_>,
    now: OffsetDateTime,
) -> Result<TrackedPage, Abort<Undone<ChangeError>>> {
    let other = |error: StoreError| Abort::Port(Undone::Other(ChangeError::from(error)));
    let present: Option<(Option<Vec<u8>>, bool, bool)> = synthetic_urls::table
        .find(id.0)
        .filter(synthetic_urls::domain_id.eq(domain.0))
        .filter(synthetic_urls::deleted_at.is_null())
        .for_update()
        .select((
            synthetic_urls::secrets,
            synthetic_urls::has_basic_auth,
            synthetic_urls::has_cookie,
        ))
        .first(connection)
        .await
        .optional()?;
    let (sealed, has_basic_auth, has_cookie) = present.ok_or(Abort::Port(Undone::Missing))?;
    let before = SealedSecrets {
        sealed,
        has_basic_auth,
        has_cookie,
    };
    let page = match read(connection, domain, id).await {
        Ok(page) => page.ok_or(Abort::Port(Undone::Missing))?,
        Err(Abort::Database(error)) => return Err(Abort::Database(error)),
        Err(Abort::Port(error)) => return Err(other(error)),
    };
    let ChangedPage {
        settings,
        secrets,
        next_run_at,
    } = change(&page, &before).map_err(|faults| Abort::Port(Undone::Other(ChangeError::Faults(faults))))?;
    let now = not_ahead(connection, now).await?;
    let settings_written = written(&settings).map_err(other)?;
    diesel::update(synthetic_urls::table.find(id.0))
        .set((
            synthetic_urls::settings.eq(settings_written),
            synthetic_urls::secrets.eq(&secrets.sealed),
            synthetic_urls::has_basic_auth.eq(secrets.has_basic_auth),
            synthetic_urls::has_cookie.eq(secrets.has_cookie),
            synthetic_urls::next_run_at.eq(next_run_at),
            // Whoever has claimed it read other settings.
            synthetic_urls::leased_until.eq(None::<OffsetDateTime>),
            synthetic_urls::updated_at.eq(now),
        ))
        .execute(connection)
        .await?;
    due::announce(connection, &[LANE.to_owned()], &id.to_string()).await?;
    Ok(TrackedPage {
        settings,
        has_basic_auth: secrets.has_basic_auth,
        has_cookie: secrets.has_cookie,
        next_run_at,
        updated_at: now,
        ..page
    })
}

pub(crate) async fn untrack(
    database: &Database,
    domain: &Charged<DomainAccess>,
    id: SyntheticUrlId,
    now: OffsetDateTime,
) -> Result<bool, SettleError> {
    let workspace = domain.workspace().workspace().id;
    let done = charged(database, domain.slip(), None, async move |connection| {
        remove(connection, domain.id(), workspace, id, now).await
    })
    .await;
    found(done).map(|done: Option<()>| done.is_some())
}

/// Its runs keep it; its secrets go.
async fn remove(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    workspace: WorkspaceId,
    id: SyntheticUrlId,
    now: OffsetDateTime,
) -> Result<(), Abort<Undone<SettleError>>> {
    // Until the transaction ends nobody else tracks a page of the domain, lets one go or changes a budget.
    hold::domain(connection, domain).await?;
    let at = not_ahead(connection, now).await?;
    let gone = diesel::update(synthetic_urls::table.find(id.0))
        .filter(synthetic_urls::domain_id.eq(domain.0))
        .filter(synthetic_urls::deleted_at.is_null())
        .set((
            synthetic_urls::deleted_at.eq(at),
            synthetic_urls::next_run_at.eq(None::<OffsetDateTime>),
            synthetic_urls::leased_until.eq(None::<OffsetDateTime>),
            synthetic_urls::secrets.eq(None::<Vec<u8>>),
            synthetic_urls::has_basic_auth.eq(false),
            synthetic_urls::has_cookie.eq(false),
        ))
        .execute(connection)
        .await?;
    if gone == 0 {
        return Err(Abort::Port(Undone::Missing));
    }
    call_off(connection, id, at).await?;
    diesel::delete(synthetic_budgets::table.filter(synthetic_budgets::url_id.eq(id.0)))
        .execute(connection)
        .await?;
    quota::give_back(connection, workspace, QuotaResource::TrackedUrlsSynthetic, 1, now).await?;
    Ok(())
}

/// Calls off the runs of a page that wait, as the end of its domain does; one that a browser has is told when it ends.
async fn call_off(
    connection: &mut AsyncPgConnection,
    page: SyntheticUrlId,
    at: OffsetDateTime,
) -> QueryResult<()> {
    let open: Vec<(Uuid, Option<Uuid>)> = synthetic_runs::table
        .filter(synthetic_runs::url_id.eq(page.0))
        .filter(synthetic_runs::finished_at.is_null())
        .select((synthetic_runs::id, synthetic_runs::job_id))
        .load(connection)
        .await?;
    let (ids, jobs): (Vec<Uuid>, Vec<Option<Uuid>>) = open.into_iter().unzip();
    let jobs: Vec<Uuid> = jobs.into_iter().flatten().collect();
    runs::cancel(connection, &ids, &jobs, at).await?;
    let query = sql!(text "UPDATE synthetic_runs
        SET status = 'canceled', finished_at = greatest($2, requested_at, started_at)
        WHERE id = ANY ($1) AND status IN ('queued', 'running')")
    .bind::<Array<SqlUuid>, _>(ids)
    .bind::<Timestamptz, _>(at);
    query.execute(connection).await?;
    Ok(())
}
