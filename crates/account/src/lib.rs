#![doc = include_str!("../README.md")]

pub mod admin;
pub mod domains;
#[cfg(feature = "http")]
pub mod http;
pub mod workspaces;
