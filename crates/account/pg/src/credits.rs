//! Credits as the reads see them.

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{
        Array, BigInt, Date as SqlDate, Integer, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid,
    },
};
use diesel_async::RunQueryDsl;
use pharos_account::credits::{CallFilter, CreditStore, LoggedCall, MemberShare, Spent};
use pharos_domain::{
    credits::{Allowance, Balance},
    identity::WorkspaceAccess,
    ids::{CredentialId, DomainId, RequestId, UserId, WorkspaceId},
    page::{Page, PageRequest, Position},
    store::StoreError,
};
use pharos_persistence::{
    failure::{failure, read_failure},
    names,
    pool::Database,
    set_aside::Kind,
    sql,
};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

/// Balances and the log in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgCreditStore {
    database: Database,
}

impl PgCreditStore {
    /// The credits of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct BalanceRow {
    #[diesel(sql_type = SqlUuid)]
    workspace_id: Uuid,
    #[diesel(sql_type = BigInt)]
    granted: i64,
    #[diesel(sql_type = BigInt)]
    used: i64,
    #[diesel(sql_type = Timestamptz)]
    cycle_start: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    cycle_end: OffsetDateTime,
    #[diesel(sql_type = Nullable<BigInt>)]
    credit_cap: Option<i64>,
    #[diesel(sql_type = BigInt)]
    member_used: i64,
}

impl TryFrom<BalanceRow> for Balance {
    type Error = StoreError;

    fn try_from(row: BalanceRow) -> Result<Self, StoreError> {
        let share = |cap| {
            Ok::<_, StoreError>(Allowance {
                granted: names::count(cap)?,
                used: names::count(row.member_used)?,
            })
        };
        Ok(Self {
            workspace_id: WorkspaceId(row.workspace_id),
            granted: names::count(row.granted)?,
            used: names::count(row.used)?,
            cycle_start: row.cycle_start,
            cycle_end: row.cycle_end,
            member: row.credit_cap.map(share).transpose()?,
        })
    }
}

#[derive(QueryableByName)]
struct CallRow {
    #[diesel(sql_type = Timestamptz)]
    occurred_at: OffsetDateTime,
    #[diesel(sql_type = SqlUuid)]
    request_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    credential_id: Uuid,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    domain_id: Option<Uuid>,
    #[diesel(sql_type = Text)]
    operation: String,
    #[diesel(sql_type = SmallInt)]
    status: i16,
    #[diesel(sql_type = Integer)]
    cost: i32,
    #[diesel(sql_type = Text)]
    cache: String,
}

/// A row of the log of a workspace.
struct Logged(WorkspaceId, CallRow);

impl TryFrom<Logged> for LoggedCall {
    type Error = StoreError;

    fn try_from(Logged(workspace_id, row): Logged) -> Result<Self, StoreError> {
        Ok(Self {
            request_id: RequestId(row.request_id),
            occurred_at: row.occurred_at,
            workspace_id,
            credential_id: CredentialId(row.credential_id),
            domain_id: row.domain_id.map(DomainId),
            operation: row.operation,
            status: names::count(row.status)?,
            cost: names::count(row.cost)?,
            cache: row.cache.parse()?,
        })
    }
}

/// A page of calls.
async fn page_of(
    database: &Database,
    rows: Vec<CallRow>,
    workspace: WorkspaceId,
    page: &PageRequest,
) -> Page<LoggedCall> {
    let rows: Vec<Logged> = rows.into_iter().map(|row| Logged(workspace, row)).collect();
    let cut = Page::cut(rows, page, |Logged(_, row)| Position {
        key: row.occurred_at,
        id: row.request_id,
    });
    database
        .readable_page(Kind::LogRow, cut, |Logged(_, row): &Logged| row.request_id)
        .await
}

#[derive(QueryableByName)]
struct SpentRow {
    #[diesel(sql_type = SqlDate)]
    day: Date,
    #[diesel(sql_type = Text)]
    operation: String,
    #[diesel(sql_type = BigInt)]
    calls: i64,
    #[diesel(sql_type = BigInt)]
    credits: i64,
}

impl TryFrom<SpentRow> for Spent {
    type Error = StoreError;

    fn try_from(row: SpentRow) -> Result<Self, StoreError> {
        Ok(Self {
            day: row.day,
            operation: row.operation,
            calls: names::count(row.calls)?,
            credits: names::count(row.credits)?,
        })
    }
}

#[derive(QueryableByName)]
struct ShareRow {
    #[diesel(sql_type = SqlUuid)]
    user_id: Uuid,
    #[diesel(sql_type = Nullable<BigInt>)]
    credit_cap: Option<i64>,
    #[diesel(sql_type = BigInt)]
    used: i64,
}

