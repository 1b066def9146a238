//! A kind of thing that is due again and again, as the loop sees it.

use async_trait::async_trait;
use pharos_domain::store::StoreError;
use time::{Duration, OffsetDateTime};

/// Things of one kind: how due ones are claimed, how one is done, and how outcomes are stored.
#[async_trait]
pub trait DueWork: Send + Sync + 'static {
    /// A thing that this process has claimed.
    type Item: Send + Sync + 'static;
    /// The outcome of doing one.
    type Outcome: Send + Sync + 'static;

    /// The name of this kind of things, for the log.
    const NAME: &'static str;

    /// Whether it has a metric of its own for how late things begin.
    const TELLS_ITS_LAG: bool = false;

    /// Readies the store: before the first claim, once an hour, and when the node's clock was set back.
    async fn prepare(&self, _now: OffsetDateTime) -> Result<(), StoreError> {
        Ok(())
    }

    /// Claims things that are due.
    async fn claim(&self, claim: &DueClaim) -> Result<Vec<Self::Item>, StoreError>;

    /// When the next thing is due that nobody has, by the clock that says that it is `now`.
    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError>;

    /// How long after its claim a thing is due; less than nothing where it was due before.
    fn due_in(&self, item: &Self::Item) -> Duration;

    /// Which one a thing is, for the log.
    fn subject(&self, item: &Self::Item) -> String;

    /// Does a thing. It may be dropped at any await. `None`: there is no outcome, and it is left alone until its lease
    /// is over.
    async fn perform(&self, item: &Self::Item) -> Option<Self::Outcome>;

    /// Whether an outcome must not wait for others before it is settled.
    fn is_urgent(&self, _outcome: &Self::Outcome) -> bool {
        false
    }

    /// Stores outcomes, and when each thing is due next. An outcome that can't be stored is set aside and stops no
    /// other; after an error all of them come again.
    async fn settle(&self, outcomes: &[Self::Outcome], now: OffsetDateTime) -> Result<(), StoreError>;

    /// Gives claims back whose things were not done.
    async fn release(&self, items: &[&Self::Item]) -> Result<(), StoreError>;
}

/// A request for things that are due.
#[derive(Clone, Copy, Debug)]
pub struct DueClaim {
    /// The time by the node's clock. Where it is ahead of the store's, that one counts.
    pub now: OffsetDateTime,
    /// How long before it is due a thing may be claimed.
    pub ahead: Duration,
    /// How long nobody else gets the claimed things.
    pub lease: Duration,
    /// How many at most.
    pub limit: usize,
}

impl DueClaim {
    /// A request for things that are due by `now`, and none that are due later.
    #[must_use]
    pub fn of_now(now: OffsetDateTime, lease: Duration, limit: usize) -> Self {
        Self {
            now,
            ahead: Duration::ZERO,
            lease,
            limit,
        }
    }
}
