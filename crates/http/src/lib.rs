#![doc = include_str!("../README.md")]

pub mod answer;
pub mod authenticator;
pub mod catalogue;
pub mod effective;
pub mod extract;
pub mod flights;
pub mod gates;
pub mod kept;
pub mod kit;
pub mod metering;
pub mod open;
pub mod openapi;
pub mod operation;
pub mod pages;
mod passage;
pub mod problem;
pub mod public;
pub mod registry;
pub mod run;
pub mod service;
pub mod source;
pub mod spec;
