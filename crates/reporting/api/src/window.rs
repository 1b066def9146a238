//! The window in the body of a request.

use pharos_domain::{settings::SettingFault, window::Period};
use pharos_reporting::{
    template::TemplateSettings,
    window::{AskedWindow, UsualWindow},
};

/// The window of a template that a body does not say otherwise.
pub(super) fn usual(settings: &TemplateSettings) -> UsualWindow {
    UsualWindow {
        period: settings.default_period,
        compares: settings.compare_previous,
    }
}

/// The window of a body.
pub(super) fn asked<'a>(
    period: Option<Period>,
    start_date: Option<&'a str>,
    end_date: Option<&'a str>,
    compare_previous: Option<bool>,
) -> AskedWindow<'a> {
    AskedWindow {
        period,
        start_date,
        end_date,
        compare_previous,
    }
}

/// Faults as problems have them.
pub(super) fn faults(faults: Vec<SettingFault>) -> Vec<pharos_http::problem::Fault> {
    faults
        .into_iter()
        .map(pharos_http::problem::Fault::from)
        .collect()
}
