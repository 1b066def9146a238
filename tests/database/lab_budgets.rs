//! Budgets of lab tests whose pages go.

use std::sync::Arc;

use pharos_domain::ids::{SyntheticBudgetId, SyntheticUrlId};
use pharos_server::groups::ports;
use pharos_synthetic::{
    budget::{Budget, BudgetDirection, BudgetMetric},
    page::PageSettings,
    store::{LabStore, NewPage, SealedSecrets},
};

use crate::harness::{Fixture, NOW, charged};

/// Whoever sets budgets has seen the page, and somebody else lets it go before they are stored.
#[tokio::test]
async fn a_page_that_is_let_go_meanwhile_has_no_budget() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let lab: Arc<dyn LabStore> = ports(&fixture.database).get().unwrap();
    let [stays, goes] = [SyntheticUrlId::generate(), SyntheticUrlId::generate()];
    for id in [stays, goes] {
        let page = NewPage {
            id,
            settings: PageSettings::of(format!("https://ada.example/{id}")),
            secrets: SealedSecrets::default(),
            next_run_at: None,
        };
        lab.track(&charged(&access, 1, NOW), &page, NOW).await.unwrap();
    }
    assert!(lab.untrack(&charged(&access, 1, NOW), goes, NOW).await.unwrap());
    let budgets = [Some(goes), Some(stays), None].map(|url_id| Budget {
        id: SyntheticBudgetId::generate(),
        url_id,
        profile_id: None,
        metric: BudgetMetric::LcpMs,
        limit: 2_500.0,
        direction: BudgetDirection::Max,
    });
    let kept = lab.replace_budgets(&charged(&access, 1, NOW), &budgets).await;
    let of: Vec<_> = kept.unwrap().iter().map(|kept| kept.budget.url_id).collect();
    assert_eq!(of, [Some(stays), None]);
}
