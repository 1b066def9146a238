//! Whether URLs of a site may be fetched: by the file in force, by a proposed one, and beside what is expected.

use std::collections::{HashMap, hash_map::Entry};

use url::Url;

use super::site::{Expectation, RobotsSite, TestUrl, effective};
use crate::robots::{
    access::{Access, Decision, Reason},
    effort::{Effort, Spent},
    file::{Agent, Group, RobotsFile, Rule, product_token},
    in_order::InOrder,
    outcome::{EffectivePolicy, RobotsState},
    pattern::Target,
};

names! {
    /// Why a URL may be fetched or not.
    AccessReason as "RobotsAccessReason" {
        /// A rule says so.
        RuleMatch = "rule_match",
        /// No rule of the crawler's groups speaks of it, so it may be fetched.
        NoMatchDefault = "no_match_default",
        /// No group speaks to the crawler, so it may fetch everything.
        NoGroup = "no_group",
        /// There is no file, so everything may be fetched.
        RobotsMissing = "robots_missing",
        /// Nobody answers, or the server fails, so nothing may be fetched.
        RobotsUnreachable = "robots_unreachable",
        /// It is the robots.txt itself.
        AlwaysAllowed = "always_allowed",
    }
}

/// The answer of a file to one crawler for one URL.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict<'a> {
    /// Whether it may be fetched.
    pub is_allowed: bool,
    /// Why.
    pub reason: AccessReason,
    /// The group that the crawler obeys: the one with the deciding rule, else the first that speaks to it.
    pub group: Option<&'a Group>,
    /// The rule that decides.
    pub rule: Option<&'a Rule>,
}

/// The file that is in force, with what crawlers make of it.
#[derive(Clone, Debug, PartialEq)]
pub struct InForce {
    file: RobotsFile,
    state: RobotsState,
}

impl InForce {
    /// The site's.
    #[must_use]
    pub fn of(site: &RobotsSite) -> Self {
        let version = site.current.as_ref();
        let good = version.map(|version| (version.fetch.state, version.content.as_deref()));
        Self::new(site.state, good)
    }

    /// The file of a site in this state, as its last good fetch saw it.
    #[must_use]
    pub fn new(state: RobotsState, good: Option<(RobotsState, Option<&[u8]>)>) -> Self {
        let file = good.map(|(state, content)| effective(state, content));
        Self {
            file: file.unwrap_or_else(|| RobotsFile::parse(b"")),
            state,
        }
    }

    /// A text that is proposed.
    #[must_use]
    pub fn proposed(text: &str) -> Self {
        Self {
            file: RobotsFile::parse(text.as_bytes()),
            state: RobotsState::Ok,
        }
    }

    /// The file as it was read.
    #[must_use]
    pub const fn file(&self) -> &RobotsFile {
        &self.file
    }

    /// The rules of the file for one crawler.
    #[must_use]
    pub fn to<'a>(&'a self, user_agent: &str) -> ToCrawler<'a> {
        ToCrawler {
            state: self.state,
            access: self.file.access(user_agent),
        }
    }

    /// Whether a crawler may fetch the root of the site; the empty token stands for those that nobody names.
    #[must_use]
    pub fn allows_root(&self, token: &str) -> bool {
        match self.state.policy() {
            EffectivePolicy::DisallowAll => false,
            EffectivePolicy::AllowAll => true,
            EffectivePolicy::AsWritten => self.file.access(token).decide(&Target::new("/")).is_allowed,
        }
    }
}

/// The rules of a file in force for one crawler.
#[derive(Clone, Debug)]
pub struct ToCrawler<'a> {
    state: RobotsState,
    access: Access<'a>,
}

