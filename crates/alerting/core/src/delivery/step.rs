//! The next step of a delivery: whether it is sent now, later or never, and together with what.

use time::{Duration, OffsetDateTime};

use super::{
    channel::{ChannelSettings, DeliveryState},
    message::Event,
    target::ChannelKind,
};
use crate::severity::Severity;

/// Mails go out this far apart: what comes meanwhile goes out together, as one.
pub const BETWEEN_MAILS: Duration = Duration::minutes(5);
/// So many deliveries at most stand in one mail.
pub const MOST_IN_A_MAIL: u16 = 100;
/// How long what tells that something is over waits for what told that it began.
const BEHIND_THE_FIRST: Duration = Duration::seconds(15);

/// A delivery whose job is at work, and its channel.
#[derive(Clone, Copy, Debug)]
pub struct Waiting<'a> {
    /// What it tells.
    pub event: Event,
    /// How far it is.
    pub state: DeliveryState,
    /// How bad its subject is.
    pub severity: Severity,
    /// Until when another job sends it.
    pub taken_until: Option<OffsetDateTime>,
    /// How far the delivery is that told of the beginning. Only what tells of an end has one.
    pub raised: Option<DeliveryState>,
    /// The channel's settings.
    pub settings: &'a ChannelSettings,
    /// Whether the channel is on.
    pub is_on: bool,
    /// Until when the channel gathers what goes out in one mail.
    pub next_mail_at: Option<OffsetDateTime>,
}

/// The next step of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It was sent already, with others.
    Done,
    /// Nobody is to get it any more.
    Drop,
    /// It waits for this moment.
    Wait(OffsetDateTime),
    /// It is sent alone.
    Send,
    /// It is sent in one mail with what waits for the same channel and is this bad, or worse.
    SendTogether(Severity),
}

impl Waiting<'_> {
    /// The next step at `now`.
    #[must_use]
    pub fn step(&self, now: OffsetDateTime) -> Step {
        let is_later = |at: &OffsetDateTime| *at > now;
        let is_mail = self.settings.target.kind() == ChannelKind::Email;
        if self.state == DeliveryState::Sent {
            return Step::Done;
        }
        if !self.is_on {
            return Step::Drop;
        }
        match self.raised {
            Some(DeliveryState::Failed | DeliveryState::Dropped) => return Step::Drop,
            // In a mail both stand together, in their order.
            Some(DeliveryState::Queued) if !is_mail => return Step::Wait(now + BEHIND_THE_FIRST),
            Some(DeliveryState::Queued | DeliveryState::Sent) | None => {}
        }
        if let Some(until) = self.taken_until.filter(is_later) {
            return Step::Wait(until);
        }
        if self.event == Event::Test {
            return Step::Send;
        }
        let quiet = self
            .settings
            .quiet_hours
            .as_ref()
            .and_then(|hours| hours.end(now));
        if let Some(end) = quiet
            && self.severity < Severity::Critical
        {
            return Step::Wait(end);
        }
        if !is_mail {
            return Step::Send;
        }
        match self.next_mail_at.filter(is_later) {
            Some(at) => Step::Wait(at),
            None if quiet.is_some() => Step::SendTogether(Severity::Critical),
            None => Step::SendTogether(Severity::Info),
        }
    }
}

#[cfg(test)]
mod tests {
    use pharos_domain::secret::Secret;
    use time::macros::datetime;

    use super::*;
    use crate::delivery::target::Target;

    const NOW: OffsetDateTime = datetime!(2026-01-10 12:00 UTC);
    const LATER: OffsetDateTime = datetime!(2026-01-10 12:03 UTC);
    const BEFORE: OffsetDateTime = datetime!(2026-01-10 11:59 UTC);

    fn settings(target: Target) -> ChannelSettings {
        ChannelSettings {
            name: "On call".to_owned(),
            target,
            min_severity: Severity::Info,
            modules: Vec::new(),
            quiet_hours: None,
        }
    }

