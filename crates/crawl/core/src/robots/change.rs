//! The changes between two versions of a robots.txt, and whom they concern.

use std::collections::{HashMap, HashSet};

use similar::{ChangeTag, TextDiff};

use super::{
    access::Access,
    crawlers::CRAWLERS,
    file::{Agent, Group, RobotsFile, RuleKind},
    issue::{Issue, IssueCode},
    obeyed::{Others, with_other_rules},
    pattern::Target,
};

names! {
    /// How a line differs between two versions.
    LineOp as "RobotsDiffOp" {
        /// It stands in both.
        Equal = "equal",
        /// It is new.
        Added = "added",
        /// It is gone.
        Removed = "removed",
    }
}

/// A line of the difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffLine {
    /// How it differs.
    pub op: LineOp,
    /// Its number before; the first is 1.
    pub line_before: Option<u32>,
    /// Its number after.
    pub line_after: Option<u32>,
    /// The line, without its end.
    pub text: String,
}

/// The difference of two texts, line by line.
#[must_use]
pub fn diff(before: &str, after: &str) -> Vec<DiffLine> {
    let number = |index: Option<usize>| index.and_then(|index| u32::try_from(index + 1).ok());
    let of = |change: similar::Change<&str>| DiffLine {
        op: match change.tag() {
            ChangeTag::Equal => LineOp::Equal,
            ChangeTag::Insert => LineOp::Added,
            ChangeTag::Delete => LineOp::Removed,
        },
        line_before: number(change.old_index()),
        line_after: number(change.new_index()),
        text: change.value().trim_end_matches(['\r', '\n']).to_owned(),
    };
    TextDiff::configure()
        // A difference that takes longer is told more coarsely.
        .timeout(std::time::Duration::from_secs(1))
        .diff_lines(before, after)
        .iter_all_changes()
        .map(of)
        .collect()
}

names! {
    /// How far a change reaches.
    Impact as "RobotsImpact" {
        /// No crawler may fetch more or less than before, as far as rules tell: they have the same ones, in whatever order.
        None = "none",
        /// A crawler has other rules.
        Low = "low",
        /// A large search engine, or all crawlers that have no rules of their own, lost or gained the whole site.
        High = "high",
    }
}

/// A crawler that lost or gained the root of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessChange {
    /// Its product token, or `*`.
    pub user_agent_token: &'static str,
    /// Whether it might fetch the root before.
    pub was_allowed: bool,
    /// Whether it may now.
    pub is_allowed: bool,
}

/// The changes between two versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Rules that are new. The same rule for several crawlers of a group counts once.
    pub rules_added: usize,
    /// Rules that are gone.
    pub rules_removed: usize,
    /// Groups that came, went, have other rules or speak to other crawlers. A group is known by its first crawler.
    pub groups_changed: usize,
    /// Sitemaps that came or went.
    pub sitemaps_changed: usize,
    /// Crawlers that have other rules.
    with_other_rules: Others,
    /// Crawlers that lost or gained the root.
    pub access_changes: Vec<AccessChange>,
    /// How far it reaches.
    pub impact: Impact,
    /// Findings that are new.
    pub issues_added: Vec<Issue>,
    /// Findings that are gone.
    pub issues_resolved: Vec<Issue>,
}

impl Change {
    /// Between a version and the one after it.
    #[must_use]
    pub fn between(before: &RobotsFile, after: &RobotsFile) -> Self {
        let renamed = known_before(before, after);
        let (was, is) = (rules(before, &HashMap::new()), rules(after, &renamed));
        let (groups_were, groups_are) = (groups(before, &HashMap::new()), groups(after, &renamed));
        let (sitemaps_were, sitemaps_are) = (sitemaps(before), sitemaps(after));
        let rules_added = beyond(&is, &was);
        let rules_removed = beyond(&was, &is);
        let came_or_differ = groups_are
            .iter()
            .filter(|(agent, group)| groups_were.get(*agent) != Some(*group))
            .count();
        let went = groups_were
            .keys()
            .filter(|agent| !groups_are.contains_key(*agent))
            .count();
        let with_other_rules = with_other_rules(before, after);
        let access_changes = access_changes(before, after);
        let is_major = |change: &AccessChange| {
            change.user_agent_token == ANY
                || CRAWLERS
                    .iter()
                    .any(|crawler| crawler.is_major && crawler.token == change.user_agent_token)
        };
        let impact = if access_changes.iter().any(is_major) {
            Impact::High
        } else if with_other_rules.is_any(rules_added + rules_removed + came_or_differ + went > 0) {
            Impact::Low
        } else {
            Impact::None
        };
        let (issues_added, issues_resolved) = (
            new_issues(&before.issues, &after.issues),
            new_issues(&after.issues, &before.issues),
        );
        Self {
            rules_added,
            rules_removed,
            groups_changed: came_or_differ + went,
            sitemaps_changed: beyond(&sitemaps_are, &sitemaps_were) + beyond(&sitemaps_were, &sitemaps_are),
            with_other_rules,
            access_changes,
            impact,
            issues_added,
            issues_resolved,
        }
    }

