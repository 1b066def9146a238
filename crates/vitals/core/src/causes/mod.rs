//! The causes of the metrics: parts of them, elements, scripts.

pub mod cls;
pub mod inp;
pub mod lcp;
pub mod ttfb;

use async_trait::async_trait;
use pharos_domain::{identity::DomainAccess, store::StoreError};

use self::{
    cls::ClsElement,
    inp::{InpElement, InpReport, InpScript},
    lcp::{LcpElement, LcpReport},
    ttfb::TtfbReport,
};
use crate::chosen::{ChosenViews, Ranked};

/// Reads what caused the metrics of views. Percentiles are computed from every value.
#[async_trait]
pub trait VitalsCauses: Send + Sync {
    /// The parts of the largest paints.
    async fn lcp(&self, domain: &DomainAccess, views: &ChosenViews) -> Result<LcpReport, StoreError>;

    /// The elements that were largest paints, those of most views first.
    async fn lcp_elements(
        &self,
        domain: &DomainAccess,
        views: &ChosenViews,
    ) -> Result<Ranked<LcpElement>, StoreError>;

    /// The parts of the slowest interactions.
    async fn inp(&self, domain: &DomainAccess, views: &ChosenViews) -> Result<InpReport, StoreError>;

    /// The elements that were interacted with, those with most slow interactions first.
    async fn inp_elements(
        &self,
        domain: &DomainAccess,
        views: &ChosenViews,
    ) -> Result<Ranked<InpElement>, StoreError>;

    /// The scripts that took longest within slow interactions, those that took most in all first.
    async fn inp_scripts(
        &self,
        domain: &DomainAccess,
        views: &ChosenViews,
    ) -> Result<Ranked<InpScript>, StoreError>;

    /// The elements that moved, those that moved most in all first.
    async fn cls_elements(
        &self,
        domain: &DomainAccess,
        views: &ChosenViews,
    ) -> Result<Ranked<ClsElement>, StoreError>;

    /// The parts of the times to first byte.
    async fn ttfb(&self, domain: &DomainAccess, views: &ChosenViews) -> Result<TtfbReport, StoreError>;
}
