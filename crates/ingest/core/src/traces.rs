//! Address and user agent of who sent a beacon, where a page says them: in a path, a message of an error, a property.

use std::net::{IpAddr, Ipv6Addr};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

/// It stands in their place.
const REDACTED: &str = "[redacted]";
/// A shorter user agent is a word, which tells nobody from another and may stand anywhere.
const LEAST_OF_AGENT: usize = 20;
/// All but letters, digits and the marks that `encodeURIComponent` leaves as they are.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

/// A text that tells who sent a beacon.
struct Trace {
    text: String,
    /// Whether a character beside it makes it a part of something longer.
    goes_on: fn(char) -> bool,
    /// Whether it is an address, which may be that of a server too.
    may_be_host: bool,
}

/// Takes them out of all texts of the beacon, in whichever way a page writes them, before any of these is read: neither is
/// stored anywhere.
pub(crate) fn take_out(members: &mut Map<String, Value>, address: Option<IpAddr>, user_agent: Option<&str>) {
    let mut traces = Vec::new();
    match address.map(|address| address.to_canonical()) {
        Some(IpAddr::V4(address)) => add(&mut traces, &address.to_string(), |c| c.is_ascii_digit(), true),
        Some(IpAddr::V6(address)) => {
            for form in forms_of(address) {
                add(&mut traces, &form, |c| c.is_ascii_hexdigit(), true);
            }
        }
        None => {}
    }
    if let Some(agent) = user_agent.filter(|agent| agent.len() >= LEAST_OF_AGENT) {
        add(&mut traces, agent, |_| false, false);
    }
    if traces.is_empty() {
        return;
    }
    take_out_of_members(members, &traces);
}

/// The ways in which an address of IPv6 is written: in short, with all of its groups, and with all of their digits, in small letters
/// and in capitals.
fn forms_of(address: Ipv6Addr) -> Vec<String> {
    let groups = address.segments();
    let whole = groups.map(|group| format!("{group:x}")).join(":");
    let padded = groups.map(|group| format!("{group:04x}")).join(":");
    let small = [address.to_string(), whole, padded];
    let mut forms = small.to_vec();
    forms.extend(small.iter().map(|form| form.to_ascii_uppercase()));
    forms.sort_unstable();
    forms.dedup();
    forms
}

/// Adds a text as it is, as the path and as the query of an address have it, and as `encodeURIComponent` writes it.
fn add(traces: &mut Vec<Trace>, text: &str, goes_on: fn(char) -> bool, may_be_host: bool) {
    let mut forms = vec![
        text.to_owned(),
        text.replace(' ', "%20"),
        form_urlencoded::byte_serialize(text.as_bytes()).collect(),
        utf8_percent_encode(text, ENCODED).to_string(),
    ];
    forms.sort_unstable();
    forms.dedup();
    traces.extend(forms.into_iter().map(|text| Trace {
        text,
        goes_on,
        may_be_host,
    }));
}

/// Takes them out of the names of members, too: those of properties are a page's own.
fn take_out_of_members(members: &mut Map<String, Value>, traces: &[Trace]) {
    if members
        .keys()
        .any(|name| traces.iter().any(|trace| trace.taken_out_of(name).is_some()))
    {
        let named = std::mem::take(members).into_iter().map(|(mut name, value)| {
            take_out_of_text(&mut name, traces);
            (name, value)
        });
        *members = named.collect();
    }
    for member in members.values_mut() {
        take_out_of(member, traces);
    }
}

fn take_out_of_text(text: &mut String, traces: &[Trace]) {
    for trace in traces {
        if let Some(kept) = trace.taken_out_of(text) {
            *text = kept;
        }
    }
}

