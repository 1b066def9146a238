#![doc = include_str!("../README.md")]

pub mod frame;
pub mod letter;
pub mod mail;
pub mod mailer;
