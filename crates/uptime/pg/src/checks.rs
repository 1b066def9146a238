//! The checks of a domain: page by page, and how many there are.

use async_trait::async_trait;
use diesel::{
    BoolExpressionMethods, ExpressionMethods, QueryDsl, SelectableHelper, dsl,
    pg::Pg,
    query_builder::QueryFragment,
    sql_types::{Array, BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    identity::DomainAccess,
    ids::DomainId,
    page::{Page, PageRequest, Position},
    store::StoreError,
};
use pharos_persistence::{failure::failure, pool::Database, set_aside::Kind, sql, statement::Statement};
use pharos_uptime::{
    check::{Check, Outcome},
    store::{CheckFilter, CheckStore},
};

use super::check_row::CheckRow;
use crate::schema::uptime_checks;

/// Checks in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgCheckStore {
    database: Database,
}

impl PgCheckStore {
    /// The checks of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

type Query<'a> =
    dsl::IntoBoxed<'a, dsl::Select<uptime_checks::table, dsl::AsSelect<CheckRow<'static>, Pg>>, Pg>;

/// The rows of a page and one more, of all checks or a run's. All are served by the primary key (domain, time, id), read
/// backwards: a cursor is a bound on that key, and only rows of its very microsecond are looked at in vain. Those of a
/// run are found by an index of their own; they are few.
fn query<'a>(domain: DomainId, filter: &'a CheckFilter, page: &PageRequest) -> Query<'a> {
    let mut query = uptime_checks::table
        .select(CheckRow::<'static>::as_select())
        .into_boxed::<Pg>()
        .filter(uptime_checks::domain_id.eq(domain.0));
    if let Some(run) = filter.run_id {
        query = query.filter(uptime_checks::run_id.eq(run.0));
        if let Some(outcome) = filter.outcome {
            query = query.filter(uptime_checks::outcome.eq(outcome.as_str()));
        }
        if let Some(region) = &filter.region {
            query = query.filter(uptime_checks::region.eq(region));
        }
    }
    if let Some(Position { key: at, id }) = page.after {
        query = query
            .filter(uptime_checks::checked_at.le(at))
            .filter(uptime_checks::checked_at.lt(at).or(uptime_checks::id.lt(id)));
    }
    query
        .order((uptime_checks::checked_at.desc(), uptime_checks::id.desc()))
        .limit(page.rows())
}

/// The same of a region, an outcome, or both.
fn found(
    domain: DomainId,
    filter: &CheckFilter,
    page: &PageRequest,
) -> Statement<impl Send + use<>, impl QueryFragment<Pg> + Send + use<>> {
    let outcomes: Vec<&str> = match &filter.outcome {
        Some(outcome) => vec![outcome.as_str()],
        None => Outcome::ALL.iter().map(|outcome| outcome.as_str()).collect(),
    };
    let Position { key: at, id } = page.after.unwrap_or(Position::START);
    sql!("found_checks.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Nullable<Text>, _>(filter.region.clone())
        .bind::<Array<Text>, _>(outcomes)
        .bind::<Timestamptz, _>(at)
        .bind::<SqlUuid, _>(id)
        .bind::<BigInt, _>(page.rows())
}

/// How PostgreSQL would read a page of all checks, or of a run's. For tests.
///
/// # Errors
/// The store failed.
#[cfg(feature = "testing")]
pub async fn explained(
    database: &Database,
    domain: DomainId,
    filter: &CheckFilter,
    page: &PageRequest,
) -> Result<String, StoreError> {
    let mut connection = database.connection().await?;
    let plan: Vec<String> = pharos_persistence::statement::Explain(query(domain, filter, page))
        .load(&mut connection)
        .await
        .map_err(failure)?;
    Ok(plan.join("\n"))
}

#[async_trait]
impl CheckStore for PgCheckStore {
    async fn list(
        &self,
        domain: &DomainAccess,
        filter: &CheckFilter,
        page: &PageRequest,
    ) -> Result<Page<Check>, StoreError> {
        let is_narrowed = filter.outcome.is_some() || filter.region.is_some();
        let rows: Vec<CheckRow<'static>> = if is_narrowed && filter.run_id.is_none() {
            // It reads a page of each pair of region and outcome, so nobody waits behind it.
            let mut connection = self.database.connection().await?;
            found(domain.id(), filter, page).load(&mut connection).await
        } else {
            let reader = self.database.reader().await?;
            query(domain.id(), filter, page).load(&mut &*reader).await
        }
        .map_err(failure)?;
        let page = Page::cut(rows, page, |row| Position {
            key: row.checked_at,
            id: row.id,
        });
        Ok(self.database.readable_page(Kind::Check, page, |row| row.id).await)
    }
}
