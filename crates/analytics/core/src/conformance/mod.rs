//! A log of visits by hand, and the answers to it, computed on paper. Every implementation of the ports must give them.
//!
//! It has five days over a month's end, and each rule in it: half an hour, midnight, what comes late or twice, bounces and what
//! ends them, events that open sessions, engagement that opens none, orders that repeat, refunds, another currency.

mod actions;
mod answers;
mod breakdowns;
mod log;
mod paths;
mod sales;

use pharos_domain::{
    collect::{BeaconStore, event::Events},
    identity::DomainAccess,
    store::StoreError,
};

pub use self::{
    actions::check as check_actions,
    answers::check,
    log::{FIRST, LAST, NOW, beacons},
    paths::check as check_paths,
    sales::check as check_sales,
};

/// Tells a store the log in the order in which it arrives, a beacon at a time and some of them twice.
///
/// # Errors
/// The store fails.
pub async fn tell(store: &dyn BeaconStore<Events>, domain: &DomainAccess) -> Result<(), StoreError> {
    let beacons = beacons(domain.id());
    for beacon in &beacons {
        store.store(std::slice::from_ref(beacon)).await?;
    }
    store.store(&beacons).await
}
