//! The jobs of a workspace: what waits, what runs, what failed and why, for those who look after it.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_domain::{
    ids::JobId,
    jobs::{JobDetails, JobFilter, JobState, RetryError},
    role::Role,
};

use crate::{
    console::Console,
    enter::InWorkspace,
    form::Form,
    nav::workspace_path,
    page::{Page, fault, go, moment},
    parts::{
        notice,
        table::{Column, Pages, Table},
    },
    query::in_query,
    refusal::Refusal,
    repeated,
    shown::shown,
};

/// How many jobs a page has.
const A_PAGE: u32 = 50;
/// Who sees them, and has them tried again.
const VIEWERS: Role = Role::Admin;
/// The states in the order of the tabs: how each is called in addresses, and for people.
const STATES: [(JobState, &str); 4] = [
    (JobState::Dead, "Failed"),
    (JobState::Running, "Running"),
    (JobState::Queued, "Waiting"),
    (JobState::Succeeded, "Done"),
];

/// The part of the list that is looked at.
struct Part {
    state: JobState,
    before: Option<JobId>,
}

impl Part {
    /// The part that a query asks for.
    fn of(query: &str) -> Result<Self, Refusal> {
        let state = match in_query(query, "state") {
            Some(text) => text.parse().map_err(|_| Refusal::NoPage)?,
            None => JobState::Dead,
        };
        let before = match in_query(query, "before") {
            Some(text) => Some(text.parse().map_err(|_| Refusal::NoPage)?),
            None => None,
        };
        Ok(Self { state, before })
    }
}

/// GET /console/w/{workspace_id}/jobs?state=…&before=…
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.in_workspace(&request, &id, VIEWERS).await?;
    let part = Part::of(request.query_string())?;
    let done = in_query(request.query_string(), "retried").is_some();
    page(&console, &here, &part, done, None).await
}

/// POST /console/w/{workspace_id}/jobs
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let here = console.in_workspace(&request, &id, VIEWERS).await?;
    here.user.check(&sent, &console)?;
    here.writable()?;
    let job: JobId = sent.one("job").parse().map_err(|_| Refusal::NoForm)?;
    let found = console.parts.jobs.find(job).await?;
    let is_ours = found.is_some_and(|found| found.workspace_id == Some(here.id()));
    if !is_ours {
        return Err(Refusal::NoPage);
    }
    let (digest, parts) = (sent.digest(&request, &here.user.secret), console.clone());
    let work = async move { retry(&parts, &here, job).await };
    console.repeated.answer(digest, work).await
}

async fn retry(console: &Console, here: &InWorkspace, job: JobId) -> Result<HttpResponse, Refusal> {
    let (actor, now) = (here.user.actor(), console.parts.clock.now());
    let refused = match console.parts.jobs.retry(job, &actor, now).await {
        Ok(_) => return Ok(go(&format!("{}?retried", address(here, None)))),
        Err(RetryError::NotDead(_)) => "It is on its way again.",
        Err(RetryError::NotFound) => return Err(Refusal::NoPage),
        Err(RetryError::Store(error)) => return Err(error.into()),
    };
    let part = Part {
        state: JobState::Dead,
        before: None,
    };
    page(console, here, &part, false, Some(refused)).await
}

fn address(here: &InWorkspace, state: Option<JobState>) -> String {
    let path = workspace_path(here.id(), "jobs");
    match state {
        Some(state) if state != JobState::Dead => format!("{path}?state={state}"),
        _ => path,
    }
}

