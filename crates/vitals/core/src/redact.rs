//! Redaction of texts before they are stored: no setting, plan or scope changes it.
//!
//! Addresses of mail, long tokens and long numbers become `[redacted]`. Words of people and programs stay, and so do short
//! numbers: a product's, a year's, a line's.

/// The word that stands for a redacted part.
pub const REDACTED: &str = "[redacted]";

/// From how many characters on a mix of letters and digits is a token.
const TOKEN: usize = 20;
/// From how many characters on hexadecimal digits with a decimal one among them are a token.
const HEX_TOKEN: usize = 16;
/// From how many characters on what begins as a part of a JSON Web Token is one.
const JSON_TOKEN: usize = 10;
/// From how many digits on a number is somebody's: a phone, a customer, an order.
const LONG_NUMBER: usize = 9;
/// From how many digits on a number in groups is one: a card, an account.
const GROUPED_NUMBER: usize = 12;

/// The text without mail addresses, tokens and long numbers.
#[must_use]
pub fn redacted(text: &str) -> String {
    let without_mail = without_mail(text);
    let mut kept = String::with_capacity(without_mail.len());
    let mut rest = without_mail.as_str();
    while let Some(first) = rest.chars().next() {
        if let Some(length) = grouped_number(rest) {
            kept.push_str(REDACTED);
            rest = &rest[length..];
        } else if is_word(first) {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            kept.push_str(if is_secret(word) { REDACTED } else { word });
            rest = after;
        } else {
            kept.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    kept
}

/// A path or an address of which each segment is redacted on its own. A segment that hides what it says by percent-encoding
/// is judged by what it says.
#[must_use]
pub fn redacted_path(path: &str) -> String {
    let segments = path.split('/').map(|segment| {
        let plain = decoded(segment);
        let judged = redacted(&plain);
        if judged == plain {
            segment.to_owned()
        } else {
            judged
        }
    });
    segments.collect::<Vec<_>>().join("/")
}

const fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// Whether a word of letters, digits, `_` and `-` has the shape of something that names one person or session.
fn is_secret(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    // Base64 of `{"`, with which a JSON Web Token begins.
    if word.len() >= JSON_TOKEN && word.starts_with("eyJ") {
        return true;
    }
    if longest_run(word, |byte| byte.is_ascii_digit()) >= LONG_NUMBER {
        return true;
    }
    let without_hyphens = word.bytes().filter(|byte| *byte != b'-').count();
    let is_hex = word.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    if is_hex && digits > 0 && without_hyphens >= HEX_TOKEN {
        return true;
    }
    // A slug has hyphens between short words; a token has none, or letters of both cases and digits.
    let longest = longest_run(word, |byte| byte.is_ascii_alphanumeric());
    let has = |is: fn(&u8) -> bool| word.bytes().any(|byte| is(&byte));
    let is_mixed = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    word.len() >= TOKEN
        && digits > 0
        && (digits < word.len())
        && (longest >= TOKEN || (is_mixed && digits > 2))
}

fn longest_run(word: &str, is: impl Fn(&u8) -> bool) -> usize {
    word.as_bytes()
        .split(|byte| !is(byte))
        .map(<[u8]>::len)
        .max()
        .unwrap_or(0)
}

/// How long the number in groups is with which the text begins, such as that of a card.
fn grouped_number(text: &str) -> Option<usize> {
    let (mut digits, mut end, mut gap) = (0, 0, true);
    for (at, c) in text.char_indices() {
        match c {
            '0'..='9' => {
                digits += 1;
                gap = false;
                end = at + 1;
            }
            ' ' | '-' if !gap => gap = true,
            _ => break,
        }
    }
    let ends = text[end..]
        .chars()
        .next()
        .is_none_or(|next| !next.is_ascii_alphanumeric());
    (digits >= GROUPED_NUMBER && ends).then_some(end)
}

/// The text with each `name@host.tld` taken out, and with each whose `@` is percent-encoded.
fn without_mail(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((at, length)) = at_sign(rest) {
        let (before, after) = (&rest[..at], &rest[at + length..]);
        let name = before.len() - before.trim_end_matches(is_of_name).len();
        let host = after.find(|c| !is_of_host(c)).unwrap_or(after.len());
        let host = after[..host].trim_end_matches(['.', '-']).len();
        // No host ends with a number: `vue@3.4.21` is a version.
        let is_version = after[..host]
            .rsplit('.')
            .next()
            .is_some_and(|end| end.bytes().all(|byte| byte.is_ascii_digit()));
        let is_host = after[..host].split('.').count() > 1 && !after[..host].starts_with('.');
        if name > 0 && is_host && !is_version {
            kept.push_str(&before[..before.len() - name]);
            kept.push_str(REDACTED);
            rest = &after[host..];
        } else {
            kept.push_str(&rest[..at + length]);
            rest = after;
        }
    }
    kept.push_str(rest);
    kept
}

/// Where the next `@` is, and how long.
fn at_sign(text: &str) -> Option<(usize, usize)> {
    let plain = text.find('@').map(|at| (at, 1));
    let encoded = text.find("%40").map(|at| (at, 3));
    plain.into_iter().chain(encoded).min()
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '_' | '%' | '+' | '-' | '\'')
}

fn is_of_host(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '-')
}

