//! Pages whose paths are longer than is kept of them are asked for by the whole of them.

use pharos_analytics::{
    experiments::{Design, ExperimentDraft, ExperimentMethod, ExperimentMetric, ExperimentStore},
    filter::Filters,
    filter_texts::FilterTexts,
    funnel::{FunnelQuery, FunnelStep},
    page_path::page_path,
    paths::{JourneysQuery, USUAL_DEPTH},
    store::{PathStore, VisitStore},
};
use pharos_analytics_pg::{collect::PgEventStore, reads::PgVisitStore};
use pharos_domain::{
    collect::{BeaconStore, LONGEST_PATH, event::Action},
    window::DateRange,
};

use super::collect::beacon;
use crate::harness::{Fixture, NOW};

/// A path that is longer than what is kept of it, and no longer than a page of an experiment may be.
fn long() -> String {
    format!("/{}", "a".repeat(LONGEST_PATH + 100))
}

#[tokio::test]
async fn a_page_with_a_path_longer_than_is_kept_is_found_by_its_whole_path() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let store = PgEventStore::new(fixture.database.clone());
    let long = long();
    // Collection keeps no more.
    let kept = &long[..LONGEST_PATH];
    let view = |visitor, minutes, path| beacon(home.domain, visitor, minutes, path, Action::PageView);
    store
        .store(&[view(1, 0, kept), view(1, 1, "/"), view(2, 0, "/")])
        .await
        .unwrap();
    let visits = PgVisitStore::new(fixture.database.clone());
    let window = DateRange::ending(NOW.date(), 1);
    // The list of pages has what is kept, by which the page is found, too.
    for page in [long.as_str(), kept, &format!("https://ada.example{long}")] {
        let filters = Filters::from(FilterTexts {
            page: Some(page.to_owned()),
            ..FilterTexts::default()
        });
        let found = visits
            .overview(&access, &[window], &filters, "EUR")
            .await
            .unwrap();
        let totals = found.totals(window);
        assert_eq!((totals.sessions, totals.pageviews), (1, 2), "{}", page.len());
    }
    let all = Filters::default();
    let steps: Vec<FunnelStep> = [format!("page:{long}"), "page:/".to_owned()]
        .iter()
        .map(|step| step.parse().unwrap())
        .collect();
    let query = FunnelQuery {
        window,
        filters: &all,
        steps: &steps,
    };
    let funnel = visits.funnel(&access, &query).await.unwrap();
    let reached: Vec<u64> = funnel.steps.iter().map(|step| step.sessions).collect();
    assert_eq!(reached, [1, 1]);
    let start = page_path(&long);
    let query = JourneysQuery {
        window,
        filters: &all,
        depth: USUAL_DEPTH,
        start: Some(&start),
    };
    let journeys = visits.journeys(&access, &query).await.unwrap();
    assert_eq!(journeys.journeys.len(), 1);
    assert_eq!(journeys.journeys[0].path, [kept, "/"]);
}

#[tokio::test]
async fn a_page_with_a_path_longer_than_is_kept_can_be_a_page_of_an_experiment() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let store = PgEventStore::new(fixture.database.clone());
    let long = long();
    let viewed = beacon(home.domain, 1, 0, &long[..LONGEST_PATH], Action::PageView);
    store.store(&[viewed]).await.unwrap();
    let today = NOW.date();
    let before = today.previous_day().unwrap();
    let draft = ExperimentDraft {
        name: "A long path".to_owned(),
        hypothesis: None,
        design: Design {
            method: ExperimentMethod::MannWhitney,
            metric: ExperimentMetric::Visitors,
            control_urls: Vec::new(),
            variant_urls: vec![long.clone()],
            pre_start: Some(before),
            pre_end: before,
            post_start: today,
            post_end: Some(today),
        },
    };
    let design = draft.settings(&"ada.example".parse().unwrap()).unwrap().design;
    assert_eq!(design.variant_urls, [long], "the page is shown as it was given");
    let experiments = fixture.stores.ports.get::<dyn ExperimentStore>().unwrap();
    let panel = experiments.panel(&access, &design).await.unwrap();
    let window = DateRange::ending(today, 1);
    let visitors = panel.values(ExperimentMetric::Visitors, true, Some(0), window);
    assert_eq!(visitors, [Some(1.0)]);
}
