//! Which experiments began, for those who show it beside their figures.

use async_trait::async_trait;
use diesel::{ExpressionMethods, QueryDsl};
use diesel_async::RunQueryDsl;
use pharos_analytics::experiments::ExperimentStatus;
use pharos_domain::{
    experiments::{BegunExperiment, BegunExperiments},
    identity::DomainAccess,
    store::StoreError,
    window::DateRange,
};
use pharos_persistence::failure::failure;
use time::Date;

use super::PgExperimentStore;
use crate::schema::analytics_experiments;

#[async_trait]
impl BegunExperiments for PgExperimentStore {
    async fn begun(
        &self,
        domain: &DomainAccess,
        window: DateRange,
    ) -> Result<Vec<BegunExperiment>, StoreError> {
        let reader = self.database.reader().await?;
        let rows: Vec<(Date, String)> = analytics_experiments::table
            .filter(analytics_experiments::domain_id.eq(domain.id().0))
            .filter(analytics_experiments::post_start.between(window.first(), window.last()))
            .filter(analytics_experiments::status.ne(ExperimentStatus::Draft.as_str()))
            .order((analytics_experiments::post_start, analytics_experiments::id))
            .select((analytics_experiments::post_start, analytics_experiments::name))
            .load(&mut &*reader)
            .await
            .map_err(failure)?;
        Ok(rows
            .into_iter()
            .map(|(date, name)| BegunExperiment { date, name })
            .collect())
    }
}
