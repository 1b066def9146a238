//! Whether a crawler may fetch a URL, and which rule says so.

use std::{borrow::Cow, cmp::Reverse};

use super::{
    crawlers,
    file::{Agent, Group, RobotsFile, Rule, RuleKind, product_token},
    in_order::InOrder,
    pattern::{Pattern, Target},
};

names! {
    /// How a crawler came to its rules.
    MatchedVia as "RobotsMatchedVia" {
        /// A group names it, or the crawler that it follows.
        OwnGroup = "own_group",
        /// The group of all crawlers.
        Wildcard = "wildcard",
        /// No group speaks to it: it may fetch everything.
        None = "none",
    }
}

/// The rules of one crawler.
#[derive(Clone, Debug)]
pub struct Access<'a> {
    /// How it came to them.
    pub via: MatchedVia,
    /// The groups that speak to it, with their indices in the file: all of one name count as one (RFC 9309, section 2.2.1).
    pub groups: Vec<(usize, &'a Group)>,
}

/// A path by which a rule decides.
#[derive(Clone, Debug)]
pub(super) struct Deciding<'a> {
    pub(super) rule: &'a Rule,
    /// The rule's own, or the folder whose index page that is.
    pub(super) path: Cow<'a, Pattern>,
}

impl<'a> Deciding<'a> {
    /// All of a rule: none where it has no path.
    fn of(rule: &'a Rule) -> impl Iterator<Item = Self> {
        let own: Option<Cow<'a, Pattern>> =
            (!rule.pattern.is_empty()).then_some(Cow::Borrowed(&rule.pattern));
        let folder: Option<Cow<'a, Pattern>> = folder_of_index(rule).map(Cow::Owned);
        own.into_iter().chain(folder).map(move |path| Self { rule, path })
    }

    /// Its place among those that match: the first decides. If several have one place, the first in the file is told.
    pub(super) fn place(&self) -> (Reverse<usize>, bool) {
        (Reverse(self.path.octets()), self.rule.kind == RuleKind::Disallow)
    }
}

/// Why a URL may be fetched or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A rule says so.
    RuleMatch,
    /// No rule speaks of it, so it may be fetched.
    NoMatchDefault,
    /// No group speaks to the crawler, so it may fetch everything.
    NoGroup,
    /// It is the robots.txt itself.
    AlwaysAllowed,
}

/// The answer of a file to one crawler for one URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision<'a> {
    /// Whether it may be fetched.
    pub is_allowed: bool,
    /// Why.
    pub reason: Reason,
    /// The rule that decides.
    pub rule: Option<&'a Rule>,
}

impl RobotsFile {
    /// The rules of the crawler with this product token, or with this longer name that begins with one.
    #[must_use]
    pub fn access(&self, user_agent: &str) -> Access<'_> {
        let token = product_token(user_agent);
        let crawler = crawlers::named(&token);
        let obeys_any = crawler.is_none_or(|crawler| crawler.obeys_any);
        let follows = crawler
            .and_then(|crawler| crawler.falls_back_to)
            .map(product_token);
        // Who has no token is named by nobody, also by no line whose own name has none, such as `360Spider`.
        let names = [Some(token), follows].into_iter().flatten();
        for name in names.filter(|name| !name.is_empty()) {
            let groups = self.groups_of(&Agent::Token(name));
            if !groups.is_empty() {
                return Access {
                    via: MatchedVia::OwnGroup,
                    groups,
                };
            }
        }
        let groups = if obeys_any {
            self.groups_of(&Agent::Any)
        } else {
            Vec::new()
        };
        let via = if groups.is_empty() {
            MatchedVia::None
        } else {
            MatchedVia::Wildcard
        };
        Access { via, groups }
    }

    fn groups_of(&self, agent: &Agent) -> Vec<(usize, &Group)> {
        let speaks = |group: &Group| group.user_agents.iter().any(|named| named.agent == *agent);
        self.groups
            .iter()
            .enumerate()
            .filter(|(_, group)| speaks(group))
            .collect()
    }
}

impl<'a> Access<'a> {
    /// The indices of its groups in the file: crawlers that have the same are told the same.
    #[must_use]
    pub fn key(&self) -> Vec<usize> {
        self.groups.iter().map(|(index, _)| *index).collect()
    }

    /// The rules that hold for the crawler, in the order of the file.
    pub fn rules(&self) -> impl Iterator<Item = &'a Rule> + '_ {
        self.groups.iter().flat_map(|(_, group)| &group.rules)
    }

    fn paths(&self) -> impl Iterator<Item = Deciding<'a>> + '_ {
        self.rules().flat_map(Deciding::of)
    }

    /// Whether it may fetch a URL with this path and query.
    ///
    /// The rule with the most octets decides; of two that are alike in that, the one that allows (RFC 9309, section 2.2.2).
    #[must_use]
    pub fn decide(&self, target: &Target) -> Decision<'a> {
        decision(self.via, target, || {
            let mut best: Option<Deciding<'a>> = None;
            for next in self.paths() {
                // One that would not decide need not be matched.
                let is_better = best.as_ref().is_none_or(|best| next.place() < best.place());
                if is_better && next.path.matches(target) {
                    best = Some(next);
                }
            }
            best.map(|best| best.rule)
        })
    }

    /// The same rules, for many questions.
    #[must_use]
    pub fn in_order(&self) -> InOrder<'a> {
        InOrder::new(self.via, self.paths().collect())
    }
}

