#![doc = include_str!("../README.md")]

mod beacons;
mod body;
mod refusals;
mod routes;
mod script;

pub use self::routes::Collection;
