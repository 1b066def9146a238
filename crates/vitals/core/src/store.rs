//! The ports.

use async_trait::async_trait;
use pharos_domain::{
    credits::Charged,
    identity::DomainAccess,
    ids::UserId,
    settings::{ChangeError, SettingsChange},
    store::StoreError,
    window::DateRange,
};
use time::OffsetDateTime;

use crate::{
    overview::{SiteFigures, ViewFilter},
    settings::{VitalsSettings, VitalsSite},
};

/// Keeps the settings of sites.
#[async_trait]
pub trait VitalsSites: Send + Sync {
    /// The settings of a domain; `None` where nobody has said anything.
    async fn view(&self, domain: &DomainAccess) -> Result<Option<VitalsSite>, StoreError>;

    /// Changes them. `change` makes the new settings out of the present ones, and may be called again.
    ///
    /// # Errors
    /// The faults that `change` finds; then nothing has changed.
    async fn update(
        &self,
        domain: &Charged<DomainAccess>,
        change: &SettingsChange<'_, VitalsSettings>,
        by: UserId,
        now: OffsetDateTime,
    ) -> Result<VitalsSite, ChangeError>;
}

/// The views that were received of a domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// When the first view began.
    pub first_at: OffsetDateTime,
    /// When the last did, to within a minute.
    pub last_at: OffsetDateTime,
    /// How many views began within the 24 hours that were requested.
    pub views_of_a_day: u64,
    /// The version of the script that measured the last of them, to within a minute; `None` where no beacon told one.
    pub beacon_version: Option<String>,
}

/// Reads what views told of a site.
#[async_trait]
pub trait VitalsReads: Send + Sync {
    /// The views that were received of a domain until `now`; `None`: nothing ever was.
    async fn received(
        &self,
        domain: &DomainAccess,
        now: OffsetDateTime,
    ) -> Result<Option<Received>, StoreError>;

    /// The figures of the views of days, with the percentile `percent` of each metric, computed as [`ViewFilter::method`]
    /// says.
    async fn figures(
        &self,
        domain: &DomainAccess,
        days: DateRange,
        filter: &ViewFilter,
        percent: u8,
    ) -> Result<SiteFigures, StoreError>;
}