    /// The change in a line, such as `2 rules added, 1 rule removed; Googlebot may no longer fetch the site`.
    #[must_use]
    pub fn summary(&self) -> String {
        let count = |count: usize, one: &str, what: &str| match count {
            0 => None,
            1 => Some(format!("1 {one} {what}")),
            count => Some(format!("{count} {one}s {what}")),
        };
        // Rules that came or went tell more.
        let has_no_other_rule = self.rules_added + self.rules_removed == 0;
        let others = has_no_other_rule
            .then(|| self.with_other_rules.summary())
            .flatten();
        let counts: Vec<String> = [
            count(self.rules_added, "rule", "added"),
            count(self.rules_removed, "rule", "removed"),
            count(self.sitemaps_changed, "sitemap", "changed"),
            others,
        ]
        .into_iter()
        .flatten()
        .collect();
        let mut parts = Vec::new();
        parts.push(if counts.is_empty() {
            "no rule changed".to_owned()
        } else {
            counts.join(", ")
        });
        for (is_allowed, says) in [
            (false, "may no longer fetch the site"),
            (true, "may fetch the site again"),
        ] {
            let names: Vec<&str> = self
                .access_changes
                .iter()
                .filter(|change| change.is_allowed == is_allowed)
                .map(|change| match change.user_agent_token {
                    ANY => OTHERS,
                    token => token,
                })
                .collect();
            match names.as_slice() {
                [] => {}
                [few @ .., last] if few.len() < 3 => {
                    let names = if few.is_empty() {
                        (*last).to_owned()
                    } else {
                        format!("{} and {last}", few.join(", "))
                    };
                    parts.push(format!("{names} {says}"));
                }
                many if many.contains(&OTHERS) => {
                    parts.push(format!("{} known crawlers and {OTHERS} {says}", many.len() - 1));
                }
                many => parts.push(format!("{} crawlers {says}", many.len())),
            }
        }
        parts.join("; ")
    }
}

/// All crawlers that have no rules of their own.
const ANY: &str = "*";
/// The same in words.
const OTHERS: &str = "every other crawler";

fn access_changes(before: &RobotsFile, after: &RobotsFile) -> Vec<AccessChange> {
    let root = Target::new("/");
    let may = |access: &Access<'_>| access.decide(&root).is_allowed;
    // The name of no crawler, so only the group of all speaks to it.
    let tokens =
        std::iter::once((ANY, "")).chain(CRAWLERS.iter().map(|crawler| (crawler.token, crawler.token)));
    tokens
        .map(|(user_agent_token, asked)| AccessChange {
            user_agent_token,
            was_allowed: may(&before.access(asked)),
            is_allowed: may(&after.access(asked)),
        })
        .filter(|change| change.was_allowed != change.is_allowed)
        .collect()
}

type Counts<K> = HashMap<K, usize>;

/// How many of the first stand beyond those of the second.
fn beyond<K: std::hash::Hash + Eq>(first: &Counts<K>, second: &Counts<K>) -> usize {
    first
        .iter()
        .map(|(key, count)| count.saturating_sub(second.get(key).copied().unwrap_or(0)))
        .sum()
}

fn counts<K: std::hash::Hash + Eq>(keys: impl Iterator<Item = K>) -> Counts<K> {
    let mut counts = HashMap::new();
    for key in keys {
        *counts.entry(key).or_default() += 1;
    }
    counts
}