/// The text without its percent-encoding.
fn decoded(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let (mut said, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(byte) = bytes.get(at) {
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                said.push(u8::try_from(high * 16 + low).unwrap_or(b'?'));
                at += 3;
            }
            _ => {
                said.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&said).into_owned()
}

/// The address of a page as views have it: without query and fragment, with a path, and redacted.
#[must_use]
pub fn page_url(address: &str) -> String {
    let end = address.find(['?', '#']).unwrap_or(address.len());
    let mut page = redacted_path(&address[..end]);
    let is_without_path = page
        .split_once("://")
        .is_some_and(|(_, rest)| !rest.is_empty() && !rest.contains('/'));
    if is_without_path {
        page.push('/');
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_found_by_the_address_in_the_bar() {
        for (address, page) in [
            (
                "https://shop.example/p/1?utm_source=x#top",
                "https://shop.example/p/1",
            ),
            ("https://shop.example/#top?", "https://shop.example/"),
            ("https://shop.example", "https://shop.example/"),
            ("https://shop.example:8443?x=1", "https://shop.example:8443/"),
            ("shop.example", "shop.example"),
            (
                "https://shop.example/u/ada@shop.example",
                "https://shop.example/u/[redacted]",
            ),
        ] {
            assert_eq!(page_url(address), page);
        }
    }

    #[test]
    fn what_names_a_person_or_a_session_is_taken_out() {
        for (text, kept) in [
            ("mail ada.lovelace+x@shop.example.com now", "mail [redacted] now"),
            ("<ada@shop.example>", "<[redacted]>"),
            ("ada%40shop.example", "[redacted]"),
            ("jürgen@münchen.example.", "[redacted]."),
            ("two a@b.example,c@d.example", "two [redacted],[redacted]"),
            (
                "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVPmB92K27uhbUJU1p1r",
                "Bearer [redacted].[redacted].[redacted]",
            ),
            ("sk_live_4eC39HqLyjWDarjtT1zdp7dc", "[redacted]"),
            (
                "user 3f2504e0-4f89-11d3-9a0c-0305e82c3301 gone",
                "user [redacted] gone",
            ),
            ("session 9f86d081884c7d659a2feaa0c55ad015", "session [redacted]"),
            ("card 4111 1111 1111 1111.", "card [redacted]."),
            ("card 4111-1111-1111-1111", "card [redacted]"),
            ("order 123456789 failed", "order [redacted] failed"),
            ("#user-1234567890>span", "#[redacted]>span"),
            ("call +49 170 123 456 7890", "call +[redacted]"),
            ("AKIAIOSFODNN7EXAMPLE", "[redacted]"),
            ("ghp_16C7e42F292c6912E7710c838347Ae178B4a", "[redacted]"),
        ] {
            assert_eq!(redacted(text), kept, "{text}");
        }
    }

    #[test]
    fn words_of_people_and_programs_stay() {
        for text in [
            "",
            "TypeError: Cannot read properties of undefined (reading 'length')",
            "    at handleInternalServerErrorInComponent (https://shop.example/app.js:1234:56789)",
            "render@https://shop.example/assets/main.4f3a9b2c1d.js:1:204",
            "@https://shop.example/app.js:1:2",
            "my-very-long-blog-post-about-the-2024-elections",
            "/blog/2024/05/06/spring-sale",
            "main#content>div.product-list__item--large:nth-child(12)>img",
            "Button_root__3xK9s",
            "at 2024-05-06 12:30:45",
            "npm package @scope/name",
            "https://cdn.example/npm/vue@3.4.21/dist/vue.js",
            "a@b",
            "@",
            "%40",
            "überraschung",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn a_path_is_judged_by_what_it_says() {
        for (path, kept) in [
            ("/account/ada%40shop.example/orders", "/account/[redacted]/orders"),
            ("/account/%61da%40shop.example", "/account/[redacted]"),
            ("/reset/9f86d081884c7d659a2feaa0c55ad015", "/reset/[redacted]"),
            ("/u/3f2504e0-4f89-11d3-9a0c-0305e82c3301/", "/u/[redacted]/"),
            ("/product/1234", "/product/1234"),
            ("/caf%C3%A9/men%C3%BC", "/caf%C3%A9/men%C3%BC"),
            ("/100%", "/100%"),
            ("/phone/491701234567", "/phone/[redacted]"),
        ] {
            assert_eq!(redacted_path(path), kept, "{path}");
        }
    }

    proptest::proptest! {
        #[test]
        fn what_is_redacted_once_stays_as_it_is(text in "[ -~äé\n]{0,80}") {
            let once = redacted(&text);
            proptest::prop_assert_eq!(redacted(&once), once);
            let path = redacted_path(&text);
            proptest::prop_assert_eq!(redacted_path(&path), path);
        }
    }
}
