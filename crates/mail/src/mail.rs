//! A mail before it is sent.

use lettre::{Address, message::Mailboxes};
use uuid::Uuid;

/// The longest mail address (RFC 5321, section 4.5.3.1.3), in bytes.
const LONGEST_ADDRESS: usize = 254;

/// Whether the text is a mail address, without a name beside it, that a mail can be written to: the receivers of a mail are read
/// from its header, which takes fewer forms than an address has.
#[must_use]
pub fn is_address(text: &str) -> bool {
    text.len() <= LONGEST_ADDRESS && text.parse::<Address>().is_ok() && text.parse::<Mailboxes>().is_ok()
}

/// A mail before it is sent.
#[derive(Clone, PartialEq, Eq)]
pub struct Mail {
    /// The same at each attempt, so that a mail that arrived twice is shown once.
    pub id: Uuid,
    /// Mails of one thread have the same; `None`: it stands alone.
    pub thread: Option<Uuid>,
    /// The address of its reader.
    pub to: String,
    /// The subject. It becomes one line, whatever it is made of.
    pub subject: String,
    /// The text for readers without HTML.
    pub text: String,
    /// The same as HTML.
    pub html: String,
    /// The link by which its reader ends such mails; `None`: it is the only one of its kind.
    pub unsubscribe: Option<String>,
    /// A file that goes along.
    pub attachment: Option<Attachment>,
}

/// It holds links that are secrets of their reader.
impl std::fmt::Debug for Mail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mail")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// A file that goes along with a mail.
#[derive(Clone, PartialEq, Eq)]
pub struct Attachment {
    /// How the file is called that readers save.
    pub name: String,
    /// Its media type.
    pub content_type: &'static str,
    /// The content as it is read when opened.
    pub bytes: Vec<u8>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_and_nothing_else() {
        for text in ["on-call@shop.example", "a+b@shop.example", "o'neill@shop.example"] {
            assert!(is_address(text), "{text}");
        }
        let long = format!("{}@shop.example", "x".repeat(250));
        for text in [
            "",
            "on-call",
            "a@shop.example, b@shop.example",
            "A <a@shop.example>",
            "a@shop.example\r\nBcc: b@shop.example",
            "\"a b\"@shop.example",
            "\"a,b\"@shop.example",
            "a@[127.0.0.1]",
            &long,
        ] {
            assert!(!is_address(text), "{text}");
        }
    }
}