impl<'a> ToCrawler<'a> {
    /// The answer for a URL by rules that are not prepared.
    #[cfg(test)]
    fn verdict(&self, url: &Url) -> Verdict<'a> {
        let target = target(url);
        self.judged(&target, self.access.decide(&target))
    }

    /// The answer for each of many, as far as the effort goes.
    fn verdicts(&self, urls: &[Url], effort: &mut Effort) -> Result<Vec<Verdict<'a>>, Spent> {
        let rules = self.in_order(effort)?;
        let verdict = |url| self.verdict_of(&rules, url, effort);
        urls.iter().map(verdict).collect()
    }

    fn in_order(&self, effort: &mut Effort) -> Result<InOrder<'a>, Spent> {
        let rules = self.access.in_order();
        effort.spend(rules.prepared())?;
        Ok(rules)
    }

    /// The answer for a URL by the rules that were prepared for the crawler.
    fn verdict_of(&self, rules: &InOrder<'a>, url: &Url, effort: &mut Effort) -> Result<Verdict<'a>, Spent> {
        let target = target(url);
        let decision = rules.decide_within(&target, effort)?;
        // The group of the deciding rule is looked for among all.
        effort.spend(self.access.groups.len())?;
        Ok(self.judged(&target, decision))
    }

    fn judged(&self, target: &Target, decision: Decision<'a>) -> Verdict<'a> {
        let plain = |is_allowed, reason| Verdict {
            is_allowed,
            reason,
            group: None,
            rule: None,
        };
        if target.is_robots_txt() {
            return plain(true, AccessReason::AlwaysAllowed);
        }
        match self.state.policy() {
            EffectivePolicy::DisallowAll => return plain(false, AccessReason::RobotsUnreachable),
            EffectivePolicy::AllowAll if self.state == RobotsState::Missing => {
                return plain(true, AccessReason::RobotsMissing);
            }
            EffectivePolicy::AllowAll | EffectivePolicy::AsWritten => {}
        }
        let groups = || self.access.groups.iter().map(|(_, group)| *group);
        // The lines of groups do not overlap.
        let holds = |group: &&Group| {
            decision
                .rule
                .is_some_and(|rule| (group.start_line..=group.end_line).contains(&rule.line))
        };
        Verdict {
            is_allowed: decision.is_allowed,
            reason: match decision.reason {
                Reason::RuleMatch => AccessReason::RuleMatch,
                Reason::NoMatchDefault => AccessReason::NoMatchDefault,
                Reason::NoGroup => AccessReason::NoGroup,
                Reason::AlwaysAllowed => AccessReason::AlwaysAllowed,
            },
            group: groups().find(holds).or_else(|| groups().next()),
            rule: decision.rule,
        }
    }
}

/// The answers of a file for several URLs. Crawlers to which the same groups speak are told the same, so it is looked up once
/// for all of them.
#[derive(Debug)]
pub struct Verdicts<'a> {
    file: &'a InForce,
    urls: &'a [Url],
    of_groups: HashMap<Vec<usize>, Vec<Verdict<'a>>>,
}

impl<'a> Verdicts<'a> {
    /// Prepares the answers for these URLs.
    #[must_use]
    pub fn new(file: &'a InForce, urls: &'a [Url]) -> Self {
        Self {
            file,
            urls,
            of_groups: HashMap::new(),
        }
    }

    /// The answers to a crawler, one for each URL.
    ///
    /// # Errors
    /// The effort does not suffice.
    pub fn to(&mut self, user_agent: &str, effort: &mut Effort) -> Result<&[Verdict<'a>], Spent> {
        let to = self.file.to(user_agent);
        let verdicts: &[Verdict<'a>] = match self.of_groups.entry(to.access.key()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(to.verdicts(self.urls, effort)?),
        };
        Ok(verdicts)
    }
}

/// The path and query of a URL, as rules see them.
#[must_use]
pub fn target(url: &Url) -> Target {
    match url.query() {
        Some(query) => Target::new(&format!("{}?{query}", url.path())),
        None => Target::new(url.path()),
    }
}

/// How a group is called by: the name by which it speaks to this crawler, as it is written.
#[must_use]
pub fn called<'a>(group: &'a Group, user_agent: &str) -> Option<&'a str> {
    let token = product_token(user_agent);
    let named = |agent: &Agent| !token.is_empty() && *agent == Agent::Token(token.clone());
    let lines = || group.user_agents.iter();
    lines()
        .find(|line| named(&line.agent))
        .or_else(|| lines().find(|line| line.agent == Agent::Any))
        .or_else(|| lines().next())
        .map(|line| line.written.as_str())
}

