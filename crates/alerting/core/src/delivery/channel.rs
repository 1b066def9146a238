//! Channels: where notifications of a workspace are delivered.

use async_trait::async_trait;
use pharos_domain::{
    audit::Actor,
    ids::{ChannelId, DeliveryId, DomainId, WorkspaceId},
    line::is_one_line,
    module::Module,
    secret::Secret,
    store::StoreError,
    timestamp::Timestamp,
    wire_enum,
};
use serde::Serialize;
use thiserror::Error;
use time::{Duration, OffsetDateTime};

use super::{
    message::{DeliveryEvent, headline},
    quiet_hours::QuietHours,
    signing_secret::{NoRandomness, SigningSecret},
    target::{FillError, PreviousSecret, Target, TargetFault},
};
use crate::{alert::AlertEnd, severity::Severity};

/// The most channels that a workspace may have.
pub const MOST_CHANNELS: usize = 50;
/// The reason for switching a channel off whose receiver answered 410.
pub const RECEIVER_GONE: &str = "the receiver answered 410, which says that it wants nothing any more";
/// The reason for switching a channel off whose mails a reader ended.
pub const UNSUBSCRIBED: &str = "its reader unsubscribed by the link in a mail";
/// How long the previous secret still signs webhooks, so that receivers have time to change theirs.
pub const SECRETS_OVERLAP: Duration = Duration::DAY;

/// The settings of a channel.
#[derive(Clone, Debug)]
pub struct ChannelSettings {
    /// Its name for people.
    pub name: String,
    /// Where it leads.
    pub target: Target,
    /// Only what is this bad, or worse, is delivered.
    pub min_severity: Severity,
    /// The modules whose notifications are delivered; empty: all.
    pub modules: Vec<Module>,
    /// When only what is critical is delivered.
    pub quiet_hours: Option<QuietHours>,
}

impl ChannelSettings {
    /// Checks whether a channel may have these settings.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self) -> Result<(), ChannelError> {
        if !self.is_named() {
            return Err(ChannelError::Name);
        }
        Ok(self.target.check()?)
    }

    /// Whether its name can be one.
    #[must_use]
    pub fn is_named(&self) -> bool {
        (1..=100).contains(&self.name.chars().count()) && is_one_line(&self.name)
    }

    /// Until when the previous secret signs beside the present one; `None`: it no longer does.
    #[must_use]
    pub fn two_sign_until(&self, now: OffsetDateTime) -> Option<OffsetDateTime> {
        let Target::Webhook { previous, .. } = &self.target else {
            return None;
        };
        let until = previous.as_ref().map(|previous| previous.until);
        until.filter(|until| *until > now)
    }

    /// The target after a change of the secret that signs.
    ///
    /// # Errors
    /// It has no secret of ours; two sign already, and a third would take one from receivers that have it still; or only one
    /// signs, and there is none to end.
    pub fn secret_changed(&self, change: SecretChange, now: OffsetDateTime) -> Result<Target, ChannelError> {
        let Target::Webhook { url, secret, .. } = &self.target else {
            return Err(ChannelError::NoSecret);
        };
        let (secret, previous) = match (change, self.two_sign_until(now)) {
            (SecretChange::Replace, Some(until)) => return Err(ChannelError::TwoSign(until.into())),
            (SecretChange::Replace, None) => {
                let previous = PreviousSecret {
                    secret: secret.clone(),
                    until: now + SECRETS_OVERLAP,
                };
                (SigningSecret::generate()?, Some(previous))
            }
            (SecretChange::ReplaceNow, _) => (SigningSecret::generate()?, None),
            (SecretChange::EndPrevious, Some(_)) => (secret.clone(), None),
            (SecretChange::EndPrevious, None) => return Err(ChannelError::OneSigns),
        };
        Ok(Target::Webhook {
            url: url.clone(),
            secret,
            previous,
        })
    }
}

/// A channel.
#[derive(Clone, Debug)]
pub struct Channel {
    /// The id by which it is looked up.
    pub id: ChannelId,
    /// The workspace whose notifications it delivers.
    pub workspace_id: WorkspaceId,
    /// The domain whose notifications are delivered; `None`: all of the workspace.
    pub domain_id: Option<DomainId>,
    /// The settings that people gave it.
    pub settings: ChannelSettings,
    /// The secret of the link by which readers of its mails switch it off.
    pub unsubscribe_token: Secret,
    /// Why it is switched off; `None`: it is on.
    pub off_reason: Option<String>,
    /// The first of the failures since the last success.
    pub failing_since: Option<OffsetDateTime>,
    /// When it was made.
    pub created_at: OffsetDateTime,
    /// When it was changed last.
    pub updated_at: OffsetDateTime,
}

