#![doc = include_str!("../README.md")]

pub mod answer;
pub mod authenticator;
pub mod effective;
pub mod extract;
pub mod gates;
pub mod metering;
pub mod openapi;
pub mod operation;
pub mod pages;
pub mod problem;
pub mod registry;
pub mod service;
pub mod source;
pub mod spec;
