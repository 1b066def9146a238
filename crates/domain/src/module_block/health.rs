//! A module's row of a domain's health.

use serde::Serialize;
use time::OffsetDateTime;

use crate::wire_enum;

wire_enum! {
    /// How a module of a domain is.
    HealthStatus as "ModuleHealthStatus" {
        /// A score of 90 or more, and no reason for less.
        Ok = "ok",
        /// A score from 50 up to 90, or a warning among the reasons.
        Warning = "warning",
        /// A score below 50, or a critical reason.
        Critical = "critical",
        /// Configured, and nothing in the window to judge by.
        NoData = "no_data",
        /// The domain has no configuration of the module, or its plan has not the module.
        NotConfigured = "not_configured",
        /// The module failed, or did not answer in time.
        Failed = "failed",
    }
}

wire_enum! {
    /// How grave a reason is.
    ReasonSeverity as "HealthReasonSeverity" {
        /// It should be looked into.
        Warning = "warning",
        /// It should be looked into now.
        Critical = "critical",
    }
}

wire_enum! {
    /// Why a module is not healthy. Modules that come add their own.
    ReasonCode as "HealthReasonCode" {
        /// `uptime_pct` is below the threshold.
        LowUptime = "low_uptime",
        /// The certificate ends in fewer days than the threshold.
        CertificateExpiring = "certificate_expiring",
        /// The certificate is over.
        CertificateExpired = "certificate_expired",
        /// Visitors are fewer than in the window before, by more than the threshold.
        VisitorsFell = "visitors_fell",
        /// Fewer views than the threshold have good web vitals.
        FewGoodViews = "few_good_views",
        /// robots.txt can't be fetched, so crawlers fetch nothing.
        RobotsUnreachable = "robots_unreachable",
        /// robots.txt has errors.
        RobotsErrors = "robots_errors",
        /// robots.txt has warnings.
        RobotsWarnings = "robots_warnings",
        /// Budgets of lab tests were exceeded by the last tests.
        BudgetsExceeded = "budgets_exceeded",
        /// The last lab tests of pages failed.
        LabTestsFailed = "lab_tests_failed",
        /// Sitemaps have findings that are errors.
        SitemapErrors = "sitemap_errors",
        /// Sitemaps have findings that are warnings.
        SitemapWarnings = "sitemap_warnings",
        /// The share of inspected URLs in Google's index is below the threshold.
        FewIndexedUrls = "few_indexed_urls",
        /// Google can't fetch URLs that are monitored.
        IndexingFetchErrors = "indexing_fetch_errors",
    }
}

wire_enum! {
    /// The unit of a reason's value and threshold.
    ReasonUnit as "HealthReasonUnit" {
        /// Percent.
        Pct = "pct",
        /// Whole days.
        Days = "days",
        /// A count.
        Count = "count",
    }
}

/// Why a module's score or status is not better.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HealthReason {
    /// The kind of reason.
    pub code: ReasonCode,
    /// How grave it is.
    pub severity: ReasonSeverity,
    /// The measured value, in `unit`.
    pub value: f64,
    /// The bound that it passed, in `unit`.
    pub threshold: f64,
    /// The unit of both.
    pub unit: ReasonUnit,
}

/// How a module of a domain is.
#[derive(Clone, Debug, PartialEq)]
pub struct ModuleHealth {
    /// 0 to 100; `None` where nothing was measured, or the module has no score.
    pub score: Option<f64>,
    /// The same over the window before.
    pub score_previous: Option<f64>,
    /// The worse of the score's status and the gravest reason's.
    pub status: HealthStatus,
    /// When it was computed.
    pub computed_at: OffsetDateTime,
    /// Why it is not better.
    pub reasons: Vec<HealthReason>,
}

/// From this score on a module is ok, unless a reason says otherwise.
const OK_FROM: f64 = 90.0;
/// Below this score it is critical.
const CRITICAL_BELOW: f64 = 50.0;

impl ModuleHealth {
    /// The health of a module that has a score. The status is the worse of two: that of the score (ok from 90,
    /// warning from 50, critical below) and that of the gravest reason. Without a score it is `no_data`.
    #[must_use]
    pub fn scored(
        score: Option<f64>,
        score_previous: Option<f64>,
        reasons: Vec<HealthReason>,
        computed_at: OffsetDateTime,
    ) -> Self {
        let status = match (score, of_reasons(&reasons)) {
            (None, _) => HealthStatus::NoData,
            (Some(score), _) if score < CRITICAL_BELOW => HealthStatus::Critical,
            (Some(score), HealthStatus::Ok) if score < OK_FROM => HealthStatus::Warning,
            (Some(_), status) => status,
        };
        Self {
            score,
            score_previous,
            status,
            computed_at,
            reasons,
        }
    }

    /// The health of a module that never has a score. The status is that of the gravest reason; without data it is `no_data`.
    #[must_use]
    pub fn without_score(has_data: bool, reasons: Vec<HealthReason>, computed_at: OffsetDateTime) -> Self {
        Self {
            score: None,
            score_previous: None,
            status: if has_data {
                of_reasons(&reasons)
            } else {
                HealthStatus::NoData
            },
            computed_at,
            reasons,
        }
    }
}

/// The status that the gravest of these reasons gives.
fn of_reasons(reasons: &[HealthReason]) -> HealthStatus {
    match reasons.iter().map(|reason| reason.severity).max() {
        None => HealthStatus::Ok,
        Some(ReasonSeverity::Warning) => HealthStatus::Warning,
        Some(ReasonSeverity::Critical) => HealthStatus::Critical,
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    fn status(score: Option<f64>, severities: &[ReasonSeverity]) -> HealthStatus {
        let reasons = severities.iter().map(|severity| HealthReason {
            code: ReasonCode::LowUptime,
            severity: *severity,
            value: 99.0,
            threshold: 99.5,
            unit: ReasonUnit::Pct,
        });
        ModuleHealth::scored(score, None, reasons.collect(), datetime!(2026-03-31 09:15 UTC)).status
    }

    #[test]
    fn the_status_follows_the_score() {
        for (score, expected) in [
            (100.0, HealthStatus::Ok),
            (90.0, HealthStatus::Ok),
            (89.999, HealthStatus::Warning),
            (50.0, HealthStatus::Warning),
            (49.999, HealthStatus::Critical),
            (0.0, HealthStatus::Critical),
        ] {
            assert_eq!(status(Some(score), &[]), expected, "{score}");
        }
        assert_eq!(status(None, &[]), HealthStatus::NoData);
    }

    #[test]
    fn a_grave_reason_outweighs_a_good_score() {
        use ReasonSeverity::{Critical, Warning};
        assert_eq!(status(Some(100.0), &[Warning]), HealthStatus::Warning);
        assert_eq!(status(Some(100.0), &[Warning, Critical]), HealthStatus::Critical);
        assert_eq!(status(Some(10.0), &[Warning]), HealthStatus::Critical);
        assert_eq!(status(None, &[Critical]), HealthStatus::NoData);
    }
}
