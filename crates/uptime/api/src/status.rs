//! GET /domains/{domain_id}/uptime/status

use pharos_domain::{
    clock::Clock, identity::DomainAccess, ids::IncidentId, module::Module, problem::Suffix, scope::Scope,
    time_range::TimeRange, timestamp::Timestamp,
};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec},
};
use pharos_uptime::{
    availability::past::Past,
    error_class::ErrorClass,
    knowledge::{MonitorKnowledge, RegionKnowledge},
    registration::days_between,
    state::RegionState,
    status::{State, is_reachable, region_state, state},
    store::MonitorStore,
};
use serde::Serialize;
use time::{Duration, OffsetDateTime, macros::datetime};
use utoipa::ToSchema;

use crate::missing;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getUptimeStatus",
    path: "/domains/{domain_id}/uptime/status",
    module: Module::Uptime,
    summary: "Whether the site is up now",
    description: "Never cached. Availability is weighted by time: 100 × up ÷ (up + down), where a check's state holds \
                  until the next check, two intervals at most, and a failure counts once it is confirmed.",
    scope: Some(Scope::ReadUptime),
    credits: Credits::Cheap,
    problems: &[Suffix::UptimeNotFound],
    ..OperationSpec::GET
};

pub(super) async fn view(
    access: DomainAccess,
    store: Port<dyn MonitorStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<UptimeStatusPublic> {
    let now = clock.now();
    let known = store.status(&access, now - Duration::days(90)).await?;
    let known = known.ok_or_else(missing)?;
    Ok(UptimeStatusPublic::new(&known, now))
}

/// The state of a site now.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UptimeStatus)]
pub(super) struct UptimeStatusPublic {
    /// The state by the confirmation and recovery rules.
    state: State,
    /// Whether visitors reach the site; null while that is not known (paused, pending, unknown).
    #[schema(required)]
    is_up: Option<bool>,
    /// Whether the site refuses the prober with 403, but not its visitors.
    is_blocked_403: bool,
    /// The URL that is checked.
    checked_url: String,
    /// When the last check began; null before the first.
    #[schema(required)]
    last_check_at: Option<Timestamp>,
    /// When the next check is due; null while paused.
    #[schema(required)]
    next_check_at: Option<Timestamp>,
    /// The status of the last answer; null where there was none.
    #[schema(required, minimum = 100, maximum = 599)]
    last_status_code: Option<u16>,
    /// The time of the last check in milliseconds; null where it failed.
    #[schema(required)]
    last_response_ms: Option<f64>,
    /// Why the last check failed; null where it did not.
    #[schema(required)]
    last_error_class: Option<ErrorClass>,
    /// The same in words; null where it did not fail.
    #[schema(required)]
    last_error_message: Option<String>,
    /// The failing checks up to now; of several regions, the most.
    #[schema(minimum = 0)]
    consecutive_failures: u32,
    /// Since when the state holds. For an outage: its first failing check. Never null: a site that was not checked yet
    /// is `pending` since its monitor was made or enabled.
    #[schema(required)]
    state_since: Option<Timestamp>,
    /// The outage that is open; null while none is.
    #[schema(required)]
    open_incident_id: Option<IncidentId>,
    /// Availability of the last 24 hours in percent; null where nothing was observed.
    #[schema(required)]
    uptime_24h_pct: Option<f64>,
    /// Availability of the last 7 days in percent; null where nothing was observed.
    #[schema(required)]
    uptime_7d_pct: Option<f64>,
    /// Availability of the last 30 days in percent; null where nothing was observed.
    #[schema(required)]
    uptime_30d_pct: Option<f64>,
    /// Availability of the last 90 days in percent; null where nothing was observed.
    #[schema(required)]
    uptime_90d_pct: Option<f64>,
    /// Whole days until the certificate ends, rounded down: 0 is within 24 hours, negative is over. Null without TLS.
    #[schema(required)]
    ssl_days_remaining: Option<i64>,
    /// Whole days until the registration of the domain's name ends, rounded down: 0 is within 24 hours, negative is
    /// over. Null where the registry publishes no end, or was not asked yet.
    #[schema(required)]
    domain_days_remaining: Option<i64>,
    /// The regions.
    regions: Vec<RegionStatusPublic>,
}

/// The state of a site, seen from one region.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RegionStatus)]
pub(super) struct RegionStatusPublic {
    /// The region.
    region: String,
    /// The state of the site as it is seen from the region.
    state: State,
    /// When the last check began; null before the first.
    #[schema(required)]
    last_check_at: Option<Timestamp>,
    /// Its time in milliseconds; null where it failed.
    #[schema(required)]
    last_response_ms: Option<f64>,
    /// Why it failed; null where it did not.
    #[schema(required)]
    last_error_class: Option<ErrorClass>,
}

impl UptimeStatusPublic {
    fn new(known: &MonitorKnowledge, now: OffsetDateTime) -> Self {
        let settings = &known.monitor.settings;
        let (state, since) = state(known, now);
        let last = known.newest();
        let past = Past::new(known, now);
        let uptime = |days| {
            let range = TimeRange::new(now - Duration::days(days), now);
            past.availability(range).uptime_pct()
        };
        Self {
            state,
            is_up: is_reachable(state, known, now),
            is_blocked_403: state == State::Blocked,
            checked_url: settings.url.clone(),
            last_check_at: last.map(|state| state.last_check_at.into()),
            next_check_at: known.next_check_at().map(Timestamp::from),
            last_status_code: last.and_then(|state| state.last_status_code),
            last_response_ms: last.and_then(RegionState::passed_in_ms),
            last_error_class: last.and_then(|state| state.last_error_class),
            last_error_message: last.and_then(|state| state.last_error_message.clone()),
            consecutive_failures: known.consecutive_failures(),
            state_since: since.map(Timestamp::from),
            open_incident_id: known.open_incident().map(|open| open.id),
            uptime_24h_pct: uptime(1),
            uptime_7d_pct: uptime(7),
            uptime_30d_pct: uptime(30),
            uptime_90d_pct: uptime(90),
            ssl_days_remaining: known.certificate_ends_at().map(|end| days_between(now, end)),
            domain_days_remaining: known.registration_ends_at.map(|end| days_between(now, end)),
            regions: known
                .regions
                .iter()
                .map(|region| RegionStatusPublic::new(region, known, now))
                .collect(),
        }
    }
}

impl RegionStatusPublic {
    fn new(region: &RegionKnowledge, known: &MonitorKnowledge, now: OffsetDateTime) -> Self {
        let last = region.state.as_ref();
        Self {
            region: region.region.clone(),
            state: region_state(region, &known.monitor.settings, now),
            last_check_at: last.map(|state| state.last_check_at.into()),
            last_response_ms: last.and_then(RegionState::passed_in_ms),
            last_error_class: last.and_then(|state| state.last_error_class),
        }
    }
}

impl Example for UptimeStatusPublic {
    fn example() -> Self {
        Self {
            state: State::Up,
            is_up: Some(true),
            is_blocked_403: false,
            checked_url: "https://shop.example/".to_owned(),
            last_check_at: Some(datetime!(2026-03-31 09:14:30 UTC).into()),
            next_check_at: Some(datetime!(2026-03-31 09:15:30 UTC).into()),
            last_status_code: Some(200),
            last_response_ms: Some(182.417),
            last_error_class: None,
            last_error_message: None,
            consecutive_failures: 0,
            state_since: Some(datetime!(2026-03-12 02:41:00 UTC).into()),
            open_incident_id: None,
            uptime_24h_pct: Some(100.0),
            uptime_7d_pct: Some(100.0),
            uptime_30d_pct: Some(99.98),
            uptime_90d_pct: Some(99.95),
            ssl_days_remaining: Some(61),
            domain_days_remaining: Some(427),
            regions: vec![RegionStatusPublic {
                region: "local".to_owned(),
                state: State::Up,
                last_check_at: Some(datetime!(2026-03-31 09:14:30 UTC).into()),
                last_response_ms: Some(182.417),
                last_error_class: None,
            }],
        }
    }
}
