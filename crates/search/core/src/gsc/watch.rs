//! Imports, as things with a due time: the newest days once a day, the past in between.

use std::{
    error::Error,
    fmt,
    pin::pin,
    sync::Arc,
    time::{Duration as StdDuration, Instant},
};

use async_trait::async_trait;
use pharos_domain::{kept_answers::KeptAnswers, module::Module, store::StoreError};
use pharos_due::{
    run::{DueLoop, DuePace},
    slots,
    work::{DueClaim, DueWork},
};
use time::{Duration, OffsetDateTime};
use tokio::{select, time::sleep};
use tokio_util::sync::CancellationToken;

use super::{
    half_done::HalfDone,
    importer::{ImportError, Imported, Importer, Newest, Past},
    link::{DueLink, Link, Next, Synced},
    property::{PropertyStatus, SyncStatus},
};
use crate::{google::error::GoogleError, metrics};

/// How long a claim holds: so long after a node died another imports its properties.
const LEASE: Duration = Duration::minutes(15);
/// How often an import that goes on renews its claim.
const RENEWED: StdDuration = StdDuration::from_secs(240);
/// How long the newest days are imported where somebody asks for them.
pub(super) const NEWEST_TAKES: StdDuration = StdDuration::from_secs(5_400);
/// How long a property is imported at a time, be it its newest days or its past, so that workspaces take turns.
const PIECE: StdDuration = StdDuration::from_secs(300);
/// How many properties are imported at once: the pace is the client's.
const BATCH: usize = 8;
/// How long outcomes wait for company before they are stored.
const GATHER: StdDuration = StdDuration::ZERO;
/// The longest pause between two looks at what is due.
const POLL: StdDuration = StdDuration::from_secs(10);

/// The time between two imports of the newest days.
const USUAL: Duration = Duration::DAY;
/// The pause between two pieces of the past.
const BETWEEN: Duration = Duration::seconds(5);
/// The pause after a first failure; it doubles with each further one in a row.
const RETRY: Duration = Duration::minutes(10);
/// The shortest pause that the upstream is granted, and the one after a quota that does not say for how long.
const LEAST_BUSY: Duration = Duration::MINUTE;
const QUOTA: Duration = Duration::HOUR;

/// Keeps search data up to date.
#[derive(Clone)]
pub struct SearchWatch {
    /// Imports days.
    pub importer: Importer,
    /// Answers that imports outdate.
    pub answers: Arc<dyn KeptAnswers>,
    /// Newest days of which there are some to come.
    pub half_done: HalfDone,
}

impl fmt::Debug for SearchWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchWatch")
            .field("importer", &self.importer)
            .finish_non_exhaustive()
    }
}

impl SearchWatch {
    /// Works until `stop`; then lets what is being imported end until `abandon`, and gives the rest back.
    pub async fn run(self, stop: CancellationToken, abandon: CancellationToken) {
        self.due().run(stop, abandon).await;
    }

    /// Imports once what is due now, and says of how many domains.
    ///
    /// # Errors
    /// The store failed. Failures of the upstream are in the store.
    pub async fn round(&self) -> Result<usize, StoreError> {
        self.clone().due().once().await
    }

    fn due(self) -> DueLoop<Self> {
        DueLoop {
            bell: Arc::default(),
            clock: Arc::clone(&self.importer.clock),
            pace: DuePace::in_batches(BATCH, LEASE, GATHER, POLL),
            work: Arc::new(self),
        }
    }

    async fn import(&self, link: &Link, due: &DueLink) -> Synced {
        let importer = &self.importer;
        let is_newest = link.newest_due_at <= importer.clock.now();
        let (mut synced, failed, is_left) = if is_newest {
            let mut newest = Newest {
                until: Instant::now() + PIECE,
                tried: self.half_done.take(link),
                is_left: false,
            };
            let imported = importer.newest_piece(link, &mut newest).await;
            if newest.is_left {
                self.half_done.keep(link, newest.tried);
                return put_back(link, due, importer.clock.now());
            }
            let synced = ended(link, &imported, importer.clock.now());
            // The newest days are told at once, and the past goes on with the next claim.
            let is_left = imported.error.as_ref().is_none_or(|error| !error.is_of_all());
            (synced, imported.error, is_left)
        } else {
            let past = importer.backfill(link, Instant::now() + PIECE).await;
            let past = past.unwrap_or_else(|error| Past {
                error: Some(error),
                ..Past::default()
            });
            (piece(link, &past, importer.clock.now()), past.error, past.is_left)
        };
        if let Some(error) = &failed {
            let domain = link.domain;
            tracing::warn!(%domain, error = told(error), "search data could not be imported whole; it will be tried again");
        }
        // A search type whose past does not come in keeps no other waiting.
        let waited_for = failed.as_ref().filter(|_| is_newest || !is_left);
        synced.next = Some(next(link, due, waited_for, is_newest, is_left, synced.at));
        synced
    }
}

