//! A robots.txt as it is read: groups of rules, sitemaps, and everything else that stands in it.

use super::{
    crawlers::CRAWLERS,
    directive::{Directive, understand},
    issue::Issue,
    line::{Line, READ_BYTES, Said, lines, without_bom},
    lint,
    pattern::Pattern,
};

/// A robots.txt that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct RobotsFile {
    /// The groups, in the order of the file.
    pub groups: Vec<Group>,
    /// The sitemaps that it names.
    pub sitemaps: Vec<SitemapLine>,
    /// Lines with other keys.
    pub other_lines: Vec<OtherLine>,
    /// Its findings, in the order of its lines; those about the file as a whole come first.
    pub issues: Vec<Issue>,
    /// Whether only its first [`READ_BYTES`] were read.
    pub is_truncated: bool,
    /// Whether it begins with a mark of the byte order.
    pub has_bom: bool,
}

/// Rules for the crawlers that a group names.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The crawlers, as they are written.
    pub user_agents: Vec<UserAgentLine>,
    /// The rules.
    pub rules: Vec<Rule>,
    /// The pause between two requests that it asks for.
    pub crawl_delay_seconds: Option<f64>,
    /// The line of its first crawler.
    pub start_line: u32,
    /// Its last line.
    pub end_line: u32,
}

/// A line that names a crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserAgentLine {
    /// The line.
    pub line: u32,
    /// The value, as it is written.
    pub written: String,
    /// Whom it speaks of.
    pub agent: Agent,
}

/// Whom a line of a group speaks of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Agent {
    /// All crawlers that have no group of their own.
    Any,
    /// The crawlers with this product token, in lower case.
    Token(String),
}

impl Agent {
    fn new(written: &[u8]) -> Self {
        match written {
            [b'*'] => Self::Any,
            [b'*', next, ..] if next.is_ascii_whitespace() => Self::Any,
            _ => Self::Token(leading_token(&String::from_utf8_lossy(written))),
        }
    }
}

/// The token by which every browser names itself first, and many crawlers with them: it tells nobody from another.
const OF_BROWSERS: &str = "mozilla";

/// The product token of the crawler that is asked about by this name, in lower case: the leading letters, `_` and `-` of the name.
/// A whole user agent that begins as those of browsers do is that of the crawler that is named in it, if that is a known one; of
/// several the one with the longest token.
#[must_use]
pub fn product_token(name: &str) -> String {
    let leading = leading_token(name);
    if leading != OF_BROWSERS {
        return leading;
    }
    let words = name.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-')));
    let is_known = |word: &&str| {
        let mut known = CRAWLERS.iter();
        known.any(|crawler| crawler.token.eq_ignore_ascii_case(word))
    };
    words
        .filter(is_known)
        .max_by_key(|word| word.len())
        .map_or(leading, leading_token)
}

/// The leading letters, `_` and `-` of a name, in lower case (RFC 9309, section 2.2.1).
fn leading_token(name: &str) -> String {
    name.chars()
        .take_while(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '-'))
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

names! {
    /// Whether a rule lets in or keeps out.
    RuleKind as "RobotsRuleType" {
        /// Lets in.
        Allow = "allow",
        /// Keeps out.
        Disallow = "disallow",
    }
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The line.
    pub line: u32,
    /// Whether it lets in or keeps out.
    pub kind: RuleKind,
    /// The path, as it is written.
    pub path: String,
    /// The paths that it matches.
    pub pattern: Pattern,
}

/// A line that names a sitemap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitemapLine {
    /// The line.
    pub line: u32,
    /// The address, as it is written.
    pub url: String,
}

names! {
    /// The kind of a line with another key.
    OtherKind as "RobotsOtherKind" {
        /// Its key is known to some crawlers.
        Unused = "unused",
        /// Its key is known to none.
        Unknown = "unknown",
        /// Its key is misspelled, and taken for the right one.
        Typo = "typo",
    }
}

/// A line with another key than those of rules, groups and sitemaps, or with one of those misspelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherLine {
    /// The line.
    pub line: u32,
    /// The key; the whole line where it has no value.
    pub key: String,
    /// The text behind its colon.
    pub value: String,
    /// The kind of the line.
    pub kind: OtherKind,
    /// The key that it is taken for, where it is misspelled.
    pub accepted_as: Option<&'static str>,
}

impl RobotsFile {
    /// Reads a file. Whatever the bytes are, something comes of it: lines that mean nothing are findings.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Self {
        let is_truncated = bytes.len() > READ_BYTES;
        let (text, has_bom) = without_bom(&bytes[..bytes.len().min(READ_BYTES)]);
        let mut reader = Reader::default();
        for line in lines(text) {
            reader.read(&line);
        }
        let mut file = Self {
            groups: reader.groups,
            sitemaps: reader.sitemaps,
            other_lines: reader.other_lines,
            issues: Vec::new(),
            is_truncated,
            has_bom,
        };
        file.issues = lint::of_file(&file, text);
        file.issues.extend(lint::of_rules(&file));
        file.issues.extend(reader.issues);
        file.issues.sort_by_key(|issue| issue.line);
        file
    }

    /// How many rules it has.
    #[must_use]
    pub fn rules_count(&self) -> usize {
        self.groups.iter().map(|group| group.rules.len()).sum()
    }
}

