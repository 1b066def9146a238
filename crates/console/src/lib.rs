#![doc = include_str!("../README.md")]

mod apps;
mod channels;
mod consent;
pub mod console;
mod cookies;
mod form;
mod next;
mod page;
mod refusal;
mod routes;
mod shown;
mod sign_in;
mod token;
mod unsubscribe;
mod visit;
mod welcome;
