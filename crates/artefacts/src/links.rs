//! Links to artefacts: signed, and good for a while.
//!
//! A link says the key and its expiry in its path and query; the signature is an HMAC of both, so that neither can be altered.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use ring::hmac;
use time::{Duration, OffsetDateTime};

use crate::key::ArtefactKey;

/// The path below which artefacts are served.
pub const PATH: &str = "/artefacts";
/// How long a link is good for.
pub const GOOD_FOR: Duration = Duration::minutes(15);

/// Makes and judges links. Every node that has the same secret takes the links of the others.
#[derive(Clone)]
pub struct Links {
    key: hmac::Key,
    base_url: String,
}

impl std::fmt::Debug for Links {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Links")
            .field("base_url", &self.base_url)
            .finish_non_exhaustive()
    }
}

/// Why a link is not good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkFault {
    /// It was never made, or was altered.
    #[error("this is no link of ours, or it was altered")]
    Forged,
    /// It was good once.
    #[error("the link has expired; ask for a new one")]
    Expired,
}

impl Links {
    /// Links that begin with the address of the service and are signed by the secret.
    #[must_use]
    pub fn new(secret: &[u8; 32], base_url: &str) -> Self {
        Self {
            key: hmac::Key::new(hmac::HMAC_SHA256, secret),
            base_url: base_url.trim_end_matches('/').to_owned(),
        }
    }

    /// A link that is good for 15 minutes, and when it expires: whole seconds.
    #[must_use]
    pub fn link(&self, key: &ArtefactKey, now: OffsetDateTime) -> (String, OffsetDateTime) {
        self.link_until(key, now + GOOD_FOR)
    }

    /// A link that is good until a moment, and that moment in whole seconds.
    #[must_use]
    pub fn link_until(&self, key: &ArtefactKey, until: OffsetDateTime) -> (String, OffsetDateTime) {
        let until = until.replace_nanosecond(0).unwrap_or(until);
        let signature = self.signature(key, until.unix_timestamp());
        let signature = BASE64_URL_SAFE_NO_PAD.encode(signature);
        let link = format!(
            "{}{PATH}/{key}?until={}&signature={signature}",
            self.base_url,
            until.unix_timestamp()
        );
        (link, until)
    }

    /// Whether a link with these parts is good.
    ///
    /// # Errors
    /// It was altered, or has expired.
    pub fn judge(
        &self,
        key: &ArtefactKey,
        until: i64,
        signature: &str,
        now: OffsetDateTime,
    ) -> Result<(), LinkFault> {
        let signature = BASE64_URL_SAFE_NO_PAD
            .decode(signature)
            .map_err(|_| LinkFault::Forged)?;
        hmac::verify(&self.key, signed(key, until).as_bytes(), &signature).map_err(|_| LinkFault::Forged)?;
        if now.unix_timestamp() < until {
            Ok(())
        } else {
            Err(LinkFault::Expired)
        }
    }

    fn signature(&self, key: &ArtefactKey, until: i64) -> hmac::Tag {
        hmac::sign(&self.key, signed(key, until).as_bytes())
    }
}

/// Keys have no line breaks, so no two links have one text.
fn signed(key: &ArtefactKey, until: i64) -> String {
    format!("{key}\n{until}")
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;
    use url::Url;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-03-31 09:15:00.5 UTC);

    #[test]
    fn a_link_is_good_for_fifteen_minutes_and_as_it_was_made() {
        let links = Links::new(&[7; 32], "https://pharos.example/");
        let key: ArtefactKey = "synthetic/a/frame-0.jpg".parse().unwrap();
        let (link, until) = links.link(&key, NOW);
        assert_eq!(until, datetime!(2026-03-31 09:30:00 UTC));
        let url = Url::parse(&link).unwrap();
        assert_eq!(url.path(), "/artefacts/synthetic/a/frame-0.jpg");
        let part = |name: &str| {
            url.query_pairs()
                .find(|(key, _)| key == name)
                .unwrap()
                .1
                .into_owned()
        };
        let (stamp, signature): (i64, String) = (part("until").parse().unwrap(), part("signature"));
        assert_eq!(stamp, until.unix_timestamp());
        let judged = |key: &str, stamp, signature: &str, now| {
            links.judge(&key.parse().unwrap(), stamp, signature, now)
        };
        let same = key.as_str();
        assert_eq!(judged(same, stamp, &signature, NOW), Ok(()));
        assert_eq!(judged(same, stamp, &signature, until), Err(LinkFault::Expired));
        assert_eq!(
            judged("synthetic/b/frame-0.jpg", stamp, &signature, NOW),
            Err(LinkFault::Forged)
        );
        assert_eq!(judged(same, stamp + 60, &signature, NOW), Err(LinkFault::Forged));
        assert_eq!(judged(same, stamp, "", NOW), Err(LinkFault::Forged));
        assert_eq!(judged(same, stamp, "§", NOW), Err(LinkFault::Forged));
        let others = Links::new(&[8; 32], "https://pharos.example");
        assert_eq!(others.judge(&key, stamp, &signature, NOW), Err(LinkFault::Forged));
    }
}
