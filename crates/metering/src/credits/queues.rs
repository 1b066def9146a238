//! How much waits for the committer and for the log, for whoever looks from outside.

use metrics::{Gauge, gauge};
use pharos_domain::credits::LogEntry;
use tokio::sync::mpsc::WeakSender;

use super::committer::Pending;
use crate::metrics::{CHARGES_QUEUED, ROWS_QUEUED, count};

/// The queues of a meter. This does not keep it running.
pub struct Queues {
    charges: Queue<Pending>,
    rows: Queue<LogEntry>,
}

impl std::fmt::Debug for Queues {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queues").finish_non_exhaustive()
    }
}

impl Queues {
    pub(super) fn new(charges: WeakSender<Pending>, rows: WeakSender<LogEntry>) -> Self {
        Self {
            charges: Queue {
                end: charges,
                queued: gauge!(CHARGES_QUEUED),
            },
            rows: Queue {
                end: rows,
                queued: gauge!(ROWS_QUEUED),
            },
        }
    }

    /// Records how much is queued now.
    pub fn sample(&self) {
        self.charges.sample();
        self.rows.sample();
    }
}

struct Queue<T> {
    end: WeakSender<T>,
    queued: Gauge,
}

impl<T> Queue<T> {
    fn sample(&self) {
        if let Some(end) = self.end.upgrade() {
            let queued = end.max_capacity().saturating_sub(end.capacity());
            self.queued.set(count(queued));
        }
    }
}
