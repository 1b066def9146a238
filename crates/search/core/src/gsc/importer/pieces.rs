//! The newest days piece by piece, so that workspaces take turns.

use std::{collections::BTreeSet, time::Instant};

use time::Date;

use crate::gsc::figures::SearchType;

/// A day of a search type that came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DoneDay {
    /// The search type.
    pub search_type: SearchType,
    /// The day.
    pub date: Date,
    /// Whether it was final.
    pub is_final: bool,
}

/// A piece of an import of the newest days.
#[derive(Debug)]
pub struct Newest {
    /// When others have their turn. One day comes in at least.
    pub until: Instant,
    /// The days that came in with the pieces before; those of this one are added.
    pub done: BTreeSet<DoneDay>,
    /// Whether there is more of it: then nothing is said of how far data are.
    pub is_left: bool,
}

/// How the time of an import is over.
pub(super) enum Time<'a> {
    /// Days that were not begun by then are not there.
    Ends(Instant),
    /// They come in with the next piece.
    Pauses(&'a mut Newest),
}

/// Whether a day may begin.
pub(super) enum Turn {
    Begins,
    /// It came in with a piece before.
    IsDone,
    /// The time that there was is over.
    IsLate,
    /// It is the others' turn.
    IsOthers,
}

impl Time<'_> {
    /// `is_any`: whether a day came in already.
    pub(super) fn turn(&mut self, day: DoneDay, is_any: bool) -> Turn {
        match self {
            Self::Ends(until) if Instant::now() >= *until => Turn::IsLate,
            Self::Ends(_) => Turn::Begins,
            Self::Pauses(newest) if newest.done.contains(&day) => Turn::IsDone,
            Self::Pauses(newest) if is_any && Instant::now() >= newest.until => {
                newest.is_left = true;
                Turn::IsOthers
            }
            Self::Pauses(_) => Turn::Begins,
        }
    }

    pub(super) fn note(&mut self, day: DoneDay) {
        if let Self::Pauses(newest) = self {
            newest.done.insert(day);
        }
    }

    pub(super) fn is_paused(&self) -> bool {
        matches!(self, Self::Pauses(newest) if newest.is_left)
    }
}
