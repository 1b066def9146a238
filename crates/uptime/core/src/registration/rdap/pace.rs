//! How often a server is asked.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::{Instant, sleep_until};

use super::RdapError;

/// The time between two requests to one server.
const BETWEEN: Duration = Duration::from_secs(1);
/// How long a request waits for its turn; one that would wait longer is not made.
const PATIENCE: Duration = Duration::from_secs(30);

/// When each server may be asked next, by this process.
#[derive(Debug, Default)]
pub(super) struct Pace(Mutex<HashMap<String, Instant>>);

impl Pace {
    /// Waits until it is this request's turn to ask the server.
    pub(super) async fn turn(&self, server: &str) -> Result<(), RdapError> {
        let at = self.reserve(server, Instant::now())?;
        sleep_until(at).await;
        Ok(())
    }

    /// Has the server left alone for this long.
    pub(super) fn hold(&self, server: &str, pause: Duration) {
        let until = Instant::now() + pause;
        let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let next = turns.entry(server.to_owned()).or_insert(until);
        *next = until.max(*next);
    }

    fn reserve(&self, server: &str, now: Instant) -> Result<Instant, RdapError> {
        let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        turns.retain(|_, next| *next > now);
        let at = turns.get(server).copied().unwrap_or(now);
        let wait = at - now;
        if wait > PATIENCE {
            return Err(RdapError::Busy {
                retry_after: Some(wait),
            });
        }
        turns.insert(server.to_owned(), at + BETWEEN);
        Ok(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_has_one_turn_a_second_and_others_have_their_own() {
        let (pace, now) = (Pace::default(), Instant::now());
        let turn = |server: &str| pace.reserve(server, now).ok().map(|at| at - now);
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(
            [turn("a"), turn("a"), turn("a")],
            [seconds(0), seconds(1), seconds(2)]
        );
        assert_eq!(turn("b"), seconds(0));
    }

    #[test]
    fn who_would_wait_too_long_is_told_so() {
        let pace = Pace::default();
        pace.hold("a", Duration::from_secs(3_600));
        pace.hold("a", Duration::from_secs(60));
        let refused = pace.reserve("a", Instant::now());
        let Err(RdapError::Busy {
            retry_after: Some(wait),
        }) = refused
        else {
            unreachable!("{refused:?}");
        };
        assert!(wait > Duration::from_secs(3_590), "{wait:?}");
    }
}
