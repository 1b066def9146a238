//! Sends deliveries: the handler of their jobs.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use pharos_domain::{
    delivery_pauses,
    ids::{ChannelId, DeliveryId, WorkspaceId},
    jobs::{Changed, ClaimedJob, JobFailure, JobHandler, JobKind},
    problem::Suffix,
    store::StoreError,
};
use pharos_mail::mailer::Mailer;
use serde::Deserialize;
use time::{Duration, OffsetDateTime};

use super::{
    channel::Channel,
    json_sender::JsonSender,
    mail_text::{mail, split},
    message::{DeliveryEvent, Message},
    page::page,
    places::{Looking, Places},
    send_error::{NextAttempt, SendError},
    store::{AttemptEnd, DeliveryStore, Taken},
    target::Target,
};
use crate::{catalogue::Catalogue, message::past_message, metrics};

/// The kind of the jobs. The SQL function `send_deliveries` asks for them, with [`delivery_pauses::ATTEMPTS`] attempts each.
pub const KIND: JobKind = JobKind::new("alert_delivery");
/// How long nobody else sends what was taken: longer than any attempt takes.
const LEASE: Duration = Duration::minutes(2);
/// The shortest time that a delivery is put off for.
const SHORTEST_PAUSE: Duration = Duration::SECOND;

/// The payload of a job.
#[derive(Debug, Deserialize)]
struct Order {
    delivery_id: DeliveryId,
    /// `None`: an older version asked for the job.
    workspace_id: Option<WorkspaceId>,
    /// `None`: an older version asked for the job.
    channel_id: Option<ChannelId>,
    /// Whether it goes before others.
    #[serde(default)]
    is_urgent: bool,
    /// How many deliveries of its channel were dropped with it as they came; `None`: it is to be sent.
    dropped: Option<u64>,
}

/// Sends deliveries.
#[derive(Clone)]
pub struct Deliverer {
    /// Where deliveries come from, and how they went goes.
    pub store: Arc<dyn DeliveryStore>,
    /// Sends webhooks, and messages to chat services.
    pub json: Arc<JsonSender>,
    /// Sends mails; `None`: no mail server is configured.
    pub mailer: Option<Arc<Mailer>>,
    /// The metrics that alerts tell of.
    pub catalogue: Catalogue,
    /// The deliveries that are under way.
    pub places: Places,
    /// The address that readers of messages know Pharos by, without a slash at its end.
    pub base_url: String,
}

impl fmt::Debug for Deliverer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deliverer")
            .field("has_mailer", &self.mailer.is_some())
            .finish_non_exhaustive()
    }
}

impl Deliverer {
    /// The message as it is sent: with the address of its page, and what is over as it was.
    fn completed(&self, mut message: Message) -> Message {
        message.link = page(&message).map(|path| format!("{}{path}", self.base_url));
        if message.event != DeliveryEvent::Resolved {
            return message;
        }
        let told = message.alert.as_mut().map(|alert| &mut alert.told);
        if let Some(told) = told
            && let Some(metric) = self.catalogue.find(told.module, &told.metric)
        {
            told.message = past_message(told, metric);
            message.body.clone_from(&told.message);
        }
        message
    }

    /// Sends the messages; a mail counts those that do not stand in it.
    async fn send(
        &self,
        channel: &Channel,
        (messages, counted): (&[Message], &[Message]),
        now: OffsetDateTime,
    ) -> Result<(), SendError> {
        if let Target::Email { to } = &channel.settings.target {
            let Some(mailer) = &self.mailer else {
                return Err(SendError {
                    why: "no mail server is configured: set smtp_url and mail_from".to_owned(),
                    next: NextAttempt::Later,
                });
            };
            let unsubscribe = format!(
                "{}/console/unsubscribe/{}",
                self.base_url,
                channel.unsubscribe_token.reveal()
            );
            let mail = mail(to, messages, counted, &unsubscribe)
                .ok_or_else(|| SendError::never("there is no message to send"))?;
            return Ok(mailer.send(&mail).await?);
        }
        for message in messages {
            self.json.send(&channel.settings.target, message, now).await?;
        }
        Ok(())
    }

