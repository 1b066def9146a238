//! Expressions of callers, checked against many texts: on threads of their own, few at once, and for a bounded time.

use std::{
    num::NonZero,
    panic::resume_unwind,
    sync::{Arc, LazyLock},
    thread::available_parallelism,
    time::{Duration, Instant},
    vec,
};

use pharos_domain::store::StoreError;
use thiserror::Error;
use tokio::{sync::Semaphore, task::spawn_blocking};

/// How many texts are best read at once to be judged: there may be many.
pub const AT_ONCE: u16 = 5_000;
/// How long texts are judged before others have their turn.
const TURN: Duration = Duration::from_millis(50);

/// Half of the cores, so that whatever callers write leaves the other half to everybody else.
static PLACES: LazyLock<Arc<Semaphore>> = LazyLock::new(|| {
    let cores = available_parallelism().map_or(1, NonZero::get);
    Arc::new(Semaphore::new((cores / 2).max(1)))
});

/// The expressions took longer than they may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the expressions take too long on the texts that there are")]
pub struct TooCostly;

impl From<TooCostly> for StoreError {
    fn from(costly: TooCostly) -> Self {
        Self::TooLong(Box::new(costly))
    }
}

/// Tells texts that fit from others.
pub trait Judge: Send + Sync + 'static {
    /// Whether the text fits.
    fn fits(&self, text: &str) -> bool;
}

/// The time that the expressions of one answer may take, all together. To wait for a turn does not count.
#[derive(Debug)]
pub struct Budget {
    left: Duration,
}

impl Budget {
    /// So much.
    #[must_use]
    pub const fn new(left: Duration) -> Self {
        Self { left }
    }

    /// Works something out that takes a while, in a turn of its own.
    ///
    /// # Errors
    /// There was no time left.
    pub async fn spent<T: Send + 'static>(
        &mut self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, TooCostly> {
        if self.left.is_zero() {
            return Err(TooCostly);
        }
        // Nobody closes it.
        let place = PLACES.clone().acquire_owned().await.map_err(|_| TooCostly)?;
        // Whoever stops waiting for the answer gives the place back with the end of the turn.
        let turn = spawn_blocking(move || {
            let _place = place;
            let began = Instant::now();
            let done = work();
            (done, began.elapsed())
        });
        let (done, took) = match turn.await {
            Ok(turn) => turn,
            Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
            // The runtime ends.
            Err(_) => return Err(TooCostly),
        };
        self.left = self.left.saturating_sub(took);
        Ok(done)
    }

    /// The numbers of the texts that fit, in their order.
    ///
    /// # Errors
    /// It took too long.
    pub async fn fitting<Id: Send + 'static, J: Judge>(
        &mut self,
        texts: Vec<(Id, String)>,
        judge: &Arc<J>,
    ) -> Result<Vec<Id>, TooCostly> {
        let mut fitting = Vec::new();
        let mut texts = texts.into_iter();
        while !texts.as_slice().is_empty() {
            let (judge, left) = (Arc::clone(judge), self.left);
            let turn = self.spent(move || turn(texts, &*judge, left)).await??;
            fitting.extend(turn.fitting);
            texts = turn.left;
        }
        Ok(fitting)
    }
}

/// The result of a turn.
struct Turn<Id> {
    fitting: Vec<Id>,
    left: vec::IntoIter<(Id, String)>,
}

