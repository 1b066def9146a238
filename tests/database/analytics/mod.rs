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
