//! Where results lie: among the artefacts. This module alone knows their names.

use bytes::Bytes;
use pharos_artefacts::{
    key::{ArtefactKey, MalformedKey},
    store::{ArtefactError, Artefacts},
};
use pharos_domain::ids::RunId;

use crate::run::ReportRun;

/// The results of runs.
#[derive(Clone, Debug)]
pub struct Results {
    artefacts: Artefacts,
}

/// Results can't be read or written.
#[derive(Debug, thiserror::Error)]
#[error("the results of reports: {0}")]
pub enum ResultsError {
    /// The store failed.
    Store(#[from] ArtefactError),
    /// Its name is none of an artefact.
    Name(#[from] MalformedKey),
}

impl Results {
    /// Those among these artefacts.
    #[must_use]
    pub const fn new(artefacts: Artefacts) -> Self {
        Self { artefacts }
    }

    /// Keeps the result of a run, in the place of an earlier one.
    ///
    /// # Errors
    /// It can't be written.
    pub async fn put(&self, run: &ReportRun, result: Bytes) -> Result<(), ResultsError> {
        Ok(self.artefacts.put(&key(run)?, result).await?)
    }

    /// A result; `None`: there is none.
    ///
    /// # Errors
    /// It can't be read.
    pub async fn get(&self, run: &ReportRun) -> Result<Option<Bytes>, ResultsError> {
        Ok(self.artefacts.get(&key(run)?).await?)
    }

    /// Takes the result of a run out; none is as good.
    ///
    /// # Errors
    /// It can't be deleted.
    pub async fn delete(&self, run: RunId) -> Result<(), ResultsError> {
        Ok(self
            .artefacts
            .delete_all(&format!("{PREFIX}/{run}").parse()?)
            .await?)
    }
}

/// The prefix of results among artefacts.
const PREFIX: &str = "reports";

/// How long the part of a file's name may be that comes from the name of the report.
const NAME_LENGTH: usize = 60;
/// How long the part may be that comes from the site: file systems have no names of more than 255 bytes, and hosts have up to 253.
const HOST_LENGTH: usize = 150;

/// The name of a result. Its last part is how the file is called that readers save.
///
/// # Errors
/// It is no name of an artefact, which does not happen: it is made of an id and the name of a file.
pub fn key(run: &ReportRun) -> Result<ArtefactKey, MalformedKey> {
    format!("{PREFIX}/{}/{}", run.run.id, file_name(run)).parse()
}

/// How the file of a report is called.
#[must_use]
pub(crate) fn file_name(run: &ReportRun) -> String {
    let given = run.result.as_ref().and_then(|result| result.file.clone());
    given.unwrap_or_else(|| format!("report-{}.{}", run.days.last(), run.format))
}

/// The name for the file of a report of this site, such as `shop.example-monthly-report-2026-03-31.pdf`. Words that are not written
/// in ASCII letters are left out, since the names of artefacts have none.
#[must_use]
pub(crate) fn name_for(hostname: &str, run: &ReportRun) -> String {
    let words = run.template_name.split(|one: char| !one.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty() && word.is_ascii());
    let mut name = words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-");
    name.truncate(NAME_LENGTH);
    let name = match name.trim_end_matches('-') {
        "" => "report",
        name => name,
    };
    let site: String = hostname.chars().take(HOST_LENGTH).collect();
    let site = site.trim_end_matches(['.', '-']);
    format!("{site}-{name}-{}.{}", run.days.last(), run.format)
}

#[cfg(test)]
mod tests {
    use pharos_domain::{
        identity::CredentialKind,
        ids::{CredentialId, DomainId},
        runs::{Requester, Run, RunKind, RunStatus},
        window::DateRange,
    };
    use time::macros::{date, datetime};
    use uuid::Uuid;

    use super::*;
    use crate::{
        format::{ReportFormat, ReportTrigger},
        run::ReportResult,
    };

    fn run(name: &str, result: Option<ReportResult>) -> ReportRun {
        ReportRun {
            run: Run {
                id: RunId(Uuid::from_u128(1)),
                domain_id: DomainId(Uuid::from_u128(2)),
                kind: RunKind::Report,
                status: RunStatus::Succeeded,
                requested_at: datetime!(2026-04-01 08:00 UTC),
                started_at: None,
                finished_at: None,
                expires_at: None,
                items: None,
                error_code: None,
                error_detail: None,
                requested_by: Requester {
                    kind: CredentialKind::ApiKey,
                    credential_id: CredentialId(Uuid::from_u128(3)),
                },
                credits_charged: 0,
            },
            template: None,
            template_name: name.to_owned(),
            trigger: ReportTrigger::Schedule,
            format: ReportFormat::Pdf,
            period: None,
            days: DateRange::new(date!(2026 - 03 - 01), date!(2026 - 03 - 31)).unwrap(),
            result,
        }
    }

    #[test]
    fn a_file_is_called_by_its_site_its_report_and_its_last_day() {
        for (name, expected) in [
            ("Monthly report", "monthly-report"),
            ("+Sales: <b>/../", "sales-b"),
            ("Monats\u{fc}bersicht M\u{e4}rz 2026", "2026"),
            ("\u{6708}\u{6b21}", "report"),
        ] {
            let named = name_for("shop.example", &run(name, None));
            assert_eq!(named, format!("shop.example-{expected}-2026-03-31.pdf"));
        }
        let long = name_for(&"a".repeat(253), &run(&"word ".repeat(24), None));
        assert!(!long.contains("--"), "{long}");
        assert!(
            long.len() <= 255,
            "no folder keeps a file of {} bytes",
            long.len()
        );
        let made = ReportResult {
            file: Some(long.clone()),
            ..ReportResult::default()
        };
        assert!(key(&run("", Some(made))).unwrap().as_str().ends_with(&long));
    }

    #[test]
    fn a_file_of_an_earlier_version_is_where_it_was() {
        let earlier: ReportResult =
            serde_json::from_value(serde_json::json!({ "size_bytes": 1, "pages": null, "sha256": "" }))
                .unwrap();
        let key = key(&run("Monthly report", Some(earlier))).unwrap();
        assert!(key.as_str().ends_with("/report-2026-03-31.pdf"), "{key}");
    }

    #[test]
    fn a_run_says_what_its_report_is_without_unless_it_failed() {
        let without = Some("The report is without its logo: it is larger than 1 MB.".to_owned());
        let made = ReportResult {
            without: without.clone(),
            ..ReportResult::default()
        };
        let made = run("Monthly", Some(made));
        assert_eq!(made.clone().saying_what_is_missing().run.error_detail, without);
        let mut failed = made;
        failed.run.error_detail = Some("Pharos failed to do it.".to_owned());
        let told = failed.saying_what_is_missing().run.error_detail;
        assert_eq!(told.as_deref(), Some("Pharos failed to do it."));
    }
}
