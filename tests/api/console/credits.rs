//! Plan and credits: what a cycle has, and the calls that were paid for.

use crate::harness::TestApp;

#[tokio::test]
async fn the_cycle_and_its_calls_stand_on_one_page() {
    let app = TestApp::start().await;
    app.grant(12_345).await;
    for _ in 0..60 {
        app.get("/domains", &app.world.key).send_unchecked().await;
    }
    app.reaches("(SELECT count(*) FROM credit_log) = 60").await;
    let used = app
        .sql("SELECT coalesce(sum(cost), 0)::text FROM credit_log")
        .await;
    let used: u64 = used[0][0].as_ref().unwrap().parse().unwrap();
    let mut browser = app.signed_in(app.world.owner).await;
    let path = app.of_workspace("credits");
    let page = browser.get(&path).await;
    page.is(200)
        .says("12,345")
        .says(&format!("<strong>{used}</strong>"))
        .says("no limit");
    let rows = |page: &super::browser::Page| page.text().matches("listDomains").count();
    assert_eq!(rows(&page), 50);
    let next = page.link(&format!("{path}?cursor="));
    let second = browser.get(&next).await;
    assert_eq!(rows(second.is(200)), 10);
    browser.get(&format!("{path}?cursor=x")).await.is(404);
    let ada = app.person("ada@example.org").await;
    app.signed_in(ada).await.get(&path).await.is(404);
}
