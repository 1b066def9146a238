//! The secrets of a page, taken out of its results: a page may show what it was sent, in a URL, in a message, in a text.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use base64::{
    Engine,
    prelude::{BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD},
};
use percent_encoding::percent_decode_str;
use serde::ser::Error as _;
use serde_json::Value;

use crate::{
    lhr::depth,
    secrets::{BasicAuth, PageSecrets},
};

/// The text that stands in the place of a secret. A URL with it is still a URL, whatever part of it the secret was.
const REDACTED: &str = "REDACTED";
/// The shortest text that is taken out. A shorter one is a part of ordinary words, and none that keeps anybody out.
const SHORTEST: usize = 4;
/// The same of a single value among cookies, many of which are choices such as `en-US` or `dark`. Ids of sessions are longer.
const SHORTEST_OF_COOKIES: usize = 8;
/// The characters beside letters and digits that stay as they are where a text is percent-encoded: by `encodeURIComponent`, by
/// RFC 3986, by `encodeURI`, and by a browser in a path and in a query.
const KEPT: [&str; 5] = [
    "-_.!~*'()",
    "-_.~",
    "-_.!~*'();,/?:@&=+$#",
    "!$%&'()*+,-./:;=@[\\]^_|~",
    "!$%&()*+,-./:;=?@[\\]^_`{|}~",
];
/// The same in forms, but for the space, which becomes a plus there.
const KEPT_IN_FORMS: &str = "*-._ ";
/// Members of a result whose texts are words of Lighthouse's or pictures, and no page writes them. A secret that happens to be
/// such a word would make the result unreadable.
const WORDS: [&str; 13] = [
    "code",
    "data",
    "fetchTime",
    "gatherMode",
    "group",
    "id",
    "lighthouseVersion",
    "numericUnit",
    "priority",
    "resourceType",
    "scoreDisplayMode",
    "subpart",
    "type",
];

/// All spellings of the secrets of a page.
pub(super) struct Redaction(Vec<String>);

impl Redaction {
    /// Those of a password alone and with its user, of all cookies together and of each. A user is no secret: it may be a word,
    /// such as a part of the host's name.
    pub(super) fn of(secrets: &PageSecrets) -> Self {
        let mut spellings = Vec::new();
        if let Some(BasicAuth { username, password }) = &secrets.basic_auth {
            spell(password.reveal(), &mut spellings);
            spell(&format!("{username}:{}", password.reveal()), &mut spellings);
        }
        if let Some(cookie) = &secrets.cookie {
            spell(cookie.reveal(), &mut spellings);
            let pairs = cookie.reveal().split(';');
            let values = pairs
                .filter_map(|pair| pair.split_once('='))
                .map(|(_, value)| value.trim().trim_matches('"'));
            for value in values {
                // Servers hand a cookie to a page as it is, or decoded.
                let decoded = percent_decode_str(value).decode_utf8_lossy();
                for text in [value, decoded.as_ref()] {
                    if text.len() >= SHORTEST_OF_COOKIES {
                        spell(text, &mut spellings);
                    }
                }
            }
        }
        spellings.retain(|spelling| spelling.len() >= SHORTEST);
        spellings.sort_unstable();
        spellings.dedup();
        Self(spellings)
    }

    /// Whether there is nothing to take out.
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The result without them. It is gone through once, however many spellings there are.
    ///
    /// # Errors
    /// It is no JSON, or the spellings are longer than can be looked for, which those of no page are.
    pub(super) fn applied(&self, result: &[u8]) -> Result<Vec<u8>, serde_json::Error> {
        let mut reader = serde_json::Deserializer::from_slice(result);
        let mut value = depth::value(&mut reader)?.unwrap_or_default();
        reader.end()?;
        // The fastest kind takes up to a kilobyte for an octet of a spelling.
        let finder = AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(&self.0)
            .map_err(serde_json::Error::custom)?;
        redact(&mut value, &finder);
        serde_json::to_vec(&value)
    }
}

