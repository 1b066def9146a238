//! One check of a site, as it is kept.

use std::net::IpAddr;

use pharos_domain::{
    ids::{CheckId, DomainId, RunId},
    wire_enum,
};
use time::OffsetDateTime;

use crate::{
    error_class::ErrorClass,
    probe::{HttpVersion, ProbeReport, Verdict},
};

/// The longest time that counts as measured, in milliseconds. No check takes that long; a machine that sleeps does.
const LONGEST: f64 = 1_000_000.0;

wire_enum! {
    /// The outcome of a check.
    Outcome as "CheckOutcome" {
        /// The site answered as expected.
        Up = "up",
        /// It did not.
        Down = "down",
        /// It answered as expected, but slowly.
        Degraded = "degraded",
        /// The check fell into a maintenance window and failed.
        Maintenance = "maintenance",
        /// The prober was kept from the site, whose visitors are not: by the site itself, which answers 403, or by the addresses
        /// that Pharos may go to.
        Blocked = "blocked",
    }
}

/// One check of a site; `None` stands for what was not measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Made by the node that checked, and ordered by time.
    pub id: CheckId,
    /// The domain whose site was probed.
    pub domain_id: DomainId,
    /// Where it ran.
    pub region: String,
    /// When it began.
    pub checked_at: OffsetDateTime,
    /// The verdict on the site, maintenance and blocks considered.
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
    /// The domain whose site is probed.
    pub domain_id: DomainId,
    /// The key of the region that the node probes from.
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
            Verdict::Refused => Outcome::Blocked,
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

    /// Whether the address policy kept Pharos from asking: the check says nothing of the site.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        is_refused(self.outcome, self.status_code)
    }

    /// Drops times that can't have been measured: of a clock that went backwards, or a machine that slept.
    pub fn drop_impossible_times(&mut self) {
        let Self {
            response_ms,
            dns_ms,
            connect_ms,
            tls_ms,
            ttfb_ms,
            download_ms,
            ..
        } = self;
        for time in [response_ms, dns_ms, connect_ms, tls_ms, ttfb_ms, download_ms] {
            *time = time.filter(|millis| (0.0..=LONGEST).contains(millis));
        }
    }
}

/// Whether a check of this outcome was not made, as the address policy refuses it: a site that blocks the prober says 403.
pub(crate) fn is_refused(outcome: Outcome, status_code: Option<u16>) -> bool {
    outcome == Outcome::Blocked && status_code != Some(403)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::NOW;

    #[test]
    fn times_that_cannot_have_been_measured_are_dropped() {
        let context = CheckContext {
            domain_id: DomainId::generate(),
            region: "eu".to_owned(),
            checked_at: NOW,
            in_maintenance: false,
            run_id: None,
        };
        let mut check = Check {
            response_ms: Some(LONGEST),
            dns_ms: Some(0.0),
            connect_ms: Some(-0.5),
            tls_ms: Some(LONGEST + 1.0),
            ttfb_ms: Some(f64::NAN),
            download_ms: Some(f64::INFINITY),
            ..Check::from_report(ProbeReport::default(), context)
        };
        check.drop_impossible_times();
        assert_eq!((check.response_ms, check.dns_ms), (Some(LONGEST), Some(0.0)));
        let dropped = [check.connect_ms, check.tls_ms, check.ttfb_ms, check.download_ms];
        assert_eq!(dropped, [None; 4]);
    }
}
