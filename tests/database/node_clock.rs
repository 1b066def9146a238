//! The clock of a node, which is the database's.

use pharos_domain::clock::Clock as _;
use pharos_persistence::clock::DatabaseClock;
use time::Duration;

use crate::harness::{Fixture, NOW, after};

/// It can go on while the test looks at it.
const A_WHILE: Duration = Duration::seconds(30);

#[tokio::test]
async fn a_node_goes_by_the_database_whatever_its_own_machine_says() {
    let fixture = Fixture::with_a_clock().await;
    fixture.it_is(NOW).await;
    let clock = DatabaseClock::of(fixture.database.clone()).await.unwrap();
    let before = clock.now();
    assert!(before >= NOW && before < NOW + A_WHILE, "{before}");
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    let gone = clock.now() - before;
    assert!(gone >= Duration::milliseconds(20) && gone < A_WHILE, "{gone}");
}

#[tokio::test]
async fn a_clock_that_is_set_takes_its_nodes_along_both_ways() {
    let fixture = Fixture::with_a_clock().await;
    let clock = DatabaseClock::of(fixture.database.clone()).await.unwrap();
    for seconds in [86_400, -86_400] {
        fixture.it_is(after(seconds)).await;
        clock.ask_again().await.unwrap();
        let off = clock.now() - after(seconds);
        assert!(off >= Duration::ZERO && off < A_WHILE, "{off}");
    }
}

/// The database may be away for a while: answers from memory and limits need the time all the same.
#[tokio::test]
async fn the_time_goes_on_while_the_database_can_not_be_asked() {
    let fixture = Fixture::with_a_clock().await;
    let clock = DatabaseClock::of(fixture.database.clone()).await.unwrap();
    let before = clock.now();
    fixture
        .sql
        .batch_execute("DROP TABLE clock.present")
        .await
        .unwrap();
    clock.ask_again().await.unwrap_err();
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    assert!(clock.now() - before >= Duration::milliseconds(20));
}
