//! Reads of the causes of metrics.

use async_trait::async_trait;
use diesel::sql_types::{Array, BigInt, Double, Text};
use pharos_domain::{
    collect::view::{Interaction, InvokerType, LoadState, Subpart},
    identity::DomainAccess,
    store::StoreError,
};
use pharos_persistence::sql;
use pharos_vitals::{
    causes::{
        VitalsCauses,
        cls::ClsElement,
        inp::{InpElement, InpReport, InpScript, ToldScript},
        lcp::{LcpElement, LcpReport, PaintKind},
        ttfb::TtfbReport,
    },
    chosen::{ChosenViews, DeviceName, Ranked},
    metric::Metric,
};

use super::{
    PgVitalsReads,
    chosen::{ROWS_READ, chosen, names, ranked, report},
};

#[async_trait]
impl VitalsCauses for PgVitalsReads {
    async fn lcp(&self, domain: &DomainAccess, views: &ChosenViews) -> Result<LcpReport, StoreError> {
        let query = chosen!(sql!("lcp.sql"), domain, views)
            .bind::<Array<Text>, _>(names!(PaintKind))
            .bind::<Array<Text>, _>(names!(DeviceName));
        report!(self, query, "largest paints")
    }

    async fn lcp_elements(
        &self,
        domain: &DomainAccess,
        views: &ChosenViews,
    ) -> Result<Ranked<LcpElement>, StoreError> {
        let query = chosen!(sql!("lcp_elements.sql"), domain, views)
            .bind::<BigInt, _>(ROWS_READ)
            .bind::<Array<Text>, _>(names!(PaintKind));
        ranked!(self, query, "elements of largest paints")
    }

    async fn inp(&self, domain: &DomainAccess, views: &ChosenViews) -> Result<InpReport, StoreError> {
        let query = chosen!(sql!("inp.sql"), domain, views)
            .bind::<Array<Text>, _>(names!(Interaction))
            .bind::<Array<Text>, _>(names!(LoadState));
        report!(self, query, "slowest interactions")
    }

    async fn inp_elements(
        &self,
        domain: &DomainAccess,
        views: &ChosenViews,
    ) -> Result<Ranked<InpElement>, StoreError> {
        let bands = Metric::Inp.bands();
        let query = chosen!(sql!("inp_elements.sql"), domain, views)
            .bind::<BigInt, _>(ROWS_READ)
            .bind::<Double, _>(bands.good)
            .bind::<Double, _>(bands.poor)
            .bind::<Array<Text>, _>(names!(Interaction))
            .bind::<Array<Text>, _>(names!(LoadState));
        ranked!(self, query, "elements of slowest interactions")
    }

    async fn inp_scripts(
        &self,
        domain: &DomainAccess,
        views: &ChosenViews,
    ) -> Result<Ranked<InpScript>, StoreError> {
        let query = chosen!(sql!("inp_scripts.sql"), domain, views)
            .bind::<BigInt, _>(ROWS_READ)
            .bind::<Double, _>(Metric::Inp.bands().good)
            .bind::<Array<Text>, _>(names!(InvokerType))
            .bind::<Array<Text>, _>(names!(Subpart));
        let told: Result<Ranked<ToldScript>, StoreError> =
            ranked!(self, query, "scripts of slowest interactions");
        Ok(told?.map(InpScript::from))
    }

    async fn cls_elements(
        &self,
        domain: &DomainAccess,
        views: &ChosenViews,
    ) -> Result<Ranked<ClsElement>, StoreError> {
        let query = chosen!(sql!("cls_elements.sql"), domain, views)
            .bind::<BigInt, _>(ROWS_READ)
            .bind::<Array<Text>, _>(names!(LoadState));
        ranked!(self, query, "elements that moved")
    }

    async fn ttfb(&self, domain: &DomainAccess, views: &ChosenViews) -> Result<TtfbReport, StoreError> {
        let query = chosen!(sql!("ttfb.sql"), domain, views);
        report!(self, query, "times to first byte")
    }
}