/// The result for a saved URL, to be compared with the expected one.
#[derive(Clone, Debug, PartialEq)]
pub struct Tested<'a> {
    /// The actual result; `None` where the file was never fetched, the URL is none, or the rules take too long.
    pub result: Option<Expectation>,
    /// The rule that decides.
    pub rule: Option<&'a Rule>,
}

impl Tested<'_> {
    /// Whether it is as expected.
    #[must_use]
    pub fn passes(&self, expected: Expectation) -> Option<bool> {
        self.result.map(|result| result == expected)
    }
}

/// Holds saved URLs against a file. Its rules are prepared once for all crawlers to which the same groups speak.
#[derive(Debug)]
pub struct Tests<'a> {
    file: Option<&'a InForce>,
    of_groups: HashMap<Vec<usize>, InOrder<'a>>,
    effort: Effort,
}

impl<'a> Tests<'a> {
    /// `None`: the file was never fetched.
    #[must_use]
    pub fn new(file: Option<&'a InForce>) -> Self {
        Self {
            file,
            of_groups: HashMap::new(),
            effort: Effort::default(),
        }
    }

    /// Holds one against it.
    pub fn test(&mut self, saved: &TestUrl) -> Tested<'a> {
        let verdict = self.verdict(saved);
        Tested {
            result: verdict.map(|verdict| Expectation::of(verdict.is_allowed)),
            rule: verdict.and_then(|verdict| verdict.rule),
        }
    }

    fn verdict(&mut self, saved: &TestUrl) -> Option<Verdict<'a>> {
        let url = Url::parse(&saved.url).ok()?;
        let to = self.file?.to(&saved.user_agent);
        let rules = match self.of_groups.entry(to.access.key()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(to.in_order(&mut self.effort).ok()?),
        };
        to.verdict_of(rules, &url, &mut self.effort).ok()
    }
}

/// How many saved URLs are not as expected.
#[must_use]
pub fn failing(file: &InForce, saved: &[TestUrl]) -> usize {
    let mut tests = Tests::new(Some(file));
    let fails = |url: &&TestUrl| tests.test(url).passes(url.expectation) == Some(false);
    saved.iter().filter(fails).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crawlers_of_the_same_groups_are_looked_up_once_and_others_for_themselves() {
        let text = "User-agent: a\nUser-agent: b\nDisallow: /x\n\nUser-agent: b\nDisallow: /y\n";
        let file = InForce::proposed(text);
        let urls = ["https://shop.example/x", "https://shop.example/y"];
        let urls = urls.map(|url| url.parse::<Url>().unwrap());
        let mut verdicts = Verdicts::new(&file, &urls);
        let agents = ["a", "b", "c", "a/2.0", "d"];
        for agent in agents {
            let alone: Vec<_> = urls.iter().map(|url| file.to(agent).verdict(url)).collect();
            let told = verdicts.to(agent, &mut Effort::default()).unwrap();
            assert_eq!(told, alone, "{agent}");
        }
        // Those of a, of b, and of whom no group names.
        assert_eq!(verdicts.of_groups.len(), 3);
    }

    /// 20,000 rules, and two hundred URLs that hold the beginning of each of them two thousand times.
    #[test]
    fn saved_urls_are_held_against_rules_that_are_prepared() {
        let rules: String = (0..20_000)
            .map(|number| format!("Disallow:*q{number}\n"))
            .collect();
        let file = InForce::proposed(&format!("User-agent: *\n{rules}"));
        let saved = |number: usize| TestUrl {
            id: uuid::Uuid::nil(),
            url: format!("https://shop.example/{}{number}", "q".repeat(2_000)),
            user_agent: "Googlebot".to_owned(),
            expectation: Expectation::Allowed,
        };
        let mut tests = Tests::new(Some(&file));
        for number in 0..200 {
            let tested = tests.test(&saved(number));
            let path = format!("*q{number}");
            assert_eq!(tested.rule.map(|rule| rule.path.as_str()), Some(path.as_str()));
        }
        assert_eq!(tests.of_groups.len(), 1);
        assert_eq!(
            failing(&file, &[saved(1), saved(50_000)]),
            2,
            "the last has q5000"
        );
    }
}
