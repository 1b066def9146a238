//! The ownership of domains.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use async_trait::async_trait;
use pharos_account::verification::{Method, NotShown, OwnershipCheck, OwnershipToken};
use pharos_domain::hostname::Hostname;
use pharos_supervisor::Supervisor;
use time::OffsetDateTime;

use crate::{console::keys::copied, harness::TestApp};

/// A site that shows every token, or none.
#[derive(Default)]
struct Site(AtomicBool);

#[async_trait]
impl OwnershipCheck for Site {
    async fn look(
        &self,
        hostname: &Hostname,
        token: &OwnershipToken,
        method: Method,
        _: OffsetDateTime,
    ) -> Result<(), NotShown> {
        assert!(!token.as_str().is_empty());
        if self.0.load(Ordering::SeqCst) {
            Ok(())
        } else {
            Err(NotShown::NoRecord {
                name: format!("{method} of {hostname}"),
            })
        }
    }
}

#[tokio::test]
async fn ownership_is_shown_in_each_way_and_noted() {
    let site = Arc::new(Site::default());
    let shown = Arc::clone(&site);
    let app = TestApp::supervised_by(Supervisor::default(), |ports| {
        ports.with_instead::<dyn OwnershipCheck>(shown)
    })
    .await;
    let mut browser = app.signed_in(app.world.owner).await;
    let settings = app.of_domain("/settings");
    let page = browser.get(&settings).await;
    page.is(200).says("Not verified").says("_pharos.shop.example");
    let line = copied(&page, "record-text");
    assert_eq!(
        line,
        format!("pharos-verification={}", app.world.domain.0.simple())
    );
    assert_eq!(line, copied(&page, "file-text"));
    assert_eq!(
        copied(&page, "file-address"),
        "https://shop.example/.well-known/pharos-verification.txt"
    );
    for method in ["dns", "file", "tag"] {
        let fields = [("do", "verify"), ("method", method)];
        browser
            .submit(&settings, &fields)
            .await
            .is(400)
            .says(&format!("{method} of shop.example has no TXT record"));
    }
    browser
        .submit(&settings, &[("do", "verify"), ("method", "mail")])
        .await
        .is(400);
    let path = format!("/domains/{}", app.world.domain);
    let api = app.get(&path, &app.world.key).send().await.ok();
    assert_eq!(api["verified"], false);
    site.0.store(true, Ordering::SeqCst);
    browser
        .submit(&settings, &[("do", "verify"), ("method", "file")])
        .await
        .leads_to(&format!("{settings}?verified#ownership"));
    browser
        .get(&format!("{settings}?verified"))
        .await
        .is(200)
        .says("The domain is verified")
        .is_silent_on("Check the record now");
    let api = app.get(&path, &app.world.key).send().await.ok();
    assert_eq!(api["verified"], true);
    let trail = app.trail("domain.verify").await;
    assert_eq!(trail.len(), 1);
    assert_eq!(trail[0].0, format!("user:{}", app.world.owner));
    assert!(trail[0].1.contains("\"method\": \"file\""), "{}", trail[0].1);
}

#[tokio::test]
async fn nobody_has_sites_asked_without_end() {
    let app = TestApp::supervised_by(Supervisor::default(), |ports| {
        ports.with_instead::<dyn OwnershipCheck>(Arc::new(Site::default()))
    })
    .await;
    let mut browser = app.signed_in(app.world.owner).await;
    let settings = app.of_domain("/settings");
    browser.get(&settings).await;
    let fields = [("do", "verify"), ("method", "dns")];
    for _ in 0..60 {
        browser.submit(&settings, &fields).await.is(400);
    }
    browser.submit(&settings, &fields).await.is(429);
}
