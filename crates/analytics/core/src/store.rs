//! The ports: settings, and what the reads ask.

use async_trait::async_trait;
use pharos_domain::{
    credits::Charged,
    identity::DomainAccess,
    ids::UserId,
    page::OffsetRequest,
    settings::{ChangeError, SettingsChange},
    store::StoreError,
    window::DateRange,
};
use time::OffsetDateTime;

use crate::{
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
    settings::{AnalyticsSettings, AnalyticsSite},
    timeseries::Hours,
};

/// The settings of sites.
#[async_trait]
pub trait SiteStore: Send + Sync {
    /// Those of a domain; `None` where nobody has said anything.
    async fn view(&self, domain: &DomainAccess) -> Result<Option<AnalyticsSite>, StoreError>;

    /// Changes them within the transaction of the charge. `change` is given those that stand.
    ///
    /// # Errors
    /// The faults that the change has found, or why it was not settled.
    async fn update(
        &self,
        domain: &Charged<DomainAccess>,
        change: &SettingsChange<'_, AnalyticsSettings>,
        by: UserId,
        now: OffsetDateTime,
    ) -> Result<AnalyticsSite, ChangeError>;
}

/// Reads the figures of visits.
#[async_trait]
pub trait VisitStore: Send + Sync {
    /// Sessions and revenue by day. `windows` are at most two; days between them may be among the answer. Revenue is of orders
    /// in `currency`, or that name none.
    async fn overview(
        &self,
        domain: &DomainAccess,
        windows: &[DateRange],
        filters: &Filters,
        currency: &str,
    ) -> Result<Overview, StoreError>;

    /// Sessions and revenue by the hour, of few days.
    async fn hours(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        filters: &Filters,
        currency: &str,
    ) -> Result<Hours, StoreError>;

    /// The pages that were viewed.
    async fn pages(&self, domain: &DomainAccess, query: &PagesQuery<'_>) -> Result<Pages, StoreError>;

    /// The totals of a window's sessions by each of some groupings.
    async fn breakdowns(
        &self,
        domain: &DomainAccess,
        query: &BreakdownQuery<'_>,
        groupings: &[Grouping],
    ) -> Result<Breakdowns, StoreError>;

    /// The figures since a moment, a whole minute.
    async fn realtime(&self, domain: &DomainAccess, since: OffsetDateTime) -> Result<Realtime, StoreError>;
}

/// Reads the actions of sessions: events, links, downloads, searches.
#[async_trait]
pub trait ActionStore: Send + Sync {
    /// A page of the list of what was done.
    async fn actions(&self, domain: &DomainAccess, query: &ActionsQuery<'_>) -> Result<Actions, StoreError>;

    /// The properties of an event.
    async fn properties(
        &self,
        domain: &DomainAccess,
        query: &PropertiesQuery<'_>,
    ) -> Result<Properties, StoreError>;
}

/// Reads the sales.
#[async_trait]
pub trait CommerceStore: Send + Sync {
    /// The sales and sessions of days. `windows` are at most two; days between them may be among the answer.
    async fn sales(
        &self,
        domain: &DomainAccess,
        windows: &[DateRange],
        currency: &str,
    ) -> Result<SalesByDay, StoreError>;

    /// The sales of the hours of few days in which there were any, in order.
    async fn sales_by_hour(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        currency: &str,
    ) -> Result<Vec<(OffsetDateTime, Sales)>, StoreError>;

    /// The sales by channel.
    async fn sales_by_channel(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        currency: &str,
    ) -> Result<SalesByChannel, StoreError>;

    /// The sales by product: a page of them.
    async fn sales_by_product(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        currency: &str,
        page: OffsetRequest,
    ) -> Result<SalesByProduct, StoreError>;
}

/// Which ways visitors take.
#[async_trait]
pub trait PathStore: Send + Sync {
    /// How many sessions take steps one after the other.
    async fn funnel(&self, domain: &DomainAccess, query: &FunnelQuery<'_>) -> Result<Funnel, StoreError>;

    /// The ways through a site that the most sessions took.
    async fn journeys(
        &self,
        domain: &DomainAccess,
        query: &JourneysQuery<'_>,
    ) -> Result<Journeys, StoreError>;

    /// How many of those whom the site identifies come back.
    async fn returns(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        filters: &Filters,
        granularity: RetentionGranularity,
    ) -> Result<Returns, StoreError>;
}
