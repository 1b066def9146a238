//! Clocks of nodes that are ahead of the database's, and what they leave behind. These tests take place now, those of jobs by the
//! clock of a database.

mod checks;
mod jobs;
mod registrations;
mod rules;
mod upkeep;

use pharos_domain::identity::DomainAccess;
use pharos_uptime::check::Outcome;
use time::OffsetDateTime;

use crate::{
    completion::{check, finished},
    harness::Fixture,
};

const UP: Outcome = Outcome::Up;
const DOWN: Outcome = Outcome::Down;

fn now() -> OffsetDateTime {
    OffsetDateTime::now_utc()
}

/// Stores a check from a region that a node's clock has stamped, which says the same now.
async fn store(fixture: &Fixture, access: &DomainAccess, at: OffsetDateTime, outcome: Outcome) {
    let done = finished(check(access, "eu", at, outcome), at);
    fixture.stores.schedule.complete(&[done], at).await.unwrap();
}
