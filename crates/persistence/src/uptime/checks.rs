//! The checks of a domain: page by page, and how many there are.

use async_trait::async_trait;
use diesel::{BoolExpressionMethods, ExpressionMethods, QueryDsl, SelectableHelper, dsl, pg::Pg};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    identity::DomainAccess,
    ids::DomainId,
    page::{CursorKey, Page, PageRequest},
    store::StoreError,
};
use pharos_uptime::{
    check::Check,
    store::{CheckFilter, CheckStore},
};

use super::check_row::CheckRow;
use crate::{failure::failure, pool::Database, schema::uptime_checks};

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

type Query<'a> = dsl::IntoBoxed<'a, dsl::Select<uptime_checks::table, dsl::AsSelect<CheckRow, Pg>>, Pg>;

/// The rows of a page and one more. Served by the primary key (domain, time, id), read backwards; a cursor is a
/// bound on that key, and only rows of its very microsecond are looked at in vain.
fn query<'a>(domain: DomainId, filter: &'a CheckFilter, page: &PageRequest) -> Query<'a> {
    let mut query = uptime_checks::table
        .select(CheckRow::as_select())
        .into_boxed::<Pg>()
        .filter(uptime_checks::domain_id.eq(domain.0));
    if let Some(outcome) = filter.outcome {
        query = query.filter(uptime_checks::outcome.eq(outcome.as_str()));
    }
    if let Some(region) = &filter.region {
        query = query.filter(uptime_checks::region.eq(region));
    }
    if let Some(run) = filter.run_id {
        query = query.filter(uptime_checks::run_id.eq(run.0));
    }
    if let Some(CursorKey { at, id }) = page.after {
        query = query
            .filter(uptime_checks::checked_at.le(at))
            .filter(uptime_checks::checked_at.lt(at).or(uptime_checks::id.lt(id)));
    }
    query
        .order((uptime_checks::checked_at.desc(), uptime_checks::id.desc()))
        .limit(i64::try_from(page.limit).unwrap_or(i64::MAX - 1) + 1)
}

/// How PostgreSQL would read a page. For tests.
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
    let plan: Vec<String> = crate::statement::Explain(query(domain, filter, page))
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
        let reader = self.database.reader().await?;
        let rows: Vec<CheckRow> = query(domain.id(), filter, page)
            .load(&mut &*reader)
            .await
            .map_err(failure)?;
        let checks = rows
            .into_iter()
            .map(Check::try_from)
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Page::cut(checks, page, |check| CursorKey {
            at: check.checked_at,
            id: check.id.0,
        }))
    }
}
