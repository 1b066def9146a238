//! Web analytics: what beacons become, and what reads say of it.

mod answers;
mod collect;
mod extremes;
mod funnels;
mod plans;
mod rollups;
mod touches;
mod values;
