#![doc = include_str!("../README.md")]

mod config;
mod countries;
mod devices;
mod downloads;
mod ecommerce;
mod events;
mod experiments;
mod funnel;
mod journeys;
mod links;
mod outbound_links;
mod overview;
mod pages;
mod parts;
mod realtime;
mod reports;
mod retention;
mod searches;
mod sources;
mod timeseries;
mod widgets;

pub use self::widgets::AnalyticsWidgets;
use pharos_analytics::actions::ActionFigures;
use pharos_domain::{
    module::Module,
    problem::Suffix,
    scope::Scope,
    window::{DataThrough, DateRange, Meta, ResolvedWindow},
};
use pharos_http::{
    operation::Operation,
    problem::Problem,
    spec::{Bucket, Credits, OperationSpec, Window},
};
use time::OffsetDateTime;

/// The base of the reads of visits over a window.
const READ: OperationSpec = OperationSpec {
    module: Module::Analytics,
    scope: Some(Scope::ReadAnalytics),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 300,
    window: Window::Full,
    problems: &[Suffix::AnalyticsNotFound],
    ..OperationSpec::GET
};

/// Up to when there are data of a window: the newest of the domain came at that moment.
fn through(window: DateRange, last_at: Option<OffsetDateTime>) -> Option<OffsetDateTime> {
    last_at.map(|last_at| last_at.min(window.end()))
}

/// The window of an answer, of which the newest data came at that moment.
fn meta(asked: &ResolvedWindow, last_at: Option<OffsetDateTime>) -> Meta {
    asked.meta(None, through(asked.window, last_at).map(DataThrough::from))
}

/// The refusal for a domain without analytics.
fn missing() -> Problem {
    Problem::new(
        Suffix::AnalyticsNotFound,
        "Web analytics is not set up for the domain. PUT …/analytics/config sets it up.",
    )
}

/// Where a row stands in a list that is in the order of how often something was done.
fn place(row: &ActionFigures) -> i64 {
    i64::try_from(row.count).unwrap_or(i64::MAX)
}

/// The operations of analytics.
#[must_use]
pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new(&overview::SPEC, overview::view),
        Operation::new(&timeseries::SPEC, timeseries::view),
        Operation::new(&pages::SPEC, pages::list),
        Operation::new(&sources::SPEC, sources::list),
        Operation::new(&countries::SPEC, countries::list),
        Operation::new(&devices::SPEC, devices::view),
        Operation::new(&searches::SPEC, searches::list),
        Operation::new(&downloads::SPEC, downloads::list),
        Operation::new(&outbound_links::SPEC, outbound_links::list),
        Operation::new(&events::SPEC, events::list),
        Operation::new(&events::properties::SPEC, events::properties::list),
        Operation::new(&ecommerce::overview::SPEC, ecommerce::overview::view),
        Operation::new(&ecommerce::products::SPEC, ecommerce::products::list),
        Operation::new(&ecommerce::channels::SPEC, ecommerce::channels::list),
        Operation::new(&funnel::SPEC, funnel::view),
        Operation::new(&retention::SPEC, retention::view),
        Operation::new(&journeys::SPEC, journeys::list),
        Operation::new(&realtime::SPEC, realtime::view),
        Operation::new(&config::view::SPEC, config::view::view),
        Operation::new(&config::update::SPEC, config::update::update),
        Operation::new(&experiments::list::SPEC, experiments::list::list),
        Operation::new(&experiments::create::SPEC, experiments::create::create),
        Operation::new(&experiments::view::SPEC, experiments::view::view),
        Operation::new(&experiments::update::SPEC, experiments::update::update),
        Operation::new(&experiments::delete::SPEC, experiments::delete::delete),
        Operation::new(&experiments::evaluate::SPEC, experiments::evaluate::evaluate),
        Operation::new(&experiments::latest::SPEC, experiments::latest::view),
        Operation::new(&reports::catalogue::SPEC, reports::catalogue::list),
        Operation::new(&reports::create::SPEC, reports::create::create),
        Operation::new(&reports::runs::SPEC, reports::runs::list),
        Operation::new(&reports::view::SPEC, reports::view::view),
        Operation::new(&reports::rows::SPEC, reports::rows::list),
    ]
}
