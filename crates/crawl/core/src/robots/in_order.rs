//! The rules of one crawler, prepared for many questions: a URL asks those alone that can match it.

use std::collections::{BTreeMap, HashMap, HashSet};

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::{
    access::{Deciding, Decision, MatchedVia, decision},
    effort::{Effort, Spent},
    file::Rule,
    pattern::Target,
};

/// How much it takes to note where a piece stands, or to look at a rule with it, in octets that are checked against others.
const OF_LOOK: usize = 16;
/// How much it takes to prepare an octet of a rule.
const OF_PREPARING: usize = 16;

/// The rules of one crawler in the order in which they decide: putting all of them in order pays where many questions follow.
#[derive(Clone, Debug)]
pub struct InOrder<'a> {
    via: MatchedVia,
    /// Each path once, with the rule that decides by it. The first that matches decides.
    paths: Vec<Deciding<'a>>,
    /// Beginnings by which alone paths match, in the order of their octets, each once.
    starts: Vec<Start>,
    pieces: Option<Pieces>,
}

/// A beginning of URLs.
#[derive(Clone, Debug)]
struct Start {
    /// A path that begins so.
    path: usize,
    /// The first path that matches all that begins so.
    open: Option<usize>,
    /// The first that matches this and nothing longer.
    anchored: Option<usize>,
}

/// The texts that stand behind wildcards.
#[derive(Clone, Debug)]
struct Pieces {
    finder: AhoCorasick,
    /// How long each is.
    lengths: Vec<usize>,
    /// The paths whose longest piece each is.
    of_longest: Vec<Vec<Wild>>,
}

/// A path with texts behind wildcards.
#[derive(Clone, Debug)]
struct Wild {
    path: usize,
    /// All its pieces, in their order.
    pieces: Vec<usize>,
}

/// The places of a piece in a URL.
#[derive(Clone, Copy)]
struct Places {
    first: usize,
    last: usize,
}

impl<'a> InOrder<'a> {
    pub(super) fn new(via: MatchedVia, mut paths: Vec<Deciding<'a>>) -> Self {
        paths.sort_by_key(Deciding::place);
        // If several rules have the same path, the later ones never decide.
        let is_new: Vec<bool> = {
            let mut known = HashSet::new();
            paths.iter().map(|path| known.insert(&*path.path)).collect()
        };
        let mut is_new = is_new.into_iter();
        paths.retain(|_| is_new.next().unwrap_or(true));
        let mut starts: BTreeMap<&[u8], Start> = BTreeMap::new();
        let mut wild = Vec::new();
        for (at, Deciding { path, .. }) in paths.iter().enumerate() {
            if path.pieces().next().is_some() {
                wild.push(at);
                continue;
            }
            let start = starts.entry(path.start()).or_insert(Start {
                path: at,
                open: None,
                anchored: None,
            });
            let is_whole = path.is_anchored() && !path.has_wildcard();
            let first = if is_whole {
                &mut start.anchored
            } else {
                &mut start.open
            };
            // The first in order stays.
            first.get_or_insert(at);
        }
        let starts = starts.into_values().collect();
        let pieces = Pieces::new(&paths, &wild);
        Self {
            via,
            paths,
            starts,
            pieces,
        }
    }

    /// How much preparing them took, in octets that are checked against others.
    #[must_use]
    pub fn prepared(&self) -> usize {
        let octets = self.paths.iter().map(|deciding| deciding.path.octets());
        octets.sum::<usize>() * OF_PREPARING
    }

