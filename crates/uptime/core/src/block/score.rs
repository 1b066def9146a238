//! The score of uptime in a domain's health.

use pharos_domain::module_block::{HealthReason, ReasonCode, ReasonSeverity, ReasonUnit};

/// The availability that scores 0, in percent.
const WORST_PCT: f64 = 95.0;
/// Availability below this is a reason: its score is below 90.
const LOW_PCT: f64 = 99.5;
/// Availability below this is a critical one: its score is below 50.
const VERY_LOW_PCT: f64 = 97.5;
/// A certificate with fewer days than these is a reason, and lowers the score.
const CERTIFICATE_DAYS: i32 = 7;
/// By how much.
const CERTIFICATE_PENALTY: f64 = 20.0;

/// How the score comes about, for the API's document.
pub const SCORE: &str = "The score of uptime is 100 × (uptime_pct − 95) ÷ 5, floored at 0, less 20 where the certificate \
                         has less than 7 days, and floored again.";

/// The score as [`SCORE`] says; `None` where nothing was observed.
pub(super) fn score(uptime_pct: Option<f64>, certificate_days: Option<i64>) -> Option<f64> {
    let of_availability = (100.0 * (uptime_pct? - WORST_PCT) / (100.0 - WORST_PCT)).max(0.0);
    let ends_soon = certificate_days.is_some_and(|days| days < CERTIFICATE_DAYS.into());
    let penalty = if ends_soon { CERTIFICATE_PENALTY } else { 0.0 };
    Some((of_availability - penalty).max(0.0))
}

/// Why the score is not better: availability below 99.5 % (critical below 97.5 %), a certificate with less than 7 days
/// (critical once it is over).
pub(super) fn reasons(uptime_pct: Option<f64>, certificate_days: Option<i64>) -> Vec<HealthReason> {
    let availability = uptime_pct.filter(|uptime| *uptime < LOW_PCT).map(|uptime| {
        let (severity, threshold) = if uptime < VERY_LOW_PCT {
            (ReasonSeverity::Critical, VERY_LOW_PCT)
        } else {
            (ReasonSeverity::Warning, LOW_PCT)
        };
        HealthReason {
            code: ReasonCode::LowUptime,
            severity,
            value: uptime,
            threshold,
            unit: ReasonUnit::Pct,
        }
    });
    let certificate = certificate_days
        .filter(|days| *days < CERTIFICATE_DAYS.into())
        .map(|days| {
            let (code, severity, threshold) = if days < 0 {
                (ReasonCode::CertificateExpired, ReasonSeverity::Critical, 0)
            } else {
                (
                    ReasonCode::CertificateExpiring,
                    ReasonSeverity::Warning,
                    CERTIFICATE_DAYS,
                )
            };
            HealthReason {
                code,
                severity,
                value: days_as_number(days),
                threshold: threshold.into(),
                unit: ReasonUnit::Days,
            }
        });
    availability.into_iter().chain(certificate).collect()
}

/// Certificates last years, not aeons: nothing is lost.
fn days_as_number(days: i64) -> f64 {
    i32::try_from(days).map_or(f64::from(i32::MIN), f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed by hand: (99 − 95) ÷ 5 = 0.8; (97.5 − 95) ÷ 5 = 0.5; 80 − 20 = 60; 10 − 20 is below 0.
    #[test]
    fn the_score_is_the_way_from_95_to_100_percent_less_20_for_a_certificate_that_ends() {
        for (uptime, days, expected) in [
            (Some(100.0), None, Some(100.0)),
            (Some(100.0), Some(7), Some(100.0)),
            (Some(100.0), Some(6), Some(80.0)),
            (Some(100.0), Some(-3), Some(80.0)),
            (Some(99.0), Some(60), Some(80.0)),
            (Some(99.0), Some(0), Some(60.0)),
            (Some(97.5), None, Some(50.0)),
            (Some(95.5), Some(6), Some(0.0)),
            (Some(95.0), None, Some(0.0)),
            (Some(40.0), None, Some(0.0)),
            (None, Some(6), None),
            (None, None, None),
        ] {
            assert_eq!(score(uptime, days), expected, "{uptime:?} {days:?}");
        }
    }

    fn codes(uptime: Option<f64>, days: Option<i64>) -> Vec<(ReasonCode, ReasonSeverity, f64, f64)> {
        let reasons = reasons(uptime, days).into_iter();
        reasons
            .map(|reason| (reason.code, reason.severity, reason.value, reason.threshold))
            .collect()
    }

    #[test]
    fn reasons_name_what_was_measured_and_the_bound() {
        use ReasonCode::{CertificateExpired, CertificateExpiring, LowUptime};
        use ReasonSeverity::{Critical, Warning};
        assert_eq!(codes(Some(99.5), Some(7)), []);
        assert_eq!(codes(None, None), []);
        assert_eq!(codes(Some(99.4), None), [(LowUptime, Warning, 99.4, 99.5)]);
        assert_eq!(codes(Some(97.0), None), [(LowUptime, Critical, 97.0, 97.5)]);
        assert_eq!(
            codes(Some(97.5), Some(0)),
            [
                (LowUptime, Warning, 97.5, 99.5),
                (CertificateExpiring, Warning, 0.0, 7.0)
            ]
        );
        assert_eq!(
            codes(Some(100.0), Some(-1)),
            [(CertificateExpired, Critical, -1.0, 0.0)]
        );
    }
}
