//! Tools that start work and wait for its end.

use std::time::Duration;

use pharos_domain::problem::Suffix;
use serde_json::{Map, Value, json};
use tokio::time::Instant;
use uuid::Uuid;

use super::{Effect, Findings, Kind, ToolContext, ToolSpec, arguments::Arguments};
use crate::api::{Answer, Call, CallError};

/// How long the end is waited for, unless the caller says otherwise.
const USUAL_WAIT: u64 = 60;
/// The pauses between looks; the last goes on. Each look may cost a credit.
const PAUSES: [u64; 5] = [2, 3, 5, 8, 10];
/// The states in which a run stays.
const FINAL: [&str; 5] = ["succeeded", "partial", "failed", "canceled", "expired"];

/// A kind of work.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) starts: &'static [Start],
    /// The arguments that go into the body.
    body: &'static [&'static str],
    /// The operation that tells more once the run has ended.
    result: Option<&'static str>,
}

/// An operation that starts a run.
#[derive(Debug)]
pub(super) struct Start {
    /// The word of the argument `check` that chooses it; with one operation alone there is none.
    check: Option<&'static str>,
    pub(super) operation: &'static str,
}

const fn start(check: Option<&'static str>, operation: &'static str) -> Start {
    Start { check, operation }
}

pub(super) static TOOLS: &[ToolSpec] = &[
    ToolSpec {
        name: "run_check",
        title: "Check now",
        description: "Checks uptime, robots.txt or sitemaps now, and waits for what comes of it. Costs credits.",
        takes: &["domain!", "check!", "wait_seconds", "idempotency_key"],
        effect: Effect::Runs,
        kind: Kind::Run(&Run {
            starts: &[
                start(Some("uptime"), "runUptimeCheck"),
                start(Some("robots"), "runRobotsCheck"),
                start(Some("sitemap"), "runSitemapCheck"),
            ],
            body: &[],
            result: None,
        }),
    },
    ToolSpec {
        name: "run_lab_test",
        title: "Test a page in the lab",
        description: "Runs Lighthouse on a page that is tested in the lab, and waits for its scores. Costs credits and the plan's quota.",
        takes: &[
            "domain!",
            "url_id!",
            "profile_id",
            "wait_seconds",
            "idempotency_key",
        ],
        effect: Effect::Runs,
        kind: Kind::Run(&Run {
            starts: &[start(None, "runSyntheticTest")],
            body: &["profile_id"],
            result: Some("listSyntheticOpportunities"),
        }),
    },
    ToolSpec {
        name: "generate_report",
        title: "Generate a report",
        description: "Makes a report from a template, and gives a link to the file. Costs credits.",
        takes: &[
            "domain!",
            "template_id!",
            "start_date",
            "end_date",
            "format",
            "wait_seconds",
            "idempotency_key",
        ],
        effect: Effect::Runs,
        kind: Kind::Run(&Run {
            starts: &[start(None, "generateReport")],
            body: &["start_date", "end_date", "format"],
            result: Some("getReportRunResult"),
        }),
    },
];

/// Starts a run, and looks after it until it ends, the caller goes away, or it takes too long.
pub(super) async fn run(
    context: &ToolContext<'_>,
    run: &Run,
    arguments: &Arguments,
) -> Result<Findings, CallError> {
    // The time before the first look counts too, since the caller waits for it as well.
    let began = Instant::now();
    let mut findings = Findings::default();
    let domain = arguments.domain(context, &mut findings).await?;
    let chosen = run
        .starts
        .iter()
        .find(|start| start.check == arguments.text("check"))
        .ok_or_else(|| CallError::refused(Suffix::InvalidRequest, "There is no such check."))?;
    let key = arguments
        .text("idempotency_key")
        .map_or_else(|| Uuid::new_v4().to_string(), str::to_owned);
    findings.add_own("idempotency_key", json!(key));
    let call = begin(context, run, chosen, &domain, arguments)?.key(key);
    let started = context.api.call(context.caller, call).await?;
    let (path, id) = (
        started.body["poll_path"].as_str().unwrap_or_default().to_owned(),
        started.body["run_id"].as_str().unwrap_or_default().to_owned(),
    );
    findings.add("run", chosen.operation, Ok(started));
    let wait = Duration::from_secs(arguments.number("wait_seconds").unwrap_or(USUAL_WAIT));
    let ended = match look_after(context, &path, began, wait, &mut findings).await {
        Looked::Ended(ended) => ended,
        Looked::Runs => {
            let told = "It still runs. Its path can be read again: call_operation, or the tool that lists such runs.";
            findings.add_own("still_running", json!(told));
            return Ok(findings);
        }
        Looked::Unknown => {
            let told = "It was started; whether it still runs is not known. Its path can be read again: call_operation, or the \
                        tool that lists such runs.";
            findings.add_own("not_known", json!(told));
            return Ok(findings);
        }
    };
    findings.add_value("outcome", ended);
    if let Some(operation) = context.catalogue.answering(&path) {
        findings.made_of("/outcome", &operation.id, "");
    }
    if let Some(result) = run.result {
        let call = Call::of(context.operation(result)?)
            .with("domain_id", domain)
            .with("run_id", id);
        findings.add("result", result, context.api.call(context.caller, call).await);
    }
    Ok(findings)
}

