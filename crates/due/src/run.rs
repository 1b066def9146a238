//! The loop: claims things that are due soon, does each when it is due, settles their outcomes together.
//!
//! Several loops, on one node or many, share the work through the store's claims: what a dead one had claimed becomes
//! due again when its lease is over.

use std::{panic::resume_unwind, sync::Arc, time::Duration as StdDuration};

use futures_util::future::join_all;
use pharos_domain::{clock::Clock, store::StoreError};
use time::{Duration, OffsetDateTime};
use tokio::{
    sync::{Notify, mpsc},
    time::{Instant, sleep, sleep_until, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::{
    bell::Bell,
    held::Held,
    settle::Settler,
    work::{DueClaim, DueWork},
};

/// The shortest pause between two looks: what comes due about the same time is claimed together.
const SHORTEST_PAUSE: StdDuration = StdDuration::from_millis(25);
/// The shortest pause between two looks that a bell brings about: whoever rings it often holds nobody else up.
const RUNG_PAUSE: StdDuration = StdDuration::from_millis(100);
/// The first pause where a thing that is due could not be claimed: somebody holds its row at the moment. The next is twice as
/// long, up to the time between two polls.
const HELD_UP: StdDuration = StdDuration::from_millis(100);
/// The pause after the store failed.
const RETRY: StdDuration = StdDuration::from_millis(500);
/// How often the store is readied anew.
const PREPARED_FOR: StdDuration = StdDuration::from_secs(3_600);
/// By how much a clock may go back before what it said counts as wrong.
const SKEW: Duration = Duration::seconds(5);
/// How long the last outcomes may take to be stored.
const LAST_WRITE: StdDuration = StdDuration::from_secs(1);

/// Does the things of one kind.
pub struct DueLoop<W> {
    /// The kind of things that it does.
    pub work: Arc<W>,
    /// Rings when something is due sooner than it was, or otherwise than it was claimed.
    pub bell: Arc<Bell>,
    /// Tells what is due, and when outcomes are stored.
    pub clock: Arc<dyn Clock>,
    /// How much at once, and how often.
    pub pace: DuePace,
}

/// How much a loop does at once, and how often it asks the store.
#[derive(Clone, Copy, Debug)]
pub struct DuePace {
    /// How many things it holds at once, those included that wait until they are due.
    pub concurrency: usize,
    /// How many one statement claims, or settles.
    pub batch: usize,
    /// How long a claim holds: longer than a thing may wait, take, and be settled.
    pub lease: Duration,
    /// How long before they are due things are claimed.
    pub ahead: StdDuration,
    /// How long an outcome waits for others before it is settled.
    pub gather: StdDuration,
    /// The longest pause between two looks: for what nobody rang for.
    pub poll: StdDuration,
}

impl DuePace {
    /// Things are done as they are claimed, so many at once, and none is claimed before it is due.
    #[must_use]
    pub const fn in_batches(batch: usize, lease: Duration, gather: StdDuration, poll: StdDuration) -> Self {
        Self {
            concurrency: batch,
            batch,
            lease,
            ahead: StdDuration::ZERO,
            gather,
            poll,
        }
    }
}

impl<W> std::fmt::Debug for DueLoop<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DueLoop")
            .field("pace", &self.pace)
            .finish_non_exhaustive()
    }
}

impl<W: DueWork> DueLoop<W> {
    /// Works until `stop`; then gives back what has not begun, lets the rest end until `abandon`, settles what came of
    /// it, and gives back what did not end.
    pub async fn run(self, stop: CancellationToken, abandon: CancellationToken) {
        let (finished, outcomes) = mpsc::channel(self.pace.batch * 4);
        let settled = Arc::new(Notify::new());
        let settler = Settler {
            work: Arc::clone(&self.work),
            clock: Arc::clone(&self.clock),
            batch: self.pace.batch,
            gather: self.pace.gather,
            settled: Arc::clone(&settled),
        };
        // It outlives a panic of this loop, so that finished things are stored.
        let mut settler = tokio::spawn(settler.run(outcomes));
        let mut held = Held::new();
        let mut look = Look::default();
        while !stop.is_cancelled() {
            held.reap();
            self.prepare(&mut look, &stop).await;
            let began = Instant::now();
            let mut next_look = began + self.look(&mut look, &mut held, &finished).await;
            let earliest = began + SHORTEST_PAUSE;
            loop {
                let has_room = held.len() < self.pace.concurrency;
                tokio::select! {
                    () = stop.cancelled() => break,
                    () = sleep_until(next_look.max(earliest)) => break,
                    // A thing that is due again within the time that was looked at is claimed late otherwise.
                    () = settled.notified() => next_look = next_look.min(Instant::now() + self.pace.ahead / 2),
                    news = self.bell.rung() => {
                        let changed = held.take_back(|item| news.concerns(&self.work.subject(item)));
                        self.give_back(&changed).await;
                        next_look = next_look.min(began + RUNG_PAUSE);
                    }
                    true = held.next_end(), if !has_room => next_look = earliest,
                    // Without it nothing would be stored any more: its panic is the loop's.
                    Err(panicked) = &mut settler => resume_unwind(panicked.into_panic()),
                }
            }
        }
        self.give_back(&held.take_back(|_| true)).await;
        while abandon.run_until_cancelled(held.next_end()).await == Some(true) {}
        let unfinished = held.abandon().await;
        drop(finished);
        // Outcomes so far are stored even so, unless the store is away.
        if !matches!(timeout(LAST_WRITE, settler).await, Ok(Ok(()))) {
            let work = W::NAME;
            tracing::warn!(
                work,
                "what came of the last could not be stored; they will be done again"
            );
        }
        self.give_back(&unfinished).await;
    }

