#![doc = include_str!("../README.md")]

pub mod bar_list;
pub mod calendar;
pub mod chart;
pub mod days;
pub mod figure;
pub mod gauge;
mod picture;
pub mod scale;
pub mod sparkline;
pub mod waterfall;