fn turn<Id>(
    mut texts: vec::IntoIter<(Id, String)>,
    judge: &impl Judge,
    left: Duration,
) -> Result<Turn<Id>, TooCostly> {
    let began = Instant::now();
    let mut fitting = Vec::new();
    while began.elapsed() < TURN
        && let Some((id, text)) = texts.next()
    {
        if began.elapsed() >= left {
            return Err(TooCostly);
        }
        if judge.fits(&text) {
            fitting.push(id);
        }
    }
    Ok(Turn { fitting, left: texts })
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use regex::Regex;

    use super::*;
    use crate::gsc::expression::compiled;

    /// It takes a while for each text.
    struct Slow(Duration);

    impl Judge for Slow {
        fn fits(&self, text: &str) -> bool {
            sleep(self.0);
            text.starts_with('a')
        }
    }

    /// It fails on any text.
    struct Broken;

    impl Judge for Broken {
        fn fits(&self, _text: &str) -> bool {
            panic!("the judge is broken")
        }
    }

    impl Judge for Regex {
        fn fits(&self, text: &str) -> bool {
            self.is_match(text)
        }
    }

    fn texts(count: usize) -> Vec<(usize, String)> {
        let text = |number: usize| if number.is_multiple_of(2) { "a" } else { "b" };
        (0..count)
            .map(|number| (number, text(number).to_owned()))
            .collect()
    }

    /// 40 texts of 5 ms are four turns.
    #[tokio::test]
    async fn texts_are_judged_in_turns_and_keep_their_order() {
        let slow = Arc::new(Slow(Duration::from_millis(5)));
        let mut budget = Budget::new(Duration::from_secs(60));
        let fitting = budget.fitting(texts(40), &slow).await.unwrap();
        assert_eq!(fitting, (0..40).step_by(2).collect::<Vec<_>>());
        assert!(budget.left <= Duration::from_secs(60) - Duration::from_millis(200));
        assert_eq!(budget.fitting(texts(0), &slow).await, Ok(Vec::new()));
    }

    #[tokio::test]
    #[should_panic(expected = "the judge is broken")]
    async fn a_judge_that_panics_is_not_taken_for_one_that_is_slow() {
        let mut budget = Budget::new(Duration::from_secs(60));
        let _ = budget.fitting(texts(1), &Arc::new(Broken)).await;
    }

    #[tokio::test]
    async fn one_budget_is_for_all_that_an_answer_asks() {
        let slow = Arc::new(Slow(Duration::from_millis(10)));
        let mut budget = Budget::new(Duration::from_millis(500));
        assert!(budget.fitting(texts(5), &slow).await.is_ok());
        assert_eq!(budget.fitting(texts(50), &slow).await, Err(TooCostly));
    }

    /// It takes the expression some milliseconds to judge one of these texts, each of 50 letters.
    #[tokio::test]
    async fn an_expression_that_is_slow_is_too_costly_for_many_texts() {
        let slow = compiled(r"(?:[a-m]?[n-z ]?[aeiou]?[rst]?){2000}[\x00-\x1f]", false);
        let slow = Arc::new(slow.unwrap());
        let text = |number: u32| {
            let letters = (1..=50_u32).map(|place| {
                let letter = (number * 7_919 + 31).wrapping_mul(place * place + 17) >> 7;
                char::from(b"abcdefghijklmnopqrstuvwxyz"[letter as usize % 26])
            });
            (number, letters.collect::<String>())
        };
        let mut budget = Budget::new(Duration::from_millis(50));
        let texts: Vec<(u32, String)> = (0..5_000).map(text).collect();
        assert_eq!(budget.fitting(texts, &slow).await, Err(TooCostly));
    }

    /// The runtime of this test has one thread.
    #[tokio::test]
    async fn work_of_a_turn_leaves_the_thread_to_others_and_is_taken_out_of_the_budget() {
        let mut budget = Budget::new(Duration::from_millis(100));
        let worked = async {
            let done = budget.spent(|| {
                sleep(Duration::from_millis(200));
                7
            });
            (done.await, Instant::now())
        };
        let other = async {
            tokio::time::sleep(Duration::from_millis(10)).await;
            Instant::now()
        };
        let ((done, worked), other) = tokio::join!(worked, other);
        assert_eq!(done, Ok(7));
        assert!(other < worked);
        assert_eq!(budget.spent(|| 7).await, Err(TooCostly));
    }

    /// The runtime of this test has one thread: whatever is judged leaves it to others.
    #[tokio::test]
    async fn others_go_on_while_texts_are_judged() {
        let slow = Arc::new(Slow(Duration::from_millis(20)));
        let mut budget = Budget::new(Duration::from_secs(60));
        let judged = async {
            let fitting = budget.fitting(texts(20), &slow).await.unwrap();
            (fitting.len(), Instant::now())
        };
        let other = async {
            for _ in 0..5 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            Instant::now()
        };
        let ((fitting, judged), other) = tokio::join!(judged, other);
        assert_eq!(fitting, 10);
        assert!(other < judged);
    }
}
