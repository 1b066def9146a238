//! The items of a run: its progress, and what they come to.

use pharos_domain::{
    credits::StoredAnswer,
    ids::WorkerId,
    jobs::{Claim, JobOutcome},
    runs::{Run, RunItems, RunKind, RunStatus},
};

use super::{Asked, KIND, LEASE, keyed, new};
use crate::harness::{Fixture, NOW, after};

#[tokio::test]
async fn progress_is_noted_by_the_worker_that_has_the_job_and_what_failed_makes_it_partial() {
    let asked = Asked::new(1).await;
    let runs = &asked.fixture.stores.runs;
    let items = |completed, failed| RunItems {
        total: 8,
        completed,
        failed,
    };
    let (slow, next) = (WorkerId::generate(), WorkerId::generate());
    let lost = asked.claim(slow, NOW, 1).await.remove(0);
    assert!(runs.progress(&lost, items(5, 0)).await.unwrap());
    let held = asked.claim(next, NOW + LEASE, 1).await.remove(0);
    assert!(runs.progress(&held, items(2, 1)).await.unwrap());
    assert!(!runs.progress(&lost, items(8, 0)).await.unwrap());
    assert_eq!(asked.at(NOW).await.items, Some(items(2, 1)));
    asked.settle(next, &held, JobOutcome::Succeeded, after(90)).await;
    assert_eq!(asked.is().await, RunStatus::Partial);
    assert!(!runs.progress(&held, items(8, 0)).await.unwrap());
    assert_eq!(asked.at(NOW).await.items, Some(items(2, 1)));
}

/// Each of them notes its own, as often as it likes.
#[tokio::test]
async fn the_items_of_a_run_are_those_of_all_its_jobs() {
    let asked = Asked::new(2).await;
    let runs = &asked.fixture.stores.runs;
    let items = |total, completed, failed| RunItems {
        total,
        completed,
        failed,
    };
    let worker = WorkerId::generate();
    let held = asked.claim(worker, NOW, 2).await;
    assert!(runs.progress(&held[0], items(8, 5, 1)).await.unwrap());
    assert!(runs.progress(&held[1], items(4, 1, 0)).await.unwrap());
    assert_eq!(asked.at(NOW).await.items, Some(items(12, 6, 1)));
    assert!(runs.progress(&held[0], items(8, 7, 1)).await.unwrap());
    assert_eq!(asked.at(NOW).await.items, Some(items(12, 8, 1)));
    let most = items(u32::MAX, u32::MAX, 0);
    assert!(runs.progress(&held[1], most).await.unwrap());
    assert_eq!(asked.at(NOW).await.items.unwrap().total, 0x7fff_ffff);
    assert!(runs.progress(&held[1], items(4, 4, 0)).await.unwrap());
    for job in &held {
        asked.settle(worker, job, JobOutcome::Succeeded, after(1)).await;
    }
    let over = asked.at(NOW).await;
    assert_eq!(
        (over.status, over.items),
        (RunStatus::Partial, Some(items(12, 11, 1)))
    );
}

/// The total of a run that says it when it is asked for is known before its jobs have found out theirs.
#[tokio::test]
async fn a_run_has_the_total_with_which_it_was_asked_for() {
    let fixture = Fixture::with_a_clock().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let keyed = keyed(&home, &access, "k");
    let mut new = new(&keyed, 2);
    new.run.items = Some(RunItems::of(12));
    let answer = |_: &Run| StoredAnswer {
        status: 202,
        body: "{}".to_owned().into(),
    };
    let runs = &fixture.stores.runs;
    let run = runs.request(&keyed, &new, &answer).await.unwrap();
    let claim = Claim {
        worker: WorkerId::generate(),
        kinds: &[KIND],
        lane: "eu",
        lease: LEASE,
        limit: 1,
    };
    let held = fixture.stores.jobs.claim(&claim).await.unwrap();
    let noted = RunItems {
        total: 8,
        completed: 3,
        failed: 0,
    };
    assert!(runs.progress(&held[0], noted).await.unwrap());
    let found = runs.find(&access, RunKind::Report, run.id, NOW).await.unwrap();
    assert_eq!(found.unwrap().items, Some(RunItems { total: 12, ..noted }));
}

/// A job that did all that it could succeeds, though nothing came of it.
#[tokio::test]
async fn a_run_of_which_every_item_failed_has_failed() {
    let asked = Asked::new(2).await;
    let runs = &asked.fixture.stores.runs;
    let worker = WorkerId::generate();
    let held = asked.claim(worker, NOW, 2).await;
    let lost = RunItems {
        total: 8,
        completed: 0,
        failed: 8,
    };
    for job in &held {
        assert!(runs.progress(job, lost).await.unwrap());
        asked.settle(worker, job, JobOutcome::Succeeded, after(1)).await;
    }
    let over = asked.at(NOW).await;
    assert_eq!((over.status, over.expires_at), (RunStatus::Failed, None));
    assert_eq!(over.error_code.as_deref(), Some("internal-error"));
    assert_eq!(over.error_detail.as_deref(), Some("All of its items failed."));
}
