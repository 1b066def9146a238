//! Mails about their reader's own account: no alerts, and none that come again.

use lettre::{Address, message::MultiPart};
use maud::{DOCTYPE, html};

use super::{
    mail::{AutoSubmitted, Mailer},
    send_error::SendError,
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
    /// What the link does, for those who see it as one.
    pub label: &'a str,
    /// The sentences behind it.
    pub after: &'a str,
}

impl Letter<'_> {
    /// The letter as text.
    fn text(&self) -> String {
        let Self {
            before, link, after, ..
        } = self;
        format!("{before}\n\n{link}\n\n{after}\n")
    }

    /// The letter as HTML.
    fn html(&self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.subject) }
                }
                body style="margin:0;padding:24px;font-family:system-ui,sans-serif;color:#1c1c1c;background:#f4f4f4" {
                    div style="max-width:568px;margin:0 auto;padding:16px;background:#fff;font-size:15px;line-height:1.45" {
                        p style="margin:0 0 16px" { (self.before) }
                        p style="margin:0 0 16px" { a href=(self.link) { (self.label) } }
                        p style="margin:0;font-size:13px;color:#5c5c5c" { (self.after) }
                    }
                }
            }
        };
        page.into_string()
    }
}

impl Mailer {
    /// Sends one letter.
    ///
    /// # Errors
    /// Why the mail server did not take it, as far as is known.
    pub async fn send_letter(&self, to: &str, letter: &Letter<'_>) -> Result<(), SendError> {
        self.hand_over(self.written(to, letter)?).await
    }

    fn written(&self, to: &str, letter: &Letter<'_>) -> Result<lettre::Message, SendError> {
        let to: Address = to
            .parse()
            .map_err(|_| SendError::never("the mail address is not one"))?;
        lettre::Message::builder()
            .from(self.from.clone())
            .to(to.into())
            .subject(letter.subject)
            .message_id(None)
            .header(AutoSubmitted::generated())
            .multipart(MultiPart::alternative_plain_html(letter.text(), letter.html()))
            .map_err(|error| SendError::never(format!("the mail can't be written: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use pharos_domain::secret::Secret;

    use super::*;
    use crate::delivery::{mail::SmtpSettings, send_error::NextAttempt};

    const LETTER: Letter<'_> = Letter {
        subject: "Set a new password",
        before: "<b>Ada</b> made a link:",
        link: "https://pharos.example/console/welcome/psl_x",
        label: "Set it",
        after: "It is good once.",
    };

    #[test]
    fn a_letter_goes_to_one_reader_and_is_no_list() {
        let settings = SmtpSettings {
            url: Secret::from("smtps://mail.example".to_owned()),
            from: "Pharos <pharos@mail.example>".to_owned(),
            extra_roots: None,
        };
        let mailer = Mailer::new(&settings).unwrap();
        let mail = mailer.written("bo@example.org", &LETTER).unwrap();
        let mail = String::from_utf8(mail.formatted()).unwrap();
        for header in [
            "Subject: Set a new password\r\n",
            "To: bo@example.org\r\n",
            "Auto-Submitted: auto-generated\r\n",
            "Message-ID: <",
        ] {
            assert!(mail.contains(header), "{header} in {mail}");
        }
        assert!(!mail.contains("List-Unsubscribe"), "{mail}");
        for to in [
            "nobody",
            "a@example.org, b@example.org",
            "a@example.org\r\nBcc: b@example.org",
        ] {
            let refused = mailer.written(to, &LETTER).unwrap_err();
            assert_eq!(refused.next, NextAttempt::Never, "{to}");
        }
    }

    #[test]
    fn both_parts_have_the_link_and_markup_is_escaped() {
        assert_eq!(
            LETTER.text(),
            "<b>Ada</b> made a link:\n\nhttps://pharos.example/console/welcome/psl_x\n\nIt is good once.\n"
        );
        let html = LETTER.html();
        assert!(html.contains("&lt;b&gt;Ada&lt;/b&gt; made a link:"), "{html}");
        assert!(
            html.contains("<a href=\"https://pharos.example/console/welcome/psl_x\">Set it</a>"),
            "{html}"
        );
    }
}