fn redact(value: &mut Value, finder: &AhoCorasick) {
    match value {
        Value::String(text) => {
            let places = places(text, finder);
            if !places.is_empty() {
                *text = without(text, &places);
            }
        }
        Value::Array(items) => {
            for item in items {
                redact(item, finder);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                if !(member.is_string() && WORDS.contains(&name.as_str())) {
                    redact(member, finder);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The places of all spellings in a text, in order. Those that overlap are one: if the first of them alone were taken out, the rest
/// of the other would stay.
fn places(text: &str, finder: &AhoCorasick) -> Vec<Range<usize>> {
    let mut places: Vec<Range<usize>> = Vec::new();
    // They come in the order of their ends.
    for found in finder.find_overlapping_iter(text) {
        let mut start = found.start();
        while let Some(before) = places.pop_if(|before| before.end > start) {
            start = start.min(before.start);
        }
        places.push(start..found.end());
    }
    places
}

fn without(text: &str, places: &[Range<usize>]) -> String {
    let mut told = String::with_capacity(text.len());
    let mut end = 0;
    for place in places {
        told.push_str(&text[end..place.start]);
        told.push_str(REDACTED);
        end = place.end;
    }
    told.push_str(&text[end..]);
    told
}

/// Adds the spellings of a secret: as it is and in base64, each also percent-encoded, and as JSON has it, where some escape the
/// slash. The padding of base64 is left out, so that it is found with padding and without.
fn spell(secret: &str, spellings: &mut Vec<String>) {
    let texts = [
        secret.to_owned(),
        BASE64_STANDARD_NO_PAD.encode(secret),
        BASE64_URL_SAFE_NO_PAD.encode(secret),
    ];
    for text in texts {
        for kept in KEPT {
            spellings.extend([
                percent_encoded(&text, kept, true),
                percent_encoded(&text, kept, false),
            ]);
        }
        // Forms have a plus for a space.
        for has_large_hex in [true, false] {
            spellings.push(percent_encoded(&text, KEPT_IN_FORMS, has_large_hex).replace(' ', "+"));
        }
        spellings.push(text);
    }
    let json = Value::from(secret).to_string();
    if let Some(json) = json.get(1..json.len() - 1) {
        spellings.extend([json.to_owned(), json.replace('/', "\\/")]);
    }
}

/// The text with all but ASCII letters, digits and those characters encoded. Some write `%3F`, and some `%3f`.
fn percent_encoded(text: &str, kept: &str, has_large_hex: bool) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        let letter = char::from(byte);
        if letter.is_ascii_alphanumeric() || kept.contains(letter) {
            encoded.push(letter);
        } else if has_large_hex {
            encoded.push_str(&format!("%{byte:02X}"));
        } else {
            encoded.push_str(&format!("%{byte:02x}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn redaction(password: &str, cookie: &str) -> Redaction {
        Redaction::of(&PageSecrets {
            basic_auth: Some(BasicAuth {
                username: "staging".to_owned(),
                password: password.to_owned().into(),
            }),
            cookie: Some(cookie.to_owned().into()),
        })
    }

    fn applied(redaction: &Redaction, result: &Value) -> Value {
        let written = redaction.applied(result.to_string().as_bytes()).unwrap();
        serde_json::from_slice(&written).unwrap()
    }

    /// The spellings are written down by hand, as `btoa`, `encodeURIComponent`, `encodeURI`, `URLSearchParams`, `JSON.stringify` and
    /// the address bar have them.
    #[test]
    fn a_secret_is_taken_out_however_it_is_spelled() {
        let redaction = redaction("p\"w d/7?ü", "sid=a+b/c==&d; lang=en");
        for spelling in [
            "p\"w d/7?ü",
            "p%22w%20d%2F7%3F%C3%BC",
            "p%22w%20d%2f7%3f%c3%bc",
            "p%22w%20d/7?%C3%BC",
            "p%22w%20d/7%3F%C3%BC",
            "p%22w+d%2F7%3F%C3%BC",
            "p\\\"w d/7?ü",
            "p\\\"w d\\/7?ü",
            // The user and the password, as the header has them.
            "c3RhZ2luZzpwIncgZC83P8O8",
            "staging:p%22w%20d%2F7%3F%C3%BC",
            "a+b/c==&d",
            "a%2Bb%2Fc%3D%3D%26d",
            "a%2bb%2fc%3d%3d%26d",
            "YStiL2M9PSZk",
            "sid=a+b/c==&d; lang=en",
        ] {
            let told = applied(&redaction, &json!({ "message": [format!("<{spelling}>")] }));
            let told = told["message"][0].as_str().unwrap();
            let rest = told
                .replace(REDACTED, "")
                .replace("staging:", "")
                .replace("; lang=en", "")
                .replace("sid=", "");
            assert_eq!(rest, "<>", "{spelling}: {told}");
        }
    }

    #[test]
    fn a_cookie_is_taken_out_as_a_page_has_it_decoded() {
        let redaction = redaction(
            "hunter2-and-more",
            "session=\"eyJpZCI6%2Bvalue%3D%3D\"; theme=%64%61%72%6B",
        );
        let told = applied(&redaction, &json!({ "message": "eyJpZCI6+value== dark" }));
        assert_eq!(told["message"], json!("REDACTED dark"));
    }

    #[test]
    fn a_url_stays_a_url() {
        let redaction = redaction("hunter2-and-more", "session=very-secret");
        let told = applied(
            &redaction,
            &json!({ "url": "https://very-secret.shop.example/hunter2-and-more?a=1" }),
        );
        let url = url::Url::parse(told["url"].as_str().unwrap()).unwrap();
        assert_eq!(
            (url.host_str(), url.path()),
            (Some("redacted.shop.example"), "/REDACTED")
        );
    }

    /// A cookie that ends as a password begins, and one that lies within another.
    #[test]
    fn secrets_that_overlap_are_taken_out_whole() {
        let redaction = redaction("2026-and-a-long-password", "session=summer-2026; part=and-a-long");
        let told = applied(
            &redaction,
            &json!({ "message": "<summer-2026-and-a-long-password> <and-a-long> <summer-2026summer-2026>" }),
        );
        assert_eq!(told["message"], json!("<REDACTED> <REDACTED> <REDACTEDREDACTED>"));
    }

    #[test]
    fn words_that_are_no_secrets_stay() {
        let redaction = redaction("abc", "theme=dark; mode=informative; lang=en");
        let result = json!({ "audits": { "informative": { "scoreDisplayMode": "informative", "title": "dark abc staging en" } } });
        assert_eq!(applied(&redaction, &result), result);
        assert!(Redaction::of(&PageSecrets::default()).is_empty());
    }
}
