//! Budgets.

use diesel::{
    ExpressionMethods, QueryDsl, QueryResult, SelectableHelper,
    prelude::{Insertable, Queryable, QueryableByName, Selectable},
    sql_types::{Bool, Double, Nullable, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    credits::{Charged, SettleError},
    identity::DomainAccess,
    ids::{DomainId, RunId, SyntheticBudgetId, SyntheticUrlId},
    settings::ChangeError,
    store::StoreError,
};
use pharos_persistence::{
    failure::{Abort, read_failure},
    hold,
    metering::charged::charged,
    pool::Database,
    set_aside::Kind,
    sql,
};
use pharos_synthetic::{
    budget::{Budget, BudgetResult, KeptBudget},
    store::BudgetsChange,
};
use uuid::Uuid;

use crate::{pages, schema::synthetic_budgets};

#[derive(Insertable, Queryable, QueryableByName, Selectable)]
#[diesel(table_name = synthetic_budgets)]
#[diesel(check_for_backend(diesel::pg::Pg))]
struct BudgetRow {
    id: Uuid,
    url_id: Option<Uuid>,
    profile_id: Option<String>,
    metric: String,
    bound: f64,
    direction: String,
}

#[derive(QueryableByName)]
struct KeptRow {
    #[diesel(embed)]
    budget: BudgetRow,
    #[diesel(sql_type = Nullable<Double>)]
    actual: Option<f64>,
    #[diesel(sql_type = Nullable<Bool>)]
    passed: Option<bool>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    run_id: Option<Uuid>,
}

impl TryFrom<BudgetRow> for Budget {
    type Error = StoreError;

    fn try_from(row: BudgetRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: SyntheticBudgetId(row.id),
            url_id: row.url_id.map(SyntheticUrlId),
            profile_id: row.profile_id,
            metric: row.metric.parse()?,
            limit: row.bound,
            direction: row.direction.parse()?,
        })
    }
}

impl TryFrom<KeptRow> for KeptBudget {
    type Error = StoreError;

    fn try_from(row: KeptRow) -> Result<Self, StoreError> {
        Ok(Self {
            budget: row.budget.try_into()?,
            last_value: row.actual,
            last_result: BudgetResult::of(row.passed),
            last_run_id: row.run_id.map(RunId),
        })
    }
}

impl From<&Budget> for BudgetRow {
    fn from(budget: &Budget) -> Self {
        let Budget {
            id,
            url_id,
            profile_id,
            metric,
            limit,
            direction,
        } = budget;
        Self {
            id: id.0,
            url_id: url_id.map(|page| page.0),
            profile_id: profile_id.clone(),
            metric: metric.as_str().to_owned(),
            bound: *limit,
            direction: direction.as_str().to_owned(),
        }
    }
}

pub(crate) async fn list(database: &Database, domain: DomainId) -> Result<Vec<KeptBudget>, StoreError> {
    let rows = {
        let mut connection = database.long_read().await?;
        kept_rows(&mut connection, domain).await.map_err(read_failure)?
    };
    Ok(database
        .readable(Kind::LabTest, rows, |row: &KeptRow| row.budget.id)
        .await)
}

async fn kept_rows(connection: &mut AsyncPgConnection, domain: DomainId) -> QueryResult<Vec<KeptRow>> {
    let query = sql!("sql/budgets.sql").bind::<SqlUuid, _>(domain.0);
    query.load(connection).await
}

/// The budgets with how they stand.
async fn kept(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
) -> Result<Vec<KeptBudget>, Abort<StoreError>> {
    let rows = kept_rows(connection, domain).await?;
    rows.into_iter()
        .map(KeptBudget::try_from)
        .collect::<Result<_, _>>()
        .map_err(Abort::Port)
}

/// The budgets alone that this version can read: a test is judged by them, and a newer node judges its own by the others.
pub(crate) async fn of(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
) -> Result<Vec<Budget>, Abort<StoreError>> {
    let unread = |error: &StoreError| tracing::error!(%domain, %error, "a test is judged without a budget");
    let rows = rows(connection, domain).await?.into_iter();
    Ok(rows
        .filter_map(|row| Budget::try_from(row).inspect_err(unread).ok())
        .collect())
}

async fn rows(connection: &mut AsyncPgConnection, domain: DomainId) -> QueryResult<Vec<BudgetRow>> {
    synthetic_budgets::table
        .filter(synthetic_budgets::domain_id.eq(domain.0))
        .order(synthetic_budgets::position.asc())
        .select(BudgetRow::as_select())
        .load(connection)
        .await
}

pub(crate) async fn replace(
    database: &Database,
    domain: &Charged<DomainAccess>,
    budgets: &[Budget],
) -> Result<Vec<KeptBudget>, SettleError> {
    charged(database, domain.slip(), None, async |connection| {
        exchange(connection, domain.id(), budgets)
            .await
            .map_err(Abort::widen)
    })
    .await
}

async fn exchange(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    budgets: &[Budget],
) -> Result<Vec<KeptBudget>, Abort<StoreError>> {
    let before = held(connection, domain).await?;
    put(connection, domain, &before, budgets).await
}

pub(crate) async fn change(
    database: &Database,
    domain: &Charged<DomainAccess>,
    change: &BudgetsChange<'_>,
) -> Result<Vec<KeptBudget>, ChangeError> {
    charged(database, domain.slip(), None, async move |connection| {
        amend(connection, domain.id(), change).await
    })
    .await
}

async fn amend(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    change: &BudgetsChange<'_>,
) -> Result<Vec<KeptBudget>, Abort<ChangeError>> {
    let before = held(connection, domain).await.map_err(Abort::widen)?;
    let budgets = change(&before).map_err(|faults| Abort::Port(ChangeError::Faults(faults)))?;
    put(connection, domain, &before, &budgets)
        .await
        .map_err(Abort::widen)
}

/// The budgets alone. Until the transaction ends nobody else changes them. A change writes all of them anew, so there is none where
/// one can't be read: it would be lost.
async fn held(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
) -> Result<Vec<Budget>, Abort<StoreError>> {
    hold::domain(connection, domain).await?;
    let rows = rows(connection, domain).await?.into_iter();
    rows.map(Budget::try_from)
        .collect::<Result<_, _>>()
        .map_err(Abort::Port)
}

async fn put(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    before: &[Budget],
    budgets: &[Budget],
) -> Result<Vec<KeptBudget>, Abort<StoreError>> {
    diesel::delete(synthetic_budgets::table)
        .filter(synthetic_budgets::domain_id.eq(domain.0))
        .execute(connection)
        .await?;
    // A page that was let go since it was seen takes its budgets along.
    let tracked = pages::tracked(connection, domain).await?;
    let rows: Vec<_> = (0..)
        .zip(
            budgets
                .iter()
                .filter(|budget| budget.url_id.is_none_or(|page| tracked.contains(&page.0))),
        )
        .map(|(position, budget)| {
            (
                BudgetRow::from(&keep(budget, before)),
                synthetic_budgets::domain_id.eq(domain.0),
                synthetic_budgets::position.eq::<i32>(position),
            )
        })
        .collect();
    diesel::insert_into(synthetic_budgets::table)
        .values(rows)
        .execute(connection)
        .await?;
    kept(connection, domain).await
}

/// A budget that was there before keeps its id, by which tests tell how it stood.
fn keep(budget: &Budget, before: &[Budget]) -> Budget {
    let same = before.iter().find(|known| {
        Budget {
            id: known.id,
            ..budget.clone()
        } == **known
    });
    same.unwrap_or(budget).clone()
}
