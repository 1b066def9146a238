//! Jobs on the command line.

use std::{
    process::{Command, Output},
    time::Duration,
};

use pharos_domain::jobs::{Changed, JobFailure, JobState};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{Doing, Queue, told};
use crate::harness::binary;

fn pharos(queue: &Queue, arguments: &[&str]) -> Output {
    let mut command = Command::new(binary());
    command
        .env("PHAROS_DATABASE_URL", queue.test.url())
        .args(["admin", "--json", "job"])
        .args(arguments);
    command.output().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_sees_the_dead_jobs_and_has_one_tried_again() {
    let queue = Queue::new().await;
    let fails = |_| -> Doing { Box::pin(async move { Err(JobFailure::permanent("no such thing")) }) };
    let crew = queue.crew(told(), fails).await;
    let job = queue.enqueue(None).await;
    queue.reaches(job, JobState::Dead).await;
    drop(crew);
    queue.enqueue(Some("us")).await;
    let listed = pharos(&queue, &["list", "--state", "dead", "--kind", "test"]);
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed}");
    assert_eq!(
        (&listed[0]["id"], &listed[0]["last_error"]),
        (&json!(job), &json!("no such thing"))
    );

    let done = |_| -> Doing { Box::pin(async { Ok(Changed::new()) }) };
    let _crew = queue.crew(told(), done).await;
    sleep(Duration::from_millis(200)).await;
    let id = job.to_string();
    let retried = pharos(&queue, &["retry", &id]);
    let retried: Value = serde_json::from_slice(&retried.stdout).unwrap();
    assert_eq!(
        (&retried["state"], &retried["attempts"]),
        (&json!("queued"), &json!(0))
    );
    queue.reaches(job, JobState::Succeeded).await;
    let again = pharos(&queue, &["retry", &id]);
    let error = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(
        !again.status.success() && error.contains("the job is succeeded"),
        "{error}"
    );
}
