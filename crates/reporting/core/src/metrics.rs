//! Metrics of the making of reports.

use metrics::{Unit, counter, describe_counter, describe_histogram, histogram};

use crate::{format::ReportFormat, mails::store::MailEnd};

const MADE: &str = "pharos_reports_total";
const SECONDS: &str = "pharos_report_seconds";
const SIZE: &str = "pharos_report_size";
const MAILS: &str = "pharos_report_mails_total";
const KINDS: [&str; 2] = ["question", "report"];
const RESULTS: [&str; 3] = ["sent", "failed", "given_up"];

/// Describes them.
pub fn describe() {
    describe_counter!(MADE, "Reports, by format and how making them ended");
    describe_histogram!(SECONDS, Unit::Seconds, "How long making a report took, by format");
    describe_histogram!(SIZE, Unit::Bytes, "How large reports are, by format");
    describe_counter!(
        MAILS,
        "Attempts at mails of reports that ended, by kind (question: whether somebody wants them; report) and result: sent, failed \
         (it is tried again), or given_up"
    );
}

/// Begins the metrics of mails at zero.
pub fn mails() {
    for kind in KINDS {
        for result in RESULTS {
            counter!(MAILS, "kind" => kind, "result" => result).increment(0);
        }
    }
}

/// Records how an attempt at a mail ended.
pub(crate) fn mailed(kind: &'static str, end: &MailEnd) {
    let [sent, failed, given_up] = RESULTS;
    let result = match end {
        MailEnd::Sent => sent,
        MailEnd::Again { .. } => failed,
        MailEnd::GivenUp { .. } => given_up,
        MailEnd::Dropped => return,
    };
    counter!(MAILS, "kind" => kind, "result" => result).increment(1);
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