/// Other names of groups of the later file, by their first crawlers: where that was the first of no group, but stood in one whose
/// first crawler is the first of none now, the group goes by that. So crawlers of a group may change places.
fn known_before<'a>(before: &'a RobotsFile, after: &'a RobotsFile) -> HashMap<&'a Agent, &'a Agent> {
    let firsts =
        |file: &'a RobotsFile| -> HashSet<&'a Agent> { file.groups.iter().filter_map(first_agent).collect() };
    let (were, are) = (firsts(before), firsts(after));
    let mut stood: HashMap<&Agent, &Agent> = HashMap::new();
    for group in &before.groups {
        let Some(first) = first_agent(group) else { continue };
        for named in &group.user_agents {
            stood.entry(&named.agent).or_insert(first);
        }
    }
    are.iter()
        .filter(|agent| !were.contains(*agent))
        .filter_map(|agent| {
            let first = *stood.get(*agent)?;
            (!are.contains(first)).then_some((*agent, first))
        })
        .collect()
}

fn known_as<'a>(group: &'a Group, renamed: &HashMap<&'a Agent, &'a Agent>) -> Option<&'a Agent> {
    first_agent(group).map(|agent| renamed.get(agent).copied().unwrap_or(agent))
}

fn rules<'a>(
    file: &'a RobotsFile,
    renamed: &HashMap<&'a Agent, &'a Agent>,
) -> Counts<(Option<&'a Agent>, RuleKind, &'a str)> {
    let of = |group: &'a Group| {
        let agent = known_as(group, renamed);
        group
            .rules
            .iter()
            .map(move |rule| (agent, rule.kind, rule.path.as_str()))
    };
    counts(file.groups.iter().flat_map(of))
}

fn first_agent(group: &Group) -> Option<&Agent> {
    group.user_agents.first().map(|named| &named.agent)
}

/// The crawlers and the rules of a group, in no order.
#[derive(Debug, Default, PartialEq, Eq)]
struct Spoken<'a> {
    agents: HashSet<&'a Agent>,
    rules: HashSet<(RuleKind, &'a str)>,
}

/// Each group. Groups of one crawler are one.
fn groups<'a>(
    file: &'a RobotsFile,
    renamed: &HashMap<&'a Agent, &'a Agent>,
) -> HashMap<Option<&'a Agent>, Spoken<'a>> {
    let mut groups: HashMap<_, Spoken<'a>> = HashMap::new();
    for group in &file.groups {
        let spoken = groups.entry(known_as(group, renamed)).or_default();
        let agents = group.user_agents.iter().map(|named| &named.agent);
        spoken.agents.extend(agents);
        let rules = group.rules.iter().map(|rule| (rule.kind, rule.path.as_str()));
        spoken.rules.extend(rules);
    }
    groups
}

fn sitemaps(file: &RobotsFile) -> Counts<&str> {
    counts(file.sitemaps.iter().map(|sitemap| sitemap.url.as_str()))
}

