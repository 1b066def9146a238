//! Tools that start work and wait for its end.

use std::{collections::BTreeSet, time::Duration};

use serde_json::{Map, Value, json};
use tokio::time::Instant;
use uuid::Uuid;

use super::{Effect, Findings, Kind, ToolContext, ToolSpec, arguments::Arguments};
use crate::api::{Answer, Call, CallError};

/// How long the end is waited for, unless the caller says otherwise, and at most.
const USUAL_WAIT: u64 = 60;
pub(crate) const MOST_WAIT: u64 = 110;
/// The pauses between looks; the last goes on. Each look may cost a credit.
const PAUSES: [u64; 5] = [2, 3, 5, 8, 10];
/// The states in which a run stays.
const FINAL: [&str; 5] = ["succeeded", "partial", "failed", "canceled", "expired"];
/// The members of a run that its end changes.
const CHANGING: [&str; 8] = [
    "status",
    "progress_pct",
    "started_at",
    "finished_at",
    "completed_items",
    "failed_items",
    "error_code",
    "error_detail",
];
/// The progress of a run that has ended, and the most that one has before.
const DONE: f64 = 100.0;
const NEARLY: f64 = 99.0;

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
    /// The operation that says how far the run is.
    look: &'static str,
}

const fn start(check: Option<&'static str>, operation: &'static str, look: &'static str) -> Start {
    Start {
        check,
        operation,
        look,
    }
}

impl Run {
    /// The most that it costs: to start it, to look at it for as long as a call may wait, and to read the result.
    pub(super) fn most_credits(&self, price: impl Fn(&str) -> u64) -> u64 {
        let looks = most_looks();
        let started = self
            .starts
            .iter()
            .map(|start| price(start.operation) + looks * price(start.look))
            .max();
        started.unwrap_or_default() + self.result.map_or(0, price)
    }
}

/// The pauses between looks, in seconds.
fn pauses() -> impl Iterator<Item = u64> {
    let last = PAUSES[PAUSES.len() - 1];
    PAUSES.into_iter().chain(std::iter::repeat(last))
}

