//! The jobs of a workspace: seen and tried again by those who look after it.

use pharos_domain::{
    ids::{JobId, WorkspaceId},
    jobs::{JobKind, JobState, NewJob},
    role::Role,
};
use serde_json::json;

use crate::harness::TestApp;

/// Puts a job of a workspace into the queue, in that state. Its people are told why it failed, and operators more.
pub(super) async fn job(
    app: &TestApp,
    workspace: WorkspaceId,
    kind: &'static str,
    state: JobState,
    why: &str,
) -> JobId {
    let job = NewJob::of(workspace, JobKind::new(kind), json!({}), 3);
    let (id, kind) = (job.id, job.kind);
    let (leased, finished) = match state {
        JobState::Running => ("now() + interval '1 minute', gen_random_uuid()", "NULL"),
        JobState::Queued => ("NULL, NULL", "NULL"),
        JobState::Succeeded | JobState::Dead => ("NULL, NULL", "now()"),
    };
    app.sql(&format!(
        "INSERT INTO jobs (id, kind, payload, state, run_at, leased_until, worker, finished_at, attempts, max_attempts,
            last_error, error_detail, created_at, workspace_id)
         VALUES ('{id}', '{kind}', '{{}}', '{state}', now(), {leased}, {finished}, 3, 3, 'at /var/lib: ' || nullif('{why}', ''),
            nullif('{why}', ''), now(), '{workspace}')"
    ))
    .await;
    id
}

#[tokio::test]
async fn each_state_has_its_jobs_with_their_reasons() {
    let app = TestApp::start().await;
    let own = app.world.workspace;
    let mut browser = app.signed_in(app.world.owner).await;
    let path = app.of_workspace("jobs");
    browser.get(&path).await.is(200).says("No job has failed");
    let other = app
        .stores
        .workspace_admin
        .create(
            "Other",
            app.world.owner,
            "default",
            &crate::harness::actor(),
            app.now(),
        )
        .await
        .unwrap();
    job(&app, own, "report", JobState::Dead, "<b>no</b> disk").await;
    // Whatever was not written for them stays with whoever runs Pharos.
    for why in ["Pharos failed: relation x", "relation x"] {
        let untold = job(&app, own, "inspector", JobState::Dead, "").await;
        app.sql(&format!(
            "UPDATE jobs SET last_error = '{why}' WHERE id = '{untold}'"
        ))
        .await;
    }
    job(&app, own, "uptime_check", JobState::Running, "").await;
    job(&app, own, "robots_check", JobState::Queued, "the site is away").await;
    job(&app, own, "crux_lookup", JobState::Succeeded, "").await;
    job(&app, other.id, "gsc_sync", JobState::Dead, "of others").await;
    browser
        .get(&path)
        .await
        .is(200)
        .says(">report<")
        .says("&lt;b&gt;no&lt;/b&gt; disk")
        .says("Whoever runs this Pharos finds the cause")
        .says("Try again")
        .is_silent_on("relation x")
        .is_silent_on("/var/lib")
        .is_silent_on("of others")
        .is_silent_on("uptime_check");
    for (state, kind) in [
        ("running", ">uptime_check<"),
        ("queued", "the site is away"),
        ("succeeded", ">crux_lookup<"),
    ] {
        let page = browser.get(&format!("{path}?state={state}")).await;
        page.is(200)
            .says(kind)
            .is_silent_on("Try again")
            .is_silent_on(">report<");
    }
    for query in ["state=lost", "before=x", "state=dead&before="] {
        browser.get(&format!("{path}?{query}")).await.is(404);
    }
}

