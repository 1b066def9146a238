#![doc = include_str!("../README.md")]

pub mod bell;
mod held;
pub mod metrics;
pub mod run;
mod settle;
pub mod slots;
#[cfg(test)]
mod tests;
pub mod work;
