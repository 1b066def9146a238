#![doc = include_str!("../README.md")]

mod bfcache;
mod browsers;
mod chosen;
mod cls;
mod config;
mod connections;
mod countries;
mod crux;
mod devices;
mod distribution;
mod engagement;
mod errors;
mod filters;
mod has_data;
mod impact;
mod inp;
mod lcp;
mod long_tasks;
mod meta;
mod navigation_types;
mod overview;
mod page_detail;
mod pages;
mod pageviews;
mod releases;
mod requests;
mod resources;
mod slices;
mod third_parties;
mod timeseries;
mod ttfb;
mod vitals;
mod widgets;

pub use self::widgets::VitalsWidgets;
use pharos_http::operation::Operation;

/// The operations of real-user monitoring.
#[must_use]
pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new(&has_data::SPEC, has_data::view),
        Operation::new(&overview::SPEC, overview::view),
        Operation::new(&lcp::view::SPEC, lcp::view::view),
        Operation::new(&lcp::elements::SPEC, lcp::elements::list),
        Operation::new(&inp::view::SPEC, inp::view::view),
        Operation::new(&inp::elements::SPEC, inp::elements::list),
        Operation::new(&inp::scripts::SPEC, inp::scripts::list),
        Operation::new(&cls::elements::SPEC, cls::elements::list),
        Operation::new(&ttfb::SPEC, ttfb::view),
        Operation::new(&errors::list::SPEC, errors::list::list),
        Operation::new(&errors::detail::SPEC, errors::detail::view),
        Operation::new(&resources::SPEC, resources::list),
        Operation::new(&requests::SPEC, requests::list),
        Operation::new(&third_parties::SPEC, third_parties::list),
        Operation::new(&long_tasks::SPEC, long_tasks::list),
        Operation::new(&timeseries::SPEC, timeseries::view),
        Operation::new(&distribution::SPEC, distribution::view),
        Operation::new(&countries::SPEC, countries::list),
        Operation::new(&devices::SPEC, devices::list),
        Operation::new(&browsers::SPEC, browsers::list),
        Operation::new(&connections::SPEC, connections::list),
        Operation::new(&navigation_types::SPEC, navigation_types::list),
        Operation::new(&pages::SPEC, pages::list),
        Operation::new(&page_detail::SPEC, page_detail::view),
        Operation::new(&pageviews::SPEC, pageviews::list),
        Operation::new(&engagement::view::SPEC, engagement::view::view),
        Operation::new(&engagement::correlation::SPEC, engagement::correlation::view),
        Operation::new(&bfcache::SPEC, bfcache::view),
        Operation::new(&impact::SPEC, impact::list),
        Operation::new(&config::view::SPEC, config::view::view),
        Operation::new(&config::update::SPEC, config::update::update),
        Operation::new(&crux::overview::SPEC, crux::overview::view),
        Operation::new(&crux::record::SPEC, crux::record::view),
        Operation::new(&crux::history::SPEC, crux::history::view),
        Operation::new(&crux::lcp_breakdown::SPEC, crux::lcp_breakdown::view),
        Operation::new(&crux::navigation_types::SPEC, crux::navigation_types::view),
        Operation::new(&crux::urls::list::SPEC, crux::urls::list::list),
        Operation::new(&crux::urls::create::SPEC, crux::urls::create::create),
        Operation::new(&crux::urls::view::SPEC, crux::urls::view::view),
        Operation::new(&crux::urls::delete::SPEC, crux::urls::delete::delete),
        Operation::new(&crux::urls::history::SPEC, crux::urls::history::view),
        Operation::new(&crux::lookup::SPEC, crux::lookup::run),
    ]
}
