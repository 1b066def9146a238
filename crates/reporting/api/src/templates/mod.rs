//! /domains/{domain_id}/reports/templates

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod schemas;
pub(crate) mod template;
pub(crate) mod update;
pub(crate) mod view;

use pharos_domain::{ids::ReportTemplateId, problem::Suffix, settings::ChangeError};
use pharos_http::problem::{Problem, out_of_reach};
use pharos_reporting::store::TemplateError;

/// 404: the domain has no such template.
pub(crate) fn missing(id: ReportTemplateId) -> Problem {
    out_of_reach(Suffix::ReportTemplateNotFound, "report template", id)
}

/// Why a template was not made or changed.
fn refused(error: TemplateError) -> Problem {
    match error {
        TemplateError::NameTaken => Problem::new(
            Suffix::ReportTemplateNameConflict,
            "The domain has a template of this name already; names are compared without case.",
        ),
        TemplateError::Change(error) => ChangeError::into(error),
    }
}
