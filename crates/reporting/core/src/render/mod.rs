//! From a document to the bytes of a format.

mod accessible;
mod addresses;
mod anchors;
mod browser;
mod charts;
mod colour;
mod contents;
pub mod csv;
mod described;
pub mod html;
pub mod json;
pub mod labels;
pub mod marks;
pub mod pdf;
mod shares;
mod tables;
pub mod words;

use pharos_domain::{
    day::Day,
    problem::Suffix,
    report_widget::{ReportWidget, UNAVAILABLE_MODULES, WidgetStatus},
    window::DateRange,
};
use time::Date;

use crate::{data::WidgetData, format::ReportLocale};

/// The sentence in the place of data that are not there.
#[must_use]
pub(crate) fn why_nothing(data: &WidgetData) -> Option<&'static str> {
    match data.answer.status {
        WidgetStatus::Ok => None,
        // Whether of the days of the report or of now: a certificate is of now.
        WidgetStatus::NoData => Some("Nothing was recorded."),
        WidgetStatus::ModuleUnavailable => Some(match data.answer.error {
            None => "This installation does not have it.",
            Some(Suffix::PlanRestriction) => "The plan of the workspace does not have the module.",
            Some(_) => "The module could not be read when the report was made.",
        }),
        WidgetStatus::NotConfigured => Some("The module is not set up for the site."),
    }
}

/// The sentence that names the modules that an answer about all modules is without, since they failed or were late.
pub(crate) fn left_out(data: &serde_json::Value) -> Option<String> {
    let modules = data.get(UNAVAILABLE_MODULES)?.as_array()?;
    let names = modules.iter().filter_map(serde_json::Value::as_str);
    let names: Vec<String> = names.map(labels::section).collect();
    (!names.is_empty()).then(|| {
        format!(
            "Could not be read when the report was made: {}.",
            names.join(", ")
        )
    })
}

/// The rows of a widget's data.
pub(crate) fn rows<'a>(widget: &ReportWidget, data: &'a serde_json::Value) -> &'a [serde_json::Value] {
    let rows = widget
        .rows
        .and_then(|member| pharos_domain::report_widget::at_path(data, member));
    rows.and_then(serde_json::Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// The days from one member of an answer's `meta` to another.
pub(crate) fn days_of(meta: &serde_json::Value, from: &str, to: &str) -> Option<DateRange> {
    let day = |member: &str| day_of(meta.get(member)?.as_str()?);
    DateRange::new(day(from)?, day(to)?)
}

/// The days that a summary is about, those that it compares them with, whether or not its report does, and which of them are not
/// over or provisional: by its data.
pub(crate) fn summary_days(locale: ReportLocale, data: &serde_json::Value) -> Option<String> {
    let meta = data.get("meta")?;
    let own = days_of(meta, "range_start", "range_end")?;
    let before = days_of(meta, "compare_range_start", "compare_range_end")?;
    let days = |of| words::days(locale, of);
    // Two modules always compare with as many days right before.
    let others = if before == own.preceding() {
        String::new()
    } else {
        format!("; what visitors felt and sales with {}", days(own.preceding()))
    };
    let mut told = format!("{}, compared with {}{others}.", days(own), days(before));
    if meta.get("range_end_partial") == Some(&serde_json::Value::Bool(true)) {
        told.push_str(&format!(" {} is not over.", words::day(locale, own.last())));
    }
    let provisional = data.get("search_provisional_from");
    if let Some(from) = provisional.and_then(|from| day_of(from.as_str()?)) {
        told.push_str(&format!(
            " Search from {} on is provisional.",
            words::day(locale, from)
        ));
    }
    Some(told)
}

/// The day at the beginning of a text, which may go on with an hour.
pub(crate) fn day_of(text: &str) -> Option<Date> {
    Some(text.get(..10)?.parse::<Day>().ok()?.0)
}
