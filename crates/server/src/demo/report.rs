//! The demo's report.

use anyhow::Context;
use pharos_reporting::{
    config::SectionsConfig,
    format::{ReportFormat, ReportLocale, ScheduleFrequency},
    schedule::Schedule,
    store::TemplateAdmin,
    template::{Branding, TemplateSettings, usual_period},
};

use super::Demo;

/// A template with these sections, and a report on the first of each month.
///
/// # Errors
/// A port is missing, or the store failed.
pub(crate) async fn prepare(
    demo: &Demo<'_>,
    sections: SectionsConfig,
    format: ReportFormat,
) -> anyhow::Result<()> {
    let templates = demo.ports.get::<dyn TemplateAdmin>()?;
    let settings = template(sections, format);
    for shop in &demo.new {
        let made = templates.create(shop, &settings, demo.now).await;
        made.context("the demo's report template")?;
    }
    Ok(())
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