#[tokio::test]
async fn a_failed_job_is_tried_again_once() {
    let app = TestApp::start().await;
    let failed = job(&app, app.world.workspace, "report", JobState::Dead, "no disk").await;
    let runs = job(&app, app.world.workspace, "report", JobState::Running, "").await;
    let mut browser = app.signed_in(app.world.owner).await;
    let path = app.of_workspace("jobs");
    let form_id = browser.get(&path).await.hidden("form_id").unwrap();
    let id = failed.to_string();
    let fields = [("job", id.as_str())];
    // A double click sends the same form twice.
    for _ in 0..2 {
        browser
            .submit(&path, &[("form_id", form_id.as_str()), fields[0]])
            .await
            .leads_to(&format!("{path}?retried"));
    }
    browser
        .get(&format!("{path}?retried"))
        .await
        .is(200)
        .says("is tried again");
    let state = app
        .sql(&format!("SELECT state, attempts FROM jobs WHERE id = '{failed}'"))
        .await;
    assert_eq!(
        (state[0][0].as_deref(), state[0][1].as_deref()),
        (Some("queued"), Some("0"))
    );
    // Another form for the same job, and for one that was never dead.
    browser
        .submit(&path, &fields)
        .await
        .is(409)
        .says("on its way again");
    browser.submit(&path, &[("job", &runs.to_string())]).await.is(409);
    browser.submit(&path, &[("job", "x")]).await.is(400);
    browser.submit(&path, &[]).await.is(400);
    let audit = app
        .sql("SELECT workspace_id, host(source) FROM audit_log WHERE action = 'job.retry'")
        .await;
    assert_eq!(audit.len(), 1);
    assert_eq!(audit[0][0], Some(app.world.workspace.to_string()));
    assert_eq!(audit[0][1].as_deref(), Some("127.0.0.1"));
}

#[tokio::test]
async fn jobs_are_for_admins_and_those_of_others_are_not_found() {
    let app = TestApp::start().await;
    let other = app
        .stores
        .workspace_admin
        .create(
            "Other",
            app.world.owner,
            "default",
            &crate::harness::actor(),
            app.now(),
        )
        .await
        .unwrap();
    let theirs = job(&app, other.id, "report", JobState::Dead, "no").await;
    let own = job(&app, app.world.workspace, "report", JobState::Dead, "no").await;
    let path = app.of_workspace("jobs");
    let admin = app.member("admin@example.org", Role::Admin).await;
    let mut browser = app.signed_in(admin).await;
    browser.get(&path).await.is(200).says("Jobs");
    for id in [theirs, JobId::generate()] {
        browser.submit(&path, &[("job", &id.to_string())]).await.is(404);
    }
    browser
        .get(&format!("/console/w/{}/jobs", other.id))
        .await
        .is(404);
    let member = app.member("member@example.org", Role::Member).await;
    let mut browser = app.signed_in(member).await;
    browser.get(&path).await.is(403);
    browser.get("/console/account").await;
    browser.submit(&path, &[("job", &own.to_string())]).await.is(403);
    let overview = browser.get(&app.of_workspace("members")).await;
    overview.is(200).is_silent_on(&format!("{path}\""));
    let stranger = app.person("stranger@example.org").await;
    let mut browser = app.signed_in(stranger).await;
    browser.get(&path).await.is(404);
    let dead = app.sql("SELECT FROM jobs WHERE state = 'dead'").await;
    assert_eq!(dead.len(), 2);
}

#[tokio::test]
async fn many_jobs_are_paged() {
    let app = TestApp::start().await;
    let path = app.of_workspace("jobs");
    let mut browser = app.signed_in(app.world.owner).await;
    let mut made = Vec::new();
    for _ in 0..51 {
        made.push(job(&app, app.world.workspace, "report", JobState::Queued, "").await);
    }
    let first = format!("{path}?state=queued");
    let page = browser.get(&first).await;
    page.is(200)
        .says(&made[50].to_string())
        .is_silent_on(&made[0].to_string());
    let next = format!("{path}?state=queued&before={}", made[1]);
    page.says(&next.replace('&', "&amp;"));
    browser
        .get(&next)
        .await
        .is(200)
        .says(&made[0].to_string())
        .says("Previous");
}
