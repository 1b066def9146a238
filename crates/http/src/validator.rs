//! Entity tags of cached answers, and the conditional requests that name them (RFC 9110, sections 8.8.3 and 13.1.2).

use actix_web::{
    HttpRequest,
    http::header::{Header, HeaderValue, IfNoneMatch},
};
use bytes::Bytes;
use pharos_domain::hex::hex;
use ring::digest::{SHA256, digest};

/// The tag of an answer: another for each body. It is weak, since the same tag stands for the compressed body and the
/// plain one, and for the answer that was computed and those that the cache gives from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityTag(HeaderValue);

/// The texts before and after the digest.
const AROUND: (&str, &str) = ("W/\"", "\"");
/// The bytes of the digest that the tag shows.
const DIGEST_BYTES: usize = 16;

impl EntityTag {
    /// How many bytes the text of a tag has.
    pub const LENGTH: usize = AROUND.0.len() + 2 * DIGEST_BYTES + AROUND.1.len();

    /// The tag of a body.
    #[must_use]
    #[expect(
        clippy::expect_used,
        reason = "quotes and hexadecimal digits may stand in a header"
    )]
    pub fn of(body: &[u8]) -> Self {
        let digest = digest(&SHA256, body);
        let (before, after) = AROUND;
        let text = format!("{before}{}{after}", hex(&digest.as_ref()[..DIGEST_BYTES]));
        Self(HeaderValue::from_str(&text).expect("a text for a header"))
    }

    /// Reads the text of a tag, which [`Self::text`] gave; `None` where it is none.
    #[must_use]
    pub fn read(text: Bytes) -> Option<Self> {
        let value = HeaderValue::from_maybe_shared(text).ok()?;
        (value.len() == Self::LENGTH).then_some(Self(value))
    }

    /// The text of the tag, as the header has it.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// The value of the header `ETag`.
    pub(crate) fn header(&self) -> HeaderValue {
        self.0.clone()
    }

    /// Whether `If-None-Match` names this tag, so that its caller has the answer already.
    pub(crate) fn is_known_to(&self, request: &HttpRequest) -> bool {
        let (before, after) = AROUND;
        let digest = &self.0.as_bytes()[before.len()..self.0.len() - after.len()];
        match IfNoneMatch::parse(request) {
            Ok(IfNoneMatch::Any) => true,
            // Weak comparison: a tag without its W/ is the same.
            Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|tag| tag.tag().as_bytes() == digest),
            Err(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    const TAG: &str = "44136fa355b3678a1146ad16f7e8649e";

    #[test]
    fn a_tag_is_half_the_digest_of_the_body() {
        let tag = EntityTag::of(b"{}");
        assert_eq!(tag.text(), format!("W/\"{TAG}\"").as_bytes());
        assert_eq!(
            EntityTag::read(Bytes::copy_from_slice(tag.text())),
            Some(tag.clone())
        );
        assert_eq!(EntityTag::read(Bytes::from_static(b"W/\"\"")), None);
        assert_ne!(EntityTag::of(b"{ }"), tag);
    }

    #[test]
    fn a_condition_is_a_list_in_any_number_of_headers_or_all() {
        let tag = EntityTag::of(b"{}");
        let is_known = |conditions: &[String]| {
            let mut request = TestRequest::default();
            for condition in conditions {
                request = request.append_header(("If-None-Match", condition.as_str()));
            }
            tag.is_known_to(&request.to_http_request())
        };
        let (weak, strong) = (format!("W/\"{TAG}\""), format!("\"{TAG}\""));
        for known in [
            vec![weak.clone()],
            vec![strong.clone()],
            vec!["*".to_owned()],
            vec![format!("\"a\", {weak}")],
            vec![format!("{strong},W/\"b\"")],
            vec!["\"a\"".to_owned(), weak],
        ] {
            assert!(is_known(&known), "{known:?}");
        }
        for unknown in [
            vec![],
            vec![String::new()],
            vec!["\"a\"".to_owned()],
            vec![TAG.to_owned()],
            vec![format!("w/\"{TAG}\"")],
            vec![format!("\"{TAG}0\"")],
        ] {
            assert!(!is_known(&unknown), "{unknown:?}");
        }
    }
}