    async fn end(
        &self,
        channel: &Channel,
        deliveries: &[DeliveryId],
        end: &AttemptEnd,
    ) -> Result<(), StoreError> {
        self.store.end(channel, deliveries, end).await?;
        metrics::delivered(channel.settings.target.kind(), end, deliveries.len());
        Ok(())
    }
}

#[async_trait]
impl JobHandler for Deliverer {
    fn kind(&self) -> JobKind {
        KIND
    }

    /// Receivers that hang take a place each until their time is over.
    fn most_at_once(&self, places: usize) -> usize {
        (places / 2).max(1)
    }

    async fn run(&self, job: &ClaimedJob) -> Result<Changed, JobFailure> {
        let Order {
            delivery_id,
            workspace_id,
            channel_id,
            is_urgent,
            dropped,
        } = job.read()?;
        if let Some(dropped) = dropped {
            if let Some(kind) = self.store.dropped(delivery_id).await? {
                metrics::dropped(kind, dropped);
            }
            return Ok(Changed::new());
        }
        let looking = workspace_id.map(|workspace| Looking {
            workspace,
            channel: channel_id,
            is_urgent,
        });
        let place = looking.map(|looking| self.places.take(looking)).transpose();
        let place = place.map_err(|wait| {
            let pause = Duration::try_from(wait).unwrap_or(SHORTEST_PAUSE);
            JobFailure::put_off(
                pause,
                "other deliveries of the channel or the workspace are under way",
            )
        })?;
        let (channel, messages, now) = match self.store.take(delivery_id, LEASE).await? {
            Taken::Nothing => return Ok(Changed::new()),
            Taken::Later(pause) => {
                let pause = pause.max(SHORTEST_PAUSE);
                return Err(JobFailure::put_off(pause, "it is not time for the delivery yet"));
            }
            Taken::GivenUp(kind, why) => {
                metrics::delivered(kind, &AttemptEnd::GivenUp { why: why.clone() }, 1);
                return Err(told(JobFailure::permanent(why)));
            }
            Taken::Send(channel, messages, now) => (channel, messages, now),
        };
        let messages: Vec<Message> = messages
            .into_iter()
            .map(|message| self.completed(message))
            .collect();
        let (messages, counted) = split(messages);
        let result = self.send(&channel, (&messages, &counted), now).await;
        if let Some(place) = &place {
            place.ended(works(&result));
        }
        let (end, failure) = judged(result, job.attempt, messages.len());
        let mut sent: Vec<DeliveryId> = messages.iter().flat_map(Message::deliveries).collect();
        let counted: Vec<DeliveryId> = counted.iter().flat_map(Message::deliveries).collect();
        if let AttemptEnd::Apart { .. } = &end {
            // The refusal can't be about messages that the refused mail did not have.
            if !counted.is_empty() {
                self.end(&channel, &counted, &AttemptEnd::PutBack).await?;
            }
        } else {
            sent.extend(counted);
        }
        if let AttemptEnd::GivenUp { why } = &end {
            self.end(&channel, &[delivery_id], &end).await?;
            // The other deliveries of the message have jobs and attempts of their own.
            sent.retain(|id| *id != delivery_id);
            let again = AttemptEnd::Again {
                why: why.clone(),
                asked: None,
            };
            if !sent.is_empty() {
                self.end(&channel, &sent, &again).await?;
            }
        } else {
            self.end(&channel, &sent, &end).await?;
        }
        failure.map_or(Ok(Changed::new()), Err)
    }
}

/// Whether the receiver answers, be it that it wants none of this message.
fn works(result: &Result<(), SendError>) -> bool {
    result.as_ref().map_or_else(
        |error| matches!(error.next, NextAttempt::Never | NextAttempt::Gone),
        |()| true,
    )
}

