//! Budgets.

use diesel::{
    ExpressionMethods, QueryDsl, SelectableHelper,
    prelude::{Insertable, Queryable, Selectable},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    credits::{Charged, SettleError},
    identity::DomainAccess,
    ids::{DomainId, RunId, SyntheticBudgetId, SyntheticUrlId},
    store::StoreError,
};
use pharos_persistence::{
    failure::{Abort, failure},
    metering::charged::charged,
    pool::Database,
    schema::domains,
};
use pharos_synthetic::budget::{Budget, BudgetResult, KeptBudget};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::synthetic_budgets;

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = synthetic_budgets)]
#[diesel(check_for_backend(diesel::pg::Pg))]
pub(crate) struct BudgetRow {
    id: Uuid,
    url_id: Option<Uuid>,
    profile_id: Option<String>,
    metric: String,
    bound: f64,
    direction: String,
    last_value: Option<f64>,
    last_result: String,
    last_run_id: Option<Uuid>,
}

impl TryFrom<BudgetRow> for KeptBudget {
    type Error = StoreError;

    fn try_from(row: BudgetRow) -> Result<Self, StoreError> {
        Ok(Self {
            budget: Budget {
                id: SyntheticBudgetId(row.id),
                url_id: row.url_id.map(SyntheticUrlId),
                profile_id: row.profile_id,
                metric: row.metric.parse()?,
                limit: row.bound,
                direction: row.direction.parse()?,
            },
            last_value: row.last_value,
            last_result: row.last_result.parse()?,
            last_run_id: row.last_run_id.map(RunId),
        })
    }
}

impl From<&KeptBudget> for BudgetRow {
    fn from(kept: &KeptBudget) -> Self {
        let KeptBudget {
            budget:
                Budget {
                    id,
                    url_id,
                    profile_id,
                    metric,
                    limit,
                    direction,
                },
            last_value,
            last_result,
            last_run_id,
        } = kept;
        Self {
            id: id.0,
            url_id: url_id.map(|page| page.0),
            profile_id: profile_id.clone(),
            metric: metric.as_str().to_owned(),
            bound: *limit,
            direction: direction.as_str().to_owned(),
            last_value: *last_value,
            last_result: last_result.as_str().to_owned(),
            last_run_id: last_run_id.map(|run| run.0),
        }
    }
}

pub(crate) async fn list(database: &Database, domain: DomainId) -> Result<Vec<KeptBudget>, StoreError> {
    let reader = database.reader().await?;
    let rows: Vec<BudgetRow> = synthetic_budgets::table
        .filter(synthetic_budgets::domain_id.eq(domain.0))
        .order(synthetic_budgets::position.asc())
        .select(BudgetRow::as_select())
        .load(&mut &*reader)
        .await
        .map_err(failure)?;
    rows.into_iter().map(KeptBudget::try_from).collect()
}

/// The same in a transaction, locked: the end of a run and a replacement do not get in each other's way.
pub(crate) async fn locked(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
) -> Result<Vec<KeptBudget>, Abort<StoreError>> {
    let rows: Vec<BudgetRow> = synthetic_budgets::table
        .filter(synthetic_budgets::domain_id.eq(domain.0))
        .order(synthetic_budgets::position.asc())
        .for_update()
        .select(BudgetRow::as_select())
        .load(connection)
        .await?;
    rows.into_iter()
        .map(KeptBudget::try_from)
        .collect::<Result<_, _>>()
        .map_err(Abort::Port)
}

pub(crate) async fn replace(
    database: &Database,
    domain: &Charged<DomainAccess>,
    budgets: &[Budget],
) -> Result<Vec<KeptBudget>, SettleError> {
    charged(database, domain.slip(), None, async |connection| {
        put(connection, domain.id(), budgets).await.map_err(Abort::widen)
    })
    .await
}

async fn put(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    budgets: &[Budget],
) -> Result<Vec<KeptBudget>, Abort<StoreError>> {
    // Until the transaction ends nobody else replaces them.
    let _: Option<OffsetDateTime> = domains::table
        .find(domain.0)
        .for_no_key_update()
        .select(domains::deleted_at)
        .first(connection)
        .await?;
    let before = locked(connection, domain).await?;
    let kept: Vec<KeptBudget> = budgets.iter().map(|budget| keep(budget, &before)).collect();
    diesel::delete(synthetic_budgets::table)
        .filter(synthetic_budgets::domain_id.eq(domain.0))
        .execute(connection)
        .await?;
    let rows: Vec<_> = (0..)
        .zip(&kept)
        .map(|(position, kept)| {
            (
                BudgetRow::from(kept),
                synthetic_budgets::domain_id.eq(domain.0),
                synthetic_budgets::position.eq::<i32>(position),
            )
        })
        .collect();
    diesel::insert_into(synthetic_budgets::table)
        .values(rows)
        .execute(connection)
        .await?;
    Ok(kept)
}

/// A budget that was there before keeps its id, and what became of it.
fn keep(budget: &Budget, before: &[KeptBudget]) -> KeptBudget {
    let same = before.iter().find(|kept| {
        Budget {
            id: kept.budget.id,
            ..budget.clone()
        } == kept.budget
    });
    same.cloned().unwrap_or_else(|| KeptBudget {
        budget: budget.clone(),
        last_value: None,
        last_result: BudgetResult::Unknown,
        last_run_id: None,
    })
}
