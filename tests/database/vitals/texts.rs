//! Texts of the dictionary that are forgotten.

use std::sync::Arc;

use pharos_domain::{collect::BeaconStore, window::DateRange};
use pharos_vitals::{
    overview::ViewFilter,
    slices::{Dimension, SliceReads},
};
use pharos_vitals_pg::collect::PgViewStore;
use time::Duration;
use tokio::time::{Duration as Wait, sleep};

use super::{beacon, store, view};
use crate::harness::{Fixture, NOW};

/// Upkeep deletes it after the writer has seen it, and before the writer has noted that it is used.
#[tokio::test]
async fn a_text_that_is_forgotten_while_it_is_looked_up_is_made_anew() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let store = store(&fixture);
    let before = beacon(home.domain, view(1, NOW - Duration::days(40)));
    store.store(&[before]).await.unwrap();
    let forgets = "BEGIN; DELETE FROM rum_texts WHERE dimension = 0";
    fixture.sql.batch_execute(forgets).await.unwrap();
    let viewed = beacon(home.domain, view(2, NOW));
    let storing = tokio::spawn(async move { store.store(&[viewed]).await });
    let waits = "SELECT count(*) FROM pg_locks AS l
         WHERE NOT l.granted AND pg_backend_pid() = ANY (pg_blocking_pids(l.pid))";
    while fixture.value::<i64>(waits, &[]).await == 0 {
        sleep(Wait::from_millis(10)).await;
    }
    fixture.sql.batch_execute("COMMIT").await.unwrap();
    storing.await.unwrap().unwrap();
    let named =
        "SELECT count(*) FROM rum_views AS v JOIN rum_texts AS t ON t.id = v.page WHERE v.load_id = 2";
    assert_eq!(fixture.value::<i64>(named, &[]).await, 1);
}

#[tokio::test]
async fn that_a_text_is_used_is_written_once_a_month_whoever_remembers_it() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    // One remembers the number, and the other has yet to look.
    let [first, second] = [(); 2].map(|()| PgViewStore::new(fixture.database.clone()));
    let used = "SELECT used_on::text FROM rum_texts WHERE dimension = 0";
    let day = |days| NOW - Duration::days(days);
    for (load, node, at, used_on) in [
        (1, &first, day(70), day(70)),
        (2, &first, day(40), day(70)),
        (3, &first, day(39), day(39)),
        (4, &second, day(9), day(39)),
        (5, &first, NOW, NOW),
        (6, &second, day(20), NOW),
    ] {
        node.store(&[beacon(home.domain, view(load, at))]).await.unwrap();
        assert_eq!(
            fixture.value::<String>(used, &[]).await,
            used_on.date().to_string(),
            "after view {load}"
        );
    }
    let named = "SELECT count(*) FROM rum_views AS v JOIN rum_texts AS t ON t.id = v.page";
    assert_eq!(fixture.value::<i64>(named, &[]).await, 6);
}

#[tokio::test]
async fn what_stands_for_all_texts_beyond_the_bound_is_used_on_the_last_of_their_days() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let store = PgViewStore::new(fixture.database.clone()).with_most_new_texts(0);
    let viewed = [(1, "/a", NOW), (2, "/b", NOW - Duration::days(1))];
    let beacons = viewed.map(|(load, path, at)| {
        let mut view = view(load, at);
        view.path = path.to_owned();
        beacon(home.domain, view)
    });
    store.store(&beacons).await.unwrap();
    let used = "SELECT used_on::text FROM rum_texts WHERE dimension = 0";
    assert_eq!(fixture.value::<String>(used, &[]).await, NOW.date().to_string());
}

/// So it is after a failover that lost what was written last, where a node remembers a number that another text got since.
#[tokio::test]
async fn a_number_of_a_text_of_another_domain_names_nothing() {
    let fixture = Fixture::new().await;
    let (ada, bob) = (fixture.home("ada").await, fixture.home("bob").await);
    let access = fixture.access(&ada).await;
    store(&fixture)
        .store(&[beacon(ada.domain, view(1, NOW))])
        .await
        .unwrap();
    let reads: Arc<dyn SliceReads> = fixture.stores.ports.get().unwrap();
    let (day, all) = (DateRange::ending(NOW.date(), 1), ViewFilter::default());
    let browser = async || {
        let found = reads
            .slices(&access, day, &all, &[Dimension::Browser], 10, 75)
            .await
            .unwrap();
        found[0].slices[0].key.text().map(str::to_owned)
    };
    assert_eq!(browser().await.as_deref(), Some("Chrome"));
    let taken = "UPDATE rum_texts SET domain_id = $1 WHERE value = 'Chrome'";
    fixture.sql.execute(taken, &[&bob.domain.0]).await.unwrap();
    assert_eq!(browser().await, None);
}
