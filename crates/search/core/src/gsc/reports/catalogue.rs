//! The reports that there are.

use pharos_domain::{
    wide_pull::{Column, ColumnKind, Report},
    wire_enum,
};

use super::filter::FilterDimension;

/// How many rows a report keeps: the first of its order.
pub const MOST_ROWS: u32 = 1_000_000;

wire_enum! {
    /// A report.
    ReportKey as "SearchReportKey" {
        /// Queries by page.
        QueryPageMatrix = "query_page_matrix",
        /// Queries by country and device.
        QueryCountryDevice = "query_country_device",
        /// Pages by day.
        PageDaily = "page_daily",
        /// Queries by day.
        QueryDaily = "query_daily",
        /// Looks of results by page.
        SearchAppearancePages = "search_appearance_pages",
        /// Queries.
        TopQueriesFull = "top_queries_full",
        /// Pages.
        TopPagesFull = "top_pages_full",
        /// Pages, and the same days of the year before.
        YearOverYear = "year_over_year",
    }
}

const fn text(name: &'static str) -> Column {
    Column::of(name, ColumnKind::String)
}

const fn count(name: &'static str) -> Column {
    Column::of(name, ColumnKind::Integer)
}

const DATE: Column = Column::of("date", ColumnKind::Date);
const FIGURES: &[Column] = &[
    count("clicks"),
    count("impressions"),
    Column::number("ctr", "fraction"),
    Column::number("position", "rank"),
];

impl ReportKey {
    /// The report of that key.
    #[must_use]
    pub const fn report(self) -> &'static Report {
        match self {
            Self::QueryPageMatrix => {
                const {
                    &Report {
                        name: "Queries by page",
                        description: "Every query by the page that was shown for it, the pair with most clicks first. Counted by page.",
                        dimensions: &[text("query"), text("page")],
                        metrics: FIGURES,
                    }
                }
            }
            Self::QueryCountryDevice => {
                const {
                    &Report {
                        name: "Queries by country and device",
                        description: "Every query by the country and the device that people searched on, the one with most clicks first. A \
                              country or a device that is not known is null.",
                        dimensions: &[text("query"), text("country"), text("device")],
                        metrics: FIGURES,
                    }
                }
            }
            Self::PageDaily => {
                const {
                    &Report {
                        name: "Pages by day",
                        description: "Every page on every day that it was shown, the first day first and of a day the page with most \
                              clicks first.",
                        dimensions: &[DATE, text("page")],
                        metrics: FIGURES,
                    }
                }
            }
            Self::QueryDaily => {
                const {
                    &Report {
                        name: "Queries by day",
                        description: "Every query on every day that the site was shown for it, the first day first and of a day the query \
                              with most clicks first.",
                        dimensions: &[DATE, text("query")],
                        metrics: FIGURES,
                    }
                }
            }
            Self::SearchAppearancePages => {
                const {
                    &Report {
                        name: "Pages by look of the result",
                        description: "Every look that results had by the page that they led to, the pair with most clicks first. Results \
                              without a look of their own are not among them.",
                        dimensions: &[text("search_appearance"), text("page")],
                        metrics: FIGURES,
                    }
                }
            }
            Self::TopQueriesFull => {
                const {
                    &Report {
                        name: "All queries",
                        description: "Every query, the one with most clicks first.",
                        dimensions: &[text("query")],
                        metrics: FIGURES,
                    }
                }
            }
            Self::TopPagesFull => {
                const {
                    &Report {
                        name: "All pages",
                        description: "Every page, the one with most clicks first.",
                        dimensions: &[text("page")],
                        metrics: FIGURES,
                    }
                }
            }
            Self::YearOverYear => {
                const {
                    &Report {
                        name: "Pages against the year before",
                        description: "Every page that was shown on the days or on the same days a year before, the one with most clicks \
                              first. Figures of the year before are null where not all of its days were imported.",
                        dimensions: &[text("page")],
                        metrics: &[
                            count("clicks"),
                            count("clicks_previous"),
                            count("impressions"),
                            count("impressions_previous"),
                            Column::number("ctr", "fraction"),
                            Column::number("ctr_previous", "fraction"),
                            Column::number("position", "rank"),
                            Column::number("position_previous", "rank"),
                        ],
                    }
                }
            }
        }
    }

    /// The dimensions that tell its rows apart, days aside.
    #[must_use]
    pub const fn dimensions(self) -> &'static [FilterDimension] {
        match self {
            Self::QueryPageMatrix => &[FilterDimension::Query, FilterDimension::Page],
            Self::QueryCountryDevice => &[
                FilterDimension::Query,
                FilterDimension::Country,
                FilterDimension::Device,
            ],
            Self::QueryDaily | Self::TopQueriesFull => &[FilterDimension::Query],
            Self::SearchAppearancePages => &[FilterDimension::SearchAppearance, FilterDimension::Page],
            Self::PageDaily | Self::TopPagesFull | Self::YearOverYear => &[FilterDimension::Page],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_the_dimensions_and_no_two_have_a_name() {
        for key in ReportKey::ALL {
            let report = key.report();
            let named: Vec<&str> = report.dimensions.iter().map(|column| column.name).collect();
            let told: Vec<&str> = key
                .dimensions()
                .iter()
                .map(|dimension| dimension.as_str())
                .collect();
            let without_days: Vec<&str> = named.into_iter().filter(|name| *name != "date").collect();
            assert_eq!(without_days, told, "{key}");
            let mut names: Vec<&str> = report.columns().map(|column| column.name).collect();
            let all = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), all, "{key}");
        }
    }
}