fn begin<'a>(
    context: &ToolContext<'a>,
    run: &Run,
    chosen: &Start,
    domain: &str,
    arguments: &Arguments,
) -> Result<Call<'a>, CallError> {
    let operation = context.operation(chosen.operation)?;
    let mut call = Call::of(operation).with("domain_id", domain);
    for name in ["url_id", "template_id"] {
        if let Some(value) = arguments.text(name) {
            call = call.with(name, value);
        }
    }
    let body: Map<String, Value> = run
        .body
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), json!(arguments.text(name)?))))
        .collect();
    Ok(if body.is_empty() {
        call
    } else {
        call.body(Value::Object(body))
    })
}

/// The state of a run when it was looked at last.
enum Looked {
    /// It has ended, with this answer.
    Ended(Value),
    /// It has not ended in the time, or the caller has gone.
    Runs,
    /// The last look failed.
    Unknown,
}

/// Whether a look that failed so is no use to repeat: the credential or the credits don't suffice.
fn ends_the_wait(error: &CallError) -> bool {
    matches!(error, CallError::Refused(refused) if matches!(refused.status.as_u16(), 401..=403))
}

/// Looks at a run until it has ended, or so long after the tool began.
async fn look_after(
    context: &ToolContext<'_>,
    path: &str,
    began: Instant,
    wait: Duration,
    findings: &mut Findings,
) -> Looked {
    let mut pauses = PAUSES
        .iter()
        .copied()
        .chain(std::iter::repeat(PAUSES[PAUSES.len() - 1]));
    let mut seen = None;
    let mut last = Looked::Runs;
    loop {
        let pause = Duration::from_secs(pauses.next().unwrap_or(USUAL_WAIT));
        if began.elapsed() + pause > wait || !context.progress.pause(pause).await {
            return last;
        }
        let answer = match context.api.follow(context.caller, path).await {
            Ok(answer) => answer,
            Err(error) if ends_the_wait(&error) => {
                findings.add("outcome", "", Err(error));
                return Looked::Unknown;
            }
            // A look that fails says nothing of the run, so the next may tell.
            Err(_) => {
                last = Looked::Unknown;
                continue;
            }
        };
        last = Looked::Runs;
        findings.spent(&answer);
        let Answer { body, .. } = answer;
        if has_ended(&body, &mut seen) {
            context.progress.tell(100.0, "ended").await;
            return Looked::Ended(body);
        }
        let passed = 99.0 * began.elapsed().as_secs_f64() / wait.as_secs_f64();
        let done = state(&body).1.unwrap_or(passed);
        context
            .progress
            .tell(done, state(&body).0.unwrap_or("running"))
            .await;
    }
}

/// The status and the progress of the run that an answer is of.
fn state(body: &Value) -> (Option<&str>, Option<f64>) {
    let run = if body["last_run"].is_object() {
        &body["last_run"]
    } else {
        body
    };
    (run["status"].as_str(), run["progress_pct"].as_f64())
}

/// Whether a run has ended. A list of checks has no status: it is whole once a second look finds no more of them.
fn has_ended(body: &Value, seen: &mut Option<usize>) -> bool {
    if let (Some(status), _) = state(body) {
        return FINAL.contains(&status);
    }
    let items = body["items"].as_array().map_or(0, Vec::len);
    let settled = items > 0 && *seen == Some(items);
    *seen = Some(items);
    settled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;

    #[test]
    fn a_run_ends_by_its_status_or_once_its_checks_are_whole() {
        let mut seen = None;
        for (body, ended) in [
            (json!({ "status": "queued" }), false),
            (json!({ "status": "partial" }), true),
            (json!({ "items": [], "last_run": { "status": "running" } }), false),
            (
                json!({ "items": [], "last_run": { "status": "succeeded" } }),
                true,
            ),
            (json!({ "items": [] }), false),
            (json!({ "items": [1] }), false),
            (json!({ "items": [1, 2] }), false),
            (json!({ "items": [1, 2] }), true),
        ] {
            assert_eq!(has_ended(&body, &mut seen), ended, "{body}");
        }
    }

    #[test]
    fn a_look_that_the_credential_or_the_credits_forbid_is_not_repeated() {
        for (suffix, ends) in [
            (Suffix::InsufficientScope, true),
            (Suffix::QuotaExhausted, true),
            (Suffix::NotFound, false),
        ] {
            assert_eq!(ends_the_wait(&CallError::refused(suffix, "No.")), ends);
        }
        assert!(!ends_the_wait(&CallError::Away(
            "The API did not answer in time."
        )));
    }

    #[test]
    fn what_starts_a_run_needs_a_key() {
        let catalogue = Catalogue::read(include_bytes!("../../../../docs/openapi.json")).unwrap();
        for tool in TOOLS {
            let Kind::Run(run) = &tool.kind else {
                panic!("{}", tool.name);
            };
            for start in run.starts {
                assert!(
                    catalogue
                        .operation(start.operation)
                        .expect(start.operation)
                        .needs_key()
                );
            }
            if let Some(result) = run.result {
                assert!(
                    catalogue
                        .operation(result)
                        .expect(result)
                        .parameter("run_id")
                        .is_some()
                );
            }
        }
    }
}
