//! Today is 2026-03-31. Which days parameters mean is tested where they are resolved; here, that they arrive.

use std::sync::Arc;

use actix_web::test::TestRequest;
use pharos_domain::{
    identity::{CredentialKind, Identity},
    ids::{CredentialId, UserId},
    scope::ScopeSet,
    window::Period,
};
use time::{
    Duration, OffsetDateTime,
    macros::{date, datetime},
};
use uuid::Uuid;

use super::*;
use crate::{
    extract::content::Content,
    operation::{ApiResult, Caller, Operation},
    registry::Registry,
    spec::OperationSpec,
};

const TODAY: OffsetDateTime = datetime!(2026-03-31 09:15 UTC);

const FULL: OperationSpec = spec(Window::Full, Compare::Mode);
const DATES: OperationSpec = spec(Window::Dates, Compare::Previous);
const PERIOD_DAYS: OperationSpec = spec(Window::PeriodDays, Compare::None);
const DAYS: OperationSpec = spec(Window::Days, Compare::None);
const FIXED: OperationSpec = spec(Window::Fixed, Compare::None);
const NONE: OperationSpec = spec(Window::None, Compare::None);

const fn spec(window: Window, compare: Compare) -> OperationSpec {
    OperationSpec {
        id: "getWindow",
        path: "/window",
        module: Module::Uptime,
        window,
        compare,
        ..OperationSpec::GET
    }
}

pub(in crate::extract) fn call(spec: &'static OperationSpec, query: &str, now: OffsetDateTime) -> Call {
    Call {
        request: TestRequest::default().to_http_request(),
        spec,
        identity: Arc::new(Identity {
            kind: CredentialKind::ApiKey,
            credential_id: CredentialId(Uuid::nil()),
            user_id: UserId(Uuid::nil()),
            name: None,
            key_prefix: None,
            expires_at: None,
            client_id: None,
            audience: None,
            scopes: ScopeSet::default(),
            workspaces: Vec::new(),
            default_workspace_id: None,
        }),
        path: Vec::new(),
        now,
        query: form_urlencoded::parse(query.as_bytes()).into_owned().collect(),
        values: serde_json::Map::new(),
        body: Content::default(),
        faults: Vec::new(),
    }
}

/// The argument as it is read, or the parameters at fault.
fn read<A: Argument>(spec: &'static OperationSpec, query: &str) -> Result<A, Vec<String>> {
    A::extract(&call(spec, query, TODAY)).map_err(|problem| {
        let faults = problem.extras.errors.into_iter();
        faults.filter_map(|fault| fault.parameter).collect()
    })
}

#[test]
fn each_argument_reads_its_own_parameters() {
    let all = "period_days=3&days=2&start_date=2026-03-10&end_date=2026-03-20";
    let FullWindow(full) = read(&FULL, all).unwrap();
    let Dates(dates) = read(&DATES, all).unwrap();
    let PeriodDays(period_days) = read(&PERIOD_DAYS, all).unwrap();
    let Days(days) = read(&DAYS, all).unwrap();
    let FixedWindow::<28>(fixed) = read(&FIXED, all).unwrap();
    assert_eq!(
        (full.window.first(), full.window.last()),
        (date!(2026 - 03 - 10), date!(2026 - 03 - 20))
    );
    assert_eq!(dates, full);
    let first = |resolved: ResolvedWindow| resolved.window.first();
    assert_eq!(first(period_days), date!(2026 - 03 - 29));
    assert_eq!(first(days), date!(2026 - 03 - 30));
    assert_eq!(first(fixed), date!(2026 - 03 - 04));
    let FullWindow(named) = read(&FULL, "period=last_week").unwrap();
    assert_eq!(named.period, Some(Period::LastWeek));
}

#[test]
fn a_comparison_is_shown_where_it_is_asked_for() {
    let full = |query: &str| read(&FULL, query).map(|ComparedFull(asked)| asked);
    let march = "start_date=2026-03-01&end_date=2026-03-31";
    for unasked in [
        march,
        &format!("{march}&compare_previous=false&compare_mode=calendar_month"),
    ] {
        let asked = full(unasked).unwrap();
        assert_eq!((asked.shown, asked.meta(None).compare_mode), (None, None));
        // Changes are computed against the days right before all the same.
        assert_eq!(asked.baseline().window.last(), date!(2026 - 02 - 28));
        assert_eq!(asked.baseline().window.days(), 31);
    }
    let by_month = full(&format!(
        "{march}&compare_previous=true&compare_mode=calendar_month"
    ))
    .unwrap();
    assert_eq!(by_month.baseline().window.first(), date!(2026 - 02 - 01));
    assert_eq!(by_month.meta(None).compare_mode, Some(CompareMode::CalendarMonth));
    let by_period = full("period=last_month&compare_previous=true").unwrap();
    assert_eq!(by_period.shown.unwrap().mode, CompareMode::CalendarMonth);
    let ComparedDates(previous) = read(&DATES, &format!("{march}&compare_previous=true")).unwrap();
    assert_eq!(previous.shown.unwrap(), previous.window.preceding());
}