/// The answer to a crawler that came to its rules so, and to which this rule decides.
pub(super) fn decision<'a>(
    via: MatchedVia,
    target: &Target,
    rule: impl FnOnce() -> Option<&'a Rule>,
) -> Decision<'a> {
    let allowed = |reason| Decision {
        is_allowed: true,
        reason,
        rule: None,
    };
    if target.is_robots_txt() {
        return allowed(Reason::AlwaysAllowed);
    }
    if via == MatchedVia::None {
        return allowed(Reason::NoGroup);
    }
    rule().map_or_else(
        || allowed(Reason::NoMatchDefault),
        |rule| Decision {
            is_allowed: rule.kind == RuleKind::Allow,
            reason: Reason::RuleMatch,
            rule: Some(rule),
        },
    )
}

/// The folder that the rule allows besides, since to Google `Allow: /a/index.html` also allows `/a/`: it takes both for one
/// page.
fn folder_of_index(rule: &Rule) -> Option<Pattern> {
    if rule.kind == RuleKind::Disallow {
        return None;
    }
    let (folder, page) = rule.path.rsplit_once('/')?;
    page.starts_with("index.htm")
        .then(|| Pattern::new(format!("{folder}/$").as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &[&str] = &[
        "Allow: *b*a*",
        "Disallow: /a*a*b$",
        "Allow: /*/*/$",
        "Allow: /a",
        "Disallow: /a",
        "Disallow: /%61*",
        "Allow: *a*",
        "Allow: /a/index.html",
        "Allow: /*/index.htm$",
        "Allow: /a/$",
        "Disallow: /a/$",
        "Disallow: /*$",
        "Allow: /a/\u{fc}",
        "Disallow: /a/%c3%bc",
        "Disallow: /a/$b",
        "Disallow:",
    ];
    const PATHS: &[&str] = &[
        "/",
        "/a",
        "/a/",
        "/a/b",
        "/a/index.html",
        "/a/index.html?b",
        "/%61/%C3%BC",
        "/a/$b",
        "/b/",
        "/b/a",
    ];

    /// The rule that decides, as Google's parser finds it: line by line, where only one that is longer, or as long and of the
    /// kind that allows, takes the place of another.
    fn line_by_line<'a>(access: &Access<'a>, target: &Target) -> Option<&'a Rule> {
        let octets_that_match = |rule: &Rule| {
            if rule.pattern.is_empty() {
                return None;
            }
            if rule.pattern.matches(target) {
                return Some(rule.pattern.octets());
            }
            let folder = folder_of_index(rule).filter(|folder| folder.matches(target))?;
            Some(folder.octets())
        };
        let mut best: Option<(usize, &'a Rule)> = None;
        for rule in access.rules() {
            let Some(octets) = octets_that_match(rule) else {
                continue;
            };
            let is_better = best.is_none_or(|(most, found)| {
                octets > most
                    || (octets == most && rule.kind == RuleKind::Allow && found.kind == RuleKind::Disallow)
            });
            if is_better {
                best = Some((octets, rule));
            }
        }
        best.map(|(_, rule)| rule)
    }

    /// All files of three of the rules, in one group and in three that are merged.
    #[test]
    fn rules_decide_as_they_do_line_by_line() {
        let targets: Vec<Target> = PATHS.iter().map(|path| Target::new(path)).collect();
        for first in RULES {
            for second in RULES {
                for third in RULES {
                    for between in ["", "User-agent: BarBot\nDisallow: /\nUser-agent: FooBot\n"] {
                        let text =
                            format!("User-agent: FooBot\n{first}\n{between}{second}\n{between}{third}\n");
                        let file = RobotsFile::parse(text.as_bytes());
                        let access = file.access("FooBot");
                        let in_order = access.in_order();
                        assert_eq!(access.rules().count(), 3, "{text}");
                        for (target, path) in targets.iter().zip(PATHS) {
                            let decision = access.decide(target);
                            let expected = line_by_line(&access, target);
                            assert_eq!(decision.rule, expected, "{path} in {text}");
                            let is_allowed = expected.is_none_or(|rule| rule.kind == RuleKind::Allow);
                            assert_eq!(decision.is_allowed, is_allowed, "{path} in {text}");
                            assert_eq!(in_order.decide(target), decision, "{path} in {text}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_first_of_rules_that_count_alike_is_told() {
        let line = |rules: &str| {
            let file = RobotsFile::parse(format!("User-agent: *\n{rules}").as_bytes());
            let (access, target) = (file.access("FooBot"), Target::new("/a/"));
            let decision = access.decide(&target);
            assert_eq!(access.in_order().decide(&target), decision, "{rules}");
            decision.rule.map(|rule| rule.line)
        };
        assert_eq!(
            line("Allow: /a/$\nAllow: /a/*$\n"),
            Some(3),
            "the second is longer"
        );
        assert_eq!(line("Disallow: /a/\nDisallow: /%61/\n"), Some(2));
        assert_eq!(line("Disallow: /a/\nAllow: /a/\n"), Some(3));
        // The second counts for its folder, which is as long as the first.
        assert_eq!(line("Allow: /a/$\nAllow: /a/index.html\n"), Some(2));
    }
}
