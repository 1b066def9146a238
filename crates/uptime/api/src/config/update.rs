//! PUT /domains/{domain_id}/uptime/config

use std::collections::BTreeMap;

use pharos_domain::{
    clock::Clock,
    credits::Charged,
    identity::DomainAccess,
    ids::MaintenanceWindowId,
    module::Module,
    patch::{Patch, set},
    role::Role,
    scope::Scope,
    settings::Faults,
    timestamp::Timestamp,
};
use pharos_egress::address_policy::AddressPolicy;
use pharos_http::{
    extract::{body::Body, port::Port},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Verb},
};
use pharos_uptime::{
    monitor::{
        Surroundings,
        maintenance::{MaintenanceWindow, Recurrence},
        settings::{KeywordRequirement, Method, MonitorSettings, RequestHeaders},
    },
    store::MonitorStore,
};
use serde::{Deserialize, Serialize};
use time::{OffsetDateTime, macros::datetime};
use utoipa::ToSchema;

use super::{
    UptimeConfigPublic,
    schemas::{
        self, CheckCount, CheckInterval, CheckTimeout, DegradedAbove, ExpectedStatusCodes, RegionKeys,
        WarnDays, Weekdays,
    },
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "updateUptimeConfig",
    method: Verb::Put,
    path: "/domains/{domain_id}/uptime/config",
    module: Module::Uptime,
    summary: "Change the settings of the uptime monitor, or create it",
    description: "A partial update: a member that is left out stays as it is, null empties a member that may be \
                  null. A list is replaced whole. The first call creates the monitor from the defaults, and its \
                  first check follows at once. Where a check asks or judges otherwise than before, the next one \
                  follows within 10 seconds; nothing is known of another URL until then.",
    scope: Some(Scope::WriteUptime),
    min_role: Role::Admin,
    credits: Credits::Cheap,
    ..OperationSpec::GET
};

pub(crate) async fn update(
    access: Charged<DomainAccess>,
    body: Body<UptimeConfigUpdate>,
    store: Port<dyn MonitorStore>,
    policy: Port<AddressPolicy>,
    clock: Port<dyn Clock>,
) -> ApiResult<UptimeConfigPublic> {
    let regions = store.regions().await?;
    let hostname = &access.domain().hostname;
    let around = Surroundings {
        hostname,
        regions: &regions,
        policy: &policy,
    };
    let apply = |present: Option<&MonitorSettings>| {
        body.judged(|change| {
            let present = present
                .cloned()
                .unwrap_or_else(|| MonitorSettings::defaults(hostname, &regions));
            let mut faults = Faults::default();
            change.check_windows(&present, &mut faults);
            let next = change.clone().apply(present);
            next.check(&around, &mut faults);
            faults.or(|| next.normalised())
        })
    };
    let monitor = store
        .update(&access, &apply, access.identity().user_id, clock.now())
        .await?;
    Ok(UptimeConfigPublic::new(
        monitor.settings,
        Some((monitor.updated_at, monitor.updated_by)),
    ))
}

