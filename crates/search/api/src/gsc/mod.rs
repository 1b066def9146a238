//! Operations of the module `gsc`: search performance.

mod brand_split;
mod cannibalization;
mod config;
mod content_decay;
mod countries;
mod ctr_gaps;
mod devices;
mod directories;
mod hourly;
mod lost_rankings;
mod movers;
mod new_rankings;
mod one_value;
mod opportunities;
mod overview;
mod pages;
mod parts;
mod position_distribution;
mod property;
mod queries;
mod rankings;
mod reports;
mod search_appearances;
mod sync;
mod timeseries;
pub(crate) mod widgets;

use pharos_http::operation::Operation;

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::new(&property::SPEC, property::view),
        Operation::new(&config::view::SPEC, config::view::view),
        Operation::new(&config::update::SPEC, config::update::update),
        Operation::new(&sync::SPEC, sync::run),
        Operation::new(&hourly::SPEC, hourly::view),
        Operation::new(&overview::SPEC, overview::view),
        Operation::new(&timeseries::SPEC, timeseries::view),
        Operation::new(&queries::list::SPEC, queries::list::list),
        Operation::new(&queries::detail::SPEC, queries::detail::view),
        Operation::new(&pages::list::SPEC, pages::list::list),
        Operation::new(&pages::detail::SPEC, pages::detail::view),
        Operation::new(&countries::SPEC, countries::list),
        Operation::new(&devices::SPEC, devices::list),
        Operation::new(&search_appearances::SPEC, search_appearances::list),
        Operation::new(&new_rankings::SPEC, new_rankings::list),
        Operation::new(&lost_rankings::SPEC, lost_rankings::list),
        Operation::new(&movers::SPEC, movers::list),
        Operation::new(&directories::SPEC, directories::list),
        Operation::new(&position_distribution::SPEC, position_distribution::view),
        Operation::new(&brand_split::SPEC, brand_split::view),
        Operation::new(&opportunities::SPEC, opportunities::list),
        Operation::new(&ctr_gaps::SPEC, ctr_gaps::list),
        Operation::new(&cannibalization::SPEC, cannibalization::list),
        Operation::new(&content_decay::SPEC, content_decay::list),
        Operation::new(&reports::catalogue::SPEC, reports::catalogue::list),
        Operation::new(&reports::create::SPEC, reports::create::create),
        Operation::new(&reports::runs::SPEC, reports::runs::list),
        Operation::new(&reports::view::SPEC, reports::view::view),
        Operation::new(&reports::rows::SPEC, reports::rows::list),
    ]
}
