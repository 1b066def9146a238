//! GET /domains/{domain_id}/rum/bfcache

use pharos_domain::collect::{
    client::Device,
    view::{Navigation, NotRestored, ReasonType},
};
use serde_json::{Value, json};

use super::{path, store, view};
use crate::harness::TestApp;

async fn bfcache(app: &TestApp, query: &str) -> Value {
    app.get(&path(app, &format!("bfcache{query}")), &app.world.key)
        .send()
        .await
        .ok()
}

fn why(reason: &str, kind: ReasonType) -> NotRestored {
    NotRestored {
        reason: reason.to_owned(),
        kind,
    }
}

/// Worked out by hand: of four times one was restored; of the other three two browsers say why, both because of the same.
#[tokio::test]
async fn what_became_of_going_back_is_told_with_reasons() {
    let app = TestApp::start().await;
    let mut restored = view(1, app.now());
    restored.navigation = Navigation::BackForwardCache;
    let reasons = [
        Some(vec![
            why("unload-listener", ReasonType::Page),
            why("websocket", ReasonType::CrossOrigin),
        ]),
        Some(vec![why("unload-listener", ReasonType::Page)]),
        None,
    ];
    let missed = (2..).zip(reasons).map(|(load, reasons)| {
        let mut view = view(load, app.now());
        (view.navigation, view.not_restored) = (Navigation::BackForward, reasons);
        view.path = format!("/{load}");
        view
    });
    let views: Vec<_> = missed.chain([restored, view(9, app.now())]).collect();
    store(&app, views.into_iter().map(|view| (Device::Mobile, view))).await;
    let found = bfcache(&app, "").await;
    assert_eq!(
        (
            &found["back_forward_navigations"],
            &found["hits"],
            &found["hit_rate_pct"],
            &found["supported_views_pct"]
        ),
        (&json!(4), &json!(1), &json!(25.0), &json!(66.67))
    );
    assert_eq!(
        found["reasons"],
        json!([
            {
                "reason": "unload-listener", "reason_label": "A listener for unload", "type": "page",
                "navigations": 2, "share_pct": 100.0, "urls_count": 2,
            },
            {
                "reason": "websocket", "reason_label": "An open WebSocket", "type": "cross_origin",
                "navigations": 1, "share_pct": 50.0, "urls_count": 1,
            },
        ])
    );
    let found = bfcache(&app, "?device=desktop").await;
    assert_eq!(
        (
            &found["hit_rate_pct"],
            &found["supported_views_pct"],
            &found["reasons"]
        ),
        (&Value::Null, &Value::Null, &json!([]))
    );
}
