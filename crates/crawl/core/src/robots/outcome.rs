//! Judges a fetch of a robots.txt: how the file stands, and how crawlers treat it.

use super::{
    file::RobotsFile,
    line::{READ_BYTES, without_bom},
    lint::is_html,
};

/// The most redirects that are followed (RFC 9309, section 2.3.1.2).
pub const MOST_REDIRECTS: usize = 5;

names! {
    /// How a robots.txt stands.
    RobotsState {
        /// It is there.
        Ok = "ok",
        /// There is none: the answer is a 4xx, or more redirects than are followed.
        Missing = "missing",
        /// Nobody answers.
        Unreachable = "unreachable",
        /// It is fetched from another host.
        RedirectedOffHost = "redirected_off_host",
        /// The server fails, or asks to be asked later: 5xx or 429.
        ServerError = "server_error",
        /// It is longer than what is read.
        TooLarge = "too_large",
        /// A page stands in its place.
        HtmlInstead = "html_instead",
        /// It says nothing.
        Empty = "empty",
    }
}

impl RobotsState {
    /// How crawlers treat a file in this state.
    #[must_use]
    pub const fn policy(self) -> EffectivePolicy {
        match self {
            Self::Ok | Self::RedirectedOffHost | Self::TooLarge => EffectivePolicy::AsWritten,
            Self::Missing | Self::HtmlInstead | Self::Empty => EffectivePolicy::AllowAll,
            Self::Unreachable | Self::ServerError => EffectivePolicy::DisallowAll,
        }
    }
}

names! {
    /// How crawlers treat a robots.txt (RFC 9309, section 2.3.1).
    EffectivePolicy as "RobotsEffectivePolicy" {
        /// They obey it.
        AsWritten = "as_written",
        /// They fetch everything.
        AllowAll = "allow_all",
        /// They fetch nothing.
        DisallowAll = "disallow_all",
    }
}

/// The answer at the end of a fetch.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    /// The status that it came with.
    pub status: u16,
    /// How many redirects led to it.
    pub redirects: usize,
    /// Whether its host is another than the one that was asked.
    pub is_off_host: bool,
    /// The part of the body that was read: one byte beyond [`READ_BYTES`] tells that it is longer.
    pub body: &'a [u8],
}

/// How a robots.txt stands by the answer to a fetch; `None` is none in time, or a connection that fails.
///
/// A 429 counts as a failure of the server, as Google documents it, and every other 4xx as no file.
#[must_use]
pub fn state(answer: Option<Answer<'_>>) -> RobotsState {
    let Some(answer) = answer else {
        return RobotsState::Unreachable;
    };
    if answer.redirects > MOST_REDIRECTS {
        return RobotsState::Missing;
    }
    match answer.status {
        200..=299 => {}
        429 | 500..=599 => return RobotsState::ServerError,
        _ => return RobotsState::Missing,
    }
    if is_html(without_bom(answer.body).0) {
        return RobotsState::HtmlInstead;
    }
    if answer.body.len() > READ_BYTES {
        return RobotsState::TooLarge;
    }
    let file = RobotsFile::parse(answer.body);
    // Lines that no crawler reads say nothing, such as those of a file in UTF-16.
    if file.groups.is_empty() && file.sitemaps.is_empty() {
        return RobotsState::Empty;
    }
    if answer.is_off_host {
        return RobotsState::RedirectedOffHost;
    }
    RobotsState::Ok
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_says_how_the_file_stands() {
        let long = vec![b'#'; READ_BYTES + 1];
        let answer = |status, body| Answer {
            status,
            redirects: 0,
            is_off_host: false,
            body,
        };
        let file: &[u8] = b"User-agent: *\nDisallow: /a\n";
        let off_host = Answer {
            is_off_host: true,
            ..answer(200, file)
        };
        let too_many = Answer {
            redirects: 6,
            ..answer(200, file)
        };
        for (answer, expected, policy) in [
            (
                Some(answer(200, file)),
                RobotsState::Ok,
                EffectivePolicy::AsWritten,
            ),
            (
                Some(answer(404, b"")),
                RobotsState::Missing,
                EffectivePolicy::AllowAll,
            ),
            (
                Some(answer(403, b"")),
                RobotsState::Missing,
                EffectivePolicy::AllowAll,
            ),
            (
                Some(answer(304, b"")),
                RobotsState::Missing,
                EffectivePolicy::AllowAll,
            ),
            (
                Some(answer(429, b"")),
                RobotsState::ServerError,
                EffectivePolicy::DisallowAll,
            ),
            (
                Some(answer(503, file)),
                RobotsState::ServerError,
                EffectivePolicy::DisallowAll,
            ),
            (None, RobotsState::Unreachable, EffectivePolicy::DisallowAll),
            (
                Some(off_host),
                RobotsState::RedirectedOffHost,
                EffectivePolicy::AsWritten,
            ),
            (Some(too_many), RobotsState::Missing, EffectivePolicy::AllowAll),
            (
                Some(answer(200, &long)),
                RobotsState::TooLarge,
                EffectivePolicy::AsWritten,
            ),
            (
                Some(answer(200, b" <!DOCTYPE html><p>")),
                RobotsState::HtmlInstead,
                EffectivePolicy::AllowAll,
            ),
            (
                Some(answer(200, b"Sitemap: https://shop.example/sitemap.xml\n")),
                RobotsState::Ok,
                EffectivePolicy::AsWritten,
            ),
            (
                Some(answer(200, b"\xef\xbb\xbf<html>")),
                RobotsState::HtmlInstead,
                EffectivePolicy::AllowAll,
            ),
            (
                Some(answer(200, b"\n# nothing yet\n")),
                RobotsState::Empty,
                EffectivePolicy::AllowAll,
            ),
            (
                Some(answer(
                    200,
                    b"\xff\xfeU\0s\0e\0r\0-\0a\0g\0e\0n\0t\0:\0 \0*\0\n\0",
                )),
                RobotsState::Empty,
                EffectivePolicy::AllowAll,
            ),
        ] {
            assert_eq!(state(answer), expected, "{answer:?}");
            assert_eq!(expected.policy(), policy);
        }
    }
}
