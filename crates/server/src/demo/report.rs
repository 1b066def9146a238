//! The demo's report.

use std::sync::Arc;

use anyhow::Context;
use pharos_domain::{
    clock::{Clock, SystemClock},
    identity::DomainAccess,
    ports::Ports,
};
use pharos_reporting::{
    config::SectionsConfig,
    format::{ReportFormat, ReportLocale, ScheduleFrequency},
    schedule::Schedule,
    store::TemplateAdmin,
    template::{Branding, TemplateSettings, usual_period},
};
use time::OffsetDateTime;

use crate::{
    config::Config,
    groups::{report_catalogue, reporters, reporting::printer},
};

/// A template with every section, and a report on the first of each month. Without Chromium it is a page for browsers.
///
/// # Errors
/// A port is missing, or the store failed.
pub(super) async fn prepare(
    ports: &Ports,
    config: &Config,
    access: &DomainAccess,
    now: OffsetDateTime,
) -> anyhow::Result<()> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let with_clock = ports.clone().with(clock);
    let all = with_clock.clone().with(Arc::new(reporters(&with_clock)?));
    let format = match printer(config).browser() {
        Some(_) => ReportFormat::Pdf,
        None => ReportFormat::Html,
    };
    let settings = template(report_catalogue(&all)?.ready_made(), format);
    let made = ports
        .get::<dyn TemplateAdmin>()?
        .create(access, &settings, now)
        .await;
    made.map(drop).context("the demo's report template")
}

fn template(sections: SectionsConfig, format: ReportFormat) -> TemplateSettings {
    let schedule = Schedule {
        enabled: true,
        frequency: ScheduleFrequency::Monthly,
        weekday: None,
        day_of_month: Some(1),
        hour: 8,
        timezone: "Europe/Berlin".to_owned(),
    };
    TemplateSettings {
        name: "Monthly report".to_owned(),
        description: Some(
            "Made by the demo. Nobody made the visits of the 90 days before its first start.".to_owned(),
        ),
        sections,
        locale: ReportLocale::En,
        format,
        default_period: usual_period(Some(&schedule)),
        compare_previous: true,
        branding: Branding::default(),
        schedule: Some(schedule),
    }
}

#[cfg(test)]
mod tests {
    use pharos_domain::window::Period;

    use super::*;

    /// On the first of a month the last 30 days are days of two, and the newest is not over.
    #[test]
    fn a_report_of_the_first_of_a_month_is_about_the_month_before() {
        let none = SectionsConfig {
            version: SectionsConfig::VERSION,
            sections: Vec::new(),
        };
        let settings = template(none, ReportFormat::Html);
        assert_eq!(settings.default_period, Period::LastMonth);
        assert_eq!(settings.schedule.unwrap().day_of_month, Some(1));
    }
}