    /// Does the things that are due now, as many as one claim gives, and says how many outcomes there were.
    ///
    /// # Errors
    /// The store failed.
    pub async fn once(&self) -> Result<usize, StoreError> {
        let DuePace { lease, batch, .. } = self.pace;
        let claim = DueClaim::of_now(self.clock.now(), lease, batch);
        let items = self.work.claim(&claim).await?;
        let performed = join_all(items.iter().map(|item| self.work.perform(item))).await;
        let outcomes: Vec<W::Outcome> = performed.into_iter().flatten().collect();
        self.work.settle(&outcomes, self.clock.now()).await?;
        Ok(outcomes.len())
    }

    /// Readies the store where that is due, however long it takes.
    async fn prepare(&self, look: &mut Look, stop: &CancellationToken) {
        let now = self.clock.now();
        // A clock that was set back may have left things due that lie far ahead now.
        let went_back = look.latest.is_some_and(|latest| now + SKEW < latest);
        look.latest = Some(now);
        if !went_back && look.prepared.is_some_and(|at| at.elapsed() < PREPARED_FOR) {
            return;
        }
        while !stop.is_cancelled()
            && let Err(error) = self.work.prepare(self.clock.now()).await
        {
            tracing::warn!(work = W::NAME, %error, "nothing can be claimed yet");
            let _: Option<()> = stop.run_until_cancelled(sleep(RETRY)).await;
        }
        look.prepared = Some(Instant::now());
    }

    /// Claims what there is room for, and says how long nothing else has to be claimed.
    async fn look(
        &self,
        look: &mut Look,
        held: &mut Held<W>,
        finished: &mpsc::Sender<W::Outcome>,
    ) -> StdDuration {
        let DuePace {
            concurrency,
            batch,
            lease,
            poll,
            ..
        } = self.pace;
        let room = concurrency.saturating_sub(held.len());
        if room == 0 {
            return poll;
        }
        // Where there is not room for all, nothing takes a place before it is due.
        let ahead = if look.is_crowded {
            StdDuration::ZERO
        } else {
            self.pace.ahead
        };
        let claim = DueClaim {
            now: self.clock.now(),
            ahead: Duration::try_from(ahead).unwrap_or(Duration::ZERO),
            lease,
            limit: room.min(batch),
        };
        let claimed = match self.work.claim(&claim).await {
            Ok(claimed) => claimed,
            Err(error) => {
                tracing::warn!(work = W::NAME, %error, "what is due can't be claimed at the moment");
                return RETRY;
            }
        };
        let count = claimed.len();
        for item in claimed {
            held.take(&self.work, item, finished);
        }
        look.is_crowded = count == room;
        match count {
            // There may be more.
            count if count == claim.limit => StdDuration::ZERO,
            0 => self.until_next(look, ahead).await,
            _ => {
                look.held_up = HELD_UP;
                ahead * 3 / 4
            }
        }
    }

    /// How long nothing is due that could be claimed, at most until the next poll.
    async fn until_next(&self, look: &mut Look, ahead: StdDuration) -> StdDuration {
        let poll = self.pace.poll;
        let now = self.clock.now();
        let pause = match self.work.next_due(now).await {
            Ok(Some(due)) => StdDuration::try_from(due - now)
                .unwrap_or(StdDuration::ZERO)
                .saturating_sub(ahead / 4),
            Ok(None) | Err(_) => poll,
        };
        if pause > HELD_UP {
            look.held_up = HELD_UP;
            return pause.min(poll);
        }
        let pause = look.held_up.min(poll);
        look.held_up = pause * 2;
        pause
    }

    async fn give_back(&self, items: &[Arc<W::Item>]) {
        if items.is_empty() {
            return;
        }
        let items: Vec<&W::Item> = items.iter().map(|item| &**item).collect();
        if let Err(error) = self.work.release(&items).await {
            tracing::warn!(work = W::NAME, %error, "claims can't be given back; their leases will end");
        }
    }
}

/// The memory of a loop from look to look.
struct Look {
    /// When the store was readied.
    prepared: Option<Instant>,
    /// The latest that the clock has said.
    latest: Option<OffsetDateTime>,
    /// Whether the last claim took all the room there was.
    is_crowded: bool,
    /// The next pause where a thing that is due could not be claimed.
    held_up: StdDuration,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            prepared: None,
            latest: None,
            is_crowded: false,
            held_up: HELD_UP,
        }
    }
}