#[derive(Debug, Default)]
struct Reader {
    groups: Vec<Group>,
    sitemaps: Vec<SitemapLine>,
    other_lines: Vec<OtherLine>,
    issues: Vec<Issue>,
    /// Whether the last group has a rule, so that the next crawler begins another.
    has_rule: bool,
}

impl Reader {
    fn read(&mut self, line: &Line<'_>) {
        self.issues.extend(lint::of_bytes(line));
        let pair = match line.said() {
            Said::Nothing => return,
            Said::Words(words) => {
                self.issues.push(lint::no_pair(line));
                self.other(line, words, b"", OtherKind::Unknown, None);
                return;
            }
            Said::Pair(pair) => pair,
        };
        let key = pair.key.as_bytes();
        let Some(understood) = understand(&pair.key) else {
            self.issues.push(lint::unknown(line, &pair.key));
            self.other(line, key, pair.value, OtherKind::Unknown, None);
            return;
        };
        if pair.lacks_colon {
            self.issues.push(lint::missing_colon(line, &pair.key));
        }
        if let Some(meant) = understood.accepted_as {
            self.issues.push(lint::typo(line, &pair.key, meant));
            self.other(line, key, pair.value, OtherKind::Typo, Some(meant));
        }
        match understood.directive {
            Directive::UserAgent => self.user_agent(line.number, pair.value),
            Directive::Allow => self.rule(line, RuleKind::Allow, pair.value),
            Directive::Disallow => self.rule(line, RuleKind::Disallow, pair.value),
            Directive::Sitemap => {
                let url = String::from_utf8_lossy(pair.value).into_owned();
                self.issues.extend(lint::of_sitemap(line, &url));
                self.sitemaps.push(SitemapLine {
                    line: line.number,
                    url,
                });
            }
            Directive::CrawlDelay => {
                self.issues.push(lint::crawl_delay(line));
                self.crawl_delay(line.number, pair.value);
                self.other(line, key, pair.value, OtherKind::Unused, None);
            }
            Directive::Unused => {
                self.issues.push(lint::unsupported(line, &pair.key));
                self.other(line, key, pair.value, OtherKind::Unused, None);
            }
        }
    }

    fn user_agent(&mut self, line: u32, value: &[u8]) {
        let named = UserAgentLine {
            line,
            written: String::from_utf8_lossy(value).into_owned(),
            agent: Agent::new(value),
        };
        match self.groups.last_mut() {
            Some(group) if !self.has_rule => {
                group.user_agents.push(named);
                group.end_line = line;
            }
            _ => self.groups.push(Group {
                user_agents: vec![named],
                rules: Vec::new(),
                crawl_delay_seconds: None,
                start_line: line,
                end_line: line,
            }),
        }
        self.has_rule = false;
    }

    fn rule(&mut self, line: &Line<'_>, kind: RuleKind, value: &[u8]) {
        let Some(group) = self.groups.last_mut() else {
            self.issues.push(lint::before_user_agent(line, kind));
            return;
        };
        self.issues.extend(lint::of_path(line, kind, value));
        group.rules.push(Rule {
            line: line.number,
            kind,
            path: String::from_utf8_lossy(value).into_owned(),
            pattern: Pattern::new(value),
        });
        group.end_line = line.number;
        self.has_rule = true;
    }

    fn crawl_delay(&mut self, line: u32, value: &[u8]) {
        let Some(group) = self.groups.last_mut() else {
            return;
        };
        let seconds = std::str::from_utf8(value)
            .ok()
            .and_then(|text| text.parse::<f64>().ok())
            .filter(|seconds| seconds.is_finite() && *seconds >= 0.0);
        group.crawl_delay_seconds = group.crawl_delay_seconds.or(seconds);
        group.end_line = line;
    }

    fn other(
        &mut self,
        line: &Line<'_>,
        key: &[u8],
        value: &[u8],
        kind: OtherKind,
        accepted_as: Option<&'static str>,
    ) {
        self.other_lines.push(OtherLine {
            line: line.number,
            key: String::from_utf8_lossy(key).into_owned(),
            value: String::from_utf8_lossy(value).into_owned(),
            kind,
            accepted_as,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_user_agent_is_that_of_the_crawler_in_it() {
        for (name, token) in [
            ("Googlebot/2.1 (+http://www.google.com/bot.html)", "googlebot"),
            (
                "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
                "gptbot",
            ),
            (
                "Mozilla/5.0 (compatible; bingbot/2.0) AdsBot-Google",
                "adsbot-google",
            ),
            // No crawler that is known is a part of a word.
            ("Mozilla/5.0 (X11; NotGPTBot/1.0)", "mozilla"),
            ("Mozilla/5.0 (Windows NT 10.0) Firefox/140.0", "mozilla"),
            ("FooBot (like GPTBot)", "foobot"),
        ] {
            assert_eq!(product_token(name), token, "{name}");
        }
        let file = RobotsFile::parse(b"User-agent: Mozilla/5.0 (compatible; GPTBot)\nDisallow: /\n");
        let agent = &file.groups[0].user_agents[0].agent;
        assert_eq!(
            *agent,
            Agent::Token("mozilla".to_owned()),
            "a line of the file is its beginning"
        );
    }
}