#[test]
fn all_faults_of_window_and_comparison_are_named() {
    let faults = |query: &str| read::<ComparedFull>(&FULL, query).unwrap_err();
    assert_eq!(
        faults("start_date=2026-02-31&compare_previous=yes&compare_mode=year"),
        ["start_date", "compare_previous", "compare_mode"]
    );
    for wrong in ["", "TRUE", "1"] {
        assert_eq!(
            faults(&format!("compare_previous={wrong}")),
            ["compare_previous"],
            "{wrong}"
        );
    }
    assert_eq!(read::<Days>(&DAYS, "days=31").unwrap_err(), ["days"]);
}

fn key<A: Argument>(spec: &'static OperationSpec, query: &str, now: OffsetDateTime) -> String {
    let mut key = String::new();
    A::extract(&call(spec, query, now)).unwrap().key(&mut key);
    key
}

#[test]
fn calls_that_mean_the_same_are_the_same() {
    let of = |query: &str| key::<ComparedFull>(&FULL, query, TODAY);
    assert_eq!(of(""), of("period_days=30"));
    assert_eq!(of(""), of("start_date=2026-03-02"));
    assert_eq!(
        of(""),
        of("end_date=2026-05-01&compare_previous=false&compare_mode=calendar_month")
    );
    assert_eq!(
        of("compare_previous=true"),
        of("compare_mode=previous_period&compare_previous=true")
    );
    let others = [
        "",
        "period_days=29",
        "end_date=2026-03-30",
        // The same days, but the answer says by what name, or what was cut off.
        "period=last_30_days",
        "start_date=2025-03-31",
        "start_date=2025-03-30",
        "start_date=2025-03-29",
        "compare_previous=true",
        "compare_previous=true&compare_mode=calendar_month",
    ];
    let identities: std::collections::HashSet<String> = others.iter().map(|query| of(query)).collect();
    assert_eq!(identities.len(), others.len());
}

#[test]
fn tomorrow_is_another_question() {
    let tomorrow = TODAY + Duration::DAY;
    let later = TODAY + Duration::HOUR;
    // Also of the same days, where they no longer hold today.
    for query in ["period_days=30", "start_date=2026-03-01&end_date=2026-03-31"] {
        let on = |now| key::<ComparedFull>(&FULL, query, now);
        assert_eq!(on(TODAY), on(later), "{query}");
        assert_ne!(on(TODAY), on(tomorrow), "{query}");
    }
    assert_ne!(key::<Days>(&DAYS, "", TODAY), key::<Days>(&DAYS, "", tomorrow));
}

fn registered(operation: Operation) -> Result<Vec<String>, String> {
    match Registry::new(vec![operation]) {
        Ok(registry) => Ok(registry.operations()[0].query_names.clone()),
        Err(error) => Err(error.to_string()),
    }
}

async fn answer<A>(_: Caller, _: A) -> ApiResult<Meta> {
    Ok(Meta::example())
}

async fn without(_: Caller) -> ApiResult<Meta> {
    Ok(Meta::example())
}

#[test]
fn a_handler_takes_what_its_spec_declares() {
    let names = |operation| registered(operation).unwrap().join(" ");
    assert_eq!(
        names(Operation::new(&FULL, answer::<ComparedFull>)),
        "period_days start_date end_date period compare_previous compare_mode"
    );
    assert_eq!(
        names(Operation::new(&DATES, answer::<ComparedDates>)),
        "start_date end_date compare_previous"
    );
    assert_eq!(
        names(Operation::new(&PERIOD_DAYS, answer::<PeriodDays>)),
        "period_days"
    );
    assert_eq!(names(Operation::new(&DAYS, answer::<Days>)), "days");
    assert_eq!(names(Operation::new(&FIXED, answer::<FixedWindow<28>>)), "");
    assert_eq!(names(Operation::new(&FIXED, without)), "");
    for mismatch in [
        Operation::new(&FULL, without),
        // A window, but no comparison.
        Operation::new(&FULL, answer::<FullWindow>),
        Operation::new(&DATES, answer::<ComparedFull>),
        Operation::new(&DAYS, answer::<PeriodDays>),
        Operation::new(&NONE, answer::<Dates>),
        Operation::new(&NONE, answer::<FixedWindow<28>>),
    ] {
        let error = registered(mismatch).unwrap_err();
        assert!(error.starts_with("getWindow declares window"), "{error}");
    }
}
