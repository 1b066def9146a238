//! The logo of a report: fetched under the address policy when the report is made, and no larger than it may be.

use std::time::Duration;

use base64::{Engine, engine::general_purpose::STANDARD};
use http::HeaderValue;
use pharos_egress::{
    address_policy::AddressPolicy,
    client::{Answers, Client, ClientSettings, Limits, Redirects, Request, Schemes},
    resolver::NameResolver,
    trust::{TlsSetupError, TrustAnchors},
};
use time::OffsetDateTime;
use url::Url;

/// How large a logo may be.
pub const MOST_BYTES: usize = 1 << 20;
const TIME: Duration = Duration::from_secs(10);
const USER_AGENT: HeaderValue =
    HeaderValue::from_static(concat!("Pharos/", env!("CARGO_PKG_VERSION"), " (+reports)"));

/// A picture that is carried within the report: nothing is fetched when it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    media_type: &'static str,
    bytes: Vec<u8>,
}

impl Picture {
    /// The picture, if its first bytes say that it is a PNG, JPEG or WebP. An SVG is none: it may hold scripts.
    #[must_use]
    pub fn of(bytes: Vec<u8>) -> Option<Self> {
        let media_type = match bytes.as_slice() {
            [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => "image/png",
            [0xff, 0xd8, 0xff, ..] => "image/jpeg",
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
            _ => return None,
        };
        Some(Self { media_type, bytes })
    }

    /// The picture as a URL of its own.
    #[must_use]
    pub fn data_url(&self) -> String {
        format!("data:{};base64,{}", self.media_type, STANDARD.encode(&self.bytes))
    }
}

/// Fetches logos.
#[derive(Debug)]
pub struct LogoClient(Client);

impl LogoClient {
    /// Prepares what all fetches share.
    ///
    /// # Errors
    /// TLS can't be set up with these trust anchors.
    pub fn new(
        resolver: NameResolver,
        policy: AddressPolicy,
        trust: &TrustAnchors,
    ) -> Result<Self, TlsSetupError> {
        let settings = ClientSettings {
            user_agent: USER_AGENT,
            schemes: Schemes::NoDowngrade,
            redirects: Redirects::Follow(3),
            answers: Answers::Whole,
            between: Duration::ZERO,
            patience: TIME,
            limits: Limits {
                time: TIME,
                sent_bytes: MOST_BYTES,
                body_bytes: MOST_BYTES,
                ..Limits::default()
            },
        };
        Ok(Self(Client::new(resolver, policy, trust, settings)?))
    }

    /// The logo at this URL; `None`, with a line in the log, where it can't be had. A report is made without it then.
    pub async fn fetch(&self, url: &str, now: OffsetDateTime) -> Option<Picture> {
        let parsed = Url::parse(url).ok()?;
        match self
            .0
            .send(
                Request::get(parsed).accept("image/png, image/jpeg, image/webp"),
                now,
            )
            .await
        {
            Ok(answer) if answer.status.is_success() => {
                let picture = Picture::of(answer.body);
                if picture.is_none() {
                    tracing::info!("the logo of a report is no PNG, JPEG or WebP");
                }
                picture
            }
            Ok(answer) => {
                tracing::info!(
                    status = answer.status.as_u16(),
                    "the logo of a report can't be fetched"
                );
                None
            }
            Err(error) => {
                tracing::info!(%error, "the logo of a report can't be fetched");
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_told_by_its_bytes() {
        let png = [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0].to_vec();
        assert_eq!(
            Picture::of(png).unwrap().data_url(),
            "data:image/png;base64,iVBORw0KGgoAAA=="
        );
        assert!(Picture::of(b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script/></svg>".to_vec()).is_none());
        assert!(Picture::of(b"GIF89a".to_vec()).is_none() && Picture::of(Vec::new()).is_none());
    }
}
