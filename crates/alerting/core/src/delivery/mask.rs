//! Keeps secrets out of what receivers answer: many repeat the path that they were asked for.

use url::{Url, form_urlencoded};

/// Shorter runs of letters and digits are left as they are: they are no secret, and reasons are full of them.
const SHORTEST: usize = 4;

/// The text without any run of letters and digits of the secrets, in whatever case and between whatever marks it stands.
pub(super) fn masked(text: &str, secrets: &[String]) -> String {
    let text_in_lower_case = text.to_ascii_lowercase();
    let mut is_secret = vec![false; text.len()];
    for run in secrets.iter().flat_map(|secret| runs(secret)) {
        for (start, found) in text_in_lower_case.match_indices(&run) {
            is_secret[start..start + found.len()].fill(true);
        }
    }
    let mut shown = String::with_capacity(text.len());
    for (place, c) in text.char_indices() {
        if !is_secret[place] {
            shown.push(c);
        } else if !shown.ends_with('\u{2026}') {
            shown.push('\u{2026}');
        }
    }
    shown
}

/// All of a URL but its scheme, host and port, as it is written and as it is meant.
pub(super) fn secret_parts(url: &Url) -> Vec<String> {
    let parts = [Some(url.path()), url.query(), url.fragment()];
    let written = parts.into_iter().flatten();
    let meant = written.clone().flat_map(|part| {
        form_urlencoded::parse(part.as_bytes())
            .flat_map(|(name, value)| [name.into_owned(), value.into_owned()])
    });
    meant.chain(written.clone().map(str::to_owned)).collect()
}

/// The runs of letters and digits that are long enough to tell something, in lower case.
fn runs(secret: &str) -> impl Iterator<Item = String> {
    secret
        .split(|c: char| !c.is_alphanumeric())
        .filter(|run| run.len() >= SHORTEST)
        .map(str::to_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_is_repeated_is_masked_in_every_form() {
        let url =
            Url::parse("https://hooks.example/T01/hid%2Fden/XyZw/hunter2?sig=a1b2%2Bc3d4#part").unwrap();
        let secrets = secret_parts(&url);
        for (answer, shown) in [
            (
                "Cannot POST /T01/hid%2Fden/XyZw",
                "Cannot POST /T01/hid%\u{2026}/\u{2026}",
            ),
            (
                "no such path: /t01/hid/den/xyzw",
                "no such path: /t01/hid/den/\u{2026}",
            ),
            ("signature a1b2+c3d4 of it", "signature \u{2026}+\u{2026} of it"),
            ("hunter2 in hunter2hunter2", "\u{2026} in \u{2026}"),
            ("no_service \u{df}", "no_service \u{df}"),
        ] {
            assert_eq!(masked(answer, &secrets), shown);
        }
    }
}
