//! The texts of mails.

use maud::{DOCTYPE, Markup, html};

use super::{
    message::{DeliveryEvent, Message},
    text::cut,
};

/// The characters of a subject.
const SUBJECT: usize = 150;
/// The characters of one message.
const BODY: usize = 5_000;

/// The subject: the worst that goes on, and how many messages there are.
pub(super) fn subject(messages: &[Message]) -> String {
    // Of several the newest.
    let worst = messages.iter().max_by_key(|message| {
        (
            message.event != DeliveryEvent::Resolved,
            message.severity,
            message.at(),
        )
    });
    let worst = worst.map(Message::headline).unwrap_or_default();
    match messages.len() {
        0 | 1 => cut(&worst, SUBJECT),
        count => cut(&format!("{count} messages: {worst}"), SUBJECT),
    }
}

/// The mail as text.
pub(super) fn text(messages: &[Message], unsubscribe: &str) -> String {
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
    text.push_str(&format!(
        "Pharos sent you this. To end such mails: {unsubscribe}\n"
    ));
    text
}

/// The mail as HTML. Texts are escaped where they are put in.
pub(super) fn html(messages: &[Message], unsubscribe: &str) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (subject(messages)) }
            }
            body style="margin:0;padding:24px;font-family:system-ui,sans-serif;color:#1c1c1c;background:#f4f4f4" {
                @for message in messages { (card(message)) }
                p style="max-width:600px;margin:16px auto;font-size:13px;color:#5c5c5c" {
                    "Pharos sent you this. " a href=(unsubscribe) { "End such mails" }
                }
            }
        }
    };
    page.into_string()
}

fn card(message: &Message) -> Markup {
    let colour = format!("#{:06x}", message.colour());
    html! {
        div style={
            "max-width:568px;margin:0 auto 16px;padding:16px;background:#fff;border-left:4px solid " (colour)
        } {
            h1 style="margin:0 0 8px;font-size:18px" { (message.headline()) }
            @for line in cut(&message.text(), BODY).lines() {
                p style="margin:0 0 8px;font-size:15px;line-height:1.45" { (line) }
            }
            @if let Some(link) = &message.link {
                p style="margin:0 0 8px;font-size:15px" { a href=(link) { "Look at it" } }
            }
            p style="margin:0;font-size:13px;color:#5c5c5c" { (message.small_print()) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::delivery::message::fixture::{firing, hostile, over};

    #[test]
    fn the_subject_tells_of_the_worst_and_how_many_there_are() {
        assert_eq!(subject(&[firing()]), "shop.example: Incidents reached 1");
        assert_eq!(subject(&[over()]), "Resolved: shop.example: Incidents reached 1");
        assert_eq!(
            subject(&[over(), firing()]),
            "2 messages: shop.example: Incidents reached 1"
        );
    }

    #[test]
    fn both_forms_tell_all_messages_and_the_link() {
        for form in [text, html] {
            let form = form(&[firing(), over()], "https://pharos.example/end");
            for part in [
                "Resolved: shop.example: Incidents reached 1",
                "The rule fires from 1 on.",
                "2026-01-10T12:07:00Z",
                "https://pharos.example/end",
            ] {
                assert!(form.contains(part), "{part} in {form}");
            }
        }
    }

    #[test]
    fn markup_of_people_and_sites_is_escaped() {
        let html = html(&[hostile()], "https://pharos.example/end");
        assert!(
            !html.contains("<script") && html.contains("&lt;script&gt;"),
            "{html}"
        );
    }
}