/// The end of an import of the newest days.
pub(super) fn ended(link: &Link, imported: &Imported, now: OffsetDateTime) -> Synced {
    let Imported { marks, items, error } = imported;
    let outcome = match error {
        None => SyncStatus::Succeeded,
        Some(_) if items.completed > 0 => SyncStatus::Partial,
        Some(_) => SyncStatus::Failed,
    };
    metrics::synced(outcome);
    Synced {
        outcome: Some(outcome),
        marks: marks.is_known().then_some(*marks),
        ..end(link, error.as_ref(), items.completed > 0 || error.is_none(), now)
    }
}

/// The end of a piece of the past.
fn piece(link: &Link, past: &Past, now: OffsetDateTime) -> Synced {
    end(link, past.error.as_ref(), past.is_any, now)
}

/// The end of a piece of the newest days, of which the next goes on once others had their turn.
fn put_back(link: &Link, due: &DueLink, now: OffsetDateTime) -> Synced {
    Synced {
        next: Some(Next {
            leased_until: due.lease.end(),
            at: now + BETWEEN,
            newest_at: link.newest_due_at,
            failures: link.failures,
        }),
        ..end(link, None, true, now)
    }
}

/// The end of an import. One that brought nothing leaves the status as it was, unless its error says how it is.
fn end(link: &Link, error: Option<&ImportError>, is_any: bool, now: OffsetDateTime) -> Synced {
    let otherwise = if is_any {
        PropertyStatus::Connected
    } else {
        link.status
    };
    Synced {
        domain: link.domain,
        site_url: link.site_url.clone(),
        linked_at: link.linked_at,
        at: now,
        outcome: None,
        marks: None,
        status: error.and_then(status).unwrap_or(otherwise),
        failure: error.map(told_to_people),
        next: None,
    }
}

/// The status that an error leads to; `None`: it says nothing of the link.
pub(super) fn status(error: &ImportError) -> Option<PropertyStatus> {
    match error {
        ImportError::Google(GoogleError::Unauthorized { .. } | GoogleError::Key(_)) => {
            Some(PropertyStatus::ReauthorizationRequired)
        }
        ImportError::Google(GoogleError::Forbidden { .. }) => Some(PropertyStatus::PermissionLost),
        _ => None,
    }
}

fn next(
    link: &Link,
    due: &DueLink,
    failed: Option<&ImportError>,
    is_newest: bool,
    is_left: bool,
    now: OffsetDateTime,
) -> Next {
    let slot = slots::next_after(now, &[link.domain.0.as_bytes(), b"search"], USUAL);
    let (at, newest_at, failures) = match failed {
        Some(error) => {
            let failures = link.failures.saturating_add(1);
            let paused = now + pause(error, failures);
            let newest_at = if is_newest { paused } else { link.newest_due_at };
            let at = if is_left {
                (now + BETWEEN).min(newest_at)
            } else if error.is_of_all() {
                paused
            } else {
                // A past that can't be read keeps no newest days waiting.
                paused.min(newest_at)
            };
            (at, newest_at, failures)
        }
        None => {
            let newest_at = if is_newest { slot } else { link.newest_due_at };
            let at = if is_left {
                (now + BETWEEN).min(newest_at)
            } else {
                newest_at
            };
            // Only the newest days show that all is well again.
            (at, newest_at, if is_newest { 0 } else { link.failures })
        }
    };
    Next {
        leased_until: due.lease.end(),
        at,
        newest_at,
        failures,
    }
}

/// The upstream's own pause where it names one; else one that doubles.
pub(super) fn pause(error: &ImportError, failures: u32) -> Duration {
    if let ImportError::Google(google) = error {
        if let Some(pause) = google.retry_after() {
            let pause = Duration::try_from(pause).unwrap_or(USUAL);
            return pause.clamp(LEAST_BUSY, USUAL);
        }
        if matches!(google, GoogleError::Quota { .. }) {
            return QUOTA;
        }
    }
    // Eight doublings are more than a day.
    (RETRY * 2_i32.pow(failures.saturating_sub(1).min(8))).min(USUAL)
}

