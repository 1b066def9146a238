//! The changes that a batch of checks makes to what is stored of certificates, computed in memory.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use pharos_domain::{ids::DomainId, store::StoreError};
use ring::digest::{SHA256, digest};
use time::{Duration, OffsetDateTime};

use super::Sighting;

/// How old a stored sighting may grow while checks see the same.
const RENEWED_AFTER: Duration = Duration::HOUR;

/// The last sighting as it is compared: enough to tell whether another is the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// SHA-256 of it as it is written.
    pub digest: Vec<u8>,
    /// The check that saw it.
    pub checked_at: OffsetDateTime,
}

/// A sighting that is to be stored as a domain's last.
#[derive(Clone, Debug, PartialEq)]
pub struct Last {
    /// Its digest and its time, which the next sighting is compared with.
    pub known: Known,
    /// The sighting to store.
    pub sighting: Arc<Sighting>,
}

/// A certificate that was seen, and when: first and last in this batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The sighting that saw it first.
    pub sighting: Arc<Sighting>,
    /// The first check of the batch that saw it.
    pub first: OffsetDateTime,
    /// The newest check of the batch that saw it.
    pub last: OffsetDateTime,
}

/// The certificate that a domain's site presents now.
#[derive(Clone, Debug, PartialEq)]
pub struct Present {
    /// SHA-256 of it, hex, lower case.
    pub fingerprint: String,
    /// The check that first saw it in the place of another.
    pub since: OffsetDateTime,
}

/// The rows that a batch leads to.
#[derive(Debug, Default)]
pub struct Changes {
    /// The last sighting of each domain.
    pub last: BTreeMap<DomainId, Last>,
    /// The certificates that were seen, by domain and fingerprint.
    pub seen: BTreeMap<(DomainId, String), Seen>,
    /// The certificate that each domain's site presents after them.
    pub present: BTreeMap<DomainId, Present>,
}

impl Changes {
    /// Takes in the sightings of a batch of checks, each with its domain and its time, in the order of their times. One that
    /// equals the last is passed over until that is an hour old; one that came too late, always.
    ///
    /// # Errors
    /// A sighting could not be written.
    pub fn of<'a>(
        mut known: HashMap<DomainId, Known>,
        sightings: impl IntoIterator<Item = (DomainId, OffsetDateTime, &'a Arc<Sighting>)>,
    ) -> Result<Self, StoreError> {
        let mut changes = Self::default();
        for (domain, at, sighting) in sightings {
            let written =
                serde_json::to_vec(&**sighting).map_err(|error| StoreError::Failed(Box::new(error)))?;
            let digest = digest(&SHA256, &written).as_ref().to_vec();
            let passed_over = known.get(&domain).is_some_and(|last| {
                at <= last.checked_at || (last.digest == digest && at - last.checked_at < RENEWED_AFTER)
            });
            if passed_over {
                continue;
            }
            let now = Known {
                digest,
                checked_at: at,
            };
            known.insert(domain, now.clone());
            changes.add(domain, now, sighting);
        }
        Ok(changes)
    }

    fn add(&mut self, domain: DomainId, known: Known, sighting: &Arc<Sighting>) {
        let at = known.checked_at;
        if let Some(certificate) = sighting.certificate() {
            let fingerprint = &certificate.fingerprint_sha256;
            self.seen
                .entry((domain, fingerprint.clone()))
                .and_modify(|seen| seen.last = at)
                .or_insert_with(|| Seen {
                    sighting: Arc::clone(sighting),
                    first: at,
                    last: at,
                });
            if self.present.get(&domain).map(|present| &present.fingerprint) != Some(fingerprint) {
                let present = Present {
                    fingerprint: fingerprint.clone(),
                    since: at,
                };
                self.present.insert(domain, present);
            }
        }
        let sighting = Arc::clone(sighting);
        self.last.insert(domain, Last { known, sighting });
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::certificate::fixture::{START, sighting};

    const DOMAIN: DomainId = DomainId(Uuid::from_u128(1));

    /// A check, so many minutes on, that sees the certificate of that fingerprint.
    fn saw(minute: i64, fingerprint: &str) -> (OffsetDateTime, Arc<Sighting>) {
        let sighting = sighting(90, |presented| {
            if let Some(certificate) = &mut presented.certificate {
                certificate.fingerprint_sha256 = fingerprint.to_owned();
            }
        });
        (START + Duration::minutes(minute), Arc::new(sighting))
    }

    /// The changes that these checks lead to.
    fn after(known: HashMap<DomainId, Known>, checks: &[(OffsetDateTime, Arc<Sighting>)]) -> Changes {
        let sightings = checks.iter().map(|(at, sighting)| (DOMAIN, *at, sighting));
        Changes::of(known, sightings).unwrap()
    }

    fn known(changes: &Changes) -> HashMap<DomainId, Known> {
        let last = changes.last.iter();
        last.map(|(domain, last)| (*domain, last.known.clone())).collect()
    }

    #[test]
    fn what_is_seen_again_is_stored_once_an_hour() {
        let first = after(HashMap::new(), &[saw(0, "a"), saw(1, "a"), saw(59, "a")]);
        assert_eq!(first.last[&DOMAIN].known.checked_at, START);
        let soon = after(known(&first), &[saw(59, "a")]);
        assert!(soon.last.is_empty() && soon.seen.is_empty() && soon.present.is_empty());
        let later = after(known(&first), &[saw(60, "a")]);
        assert_eq!(later.last[&DOMAIN].known.checked_at, START + Duration::HOUR);
    }

    #[test]
    fn another_certificate_is_stored_at_once_and_takes_the_place_of_the_last() {
        let changes = after(HashMap::new(), &[saw(0, "a"), saw(1, "b"), saw(2, "a")]);
        let seen = |fingerprint: &str| {
            let seen = &changes.seen[&(DOMAIN, fingerprint.to_owned())];
            [seen.first, seen.last].map(|at| (at - START).whole_minutes())
        };
        assert_eq!((seen("a"), seen("b")), ([0, 2], [1, 1]));
        let present = &changes.present[&DOMAIN];
        assert_eq!(
            (present.fingerprint.as_str(), present.since),
            ("a", START + Duration::minutes(2))
        );
    }

    #[test]
    fn what_comes_too_late_is_passed_over() {
        let first = after(HashMap::new(), &[saw(5, "a")]);
        let late = after(known(&first), &[saw(4, "b"), saw(5, "b")]);
        assert!(late.last.is_empty() && late.seen.is_empty());
    }
}
