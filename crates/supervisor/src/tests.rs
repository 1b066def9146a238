//! No test asserts a time: each waits until something is so.

use std::sync::atomic::{AtomicU32, Ordering};

use tokio::time::timeout;

use super::*;

const TASK: Task = Task::needed("task");
const QUICK: RestartPace = RestartPace {
    shortest_pause: Duration::from_millis(1),
    longest_pause: Duration::from_millis(4),
    healthy_after: Duration::from_millis(200),
    pulse_within: NEVER,
};
/// Nothing that is waited for takes that long.
const NEVER: Duration = Duration::from_secs(3_600);

/// A task that panics as often as it is told to, then works until it is stopped.
struct Fixture {
    supervisor: Supervisor,
    begun: Arc<AtomicU32>,
    stop: CancellationToken,
}

impl Fixture {
    fn start(pace: RestartPace, panics: u32) -> (Self, JoinHandle<()>) {
        let fixture = Self {
            supervisor: Supervisor::with_pace(pace),
            begun: Arc::default(),
            stop: CancellationToken::new(),
        };
        let (begun, stop) = (Arc::clone(&fixture.begun), fixture.stop.clone());
        let running = fixture.supervisor.spawn(TASK, &fixture.stop, move || {
            let (begun, stop) = (Arc::clone(&begun), stop.clone());
            async move {
                let before = begun.fetch_add(1, Ordering::SeqCst);
                assert!(before >= panics, "panic {before}");
                stop.cancelled().await;
            }
        });
        (fixture, running)
    }

    fn begun(&self) -> u32 {
        self.begun.load(Ordering::SeqCst)
    }

    fn failing(&self) -> Option<Failing> {
        self.supervisor.failing().first().copied()
    }
}

async fn until(is_so: impl Fn() -> bool) {
    let waited = async {
        while !is_so() {
            sleep(Duration::from_millis(1)).await;
        }
    };
    timeout(Duration::from_secs(30), waited).await.unwrap();
}

#[tokio::test]
async fn a_task_that_panics_begins_anew_and_is_shown_until_it_is_healthy() {
    let (fixture, running) = Fixture::start(QUICK, 2);
    until(|| fixture.begun() == 3).await;
    until(|| fixture.failing().is_none()).await;
    assert_eq!(fixture.begun(), 3);
    fixture.stop.cancel();
    running.await.unwrap();
}

#[tokio::test]
async fn a_task_that_is_down_is_shown_as_that() {
    let slow = RestartPace {
        shortest_pause: NEVER,
        longest_pause: NEVER,
        ..QUICK
    };
    let (fixture, _running) = Fixture::start(slow, 1);
    until(|| fixture.failing().is_some()).await;
    let failing = fixture.failing().unwrap();
    assert_eq!((failing.task, failing.panics, failing.is_down), (TASK, 1, true));
}

#[tokio::test]
async fn a_task_that_runs_again_is_shown_with_its_panics() {
    let never_healthy = RestartPace {
        healthy_after: NEVER,
        ..QUICK
    };
    let (fixture, _running) = Fixture::start(never_healthy, 7);
    until(|| fixture.begun() == 8 && fixture.failing().is_some_and(|failing| !failing.is_down)).await;
    let failing = fixture.failing().unwrap();
    assert_eq!(failing.panics, 7);
}

#[tokio::test]
async fn a_stop_has_a_task_that_waits_begin_and_end() {
    let slow = RestartPace {
        shortest_pause: NEVER,
        longest_pause: NEVER,
        ..QUICK
    };
    let (fixture, running) = Fixture::start(slow, 1);
    until(|| fixture.failing().is_some()).await;
    fixture.stop.cancel();
    running.await.unwrap();
    assert_eq!((fixture.begun(), fixture.failing()), (2, None));
}

#[tokio::test]
async fn a_panic_after_the_stop_ends_the_task() {
    let (fixture, running) = Fixture::start(QUICK, u32::MAX);
    until(|| fixture.begun() > 3).await;
    fixture.stop.cancel();
    running.await.unwrap();
}

/// A task that ends three times though nobody has stopped it, then works until it is.
fn fickle(supervisor: &Supervisor, stop: &CancellationToken) -> JoinHandle<()> {
    let (begun, stopping) = (Arc::<AtomicU32>::default(), stop.clone());
    supervisor.spawn(TASK, stop, move || {
        let (begun, stopping) = (Arc::clone(&begun), stopping.clone());
        async move {
            if begun.fetch_add(1, Ordering::SeqCst) >= 3 {
                stopping.cancelled().await;
            }
        }
    })
}

