#![doc = include_str!("../README.md")]

pub mod frame;
pub mod mail;
pub mod mailer;
