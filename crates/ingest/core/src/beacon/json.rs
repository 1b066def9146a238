//! The body as JSON.

use std::borrow::Cow;

use pharos_domain::settings::SettingFault;
use serde_json::{Map, Value};

/// How serde_json says that values lie in more others than it reads.
const TOO_DEEP: &str = "recursion limit exceeded";

/// The members of a body. It is UTF-8 (RFC 8259, section 8.1), at most 127 levels deep, and its numbers are finite. Halves of
/// characters in it are U+FFFD.
///
/// # Errors
/// The one fault of a body that is no JSON object.
pub fn parse(body: &[u8]) -> Result<Map<String, Value>, Vec<SettingFault>> {
    let refuse = |detail: String| vec![SettingFault::new("", detail)];
    let text = std::str::from_utf8(body).map_err(|_| refuse("not UTF-8".to_owned()))?;
    match serde_json::from_str(&with_whole_characters(text)) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(refuse("not a JSON object".to_owned())),
        Err(error) if error.to_string().starts_with(TOO_DEEP) => {
            Err(refuse("nested too deep: at most 127 levels are read".to_owned()))
        }
        Err(error) => {
            let (line, column) = (error.line(), error.column());
            Err(refuse(format!("not JSON: see line {line}, column {column}")))
        }
    }
}

/// The text with U+FFFD for each escape of a surrogate without the other one of its pair. Browsers write it where a page has cut
/// a title in the middle of an emoji, and a view of that page is a view all the same. No place in the text moves.
fn with_whole_characters(text: &str) -> Cow<'_, str> {
    let (mut whole, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
        let begin = at + found;
        at = match (surrogate(text, begin), surrogate(text, begin + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => begin + 12,
            (Some(_), _) => {
                whole.push_str(text.get(copied..begin).unwrap_or_default());
                whole.push_str("\\ufffd");
                copied = begin + 6;
                copied
            }
            // The character behind a backslash begins no escape.
            (None, _) => begin + 2,
        };
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    whole.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(whole)
}

/// The surrogate that is escaped at that place.
fn surrogate(text: &str, at: usize) -> Option<u16> {
    let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
    let code = u16::from_str_radix(digits, 16).ok()?;
    (0xd800..=0xdfff).contains(&code).then_some(code)
}
