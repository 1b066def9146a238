//! The keys of a robots.txt, as crawlers read them.

/// The meaning of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directive {
    /// Names a crawler.
    UserAgent,
    /// Lets it in.
    Allow,
    /// Keeps it out.
    Disallow,
    /// Names a sitemap.
    Sitemap,
    /// Asks for a pause between two requests. Not part of RFC 9309; some crawlers keep to it.
    CrawlDelay,
    /// A key that some crawler knows or knew, and RFC 9309 does not.
    Unused,
}

/// Keys as they are spelled.
const KEYS: &[(&str, Directive)] = &[
    ("user-agent", Directive::UserAgent),
    ("allow", Directive::Allow),
    ("disallow", Directive::Disallow),
    ("sitemap", Directive::Sitemap),
    ("crawl-delay", Directive::CrawlDelay),
    ("clean-param", Directive::Unused),
    ("content-signal", Directive::Unused),
    ("host", Directive::Unused),
    ("nofollow", Directive::Unused),
    ("noindex", Directive::Unused),
    ("noarchive", Directive::Unused),
    ("request-rate", Directive::Unused),
    ("visit-time", Directive::Unused),
];

/// Misspellings that Google's parser takes, with what it takes them for.
const TYPOS: &[(&str, &str)] = &[
    ("useragent", "user-agent"),
    ("user agent", "user-agent"),
    ("dissallow", "disallow"),
    ("dissalow", "disallow"),
    ("disalow", "disallow"),
    ("diasllow", "disallow"),
    ("disallaw", "disallow"),
    ("site-map", "sitemap"),
];

/// A key that was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Understood {
    /// The meaning of the key.
    pub directive: Directive,
    /// The right spelling, where it was misspelled.
    pub accepted_as: Option<&'static str>,
}

/// Reads a key, in whatever case; `None` for one that is unknown.
#[must_use]
pub fn understand(key: &str) -> Option<Understood> {
    let directive = |name: &str| {
        KEYS.iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, directive)| *directive)
    };
    if let Some(directive) = directive(key) {
        return Some(Understood {
            directive,
            accepted_as: None,
        });
    }
    let (_, meant) = TYPOS.iter().find(|(typo, _)| typo.eq_ignore_ascii_case(key))?;
    Some(Understood {
        directive: directive(meant)?,
        accepted_as: Some(meant),
    })
}

/// The longest key that is taken for a misspelled one, in characters.
const LONGEST_MISSPELLED: usize = 20;

/// The key that was probably meant by an unknown one, which crawlers do not read: two letters are wrong at most, and no more than a
/// third of them.
#[must_use]
pub(super) fn nearest(key: &str) -> Option<&'static str> {
    let letters = key.chars().count();
    if letters > LONGEST_MISSPELLED {
        return None;
    }
    let key = key.to_lowercase();
    let (distance, meant) = KEYS
        .iter()
        .map(|(known, _)| (strsim::osa_distance(known, &key), *known))
        .min_by_key(|(distance, _)| *distance)?;
    (distance <= 2 && distance * 3 <= letters).then_some(meant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelled_key_is_told_by_what_was_meant() {
        for (key, meant) in [
            ("User-agnet", Some("user-agent")),
            ("Dissalllow", Some("disallow")),
            ("alow", Some("allow")),
            ("foo", None),
            ("nonsense", None),
            ("", None),
        ] {
            assert_eq!(nearest(key), meant, "{key}");
        }
    }
}
