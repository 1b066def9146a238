//! Whether a crawler may fetch a URL, and which rule says so.

use std::cmp::Reverse;

use super::{
    file::{Agent, Group, RobotsFile, Rule, RuleKind, product_token},
    pattern::{Pattern, Target},
};

/// Crawlers of Google that follow the group of another where they have none of their own.
const FALL_BACK: &[(&str, &str)] = &[
    ("googlebot-image", "googlebot"),
    ("googlebot-news", "googlebot"),
    ("googlebot-video", "googlebot"),
];

/// Crawlers that obey a group only if it names them.
const NEVER_ANY: &[&str] = &["adsbot-google", "adsbot-google-mobile"];

names! {
    /// By what a crawler came to its rules.
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
    /// By what it came to them.
    pub via: MatchedVia,
    /// The groups that speak to it, with their indices in the file: all of one name count as one (RFC 9309, section 2.2.1).
    pub groups: Vec<(usize, &'a Group)>,
    /// The rules, those that decide before others first.
    ordered: Vec<&'a Rule>,
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

impl Reason {
    /// Its name in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::RuleMatch => "rule_match",
            Self::NoMatchDefault => "no_match_default",
            Self::NoGroup => "no_group",
            Self::AlwaysAllowed => "always_allowed",
        }
    }
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
        let follows = FALL_BACK
            .iter()
            .find(|(crawler, _)| *crawler == token)
            .map(|(_, followed)| *followed);
        // Who has no token is named by nobody, also by no line whose own name has none, such as `360Spider`.
        let names = [Some(token.as_str()), follows].into_iter().flatten();
        for name in names.filter(|name| !name.is_empty()) {
            let groups = self.groups_of(&Agent::Token(name.to_owned()));
            if !groups.is_empty() {
                return Access::new(MatchedVia::OwnGroup, groups);
            }
        }
        let groups = if NEVER_ANY.contains(&token.as_str()) {
            Vec::new()
        } else {
            self.groups_of(&Agent::Any)
        };
        let via = if groups.is_empty() {
            MatchedVia::None
        } else {
            MatchedVia::Wildcard
        };
        Access::new(via, groups)
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
    fn new(via: MatchedVia, groups: Vec<(usize, &'a Group)>) -> Self {
        let mut ordered: Vec<&Rule> = groups.iter().flat_map(|(_, group)| &group.rules).collect();
        ordered.sort_by_key(|rule| (Reverse(rule.pattern.octets()), rule.kind == RuleKind::Disallow));
        Self { via, groups, ordered }
    }

    /// Its rules.
    pub fn rules(&self) -> impl Iterator<Item = &'a Rule> + '_ {
        self.groups.iter().flat_map(|(_, group)| &group.rules)
    }

    /// Whether it may fetch a URL with this path and query.
    ///
    /// The rule with the most octets decides; of two that are alike in that, the one that allows (RFC 9309, section 2.2.2).
    #[must_use]
    pub fn decide(&self, target: &Target) -> Decision<'a> {
        let allowed = |reason| Decision {
            is_allowed: true,
            reason,
            rule: None,
        };
        if target.is_robots_txt() {
            return allowed(Reason::AlwaysAllowed);
        }
        if self.via == MatchedVia::None {
            return allowed(Reason::NoGroup);
        }
        let mut best: Option<(usize, &'a Rule)> = None;
        for rule in &self.ordered {
            let is_better = |octets: usize| {
                best.is_none_or(|(most, found)| {
                    octets > most
                        || (octets == most
                            && rule.kind == RuleKind::Allow
                            && found.kind == RuleKind::Disallow)
                })
            };
            // A rule never counts for more octets than it has, so neither this one is better nor any that follows.
            if !is_better(rule.pattern.octets()) {
                break;
            }
            if let Some(octets) = octets_that_match(rule, target).filter(|octets| is_better(*octets)) {
                best = Some((octets, rule));
            }
        }
        best.map_or_else(
            || allowed(Reason::NoMatchDefault),
            |(_, rule)| Decision {
                is_allowed: rule.kind == RuleKind::Allow,
                reason: Reason::RuleMatch,
                rule: Some(rule),
            },
        )
    }
}

/// The octets by which the rule counts for the target; `None` where it does not match.
///
/// To Google `Allow: /a/index.html` also allows `/a/`, since it takes both for one page.
fn octets_that_match(rule: &Rule, target: &Target) -> Option<usize> {
    if rule.pattern.is_empty() {
        return None;
    }
    if rule.pattern.matches(target) {
        return Some(rule.pattern.octets());
    }
    if rule.kind == RuleKind::Disallow {
        return None;
    }
    let (folder, page) = rule.path.rsplit_once('/')?;
    page.starts_with("index.htm").then_some(())?;
    let folder = Pattern::new(format!("{folder}/$").as_bytes());
    folder.matches(target).then(|| folder.octets())
}
