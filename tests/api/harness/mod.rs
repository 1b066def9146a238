//! A server of one's own, the client, the contract, fixtures.

mod app;
mod client;
mod clock_behind;
mod contract;
pub(crate) mod filler;
mod node;
pub(crate) mod openssl;
mod postgres;
mod programs;
mod proxy;
mod site;
mod world;

pub(crate) use app::TestApp;
pub(crate) use client::{Connection, Reply, Request, raw};
pub(crate) use clock_behind::ClockBehind;
pub(crate) use contract::Contract;
pub(crate) use node::{Node, binary, free_address};
pub(crate) use postgres::OwnPostgres;
pub(crate) use programs::{clients, newer_node, python};
pub(crate) use proxy::Proxy;
pub(crate) use site::Site;
pub(crate) use world::{Key, World, actor, all_scopes, filled};
