//! Messages as mails, several in one.

use std::cmp::Reverse;

use maud::{Markup, html};
use pharos_mail::{frame, mail::Mail};
use ring::digest;
use time::OffsetDateTime;
use uuid::{Builder, Uuid};

use super::{
    message::{DeliveryEvent, Message},
    text::cut,
};
use crate::severity::Severity;

/// The most messages that one mail shows; it counts the others.
const MOST_SHOWN: usize = 100;
/// The characters of a subject.
const SUBJECT: usize = 150;
/// The characters of one message.
const BODY: usize = 5_000;

/// The messages that stand in a mail, and those that it counts: the worst stand in it, and of those the newest.
pub(super) fn split(mut messages: Vec<Message>) -> (Vec<Message>, Vec<Message>) {
    if messages.len() <= MOST_SHOWN {
        return (messages, Vec::new());
    }
    messages.sort_by_key(|message| Reverse(rank(message)));
    let counted = messages.split_off(MOST_SHOWN);
    messages.sort_by_key(Message::at);
    (messages, counted)
}

/// One mail with all these messages, the oldest first, which counts others; `None`: there are none. By the link `unsubscribe` its
/// reader ends such mails.
pub(super) fn mail(to: &str, messages: &[Message], counted: &[Message], unsubscribe: &str) -> Option<Mail> {
    if messages.is_empty() {
        return None;
    }
    let more = counted.len();
    Some(Mail {
        id: id(messages, counted),
        // The beginning and the end are one thread.
        thread: match messages {
            [one] => one.notification_id.map(|notification| notification.0),
            _ => None,
        },
        to: to.to_owned(),
        subject: subject(messages, more),
        text: text(messages, more, unsubscribe),
        html: html(messages, more, unsubscribe),
        unsubscribe: Some(unsubscribe.to_owned()),
        attachment: None,
    })
}

/// An id that is made of the deliveries of the mail, in whatever order they stand: the same mail has it again when it is tried
/// again, and a mail that has more or less in it has another, since programs show one of those with the same id.
fn id(messages: &[Message], counted: &[Message]) -> Uuid {
    let deliveries = messages.iter().chain(counted).flat_map(Message::deliveries);
    let mut deliveries: Vec<Uuid> = deliveries.map(|delivery| delivery.0).collect();
    deliveries.sort_unstable();
    let mut hash = digest::Context::new(&digest::SHA256);
    for delivery in &deliveries {
        hash.update(delivery.as_bytes());
    }
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash.finish().as_ref()[..16]);
    Builder::from_custom_bytes(bytes).into_uuid()
}

/// The rank of a message: the newest of the worst that go on comes last.
fn rank(message: &Message) -> (bool, Severity, OffsetDateTime) {
    (
        message.event != DeliveryEvent::Resolved,
        message.severity,
        message.at(),
    )
}

/// How many messages do not stand in the mail; `None`: all do.
fn others(more: usize) -> Option<String> {
    (more > 0).then(|| {
        format!("{more} more came meanwhile. \u{201c}Notifications\u{201d} in the console lists all.")
    })
}

/// The subject: the worst that goes on, and of several messages how many there are and how bad it is.
fn subject(messages: &[Message], more: usize) -> String {
    let Some(worst) = messages.iter().max_by_key(|message| rank(message)) else {
        return String::new();
    };
    let headline = worst.headline();
    let subject = match (messages.len() + more, worst.event) {
        (..=1, _) => headline,
        // A resolved alert is over, so the subject names no severity.
        (count, DeliveryEvent::Resolved) => format!("{count} messages: {headline}"),
        (count, DeliveryEvent::Raised | DeliveryEvent::Test) => {
            format!("{count} messages, up to {}: {headline}", worst.severity)
        }
    };
    cut(&subject, SUBJECT)
}

/// The mail as text.
fn text(messages: &[Message], more: usize, unsubscribe: &str) -> String {
    let mut text = String::new();
    for message in messages {
        let (headline, body, small) = (
            message.headline(),
            cut(&message.text(), BODY),
            message.small_print(),
        );
        let link = message
            .link
            .as_deref()
            .map(|link| format!("{link}\n\n"))
            .unwrap_or_default();
        text.push_str(&format!("{headline}\n\n{body}\n\n{link}{small}\n\n-----\n\n"));
    }
    if let Some(others) = others(more) {
        text.push_str(&format!("{others}\n\n-----\n\n"));
    }
    text.push_str(&format!(
        "Pharos sent you this. To end such mails: {unsubscribe}\n"
    ));
    text
}

/// The mail as HTML. Texts are escaped where they are put in.
fn html(messages: &[Message], more: usize, unsubscribe: &str) -> String {
    let cards = html! {
        @for message in messages { (card(message)) }
        @if let Some(others) = others(more) { (frame::paragraph(&html! { (others) })) }
    };
    let reason = html! { "Pharos sent you this. " a href=(unsubscribe) { "End such mails" } };
    frame::page(&subject(messages, more), &cards, &reason)
}