async fn page(
    console: &Console,
    here: &InWorkspace,
    part: &Part,
    is_retried: bool,
    refused: Option<&str>,
) -> Result<HttpResponse, Refusal> {
    let filter = JobFilter {
        state: Some(part.state),
        workspace: Some(here.id()),
        before: part.before,
        limit: A_PAGE + 1,
        ..JobFilter::default()
    };
    let mut jobs = console.parts.jobs.list(&filter).await?;
    let most = usize::try_from(A_PAGE).unwrap_or(usize::MAX);
    let has_more = jobs.len() > most;
    jobs.truncate(most);
    let columns: Vec<Column<'_>> = labels(part.state)
        .iter()
        .map(|label| Column::text(label))
        .collect();
    let table = Table {
        caption: "Jobs",
        columns: &columns,
        rows: jobs.iter().map(|job| row(here, part.state, job)).collect(),
    };
    let first = address(here, Some(part.state));
    let joint = if first.contains('?') { '&' } else { '?' };
    let pages = Pages {
        shown: "The newest first",
        before: part.before.map(|_| first.clone()),
        after: jobs
            .last()
            .filter(|_| has_more)
            .map(|job| format!("{first}{joint}before={}", job.id)),
    };
    let content = html! {
        @if is_retried { (notice::done("The job is tried again, as often as a new one.")) }
        (fault(refused))
        p { "Work that Pharos does for this workspace later than it was asked for: runs, deliveries, lookups." }
        nav.tabs aria-label="States" {
            @for (state, label) in STATES {
                a href=(address(here, Some(state))) aria-current=[(state == part.state).then_some("page")] { (label) }
            }
        }
        (table.show(&empty(part.state)))
        @if part.before.is_some() || has_more { (pages.show()) }
    };
    let status = if refused.is_some() {
        StatusCode::CONFLICT
    } else {
        StatusCode::OK
    };
    Ok(Page::new("Jobs", Some(here.user.owner()))
        .at(here.place("jobs"))
        .wide()
        .status(status)
        .with(&content))
}

/// The labels of the columns.
fn labels(state: JobState) -> &'static [&'static str] {
    match state {
        JobState::Dead => &["What", "Asked for", "Given up", "Why", "Again"],
        JobState::Running => &["What", "Asked for", "Attempt"],
        JobState::Queued => &[
            "What",
            "Asked for",
            "Not before",
            "Attempts",
            "Why the last failed",
        ],
        JobState::Succeeded => &["What", "Asked for", "Done", "Attempts"],
    }
}

fn row(here: &InWorkspace, state: JobState, job: &JobDetails) -> Vec<Markup> {
    let attempts = html! { (job.attempts) " of " (job.max_attempts) };
    let finished = html! { @match job.finished_at { Some(at) => (moment(at.moment())), None => "–" } };
    let mut cells = vec![
        html! { code { (shown(&job.kind)) } br; span.note { (job.id) } },
        moment(job.created_at.moment()),
    ];
    match state {
        JobState::Dead => cells.extend([finished, why(job), again(here, job)]),
        JobState::Running => cells.push(attempts),
        JobState::Queued => cells.extend([moment(job.run_at.moment()), attempts, why(job)]),
        JobState::Succeeded => cells.extend([finished, attempts]),
    }
    cells
}

fn why(job: &JobDetails) -> Markup {
    html! {
        @match job.cause() {
            Some(why) => bdi { (shown(why)) },
            None => "–",
        }
    }
}

/// The way to have a job tried again.
fn again(here: &InWorkspace, job: &JobDetails) -> Markup {
    html! {
        form method="post" action=(address(here, None)) {
            (here.user.token_field())
            (repeated::field())
            input type="hidden" name="job" value=(job.id);
            button.quiet type="submit" { "Try again" }
        }
    }
}

fn empty(state: JobState) -> Markup {
    let (title, text) = match state {
        JobState::Dead => (
            "No job has failed",
            "A job that fails is tried again some times first. One that fails for good stands here for 90 days, with its reason.",
        ),
        JobState::Running => ("No job runs now", "Most take less than a minute."),
        JobState::Queued => ("No job waits", "Whatever was asked for runs, or is over."),
        JobState::Succeeded => ("No job is done", "What was done stands here for 7 days."),
    };
    notice::empty(title, &html! { p { (text) } })
}