/// Findings of the second version that the first does not have. Lines move, so one is known by what stands there.
#[must_use]
pub fn new_issues(before: &[Issue], after: &[Issue]) -> Vec<Issue> {
    let key = |issue: &Issue| -> (IssueCode, Option<String>) { (issue.code, issue.excerpt.clone()) };
    let mut known = counts(before.iter().map(key));
    after
        .iter()
        .filter(|issue| match known.get_mut(&key(issue)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        })
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(before: &str, after: &str) -> Change {
        Change::between(
            &RobotsFile::parse(before.as_bytes()),
            &RobotsFile::parse(after.as_bytes()),
        )
    }

    #[test]
    fn rules_and_groups_are_counted() {
        let change = change(
            "User-agent: *\nUser-agent: FooBot\nDisallow: /a\nDisallow: /b\n",
            "User-agent: *\nUser-agent: FooBot\nDisallow: /a\nDisallow: /c\nDisallow: /d\n\nUser-agent: BarBot\nAllow: /\nSitemap: https://x.example/s\n",
        );
        assert_eq!(
            (
                change.rules_added,
                change.rules_removed,
                change.groups_changed,
                change.sitemaps_changed
            ),
            (3, 1, 2, 1)
        );
        assert_eq!(change.impact, Impact::Low);
        assert_eq!(
            change.summary(),
            "3 rules added, 1 rule removed, 1 sitemap changed"
        );
    }

    #[test]
    fn who_loses_the_site_is_named() {
        let lost = change(
            "User-agent: GPTBot\nDisallow: /a\n",
            "User-agent: GPTBot\nDisallow: /\n",
        );
        let tokens: Vec<_> = lost
            .access_changes
            .iter()
            .map(|change| change.user_agent_token)
            .collect();
        assert_eq!(tokens, ["GPTBot"]);
        assert_eq!(lost.impact, Impact::Low, "it is no large search engine");
        assert_eq!(
            lost.summary(),
            "1 rule added, 1 rule removed; GPTBot may no longer fetch the site"
        );

        let gained = change("User-agent: Bingbot\nDisallow: /\n", "");
        assert_eq!(gained.impact, Impact::High);
        assert_eq!(
            gained.summary(),
            "1 rule removed; Bingbot may fetch the site again"
        );

        let all = change("", "User-agent: *\nDisallow: /\n");
        assert_eq!(all.impact, Impact::High);
        assert!(
            all.access_changes
                .iter()
                .all(|change| change.user_agent_token != "AdsBot-Google")
        );
    }

    #[test]
    fn crawlers_are_counted_beside_those_that_nobody_names() {
        let all = change("", "User-agent: *\nDisallow: /\n");
        let known = all.access_changes.len() - 1;
        assert_eq!(
            all.summary(),
            format!(
                "1 rule added; {known} known crawlers and every other crawler may no longer fetch the site"
            )
        );
    }

    #[test]
    fn a_group_whose_name_is_no_token_keeps_nobody_out() {
        let named = change(
            "User-agent: *\nDisallow: /cart\n",
            "User-agent: 360Spider\nDisallow: /\n\nUser-agent: *\nDisallow: /cart\n",
        );
        assert!(named.access_changes.is_empty(), "{named:?}");
        assert_eq!(named.impact, Impact::None, "the line speaks to nobody");
        assert_eq!(named.summary(), "1 rule added");
    }

    /// The rules of the group of all held for it until it was named beside another.
    #[test]
    fn a_crawler_that_a_group_names_from_now_on_has_other_rules() {
        let before = "User-agent: *\nDisallow: /a\n\nUser-agent: GPTBot\nDisallow: /b\n";
        let after =
            "User-agent: *\nDisallow: /a\n\nUser-agent: GPTBot\nUser-agent: DuckDuckBot\nDisallow: /b\n";
        let named = change(before, after);
        assert_eq!(named.impact, Impact::Low);
        assert_eq!(
            (named.rules_added, named.rules_removed, named.groups_changed),
            (0, 0, 1)
        );
        assert_eq!(named.summary(), "other rules for DuckDuckBot");
        assert_eq!(change(after, before).summary(), "other rules for DuckDuckBot");
    }

    #[test]
    fn comments_and_order_of_groups_change_nothing() {
        let change = change(
            "User-agent: A\nDisallow: /a\n\nUser-agent: B\nDisallow: /b\n",
            "# B\nUser-agent: B\nDisallow: /b\n\nUser-agent: A\nDisallow: /a\n",
        );
        assert_eq!(change.impact, Impact::None);
        assert_eq!(change.summary(), "no rule changed");
    }

    #[test]
    fn order_within_a_group_changes_nothing() {
        let before = "User-agent: A\nUser-agent: B\nDisallow: /a\nAllow: /b\n";
        for after in [
            "User-agent: A\nUser-agent: B\nAllow: /b\nDisallow: /a\n",
            "User-agent: B\nUser-agent: A\nDisallow: /a\nAllow: /b\n",
        ] {
            let change = change(before, after);
            let counts = (change.rules_added, change.rules_removed, change.groups_changed);
            assert_eq!(counts, (0, 0, 0), "{after}");
            assert_eq!(change.impact, Impact::None, "{after}");
            assert_eq!(change.summary(), "no rule changed", "{after}");
        }
    }

    #[test]
    fn findings_move_with_their_lines() {
        let change = change(
            "nonsense\nUser-agent: *\nDisallow: b\n",
            "# one line more\nnonsense\nUser-agent: *\nAllow: c\n",
        );
        let codes = |issues: &[Issue]| {
            issues
                .iter()
                .map(|issue| (issue.code.name(), issue.line))
                .collect::<Vec<_>>()
        };
        assert_eq!(codes(&change.issues_added), [("path_not_absolute", Some(4))]);
        assert_eq!(codes(&change.issues_resolved), [("path_not_absolute", Some(3))]);
    }

    #[test]
    fn lines_are_told_with_both_numbers() {
        let line = |op, line_before, line_after, text: &str| DiffLine {
            op,
            line_before,
            line_after,
            text: text.to_owned(),
        };
        assert_eq!(
            diff("a\r\nb\r\n", "a\r\nc\r\n"),
            [
                line(LineOp::Equal, Some(1), Some(1), "a"),
                line(LineOp::Removed, Some(2), None, "b"),
                line(LineOp::Added, None, Some(2), "c"),
            ]
        );
    }
}
