//! A template, as answers show it.

use pharos_domain::{
    ids::{DomainId, ReportTemplateId, UserId},
    timestamp::Timestamp,
    window::Period,
};
use pharos_http::operation::Example;
use pharos_reporting::{
    config::SectionsConfig,
    format::{ReportFormat, ReportLocale, ScheduleFrequency},
    schedule::Schedule,
    template::{Branding, Template, TemplateSettings},
};
use serde::{Deserialize, Serialize};
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::uuid;

use super::schemas::{ReportDayOfMonth, ReportHour, ReportWeekday};
use crate::default_config;

/// A template of reports.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReportTemplate)]
pub(crate) struct ReportTemplatePublic {
    /// The template's id.
    id: ReportTemplateId,
    /// The domain that it is of.
    domain_id: DomainId,
    /// Its name, the only one of its domain, whatever the case.
    name: String,
    /// The purpose of the template; null for nothing.
    #[schema(required)]
    description: Option<String>,
    /// Its sections and widgets, in the order of display.
    sections_config: SectionsConfig,
    /// How numbers and dates are written. Words are English.
    locale: ReportLocale,
    /// The form of its reports.
    format: ReportFormat,
    /// The days of a report that is asked for without any.
    default_period: Period,
    /// Whether the days before are shown beside.
    compare_previous: bool,
    /// How its reports look.
    branding: Branding,
    /// When a report is made by itself; null: never.
    #[schema(required)]
    schedule: Option<SchedulePublic>,
    /// When a report was made of it last; null: never.
    #[schema(required)]
    last_run_at: Option<Timestamp>,
    /// Who made it; null: the service itself.
    #[schema(required)]
    created_by: Option<UserId>,
    /// When it was made.
    created_at: Timestamp,
    /// When it was changed last.
    updated_at: Timestamp,
}

/// When a report is made by itself.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReportSchedule)]
pub(crate) struct SchedulePublic {
    /// Whether it is.
    enabled: bool,
    /// How often.
    frequency: ScheduleFrequency,
    /// On which day of the week: Monday is 1, Sunday 7. Null where it is monthly.
    #[schema(required, minimum = 1, maximum = 7)]
    weekday: Option<u32>,
    /// On which day of the month; a month that has no such day has it on its last. Null where it is weekly.
    #[schema(required, minimum = 1, maximum = 31)]
    day_of_month: Option<u32>,
    /// At which hour, by the clock of `timezone`. An hour that a change of the clocks leaves out is the moment after it; one that
    /// it repeats is its first.
    #[schema(minimum = 0, maximum = 23)]
    hour: u32,
    /// The IANA time zone of its readers.
    timezone: String,
    /// How many addresses it is mailed to: those whose owners said yes to a mail that asked them, and have not unsubscribed. They
    /// are looked after in the console. The channels of the workspace, which are told of every report, do not count.
    #[schema(minimum = 0)]
    recipients_count: u32,
}

/// When a report is to be made by itself.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = ReportScheduleRequest)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScheduleRequest {
    /// Whether it is; left out: true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    enabled: Option<bool>,
    /// How often.
    frequency: ScheduleFrequency,
    /// On which day of the week; needed with `weekly`, null or left out with `monthly`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<ReportWeekday>)]
    weekday: Option<u32>,
    /// On which day of the month; needed with `monthly`, null or left out with `weekly`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<ReportDayOfMonth>)]
    day_of_month: Option<u32>,
    /// At which hour, by the clock of `timezone`.
    #[schema(value_type = ReportHour)]
    hour: u32,
    /// The IANA time zone of its readers, such as `Europe/Berlin`.
    #[schema(max_length = 64)]
    timezone: String,
}

impl From<ScheduleRequest> for Schedule {
    fn from(request: ScheduleRequest) -> Self {
        let ScheduleRequest {
            enabled,
            frequency,
            weekday,
            day_of_month,
            hour,
            timezone,
        } = request;
        Self {
            enabled: enabled.unwrap_or(true),
            frequency,
            weekday,
            day_of_month,
            hour,
            timezone,
        }
    }
}

impl SchedulePublic {
    fn new(schedule: Schedule, recipients_count: u32) -> Self {
        let Schedule {
            enabled,
            frequency,
            weekday,
            day_of_month,
            hour,
            timezone,
        } = schedule;
        Self {
            enabled,
            frequency,
            weekday,
            day_of_month,
            hour,
            timezone,
            recipients_count,
        }
    }
}

impl From<Template> for ReportTemplatePublic {
    fn from(template: Template) -> Self {
        let Template {
            id,
            domain_id,
            settings,
            recipients,
            last_run_at,
            created_by,
            created_at,
            updated_at,
        } = template;
        let TemplateSettings {
            name,
            description,
            sections,
            locale,
            format,
            default_period,
            compare_previous,
            branding,
            schedule,
        } = settings;
        Self {
            id,
            domain_id,
            name,
            description,
            sections_config: sections,
            locale,
            format,
            default_period,
            compare_previous,
            branding,
            schedule: schedule.map(|schedule| SchedulePublic::new(schedule, recipients)),
            last_run_at: last_run_at.map(Timestamp::from),
            created_by,
            created_at: created_at.into(),
            updated_at: updated_at.into(),
        }
    }
}

impl ScheduleRequest {
    /// For examples.
    pub(super) fn example() -> Self {
        Self {
            enabled: None,
            frequency: ScheduleFrequency::Monthly,
            weekday: None,
            day_of_month: Some(1),
            hour: 8,
            timezone: "Europe/Berlin".to_owned(),
        }
    }
}

impl Example for ReportTemplatePublic {
    fn example() -> Self {
        Self {
            id: ReportTemplateId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e30")),
            domain_id: DomainId(uuid!("0190f3c2-9c60-7e53-8f74-5b3b2d8c0a33")),
            name: "Monthly report".to_owned(),
            description: Some("For the shop's owner".to_owned()),
            sections_config: default_config::example(),
            locale: ReportLocale::En,
            format: ReportFormat::Pdf,
            default_period: Period::LastMonth,
            compare_previous: true,
            branding: Branding {
                logo_url: None,
                accent_color: Some("#0a7f5c".to_owned()),
            },
            schedule: Some(SchedulePublic::new(ScheduleRequest::example().into(), 2)),
            last_run_at: None,
            created_by: Some(UserId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e01"))),
            created_at: datetime!(2026-03-30 12:00:00 UTC).into(),
            updated_at: datetime!(2026-03-30 12:00:00 UTC).into(),
        }
    }
}