    /// Whether it may fetch a URL with this path and query, as [`Access::decide`](super::access::Access::decide) has it.
    #[must_use]
    pub fn decide(&self, target: &Target) -> Decision<'a> {
        let mut endless = Effort::ENDLESS;
        let rule = || self.first(target, &mut endless).ok().flatten();
        decision(self.via, target, rule)
    }

    /// The same, as far as the effort goes.
    ///
    /// # Errors
    /// It does not suffice: nothing is known.
    pub fn decide_within(&self, target: &Target, effort: &mut Effort) -> Result<Decision<'a>, Spent> {
        let rule = self.first(target, effort)?;
        Ok(decision(self.via, target, || rule))
    }

    /// The first rule that matches.
    fn first(&self, target: &Target, effort: &mut Effort) -> Result<Option<&'a Rule>, Spent> {
        effort.spend(target.octets().len())?;
        let by_start = self.by_start(target.octets());
        if let Some(pieces) = &self.pieces {
            let mut may_match = pieces.may_match(&self.paths, target, effort)?;
            may_match.retain(|at| by_start.is_none_or(|first| *at < first));
            may_match.sort_unstable();
            for at in may_match {
                let Deciding { rule, path } = &self.paths[at];
                effort.spend(path.effort(target))?;
                if path.matches(target) {
                    return Ok(Some(*rule));
                }
            }
        }
        Ok(by_start.map(|at| self.paths[at].rule))
    }

    /// The first path that matches by its beginning alone.
    fn by_start(&self, text: &[u8]) -> Option<usize> {
        let octets = |start: &Start| self.paths[start.path].path.start();
        let mut alike = self.starts.as_slice();
        let mut first: Option<usize> = None;
        for depth in 0..=text.len() {
            // All that are alike begin as the text does, as far as this; the one that ends here is the first of them.
            if let Some((start, longer)) = alike.split_first()
                && octets(start).len() == depth
            {
                let anchored = start.anchored.filter(|_| depth == text.len());
                first = [first, start.open, anchored].into_iter().flatten().min();
                alike = longer;
            }
            let Some(next) = text.get(depth) else { break };
            if alike.is_empty() {
                break;
            }
            let from = alike.partition_point(|start| octets(start)[depth] < *next);
            let to = alike.partition_point(|start| octets(start)[depth] <= *next);
            alike = &alike[from..to];
        }
        first
    }
}