fn card(message: &Message) -> Markup {
    let content = html! {
        @for line in cut(&message.text(), BODY).lines() {
            (frame::paragraph(&html! { (line) }))
        }
        @if let Some(link) = &message.link {
            (frame::paragraph(&html! { a href=(link) { "Look at it" } }))
        }
        (frame::small_print(&message.small_print()))
    };
    frame::card(message.colour(), &message.headline(), &content)
}

#[cfg(test)]
mod tests {
    use pharos_domain::ids::DeliveryId;
    use time::Duration;

    use super::*;
    use crate::delivery::message::fixture::{firing, hostile, over};

    #[test]
    fn the_subject_tells_of_the_worst_and_how_many_there_are() {
        assert_eq!(subject(&[firing()], 0), "shop.example: Incidents reached 1");
        assert_eq!(
            subject(&[over()], 0),
            "Resolved: shop.example: Incidents reached 1"
        );
        assert_eq!(
            subject(&[over(), firing()], 0),
            "2 messages, up to critical: shop.example: Incidents reached 1"
        );
        let warning = Message {
            severity: Severity::Warning,
            title: "shop.example: It is slow".to_owned(),
            ..firing()
        };
        assert_eq!(
            subject(&[warning.clone(), firing(), over()], 0),
            "3 messages, up to critical: shop.example: Incidents reached 1",
            "not that of the first"
        );
        assert_eq!(
            subject(&[over(), warning], 0),
            "2 messages, up to warning: shop.example: It is slow"
        );
        assert_eq!(
            subject(&[over(), over()], 0),
            "2 messages: Resolved: shop.example: Incidents reached 1"
        );
    }

    #[test]
    fn the_beginning_and_the_end_are_one_thread() {
        let thread = |messages: &[Message]| mail("on-call@shop.example", messages, &[], "").unwrap().thread;
        assert!(thread(&[firing()]).is_some());
        assert_eq!(thread(&[firing()]), thread(&[over()]));
        assert_eq!(thread(&[firing(), over()]), None);
    }

    #[test]
    fn a_mail_has_the_same_id_at_each_attempt_and_another_mail_has_another() {
        let id = |messages: &[Message]| mail("on-call@shop.example", messages, &[], "").unwrap().id;
        let merged = || Message {
            beginning: Some(firing().id),
            ..over()
        };
        let both = id(&[firing(), over()]);
        assert_eq!(both, id(&[firing(), over()]));
        assert_eq!(both, id(&[over(), firing()]));
        assert_eq!(both, id(&[merged()]), "the same deliveries");
        assert_ne!(both, id(&[firing()]));
        assert_ne!(both, id(&[over()]));
        assert_ne!(id(&[firing()]), id(&[over()]));
    }

    #[test]
    fn both_forms_tell_all_messages_and_the_link() {
        for form in [text, html] {
            let form = form(&[firing(), over()], 0, "https://pharos.example/end");
            for part in [
                "Resolved: shop.example: Incidents reached 1",
                "The rule fires from 1 on.",
                "shop.example \u{b7} critical \u{b7} 10 January 2026 at 12:07 UTC",
                "https://pharos.example/end",
            ] {
                assert!(form.contains(part), "{part} in {form}");
            }
        }
    }

    /// The worst stand in it, in their order, whenever they came.
    #[test]
    fn a_mail_counts_what_does_not_stand_in_it() {
        let at = |minute: i64, severity| Message {
            id: DeliveryId(Uuid::from_u128(100 + u128::from(minute.unsigned_abs()))),
            severity,
            created_at: firing().created_at + Duration::minutes(minute),
            ..firing()
        };
        let mut messages: Vec<Message> = (1..=250).map(|minute| at(minute, Severity::Warning)).collect();
        messages.insert(0, at(0, Severity::Critical));
        let (shown, counted) = split(messages.clone());
        assert_eq!((shown.len(), counted.len()), (MOST_SHOWN, 151));
        assert_eq!(shown[0], messages[0]);
        assert_eq!(shown[1..], messages[152..]);
        let made = mail("on-call@shop.example", &shown, &counted, "").unwrap();
        assert!(
            made.subject.starts_with("251 messages, up to critical: "),
            "{}",
            made.subject
        );
        for form in [&made.text, &made.html] {
            assert!(form.contains("151 more came meanwhile"), "{form}");
        }
        assert_ne!(made.id, mail("on-call@shop.example", &shown, &[], "").unwrap().id);
        messages.truncate(MOST_SHOWN);
        let (shown, counted) = split(messages.clone());
        assert_eq!((&shown, counted.len()), (&messages, 0));
        assert!(!text(&shown, 0, "").contains("more came"));
    }

    #[test]
    fn markup_of_people_and_sites_is_escaped() {
        let html = html(&[hostile()], 0, "https://pharos.example/end");
        assert!(
            !html.contains("<script") && html.contains("&lt;script&gt;"),
            "{html}"
        );
    }
}
