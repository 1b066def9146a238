//! The newest days piece by piece, so that workspaces take turns.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Instant,
};

use time::Date;

use crate::gsc::figures::SearchType;

/// A day of a search type that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DoneDay {
    /// The search type.
    pub search_type: SearchType,
    /// The day.
    pub date: Date,
    /// Whether it was final.
    pub is_final: bool,
}

/// The days that were asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// Those that came in.
    pub done: BTreeSet<DoneDay>,
    /// Those that could not be read, with why. The next import asks for them again.
    pub unread: BTreeMap<DoneDay, Arc<str>>,
}

/// A piece of an import of the newest days.
#[derive(Debug)]
pub struct Newest {
    /// When others have their turn. One day is asked for at least.
    pub until: Instant,
    /// The days that the pieces before asked for; those of this one are added.
    pub tried: Tried,
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
    /// A piece before could not read it.
    IsUnread(Arc<str>),
    /// The time that there was is over.
    IsLate,
    /// It is the others' turn.
    IsOthers,
}

impl Time<'_> {
    /// `is_any`: whether a day was asked for already, be it in vain: an upstream that takes its time for answers that can't be
    /// read would keep the others waiting for as many days as there are.
    pub(super) fn turn(&mut self, day: DoneDay, is_any: bool) -> Turn {
        match self {
            Self::Ends(until) if Instant::now() >= *until => Turn::IsLate,
            Self::Ends(_) => Turn::Begins,
            Self::Pauses(newest) if newest.tried.done.contains(&day) => Turn::IsDone,
            Self::Pauses(newest) => {
                if let Some(why) = newest.tried.unread.get(&day) {
                    Turn::IsUnread(Arc::clone(why))
                } else if is_any && Instant::now() >= newest.until {
                    newest.is_left = true;
                    Turn::IsOthers
                } else {
                    Turn::Begins
                }
            }
        }
    }

    pub(super) fn came_in(&mut self, day: DoneDay) {
        if let Self::Pauses(newest) = self {
            newest.tried.done.insert(day);
        }
    }

    pub(super) fn was_unread(&mut self, day: DoneDay, why: &str) {
        if let Self::Pauses(newest) = self {
            newest.tried.unread.insert(day, why.into());
        }
    }

    pub(super) fn is_paused(&self) -> bool {
        matches!(self, Self::Pauses(newest) if newest.is_left)
    }
}
