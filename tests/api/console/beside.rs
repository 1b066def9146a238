//! The table of pages as Chrome, their visitors and the lab see them.

use pharos_domain::{collect::client::Device, role::Role};

use super::modules::grouped;
use crate::{crux, harness::TestApp, rum, synthetic};

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_shown_as_chrome_its_visitors_and_the_lab_see_it() {
    let app = TestApp::start().await;
    crux::follows(&app, &["https://shop.example/shoes", "https://shop.example/hats"]).await;
    let mut seen = rum::view(1, app.now());
    seen.path = "/shoes".to_owned();
    seen.lcp_ms = Some(1_234.0);
    let mut elsewhere = seen.clone();
    elsewhere.load = pharos_domain::collect::PageLoadId(2);
    elsewhere.lcp_ms = Some(4_321.0);
    rum::store(&app, [(Device::Mobile, seen), (Device::Desktop, elsewhere)]).await;
    let tested = synthetic::track(&app, "shoes").await;
    synthetic::measured(&app, &tested, synthetic::SHOP).await;
    let rows = app.sql("SELECT figures ->> 'lcp_ms' FROM synthetic_runs").await;
    let lab: f64 = rows[0][0].as_ref().unwrap().parse().unwrap();

    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let page = viewer
        .get(&format!("/console/domains/{}/crux", app.world.domain))
        .await;
    page.is(200)
        .says("Beside each other")
        .says("<dt>LCP, all devices</dt>")
        .says("<dt>INP, desktop</dt>")
        .says("<dt>CLS, desktop</dt>")
        .says("the periods of the report, whatever the days of other pages");
    let text = page.text();
    let beside = text.split("Beside each other").nth(1).unwrap();
    for told in [
        "https://shop.example/shoes".to_owned(),
        "2,900 ms".to_owned(),
        "1,234 ms".to_owned(),
        format!("{} ms", grouped(format!("{lab:.0}").parse().unwrap())),
    ] {
        assert!(beside.contains(&told), "{told} is not in {beside}");
    }
    assert!(!beside.contains("4,321"), "computers are not phones");
    assert!(
        !beside.contains("https://shop.example/hats"),
        "Chrome alone knows of it"
    );
}
