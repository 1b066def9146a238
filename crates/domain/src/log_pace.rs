//! How often a line is logged that a dependency which is away would cause with every request.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// How far apart the lines are at least.
const APART: Duration = Duration::from_secs(1);

/// Lets one line a second through, and counts those that it holds back. Those after the last line of an outage are told with the
/// first of the next one, since nothing is logged where nothing fails. Until then counters alone have them.
#[derive(Debug)]
pub struct LogPace(Mutex<State>);

#[derive(Debug)]
struct State {
    last: Option<Instant>,
    held_back: u64,
}

impl LogPace {
    /// A pace at which nothing was logged yet. A line has one of its own, as a `static` beside it.
    #[must_use]
    pub const fn new() -> Self {
        Self(Mutex::new(State {
            last: None,
            held_back: 0,
        }))
    }

    /// How many lines were held back since the last one, where another is due; `None`: this one is held back, too.
    pub fn turn(&self) -> Option<u64> {
        self.turn_at(Instant::now())
    }

    fn turn_at(&self, now: Instant) -> Option<u64> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.last.is_some_and(|last| now.duration_since(last) < APART) {
            state.held_back += 1;
            return None;
        }
        state.last = Some(now);
        Some(std::mem::take(&mut state.held_back))
    }
}

impl Default for LogPace {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_a_second_tells_how_many_there_were() {
        let (pace, begin) = (LogPace::new(), Instant::now());
        let turn = |millis| pace.turn_at(begin + Duration::from_millis(millis));
        assert_eq!(turn(0), Some(0));
        assert_eq!([turn(1), turn(500), turn(999)], [None; 3]);
        assert_eq!(turn(1_000), Some(3));
        assert_eq!(turn(1_001), None);
        assert_eq!(turn(9_000), Some(1));
    }
}
