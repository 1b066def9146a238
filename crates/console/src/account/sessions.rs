//! The sessions of a user.

use maud::{Markup, html};
use pharos_auth::{secret::SecretDigest, sign_in::store::ListedSession};
use pharos_domain::hex::hex;

use crate::{
    page::moment,
    parts::table::{Column, Table},
    shown::shown,
    visit::SignedIn,
};

/// The session that a form names by its digest, in hex.
pub(super) fn parse(text: &str) -> Option<SecretDigest> {
    let mut bytes = [0; 32];
    if text.len() != 2 * bytes.len() || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(SecretDigest(bytes))
}

/// The sessions, with a way to end each but the present one.
pub(super) fn table(user: &SignedIn, sessions: &[ListedSession]) -> Markup {
    let present = user.secret.digest();
    let rows = sessions.iter().map(|session| {
        vec![
            moment(session.signed_in_at),
            moment(session.last_used_at),
            html! {
                @match &session.origin.browser { Some(name) => bdi { (shown(name)) }, None => span.none { "not known" } }
            },
            html! {
                @match session.origin.source.0 { Some(address) => (address), None => span.none { "not known" } }
            },
            html! {
                @if session.digest == present {
                    "this one"
                } @else {
                    form method="post" action="/console/account" {
                        (user.token_field())
                        input type="hidden" name="do" value="end";
                        input type="hidden" name="session" value=(hex(&session.digest.0));
                        button.quiet type="submit" { "Sign out" }
                    }
                }
            },
        ]
    });
    let table = Table {
        caption: "Sessions",
        columns: &[
            Column::text("Signed in"),
            Column::text("Last used"),
            Column::text("Browser"),
            Column::text("From"),
            Column::text("End"),
        ],
        rows: rows.collect(),
    };
    table.show(&html! {})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_named_by_64_hex_digits() {
        let digest = SecretDigest::of("abc");
        assert_eq!(parse(&hex(&digest.0)), Some(digest));
        for bad in [
            "",
            "00",
            &"0".repeat(63),
            &"g".repeat(64),
            &"é".repeat(32),
            &"+1".repeat(32),
        ] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
