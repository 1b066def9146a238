#![doc = include_str!("../README.md")]

pub mod api;
pub mod catalogue;
pub mod credential;
pub mod http;
pub mod metrics;
mod outside;
mod progress;
mod prompts;
mod resources;
mod server;
pub mod shape;
mod shaping;
pub mod stdio;
mod tools;
