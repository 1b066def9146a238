//! Checks that were made with settings that no longer held when they began.

use time::OffsetDateTime;

use super::Slot;
use crate::finished::FinishedCheck;

/// Since when the monitor of a domain is as it is.
#[derive(Clone, Copy, Debug)]
pub struct Changed {
    /// When its settings were changed last.
    pub updated_at: OffsetDateTime,
    /// When the domain was deleted; `None`: it was not.
    pub deleted_at: Option<OffsetDateTime>,
}

impl Changed {
    /// Whether a check began after the domain was deleted, or after the settings changed that it was made with: such a
    /// check says nothing. One that was under way at that moment does.
    #[must_use]
    pub fn outdates(self, done: &FinishedCheck) -> bool {
        let began = done.check.checked_at;
        let has_other_settings = done.settings_at.is_some_and(|known| known != self.updated_at);
        self.deleted_at.is_some_and(|at| at <= began) || (has_other_settings && self.updated_at <= began)
    }
}

/// The slots of checks that say nothing: they are due again at once. Those of runs have none.
#[must_use]
pub fn anew(outdated: Vec<FinishedCheck>, now: OffsetDateTime) -> Vec<Slot> {
    let slot = |done: FinishedCheck| {
        Some(Slot {
            key: (done.check.domain_id, done.check.region),
            due_at: done.due_at?,
            next_at: now,
        })
    };
    outdated.into_iter().filter_map(slot).collect()
}
