//! The work of reading large answers and shaping results, away from the threads that answer requests, which are the API's too.

use std::{sync::Arc, time::Duration};

use tokio::{sync::Semaphore, task::spawn_blocking, time::Instant};
use tokio_util::task::AbortOnDropHandle;

use crate::{api::Turns, credential::Caller};

/// How many answers and results are worked on at once, of all callers.
const AT_ONCE: usize = 2;
/// How many of them are of one caller.
const OF_A_CALLER: usize = 1;
/// How long one waits for others of its caller.
const TURN_WITHIN: Duration = Duration::from_secs(10);

/// Where answers are read and results shaped.
pub(crate) struct Shaping {
    places: Arc<Semaphore>,
    turns: Turns,
}

impl Default for Shaping {
    fn default() -> Self {
        Self {
            places: Arc::new(Semaphore::new(AT_ONCE)),
            turns: Turns::of(OF_A_CALLER),
        }
    }
}

impl Shaping {
    /// Does the work in its caller's turn. It is not begun any more when this is dropped. `None`: too much of its caller's waits, or
    /// the work panicked.
    pub(crate) async fn during<T: Send + 'static>(
        &self,
        caller: &Caller,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let done = async {
            let place = Arc::clone(&self.places).acquire_owned().await.ok()?;
            let work = spawn_blocking(move || {
                // Work that has begun goes on when nobody waits for it, and so keeps its place.
                let _place = place;
                work()
            });
            AbortOnDropHandle::new(work).await.ok()
        };
        let until = Instant::now() + TURN_WITHIN;
        self.turns.during(caller, until, done).await?
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use futures_util::future::{join, join_all};
    use tokio::sync::oneshot;

    use super::*;

    /// Longer than any of these tests takes, unless what is waited for never comes.
    const NEVER: Duration = Duration::from_secs(20);

    fn caller(credential: &str) -> Caller {
        Caller::with(credential, "").unwrap()
    }

    /// Here all requests have one thread, as those of a worker have.
    #[tokio::test]
    async fn neighbours_are_answered_while_results_are_shaped() {
        let (shaping, busy, idle) = (Shaping::default(), caller("svc_dev_a"), caller("svc_dev_b"));
        let (answered, until_answered): (Vec<_>, Vec<_>) = (0..2).map(|_| mpsc::channel::<()>()).unzip();
        let shaped = until_answered.into_iter().map(|answer| {
            let work = move || answer.recv_timeout(NEVER).is_ok();
            shaping.during(&busy, work)
        });
        let neighbour = async {
            // Polled after those before it, which are being shaped or wait by then.
            let own = shaping.during(&idle, || true).await;
            for waiting in &answered {
                waiting.send(()).unwrap();
            }
            own
        };
        let (busy, idle) = join(join_all(shaped), neighbour).await;
        assert_eq!((busy, idle), (vec![Some(true); 2], Some(true)));
    }

    #[tokio::test]
    async fn what_nobody_waits_for_is_not_begun_and_leaves_no_place_taken() {
        let (shaping, caller) = (Shaping::default(), caller("svc_dev_a"));
        let (leave, left) = mpsc::channel::<()>();
        let (began, begun) = oneshot::channel();
        let first = shaping.during(&caller, move || {
            began.send(()).ok();
            left.recv_timeout(NEVER).is_ok()
        });
        let hung_up = async {
            begun.await.unwrap();
            let (told, never) = mpsc::channel::<()>();
            let waiting = shaping.during(&caller, move || told.send(()));
            let given_up = tokio::time::timeout(Duration::from_millis(20), waiting).await;
            assert!(given_up.is_err());
            leave.send(()).unwrap();
            never
        };
        let (first, never) = join(first, hung_up).await;
        assert_eq!(first, Some(true));
        assert_eq!(never.recv(), Err(mpsc::RecvError));
        assert_eq!(shaping.during(&caller, || 1).await, Some(1));
        assert_eq!(shaping.places.available_permits(), AT_ONCE);
    }

    #[tokio::test]
    async fn work_that_panics_is_none() {
        let (shaping, caller) = (Shaping::default(), caller("svc_dev_a"));
        let none: Option<()> = shaping.during(&caller, || panic!("of this test")).await;
        assert_eq!(none, None);
        assert_eq!(shaping.during(&caller, || 1).await, Some(1));
    }
}
