//! What is reported of the making of reports.

use metrics::{Unit, counter, describe_counter, describe_histogram, histogram};

use crate::format::ReportFormat;

const MADE: &str = "pharos_reports_total";
const SECONDS: &str = "pharos_report_seconds";
const SIZE: &str = "pharos_report_size";

/// Describes them.
pub fn describe() {
    describe_counter!(MADE, "Reports, by format and how making them ended");
    describe_histogram!(SECONDS, Unit::Seconds, "How long making a report took, by format");
    describe_histogram!(SIZE, Unit::Bytes, "How large reports are, by format");
}

/// A report was made.
pub(crate) fn made(format: ReportFormat, seconds: f64, bytes: usize) {
    counter!(MADE, "format" => format.as_str(), "outcome" => "made").increment(1);
    histogram!(SECONDS, "format" => format.as_str()).record(seconds);
    histogram!(SIZE, "format" => format.as_str()).record(bytes as f64);
}

/// A report was not made.
pub(crate) fn failed(format: ReportFormat) {
    counter!(MADE, "format" => format.as_str(), "outcome" => "failed").increment(1);
}