/// How often a run is looked at, at most.
fn most_looks() -> u64 {
    let mut passed = 0_u64;
    let looks = pauses().take_while(|pause| {
        passed += pause;
        passed <= MOST_WAIT
    });
    looks.count() as u64
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
                start(Some("uptime"), "runUptimeCheck", "listUptimeChecks"),
                start(Some("robots"), "runRobotsCheck", "listRobotsChecks"),
                start(Some("sitemap"), "runSitemapCheck", "listSitemapFiles"),
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
            starts: &[start(None, "runSyntheticTest", "getSyntheticRun")],
            body: &["profile_id"],
            result: Some("listSyntheticOpportunities"),
        }),
    },
    ToolSpec {
        name: "generate_report",
        title: "Generate a report",
        description: "Makes a report from a template, of its days unless others are given, and gives a link to the file. Costs credits.",
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
            starts: &[start(None, "generateReport", "getReportRun")],
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
        .ok_or_else(|| CallError::invalid(&["check: there is no such check.".to_owned()]))?;
    let key = arguments
        .text("idempotency_key")
        .map_or_else(|| Uuid::new_v4().to_string(), str::to_owned);
    findings.add_own("idempotency_key", json!(key));
    let call = begin(context, run, chosen, &domain, arguments)?.key(key);
    let started = context.api.call(context.caller, call).await?;
    let started_run = Started::of(&started.body);
    findings.add("run", chosen.operation, Ok(started));
    let wait = Duration::from_secs(arguments.number("wait_seconds").unwrap_or(USUAL_WAIT));
    let ended = match look_after(context, &started_run, began, wait, &mut findings).await {
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
    if let Some(run) = findings.part_mut("run") {
        end(run, &ended);
    }
    findings.add_value("outcome", ended);
    findings.made_of("/outcome", chosen.look, "");
    if let Some(result) = run.result {
        let call = Call::of(context.operation(result)?)
            .with("domain_id", domain)
            .with("run_id", started_run.id);
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

/// A run as it was told of when it was started.
struct Started {
    id: String,
    /// Where it is read how far it is.
    path: String,
    /// How many items it has; those of a check of the site are its checks.
    items: usize,
}

impl Started {
    fn of(body: &Value) -> Self {
        let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
        let items = body["total_items"]
            .as_u64()
            .and_then(|items| usize::try_from(items).ok());
        Self {
            id: text("run_id"),
            path: text("poll_path"),
            // One that has no items makes one check.
            items: items.unwrap_or(1).max(1),
        }
    }
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
    run: &Started,
    began: Instant,
    wait: Duration,
    findings: &mut Findings,
) -> Looked {
    let mut pauses = pauses();
    let mut last = Looked::Runs;
    loop {
        let pause = Duration::from_secs(pauses.next().unwrap_or(USUAL_WAIT));
        if began.elapsed() + pause > wait || !context.progress.pause(pause).await {
            return last;
        }
        let answer = match context.api.follow(context.caller, &run.path).await {
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
        if has_ended(&body, run.items) {
            context.progress.tell(DONE, "ended").await;
            return Looked::Ended(body);
        }
        let passed = NEARLY * began.elapsed().as_secs_f64() / wait.as_secs_f64();
        let (status, told) = state(&body);
        let done = told.unwrap_or(passed).min(NEARLY);
        context.progress.tell(done, status.unwrap_or("running")).await;
    }
}

/// Puts the end of a run in place of how it stood when it was started. Where the last look was at a list of checks, which does not
/// tell of the run, that goes.
fn end(run: &mut Value, ended: &Value) {
    let now = run_of(ended);
    let is_told = now["run_id"] == run["run_id"];
    if let Some(run) = run.as_object_mut() {
        run.retain(|name, value| match now.get(name) {
            Some(now) if is_told => {
                *value = now.clone();
                true
            }
            _ => !CHANGING.contains(&name.as_str()),
        });
    }
}

/// The run that an answer is, or is of.
fn run_of(body: &Value) -> &Value {
    if body["last_run"].is_object() {
        &body["last_run"]
    } else {
        body
    }
}

/// The status and the progress of the run that an answer is of.
fn state(body: &Value) -> (Option<&str>, Option<f64>) {
    let run = run_of(body);
    (run["status"].as_str(), run["progress_pct"].as_f64())
}

/// Whether a run of so many items has ended. A list of checks has no status: it is whole once there is one from each region that
/// the run is for.
fn has_ended(body: &Value, items: usize) -> bool {
    if let (Some(status), _) = state(body) {
        return FINAL.contains(&status);
    }
    let checks = body["items"].as_array().into_iter().flatten();
    let regions: BTreeSet<Option<&str>> = checks.map(|check| check["region"].as_str()).collect();
    regions.len() >= items
}

#[cfg(test)]
mod tests {
    use pharos_domain::problem::Suffix;

    use super::*;
    use crate::catalogue::Catalogue;

    #[test]
    fn a_run_ends_by_its_status_or_once_its_checks_are_whole() {
        let checks = |regions: &[&str]| {
            let items: Vec<Value> = regions.iter().map(|region| json!({ "region": region })).collect();
            json!({ "items": items })
        };
        for (items, body, ended) in [
            (1, json!({ "status": "queued" }), false),
            (1, json!({ "status": "partial" }), true),
            (
                1,
                json!({ "items": [], "last_run": { "status": "running" } }),
                false,
            ),
            (
                1,
                json!({ "items": [], "last_run": { "status": "succeeded" } }),
                true,
            ),
            (1, checks(&[]), false),
            (1, checks(&["eu"]), true),
            (1, json!({ "items": [{ "outcome": "changed" }] }), true),
            (3, checks(&["eu", "us"]), false),
            (3, checks(&["eu", "us", "eu"]), false),
            (3, checks(&["eu", "us", "mars"]), true),
        ] {
            assert_eq!(has_ended(&body, items), ended, "{items}: {body}");
        }
    }

    #[test]
    fn a_run_that_has_ended_does_not_say_that_it_is_queued() {
        let queued = json!({
            "run_id": "a", "kind": "check", "status": "queued", "progress_pct": 0, "finished_at": null, "credits_charged": 25,
        });
        let done = json!({ "run_id": "a", "status": "succeeded", "progress_pct": 100, "finished_at": "2026-03-31T09:15:00Z" });
        let ended = json!({
            "run_id": "a", "kind": "check", "status": "succeeded", "progress_pct": 100,
            "finished_at": "2026-03-31T09:15:00Z", "credits_charged": 25,
        });
        let timeless = json!({ "run_id": "a", "kind": "check", "credits_charged": 25 });
        for (last, told) in [
            (done.clone(), &ended),
            (json!({ "items": [], "last_run": done }), &ended),
            (
                json!({ "items": [{ "outcome": "up", "run_id": "a" }] }),
                &timeless,
            ),
            (
                json!({ "items": [], "last_run": { "run_id": "b", "status": "failed" } }),
                &timeless,
            ),
        ] {
            let mut run = queued.clone();
            end(&mut run, &last);
            assert_eq!(run, *told, "{last}");
        }
    }

    #[test]
    fn a_run_says_how_many_checks_it_is_whole_with() {
        for (told, items) in [(json!(3), 3), (Value::Null, 1), (json!(0), 1)] {
            assert_eq!(Started::of(&json!({ "total_items": told })).items, items);
        }
    }

    #[test]
    fn the_looks_at_a_run_are_counted_in_its_price() {
        // After 2, 5, 10, 18, 28 seconds, and so on until 108.
        assert_eq!(most_looks(), 13);
        let run = Run {
            starts: &[Start {
                check: None,
                operation: "start",
                look: "look",
            }],
            body: &[],
            result: Some("result"),
        };
        let price = |operation: &str| match operation {
            "start" => 25,
            "look" => 2,
            _ => 3,
        };
        assert_eq!(run.most_credits(price), 25 + 13 * 2 + 3);
    }

    #[test]
    fn the_states_in_which_a_run_stays_are_those_of_the_api() {
        let document: Value =
            serde_json::from_slice(include_bytes!("../../../../docs/openapi.json")).unwrap();
        let words = document["components"]["schemas"]["RunStatus"]["enum"]
            .as_array()
            .unwrap();
        let words: BTreeSet<&str> = words.iter().filter_map(Value::as_str).collect();
        let known: BTreeSet<&str> = FINAL.into_iter().chain(["queued", "running"]).collect();
        assert_eq!(words, known);
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
                let operation = catalogue.operation(start.operation).expect(start.operation);
                assert!(operation.needs_key(), "{}", start.operation);
                assert!(catalogue.operation(start.look).is_some(), "{}", start.look);
                let described = catalogue.describe(operation);
                for name in run.body {
                    let member = &described["body"]["properties"][*name];
                    assert!(
                        member.is_object(),
                        "{} {name}: {}",
                        start.operation,
                        described["body"]
                    );
                }
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
