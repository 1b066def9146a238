//! Credits and idempotency: the ledger, what is charged with an effect, and the answers that keys were given.

mod balance;
mod batch;
pub mod charged;
mod doubt;
pub(crate) mod effect;
pub mod ledger;
mod plain;
pub mod replays;
