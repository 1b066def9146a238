//! The days that a caller asks a report about.

use pharos_domain::{
    module::Module,
    report_widget::ReportWindow,
    settings::SettingFault,
    window::{Horizon, Period, ResolvedWindow, WindowQuery},
};
use time::OffsetDateTime;

/// How many days a report may be about.
pub const MOST_DAYS: u32 = 400;

/// The days as a caller gives them: a named period, or dates.
#[derive(Clone, Copy, Debug, Default)]
pub struct AskedWindow<'a> {
    /// A named period.
    pub period: Option<Period>,
    /// The first day.
    pub start_date: Option<&'a str>,
    /// The last day, which counts.
    pub end_date: Option<&'a str>,
    /// Whether the days before are shown beside; `None`: as the template says.
    pub compare_previous: Option<bool>,
}

/// The window by the template.
#[derive(Clone, Copy, Debug)]
pub struct UsualWindow {
    /// The period.
    pub period: Period,
    /// Whether the days before are shown beside.
    pub compares: bool,
}

impl AskedWindow<'_> {
    /// The days that are meant; without any, the period of the template.
    ///
    /// # Errors
    /// All faults: a period beside a date, a malformed date, a start after the end or after today, more than 400 days.
    pub fn resolve(
        &self,
        usual: UsualWindow,
        now: OffsetDateTime,
    ) -> Result<(ReportWindow, ResolvedWindow), Vec<SettingFault>> {
        let has_dates = self.start_date.is_some() || self.end_date.is_some();
        let period = self.period.or((!has_dates).then_some(usual.period));
        let query = WindowQuery {
            period_days: None,
            start_date: self.start_date,
            end_date: self.end_date,
            period: period.map(Period::as_str),
        };
        let resolved = query
            .resolve(&Horizon::of(Module::Reports, now))
            .map_err(|faults| {
                let faults = faults.into_iter();
                faults
                    .map(|fault| SettingFault::new(format!("/{}", fault.parameter), fault.detail))
                    .collect::<Vec<_>>()
            })?;
        if resolved.window.days() > MOST_DAYS {
            let detail = format!("a report is about {MOST_DAYS} days at most");
            return Err(vec![SettingFault::new("/start_date", detail)]);
        }
        let window = ReportWindow {
            days: resolved.window,
            period: resolved.period,
            compares: self.compare_previous.unwrap_or(usual.compares),
            now,
        };
        Ok((window, resolved))
    }
}