impl Pieces {
    /// `None`: no path has any.
    fn new(paths: &[Deciding<'_>], wild: &[usize]) -> Option<Self> {
        let mut known: HashMap<&[u8], usize> = HashMap::new();
        let mut texts: Vec<&[u8]> = Vec::new();
        let mut of_longest: Vec<Vec<Wild>> = Vec::new();
        for &path in wild {
            let mut pieces = Vec::new();
            for text in paths[path].path.pieces() {
                let piece = *known.entry(text).or_insert_with(|| {
                    texts.push(text);
                    of_longest.push(Vec::new());
                    texts.len() - 1
                });
                pieces.push(piece);
            }
            if let Some(longest) = pieces.iter().copied().max_by_key(|piece| texts[*piece].len()) {
                of_longest[longest].push(Wild { path, pieces });
            }
        }
        if texts.is_empty() {
            return None;
        }
        // The other kinds take up to a kilobyte for an octet of the file.
        let finder = AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .prefilter(false)
            .build(&texts);
        Some(Self {
            // It fails for gigabytes alone, of which a file has none.
            finder: finder.ok()?,
            lengths: texts.iter().map(|text| text.len()).collect(),
            of_longest,
        })
    }

    /// The paths that have all their pieces in the text, in places that leave room for each.
    fn may_match(
        &self,
        paths: &[Deciding<'_>],
        target: &Target,
        effort: &mut Effort,
    ) -> Result<Vec<usize>, Spent> {
        let text = target.octets();
        let mut places: HashMap<usize, Places> = HashMap::new();
        for found in self.finder.find_overlapping_iter(text) {
            effort.spend(OF_LOOK)?;
            let at = found.start();
            let of_piece = places.entry(found.pattern().as_usize());
            of_piece.or_insert(Places { first: at, last: at }).last = at;
        }
        let mut may_match = Vec::new();
        for piece in places.keys() {
            for wild in &self.of_longest[*piece] {
                let path = &paths[wild.path].path;
                effort.spend(OF_LOOK * wild.pieces.len() + path.start().len())?;
                let is_room = text.starts_with(path.start())
                    && path.allows_end(text)
                    && self.has_room(wild, path.start().len(), &places);
                if is_room {
                    may_match.push(wild.path);
                }
            }
        }
        Ok(may_match)
    }

    /// Whether each piece stands behind the earliest end that the one before it can have.
    fn has_room(&self, wild: &Wild, start: usize, places: &HashMap<usize, Places>) -> bool {
        let mut from = start;
        wild.pieces.iter().all(|piece| {
            let Some(place) = places.get(piece).filter(|place| place.last >= from) else {
                return false;
            };
            from = place.first.max(from) + self.lengths[*piece];
            true
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::{
        file::{RobotsFile, RuleKind},
        line::READ_BYTES,
    };

    fn targets(paths: impl IntoIterator<Item = String>) -> Vec<Target> {
        paths.into_iter().map(|path| Target::new(&path)).collect()
    }

    /// As many different rules as fit, none of which matches, beside URLs that hold most of what they ask for.
    #[test]
    fn full_files_of_different_wildcards_take_little_of_the_effort() {
        let filled = |rule: &dyn Fn(usize) -> String| {
            let mut text = "User-agent: *\n".to_owned();
            for number in 0.. {
                let line = rule(number);
                if text.len() + line.len() > READ_BYTES {
                    break;
                }
                text.push_str(&line);
            }
            RobotsFile::parse(text.as_bytes())
        };
        let urls = targets((0..500).map(|number| format!("/{}{number}", "zq".repeat(1_010))));
        for file in [
            filled(&|_| "Allow:*zqzz\n".to_owned()),
            filled(&|number| format!("Allow:*zqzz{number:x}\n")),
            filled(&|number| format!("Disallow:/*{number:x}_*zq\n")),
            filled(&|number| format!("Disallow:/zq{number:x}_\n")),
        ] {
            let rules = file.access("FooBot").in_order();
            let mut effort = Effort::default();
            effort.spend(rules.prepared()).unwrap();
            for url in &urls {
                let decision = rules.decide_within(url, &mut effort).unwrap();
                assert_eq!(decision.rule, None);
            }
            assert!(effort.0 > Effort::default().0 / 2, "{effort:?}");
        }
    }

    #[test]
    fn what_is_written_to_take_long_has_an_end() {
        let rules: String = (1..900)
            .map(|length| format!("Disallow: /*{}*b\n", "a".repeat(length)))
            .collect();
        let file = RobotsFile::parse(format!("User-agent: *\n{rules}").as_bytes());
        let rules = file.access("FooBot").in_order();
        let url = Target::new(&format!("/{}", "a".repeat(2_000)));
        let mut effort = Effort(1_000_000);
        let asked = (0..500).find_map(|_| rules.decide_within(&url, &mut effort).err());
        assert_eq!((asked, effort), (Some(Spent), Effort(0)));
        assert_eq!(rules.decide(&url).rule, None, "who has time is told");
    }

    /// All rules of up to four letters out of four, and fewer of them, beside all paths of up to four.
    #[test]
    fn prepared_rules_decide_as_each_by_itself() {
        let words = |letters: &[&str], most: usize| {
            let mut all = vec![String::new()];
            let mut last = all.clone();
            for _ in 0..most {
                last = last
                    .iter()
                    .flat_map(|word| letters.iter().map(move |letter| format!("{word}{letter}")))
                    .collect();
                all.extend(last.iter().cloned());
            }
            all
        };
        let urls = targets(words(&["a", "b", "/"], 4));
        let written = words(&["a", "b", "*", "/"], 4);
        for end in ["", "$"] {
            for kept in 1..7 {
                // Fewer rules leave more to those that are left.
                let rules: String = written
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| at % kept == 0)
                    .map(|(at, path)| {
                        let key = if at % 2 == 0 { "Allow" } else { "Disallow" };
                        format!("{key}: /{path}{end}\n{key}: *{path}{end}\n")
                    })
                    .collect();
                let file = RobotsFile::parse(format!("User-agent: *\n{rules}").as_bytes());
                let access = file.access("FooBot");
                let prepared = access.in_order();
                for url in &urls {
                    let expected = access.decide(url);
                    assert_eq!(prepared.decide(url), expected, "{url:?}");
                    let is_allowed = expected.rule.is_none_or(|rule| rule.kind == RuleKind::Allow);
                    assert_eq!(expected.is_allowed, is_allowed);
                }
            }
        }
    }
}
