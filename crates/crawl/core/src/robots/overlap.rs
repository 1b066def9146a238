//! Rules of one crawler that get in each other's way, by the paths that they can match.

use super::{
    access::Access,
    effort::{Effort, Spent},
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

/// The most rules of a crawler that are compared with each other.
pub const MOST_RULES: usize = 1_000;

/// The overlaps among a crawler's first [`MOST_RULES`] rules, at most one a rule, in the order of the rules, as far as the
/// effort goes.
///
/// A longer rule of the other kind inside a shorter one is an exception, as it is meant, and not among them. A rule that
/// only several others together cover is not found.
#[must_use]
pub fn overlaps<'a>(access: &Access<'a>, effort: &mut Effort) -> Vec<Overlap<'a>> {
    let rules: Vec<&'a Rule> = access
        .rules()
        .filter(|rule| !rule.pattern.is_empty())
        .take(MOST_RULES)
        .collect();
    let mut found = Vec::new();
    for index in 0..rules.len() {
        // A rule that was not compared with all others has no result.
        let Ok(overlap) = overlap_of(&rules, index, effort) else {
            break;
        };
        found.extend(overlap);
    }
    found.retain(|overlap| overlap.b.pattern.matches(&Target::new(&overlap.example)));
    found
}

/// The overlap that is reported for the rule at `index`, if there is one.
fn overlap_of<'a>(
    rules: &[&'a Rule],
    index: usize,
    effort: &mut Effort,
) -> Result<Option<Overlap<'a>>, Spent> {
    let rule = rules[index];
    let octets = rule.pattern.octets();
    let mut first: Option<(OverlapKind, &'a Rule)> = None;
    // Rules that say the same and do not count for more. Whether a rule between them makes a difference is checked last.
    let mut alike: Vec<&'a Rule> = Vec::new();
    for (at, other) in rules.iter().copied().enumerate() {
        if at == index {
            continue;
        }
        effort.spend(octets + other.pattern.octets())?;
        if !other.pattern.covers(&rule.pattern) {
            continue;
        }
        let is_same = other.pattern == rule.pattern
            || (other.kind == rule.kind && other.pattern.is_like(&rule.pattern));
        let kind = if is_same {
            let others = other.pattern.octets();
            if octets > others || (octets == others && at > index) {
                // The shorter rule, which never decides, is the one to take out: the later one where both have the same
                // length.
                continue;
            }
            if other.kind == rule.kind {
                OverlapKind::Duplicate
            } else {
                OverlapKind::Contradicting
            }
        } else if is_beaten(rule, other) {
            OverlapKind::Shadowed
        } else {
            if other.kind == rule.kind {
                alike.push(other);
            }
            continue;
        };
        if first.is_none_or(|(known, _)| rank(kind) < rank(known)) {
            first = Some((kind, other));
        }
    }
    if first.is_none() && !alike.is_empty() {
        let against = longest_against(rules, rule, effort)?;
        first = alike
            .into_iter()
            .find(|other| against.is_none_or(|against| against < other.pattern.octets()))
            .map(|other| (OverlapKind::Redundant, other));
    }
    Ok(first.map(|(kind, b)| Overlap {
        kind,
        a: rule,
        b,
        winner: Winner::of(rule, b),
        example: rule.pattern.example(),
    }))
}

/// Whether the other decides wherever both match.
fn is_beaten(rule: &Rule, other: &Rule) -> bool {
    let (a, b) = (rule.pattern.octets(), other.pattern.octets());
    b > a || (b == a && other.kind == RuleKind::Allow && rule.kind == RuleKind::Disallow)
}

/// The rank by which one of several overlaps of a rule is reported: the first of those with the least rank.
const fn rank(kind: OverlapKind) -> u8 {
    match kind {
        OverlapKind::Duplicate => 0,
        OverlapKind::Contradicting => 1,
        OverlapKind::Shadowed => 2,
        OverlapKind::Redundant => 3,
    }
}

/// How many octets the longest rule counts that is of the other kind, is no longer than this one, and may match a path together
/// with it.
fn longest_against(rules: &[&Rule], rule: &Rule, effort: &mut Effort) -> Result<Option<usize>, Spent> {
    let octets = rule.pattern.octets();
    let mut longest = None;
    for third in rules {
        let of_third = third.pattern.octets();
        let may_be =
            third.kind != rule.kind && of_third <= octets && longest.is_none_or(|longest| longest < of_third);
        if !may_be {
            continue;
        }
        // Each octet of one is checked against each of the other.
        effort.spend(octets.saturating_mul(of_third))?;
        if third.pattern.meets(&rule.pattern) {
            longest = Some(of_third);
        }
    }
    Ok(longest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::file::RobotsFile;

    fn found(rules: &str) -> Vec<(u32, u32, OverlapKind, Winner)> {
        let file = RobotsFile::parse(format!("User-agent: *\n{rules}").as_bytes());
        overlaps(&file.access("FooBot"), &mut Effort::default())
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
            found("Disallow: /c*\nDisallow: /c\n"),
            [(3, 2, Duplicate, Winner::B)]
        );
        assert_eq!(
            found("Disallow: /c\nDisallow: /c**\n"),
            [(2, 3, Duplicate, Winner::B)],
            "the longer one may decide beside a rule that allows"
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

    /// Each of the rules that are alike is inside those before it, and none of the other kind meets any of them.
    fn nested(rules: usize) -> RobotsFile {
        let pair = |rule: usize| {
            let (longer, other) = ("a".repeat(200 + rule), "c".repeat(rule));
            format!("Disallow: /{longer}*\nAllow: /{}b{other}$\n", "a".repeat(199))
        };
        let pairs: Vec<String> = (0..rules).map(pair).collect();
        RobotsFile::parse(format!("User-agent: *\n{}", pairs.concat()).as_bytes())
    }

    #[test]
    fn comparing_has_an_end_whatever_the_rules_are() {
        let file = nested(400);
        let mut effort = Effort(2_000_000);
        let _ = overlaps(&file.access("FooBot"), &mut effort);
        assert_eq!(effort, Effort(0));
        assert!(overlaps(&file.access("FooBot"), &mut effort).is_empty());
    }

    #[test]
    fn what_the_effort_suffices_for_is_what_all_of_it_finds() {
        let file = nested(6);
        let access = file.access("FooBot");
        let all = overlaps(&access, &mut Effort::default());
        assert!(all.iter().all(|overlap| overlap.kind == OverlapKind::Redundant));
        assert_eq!(all.len(), 5, "the shortest has none around it");
        let some = overlaps(&access, &mut Effort(150_000));
        assert!(!some.is_empty() && all.starts_with(&some) && some.len() < all.len());
    }
}
