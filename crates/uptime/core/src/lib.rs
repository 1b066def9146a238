#![doc = include_str!("../README.md")]

pub mod address_policy;
pub mod availability;
pub mod block;
pub mod certificate;
pub mod check;
pub mod checker;
pub mod history;
pub mod incident;
pub mod monitor;
pub mod probe;
pub mod registration;
pub mod run;
pub mod scheduler;
pub mod state;
pub mod status;
pub mod store;