#[tokio::test]
async fn a_task_that_ends_before_it_is_stopped_begins_anew_and_is_shown() {
    let supervisor = Supervisor::with_pace(RestartPace {
        healthy_after: NEVER,
        ..QUICK
    });
    let stop = CancellationToken::new();
    let running = fickle(&supervisor, &stop);
    let failing = || supervisor.failing().first().copied();
    until(|| failing().is_some_and(|failing| failing.early_ends == 3 && !failing.is_down)).await;
    assert_eq!(failing().unwrap().panics, 0);
    stop.cancel();
    running.await.unwrap();
    assert_eq!(failing(), None);
}

#[tokio::test]
async fn a_task_that_ended_too_early_is_down_until_its_pause_is_over() {
    let supervisor = Supervisor::with_pace(RestartPace {
        shortest_pause: NEVER,
        longest_pause: NEVER,
        ..QUICK
    });
    let stop = CancellationToken::new();
    let running = fickle(&supervisor, &stop);
    until(|| !supervisor.failing().is_empty()).await;
    let failing = supervisor.failing()[0];
    assert_eq!(
        (failing.task, failing.early_ends, failing.is_down),
        (TASK, 1, true)
    );
    stop.cancel();
    running.await.unwrap();
    assert_eq!(supervisor.failing(), []);
}

#[test]
fn a_failing_task_says_what_it_does_how_often_and_since_when() {
    let failing = |panics, early_ends, is_down| Failing {
        task: TASK,
        panics,
        early_ends,
        since: Duration::from_millis(42_900),
        is_down,
    };
    assert_eq!(
        failing(3, 0, false).to_string(),
        "task runs again: 3 panics, the first 42 s ago"
    );
    assert_eq!(
        failing(1, 0, true).to_string(),
        "task is down: 1 panic, the first 42 s ago"
    );
    assert_eq!(
        failing(0, 1, true).to_string(),
        "task is down: 1 early end, the first 42 s ago"
    );
    assert_eq!(
        failing(1, 2, false).to_string(),
        "task runs again: 1 panic and 2 early ends, the first 42 s ago"
    );
}

#[tokio::test]
async fn what_was_caught_says_why_and_can_go_on() {
    let number = 7;
    let panic = caught::<()>(async { panic!("at {number}") }).await.unwrap_err();
    assert_eq!(panic.to_string(), "at 7");
    let again = caught::<()>(async { panic.resume() }).await.unwrap_err();
    assert_eq!(again.to_string(), "at 7");
}

#[tokio::test]
async fn a_task_is_stuck_until_it_says_otherwise() {
    let supervisor = Supervisor::default();
    let guard = supervisor.is_stuck(TASK, "it waits");
    let stuck = supervisor.stuck();
    assert_eq!((stuck.len(), stuck[0].task), (1, TASK));
    assert_eq!(stuck[0].to_string(), "task stands still for 0 s: it waits");
    drop(guard);
    assert_eq!(supervisor.stuck(), []);
}

#[tokio::test]
async fn a_panic_keeps_no_other_piece_from_being_done_and_goes_on_at_the_end() {
    let mut told = Vec::new();
    let pieces = (0..4).map(|number| {
        (number, async move {
            assert_ne!(number, 1, "the second");
            number
        })
    });
    let panic = caught(each(pieces, |number, outcome| {
        told.push((
            number,
            outcome.map_err(|panic| panic.to_string().contains("the second")),
        ));
        if number == 2 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }))
    .await;
    assert!(panic.unwrap_err().to_string().contains("the second"));
    assert_eq!(told, [(0, Ok(0)), (1, Err(true)), (2, Ok(2))]);
}

/// Nobody is given the thread to show that it turns; with an hour to do so that is no matter.
#[tokio::test]
async fn a_runtime_that_does_not_turn_is_stuck_until_it_stops() {
    for (pulse_within, stands_still) in [(Duration::ZERO, true), (Duration::from_secs(3_600), false)] {
        let supervisor = Supervisor::with_pace(RestartPace {
            pulse_within,
            ..QUICK
        });
        let stop = CancellationToken::new();
        let pulse = supervisor.feel_pulse(TASK, &stop);
        let began = std::time::Instant::now();
        while began.elapsed().is_zero() {}
        let stuck: Vec<Task> = supervisor.stuck().iter().map(|stuck| stuck.task).collect();
        assert_eq!(stuck == [TASK], stands_still);
        stop.cancel();
        pulse.await.unwrap();
        assert_eq!(supervisor.stuck(), []);
    }
}