/// A channel to be made.
#[derive(Clone, Debug)]
pub struct NewChannel {
    /// The workspace whose notifications it delivers.
    pub workspace_id: WorkspaceId,
    /// The domain whose notifications are delivered; `None`: all of the workspace.
    pub domain_id: Option<DomainId>,
    /// The settings that people gave it.
    pub settings: ChannelSettings,
}

/// A change of a channel.
#[derive(Clone, Debug)]
pub enum ChannelChange {
    /// It delivers again, from now on.
    SwitchOn,
    /// Ends all delivery. The reason is for people.
    SwitchOff(String),
    /// Replaces the secret that signs, or ends the previous one.
    Secret(SecretChange),
    /// Sets the edited members. It does not undo another change that was made since the channel was read.
    Edit(ChannelEdit),
}

wire_enum! {
    /// A change of the secret that signs a webhook.
    SecretChange {
        /// A new one takes its place, and it signs beside that for [`SECRETS_OVERLAP`].
        Replace = "replace",
        /// A new one takes its place, and no other signs from now on: somebody has learned one that they should not.
        ReplaceNow = "replace_now",
        /// The one before stops signing before its time, and the present one stays.
        EndPrevious = "end_previous",
    }
}

/// An edit of a channel by people.
#[derive(Clone, Debug)]
pub struct ChannelEdit {
    /// When the channel that they saw was changed last.
    pub seen: OffsetDateTime,
    /// The domain whose notifications are delivered; `None`: all of the workspace.
    pub domain_id: Option<DomainId>,
    /// The settings that it has from now on.
    pub settings: ChannelSettings,
}

wire_enum! {
    /// How far a delivery is.
    DeliveryState {
        /// It is to be sent, or sent again.
        Queued = "queued",
        /// The receiver took it.
        Sent = "sent",
        /// It was tried as often as it may, or the receiver refused it for good.
        Failed = "failed",
        /// There was no longer anything to send, or nowhere to send it to.
        Dropped = "dropped",
    }
}

/// A delivery as operators see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeliveryDetails {
    /// The id that names its job, and by which receivers detect repetitions.
    pub id: DeliveryId,
    /// The event that it tells of.
    pub event: DeliveryEvent,
    /// The title of the notification; `None`: a test.
    pub title: Option<String>,
    /// Why the alert that it reports is over; `None`: the alert is open, or there is none.
    pub end: Option<AlertEnd>,
    /// How far it is.
    pub state: DeliveryState,
    /// How often it was tried.
    pub attempts: u32,
    /// Why the last attempt failed.
    pub last_error: Option<String>,
    /// When it was requested.
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
    /// When it was sent, given up or dropped.
    #[serde(with = "time::serde::rfc3339::option")]
    pub ended_at: Option<OffsetDateTime>,
}

impl DeliveryDetails {
    /// The line that its messages begin with; `None`: a test.
    #[must_use]
    pub fn headline(&self) -> Option<String> {
        let title = self.title.as_deref()?;
        Some(headline(self.event, self.end, title))
    }
}

/// A channel that people are not told by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelTrouble {
    /// The channel that fails.
    pub id: ChannelId,
    /// The name that people gave the channel.
    pub name: String,
    /// The name of its workspace.
    pub workspace_name: String,
    /// The first of the failures since the last success.
    pub failing_since: Option<OffsetDateTime>,
    /// How many deliveries were given up lately.
    pub given_up: u64,
    /// Why the last attempt that failed did.
    pub last_error: Option<String>,
    /// Why it is switched off; `None`: it is on.
    pub off_reason: Option<String>,
}

