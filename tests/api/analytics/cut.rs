//! Lists that leave rows out say so.

use pharos_domain::collect::{
    Beacon, BeaconStore, VisitorId,
    client::{Client, Device},
    event::{Action, Event, Events, Origin, Page, PropertyValue},
};
use serde_json::json;
use uuid::Uuid;

use super::{path, reads::get};
use crate::harness::TestApp;

/// A visit with a city, a campaign, a page and a property of an event that no other has.
fn visit(app: &TestApp, number: i64) -> Beacon<Events> {
    let event = |action| Event {
        at: app.now(),
        load: None,
        page: Page {
            host: "shop.example".to_owned(),
            path: format!("/{number}"),
            title: None,
            origin: Origin {
                campaign: Some(format!("campaign {number}")),
                ..Origin::default()
            },
        },
        action,
    };
    let signup = Action::Custom {
        name: "signup".to_owned(),
        properties: vec![(format!("property {number}"), PropertyValue::Flag(true))],
        commerce: None,
    };
    Beacon {
        id: Uuid::new_v4(),
        domain: app.world.domain,
        visitor: VisitorId(number),
        received_at: app.now(),
        client: Client {
            device: Device::Desktop,
            browser: None,
            browser_version: None,
            os: None,
            os_version: None,
            country: Some("DE".to_owned()),
            region: None,
            city: Some(format!("city {number}")),
            screen: None,
        },
        content: Events(vec![event(Action::PageView), event(signup)]),
    }
}

/// One row more than the longest of these lists has.
#[tokio::test]
async fn a_list_that_is_cut_says_so() {
    let app = TestApp::start().await;
    let configured = app.put(&path(&app, "config"), &app.world.key, &json!({}));
    configured.send().await.ok();
    let visits: Vec<Beacon<Events>> = (1..=1_001).map(|number| visit(&app, number)).collect();
    let store = app.stores.ports.get::<dyn BeaconStore<Events>>().unwrap();
    store.store(&visits).await.unwrap();
    for (rest, rows) in [
        ("sources?group_by=campaign", 1_000),
        ("countries?level=city", 1_000),
        ("journeys", 100),
        ("events/properties?event_name=signup", 100),
    ] {
        let found = get(&app, rest).await;
        let listed = found["items"].as_array().unwrap().len();
        assert_eq!((listed, &found["truncated"]), (rows, &json!(true)), "{rest}");
    }
}