/// The error with what it comes from.
pub(super) fn told(error: &ImportError) -> String {
    let mut told = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let text = error.to_string();
        if !told.ends_with(&text) {
            told.push_str(": ");
            told.push_str(&text);
        }
        source = error.source();
    }
    told
}

/// The same for the people of a workspace: what the store says is for the log alone.
fn told_to_people(error: &ImportError) -> String {
    match error {
        ImportError::Store(_) => told(&ImportError::Unstored),
        error => told(error),
    }
}

#[async_trait]
impl DueWork for SearchWatch {
    type Item = DueLink;
    type Outcome = Synced;

    const NAME: &'static str = "search data";

    async fn prepare(&self, _now: OffsetDateTime) -> Result<(), StoreError> {
        self.importer.links.bring_back().await
    }

    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueLink>, StoreError> {
        self.importer.links.claim(claim).await
    }

    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        self.importer.links.next_due(now).await
    }

    fn due_in(&self, due: &DueLink) -> Duration {
        due.due_in
    }

    fn subject(&self, due: &DueLink) -> String {
        due.domain.to_string()
    }

    async fn perform(&self, due: &DueLink) -> Option<Synced> {
        let link = match self.importer.links.link(due.domain).await {
            Ok(link) => link?,
            Err(error) => {
                tracing::error!(domain = %due.domain, %error, "a link to Search Console can't be read");
                return None;
            }
        };
        let mut import = pin!(self.import(&link, due));
        loop {
            select! {
                synced = &mut import => return Some(synced),
                () = sleep(RENEWED) => {}
            }
            // The import stands still meanwhile, so that its end has the lease that is stored.
            match self.importer.links.renew(due, LEASE).await {
                Ok(true) => {}
                Ok(false) => {
                    tracing::warn!(domain = %due.domain, "another node imports the property by now");
                    return None;
                }
                Err(error) => {
                    tracing::warn!(domain = %due.domain, %error, "the claim of a property can't be renewed at the moment");
                }
            }
        }
    }

    async fn settle(&self, synced: &[Synced], _now: OffsetDateTime) -> Result<(), StoreError> {
        self.importer.links.settle(synced).await?;
        for synced in synced {
            self.answers.outdated(synced.domain, Module::Gsc).await;
        }
        Ok(())
    }

    async fn release(&self, claimed: &[&DueLink]) -> Result<(), StoreError> {
        self.importer.links.release(claimed).await
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use http::StatusCode;
    use pharos_domain::ids::{DomainId, WorkspaceId};
    use pharos_egress::client::EgressError;
    use time::macros::datetime;

    use super::*;
    use crate::gsc::link::Lease;

    const NOW: OffsetDateTime = datetime!(2026-03-31 09:15 UTC);

    fn link(failures: u32) -> Link {
        Link {
            domain: DomainId::generate(),
            workspace: WorkspaceId::generate(),
            site_url: "sc-domain:ada.example".to_owned(),
            account: None,
            status: PropertyStatus::Connected,
            search_types: Vec::new(),
            linked_at: NOW,
            data_through: None,
            reached: HashMap::new(),
            missed: Vec::new(),
            newest_due_at: NOW,
            failures,
        }
    }

    #[test]
    fn a_failure_is_tried_again_by_the_upstreams_own_pause_or_one_that_doubles() {
        let pause = |error: GoogleError, failures| pause(&error.into(), failures).whole_minutes();
        let away = || GoogleError::Egress(EgressError::Timeout);
        assert_eq!(
            [1, 2, 3, 20].map(|failures| pause(away(), failures)),
            [10, 20, 40, 1_440]
        );
        let quota = |seconds: Option<u64>| GoogleError::Quota {
            reason: None,
            retry_after: seconds.map(StdDuration::from_secs),
        };
        assert_eq!(pause(quota(None), 1), 60);
        assert_eq!(pause(quota(Some(7_200)), 1), 120);
        assert_eq!(pause(quota(Some(0)), 1), 1);
        assert_eq!(pause(quota(Some(u64::MAX)), 1), 1_440);
    }

    #[test]
    fn pieces_of_the_past_follow_each_other_and_newest_days_keep_their_slot() {
        let link = link(3);
        let due = DueLink {
            domain: link.domain,
            due_in: Duration::ZERO,
            lease: Lease::until(NOW + LEASE),
        };
        let left = next(&link, &due, None, true, true, NOW);
        assert_eq!((left.at, left.failures), (NOW + BETWEEN, 0));
        assert!(left.newest_at > NOW && left.newest_at <= NOW + USUAL);
        let done = next(&link, &due, None, true, false, NOW);
        assert_eq!(done.at, done.newest_at);
        let garbled = GoogleError::Malformed("it has more rows than were asked for");
        let garbled = next(&link, &due, Some(&garbled.into()), true, true, NOW);
        assert_eq!(
            (garbled.at, garbled.failures),
            (NOW + BETWEEN, 4),
            "the past goes on while a newest day is garbled"
        );
        assert_eq!(garbled.newest_at, NOW + RETRY * 8, "the fourth pause");
        let piece = next(&link, &due, None, false, false, NOW);
        assert_eq!(piece.failures, 3);
        let error = GoogleError::Unavailable {
            status: StatusCode::BAD_GATEWAY,
            retry_after: None,
        };
        let failed = next(&link, &due, Some(&error.into()), false, false, NOW);
        assert_eq!((failed.failures, failed.newest_at), (4, link.newest_due_at));
        assert_eq!(failed.at, NOW + RETRY * 8, "who does not answer is left alone");
        let soon = Link {
            newest_due_at: NOW + Duration::HOUR,
            ..link
        };
        let unread = GoogleError::Malformed("it has more rows than were asked for");
        let unread = next(&soon, &due, Some(&unread.into()), false, false, NOW);
        assert_eq!(
            (unread.at, unread.newest_at),
            (soon.newest_due_at, soon.newest_due_at),
            "the newest days come in while the past can't be read"
        );
    }

    #[test]
    fn a_piece_of_the_newest_days_is_put_back_and_has_not_ended() {
        let link = link(2);
        let due = DueLink {
            domain: link.domain,
            due_in: Duration::ZERO,
            lease: Lease::until(NOW + LEASE),
        };
        due.lease.renewed(NOW + LEASE * 2);
        let put_back = put_back(&link, &due, NOW);
        assert_eq!(
            (put_back.outcome, put_back.marks),
            (None, None),
            "it has not ended"
        );
        let next = put_back.next.unwrap();
        assert_eq!(next.leased_until, NOW + LEASE * 2);
        assert_eq!((next.at, next.newest_at), (NOW + BETWEEN, link.newest_due_at));
        assert_eq!(next.failures, 2);
    }

    /// A piece of the past that fails for another reason says nothing of a permission that was lost before.
    #[test]
    fn a_failure_leaves_the_status_as_it_was_unless_something_came_in() {
        let lost = Link {
            status: PropertyStatus::PermissionLost,
            ..link(1)
        };
        let piece = |is_any: bool, error: Option<GoogleError>| {
            let past = Past {
                is_any,
                is_left: false,
                error: error.map(ImportError::from),
            };
            piece(&lost, &past, NOW).status
        };
        let away = || Some(GoogleError::Egress(EgressError::Timeout));
        assert_eq!(piece(false, away()), PropertyStatus::PermissionLost);
        assert_eq!(piece(true, away()), PropertyStatus::Connected);
        assert_eq!(piece(true, None), PropertyStatus::Connected);
        assert_eq!(piece(false, None), PropertyStatus::PermissionLost);
        let key = GoogleError::Unauthorized { reason: None };
        assert_eq!(piece(false, Some(key)), PropertyStatus::ReauthorizationRequired);
        let newest = |completed: u32| {
            let mut imported = Imported {
                error: away().map(ImportError::from),
                ..Imported::default()
            };
            imported.items.completed = completed;
            ended(&lost, &imported, NOW).status
        };
        assert_eq!(newest(0), PropertyStatus::PermissionLost);
        assert_eq!(newest(1), PropertyStatus::Connected);
    }

    #[test]
    fn people_are_told_why_an_import_failed_and_nothing_of_the_store() {
        let why = |error: ImportError| end(&link(0), Some(&error), false, NOW).failure;
        let off = GoogleError::NotEnabled { reason: None };
        let told = why(off.into()).unwrap();
        assert!(told.contains("is not enabled"), "{told}");
        let store = ImportError::Store(StoreError::Corrupt("a row of search_days".to_owned()));
        assert_eq!(why(store).as_deref(), Some("Pharos could not store what came in"));
        assert_eq!(end(&link(0), None, true, NOW).failure, None);
    }

    #[test]
    fn only_errors_of_the_link_change_its_status() {
        let of = |error: GoogleError| status(&error.into());
        assert_eq!(
            of(GoogleError::Unauthorized { reason: None }),
            Some(PropertyStatus::ReauthorizationRequired)
        );
        assert_eq!(
            of(GoogleError::Forbidden { reason: None }),
            Some(PropertyStatus::PermissionLost)
        );
        assert_eq!(of(GoogleError::Egress(EgressError::Timeout)), None);
    }
}
