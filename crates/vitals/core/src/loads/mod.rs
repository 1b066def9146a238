//! The resources that views loaded, and the long tasks that kept them busy.

pub mod long_tasks;
pub mod requests;
pub mod resources;
pub mod third_parties;

use async_trait::async_trait;
use pharos_domain::{identity::DomainAccess, store::StoreError};

use self::{
    long_tasks::{LongTaskGrouping, LongTasks},
    requests::RequestFigures,
    resources::{ResourceFigures, ResourceGrouping},
    third_parties::ThirdParty,
};
use crate::chosen::{ChosenViews, Ranked};

/// Reads what views loaded, and what kept them busy.
#[async_trait]
pub trait VitalsLoads: Send + Sync {
    /// Resources, those of most requests first.
    async fn resources(
        &self,
        domain: &DomainAccess,
        views: &ChosenViews,
        by: ResourceGrouping,
    ) -> Result<Ranked<ResourceFigures>, StoreError>;

    /// Requests of scripts, the most frequent first.
    async fn requests(
        &self,
        domain: &DomainAccess,
        views: &ChosenViews,
    ) -> Result<Ranked<RequestFigures>, StoreError>;

    /// Third parties, those of most requests first.
    async fn third_parties(
        &self,
        domain: &DomainAccess,
        views: &ChosenViews,
    ) -> Result<Ranked<ThirdParty>, StoreError>;

    /// Long tasks and long animation frames, those that took most in all first.
    async fn long_tasks(
        &self,
        domain: &DomainAccess,
        views: &ChosenViews,
        by: LongTaskGrouping,
    ) -> Result<LongTasks, StoreError>;
}
