//! Plans.

use std::collections::BTreeMap;

use async_trait::async_trait;
use pharos_domain::{audit::Actor, module::Module, quota::QuotaResource, store::StoreError};
use serde::Serialize;
use time::OffsetDateTime;

use super::AdminError;

/// A plan. The plan `default` is there from the start: 1,000,000 credits a cycle, every module, no quota.
#[derive(Clone, Debug, Serialize)]
pub struct Plan {
    /// Its key: lower-case letters, digits, hyphens.
    pub key: String,
    /// The name that callers see.
    pub name: String,
    /// The credits of a monthly cycle.
    pub credits_per_cycle: i64,
    /// Its modules; platform and credits belong to every plan.
    pub modules: Vec<Module>,
    /// Its quotas. A resource that is not named has no limit.
    pub quotas: BTreeMap<QuotaResource, i64>,
}

/// Changes plans.
#[async_trait]
pub trait PlanAdmin: Send + Sync {
    /// Creates a plan, or replaces what it holds.
    async fn put(&self, plan: &Plan, actor: &Actor, now: OffsetDateTime) -> Result<Plan, AdminError>;

    /// All plans, by key.
    async fn list(&self) -> Result<Vec<Plan>, StoreError>;
}

/// Checks a plan before it is stored.
///
/// # Errors
/// [`AdminError::Invalid`].
pub fn check(plan: &Plan) -> Result<(), AdminError> {
    let key_fits = (1..=40).contains(&plan.key.len())
        && plan
            .key
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if !key_fits {
        return Err(AdminError::Invalid(
            "a plan's key has 1 to 40 of a-z, 0-9 and hyphens".to_owned(),
        ));
    }
    if plan.credits_per_cycle < 0 {
        return Err(AdminError::Invalid("a plan's credits are 0 or more".to_owned()));
    }
    if plan.quotas.values().any(|limit| *limit < 0) {
        return Err(AdminError::Invalid("a quota is 0 or more".to_owned()));
    }
    super::check_name("a plan's name", &plan.name).map(|_| ())
}