fn take_out_of(value: &mut Value, traces: &[Trace]) {
    match value {
        Value::String(text) => take_out_of_text(text, traces),
        Value::Array(items) => {
            for item in items {
                take_out_of(item, traces);
            }
        }
        Value::Object(members) => take_out_of_members(members, traces),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

impl Trace {
    /// The text without it; none where it is not there.
    fn taken_out_of(&self, text: &str) -> Option<String> {
        let (mut kept, mut copied) = (String::new(), 0);
        for (begin, found) in text.match_indices(&self.text) {
            let end = begin + found.len();
            if self.is_whole(&text[..begin], &text[end..]) {
                kept.push_str(&text[copied..begin]);
                kept.push_str(REDACTED);
                copied = end;
            }
        }
        // It has a character at least.
        (copied > 0).then(|| kept + &text[copied..])
    }

    fn is_whole(&self, before: &str, after: &str) -> bool {
        // The host of an address is a server, such as one on the visitor's own machine, and without it a URL is none.
        if self.may_be_host && (before.ends_with("//") || before.ends_with("//[")) {
            return false;
        }
        // The digits of `%20` are a character of their own.
        let is_escape = before.len() >= 3 && before.as_bytes()[before.len() - 3] == b'%';
        (is_escape || !before.ends_with(self.goes_on)) && !after.starts_with(self.goes_on)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const AGENT: &str = "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0";

    fn left(text: &str, address: &str, user_agent: &str) -> String {
        let mut members = Map::new();
        members.insert("events".to_owned(), json!([{ "properties": { "x": text } }]));
        take_out(&mut members, address.parse().ok(), Some(user_agent));
        members["events"][0]["properties"]["x"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    #[test]
    fn an_address_is_taken_out_wherever_a_page_writes_it() {
        for (text, kept) in [
            ("203.0.113.7", "[redacted]"),
            (
                "https://shop.example/by/203.0.113.7/",
                "https://shop.example/by/[redacted]/",
            ),
            ("/from%20203.0.113.7:443", "/from%20[redacted]:443"),
            ("203.0.113.7 and 203.0.113.7.", "[redacted] and [redacted]."),
            ("203.0.113.70 1203.0.113.7", "203.0.113.70 1203.0.113.7"),
            ("http://203.0.113.7/a.js", "http://203.0.113.7/a.js"),
        ] {
            assert_eq!(left(text, "203.0.113.7", AGENT), kept);
            assert_eq!(left(text, "::ffff:203.0.113.7", AGENT), kept);
        }
        for (text, kept) in [
            ("ip=2001:db8::1&", "ip=[redacted]&"),
            ("ip=2001%3Adb8%3A%3A1", "ip=[redacted]"),
            ("2001:db8::1a", "2001:db8::1a"),
            ("/from/2001:DB8::1/", "/from/[redacted]/"),
            ("2001:db8:0:0:0:0:0:1", "[redacted]"),
            ("2001:0db8:0000:0000:0000:0000:0000:0001", "[redacted]"),
            ("2001%3ADB8%3A0%3A0%3A0%3A0%3A0%3A1", "[redacted]"),
            ("http://[2001:db8::1]/", "http://[2001:db8::1]/"),
        ] {
            assert_eq!(left(text, "2001:db8::1", AGENT), kept);
        }
    }

    #[test]
    fn a_user_agent_is_taken_out_in_every_form_of_an_address() {
        for text in [
            format!("lost in {AGENT}!"),
            format!("lost in {}!", AGENT.replace(' ', "%20")),
            "lost in Mozilla%2F5.0%20(X11%3B%20Linux%20x86_64)%20Chrome%2F140.0.0.0!".to_owned(),
            "lost in Mozilla%2F5.0+%28X11%3B+Linux+x86_64%29+Chrome%2F140.0.0.0!".to_owned(),
        ] {
            assert_eq!(left(&text, "203.0.113.7", AGENT), "lost in [redacted]!");
        }
    }

    #[test]
    fn names_of_properties_are_looked_through() {
        let mut members = Map::new();
        members.insert(
            "events".to_owned(),
            json!([{ "properties": { "of 203.0.113.7": "203.0.113.7", "plan": 1, AGENT: true } }]),
        );
        take_out(&mut members, "203.0.113.7".parse().ok(), Some(AGENT));
        assert_eq!(
            members["events"][0]["properties"],
            json!({ "of [redacted]": "[redacted]", "plan": 1, "[redacted]": true })
        );
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        let text = "TypeError: x is undefined in Chrome/140.0.0.0 at 198.51.100.1";
        assert_eq!(left(text, "203.0.113.7", AGENT), text);
        assert_eq!(left(text, "", "x"), text);
    }
}