/// How the attempt of that number ended at so many messages, for the deliveries and for the job.
fn judged(result: Result<(), SendError>, attempt: u32, messages: usize) -> (AttemptEnd, Option<JobFailure>) {
    let Err(SendError { why, next }) = result else {
        return (AttemptEnd::Sent, None);
    };
    let own = || delivery_pauses::pause(attempt, fastrand::f64());
    let (pause, asked) = match next {
        NextAttempt::Gone => {
            return (
                AttemptEnd::Gone { why: why.clone() },
                Some(told(JobFailure::permanent(why))),
            );
        }
        // The verdict is about the mail: it may be about any of what stands in it.
        NextAttempt::Never if messages > 1 => {
            return (
                AttemptEnd::Apart { why: why.clone() },
                Some(JobFailure::put_off(SHORTEST_PAUSE, why)),
            );
        }
        NextAttempt::Never => {
            return (
                AttemptEnd::GivenUp { why: why.clone() },
                Some(told(JobFailure::permanent(why))),
            );
        }
        NextAttempt::Later => (own(), None),
        // The receiver knows best, but a pause of its own keeps us from asking too often.
        NextAttempt::After(asked) => (asked.max(own()), Some(asked)),
    };
    let end = if attempt >= u32::from(delivery_pauses::ATTEMPTS) {
        AttemptEnd::GivenUp { why: why.clone() }
    } else {
        AttemptEnd::Again {
            why: why.clone(),
            asked,
        }
    };
    (end, Some(told(JobFailure::retry_after(pause, why))))
}

/// The failure of a job whose cause people of the workspace are told as it is.
fn told(failure: JobFailure) -> JobFailure {
    let why = failure.why.clone();
    failure.with_public_error(Suffix::UpstreamError, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(next: NextAttempt) -> Result<(), SendError> {
        Err(SendError {
            why: "the receiver answered 500".to_owned(),
            next,
        })
    }

    #[test]
    fn what_failed_is_tried_again_until_its_attempts_are_spent() {
        let why = || "the receiver answered 500".to_owned();
        assert_eq!(judged(Ok(()), 1, 1), (AttemptEnd::Sent, None));
        let (end, failure) = judged(failed(NextAttempt::Later), 1, 1);
        let again = |asked| AttemptEnd::Again { why: why(), asked };
        assert_eq!(end, again(None));
        assert!(matches!(
            failure.unwrap().retry,
            pharos_domain::jobs::Retry::After(pause) if pause < Duration::seconds(12)
        ));
        // The delivery waits for hours by now, and has nobody else wait for as long.
        assert_eq!(judged(failed(NextAttempt::Later), 10, 1).0, again(None));
        let asked = Duration::minutes(20);
        assert_eq!(
            judged(failed(NextAttempt::After(asked)), 10, 1).0,
            again(Some(asked))
        );
        let (end, _) = judged(
            failed(NextAttempt::Later),
            u32::from(delivery_pauses::ATTEMPTS),
            1,
        );
        assert_eq!(end, AttemptEnd::GivenUp { why: why() });
        let (end, failure) = judged(failed(NextAttempt::Never), 1, 1);
        assert_eq!(end, AttemptEnd::GivenUp { why: why() });
        assert_eq!(failure.unwrap(), told(JobFailure::permanent(why())));
        let (end, failure) = judged(failed(NextAttempt::Gone), 1, 1);
        assert_eq!(end, AttemptEnd::Gone { why: why() });
        assert_eq!(failure.unwrap(), told(JobFailure::permanent(why())));
    }

    #[test]
    fn a_mail_of_several_that_is_refused_is_taken_apart_and_spends_no_attempt() {
        let why = || "the receiver answered 500".to_owned();
        let last = u32::from(delivery_pauses::ATTEMPTS);
        for attempt in [1, last] {
            let (end, failure) = judged(failed(NextAttempt::Never), attempt, 3);
            assert_eq!(end, AttemptEnd::Apart { why: why() });
            assert_eq!(failure, Some(JobFailure::put_off(SHORTEST_PAUSE, why())));
        }
        // Where the mail server is away, each of them waits as it is.
        let (end, _) = judged(failed(NextAttempt::Later), 1, 3);
        assert!(matches!(end, AttemptEnd::Again { .. }), "{end:?}");
    }

    #[test]
    fn the_receiver_may_ask_for_a_longer_pause_but_not_for_a_shorter_one() {
        let pause = |next, attempt| match judged(failed(next), attempt, 1).1.unwrap().retry {
            pharos_domain::jobs::Retry::After(pause) => pause,
            other => panic!("{other:?}"),
        };
        assert_eq!(pause(NextAttempt::After(Duration::HOUR), 1), Duration::HOUR);
        assert!(pause(NextAttempt::After(Duration::ZERO), 5) > Duration::minutes(20));
    }
}