    fn mail() -> ChannelSettings {
        settings(Target::Email {
            to: "on-call@shop.example".to_owned(),
        })
    }

    fn slack() -> ChannelSettings {
        settings(Target::Slack {
            url: Secret::from("https://hooks.slack.example/services/T/B/x".to_owned()),
        })
    }

    fn waiting(settings: &ChannelSettings) -> Waiting<'_> {
        Waiting {
            event: Event::Raised,
            state: DeliveryState::Queued,
            severity: Severity::Warning,
            taken_until: None,
            raised: None,
            settings,
            is_on: true,
            next_mail_at: None,
        }
    }

    #[test]
    fn it_is_sent_at_once_and_never_twice() {
        let slack = slack();
        assert_eq!(waiting(&slack).step(NOW), Step::Send);
        let sent = Waiting {
            state: DeliveryState::Sent,
            ..waiting(&slack)
        };
        assert_eq!(sent.step(NOW), Step::Done);
        // An operator had its job tried again.
        let failed = Waiting {
            state: DeliveryState::Failed,
            ..waiting(&slack)
        };
        assert_eq!(failed.step(NOW), Step::Send);
        let taken = |until| Waiting {
            taken_until: Some(until),
            ..waiting(&slack)
        };
        assert_eq!(taken(LATER).step(NOW), Step::Wait(LATER));
        assert_eq!(taken(BEFORE).step(NOW), Step::Send);
    }

    #[test]
    fn a_channel_that_is_off_gets_nothing() {
        let slack = slack();
        let off = Waiting {
            is_on: false,
            ..waiting(&slack)
        };
        assert_eq!(off.step(NOW), Step::Drop);
    }

    #[test]
    fn the_end_is_told_after_the_beginning_and_to_nobody_else() {
        let (slack, mail) = (slack(), mail());
        let end = |settings, raised| Waiting {
            event: Event::Resolved,
            raised: Some(raised),
            ..waiting(settings)
        };
        assert_eq!(end(&slack, DeliveryState::Sent).step(NOW), Step::Send);
        assert_eq!(end(&slack, DeliveryState::Failed).step(NOW), Step::Drop);
        assert_eq!(end(&slack, DeliveryState::Dropped).step(NOW), Step::Drop);
        let wait = Step::Wait(NOW + BEHIND_THE_FIRST);
        assert_eq!(end(&slack, DeliveryState::Queued).step(NOW), wait);
        let together = Step::SendTogether(Severity::Info);
        assert_eq!(end(&mail, DeliveryState::Queued).step(NOW), together);
    }

    #[test]
    fn mails_gather_what_comes_within_five_minutes() {
        let mail = mail();
        let together = Step::SendTogether(Severity::Info);
        assert_eq!(waiting(&mail).step(NOW), together);
        let gathering = |next_mail_at| Waiting {
            next_mail_at: Some(next_mail_at),
            ..waiting(&mail)
        };
        assert_eq!(gathering(LATER).step(NOW), Step::Wait(LATER));
        assert_eq!(gathering(BEFORE).step(NOW), together);
        let test = Waiting {
            event: Event::Test,
            ..gathering(LATER)
        };
        assert_eq!(test.step(NOW), Step::Send);
    }

    #[test]
    fn in_quiet_hours_only_what_is_critical_goes_out() {
        let quiet = |mut settings: ChannelSettings| {
            settings.quiet_hours = Some("11:00-14:00 UTC".parse().unwrap());
            settings
        };
        let (slack, mail) = (quiet(slack()), quiet(mail()));
        let end = Step::Wait(datetime!(2026-01-10 14:00 UTC));
        let critical = |settings| Waiting {
            severity: Severity::Critical,
            ..waiting(settings)
        };
        assert_eq!(waiting(&slack).step(NOW), end);
        assert_eq!(waiting(&mail).step(NOW), end);
        assert_eq!(critical(&slack).step(NOW), Step::Send);
        assert_eq!(critical(&mail).step(NOW), Step::SendTogether(Severity::Critical));
    }
}
