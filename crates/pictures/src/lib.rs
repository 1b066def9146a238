#![doc = include_str!("../README.md")]

pub mod bar_list;
pub mod calendar;
pub mod chart;
pub mod days;
pub mod figure;
pub mod flow;
pub mod gauge;
pub mod interval;
mod picture;
pub mod scale;
pub mod sparkline;
pub mod triangle;
pub mod waterfall;
