//! The log that was worked out by hand, and its answers.

use std::sync::Arc;

use pharos_domain::{identity::DomainAccess, ports::Ports};
use pharos_vitals::{
    behaviour::BehaviourReads, conformance, errors::VitalsErrors, impact::ImpactReads, pages::PageReads,
    slices::SliceReads, store::VitalsReads, trends::TrendReads,
};
use pharos_vitals_pg::rollups;

use super::store;
use crate::harness::Fixture;

async fn check(ports: &Ports, access: &DomainAccess) {
    let figures: Arc<dyn VitalsReads> = ports.get().unwrap();
    conformance::check_figures(figures.as_ref(), access)
        .await
        .unwrap();
    let trends: Arc<dyn TrendReads> = ports.get().unwrap();
    conformance::check_trends(trends.as_ref(), access).await.unwrap();
    let slices: Arc<dyn SliceReads> = ports.get().unwrap();
    conformance::check_slices(slices.as_ref(), access).await.unwrap();
    let pages: Arc<dyn PageReads> = ports.get().unwrap();
    conformance::check_pages(pages.as_ref(), access).await.unwrap();
    let behaviour: Arc<dyn BehaviourReads> = ports.get().unwrap();
    conformance::check_behaviour(behaviour.as_ref(), access)
        .await
        .unwrap();
    let impact: Arc<dyn ImpactReads> = ports.get().unwrap();
    conformance::check_impact(impact.as_ref(), access).await.unwrap();
    let errors: Arc<dyn VitalsErrors> = ports.get().unwrap();
    conformance::check_errors(errors.as_ref(), access).await.unwrap();
}

/// Whatever is rolled up: nothing, the first day, and both.
#[tokio::test]
async fn answers_are_those_that_were_worked_out_by_hand() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    conformance::tell(store(&fixture).as_ref(), &access)
        .await
        .unwrap();
    check(&fixture.stores.ports, &access).await;
    for now in [conformance::NOW, conformance::NOW + time::Duration::DAY] {
        rollups::roll_up(&fixture.database, home.domain, now)
            .await
            .unwrap();
        check(&fixture.stores.ports, &access).await;
    }
}
