//! Web analytics: what beacons become, and what reads say of it.

mod answers;
mod collect;
mod dimensions;
mod extremes;
mod filters;
mod funnels;
mod long_paths;
mod panel;
mod plans;
mod report_limits;
mod rollups;
mod touches;
mod values;

use pharos_analytics::reports::ReportKey;

/// The statement of each report, by its key.
fn reports() -> Vec<(&'static str, &'static str)> {
    macro_rules! report {
        ($name:literal) => {
            (
                $name,
                include_str!(concat!(
                    "../../../crates/analytics/pg/src/reports/",
                    $name,
                    ".sql"
                )),
            )
        };
    }
    let reports = vec![
        report!("pages_full"),
        report!("sources_full"),
        report!("campaigns_full"),
        report!("events_full"),
        report!("event_properties_full"),
        report!("ecommerce_orders_by_product"),
        report!("pages_by_source"),
        report!("countries_by_page"),
        report!("hourly_traffic"),
    ];
    let keys: Vec<&str> = reports.iter().map(|(key, _)| *key).collect();
    let all: Vec<&str> = ReportKey::ALL.iter().map(|key| key.as_str()).collect();
    assert_eq!(keys, all);
    reports
}
