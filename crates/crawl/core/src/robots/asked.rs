//! The URLs and crawlers that a caller may ask a robots.txt about.

use url::Url;

/// The longest URL, in characters.
pub const LONGEST_ASKED_URL: usize = 2_048;
/// The longest name of a crawler, in characters.
pub const LONGEST_USER_AGENT: u32 = 500;
/// The beginnings of names of crawlers, as [`is_user_agent`] takes them.
pub const USER_AGENT_PATTERN: &str = "^[A-Za-z_*-]";
/// The same in words.
pub const USER_AGENT_WORDS: &str = "a name that begins with a letter, _ or -, or * for every crawler";

/// Whether a text can name a crawler: it is a product token, a longer name that begins with one, or `*`.
#[must_use]
pub fn is_user_agent(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || matches!(first, '_' | '*' | '-'))
        && text.chars().count() <= LONGEST_USER_AGENT as usize
}

/// Reads a URL of the site that this robots.txt speaks for: it is that of one scheme, host and port. The error says what is wrong
/// with it.
///
/// # Errors
/// It is none.
pub fn url_of_site(written: &str, robots_url: &str) -> Result<Url, String> {
    if written.chars().count() > LONGEST_ASKED_URL {
        return Err(format!("longer than {LONGEST_ASKED_URL} characters"));
    }
    if written.contains(char::is_control) {
        return Err("must not hold control characters".to_owned());
    }
    let url = Url::parse(written).map_err(|error| format!("not a URL: {error}"))?;
    let site = Url::parse(robots_url).map(|url| url.origin());
    if site.as_ref().is_ok_and(|site| *site == url.origin()) {
        return Ok(url);
    }
    let site = site.map(|site| site.ascii_serialization()).unwrap_or_default();
    Err(format!(
        "not a URL of {site}: a robots.txt speaks for one scheme, host and port"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crawler_is_named_by_a_beginning_that_rules_can_name() {
        let long = "a".repeat(LONGEST_USER_AGENT as usize);
        for good in ["Googlebot", "*", "_x", "-", "Mozilla/5.0 (ä)", &long] {
            assert!(is_user_agent(good), "{good}");
        }
        for bad in ["", " Googlebot", "007", "ä", &format!("{long}a")] {
            assert!(!is_user_agent(bad), "{bad}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_url_is_said_as_it_is() {
        let of = |written: &str| url_of_site(written, "https://shop.example/robots.txt").map(String::from);
        assert_eq!(
            of("https://shop.example/a?b").as_deref(),
            Ok("https://shop.example/a?b")
        );
        let long = format!("https://shop.example/{}", "a".repeat(LONGEST_ASKED_URL));
        for (bad, why) in [
            (long.as_str(), "longer than 2048 characters"),
            ("https://shop.example/\t", "must not hold control characters"),
            ("shop", "not a URL: "),
            ("http://shop.example/", "not a URL of https://shop.example: "),
        ] {
            let said = of(bad).unwrap_err();
            assert!(said.starts_with(why), "{said}");
        }
    }
}
