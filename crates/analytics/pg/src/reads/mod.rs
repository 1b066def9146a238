//! Reads of visits: from roll-ups for closed days, and raw for the time after them.

mod actions;
mod alert_metrics;
mod breakdown;
mod converted;
pub(crate) mod filters;
mod hours;
mod overview;
mod pages;
mod paths;
mod properties;
mod realtime;
mod sales;
mod titles;
mod visited;

use async_trait::async_trait;
use pharos_analytics::{
    actions::{Actions, ActionsQuery},
    breakdown::{BreakdownQuery, Breakdowns, Grouping},
    commerce::{Sales, SalesByChannel, SalesByDay, SalesByProduct},
    filter::Filters,
    funnel::{Funnel, FunnelQuery},
    overview::Overview,
    pages::{Pages, PagesQuery},
    paths::{Journeys, JourneysQuery, RetentionGranularity, Returns},
    properties::{Properties, PropertiesQuery},
    realtime::Realtime,
    store::{ActionStore, CommerceStore, PathStore, VisitStore},
    timeseries::Hours,
};
use pharos_domain::{identity::DomainAccess, page::OffsetRequest, store::StoreError, window::DateRange};
use pharos_persistence::pool::Database;
use time::OffsetDateTime;

/// Reads of visits, in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgVisitStore {
    database: Database,
}

impl PgVisitStore {
    /// The visits of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[async_trait]
impl VisitStore for PgVisitStore {
    async fn overview(
        &self,
        domain: &DomainAccess,
        windows: &[DateRange],
        filters: &Filters,
        currency: &str,
    ) -> Result<Overview, StoreError> {
        overview::read(&self.database, domain.id(), windows, filters, currency).await
    }

    async fn hours(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        filters: &Filters,
        currency: &str,
    ) -> Result<Hours, StoreError> {
        hours::read(&self.database, domain.id(), window, filters, currency).await
    }

    async fn pages(&self, domain: &DomainAccess, query: &PagesQuery<'_>) -> Result<Pages, StoreError> {
        pages::read(&self.database, domain.id(), query).await
    }

    async fn breakdowns(
        &self,
        domain: &DomainAccess,
        query: &BreakdownQuery<'_>,
        groupings: &[Grouping],
    ) -> Result<Breakdowns, StoreError> {
        breakdown::read(&self.database, domain.id(), query, groupings).await
    }

    async fn realtime(&self, domain: &DomainAccess, since: OffsetDateTime) -> Result<Realtime, StoreError> {
        realtime::read(&self.database, domain, since).await
    }
}

#[async_trait]
impl ActionStore for PgVisitStore {
    async fn actions(&self, domain: &DomainAccess, query: &ActionsQuery<'_>) -> Result<Actions, StoreError> {
        actions::read(&self.database, domain.id(), query).await
    }

    async fn properties(
        &self,
        domain: &DomainAccess,
        query: &PropertiesQuery<'_>,
    ) -> Result<Properties, StoreError> {
        properties::read(&self.database, domain.id(), query).await
    }
}

#[async_trait]
impl CommerceStore for PgVisitStore {
    async fn sales(
        &self,
        domain: &DomainAccess,
        windows: &[DateRange],
        currency: &str,
    ) -> Result<SalesByDay, StoreError> {
        sales::read(&self.database, domain.id(), windows, currency).await
    }

    async fn sales_by_hour(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        currency: &str,
    ) -> Result<Vec<(OffsetDateTime, Sales)>, StoreError> {
        sales::by_hour(&self.database, domain.id(), window, currency).await
    }

    async fn sales_by_channel(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        currency: &str,
    ) -> Result<SalesByChannel, StoreError> {
        sales::by_channel(&self.database, domain.id(), window, currency).await
    }

    async fn sales_by_product(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        currency: &str,
        page: OffsetRequest,
    ) -> Result<SalesByProduct, StoreError> {
        sales::by_product(&self.database, domain.id(), window, currency, page).await
    }
}

#[async_trait]
impl PathStore for PgVisitStore {
    async fn funnel(&self, domain: &DomainAccess, query: &FunnelQuery<'_>) -> Result<Funnel, StoreError> {
        paths::funnel(&self.database, domain.id(), query).await
    }

    async fn journeys(
        &self,
        domain: &DomainAccess,
        query: &JourneysQuery<'_>,
    ) -> Result<Journeys, StoreError> {
        paths::journeys(&self.database, domain.id(), query).await
    }

    async fn returns(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        filters: &Filters,
        granularity: RetentionGranularity,
    ) -> Result<Returns, StoreError> {
        paths::returns(&self.database, domain.id(), window, filters, granularity).await
    }
}