/// Why a channel was not made or changed.
#[derive(Debug, Error)]
pub enum ChannelError {
    /// There is no such workspace, domain or channel.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// The workspace has as many as it may.
    #[error("the workspace has {MOST_CHANNELS} channels, which is the most; delete one first")]
    TooMany,
    /// The name can't be one.
    #[error("the name of a channel has 1 to 100 characters, all on one line and none of them hidden")]
    Name,
    /// It leads nowhere.
    #[error(transparent)]
    Target(#[from] TargetFault),
    /// Its target can't be made of what was said.
    #[error(transparent)]
    Fill(#[from] FillError),
    /// Only webhooks are signed with a secret of ours.
    #[error("only a webhook has a secret to rotate; of another channel edit the target")]
    NoSecret,
    /// It was changed since it was read.
    #[error("the channel was changed meanwhile; look at it again")]
    Changed,
    /// The secret before still signs.
    #[error(
        "the secret was replaced within a day, and the one before signs until {0}; end that one first, or replace both at once"
    )]
    TwoSign(Timestamp),
    /// No secret before signs.
    #[error("only the present secret signs, so there is no secret before it to end")]
    OneSigns,
    /// There is no secret to be had.
    #[error(transparent)]
    NoRandomness(#[from] NoRandomness),
    /// The channel is switched off.
    #[error("the channel is switched off: {0}")]
    Off(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Keeps channels. Each change has a row in the audit log, which names no secret.
#[async_trait]
pub trait ChannelStore: Send + Sync {
    /// Makes a channel.
    async fn create(
        &self,
        channel: &NewChannel,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<Channel, ChannelError>;

    /// The channels of workspaces, the oldest first.
    async fn list(&self, workspaces: &[WorkspaceId]) -> Result<Vec<Channel>, StoreError>;

    /// A channel.
    async fn find(&self, id: ChannelId) -> Result<Option<Channel>, StoreError>;

    /// Changes a channel.
    async fn change(
        &self,
        id: ChannelId,
        change: &ChannelChange,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<Channel, ChannelError>;

    /// Deletes a channel, with what is on its way to it.
    async fn delete(&self, id: ChannelId, actor: &Actor, now: OffsetDateTime) -> Result<(), ChannelError>;

    /// Queues a test message, which is a delivery like any other.
    async fn test(
        &self,
        id: ChannelId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<DeliveryId, ChannelError>;

    /// The deliveries of the channel, the newest first. Deliveries that are still to be sent are among them.
    async fn deliveries(&self, id: ChannelId, limit: u32) -> Result<Vec<DeliveryDetails>, StoreError>;

    /// The channels of all workspaces that need attention: those that are on and fail, or gave deliveries up since a moment,
    /// the longest failing first; then those that their receivers switched off.
    async fn in_trouble(&self, since: OffsetDateTime, limit: u32) -> Result<Vec<ChannelTrouble>, StoreError>;

    /// How many channels are off because readers of their mails want none.
    async fn unsubscribed(&self) -> Result<u64, StoreError>;
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-01-10 12:00 UTC);

    fn of(target: Target) -> ChannelSettings {
        ChannelSettings {
            name: "Channel".to_owned(),
            target,
            min_severity: Severity::Info,
            modules: Vec::new(),
            quiet_hours: None,
        }
    }

    fn webhook() -> ChannelSettings {
        of(Target::Webhook {
            url: Secret::from("https://shop.example/hook".to_owned()),
            secret: SigningSecret::generate().unwrap(),
            previous: None,
        })
    }

    /// The secret that signs, and the previous one as long as it signs too.
    fn secrets(settings: &ChannelSettings, now: OffsetDateTime) -> (String, Option<String>) {
        let Target::Webhook { secret, previous, .. } = &settings.target else {
            panic!("another kind")
        };
        let signing = previous.as_ref().filter(|previous| previous.until > now);
        (
            secret.reveal().to_owned(),
            signing.map(|previous| previous.secret.reveal().to_owned()),
        )
    }

    #[test]
    fn a_secret_is_replaced_once_while_the_one_before_signs() {
        let made = webhook();
        let once = of(made.secret_changed(SecretChange::Replace, NOW).unwrap());
        assert_eq!(secrets(&once, NOW).1, Some(secrets(&made, NOW).0));
        assert_eq!(once.two_sign_until(NOW), Some(NOW + SECRETS_OVERLAP));
        assert_eq!(once.two_sign_until(NOW + SECRETS_OVERLAP), None);
        assert!(matches!(
            once.secret_changed(SecretChange::Replace, NOW + Duration::HOUR),
            Err(ChannelError::TwoSign(_))
        ));
        let twice = of(once
            .secret_changed(SecretChange::Replace, NOW + SECRETS_OVERLAP)
            .unwrap());
        assert_eq!(
            twice.two_sign_until(NOW + SECRETS_OVERLAP),
            Some(NOW + 2 * SECRETS_OVERLAP)
        );
        let mail = of(Target::Email {
            to: "a@shop.example".to_owned(),
        });
        for change in SecretChange::ALL {
            assert!(matches!(
                mail.secret_changed(*change, NOW),
                Err(ChannelError::NoSecret)
            ));
        }
    }

    #[test]
    fn a_secret_that_leaked_is_ended_at_once() {
        let once = of(webhook().secret_changed(SecretChange::Replace, NOW).unwrap());
        let (present, before) = secrets(&once, NOW);
        let ended = of(once.secret_changed(SecretChange::EndPrevious, NOW).unwrap());
        assert_eq!(
            secrets(&ended, NOW),
            (present.clone(), None),
            "the present one stays"
        );
        assert!(matches!(
            ended.secret_changed(SecretChange::EndPrevious, NOW),
            Err(ChannelError::OneSigns)
        ));
        // Whichever of two has leaked, neither signs any more.
        let (new, previous) = secrets(
            &of(once.secret_changed(SecretChange::ReplaceNow, NOW).unwrap()),
            NOW,
        );
        assert_eq!(previous, None);
        assert!(new != present && Some(new) != before);
    }
}
