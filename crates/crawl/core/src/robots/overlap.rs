//! Rules that get in each other's way: of one crawler, by what their paths can match.

use super::{
    access::Access,
    file::{Rule, RuleKind},
    issue::IssueSeverity,
    pattern::Target,
};

names! {
    /// How two rules of a crawler overlap.
    OverlapKind as "RobotsOverlapKind" {
        /// The first can never decide, since the second speaks of all that it speaks of, and counts for more.
        Shadowed = "shadowed",
        /// Both say the same of the same path.
        Duplicate = "duplicate",
        /// They say opposite things of the same path.
        Contradicting = "contradicting",
        /// Without the first nothing would change, since the second says the same.
        Redundant = "redundant",
    }
}

impl OverlapKind {
    /// How much it matters.
    #[must_use]
    pub const fn severity(self) -> IssueSeverity {
        match self {
            Self::Shadowed | Self::Contradicting => IssueSeverity::Warning,
            Self::Duplicate | Self::Redundant => IssueSeverity::Info,
        }
    }
}

names! {
    /// Which of two rules decides where both match.
    Winner as "RobotsOverlapWinner" {
        /// The first, which is longer or stands before its like.
        A = "a",
        /// The second.
        B = "b",
        /// The one that allows, since both are as long.
        TieAllow = "tie_allow",
    }
}

impl Winner {
    fn of(a: &Rule, b: &Rule) -> Self {
        match a.pattern.octets().cmp(&b.pattern.octets()) {
            std::cmp::Ordering::Greater => Self::A,
            std::cmp::Ordering::Less => Self::B,
            std::cmp::Ordering::Equal if a.kind != b.kind => Self::TieAllow,
            std::cmp::Ordering::Equal if a.line < b.line => Self::A,
            std::cmp::Ordering::Equal => Self::B,
        }
    }
}

/// Two rules that overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlap<'a> {
    /// How.
    pub kind: OverlapKind,
    /// The rule that it is about.
    pub a: &'a Rule,
    /// The one beside it.
    pub b: &'a Rule,
    /// Which decides where both match.
    pub winner: Winner,
    /// A path that both match.
    pub example: String,
}

/// Up to so many rules of a crawler are held against each other: as many as comparing each with each takes a moment.
pub const MOST_RULES: usize = 1_000;

/// The overlaps among a crawler's first [`MOST_RULES`] rules, at most one a rule, in the order of the rules.
///
/// A longer rule of the other kind inside a shorter one is an exception, as it is meant, and not among them. A rule that
/// only several others together cover is not found.
#[must_use]
pub fn overlaps<'a>(access: &Access<'a>) -> Vec<Overlap<'a>> {
    let rules: Vec<&Rule> = access
        .rules()
        .filter(|rule| !rule.pattern.is_empty())
        .take(MOST_RULES)
        .collect();
    let found = |(index, rule): (usize, &&'a Rule)| {
        let others = || rules.iter().enumerate().filter(move |(other, _)| *other != index);
        let covering = || others().filter(|(_, other)| other.pattern.covers(&rule.pattern));
        let kind_of = |other: &Rule, is_before: bool| {
            if other.pattern == rule.pattern {
                // The later one is the one to take out.
                return is_before.then_some(match other.kind == rule.kind {
                    true => OverlapKind::Duplicate,
                    false => OverlapKind::Contradicting,
                });
            }
            let (a, b) = (rule.pattern.octets(), other.pattern.octets());
            let is_beaten =
                b > a || (b == a && other.kind == RuleKind::Allow && rule.kind == RuleKind::Disallow);
            if is_beaten {
                return Some(OverlapKind::Shadowed);
            }
            let between = |third: &Rule| {
                let octets = third.pattern.octets();
                third.kind != rule.kind && (b..=a).contains(&octets) && third.pattern.meets(&rule.pattern)
            };
            (other.kind == rule.kind && !others().any(|(_, third)| between(third)))
                .then_some(OverlapKind::Redundant)
        };
        let (kind, b) = covering()
            .filter_map(|(at, other)| Some((kind_of(other, at < index)?, *other)))
            .min_by_key(|(kind, _)| match kind {
                OverlapKind::Duplicate => 0,
                OverlapKind::Contradicting => 1,
                OverlapKind::Shadowed => 2,
                OverlapKind::Redundant => 3,
            })?;
        Some(Overlap {
            kind,
            a: rule,
            b,
            winner: Winner::of(rule, b),
            example: rule.pattern.example(),
        })
    };
    rules
        .iter()
        .enumerate()
        .filter_map(found)
        .filter(|overlap| overlap.b.pattern.matches(&Target::new(&overlap.example)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::file::RobotsFile;

    fn found(rules: &str) -> Vec<(u32, u32, OverlapKind, Winner)> {
        let file = RobotsFile::parse(format!("User-agent: *\n{rules}").as_bytes());
        overlaps(&file.access("FooBot"))
            .iter()
            .map(|overlap| (overlap.a.line, overlap.b.line, overlap.kind, overlap.winner))
            .collect()
    }

    #[test]
    fn the_same_path_twice() {
        use OverlapKind::{Contradicting, Duplicate};
        assert_eq!(
            found("Disallow: /a\nDisallow: /a\n"),
            [(3, 2, Duplicate, Winner::B)]
        );
        assert_eq!(
            found("Disallow: /%61\nDisallow: /a\n"),
            [(3, 2, Duplicate, Winner::B)]
        );
        assert_eq!(
            found("Disallow: /a\nAllow: /a\n"),
            [(3, 2, Contradicting, Winner::TieAllow)]
        );
    }

    #[test]
    fn a_rule_that_never_decides() {
        use OverlapKind::Shadowed;
        assert_eq!(found("Disallow: /a\nAllow: /a*\n"), [(2, 3, Shadowed, Winner::B)]);
        assert_eq!(
            found("Disallow: /a$\nAllow: *a$\n"),
            [(2, 3, Shadowed, Winner::TieAllow)]
        );
    }

    #[test]
    fn a_rule_that_changes_nothing() {
        use OverlapKind::Redundant;
        assert_eq!(
            found("Disallow: /a\nDisallow: /a/b\n"),
            [(3, 2, Redundant, Winner::A)]
        );
        assert_eq!(
            found("Disallow: /\nAllow: /a/b\nDisallow: /a/b/c\n"),
            [],
            "it takes out of what is allowed"
        );
        assert_eq!(
            found("Disallow: /\nAllow: /x\nDisallow: /a/b\n"),
            [(4, 2, Redundant, Winner::A)]
        );
    }

    #[test]
    fn an_exception_is_none() {
        assert_eq!(found("Disallow: /a\nAllow: /a/b\n"), []);
        assert_eq!(found("Allow: /a\nDisallow: /a/b\nDisallow: /c\n"), []);
    }
}