/// The settings to change. A member that is left out stays as it is.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct UptimeConfigUpdate {
    /// Whether to check at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    enabled: Option<bool>,
    /// The URL to check: http or https, on the domain or below it, without user, password or fragment.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 2048)]
    url: Option<String>,
    /// How to ask. HEAD asks for no body, so it goes with no keyword.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    method: Option<Method>,
    /// The time between two checks from one region, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<CheckInterval>)]
    interval_seconds: Option<u32>,
    /// How long a check may take, redirects included, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<CheckTimeout>)]
    timeout_seconds: Option<u32>,
    /// The codes (`200`) or classes (`2xx`) that count as up.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<ExpectedStatusCodes>)]
    expected_status_codes: Option<Vec<String>>,
    /// Whether to follow redirects.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    follow_redirects: Option<bool>,
    /// A text to look for in the body; null for none.
    #[serde(skip_serializing_if = "Patch::is_kept")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 1000)]
    keyword: Patch<String>,
    /// Whether the keyword must be there (which is so where nothing is said), or must not; null without a keyword.
    #[serde(skip_serializing_if = "Patch::is_kept")]
    #[schema(value_type = Option<KeywordRequirement>)]
    keyword_mode: Patch<KeywordRequirement>,
    /// Where to check from.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<RegionKeys>)]
    regions: Option<Vec<String>>,
    /// How many failing checks confirm an outage.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<CheckCount>)]
    confirmation_checks: Option<u32>,
    /// How many passing checks end it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<CheckCount>)]
    recovery_checks: Option<u32>,
    /// Above this many milliseconds an answer is up, but degraded; null for never.
    #[serde(skip_serializing_if = "Patch::is_kept")]
    #[schema(value_type = Option<DegradedAbove>)]
    degraded_above_ms: Patch<u32>,
    /// Whether the certificate must be valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    verify_tls: Option<bool>,
    /// Days before the certificate's end on which to warn.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<WarnDays>)]
    ssl_warn_days: Option<Vec<u32>>,
    /// Days before the registration's end on which to warn.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<WarnDays>)]
    domain_warn_days: Option<Vec<u32>>,
    /// The promised availability in percent; null for none.
    #[serde(skip_serializing_if = "Patch::is_kept")]
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 100)]
    sla_target_pct: Patch<f64>,
    /// Times at which an outage is no outage. Replaces the whole list; a window that keeps its id stays the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_items = 50)]
    maintenance_windows: Option<Vec<MaintenanceWindowUpdate>>,
    /// Headers that checks send, name to value, each name once in upper or lower case; {} for none. They are never shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<schemas::RequestHeaders>)]
    request_headers: Option<RequestHeaders>,
}

/// A time at which an outage is no outage.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MaintenanceWindowUpdate {
    /// The id of a window that is there already. Left out: a new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    id: Option<MaintenanceWindowId>,
    /// Its name.
    // The schema demands it, and so it does of the next two: what is in order of a window can be read without them.
    #[serde(default)]
    #[schema(required, max_length = 100)]
    name: String,
    /// When it (first) begins.
    #[serde(default = "epoch")]
    #[schema(required)]
    starts_at: Timestamp,
    /// When it (first) ends: after `starts_at`, by 24 hours at most where it comes back daily, 7 days weekly, 28 days
    /// monthly, 366 days where it does not come back.
    #[serde(default = "epoch")]
    #[schema(required)]
    ends_at: Timestamp,
    /// How it comes back.
    #[serde(default = "once")]
    #[schema(required = false)]
    recurrence: Recurrence,
    /// The days of a weekly window, Monday = 1 to Sunday = 7. Left out: the weekday of `starts_at`.
    #[serde(default)]
    #[schema(required = false, value_type = Weekdays)]
    weekdays: Vec<u8>,
    /// The IANA time zone that it comes back in.
    #[serde(default = "utc")]
    #[schema(required = false)]
    timezone: String,
}

fn epoch() -> Timestamp {
    OffsetDateTime::UNIX_EPOCH.into()
}

fn once() -> Recurrence {
    Recurrence::None
}

fn utc() -> String {
    "UTC".to_owned()
}

impl From<MaintenanceWindowUpdate> for MaintenanceWindow {
    fn from(update: MaintenanceWindowUpdate) -> Self {
        let MaintenanceWindowUpdate {
            id,
            name,
            starts_at,
            ends_at,
            recurrence,
            weekdays,
            timezone,
        } = update;
        Self {
            id: id.unwrap_or_else(MaintenanceWindowId::generate),
            name,
            starts_at: starts_at.moment(),
            ends_at: ends_at.moment(),
            recurrence,
            weekdays,
            timezone,
        }
    }
}

