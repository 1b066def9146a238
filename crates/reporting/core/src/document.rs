//! A report as all formats are made from it.

use pharos_domain::{report_widget::ReportWindow, window::Comparison};

use crate::{data::SectionData, format::ReportLocale, logo::Picture};

/// A report: its data, and how it looks.
#[derive(Clone, Debug)]
pub struct Document {
    /// The name of its template.
    pub title: String,
    /// The name of the site.
    pub domain: String,
    /// The days that it is about.
    pub window: ReportWindow,
    /// The days that they are compared with, where they are.
    pub compared: Option<Comparison>,
    /// How numbers and dates are written.
    pub locale: ReportLocale,
    /// `#rrggbb`.
    pub accent: Option<String>,
    /// The logo; `None` where there is none, or it could not be fetched.
    pub logo: Option<Picture>,
    /// The sections in the order of the template.
    pub sections: Vec<SectionData>,
}

#[cfg(test)]
impl Document {
    /// A report of March with these sections, as tests want one.
    pub(crate) fn of(sections: Vec<SectionData>) -> Self {
        let now = time::macros::datetime!(2026-03-31 09:15 UTC);
        Self {
            title: "March".to_owned(),
            domain: "shop.example".to_owned(),
            window: ReportWindow {
                days: pharos_domain::window::DateRange::ending(now.date(), 31),
                period: None,
                compares: false,
                now,
            },
            compared: None,
            locale: ReportLocale::En,
            accent: None,
            logo: None,
            sections,
        }
    }
}
