//! One check of a site, as it is kept.

use std::net::IpAddr;

use pharos_domain::{
    ids::{CheckId, DomainId, RunId},
    wire_enum,
};
use time::OffsetDateTime;

use crate::probe::{ErrorClass, HttpVersion, ProbeReport, Verdict};

wire_enum! {
    /// What a check came to.
    Outcome as "CheckOutcome" {
        /// The site answered as expected.
        Up = "up",
        /// It did not.
        Down = "down",
        /// It answered as expected, but slowly.
        Degraded = "degraded",
        /// The check fell into a maintenance window and failed.
        Maintenance = "maintenance",
        /// The site refuses the prober, not its visitors.
        Blocked = "blocked",
    }
}

/// One check of a site. What was not measured is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Its id.
    pub id: CheckId,
    /// The domain that was checked.
    pub domain_id: DomainId,
    /// Where it ran.
    pub region: String,
    /// When it began.
    pub checked_at: OffsetDateTime,
    /// What it came to.
    pub outcome: Outcome,
    /// The run that asked for it; `None` for the schedule.
    pub run_id: Option<RunId>,
    /// The status of the last answer.
    pub status_code: Option<u16>,
    /// The version of HTTP that was spoken.
    pub http_version: Option<HttpVersion>,
    /// All of it, in milliseconds; `None` on a failure before an answer.
    pub response_ms: Option<f64>,
    /// The name look-up.
    pub dns_ms: Option<f64>,
    /// The TCP handshake.
    pub connect_ms: Option<f64>,
    /// The TLS handshake.
    pub tls_ms: Option<f64>,
    /// From the request sent to the first byte of the answer.
    pub ttfb_ms: Option<f64>,
    /// From the first byte to the last.
    pub download_ms: Option<f64>,
    /// How many redirects were followed.
    pub redirect_count: u32,
    /// Where they led.
    pub final_url: Option<String>,
    /// The size of the body as sent.
    pub response_bytes: Option<u64>,
    /// The address that answered.
    pub ip_address: Option<IpAddr>,
    /// Why it failed.
    pub error_class: Option<ErrorClass>,
    /// Why, in words.
    pub error_message: Option<String>,
    /// Whether the keyword was found; `None` without a rule.
    pub keyword_matched: Option<bool>,
    /// 0 for the first attempt.
    pub retry_index: u32,
}

/// Where and when a check ran.
#[derive(Clone, Debug)]
pub struct CheckContext {
    /// The domain.
    pub domain_id: DomainId,
    /// The region.
    pub region: String,
    /// When it began.
    pub checked_at: OffsetDateTime,
    /// Whether that falls into a maintenance window.
    pub in_maintenance: bool,
    /// The run that asked for it.
    pub run_id: Option<RunId>,
}

impl Check {
    /// The check that a report amounts to.
    #[must_use]
    pub fn from_report(report: ProbeReport, context: CheckContext) -> Self {
        let outcome = match report.verdict {
            Verdict::Up => Outcome::Up,
            Verdict::Degraded => Outcome::Degraded,
            Verdict::Down if context.in_maintenance => Outcome::Maintenance,
            Verdict::Down => Outcome::Down,
        };
        let millis = |duration: Option<std::time::Duration>| {
            // To the microsecond: what lies below is noise.
            duration.map(|duration| (duration.as_secs_f64() * 1e6).round() / 1e3)
        };
        let (error_class, error_message) = report.error.map(|error| (error.class, error.message)).unzip();
        Self {
            id: CheckId::generate(),
            domain_id: context.domain_id,
            region: context.region,
            checked_at: context.checked_at,
            outcome,
            run_id: context.run_id,
            status_code: report.status_code,
            http_version: report.http_version,
            response_ms: millis(report.response),
            dns_ms: millis(report.dns),
            connect_ms: millis(report.connect),
            tls_ms: millis(report.tls),
            ttfb_ms: millis(report.ttfb),
            download_ms: millis(report.download),
            redirect_count: report.redirect_count,
            final_url: report.final_url.map(String::from),
            response_bytes: report.response_bytes,
            ip_address: report.ip,
            error_class,
            error_message,
            keyword_matched: report.keyword_matched,
            retry_index: 0,
        }
    }
}
