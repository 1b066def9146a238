//! The demo's generated history: ninety days of visits that nobody made, the same on each machine for the same day.

mod causes;
mod loads;
mod shape;
mod views;
mod visitor;
mod visits;

use std::time::Instant;

use anyhow::Context;
use pharos_domain::{
    audit::Actor,
    collect::{Beacon, BeaconStore, event::Events, view::View},
    ids::DomainId,
    ports::Ports,
};
use pharos_vitals::releases::ReleaseStore;
use time::{Duration, OffsetDateTime};

pub(super) use self::shape::{DAYS, RETITLED};
use self::shape::{Day, RELEASES};

/// From which everything is drawn.
const SEED: u64 = 0x5048_4152_4f53;
/// How many beacons are stored at a time.
const BATCH: usize = 500;

/// Stores the ninety days before `now`, what passed of today, and the releases of these days, and says on stderr how far it is, and
/// in the end how long that took: of some 16,000 visits, and 32,000 views with 200,000 resources and 20,000 long frames. Beacons have the
/// same ids again when this is called again within two days, so that each counts once.
///
/// # Errors
/// A port is missing, or a store failed.
pub(super) async fn write(
    ports: &Ports,
    domain: DomainId,
    host: &str,
    now: OffsetDateTime,
) -> anyhow::Result<()> {
    let events = ports.get::<dyn BeaconStore<Events>>()?;
    let views = ports.get::<dyn BeaconStore<View>>()?;
    let begun = Instant::now();
    for ago in (0..=DAYS).rev() {
        if ago % 15 == 0 {
            eprintln!("Generating history: {} of {DAYS} days", DAYS - ago);
        }
        let date = (now - Duration::days(ago.into())).date();
        let (visits, seen) = day(domain, host, Day { date, ago }, now);
        for batch in visits.chunks(BATCH) {
            events.store(batch).await.context("generated visits")?;
        }
        for batch in seen.chunks(BATCH) {
            views.store(batch).await.context("generated page views")?;
        }
    }
    let releases = ports.get::<dyn ReleaseStore>()?;
    for (name, released_at) in released(now) {
        releases
            .add(domain, name, Some(released_at), &Actor::system(), now)
            .await
            .context("generated releases")?;
    }
    eprintln!(
        "Generated history: {DAYS} days in {} s",
        begun.elapsed().as_secs()
    );
    Ok(())
}

/// The releases, each with the moment from which it was there.
fn released(now: OffsetDateTime) -> [(&'static str, OffsetDateTime); 2] {
    RELEASES.map(|(name, ago)| {
        let day = (now - Duration::days(ago.into())).date();
        (name, day.midnight().assume_utc())
    })
}

/// The beacons of a day: of its visits, and of its page views.
fn day(
    domain: DomainId,
    host: &str,
    day: Day,
    until: OffsetDateTime,
) -> (Vec<Beacon<Events>>, Vec<Beacon<View>>) {
    let mut random = fastrand::Rng::with_seed(SEED ^ u64::from(day.ago));
    let visits = visits::visits(domain, host, day, until, &mut random);
    let views = views::views(&visits, day, &mut random);
    (visits, views)
}

#[cfg(test)]
mod tests;
