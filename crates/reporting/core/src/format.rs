//! The names of formats, triggers and languages.

use pharos_domain::wire_enum;

wire_enum! {
    /// The form of a report.
    ReportFormat {
        /// Pages to show and to print.
        Pdf = "pdf",
        /// One page for browsers, which needs nothing else.
        Html = "html",
        /// Tables for spreadsheets.
        Csv = "csv",
        /// Data for programs.
        Json = "json",
    }
}

impl ReportFormat {
    /// Its media type.
    #[must_use]
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Html => "text/html; charset=utf-8",
            Self::Csv => "text/csv; charset=utf-8",
            Self::Json => "application/json",
        }
    }
}

wire_enum! {
    /// Who had a report made.
    ReportTrigger {
        /// A call of the API.
        Api = "api",
        /// Somebody in the console.
        Dashboard = "dashboard",
        /// The schedule of its template.
        Schedule = "schedule",
    }
}

wire_enum! {
    /// How numbers and dates are written. The words are English in all.
    ReportLocale {
        /// 1,234.5 and 31 Mar 2026.
        En = "en",
        /// 1.234,5 and 31.03.2026.
        De = "de",
        /// 1 234,5 and 31/03/2026.
        Fr = "fr",
        /// 1.234,5 and 31/03/2026.
        Es = "es",
        /// 1,234.5 and 2026/03/31.
        Ja = "ja",
    }
}

wire_enum! {
    /// How often a report is made by itself.
    ScheduleFrequency as "ReportScheduleFrequency" {
        /// On one day of each week.
        Weekly = "weekly",
        /// On one day of each month.
        Monthly = "monthly",
    }
}
