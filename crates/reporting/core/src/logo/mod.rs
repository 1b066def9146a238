//! The logo of a report: fetched under the address policy when the report is made, and no larger than it may be.

mod size;

use std::time::Duration;

use base64::{Engine, engine::general_purpose::STANDARD};
use http::HeaderValue;
use pharos_egress::{
    address_policy::{AddressPolicy, UrlFault},
    client::{Answers, Client, ClientSettings, EgressError, Limits, Redirects, Request, Schemes},
    resolver::NameResolver,
    trust::{TlsSetupError, TrustAnchors},
};
use time::OffsetDateTime;
use url::Url;

use crate::template::logo_fault;

/// How large a logo may be.
pub const MOST_BYTES: usize = 1 << 20;
/// How many pixels a logo may have, whatever its bytes: a browser that prints holds several copies of four bytes of each.
pub const MOST_PIXELS: u64 = 1 << 22;
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
    /// The picture, if its first bytes say that it is a PNG, JPEG or WebP of so many pixels at most. An SVG is none: it may hold
    /// scripts.
    #[must_use]
    pub fn of(bytes: Vec<u8>) -> Option<Self> {
        let (media_type, size) = if let Some(chunks) = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n") {
            ("image/png", size::png(chunks))
        } else if let Some(markers) = bytes.strip_prefix(b"\xff\xd8") {
            ("image/jpeg", size::jpeg(markers))
        } else if let Some(file) = bytes.strip_prefix(b"RIFF") {
            ("image/webp", size::webp(file))
        } else {
            return None;
        };
        let (width, height) = size?;
        (u64::from(width) * u64::from(height) <= MOST_PIXELS).then_some(Self { media_type, bytes })
    }

    /// The picture as a URL of its own.
    #[must_use]
    pub fn data_url(&self) -> String {
        format!("data:{};base64,{}", self.media_type, STANDARD.encode(&self.bytes))
    }
}

/// Why a logo can't be had, in words for whoever wrote its URL.
#[derive(Debug, thiserror::Error)]
pub enum LogoFault {
    /// Its URL is none.
    #[error("its address is no URL")]
    NoUrl,
    /// Nobody goes to its address.
    #[error("{}", logo_fault(.0))]
    Forbidden(UrlFault),
    /// There is no answer.
    #[error(transparent)]
    Unanswered(EgressError),
    /// The answer is that it is not there.
    #[error("its server answered with the status {0}")]
    Refused(u16),
    /// It has too many bytes.
    #[error("it is larger than 1 MB")]
    TooLarge,
    /// It is something else than a picture, or has too many pixels.
    #[error("it is no PNG, JPEG or WebP of 4,194,304 pixels at most")]
    NoPicture,
}

impl From<EgressError> for LogoFault {
    fn from(error: EgressError) -> Self {
        match error {
            EgressError::Forbidden(fault) => Self::Forbidden(fault),
            EgressError::TooLarge => Self::TooLarge,
            other => Self::Unanswered(other),
        }
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

    /// The logo at this URL.
    ///
    /// # Errors
    /// It can't be had. A report is made without it then, and says so.
    pub async fn fetch(&self, url: &str, now: OffsetDateTime) -> Result<Picture, LogoFault> {
        let parsed = Url::parse(url).map_err(|_| LogoFault::NoUrl)?;
        let request = Request::get(parsed).accept("image/png, image/jpeg, image/webp");
        let answer = self.0.send(request, now).await?;
        if !answer.status.is_success() {
            return Err(LogoFault::Refused(answer.status.as_u16()));
        }
        Picture::of(answer.body).ok_or(LogoFault::NoPicture)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes
    }

    #[test]
    fn a_picture_of_few_bytes_may_not_have_many_pixels() {
        assert!(Picture::of(png(2_048, 2_048)).is_some());
        for (width, height) in [(2_049, 2_048), (20_000, 20_000), (u32::MAX, u32::MAX)] {
            assert_eq!(Picture::of(png(width, height)), None, "{width}x{height}");
        }
    }

    #[test]
    fn a_picture_is_told_by_its_bytes() {
        assert_eq!(
            Picture::of(png(2, 1)).unwrap().data_url(),
            "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAAB"
        );
        assert!(Picture::of(b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script/></svg>".to_vec()).is_none());
        assert!(Picture::of(b"GIF89a".to_vec()).is_none() && Picture::of(Vec::new()).is_none());
    }
}
