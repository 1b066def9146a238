//! Plans.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, QueryDsl, SelectableHelper,
    prelude::{AsChangeset, Insertable, Queryable, Selectable},
};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_account::admin::{
    AdminError,
    plans::{self as rules, Plan, PlanAdmin},
};
use pharos_domain::{audit::Actor, module::Module, store::StoreError};
use serde_json::json;
use time::OffsetDateTime;

use crate::{
    audit::{self, By},
    failure::{Abort, failure},
    names,
    pool::Database,
    schema::plans,
};

/// Plans in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgPlanAdmin {
    database: Database,
}

impl PgPlanAdmin {
    /// The plans of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = plans)]
#[diesel(check_for_backend(diesel::pg::Pg))]
struct PlanRow {
    key: String,
    name: String,
    credits_per_cycle: i64,
    modules: Vec<String>,
}

impl From<&Plan> for PlanRow {
    fn from(plan: &Plan) -> Self {
        let Plan {
            key,
            name,
            credits_per_cycle,
            modules,
        } = plan;
        let mut modules: Vec<Module> = modules.clone();
        modules.retain(|module| !module.is_in_every_plan());
        modules.sort_unstable();
        modules.dedup();
        Self {
            key: key.clone(),
            name: name.trim().to_owned(),
            credits_per_cycle: *credits_per_cycle,
            modules: modules.iter().map(ToString::to_string).collect(),
        }
    }
}

impl TryFrom<PlanRow> for Plan {
    type Error = StoreError;

    fn try_from(row: PlanRow) -> Result<Self, StoreError> {
        let PlanRow {
            key,
            name,
            credits_per_cycle,
            modules,
        } = row;
        Ok(Self {
            key,
            name,
            credits_per_cycle,
            modules: names::all(&modules)?,
        })
    }
}

#[async_trait]
impl PlanAdmin for PgPlanAdmin {
    async fn put(&self, plan: &Plan, actor: &Actor, now: OffsetDateTime) -> Result<Plan, AdminError> {
        rules::check(plan)?;
        let by = By { actor, now };
        let mut connection = self.database.connection().await?;
        let row = connection
            .transaction::<_, Abort<AdminError>, _>(async |connection| {
                let row: PlanRow = diesel::insert_into(plans::table)
                    .values(PlanRow::from(plan))
                    .on_conflict(plans::key)
                    .do_update()
                    .set(PlanRow::from(plan))
                    .returning(PlanRow::as_returning())
                    .get_result(connection)
                    .await?;
                let details = json!({
                    "name": row.name,
                    "credits_per_cycle": row.credits_per_cycle,
                    "modules": row.modules,
                });
                audit::record(connection, by, "plan.put", &plan.key, details).await?;
                Ok(row)
            })
            .await
            .map_err(Abort::answer)?;
        drop(connection);
        self.database.await_acknowledgement().await;
        Ok(row.try_into()?)
    }

    async fn list(&self) -> Result<Vec<Plan>, StoreError> {
        let mut connection = self.database.connection().await?;
        let rows: Vec<PlanRow> = plans::table
            .order(plans::key.asc())
            .select(PlanRow::as_select())
            .load(&mut connection)
            .await
            .map_err(failure)?;
        rows.into_iter().map(Plan::try_from).collect()
    }
}
