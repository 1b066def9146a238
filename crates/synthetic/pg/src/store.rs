//! The lab of a domain in PostgreSQL.

use async_trait::async_trait;
use pharos_domain::{
    credits::{Answering, Charged, Keyed, SettleError},
    identity::DomainAccess,
    ids::{RunId, SyntheticUrlId},
    page::{Page, PageRequest},
    runs::{NewRun, Run},
    settings::ChangeError,
    store::StoreError,
};
use pharos_persistence::pool::Database;
use pharos_synthetic::{
    budget::{Budget, KeptBudget},
    page::TrackedPage,
    profile::Profile,
    result::{AuditRow, Filmstrip, Opportunity, Resource, ThirdParty},
    run::LabRun,
    series::{EngineChange, Point, SeriesQuery},
    store::{BudgetsChange, LabStore, NewPage, PageChange, RunCounts, RunFilter, Standing},
};
use time::OffsetDateTime;

use crate::{budgets, pages, runs, standings};

/// The lab in PostgreSQL.
#[derive(Clone, Debug)]
pub(crate) struct PgLabStore {
    pub(crate) database: Database,
}

impl PgLabStore {
    /// The lab of `database`.
    #[must_use]
    pub(crate) fn new(database: Database) -> Self {
        Self { database }
    }
}

#[async_trait]
impl LabStore for PgLabStore {
    async fn pages(&self, domain: &DomainAccess) -> Result<Vec<TrackedPage>, StoreError> {
        pages::list(&self.database, domain.id()).await
    }

    async fn page(
        &self,
        domain: &DomainAccess,
        id: SyntheticUrlId,
    ) -> Result<Option<TrackedPage>, StoreError> {
        pages::one(&self.database, domain.id(), id).await
    }

    async fn track(
        &self,
        domain: &Charged<DomainAccess>,
        page: &NewPage,
        now: OffsetDateTime,
    ) -> Result<TrackedPage, ChangeError> {
        pages::track(&self.database, domain, page, now).await
    }

    async fn change(
        &self,
        domain: &Charged<DomainAccess>,
        id: SyntheticUrlId,
        change: &PageChange<'_>,
        now: OffsetDateTime,
    ) -> Result<Option<TrackedPage>, ChangeError> {
        pages::change(&self.database, domain, id, change, now).await
    }

    async fn untrack(
        &self,
        domain: &Charged<DomainAccess>,
        id: SyntheticUrlId,
        now: OffsetDateTime,
    ) -> Result<bool, SettleError> {
        pages::untrack(&self.database, domain, id, now).await
    }

    async fn request(
        &self,
        domain: &Keyed<DomainAccess>,
        new: &NewRun,
        page: &TrackedPage,
        profile: &Profile,
        answer: &Answering<'_, Run>,
    ) -> Result<Run, ChangeError> {
        runs::request(&self.database, domain, new, page, profile, answer).await
    }

    async fn is_configured(&self, domain: &DomainAccess) -> Result<bool, StoreError> {
        pages::is_configured(&self.database, domain.id()).await
    }

    async fn runs(
        &self,
        domain: &DomainAccess,
        filter: &RunFilter,
        page: &PageRequest,
    ) -> Result<Page<LabRun>, StoreError> {
        runs::list(&self.database, domain.id(), filter, page).await
    }

    async fn run(&self, domain: &DomainAccess, id: RunId) -> Result<Option<LabRun>, StoreError> {
        runs::one(&self.database, domain.id(), id).await
    }

    async fn audits(&self, run: &LabRun) -> Result<Vec<AuditRow>, StoreError> {
        runs::audits(&self.database, run.id).await
    }

    async fn opportunities(&self, run: &LabRun) -> Result<Vec<Opportunity>, StoreError> {
        runs::opportunities(&self.database, run.id).await
    }

    async fn resources(&self, run: &LabRun) -> Result<Vec<Resource>, StoreError> {
        runs::resources(&self.database, run.id).await
    }

    async fn third_parties(&self, run: &LabRun) -> Result<Vec<ThirdParty>, StoreError> {
        runs::third_parties(&self.database, run.id).await
    }

    async fn filmstrip(&self, run: &LabRun) -> Result<Filmstrip, StoreError> {
        runs::filmstrip(&self.database, run.id).await
    }

    async fn standings(
        &self,
        domain: &DomainAccess,
        at: OffsetDateTime,
    ) -> Result<Vec<Standing>, StoreError> {
        standings::standings(&self.database, domain.id(), at).await
    }

    async fn counts(&self, domain: &DomainAccess, since: OffsetDateTime) -> Result<RunCounts, StoreError> {
        standings::counts(&self.database, domain.id(), since).await
    }

    async fn series(&self, domain: &DomainAccess, query: &SeriesQuery<'_>) -> Result<Vec<Point>, StoreError> {
        standings::series(&self.database, domain.id(), query).await
    }

    async fn engine_changes(
        &self,
        domain: &DomainAccess,
        query: &SeriesQuery<'_>,
    ) -> Result<Vec<EngineChange>, StoreError> {
        standings::engine_changes(&self.database, domain.id(), query).await
    }

    async fn budgets(&self, domain: &DomainAccess) -> Result<Vec<KeptBudget>, StoreError> {
        budgets::list(&self.database, domain.id()).await
    }

    async fn replace_budgets(
        &self,
        domain: &Charged<DomainAccess>,
        budgets: &[Budget],
    ) -> Result<Vec<KeptBudget>, SettleError> {
        budgets::replace(&self.database, domain, budgets).await
    }

    async fn change_budgets(
        &self,
        domain: &Charged<DomainAccess>,
        change: &BudgetsChange<'_>,
    ) -> Result<Vec<KeptBudget>, ChangeError> {
        budgets::change(&self.database, domain, change).await
    }
}
