#![doc = include_str!("../README.md")]

pub mod admin;
pub mod credits;
pub mod domains;
pub mod quotas;
pub mod refusals;
pub mod reporters;
pub mod subscription;
pub mod verification;
pub mod workspaces;
