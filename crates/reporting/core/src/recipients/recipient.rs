//! A recipient.

use pharos_domain::{
    ids::{ReportRecipientId, ReportTemplateId},
    wire_enum,
};
use pharos_mail::mail::is_address;
use ring::digest::{SHA256, digest};
use time::OffsetDateTime;

use super::bounds::REFUSED_FOR;

wire_enum! {
    /// How a recipient stands.
    RecipientState {
        /// They were asked, and have not answered yet.
        Asked = "asked",
        /// They were asked, and did not answer in time.
        Lapsed = "lapsed",
        /// They said yes: reports go to them.
        Confirmed = "confirmed",
        /// They want no more mails.
        Unsubscribed = "unsubscribed",
    }
}

/// Somebody whom the reports of a template are mailed to, or may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipient {
    /// The id by which people name them.
    pub id: ReportRecipientId,
    /// The template whose reports they get.
    pub template: ReportTemplateId,
    /// Their address, as it was given.
    pub address: Address,
    /// How they stand.
    pub state: RecipientState,
    /// When they were asked last.
    pub asked_at: OffsetDateTime,
    /// When they said yes.
    pub confirmed_at: Option<OffsetDateTime>,
    /// When they unsubscribed.
    pub unsubscribed_at: Option<OffsetDateTime>,
}

impl Recipient {
    /// From when on they may be asked again, of those who unsubscribed.
    #[must_use]
    pub fn refuses_until(&self) -> Option<OffsetDateTime> {
        self.unsubscribed_at.map(|at| at + REFUSED_FOR)
    }
}

/// A mail address of a recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(String);

impl Address {
    /// The address in a text that people wrote; `None`: it is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        is_address(text).then(|| Self(text.to_owned()))
    }

    /// One that was kept.
    #[must_use]
    pub fn kept(text: String) -> Self {
        Self(text)
    }

    /// As it was given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// As addresses are compared: without case, as mail servers do.
    #[must_use]
    pub fn key(&self) -> String {
        self.0.to_lowercase()
    }

    /// The SHA-256 of that, by which questions are counted after the address itself is forgotten.
    #[must_use]
    pub fn digest(&self) -> Vec<u8> {
        digest(&SHA256, self.key().as_bytes()).as_ref().to_vec()
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_whatever_its_case() {
        let one = Address::parse(" Client@Shop.example ").unwrap();
        assert_eq!(one.as_str(), "Client@Shop.example");
        let other = Address::parse("client@shop.EXAMPLE").unwrap();
        assert_eq!((one.key(), one.digest()), (other.key(), other.digest()));
        for text in ["", "client", "a@shop.example\r\nBcc: b@shop.example"] {
            assert_eq!(Address::parse(text), None, "{text}");
        }
    }
}
