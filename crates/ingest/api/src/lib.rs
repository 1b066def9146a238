#![doc = include_str!("../README.md")]

mod beacons;
mod body;
mod collection;
mod refusals;
mod routes;
mod script;

pub use self::collection::Collection;
