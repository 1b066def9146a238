//! The last refused requests of workspaces.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, QueryDsl, QueryResult, SelectableHelper,
    prelude::{Queryable, Selectable},
    sql_types::{Array, BigInt, Inet, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use ipnet::IpNet;
use pharos_account::refusals::{KEPT, ListedRefusal, RefusalStore};
use pharos_domain::{
    identity::WorkspaceAccess,
    ids::{CredentialId, RequestId},
    refusals::{MOST_OF_A_WORKSPACE, RefusalWriter, RefusedRequest},
    store::StoreError,
};
use pharos_persistence::{
    failure::{Abort, failure},
    moment::to_micros,
    pool::Database,
    sql,
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::refused_requests;

/// How many rows one upkeep takes away at most. The next hour's upkeep takes the others.
const AT_ONCE: i64 = 50_000;

/// Refused requests in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgRefusalStore {
    database: Database,
}

impl PgRefusalStore {
    /// The refused requests of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = refused_requests)]
#[diesel(check_for_backend(diesel::pg::Pg))]
struct RefusalRow {
    at: OffsetDateTime,
    request_id: Uuid,
    credential_id: Uuid,
    operation: Option<String>,
    problem: String,
    about: Option<String>,
    source: Option<IpNet>,
}

impl From<RefusalRow> for ListedRefusal {
    fn from(row: RefusalRow) -> Self {
        Self {
            request_id: RequestId(row.request_id),
            at: row.at,
            credential_id: CredentialId(row.credential_id),
            operation: row.operation,
            problem: row.problem,
            about: row.about,
            source: row.source.map(|range| range.addr()),
        }
    }
}

#[async_trait]
impl RefusalStore for PgRefusalStore {
    async fn list(&self, workspace: &WorkspaceAccess) -> Result<Vec<ListedRefusal>, StoreError> {
        let reader = self.database.reader().await?;
        // Served by the primary key, read backwards.
        let rows: Vec<RefusalRow> = refused_requests::table
            .filter(refused_requests::workspace_id.eq(workspace.workspace().id.0))
            .order((refused_requests::at.desc(), refused_requests::request_id.desc()))
            .limit(most())
            .select(RefusalRow::as_select())
            .load(&mut &*reader)
            .await
            .map_err(failure)?;
        Ok(rows.into_iter().map(ListedRefusal::from).collect())
    }
}

#[async_trait]
impl RefusalWriter for PgRefusalStore {
    async fn keep(&self, refused: &[RefusedRequest]) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                insert(connection, refused).await?;
                trim(connection, refused).await?;
                Ok(())
            })
            .await
            .map_err(Abort::answer)
    }
}

async fn insert(connection: &mut AsyncPgConnection, refused: &[RefusedRequest]) -> QueryResult<usize> {
    let column = || Vec::with_capacity(refused.len());
    let (mut workspaces, mut requests, mut credentials) = (column(), column(), column());
    let mut times = Vec::with_capacity(refused.len());
    let mut operations = Vec::with_capacity(refused.len());
    let mut problems = Vec::with_capacity(refused.len());
    let mut abouts = Vec::with_capacity(refused.len());
    let mut sources = Vec::with_capacity(refused.len());
    for one in refused {
        let RefusedRequest {
            request_id,
            at,
            workspace_id,
            credential_id,
            operation,
            problem,
            about,
            source,
        } = one;
        workspaces.push(workspace_id.0);
        times.push(to_micros(*at));
        requests.push(request_id.0);
        credentials.push(credential_id.0);
        operations.push(*operation);
        problems.push(problem.as_str());
        abouts.push(*about);
        sources.push(source.0.map(IpNet::from));
    }
    let query = sql!("keep_refusals.sql")
        .bind::<Array<SqlUuid>, _>(workspaces)
        .bind::<Array<Timestamptz>, _>(times)
        .bind::<Array<SqlUuid>, _>(requests)
        .bind::<Array<SqlUuid>, _>(credentials)
        .bind::<Array<Nullable<Text>>, _>(operations)
        .bind::<Array<Text>, _>(problems)
        .bind::<Array<Nullable<Text>>, _>(abouts)
        .bind::<Array<Nullable<Inet>>, _>(sources);
    query.execute(connection).await
}

/// Leaves the last ones of the workspaces of these.
async fn trim(connection: &mut AsyncPgConnection, refused: &[RefusedRequest]) -> QueryResult<usize> {
    let mut workspaces: Vec<Uuid> = refused.iter().map(|one| one.workspace_id.0).collect();
    workspaces.sort_unstable();
    workspaces.dedup();
    let query = sql!("trim_refusals.sql")
        .bind::<Array<SqlUuid>, _>(workspaces)
        .bind::<BigInt, _>(most());
    query.execute(connection).await
}

fn most() -> i64 {
    i64::try_from(MOST_OF_A_WORKSPACE).unwrap_or(i64::MAX)
}

/// Takes away what is older than it is kept.
pub(crate) async fn forget(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    // A clock that is ahead takes nothing away early.
    let now = database.not_ahead(now).await?;
    let mut connection = database.connection().await?;
    let query = sql!("forget_refusals.sql")
        .bind::<Timestamptz, _>(now.saturating_sub(KEPT))
        .bind::<BigInt, _>(AT_ONCE);
    query.execute(&mut connection).await.map(|_| ()).map_err(failure)
}
