//! The reports that there are.

use pharos_domain::{
    wide_pull::{Column, ColumnKind, Report},
    wire_enum,
};

/// How many rows a report keeps: the first of its order.
pub const MOST_ROWS: u32 = 250_000;

wire_enum! {
    /// A report.
    ReportKey as "AnalyticsReportKey" {
        /// Pages.
        PagesFull = "pages_full",
        /// Sources.
        SourcesFull = "sources_full",
        /// Campaigns.
        CampaignsFull = "campaigns_full",
        /// Events by page.
        EventsFull = "events_full",
        /// Values of the properties of events.
        EventPropertiesFull = "event_properties_full",
        /// Products that were bought.
        EcommerceOrdersByProduct = "ecommerce_orders_by_product",
        /// Pages by source.
        PagesBySource = "pages_by_source",
        /// Pages by country.
        CountriesByPage = "countries_by_page",
        /// Hours.
        HourlyTraffic = "hourly_traffic",
    }
}

const fn text(name: &'static str) -> Column {
    Column::of(name, ColumnKind::String)
}

const fn count(name: &'static str) -> Column {
    Column::of(name, ColumnKind::Integer)
}

const fn number(name: &'static str, unit: &'static str) -> Column {
    Column::number(name, unit)
}

const BOUNCE_RATE: Column = number("bounce_rate_pct", "percent");
const DURATION: Column = number("avg_duration_seconds", "seconds");
const OF_SESSIONS: &[Column] = &[
    count("visitors"),
    count("sessions"),
    count("pageviews"),
    BOUNCE_RATE,
    DURATION,
];
const OF_VIEWS: &[Column] = &[count("visitors"), count("sessions"), count("pageviews")];

impl ReportKey {
    /// The report of that key.
    #[must_use]
    pub const fn report(self) -> &'static Report {
        match self {
            Self::PagesFull => {
                const {
                    &Report {
                        name: "All pages",
                        description: "Every page that was viewed, the one with most visitors first.",
                        dimensions: &[text("page")],
                        metrics: &[
                            count("visitors"),
                            count("pageviews"),
                            count("sessions"),
                            count("entries"),
                            count("exits"),
                            BOUNCE_RATE,
                            number("exit_rate_pct", "percent"),
                            number("avg_time_seconds", "seconds"),
                            number("scroll_depth_pct", "percent"),
                        ],
                    }
                }
            }
            Self::SourcesFull => {
                const {
                    &Report {
                        name: "All sources",
                        description: "Every combination of channel, source, medium and referrer that sessions came by, the one with most \
                              visitors first.",
                        dimensions: &[text("channel"), text("source"), text("medium"), text("referrer")],
                        metrics: OF_SESSIONS,
                    }
                }
            }
            Self::CampaignsFull => {
                const {
                    &Report {
                        name: "All campaigns",
                        description: "Every combination of campaign, source, medium, term and content of sessions that name a campaign, the \
                              one with most visitors first.",
                        dimensions: &[
                            text("campaign"),
                            text("source"),
                            text("medium"),
                            text("term"),
                            text("content"),
                        ],
                        metrics: OF_SESSIONS,
                    }
                }
            }
            Self::EventsFull => {
                const {
                    &Report {
                        name: "All events by page",
                        description: "Every event of the site's own by the page that it happened on, the most frequent first.",
                        dimensions: &[text("event_name"), text("page")],
                        metrics: &[count("count"), count("visitors"), count("sessions")],
                    }
                }
            }
            Self::EventPropertiesFull => {
                const {
                    &Report {
                        name: "All values of event properties",
                        description: "Every value of every property of every event, the most frequent first. Numbers and flags are told as \
                              texts.",
                        dimensions: &[text("event_name"), text("property"), text("value")],
                        metrics: &[count("count"), count("visitors")],
                    }
                }
            }
            Self::EcommerceOrdersByProduct => {
                const {
                    &Report {
                        name: "Orders by product",
                        description: "Every product that was bought, the one with the highest revenue first. Revenue is of orders in the \
                              domain's currency, or that name none, without refunds.",
                        dimensions: &[
                            text("product_id"),
                            text("name"),
                            text("category"),
                            text("brand"),
                            text("variant"),
                        ],
                        metrics: &[count("orders"), count("purchases"), number("revenue", "currency")],
                    }
                }
            }
            Self::PagesBySource => {
                const {
                    &Report {
                        name: "Pages by source",
                        description: "Every page by the channel and source of the sessions that viewed it, the one with most visitors first.",
                        dimensions: &[text("page"), text("channel"), text("source")],
                        metrics: OF_VIEWS,
                    }
                }
            }
            Self::CountriesByPage => {
                const {
                    &Report {
                        name: "Countries by page",
                        description: "Every page by the country of the sessions that viewed it, the one with most visitors first. A country \
                              that is not known is null.",
                        dimensions: &[text("page"), text("country")],
                        metrics: OF_VIEWS,
                    }
                }
            }
            Self::HourlyTraffic => {
                const {
                    &Report {
                        name: "Hours",
                        description: "Every hour in which something happened, the first one first: visitors who were active in it, sessions \
                              that began in it.",
                        dimensions: &[Column {
                            name: "hour",
                            kind: ColumnKind::Timestamp,
                            unit: None,
                        }],
                        metrics: &[
                            count("visitors"),
                            count("sessions"),
                            count("pageviews"),
                            count("events"),
                        ],
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_report_has_two_columns_of_a_name() {
        for key in ReportKey::ALL {
            let report = key.report();
            let names: BTreeSet<_> = report.columns().map(|column| column.name).collect();
            assert_eq!(names.len(), report.columns().count(), "{key}");
        }
    }
}
