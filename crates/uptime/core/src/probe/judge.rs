//! From what was measured to a verdict.

use super::report::{ProbeError, ProbeReport, Verdict};
use super::request::{KeywordMode, KeywordRule, ProbeRequest};
use crate::error_class::ErrorClass;

/// Fails where the status is not expected.
pub(super) fn status(request: &ProbeRequest, report: &ProbeReport) -> Result<(), ProbeError> {
    match report.status_code {
        Some(code) if !request.expected.contains(code) => Err(ProbeError::new(
            ErrorClass::HttpStatus,
            format!("The status code {code} is not an expected one."),
        )),
        _ => Ok(()),
    }
}

/// Fails where the body breaks the rule for the keyword.
pub(super) fn keyword(request: &ProbeRequest, report: &ProbeReport) -> Result<(), ProbeError> {
    let (Some(KeywordRule { mode, .. }), Some(found)) = (&request.keyword, report.keyword_matched) else {
        return Ok(());
    };
    match (mode, found) {
        (KeywordMode::Present, false) => Err(ProbeError::new(
            ErrorClass::KeywordMissing,
            "The keyword is not in the body.",
        )),
        (KeywordMode::Absent, true) => Err(ProbeError::new(
            ErrorClass::KeywordPresent,
            "The keyword is in the body.",
        )),
        _ => Ok(()),
    }
}

/// The verdict over a finished probe.
pub(super) fn verdict(request: &ProbeRequest, report: &ProbeReport) -> Verdict {
    if let Some(error) = &report.error {
        return if error.is_refusal {
            Verdict::Refused
        } else {
            Verdict::Down
        };
    }
    match (report.response, request.degraded_above) {
        (Some(response), Some(limit)) if response > limit => Verdict::Degraded,
        _ => Verdict::Up,
    }
}
