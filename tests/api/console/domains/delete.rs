//! Domains that are deleted, restored and erased.

use pharos_domain::ids::DomainId;
use pharos_persistence::pool::Database;
use pharos_server::groups::database_options;
use time::Duration;

use crate::harness::TestApp;

#[tokio::test]
async fn a_domain_is_deleted_by_its_name_and_restored_within_30_days() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let (settings, deleted) = (app.of_domain("/settings"), app.of_workspace("domains/deleted"));
    browser
        .get(&settings)
        .await
        .is(200)
        .says("For 30 days you can restore it");
    for confirm in ["", "shop", "other.example"] {
        browser
            .submit(&settings, &[("do", "delete"), ("confirm", confirm)])
            .await
            .is(400)
            .says("Nothing was deleted");
    }
    browser.submit(&settings, &[("do", "nothing")]).await.is(400);
    browser
        .submit(&settings, &[("do", "delete"), ("confirm", "Shop.Example")])
        .await
        .leads_to(&format!("{deleted}?deleted"));
    app.date_deletions().await;
    browser
        .get(&format!("{deleted}?deleted"))
        .await
        .is(200)
        .says("The domain was deleted")
        .says("31 March 2026")
        .says("30 April 2026");
    browser.get(&settings).await.is(404);
    let gone = app
        .get(&format!("/domains/{}", app.world.domain), &app.world.key)
        .send_unchecked();
    assert_eq!(gone.await.status, 404);

    browser.get(&deleted).await;
    for bad in ["", "x", &DomainId::generate().to_string()] {
        browser.submit(&deleted, &[("domain", bad)]).await.is(404);
    }
    // Another of that name stands in the way.
    browser.get(&app.of_workspace("domains/new")).await;
    let fields = [("hostname", "shop.example"), ("display_name", "")];
    let another = browser
        .submit(&app.of_workspace("domains/new"), &fields)
        .await
        .location();
    let id = app.world.domain.to_string();
    browser
        .submit(&deleted, &[("domain", &id)])
        .await
        .is(400)
        .says("another domain of this name");
    let another = another.split('?').next().unwrap();
    browser
        .submit(
            &format!("{another}/settings"),
            &[("do", "delete"), ("confirm", "shop.example")],
        )
        .await
        .location();
    let form_id = browser.get(&deleted).await.hidden("form_id").unwrap();
    // A double click sends the same form twice.
    for _ in 0..2 {
        browser
            .submit(&deleted, &[("form_id", &form_id), ("domain", &id)])
            .await
            .leads_to(&format!("{}?restored", app.of_domain("")));
    }
    browser
        .get(&format!("{}?restored", app.of_domain("")))
        .await
        .is(200)
        .says("The domain was restored");
    // Another form finds nothing to restore.
    browser.submit(&deleted, &[("domain", &id)]).await.is(404);
    app.get(&format!("/domains/{id}"), &app.world.key)
        .send()
        .await
        .ok();
    let user = format!("user:{}", app.world.owner);
    assert_eq!(
        app.trail("domain.delete")
            .await
            .iter()
            .filter(|(actor, _)| *actor == user)
            .count(),
        2
    );
    assert_eq!(
        app.trail("domain.restore")
            .await
            .iter()
            .filter(|(actor, _)| *actor == user)
            .count(),
        1
    );
}

#[tokio::test]
async fn a_domain_is_erased_after_30_days() {
    let app = TestApp::start().await;
    crate::fixtures::fill(&app).await;
    let mut browser = app.signed_in(app.world.owner).await;
    let (settings, deleted) = (app.of_domain("/settings"), app.of_workspace("domains/deleted"));
    browser.get(&settings).await.is(200);
    browser
        .submit(&settings, &[("do", "delete"), ("confirm", "shop.example")])
        .await
        .location();
    app.date_deletions().await;
    app.clock.advance(Duration::days(30));
    let mut browser = app.signed_in(app.world.owner).await;
    let id = app.world.domain.to_string();
    browser.get(&deleted).await.is(200).says("No deleted domain");
    browser
        .submit(&deleted, &[("domain", &id)])
        .await
        .is(400)
        .says("more than 30 days ago");
    let database = Database::connect(app.database.url(), &database_options())
        .await
        .unwrap();
    database.maintain(app.now()).await.unwrap();
    let rows = app.sql("SELECT count(*) FROM domains").await;
    assert_eq!(rows[0][0].as_deref(), Some("0"));
    browser.submit(&deleted, &[("domain", &id)]).await.is(404);
    browser
        .get(&app.of_workspace("audit"))
        .await
        .is(200)
        .says("domain.erase");
}