impl TryFrom<ShareRow> for MemberShare {
    type Error = StoreError;

    fn try_from(row: ShareRow) -> Result<Self, StoreError> {
        Ok(Self {
            user_id: UserId(row.user_id),
            used: names::count(row.used)?,
            cap: row.credit_cap.map(names::count).transpose()?,
        })
    }
}

#[async_trait]
impl CreditStore for PgCreditStore {
    async fn balances(
        &self,
        reach: &[WorkspaceAccess],
        now: OffsetDateTime,
    ) -> Result<Vec<Balance>, StoreError> {
        // One identity made all accesses.
        let Some(user) = reach.first().map(|access| access.identity().user_id) else {
            return Ok(Vec::new());
        };
        let ids: Vec<Uuid> = reach.iter().map(|access| access.workspace().id.0).collect();
        let reader = self.database.reader().await?;
        let query = sql!("balances.sql")
            .bind::<Array<SqlUuid>, _>(ids)
            .bind::<SqlUuid, _>(user.0)
            .bind::<Timestamptz, _>(now);
        let rows: Vec<BalanceRow> = query.load(&mut &*reader).await.map_err(failure)?;
        rows.into_iter().map(Balance::try_from).collect()
    }

    async fn log(
        &self,
        workspace: &WorkspaceAccess,
        page: &PageRequest,
        now: OffsetDateTime,
    ) -> Result<Page<LoggedCall>, StoreError> {
        let id = workspace.workspace().id;
        let after = page.after.unwrap_or(Position::START);
        let reader = self.database.reader().await?;
        let query = sql!("credit_log.sql")
            .bind::<SqlUuid, _>(id.0)
            .bind::<Timestamptz, _>(now)
            .bind::<Timestamptz, _>(after.key)
            .bind::<SqlUuid, _>(after.id)
            .bind::<BigInt, _>(page.rows());
        let rows: Vec<CallRow> = query.load(&mut &*reader).await.map_err(failure)?;
        drop(reader);
        Ok(page_of(&self.database, rows, id, page).await)
    }

    async fn search(
        &self,
        workspace: &WorkspaceAccess,
        filter: &CallFilter,
        page: &PageRequest,
        now: OffsetDateTime,
    ) -> Result<Page<LoggedCall>, StoreError> {
        let id = workspace.workspace().id;
        let after = page.after.unwrap_or(Position::START);
        let (from, until) = match filter.day {
            Some(day) => (
                day.midnight().assume_utc(),
                day.next_day().unwrap_or(Date::MAX).midnight().assume_utc(),
            ),
            None => (OffsetDateTime::UNIX_EPOCH, Position::START.key),
        };
        let mut connection = self.database.long_read().await?;
        let query = sql!("credit_search.sql")
            .bind::<SqlUuid, _>(id.0)
            .bind::<Timestamptz, _>(now)
            .bind::<Timestamptz, _>(after.key)
            .bind::<SqlUuid, _>(after.id)
            .bind::<BigInt, _>(page.rows())
            .bind::<Timestamptz, _>(from)
            .bind::<Timestamptz, _>(until)
            .bind::<Nullable<Text>, _>(filter.operation.as_deref())
            .bind::<Nullable<SqlUuid>, _>(filter.credential.map(|credential| credential.0));
        let rows: Vec<CallRow> = query.load(&mut connection).await.map_err(read_failure)?;
        drop(connection);
        Ok(page_of(&self.database, rows, id, page).await)
    }

    async fn spent(
        &self,
        workspace: &WorkspaceAccess,
        now: OffsetDateTime,
    ) -> Result<Vec<Spent>, StoreError> {
        let mut connection = self.database.long_read().await?;
        let query = sql!("credits_spent.sql")
            .bind::<SqlUuid, _>(workspace.workspace().id.0)
            .bind::<Timestamptz, _>(now);
        let rows: Vec<SpentRow> = query.load(&mut connection).await.map_err(read_failure)?;
        rows.into_iter().map(Spent::try_from).collect()
    }

    async fn shares(
        &self,
        workspace: &WorkspaceAccess,
        now: OffsetDateTime,
    ) -> Result<Vec<MemberShare>, StoreError> {
        let reader = self.database.reader().await?;
        let query = sql!("credit_shares.sql")
            .bind::<SqlUuid, _>(workspace.workspace().id.0)
            .bind::<Timestamptz, _>(now);
        let rows: Vec<ShareRow> = query.load(&mut &*reader).await.map_err(failure)?;
        rows.into_iter().map(MemberShare::try_from).collect()
    }
}
