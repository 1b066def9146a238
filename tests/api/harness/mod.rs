//! A server of one's own, the client, the contract, fixtures.

mod app;
mod client;
mod contract;
mod world;

pub(crate) use app::TestApp;
pub(crate) use client::{Reply, Request, raw};
pub(crate) use contract::Contract;
pub(crate) use world::{Key, World, actor, all_scopes};
