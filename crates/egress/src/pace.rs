//! How often a server gets requests.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::time::{Instant, sleep_until};

/// How many servers are remembered. Beyond that, the one whose turn comes first is forgotten.
const SERVERS: usize = 10_000;

/// When each server may get its next request from this process.
#[derive(Debug)]
pub struct Pace {
    between: Duration,
    patience: Duration,
    turns: Arc<Mutex<HashMap<String, Instant>>>,
    /// Until when a server that has asked for that is left alone.
    holds: Arc<Mutex<HashMap<String, Instant>>>,
}

impl Pace {
    /// At most one request to a server in each time of `between`. A request waits for its turn no longer than `patience`; a
    /// request that would wait longer is not sent.
    #[must_use]
    pub fn new(between: Duration, patience: Duration) -> Self {
        Self {
            between,
            patience,
            turns: Arc::default(),
            holds: Arc::default(),
        }
    }

    /// The same turns for others, whose requests wait no longer than `patience`: a server gets one request at a time of all of
    /// them.
    #[must_use]
    pub fn shared(&self, patience: Duration) -> Self {
        Self {
            between: self.between,
            patience,
            turns: Arc::clone(&self.turns),
            holds: Arc::clone(&self.holds),
        }
    }

    /// Waits for this request's turn, and returns how long it had to wait: not at all if it was its turn already.
    ///
    /// # Errors
    /// How long it would have to wait.
    pub async fn turn(&self, server: &str) -> Result<Duration, Duration> {
        let now = Instant::now();
        let at = self.reserve(server, now)?;
        sleep_until(at).await;
        // The server may have asked for a pause meanwhile.
        match self.held_for(server, Instant::now()) {
            Some(wait) => Err(wait),
            None => Ok(at - now),
        }
    }

    /// Leaves the server alone for this long. It also holds for those who wait for their turn already.
    pub fn hold(&self, server: &str, pause: Duration) {
        let now = Instant::now();
        self.put_off(server, now + pause, now);
    }

    fn held_for(&self, server: &str, now: Instant) -> Option<Duration> {
        let holds = self.holds.lock().unwrap_or_else(PoisonError::into_inner);
        let wait = holds.get(server)?.saturating_duration_since(now);
        (!wait.is_zero()).then_some(wait)
    }

    fn reserve(&self, server: &str, now: Instant) -> Result<Instant, Duration> {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        let at = turns.get(server).map_or(now, |next| now.max(*next));
        let wait = at - now;
        if wait > self.patience {
            return Err(wait);
        }
        remember(&mut turns, server, at + self.between, now);
        Ok(at)
    }

    fn put_off(&self, server: &str, until: Instant, now: Instant) {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        let next = turns.get(server).map_or(until, |next| until.max(*next));
        remember(&mut turns, server, next, now);
        let mut holds = self.holds.lock().unwrap_or_else(PoisonError::into_inner);
        let until = holds.get(server).map_or(until, |held| until.max(*held));
        remember(&mut holds, server, until, now);
    }
}

fn remember(turns: &mut HashMap<String, Instant>, server: &str, next: Instant, now: Instant) {
    if turns.len() >= SERVERS && !turns.contains_key(server) {
        turns.retain(|_, next| *next > now);
        let first = turns.iter().min_by_key(|(_, next)| **next);
        if turns.len() >= SERVERS
            && let Some((first, _)) = first
        {
            let first = first.clone();
            turns.remove(&first);
        }
    }
    turns.insert(server.to_owned(), next);
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn pace() -> Pace {
        Pace::new(SECOND, 30 * SECOND)
    }

    #[test]
    fn a_server_has_one_turn_a_second_and_others_have_their_own() {
        let (pace, now) = (pace(), Instant::now());
        let turn = |server: &str| pace.reserve(server, now).map(|at| at - now);
        assert_eq!(
            [turn("a"), turn("a"), turn("a")],
            [Ok(Duration::ZERO), Ok(SECOND), Ok(2 * SECOND)]
        );
        assert_eq!(turn("b"), Ok(Duration::ZERO));
        let later = now + 10 * SECOND;
        assert_eq!(pace.reserve("a", later), Ok(later));
    }

    #[test]
    fn those_who_share_a_pace_have_one_turn_after_the_other() {
        let (pace, now) = (pace(), Instant::now());
        let hasty = pace.shared(Duration::ZERO);
        assert_eq!(pace.reserve("a", now), Ok(now));
        assert_eq!(hasty.reserve("a", now), Err(SECOND));
        assert_eq!(hasty.reserve("b", now), Ok(now));
        assert_eq!(pace.reserve("b", now), Ok(now + SECOND));
        pace.put_off("c", now + SECOND, now);
        assert_eq!(hasty.held_for("c", now), Some(SECOND));
    }

    #[test]
    fn who_would_wait_too_long_is_told_so() {
        let (pace, now) = (pace(), Instant::now());
        pace.put_off("a", now + 3_600 * SECOND, now);
        pace.put_off("a", now + 60 * SECOND, now);
        assert_eq!(pace.reserve("a", now), Err(3_600 * SECOND));
    }

    #[test]
    fn who_waits_already_is_held_too() {
        let (pace, now) = (pace(), Instant::now());
        pace.reserve("a", now).unwrap();
        let turn = pace.reserve("a", now).unwrap();
        assert_eq!(pace.held_for("a", turn), None);
        pace.put_off("a", now + 60 * SECOND, now);
        assert_eq!(pace.held_for("a", turn), Some(59 * SECOND));
        assert_eq!(pace.held_for("a", now + 60 * SECOND), None);
        assert_eq!(pace.held_for("b", turn), None);
    }

    #[test]
    fn no_more_servers_are_remembered_than_the_bound_and_the_longest_pauses_stay() {
        let (pace, now) = (pace(), Instant::now());
        let seconds = |server: usize| u32::try_from(server).unwrap() * SECOND;
        for server in 1..=SERVERS + 100 {
            pace.put_off(&server.to_string(), now + 60 * SECOND + seconds(server), now);
        }
        assert_eq!(pace.turns.lock().unwrap().len(), SERVERS);
        assert_eq!(pace.reserve("100", now), Ok(now));
        let last = SERVERS + 100;
        assert_eq!(
            pace.reserve(&last.to_string(), now),
            Err(60 * SECOND + seconds(last))
        );
    }

    #[test]
    fn servers_whose_turn_has_come_make_room_first() {
        let (pace, now) = (pace(), Instant::now());
        for server in 0..SERVERS {
            pace.reserve(&server.to_string(), now).unwrap();
        }
        pace.reserve("new", now + 2 * SECOND).unwrap();
        assert_eq!(pace.turns.lock().unwrap().len(), 1);
    }
}
