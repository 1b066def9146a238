//! A log of five views by hand, and the answers to it, computed on paper. Every implementation of the ports must give them.
//!
//! It has two days, and each rule in it: midnight, what comes twice or is told anew, views without a metric, views that go back.

mod answers;
mod log;

use pharos_domain::{
    collect::{BeaconStore, view::View},
    identity::DomainAccess,
    store::StoreError,
};

pub use self::{
    answers::{
        check_behaviour, check_errors, check_figures, check_impact, check_pages, check_slices, check_trends,
    },
    log::{FIRST, LAST, NOW, beacons},
};

/// Tells a store the log in the order in which it arrives, a beacon at a time and then all of them again.
///
/// # Errors
/// The store fails.
pub async fn tell(store: &dyn BeaconStore<View>, domain: &DomainAccess) -> Result<(), StoreError> {
    let beacons = beacons(domain.id());
    for beacon in &beacons {
        store.store(std::slice::from_ref(beacon)).await?;
    }
    store.store(&beacons).await
}
