//! Members of a beacon whose values may be out of bounds without making it wrong.

use pharos_domain::settings::Faults;
use serde_json::{Map, Value};
use url::Url;

/// The longest address that is read, in bytes.
pub(super) const MOST_OF_URL: usize = 8_192;
/// How many characters of an address count, its host included.
const MOST_OF_ADDRESS: usize = 1_000;
/// The longest time that a metric or a part of one can be, in milliseconds: ten minutes.
pub(super) const MOST_MS: f64 = 600_000.0;

/// The members of an object. One of another type than is asked for is a fault; null counts as absent.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a>(pub(super) &'a Map<String, Value>);

impl<'a> Reader<'a> {
    pub(super) fn get(self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// The member as `read` sees it; otherwise it is a fault that it is not `what`.
    fn typed<T>(
        self,
        name: &str,
        what: &str,
        faults: &mut Faults,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Option<T> {
        let read = read(self.get(name)?);
        if read.is_none() {
            faults.add(name, what);
        }
        read
    }

    pub(super) fn raw_text(self, name: &str, faults: &mut Faults) -> Option<&'a str> {
        self.typed(name, "a text", faults, Value::as_str)
    }

    /// A text of one line, of which so many characters count; none where nothing is left.
    pub(super) fn text(self, name: &str, most: usize, faults: &mut Faults) -> Option<String> {
        self.raw_text(name, faults).and_then(|text| line(text, most))
    }

    /// A number from 0 to `most`. Whatever is beyond, such as the -1 of what was not measured, is none.
    pub(super) fn upto(self, name: &str, most: f64, faults: &mut Faults) -> Option<f64> {
        self.typed(name, "a number", faults, Value::as_f64)
            .filter(|number| (0.0..=most).contains(number))
    }

    /// A time in milliseconds.
    pub(super) fn ms(self, name: &str, faults: &mut Faults) -> Option<f64> {
        self.upto(name, MOST_MS, faults)
    }

    /// A number from 0 to `most`, rounded to a whole one.
    pub(super) fn whole<T: TryFrom<u64> + Into<f64>>(
        self,
        name: &str,
        most: T,
        faults: &mut Faults,
    ) -> Option<T> {
        let number = self.upto(name, most.into(), faults)?.round();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a whole number between 0 and a smaller type's largest"
        )]
        T::try_from(number as u64).ok()
    }

    pub(super) fn flag(self, name: &str, faults: &mut Faults) -> Option<bool> {
        self.typed(name, "true or false", faults, Value::as_bool)
    }

    pub(super) fn object(self, name: &str, faults: &mut Faults) -> Option<Reader<'a>> {
        self.typed(name, "an object", faults, Value::as_object)
            .map(Reader)
    }

    /// The results of `read` for the first `most` objects of a list; the others are passed over.
    pub(super) fn list<T>(
        self,
        name: &str,
        most: usize,
        faults: &mut Faults,
        read: impl Fn(Reader<'a>, &mut Faults) -> Option<T>,
    ) -> Option<Vec<T>> {
        let list = self.typed(name, "a list", faults, Value::as_array)?;
        let mut found = Vec::new();
        faults.within(name, |faults| {
            for (place, item) in list.iter().enumerate() {
                match item {
                    Value::Object(item) if found.len() < most => {
                        faults.within(place, |faults| found.extend(read(Reader(item), faults)));
                    }
                    Value::Object(_) => break,
                    _ => faults.add(place, "an object"),
                }
            }
        });
        Some(found)
    }

    /// The address of a thing on the web, without query, fragment and credentials; none for what is not on the web, such
    /// as `data:`, and for what is too long.
    pub(super) fn address(self, name: &str, faults: &mut Faults) -> Option<String> {
        self.raw_text(name, faults).and_then(bare)
    }

    /// A word of a closed list, hyphens for underscores as the browser has them. One that is not known is none.
    pub(super) fn word<T: std::str::FromStr>(self, name: &str, faults: &mut Faults) -> Option<T> {
        let word = self.raw_text(name, faults)?;
        (word.len() <= 100)
            .then(|| word.replace('-', "_").parse().ok())
            .flatten()
    }
}

/// An address of the web without query, fragment and credentials.
pub(super) fn bare(text: &str) -> Option<String> {
    let url = web(text)?;
    let host = url.host_str()?.trim_end_matches('.');
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    let address = format!("{}://{host}{port}{}", url.scheme(), url.path());
    Some(address.chars().take(MOST_OF_ADDRESS).collect())
}

/// An address of the web.
pub(super) fn web(text: &str) -> Option<Url> {
    // The text behind the path counts for nothing, however long it is.
    let text = text.split(['?', '#']).next()?;
    let url = (text.len() <= MOST_OF_URL)
        .then(|| Url::parse(text).ok())
        .flatten()?;
    (matches!(url.scheme(), "https" | "http") && url.has_host()).then_some(url)
}

/// The text on one line, cut after `most` characters. A space stands between words that were on two.
pub(super) fn line(text: &str, most: usize) -> Option<String> {
    let kept: String = text
        .trim()
        .chars()
        .map(|c| if c.is_ascii_whitespace() { ' ' } else { c })
        .filter(|c| !c.is_control())
        .take(most)
        .collect();
    let kept = untorn(&kept, text, most, may_be_of_secret).trim();
    (!kept.is_empty()).then(|| kept.to_owned())
}

/// The text on several lines, cut after `most` characters.
pub(super) fn lines(text: &str, most: usize) -> Option<String> {
    let kept = text.trim().chars().filter(|c| *c == '\n' || !c.is_control());
    let kept: String = kept.take(most).collect();
    let kept = untorn(&kept, text, most, |c| c != '\n').trim_end();
    (!kept.is_empty()).then(|| kept.to_owned())
}

/// The beginning of a text that may have been cut after `most` characters, here or in the page, which counts them in UTF-16: without
/// the word or the line that is torn then. Half an address of mail, or half a token, is not known for one and would be stored.
fn untorn<'a>(kept: &'a str, text: &str, most: usize, is_torn: impl Fn(char) -> bool) -> &'a str {
    if text.encode_utf16().count() < most {
        return kept;
    }
    let whole = kept.trim_end_matches(is_torn);
    if whole.is_empty() { kept } else { whole }
}

/// Whether a character may stand in an address of mail or in a token. Others end both, so that no more is lost of a text without
/// spaces, such as JSON.
fn may_be_of_secret(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '_' | '%' | '+' | '-' | '\'' | '@')
}
