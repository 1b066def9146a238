//! The port to deliveries, as the job that sends them sees it.

use async_trait::async_trait;
use pharos_domain::{ids::DeliveryId, store::StoreError};
use time::{Duration, OffsetDateTime};

use super::{channel::Channel, kind::ChannelKind, message::Message};

/// Hands out what is to be sent, and takes how it went.
#[async_trait]
pub trait DeliveryStore: Send + Sync {
    /// Takes a delivery, as its [`DeliveryStep`](super::step::DeliveryStep) says, for so long that nobody else sends it meanwhile. A mail
    /// takes others of its channel along, and has the next one wait. The database's clock judges.
    async fn take(&self, delivery: DeliveryId, lease: Duration) -> Result<Taken, StoreError>;

    /// Stores how the attempt ended at what was taken. A channel that has failed for as long as
    /// [`SILENT_FAILURE`] says so, once, as a notification; so does one that is switched off.
    async fn end(
        &self,
        channel: &Channel,
        deliveries: &[DeliveryId],
        end: &AttemptEnd,
    ) -> Result<(), StoreError>;

    /// Records that the delivery was dropped as it came, since as many waited for its channel as may. A notification tells of
    /// it, once until few wait. The answer is the kind of the channel; `None`: it was deleted.
    async fn dropped(&self, delivery: DeliveryId) -> Result<Option<ChannelKind>, StoreError>;
}

/// How long a channel may fail before a notification tells of it.
pub const SILENT_FAILURE: Duration = Duration::days(3);

/// The task of the job of a delivery.
#[derive(Clone, Debug)]
pub enum Taken {
    /// Nothing.
    Nothing,
    /// It waits, by the database's clock for so long.
    Later(Duration),
    /// Nothing any more: a receiver of this kind has failed for as long as it waits, which is too long. It was given up, for this
    /// reason.
    GivenUp(ChannelKind, String),
    /// It sends this to the channel: one message, or what stands in one mail, the oldest first. Where its receivers are people,
    /// they are told once of what is over before they could be told that it began. The moment is now, by the store's clock.
    Send(Box<Channel>, Vec<Message>, OffsetDateTime),
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttemptEnd {
    /// The receiver took it.
    Sent,
    /// It is tried again, after pauses of its own. The channel is left alone for as long as it has failed, within
    /// [`SHORTEST_REST`](super::step::SHORTEST_REST) and [`LONGEST_REST`](super::step::LONGEST_REST).
    Again {
        /// Why it failed, for people.
        why: String,
        /// How long the receiver asked to be left alone, which may be longer; `None`: it did not ask.
        asked: Option<Duration>,
    },
    /// The mail that they stood in together was refused for good: each is sent again at once, in a mail of its own, so that only
    /// what is refused itself is given up.
    Apart {
        /// Why it failed, for people.
        why: String,
    },
    /// The mail was refused that only counted them: they wait for the next one, as if this one had not been tried.
    PutBack,
    /// It is given up.
    GivenUp {
        /// Why it failed, for people.
        why: String,
    },
    /// The receiver wants nothing any more: the channel is switched off.
    Gone {
        /// The receiver's words, for people.
        why: String,
    },
}
