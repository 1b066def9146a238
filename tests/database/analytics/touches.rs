//! An order counts for the channel of the visitor's last session of the day that was not direct.

use pharos_analytics::{channel::Channel, store::CommerceStore};
use pharos_analytics_pg::{collect::PgEventStore, reads::PgVisitStore};
use pharos_domain::{
    collect::{
        BeaconStore,
        event::{Action, Origin},
    },
    window::DateRange,
};
use time::Duration;

use super::{
    collect::{beacon, purchase, view},
    rollups::roll_up,
};
use crate::harness::{Fixture, NOW};

/// From a search, then from a newsletter, then twice without a trace; the order is in the third session.
#[tokio::test]
async fn an_order_counts_for_the_last_touch_that_was_not_direct() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let store = PgEventStore::new(fixture.database.clone());
    let from = |minutes, origin| {
        let mut beacon = beacon(home.domain, 7, minutes, "/", Action::PageView);
        beacon.content.0[0].page.origin = origin;
        beacon
    };
    let search = Origin {
        referrer_host: Some("google.com".to_owned()),
        ..Origin::default()
    };
    let mail = Origin {
        medium: Some("email".to_owned()),
        source: Some("newsletter".to_owned()),
        ..Origin::default()
    };
    let beacons = [
        from(0, search),
        from(40, mail),
        purchase(home.domain, 7, 90, "T1"),
        view(home.domain, 7, 150),
        // Another visitor, who came without a trace.
        purchase(home.domain, 8, 90, "T2"),
    ];
    store.store(&beacons).await.unwrap();
    let visits = PgVisitStore::new(fixture.database.clone());
    let window = DateRange::ending(NOW.date(), 1);
    let expected = [
        (Channel::Email, 1, 1),
        (Channel::Direct, 3, 1),
        (Channel::OrganicSearch, 1, 0),
    ];
    for now in [NOW, NOW + Duration::days(2)] {
        roll_up(&fixture.database, now).await;
        let found = visits.sales_by_channel(&access, window, "USD").await.unwrap();
        let mut found: Vec<_> = found
            .channels
            .iter()
            .map(|sales| (sales.channel, sales.sessions, sales.orders))
            .collect();
        found.sort_unstable();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}
