//! /domains/{domain_id}/uptime/config

pub(super) mod schemas;
pub(super) mod update;
pub(super) mod view;

use pharos_domain::{
    ids::{MaintenanceWindowId, UserId},
    timestamp::Timestamp,
};
use pharos_http::operation::Example;
use pharos_uptime::monitor::{
    maintenance::{MaintenanceWindow, Recurrence},
    settings::{KeywordRequirement, Method, MonitorSettings},
};
use serde::Serialize;
use time::{OffsetDateTime, macros::datetime};
use utoipa::ToSchema;
use uuid::uuid;

use self::schemas::{
    CheckCount, CheckInterval, CheckTimeout, DegradedAbove, ExpectedStatusCodes, WarnDays, Weekdays,
};

/// The settings of a domain's uptime monitor.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UptimeConfig)]
pub(super) struct UptimeConfigPublic {
    /// Whether it checks at all. False, too, where no monitor was configured yet.
    enabled: bool,
    /// The URL that it checks.
    url: String,
    /// How it asks.
    method: Method,
    /// The time between two checks from one region, in seconds.
    #[schema(value_type = CheckInterval)]
    interval_seconds: u32,
    /// How long a check may take, redirects included, in seconds.
    #[schema(value_type = CheckTimeout)]
    timeout_seconds: u32,
    /// The codes or classes that count as up.
    #[schema(value_type = ExpectedStatusCodes)]
    expected_status_codes: Vec<String>,
    /// Whether redirects are followed.
    follow_redirects: bool,
    /// A text to look for in the body; null: none.
    #[schema(required)]
    keyword: Option<String>,
    /// Whether it must be there, or must not; null without a keyword.
    #[schema(required)]
    keyword_mode: Option<KeywordRequirement>,
    /// Where checks run from.
    regions: Vec<String>,
    /// How many failing checks confirm an outage.
    #[schema(value_type = CheckCount)]
    confirmation_checks: u32,
    /// How many passing checks end it.
    #[schema(value_type = CheckCount)]
    recovery_checks: u32,
    /// Above this many milliseconds an answer is up, but degraded; null: never.
    #[schema(required, value_type = Option<DegradedAbove>)]
    degraded_above_ms: Option<u32>,
    /// Whether the certificate must be valid.
    verify_tls: bool,
    /// Days before the certificate's end on which to warn.
    #[schema(value_type = WarnDays)]
    ssl_warn_days: Vec<u32>,
    /// Days before the registration's end on which to warn.
    #[schema(value_type = WarnDays)]
    domain_warn_days: Vec<u32>,
    /// The promised availability in percent; null: none.
    #[schema(required, minimum = 0, maximum = 100)]
    sla_target_pct: Option<f64>,
    /// Times at which an outage is no outage.
    maintenance_windows: Vec<MaintenanceWindowPublic>,
    /// Whether checks send headers of your own. The headers themselves are never shown.
    has_custom_headers: bool,
    /// When the settings last changed; null before the first change.
    #[schema(required)]
    updated_at: Option<Timestamp>,
    /// Who changed them; null before the first change, and where the service did itself.
    #[schema(required)]
    updated_by: Option<UserId>,
}

/// A time at which an outage is no outage.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MaintenanceWindow)]
pub(super) struct MaintenanceWindowPublic {
    /// The id of the window, by which an update keeps it.
    id: MaintenanceWindowId,
    /// The name that people gave the window.
    name: String,
    /// When it (first) begins.
    starts_at: Timestamp,
    /// When it (first) ends.
    ends_at: Timestamp,
    /// How it comes back.
    recurrence: Recurrence,
    /// The days of a weekly window, Monday = 1 to Sunday = 7; empty: the weekday of `starts_at`.
    #[schema(value_type = Weekdays)]
    weekdays: Vec<u8>,
    /// The IANA time zone that it comes back in.
    timezone: String,
}

impl From<MaintenanceWindow> for MaintenanceWindowPublic {
    fn from(window: MaintenanceWindow) -> Self {
        let MaintenanceWindow {
            id,
            name,
            starts_at,
            ends_at,
            recurrence,
            weekdays,
            timezone,
        } = window;
        Self {
            id,
            name,
            starts_at: starts_at.into(),
            ends_at: ends_at.into(),
            recurrence,
            weekdays,
            timezone,
        }
    }
}

impl UptimeConfigPublic {
    fn new(settings: MonitorSettings, updated: Option<(OffsetDateTime, Option<UserId>)>) -> Self {
        let MonitorSettings {
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
        } = settings;
        Self {
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
            maintenance_windows: maintenance_windows
                .into_iter()
                .map(MaintenanceWindowPublic::from)
                .collect(),
            has_custom_headers: !request_headers.0.is_empty(),
            updated_at: updated.map(|(at, _)| at.into()),
            updated_by: updated.and_then(|(_, by)| by),
        }
    }
}

impl Example for UptimeConfigPublic {
    fn example() -> Self {
        let window = MaintenanceWindowPublic {
            id: MaintenanceWindowId(uuid!("0190f3c2-be82-7075-a196-7d5d4fae2c55")),
            name: "Sunday deploys".to_owned(),
            starts_at: datetime!(2026-04-05 02:00:00 UTC).into(),
            ends_at: datetime!(2026-04-05 02:30:00 UTC).into(),
            recurrence: Recurrence::Weekly,
            weekdays: vec![7],
            timezone: "Europe/Berlin".to_owned(),
        };
        Self {
            enabled: true,
            url: "https://shop.example/".to_owned(),
            method: Method::Get,
            interval_seconds: 60,
            timeout_seconds: 30,
            expected_status_codes: vec!["2xx".to_owned(), "3xx".to_owned()],
            follow_redirects: true,
            keyword: Some("Add to cart".to_owned()),
            keyword_mode: Some(KeywordRequirement::Present),
            regions: vec!["local".to_owned()],
            confirmation_checks: 2,
            recovery_checks: 1,
            degraded_above_ms: Some(2_000),
            verify_tls: true,
            ssl_warn_days: vec![30, 14, 7, 3, 1],
            domain_warn_days: vec![60, 30, 14, 7],
            sla_target_pct: Some(99.9),
            maintenance_windows: vec![window],
            has_custom_headers: false,
            updated_at: Some(datetime!(2026-03-12 14:02:00 UTC).into()),
            updated_by: Some(UserId(uuid!("0190f3c2-6f3d-7b20-8c41-2e0e9a597d00"))),
        }
    }
}
