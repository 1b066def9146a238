//! The loop, over a store that lies in memory. Time stands still but where everybody waits for it.

use std::{
    future::pending,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use pharos_domain::{clock::ManualClock, store::StoreError};
use time::{Duration, OffsetDateTime, macros::datetime};
use tokio::{
    task::JoinHandle,
    time::{Duration as StdDuration, Instant, sleep},
};
use tokio_util::sync::CancellationToken;

use crate::{
    bell::Bell,
    run::{DueLoop, DuePace},
    work::{DueClaim, DueWork},
};

const NOW: OffsetDateTime = datetime!(2026-03-31 09:15:00 UTC);

const PACE: DuePace = DuePace {
    concurrency: 10,
    batch: 4,
    lease: Duration::minutes(2),
    ahead: StdDuration::from_secs(2),
    gather: StdDuration::from_secs(1),
    poll: StdDuration::from_secs(5),
};

fn seconds(seconds: f64) -> StdDuration {
    StdDuration::from_secs_f64(seconds)
}

struct Thing {
    name: &'static str,
    due: StdDuration,
    is_claimed: bool,
}

/// A record of the loop's calls, with their times since the start.
#[derive(Default)]
struct Happened {
    asked: Vec<StdDuration>,
    begun: Vec<(&'static str, StdDuration)>,
    settled: Vec<(Vec<&'static str>, StdDuration)>,
    released: Vec<&'static str>,
}

struct Fake {
    began: Instant,
    things: Mutex<Vec<Thing>>,
    happened: Mutex<Happened>,
}

struct Item {
    name: &'static str,
    due_in: Duration,
}

impl Fake {
    fn since(&self) -> StdDuration {
        // To the tenth: the loop's own shortest pauses are of no concern here.
        seconds((self.began.elapsed().as_secs_f64() * 10.0).round() / 10.0)
    }
}

#[async_trait]
impl DueWork for Fake {
    type Item = Item;
    type Outcome = &'static str;

    const NAME: &'static str = "fakes";

    async fn claim(&self, claim: &DueClaim) -> Result<Vec<Item>, StoreError> {
        let since = self.began.elapsed();
        self.happened.lock().unwrap().asked.push(self.since());
        let horizon = since + StdDuration::try_from(claim.ahead).unwrap();
        let mut things = self.things.lock().unwrap();
        let due = things
            .iter_mut()
            .filter(|thing| !thing.is_claimed && thing.name != "locked" && thing.due <= horizon)
            .take(claim.limit);
        Ok(due
            .map(|thing| {
                thing.is_claimed = true;
                Item {
                    name: thing.name,
                    due_in: Duration::try_from(thing.due.saturating_sub(since)).unwrap(),
                }
            })
            .collect())
    }

    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        let things = self.things.lock().unwrap();
        let next = things
            .iter()
            .filter(|thing| !thing.is_claimed)
            .map(|thing| thing.due)
            .min();
        Ok(next.map(|due| now + due.saturating_sub(self.began.elapsed())))
    }

    fn due_in(&self, item: &Item) -> Duration {
        item.due_in
    }

    fn subject(&self, item: &Item) -> String {
        item.name.to_owned()
    }

    async fn perform(&self, item: &Item) -> Option<&'static str> {
        let since = self.since();
        self.happened.lock().unwrap().begun.push((item.name, since));
        match item.name {
            "endless" => pending().await,
            "broken" => panic!("{} breaks", item.name),
            "slow" => sleep(seconds(3.0)).await,
            _ => {}
        }
        Some(item.name)
    }

    fn is_urgent(&self, outcome: &&'static str) -> bool {
        *outcome == "urgent"
    }

    async fn settle(&self, outcomes: &[&'static str], _now: OffsetDateTime) -> Result<(), StoreError> {
        let since = self.since();
        self.happened
            .lock()
            .unwrap()
            .settled
            .push((outcomes.to_vec(), since));
        Ok(())
    }

    async fn release(&self, items: &[&Item]) -> Result<(), StoreError> {
        let mut things = self.things.lock().unwrap();
        for item in items {
            self.happened.lock().unwrap().released.push(item.name);
            let thing = things.iter_mut().find(|thing| thing.name == item.name);
            thing.unwrap().is_claimed = false;
        }
        Ok(())
    }
}

/// A loop at work.
struct Running {
    fake: Arc<Fake>,
    bell: Arc<Bell>,
    stop: CancellationToken,
    abandon: CancellationToken,
    task: JoinHandle<()>,
}

impl Running {
    fn start(pace: DuePace, things: &[(&'static str, f64)]) -> Self {
        let thing = |(name, due): &(&'static str, f64)| Thing {
            name,
            due: seconds(*due),
            is_claimed: false,
        };
        let fake = Arc::new(Fake {
            began: Instant::now(),
            things: Mutex::new(things.iter().map(thing).collect()),
            happened: Mutex::default(),
        });
        let (bell, stop, abandon) = (
            Arc::<Bell>::default(),
            CancellationToken::new(),
            CancellationToken::new(),
        );
        let due = DueLoop {
            work: Arc::clone(&fake),
            bell: Arc::clone(&bell),
            clock: Arc::new(ManualClock::at(NOW)),
            pace,
        };
        let task = tokio::spawn(due.run(stop.clone(), abandon.clone()));
        Self {
            fake,
            bell,
            stop,
            abandon,
            task,
        }
    }

    async fn end(self) -> Happened {
        self.stop.cancel();
        self.abandon.cancel();
        self.task.await.unwrap();
        std::mem::take(&mut *self.fake.happened.lock().unwrap())
    }
}

#[tokio::test(start_paused = true)]
async fn each_thing_begins_when_it_is_due_and_all_are_settled_together() {
    let running = Running::start(PACE, &[("a", 0.0), ("b", 0.4), ("c", 0.9), ("d", 2.5)]);
    sleep(seconds(6.0)).await;
    let happened = running.end().await;
    let begun = [("a", 0.0), ("b", 0.4), ("c", 0.9), ("d", 2.5)].map(|(name, at)| (name, seconds(at)));
    assert_eq!(happened.begun, begun);
    let settled = [(vec!["a", "b", "c"], seconds(1.0)), (vec!["d"], seconds(3.5))];
    assert_eq!(happened.settled, settled);
}

#[tokio::test(start_paused = true)]
async fn what_is_urgent_takes_along_what_waits_and_waits_for_nothing() {
    let running = Running::start(PACE, &[("a", 0.0), ("urgent", 0.4), ("b", 0.9)]);
    sleep(seconds(3.0)).await;
    let settled = running.end().await.settled;
    let (urgent, others) = (&settled[0], &settled[1]);
    assert_eq!(urgent.0, ["a", "urgent"]);
    assert!(urgent.1 < seconds(0.6), "{:?}", urgent.1);
    assert_eq!(others.0, ["b"]);
}

/// Whatever has changed about them is read with the next claim.
#[tokio::test(start_paused = true)]
async fn a_ring_gives_back_what_has_not_begun_and_claims_it_anew() {
    let running = Running::start(PACE, &[("slow", 0.0), ("a", 1.5), ("b", 1.9)]);
    sleep(seconds(0.5)).await;
    for thing in running.fake.things.lock().unwrap().iter_mut() {
        if thing.name == "a" {
            thing.due = seconds(4.0);
        }
    }
    running.bell.ring_anyhow();
    sleep(seconds(6.0)).await;
    let mut happened = running.end().await;
    happened.released.sort_unstable();
    assert_eq!(happened.released, ["a", "b"]);
    let begun = [("slow", 0.0), ("b", 1.9), ("a", 4.0)].map(|(name, at)| (name, seconds(at)));
    assert_eq!(happened.begun, begun);
}

#[tokio::test(start_paused = true)]
async fn without_anything_due_the_store_is_asked_once_a_poll_and_at_a_ring() {
    let running = Running::start(PACE, &[("far", 3_600.0)]);
    sleep(seconds(12.0)).await;
    running.bell.ring_anyhow();
    sleep(seconds(1.0)).await;
    let asked = running.end().await.asked;
    assert_eq!(asked, [0.0, 5.0, 10.0, 12.0].map(seconds));
}

/// The store says that it is due, and does not hand it out.
#[tokio::test(start_paused = true)]
async fn what_cannot_be_claimed_is_asked_for_less_and_less_until_something_else_can_be() {
    let running = Running::start(PACE, &[("locked", 0.0), ("a", 18.0)]);
    sleep(seconds(21.0)).await;
    let happened = running.end().await;
    let backed_off = [0.0, 0.1, 0.3, 0.7, 1.5, 3.1, 6.3, 11.3, 16.3];
    assert_eq!(happened.asked[..9], backed_off.map(seconds));
    assert_eq!(happened.begun, [("a", seconds(18.0))]);
    assert!(
        happened.asked[10] - happened.asked[9] < seconds(2.0),
        "{:?}",
        happened.asked
    );
}

/// A thing that takes a place before it is due would keep out those that are due already.
#[tokio::test(start_paused = true)]
async fn where_there_is_not_room_for_all_nothing_is_claimed_ahead() {
    let pace = DuePace {
        concurrency: 2,
        ..PACE
    };
    let running = Running::start(
        pace,
        &[("slow", 0.0), ("endless", 0.0), ("soon", 4.5), ("late", 0.5)],
    );
    sleep(seconds(10.0)).await;
    let begun = running.end().await.begun;
    let expected = [("slow", 0.0), ("endless", 0.0), ("late", 3.0), ("soon", 4.5)];
    assert_eq!(begun, expected.map(|(name, at)| (name, seconds(at))));
}

#[tokio::test(start_paused = true)]
async fn one_that_panics_stops_no_other() {
    let running = Running::start(PACE, &[("broken", 0.0), ("a", 0.1)]);
    sleep(seconds(2.0)).await;
    assert_eq!(running.end().await.settled, [(vec!["a"], seconds(1.1))]);
}

#[tokio::test(start_paused = true)]
async fn at_the_end_what_is_done_is_settled_and_the_rest_is_given_back() {
    let running = Running::start(
        PACE,
        &[("a", 0.0), ("slow", 0.0), ("endless", 0.0), ("waits", 1.9)],
    );
    sleep(seconds(0.5)).await;
    running.stop.cancel();
    sleep(seconds(4.0)).await;
    let happened = running.end().await;
    let settled: Vec<&str> = happened
        .settled
        .into_iter()
        .flat_map(|(names, _)| names)
        .collect();
    assert_eq!(settled, ["a", "slow"]);
    assert_eq!(happened.released, ["waits", "endless"]);
    assert_eq!(happened.begun.len(), 3);
}
