//! The next step of a delivery: whether it is sent now, later or never, and with which others.

use time::{Duration, OffsetDateTime};

use super::{
    channel::{ChannelSettings, DeliveryState},
    kind::ChannelKind,
    message::DeliveryEvent,
    send_error::LONGEST_PAUSE,
};
use crate::severity::Severity;

/// The pause between mails. Messages that come meanwhile go out together, as one mail.
pub const BETWEEN_MAILS: Duration = Duration::minutes(5);
/// The longest that a critical message waits for others that go along.
pub const BETWEEN_CRITICAL_MAILS: Duration = Duration::seconds(30);
/// How long a receiver that failed is left alone at first. Then it is left alone for as long as it has failed, which doubles
/// with each failure that follows at once.
pub const SHORTEST_REST: Duration = Duration::seconds(10);
/// The longest that it is left alone. A delivery that failed waits longer, for its own next attempt; later ones do not.
pub const LONGEST_REST: Duration = Duration::minutes(5);
/// The most deliveries that one mail covers. It is more than wait for a channel, so one mail drains a channel. The mail counts
/// those that it does not show.
pub const MOST_TOLD_TOGETHER: u16 = 5_000;
/// How long the message that something is over waits for the message that it began.
const BEHIND_THE_FIRST: Duration = Duration::seconds(15);
/// How long a delivery waits for a receiver that fails, before it is given up. A delivery that is tried itself is given up
/// earlier. This bound ends a delivery whose channel rested because others were tried.
const LONGEST_WAIT: Duration = Duration::hours(28);
/// How long the last rest of a receiver may be over while the receiver still counts as failing.
const LATELY: Duration = Duration::HOUR;
/// How far a clock may be set back without a pause looking longer than any is.
const SET_BACK: Duration = Duration::seconds(5);

/// A delivery whose job is at work, and its channel.
#[derive(Clone, Copy, Debug)]
pub struct Waiting<'a> {
    /// The event that it tells of.
    pub event: DeliveryEvent,
    /// How far it is.
    pub state: DeliveryState,
    /// How bad its subject is.
    pub severity: Severity,
    /// When it was queued: when it was made, or was last sent again.
    pub queued_at: OffsetDateTime,
    /// Until when another job sends it.
    pub taken_until: Option<OffsetDateTime>,
    /// The state of the delivery of the beginning. Only the delivery of an end has one.
    pub raised: Option<DeliveryState>,
    /// Whether it is sent in a mail of its own, since one with others in it was refused.
    pub is_alone: bool,
    /// The channel's settings.
    pub settings: &'a ChannelSettings,
    /// Whether the channel is on.
    pub is_on: bool,
    /// The next attempt at that delivery, where it is still to be sent.
    pub raised_due_at: Option<OffsetDateTime>,
    /// Until when another job sends that delivery.
    pub raised_taken_until: Option<OffsetDateTime>,
    /// Until when nothing is sent, because mails gather, or because a receiver that failed is left alone.
    pub next_send_at: Option<OffsetDateTime>,
    /// The first of the channel's failures since the last success; `None`: the last attempt worked.
    pub failing_since: Option<OffsetDateTime>,
    /// Whether the channel rests: something that failed is to be tried again. A delivery that was refused for good says nothing
    /// of others, so mails go on gathering.
    pub rests: bool,
    /// Until when another delivery of the channel is under way, if the channel has failed. Only one is tried at a time, so that
    /// a dead receiver keeps few workers waiting.
    pub tried_until: Option<OffsetDateTime>,
}

/// The next step of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryStep {
    /// It was sent already, with others, or dropped.
    Done,
    /// Nobody is to get it any more.
    Drop,
    /// Its receiver has failed for longer than a delivery waits.
    GiveUp,
    /// It waits for this moment.
    Wait(OffsetDateTime),
    /// It is sent alone.
    Send,
    /// It is sent in one mail with deliveries that wait for the same channel and are this severe, or more.
    SendTogether(Severity),
}

