//! The order in which the rules of a claim are read: what is quick waits for nothing that is slow.

use std::{collections::HashMap, time::Duration as StdDuration};

use pharos_domain::{alert_metric::AlertModule, ids::WorkspaceId};

use super::{Asked, LONGEST};

/// How long a read of several rules may take at least, however often they were halved.
const LEAST: StdDuration = StdDuration::from_secs(1);

/// A workspace with its rules of one module.
type Owner = (AlertModule, WorkspaceId);

/// Rules of a module that are read together.
pub(super) struct Part<'r, 'a> {
    pub(super) module: AlertModule,
    /// The rules; those of a workspace lie together.
    pub(super) rules: &'r [Asked<'a>],
    /// How long their read may take.
    pub(super) within: StdDuration,
    /// How often it was cut out of what was too much.
    cuts: u32,
}

impl<'r, 'a> Part<'r, 'a> {
    /// All rules of a module.
    pub(super) const fn whole(module: AlertModule, rules: &'r [Asked<'a>], within: StdDuration) -> Self {
        Self {
            module,
            rules,
            within,
            cuts: 0,
        }
    }

    /// The parts that are read instead: its halves, or once more a rule that is alone. Half of the rules should take half of the
    /// time, so that looking for a slow one does not take long. A rule that is alone may take as long as a read may.
    fn cut(self) -> Vec<Self> {
        let part = |rules: &'r [Asked<'a>], within: StdDuration| Self {
            module: self.module,
            rules,
            within,
            cuts: self.cuts + 1,
        };
        if self.rules.len() < 2 {
            return vec![part(self.rules, LONGEST)];
        }
        let (first, second) = self.rules.split_at(self.middle());
        let within = (self.within / 2).max(LEAST);
        vec![part(first, within), part(second, within)]
    }

    /// Where it is cut in two: between workspaces, as near to its middle as may be, so that one that is slow is soon by itself.
    fn middle(&self) -> usize {
        let middle = self.rules.len() / 2;
        let pairs = self.rules.iter().zip(self.rules.iter().skip(1)).zip(1_usize..);
        let borders = pairs
            .filter(|(((one, _), (other, _)), _)| one.workspace_id != other.workspace_id)
            .map(|(_, at)| at);
        borders.min_by_key(|at| at.abs_diff(middle)).unwrap_or(middle)
    }

    /// Whose all of its rules are; `None`: they are of several.
    fn owner(&self) -> Option<Owner> {
        let ((first, _), (last, _)) = self.rules.first().zip(self.rules.last())?;
        (first.workspace_id == last.workspace_id).then_some((self.module, first.workspace_id))
    }

    /// Whether it is a rule that took longer than its share, and is asked with all the time that a read may take.
    fn is_asked_again(&self) -> bool {
        self.cuts > 0 && self.within == LONGEST
    }
}

/// The turn of a part. The least is next.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    /// The rules of a module, which nobody has tried to read yet.
    Module,
    /// Less than those.
    Cut {
        /// The time that its owner has taken by itself. Rules of several have taken none: they go before whoever held others up.
        taken: StdDuration,
        /// A rule that takes long waits for all others of its owner.
        is_asked_again: bool,
        /// No half is halved again until every half was read once.
        cuts: u32,
    },
    /// Whatever has the fewest rules, since a slow one is soonest found in it.
    Least { rules: usize },
}

/// The parts that are not read yet, in an order that is fair: each module has its turn before any is cut, each half before a quarter,
/// and of owners that were read by themselves the one that has taken the least time is next.
pub(super) struct Waiting<'r, 'a> {
    parts: Vec<Part<'r, 'a>>,
    /// How long rules of each owner were read by themselves.
    taken: HashMap<Owner, StdDuration>,
}

impl<'r, 'a> Waiting<'r, 'a> {
    /// These parts.
    pub(super) fn new(parts: Vec<Part<'r, 'a>>) -> Self {
        Self {
            parts,
            taken: HashMap::new(),
        }
    }

    /// The part whose turn it is, or where it is late, the one in which a slow rule is soonest found; of equal ones that which has
    /// waited longest.
    pub(super) fn next(&mut self, is_late: bool) -> Option<Part<'r, 'a>> {
        let turn = |part: &Part<'r, 'a>| {
            if is_late {
                let rules = part.rules.len();
                Turn::Least { rules }
            } else {
                self.turn(part)
            }
        };
        let parts = self.parts.iter().enumerate();
        let (at, _) = parts.min_by_key(|(_, part)| turn(part))?;
        Some(self.parts.remove(at))
    }

    /// Records how long it took to read a part.
    pub(super) fn took(&mut self, part: &Part<'_, '_>, time: StdDuration) {
        if let Some(owner) = part.owner() {
            *self.taken.entry(owner).or_default() += time;
        }
    }

    /// Makes the parts that replace one that was too much wait for their turns.
    pub(super) fn cut(&mut self, part: Part<'r, 'a>) {
        self.parts.extend(part.cut());
    }

    fn turn(&self, part: &Part<'_, '_>) -> Turn {
        if part.cuts == 0 {
            return Turn::Module;
        }
        let taken = part.owner().and_then(|owner| self.taken.get(&owner));
        Turn::Cut {
            taken: taken.copied().unwrap_or_default(),
            is_asked_again: part.is_asked_again(),
            cuts: part.cuts,
        }
    }
}
