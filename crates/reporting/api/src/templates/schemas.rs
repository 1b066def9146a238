//! Schemas with bounds that templates have.

use pharos_http::openapi::bounds::{text, whole};
use pharos_http::schemas;
use pharos_reporting::{
    schedule::{DAYS_OF_MONTH, HOURS, WEEKDAYS},
    template::{DESCRIPTION_LENGTH, NAME_LENGTH},
};

schemas! {
    /// The name of a template: one line.
    ReportTemplateName = text().min_length(Some(1)).max_length(Some(NAME_LENGTH));
    /// The purpose of a template.
    ReportTemplateDescription = text().max_length(Some(DESCRIPTION_LENGTH));
    /// A day of the week: Monday is 1, Sunday 7.
    ReportWeekday = whole(WEEKDAYS);
    /// A day of the month. A month that has no such day has it on its last.
    ReportDayOfMonth = whole(DAYS_OF_MONTH);
    /// An hour of the day.
    ReportHour = whole(HOURS);
}
