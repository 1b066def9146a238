//! The crawlers that have other rules in one robots.txt than in another.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{
    access::Access,
    crawlers::CRAWLERS,
    file::{Agent, RobotsFile, RuleKind},
    pattern::Pattern,
};

/// How many of the crawlers that groups name are looked at: a file may name tens of thousands.
const MOST_NAMED: usize = 500;
/// How many are told by their names.
const MOST_TOLD: usize = 3;

/// The crawlers that have other rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Others {
    /// Their names, the first [`MOST_TOLD`].
    told: Vec<String>,
    count: usize,
    /// Whether the files name more than were looked at.
    is_cut: bool,
}

impl Others {
    /// Whether there is one. Where not all were looked at there is one if the text is another.
    pub(super) fn is_any(&self, is_text_other: bool) -> bool {
        self.count > 0 || (self.is_cut && is_text_other)
    }

    /// All of them in words, such as `other rules for Bingbot and GPTBot`; `None`: there is none.
    pub(super) fn summary(&self) -> Option<String> {
        let (last, others) = self.told.split_last()?;
        if self.count > self.told.len() {
            return Some(format!("other rules for {} crawlers", self.count));
        }
        Some(if others.is_empty() {
            format!("other rules for {last}")
        } else {
            format!("other rules for {} and {last}", others.join(", "))
        })
    }
}

/// The rules that hold for a crawler, in no order: which one decides does not depend on it.
fn obeyed<'a>(access: &Access<'a>) -> HashSet<(RuleKind, &'a Pattern)> {
    access
        .rules()
        .filter(|rule| !rule.pattern.is_empty())
        .map(|rule| (rule.kind, &rule.pattern))
        .collect()
}

/// Holds the rules of each crawler in one file against those in another: of all that either names, of those that are known, and of
/// those that nobody names.
pub(super) fn with_other_rules(before: &RobotsFile, after: &RobotsFile) -> Others {
    let (names, is_cut) = names(before, after);
    // Many crawlers obey the same groups.
    let mut compared: HashMap<(Vec<usize>, Vec<usize>), bool> = HashMap::new();
    let mut others = Others {
        is_cut,
        ..Others::default()
    };
    for (token, name) in names {
        let (was, is) = (before.access(&token), after.access(&token));
        let groups = |access: &Access<'_>| access.groups.iter().map(|(at, _)| *at).collect();
        let is_other = *compared
            .entry((groups(&was), groups(&is)))
            .or_insert_with(|| obeyed(&was) != obeyed(&is));
        if is_other {
            others.count += 1;
            if others.told.len() < MOST_TOLD {
                others.told.push(name);
            }
        }
    }
    others
}

/// Tokens and names of crawlers, and whether there are more. The empty token is that of nobody, so only the group of all speaks
/// to it.
fn names(before: &RobotsFile, after: &RobotsFile) -> (Vec<(String, String)>, bool) {
    let known = CRAWLERS
        .iter()
        .map(|crawler| (crawler.token.to_ascii_lowercase(), crawler.token.to_owned()));
    let all = (String::new(), "every other crawler".to_owned());
    let mut names: Vec<(String, String)> = known.chain([all]).collect();
    let mut seen: HashSet<String> = names.iter().map(|(token, _)| token.clone()).collect();
    let lines = before
        .groups
        .iter()
        .chain(&after.groups)
        .flat_map(|group| &group.user_agents);
    let others: BTreeSet<&str> = lines
        .filter_map(|line| match &line.agent {
            Agent::Any => None,
            Agent::Token(token) => Some(token.as_str()),
        })
        .collect();
    let mut is_cut = false;
    for (at, token) in others
        .into_iter()
        .filter(|token| seen.insert((*token).to_owned()))
        .enumerate()
    {
        if at >= MOST_NAMED {
            is_cut = true;
            break;
        }
        names.push((token.to_owned(), token.to_owned()));
    }
    (names, is_cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn others(before: &str, after: &str) -> Others {
        with_other_rules(
            &RobotsFile::parse(before.as_bytes()),
            &RobotsFile::parse(after.as_bytes()),
        )
    }

    #[test]
    fn few_are_named_and_many_counted() {
        let of = |before, after| others(before, after).summary();
        let rest = "User-agent: *\nDisallow: /a\n";
        assert_eq!(of(rest, rest), None);
        // The same pattern, however it is written.
        assert_eq!(of(rest, "User-agent: *\nDisallow: /%61\nDisallow:\n"), None);
        assert_eq!(
            of("", "User-agent: FooBot\nUser-agent: Bingbot\nDisallow: /a\n").as_deref(),
            Some("other rules for Bingbot and foobot")
        );
        let all = of("", rest).unwrap();
        assert!(all.ends_with(" crawlers"), "{all}");
    }

    #[test]
    fn where_more_are_named_than_are_looked_at_the_text_decides() {
        let groups: String = (0..=MOST_NAMED)
            .map(|number| format!("User-agent: x{}\nDisallow: /a\n", "y".repeat(number)))
            .collect();
        let found = others(&groups, &groups);
        assert!(found.is_cut && !found.is_any(false) && found.is_any(true));
    }
}
