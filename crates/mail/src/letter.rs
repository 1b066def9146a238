//! Mails about their reader's own account: no alerts, and none that come again.

use maud::html;
use uuid::Uuid;

use crate::{
    frame::{PLAIN, card, page, paragraph},
    mail::Mail,
};

/// A mail about its reader's own account, with a link.
#[derive(Clone, Copy, Debug)]
pub struct Letter<'a> {
    /// The subject.
    pub subject: &'a str,
    /// The sentences before the link.
    pub before: &'a str,
    /// The link.
    pub link: &'a str,
    /// The words of the link, for those who see it as one.
    pub label: &'a str,
    /// The sentences behind it.
    pub after: &'a str,
}

impl Letter<'_> {
    /// The mail to that address.
    #[must_use]
    pub fn to(&self, address: &str) -> Mail {
        let Self {
            subject,
            before,
            link,
            label,
            after,
        } = *self;
        let content = html! {
            (paragraph(&html! { (before) }))
            (paragraph(&html! { a href=(link) { (label) } }))
        };
        Mail {
            id: Uuid::now_v7(),
            thread: None,
            to: address.to_owned(),
            subject: subject.to_owned(),
            text: format!("{before}\n\n{link}\n\n{after}\n"),
            html: page(subject, &card(PLAIN, subject, &content), &html! { (after) }),
            unsubscribe: None,
            attachment: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_parts_have_the_link_and_markup_is_escaped() {
        let letter = Letter {
            subject: "Set a new password",
            before: "<b>Ada</b> made a link:",
            link: "https://pharos.example/console/welcome/psl_x",
            label: "Set it",
            after: "It is good once.",
        };
        let mail = letter.to("bo@example.org");
        assert_eq!(
            mail.text,
            "<b>Ada</b> made a link:\n\nhttps://pharos.example/console/welcome/psl_x\n\nIt is good once.\n"
        );
        assert!(
            mail.html.contains("&lt;b&gt;Ada&lt;/b&gt; made a link:"),
            "{}",
            mail.html
        );
        let link = "<a href=\"https://pharos.example/console/welcome/psl_x\">Set it</a>";
        assert!(mail.html.contains(link), "{}", mail.html);
        assert_eq!(mail.unsubscribe, None, "it is no list");
    }
}