impl Waiting<'_> {
    /// The next step at `now`.
    #[must_use]
    pub fn step(&self, now: OffsetDateTime) -> DeliveryStep {
        let is_later = |at: &OffsetDateTime| *at > now;
        let is_mail = self.settings.target.kind() == ChannelKind::Email;
        if matches!(self.state, DeliveryState::Sent | DeliveryState::Dropped) {
            return DeliveryStep::Done;
        }
        if !self.is_on {
            return DeliveryStep::Drop;
        }
        match self.raised {
            Some(DeliveryState::Failed | DeliveryState::Dropped) => return DeliveryStep::Drop,
            // In a mail with others both are shown together, in their order.
            Some(DeliveryState::Queued) if !is_mail || self.is_alone => {
                let soon = now + BEHIND_THE_FIRST;
                return DeliveryStep::Wait(self.raised_due_at.map_or(soon, |due| due.max(soon)));
            }
            // The beginning is on its way in another mail.
            Some(DeliveryState::Queued) if self.raised_taken_until.as_ref().is_some_and(is_later) => {
                return DeliveryStep::Wait(now + BEHIND_THE_FIRST);
            }
            Some(DeliveryState::Queued | DeliveryState::Sent) | None => {}
        }
        if let Some(until) = self.taken_until.filter(is_later) {
            return DeliveryStep::Wait(until);
        }
        if self.event == DeliveryEvent::Test {
            return DeliveryStep::Send;
        }
        let quiet = self
            .settings
            .quiet_hours
            .as_ref()
            .and_then(|hours| hours.end(now));
        if let Some(end) = quiet
            && self.severity < Severity::Critical
        {
            return DeliveryStep::Wait(end);
        }
        if self.is_too_late(now) {
            return DeliveryStep::GiveUp;
        }
        if let Some(at) = self.due_at(now).filter(is_later) {
            return DeliveryStep::Wait(at);
        }
        if let Some(until) = self.tried_until.filter(is_later) {
            return DeliveryStep::Wait(until.min(now + BEHIND_THE_FIRST));
        }
        match (is_mail && !self.is_alone, quiet) {
            (false, _) => DeliveryStep::Send,
            (true, Some(_)) => DeliveryStep::SendTogether(Severity::Critical),
            (true, None) => DeliveryStep::SendTogether(Severity::Info),
        }
    }

    /// Whether its receiver has failed for as long as a delivery waits, so that people no longer need to hear of it. Quiet
    /// hours do not count, nor does time in which nobody tried; and a dead letter that is sent again begins anew. If nobody has
    /// tried lately, as after a night without a worker, it is tried first.
    fn is_too_late(&self, now: OffsetDateTime) -> bool {
        let quiet_hours = self.settings.quiet_hours.as_ref();
        let longest = match quiet_hours.filter(|_| self.severity < Severity::Critical) {
            Some(hours) => hours.around(LONGEST_WAIT),
            None => LONGEST_WAIT,
        };
        self.state == DeliveryState::Queued
            && self.next_send_at.is_some_and(|at| now - at < LATELY)
            && self
                .failing_since
                .is_some_and(|since| now - since.max(self.queued_at) >= longest)
    }

    /// When the channel takes it. While mails gather, a message that something critical began follows soon after the mail
    /// before, and a delivery that is sent alone does not wait.
    fn due_at(&self, now: OffsetDateTime) -> Option<OffsetDateTime> {
        let is_urgent = self.severity == Severity::Critical && self.event == DeliveryEvent::Raised;
        let gathers = self.settings.target.kind() == ChannelKind::Email && !self.rests;
        if gathers && self.is_alone {
            return None;
        }
        self.next_send_at(now).map(|at| match is_urgent && gathers {
            true => at - BETWEEN_MAILS + BETWEEN_CRITICAL_MAILS,
            false => at,
        })
    }

    /// Until when nothing is sent. A moment further ahead than any pause was written by a clock that was ahead, and is ignored.
    /// Only a receiver that failed may have asked for a long pause, and no mail server does; a failure that lies ahead is of
    /// such a clock itself.
    fn next_send_at(&self, now: OffsetDateTime) -> Option<OffsetDateTime> {
        let may_have_asked = self.settings.target.kind() != ChannelKind::Email
            && self.failing_since.is_some_and(|since| since <= now + SET_BACK);
        let last = match may_have_asked {
            true => now + LONGEST_PAUSE,
            false => now + BETWEEN_MAILS.max(LONGEST_REST),
        };
        self.next_send_at.filter(|at| *at <= last + SET_BACK)
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
            event: DeliveryEvent::Raised,
            state: DeliveryState::Queued,
            severity: Severity::Warning,
            queued_at: BEFORE,
            taken_until: None,
            raised: None,
            raised_due_at: None,
            raised_taken_until: None,
            is_alone: false,
            settings,
            is_on: true,
            next_send_at: None,
            failing_since: None,
            rests: false,
            tried_until: None,
        }
    }

    #[test]
    fn it_is_sent_at_once_and_never_twice() {
        let slack = slack();
        assert_eq!(waiting(&slack).step(NOW), DeliveryStep::Send);
        let sent = Waiting {
            state: DeliveryState::Sent,
            ..waiting(&slack)
        };
        assert_eq!(sent.step(NOW), DeliveryStep::Done);
        // An operator had its job tried again.
        let failed = Waiting {
            state: DeliveryState::Failed,
            ..waiting(&slack)
        };
        assert_eq!(failed.step(NOW), DeliveryStep::Send);
        let taken = |until| Waiting {
            taken_until: Some(until),
            ..waiting(&slack)
        };
        assert_eq!(taken(LATER).step(NOW), DeliveryStep::Wait(LATER));
        assert_eq!(taken(BEFORE).step(NOW), DeliveryStep::Send);
    }

    #[test]
    fn a_channel_that_is_off_gets_nothing() {
        let slack = slack();
        let off = Waiting {
            is_on: false,
            ..waiting(&slack)
        };
        assert_eq!(off.step(NOW), DeliveryStep::Drop);
    }

    #[test]
    fn the_end_is_told_after_the_beginning_and_to_nobody_else() {
        let (slack, mail) = (slack(), mail());
        let end = |settings, raised| Waiting {
            event: DeliveryEvent::Resolved,
            raised: Some(raised),
            ..waiting(settings)
        };
        assert_eq!(end(&slack, DeliveryState::Sent).step(NOW), DeliveryStep::Send);
        assert_eq!(end(&slack, DeliveryState::Failed).step(NOW), DeliveryStep::Drop);
        assert_eq!(end(&slack, DeliveryState::Dropped).step(NOW), DeliveryStep::Drop);
        let wait = DeliveryStep::Wait(NOW + BEHIND_THE_FIRST);
        assert_eq!(end(&slack, DeliveryState::Queued).step(NOW), wait);
        let retried = |at| Waiting {
            raised_due_at: Some(at),
            ..end(&slack, DeliveryState::Queued)
        };
        assert_eq!(retried(LATER).step(NOW), DeliveryStep::Wait(LATER));
        assert_eq!(retried(BEFORE).step(NOW), wait);
        let together = DeliveryStep::SendTogether(Severity::Info);
        assert_eq!(end(&mail, DeliveryState::Queued).step(NOW), together);
        let under_way = |until| Waiting {
            raised_taken_until: Some(until),
            ..end(&mail, DeliveryState::Queued)
        };
        assert_eq!(under_way(LATER).step(NOW), wait, "another mail tells of it");
        assert_eq!(under_way(BEFORE).step(NOW), together);
    }

    #[test]
    fn mails_gather_what_comes_within_five_minutes() {
        let mail = mail();
        let together = DeliveryStep::SendTogether(Severity::Info);
        assert_eq!(waiting(&mail).step(NOW), together);
        let gathering = |next_send_at| Waiting {
            next_send_at: Some(next_send_at),
            ..waiting(&mail)
        };
        assert_eq!(gathering(LATER).step(NOW), DeliveryStep::Wait(LATER));
        assert_eq!(gathering(BEFORE).step(NOW), together);
        let test = Waiting {
            event: DeliveryEvent::Test,
            ..gathering(LATER)
        };
        assert_eq!(test.step(NOW), DeliveryStep::Send);
    }

    #[test]
    fn what_was_refused_with_others_is_sent_alone_and_still_in_its_order() {
        let mail = mail();
        let alone = Waiting {
            is_alone: true,
            next_send_at: Some(LATER),
            ..waiting(&mail)
        };
        assert_eq!(alone.step(NOW), DeliveryStep::Send, "it gathers nothing");
        let failing = Waiting {
            failing_since: Some(BEFORE),
            rests: true,
            ..alone
        };
        assert_eq!(failing.step(NOW), DeliveryStep::Wait(LATER));
        let end = |raised| Waiting {
            event: DeliveryEvent::Resolved,
            raised: Some(raised),
            ..alone
        };
        let behind = DeliveryStep::Wait(NOW + BEHIND_THE_FIRST);
        assert_eq!(end(DeliveryState::Queued).step(NOW), behind);
        assert_eq!(end(DeliveryState::Sent).step(NOW), DeliveryStep::Send);
    }

    #[test]
    fn what_is_critical_waits_for_no_lesser_mail() {
        let mail = mail();
        // The mail before went out two minutes ago.
        let critical = Waiting {
            severity: Severity::Critical,
            next_send_at: Some(LATER),
            ..waiting(&mail)
        };
        let together = DeliveryStep::SendTogether(Severity::Info);
        assert_eq!(critical.step(NOW), together);
        // It went out just now: what comes with it comes in one mail.
        let storm = Waiting {
            next_send_at: Some(NOW + BETWEEN_MAILS),
            ..critical
        };
        assert_eq!(storm.step(NOW), DeliveryStep::Wait(NOW + Duration::seconds(30)));
        let end = Waiting {
            event: DeliveryEvent::Resolved,
            ..critical
        };
        assert_eq!(end.step(NOW), DeliveryStep::Wait(LATER), "its end has time");
        let failing = Waiting {
            failing_since: Some(BEFORE),
            rests: true,
            ..critical
        };
        assert_eq!(
            failing.step(NOW),
            DeliveryStep::Wait(LATER),
            "the mail server is away"
        );
    }

    #[test]
    fn a_receiver_that_failed_is_left_alone_and_then_tried_by_one_at_a_time() {
        let slack = slack();
        let failed = Waiting {
            next_send_at: Some(LATER),
            ..waiting(&slack)
        };
        assert_eq!(failed.step(NOW), DeliveryStep::Wait(LATER));
        let tried = |until| Waiting {
            tried_until: Some(until),
            ..waiting(&slack)
        };
        assert_eq!(tried(LATER).step(NOW), DeliveryStep::Wait(NOW + BEHIND_THE_FIRST));
        assert_eq!(tried(BEFORE).step(NOW), DeliveryStep::Send);
        let test = Waiting {
            event: DeliveryEvent::Test,
            ..failed
        };
        assert_eq!(test.step(NOW), DeliveryStep::Send);
    }

    #[test]
    fn what_waits_for_a_receiver_that_has_failed_for_a_day_is_given_up() {
        let slack = slack();
        let began = NOW - LONGEST_WAIT;
        let late = Waiting {
            queued_at: began,
            failing_since: Some(began),
            next_send_at: Some(LATER),
            ..waiting(&slack)
        };
        assert_eq!(late.step(NOW), DeliveryStep::GiveUp);
        assert_eq!(late.step(NOW - Duration::SECOND), DeliveryStep::Wait(LATER));
        let rested_until = |at| Waiting {
            next_send_at: Some(at),
            ..late
        };
        assert_eq!(rested_until(BEFORE).step(NOW), DeliveryStep::GiveUp);
        assert_eq!(
            rested_until(NOW - Duration::hours(20)).step(NOW),
            DeliveryStep::Send,
            "nobody has tried lately"
        );
        let fails_since = |failing_since| Waiting {
            failing_since,
            next_send_at: None,
            ..late
        };
        assert_eq!(
            fails_since(Some(BEFORE)).step(NOW),
            DeliveryStep::Send,
            "nobody has tried"
        );
        assert_eq!(fails_since(None).step(NOW), DeliveryStep::Send);
        let new = Waiting {
            queued_at: BEFORE,
            failing_since: Some(began),
            ..late
        };
        assert_eq!(new.step(NOW), DeliveryStep::Wait(LATER));
        let dead_letter = Waiting {
            state: DeliveryState::Failed,
            next_send_at: None,
            ..late
        };
        assert_eq!(
            dead_letter.step(NOW),
            DeliveryStep::Send,
            "somebody sends it again"
        );
    }

    #[test]
    fn quiet_hours_do_not_count_for_what_waits_in_them() {
        let mut slack = slack();
        slack.quiet_hours = Some("20:00-08:00 UTC".parse().unwrap());
        let waits = |severity, days_ago: i64| {
            let began = NOW - Duration::hours(28) - Duration::days(days_ago);
            Waiting {
                severity,
                queued_at: began,
                failing_since: Some(began),
                next_send_at: Some(BEFORE),
                ..waiting(&slack)
            }
        };
        assert_eq!(waits(Severity::Warning, 0).step(NOW), DeliveryStep::Send);
        assert_eq!(waits(Severity::Critical, 0).step(NOW), DeliveryStep::GiveUp);
        assert_eq!(waits(Severity::Warning, 2).step(NOW), DeliveryStep::GiveUp);
        let night = datetime!(2026-01-10 21:00 UTC);
        let end = DeliveryStep::Wait(datetime!(2026-01-11 08:00 UTC));
        assert_eq!(waits(Severity::Warning, 2).step(night), end);
    }

    #[test]
    fn a_pause_that_a_clock_ahead_has_begun_is_over_once_the_clock_is_right() {
        let (slack, mail) = (slack(), mail());
        let paused = |settings, failing_since, pause: Duration| Waiting {
            failing_since,
            next_send_at: Some(NOW + pause),
            ..waiting(settings)
        };
        let waits = |pause: Duration| DeliveryStep::Wait(NOW + pause);
        let (rest, asked) = (LONGEST_REST, Duration::HOUR);
        assert_eq!(paused(&slack, Some(BEFORE), rest).step(NOW), waits(rest));
        assert_eq!(paused(&slack, Some(BEFORE), asked).step(NOW), waits(asked));
        assert_eq!(paused(&mail, None, rest).step(NOW), waits(rest));
        assert_eq!(paused(&mail, Some(BEFORE), rest).step(NOW), waits(rest));

        let together = DeliveryStep::SendTogether(Severity::Info);
        for failing_since in [None, Some(BEFORE), Some(NOW + Duration::HOUR)] {
            assert_eq!(paused(&mail, failing_since, Duration::HOUR).step(NOW), together);
        }
        let failed_ahead = paused(&slack, Some(NOW + Duration::HOUR), Duration::HOUR + rest);
        assert_eq!(failed_ahead.step(NOW), DeliveryStep::Send);
        let asked_ahead = paused(&slack, Some(BEFORE), asked + Duration::HOUR);
        assert_eq!(asked_ahead.step(NOW), DeliveryStep::Send);
    }

    #[test]
    fn in_quiet_hours_only_what_is_critical_goes_out() {
        let quiet = |mut settings: ChannelSettings| {
            settings.quiet_hours = Some("11:00-14:00 UTC".parse().unwrap());
            settings
        };
        let (slack, mail) = (quiet(slack()), quiet(mail()));
        let end = DeliveryStep::Wait(datetime!(2026-01-10 14:00 UTC));
        let critical = |settings| Waiting {
            severity: Severity::Critical,
            ..waiting(settings)
        };
        assert_eq!(waiting(&slack).step(NOW), end);
        assert_eq!(waiting(&mail).step(NOW), end);
        assert_eq!(critical(&slack).step(NOW), DeliveryStep::Send);
        assert_eq!(
            critical(&mail).step(NOW),
            DeliveryStep::SendTogether(Severity::Critical)
        );
    }
}