impl UptimeConfigUpdate {
    /// Finds the ids of maintenance windows that are not of the present settings, or that stand twice: only Pharos gives ids.
    fn check_windows(&self, present: &MonitorSettings, faults: &mut Faults) {
        let windows = self.maintenance_windows.as_deref().unwrap_or_default();
        faults.within("maintenance_windows", |faults| {
            for (at, window) in windows.iter().enumerate() {
                let Some(id) = window.id else { continue };
                let detail = if !present.maintenance_windows.iter().any(|window| window.id == id) {
                    "there is no such window; a new one comes without an id"
                } else if windows[..at].iter().any(|window| window.id == Some(id)) {
                    "given more than once"
                } else {
                    continue;
                };
                faults.within(at, |faults| faults.add("id", detail));
            }
        });
    }

    fn apply(self, mut settings: MonitorSettings) -> MonitorSettings {
        let Self {
            enabled,
            url,
            method,
            interval_seconds,
            timeout_seconds,
            expected_status_codes,
            follow_redirects,
            keyword,
            keyword_mode,
            regions,
            confirmation_checks,
            recovery_checks,
            degraded_above_ms,
            verify_tls,
            ssl_warn_days,
            domain_warn_days,
            sla_target_pct,
            maintenance_windows,
            request_headers,
        } = self;
        set(enabled, &mut settings.enabled);
        set(url, &mut settings.url);
        set(method, &mut settings.method);
        set(interval_seconds, &mut settings.interval_seconds);
        set(timeout_seconds, &mut settings.timeout_seconds);
        set(expected_status_codes, &mut settings.expected_status_codes);
        set(follow_redirects, &mut settings.follow_redirects);
        // A keyword that comes must be there unless the change says otherwise; one that goes takes its mode along.
        match &keyword {
            Patch::Set(_) => {
                settings.keyword_mode = settings.keyword_mode.or(Some(KeywordRequirement::Present))
            }
            Patch::Clear => settings.keyword_mode = None,
            Patch::Keep => {}
        }
        keyword.apply(&mut settings.keyword);
        keyword_mode.apply(&mut settings.keyword_mode);
        set(regions, &mut settings.regions);
        set(confirmation_checks, &mut settings.confirmation_checks);
        set(recovery_checks, &mut settings.recovery_checks);
        degraded_above_ms.apply(&mut settings.degraded_above_ms);
        set(verify_tls, &mut settings.verify_tls);
        set(ssl_warn_days, &mut settings.ssl_warn_days);
        set(domain_warn_days, &mut settings.domain_warn_days);
        sla_target_pct.apply(&mut settings.sla_target_pct);
        let windows =
            maintenance_windows.map(|windows| windows.into_iter().map(MaintenanceWindow::from).collect());
        set(windows, &mut settings.maintenance_windows);
        set(request_headers, &mut settings.request_headers);
        settings
    }
}

impl Example for UptimeConfigUpdate {
    fn example() -> Self {
        Self {
            url: Some("https://shop.example/".to_owned()),
            interval_seconds: Some(60),
            keyword: Patch::Set("Add to cart".to_owned()),
            keyword_mode: Patch::Set(KeywordRequirement::Present),
            degraded_above_ms: Patch::Set(2_000),
            sla_target_pct: Patch::Clear,
            maintenance_windows: Some(vec![MaintenanceWindowUpdate {
                id: None,
                name: "Sunday deploys".to_owned(),
                starts_at: datetime!(2026-04-05 02:00:00 UTC).into(),
                ends_at: datetime!(2026-04-05 02:30:00 UTC).into(),
                recurrence: Recurrence::Weekly,
                weekdays: vec![7],
                timezone: "Europe/Berlin".to_owned(),
            }]),
            request_headers: Some(RequestHeaders(BTreeMap::from([(
                "X-Probe".to_owned(),
                "pharos".to_owned(),
            )]))),
            ..Self::default()
        }
    }
}
