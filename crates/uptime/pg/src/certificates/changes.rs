//! What a batch of checks changes of what is known of certificates, worked out in memory.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use pharos_domain::store::StoreError;
use pharos_uptime::{certificate::Sighting, store::FinishedCheck};
use ring::digest::{SHA256, digest};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// How old a stored sighting may grow while checks see the same.
const RENEWED_AFTER: Duration = Duration::HOUR;

/// What is stored of the last sighting: enough to tell whether another is the same.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) digest: Vec<u8>,
    pub(super) checked_at: OffsetDateTime,
}

/// A sighting that is to be stored as a domain's last.
pub(super) struct Last {
    pub(super) known: Known,
    pub(super) sighting: Arc<Sighting>,
}

/// A certificate that was seen, and when: first and last in this batch.
pub(super) struct Seen {
    pub(super) sighting: Arc<Sighting>,
    pub(super) first: OffsetDateTime,
    pub(super) last: OffsetDateTime,
}

/// The certificate that a domain's site presents now.
pub(super) struct Present {
    pub(super) fingerprint: String,
    pub(super) since: OffsetDateTime,
}

/// What is to be stored.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) last: BTreeMap<Uuid, Last>,
    /// By domain and fingerprint.
    pub(super) seen: BTreeMap<(Uuid, String), Seen>,
    pub(super) present: BTreeMap<Uuid, Present>,
}

impl Changes {
    /// Takes in the sightings of a batch, in the order of their time. One that equals the last is passed over until
    /// that is an hour old; one that came too late, always.
    pub(super) fn of(
        mut known: HashMap<Uuid, Known>,
        finished: &[FinishedCheck],
    ) -> Result<Self, StoreError> {
        let mut changes = Self::default();
        for done in finished {
            let Some(sighting) = &done.sighting else {
                continue;
            };
            let (domain, at) = (done.check.domain_id.0, done.check.checked_at);
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

    fn add(&mut self, domain: Uuid, known: Known, sighting: &Arc<Sighting>) {
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
