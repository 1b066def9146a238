//! The table of pages that hold visitors up, with the elements to blame.

use pharos_domain::{
    collect::{
        client::Device,
        view::{Element, View},
    },
    role::Role,
};
use serde_json::json;
use time::Duration;

use crate::{harness::TestApp, rum};

fn named(selector: &str) -> Element {
    Element {
        selector: Some(selector.to_owned()),
        ..Element::default()
    }
}

fn of_page(app: &TestApp, load: i64, path: &str) -> View {
    let mut view = rum::view(load, app.now() - Duration::DAY);
    view.path = path.to_owned();
    view
}

#[tokio::test(flavor = "multi_thread")]
async fn the_worst_pages_are_shown_with_the_elements_to_blame() {
    let app = TestApp::start().await;
    app.put(&rum::path(&app, "config"), &app.world.key, &json!({}))
        .send()
        .await
        .ok();
    let mut painted = of_page(&app, 1, "/shoes");
    painted.lcp_ms = Some(4_321.0);
    painted.cause.lcp.element = named("main>img.hero");
    painted.cause.lcp.ttfb_ms = Some(4_000.0);
    let mut clicked = of_page(&app, 2, "/cart");
    clicked.inp_ms = Some(777.0);
    clicked.cause.inp.element = named("button.buy");
    let mut moved = of_page(&app, 3, "/hats");
    moved.cls = Some(0.432);
    moved.cause.cls.element = named("aside.banner");
    moved.cause.cls.shift = Some(0.432);
    let good = of_page(&app, 4, "/calm");
    rum::store(
        &app,
        [painted, clicked, moved, good].map(|view| (Device::Mobile, view)),
    )
    .await;

    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let page = viewer
        .get(&format!("/console/domains/{}/rum", app.world.domain))
        .await;
    page.is(200).says("What to mend first");
    let text = page.text();
    let worst = text.split("What to mend first").nth(1).unwrap();
    for (path, value, element) in [
        ("/shoes", "4,321 ms", "main&gt;img.hero"),
        ("/cart", "777 ms", "button.buy"),
        ("/hats", "0.432", "aside.banner"),
    ] {
        let row = worst
            .split("<tr")
            .find(|row| row.contains(&format!("https://shop.example{path}<")))
            .unwrap_or_else(|| panic!("{path} is not in {worst}"));
        assert!(row.contains(value) && row.contains(element), "{row}");
    }
    assert!(worst.contains("the server"), "most of that paint was its");
    assert!(!worst.contains("https://shop.example/calm"), "it is good");
}
