//! Plans.

use std::collections::BTreeMap;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, JoinOnDsl, NullableExpressionMethods, QueryDsl, QueryResult, SelectableHelper,
    prelude::{AsChangeset, Insertable, Queryable, Selectable},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_account::admin::{
    AdminError,
    plans::{self as rules, Plan, PlanAdmin},
};
use pharos_domain::{audit::Actor, module::Module, quota::QuotaResource, store::StoreError};
use pharos_persistence::{
    audit::{self, By},
    failure::{Abort, failure},
    names,
    pool::Database,
    schema::plans,
};
use serde_json::json;
use time::OffsetDateTime;

use crate::schema::plan_quotas;

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
            quotas: _,
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

impl PlanRow {
    /// A module that only a later version knows is left out.
    fn plan(self, quotas: BTreeMap<QuotaResource, i64>) -> Plan {
        Plan {
            key: self.key,
            name: self.name,
            credits_per_cycle: self.credits_per_cycle,
            modules: names::known(&self.modules),
            quotas,
        }
    }
}

#[derive(Insertable)]
#[diesel(table_name = plan_quotas)]
struct NewQuotaRow<'a> {
    plan_key: &'a str,
    resource: &'static str,
    quota_limit: i64,
}

/// Replaces the quotas of a plan whose row is locked.
async fn put_quotas(connection: &mut AsyncPgConnection, plan: &Plan) -> QueryResult<()> {
    diesel::delete(plan_quotas::table.filter(plan_quotas::plan_key.eq(&plan.key)))
        .execute(connection)
        .await?;
    let rows: Vec<NewQuotaRow<'_>> = plan
        .quotas
        .iter()
        .map(|(resource, limit)| NewQuotaRow {
            plan_key: &plan.key,
            resource: resource.as_str(),
            quota_limit: *limit,
        })
        .collect();
    diesel::insert_into(plan_quotas::table)
        .values(rows)
        .execute(connection)
        .await
        .map(|_| ())
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
                put_quotas(connection, plan).await?;
                let details = json!({
                    "name": row.name,
                    "credits_per_cycle": row.credits_per_cycle,
                    "modules": row.modules,
                    "quotas": plan.quotas,
                });
                audit::record(connection, by, "plan.put", &plan.key, details).await?;
                Ok(row)
            })
            .await
            .map_err(Abort::answer)?;
        drop(connection);
        self.database.await_acknowledgement().await;
        Ok(row.plan(plan.quotas.clone()))
    }

    async fn list(&self) -> Result<Vec<Plan>, StoreError> {
        let mut connection = self.database.connection().await?;
        let quota = (plan_quotas::resource, plan_quotas::quota_limit);
        let rows: Vec<(PlanRow, Option<(String, i64)>)> = plans::table
            .left_join(plan_quotas::table.on(plan_quotas::plan_key.eq(plans::key)))
            .order(plans::key.asc())
            .select((PlanRow::as_select(), quota.nullable()))
            .load(&mut connection)
            .await
            .map_err(failure)?;
        let mut listed: Vec<Plan> = Vec::new();
        for (row, quota) in rows {
            if listed.last().is_none_or(|plan| plan.key != row.key) {
                listed.push(row.plan(BTreeMap::new()));
            }
            // A resource that only a later version knows is left out, as its modules are.
            if let (Some(plan), Some((resource, limit))) = (listed.last_mut(), quota)
                && let Ok(resource) = resource.parse()
            {
                plan.quotas.insert(resource, limit);
            }
        }
        Ok(listed)
    }
}
